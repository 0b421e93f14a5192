//! What the server offers beside calls of tools: lists, resources, prompts, completions.

use serde_json::{Value, json};

use super::tools::{self, PNG};
use super::{Fault, INVALID_PARAMS, METHOD_NOT_FOUND};

/// How the server names itself.
pub fn server_info() -> Value {
    json!({"name": "fixture-server", "version": "1.0.0"})
}

/// The result of a method that both eras have.
pub fn result(method: &str, params: &Value) -> Result<Value, Fault> {
    let resource = |uri: &str, kind: &str| json!({"uri": uri, "name": uri, "description": "A resource for tests", "mimeType": kind});
    match method {
        "tools/list" => Ok(json!({"tools": tools::definitions()})),
        "resources/list" => Ok(json!({"resources": [
            resource("test://static-text", "text/plain"),
            resource("test://static-binary", "image/png"),
            resource("test://watched-resource", "text/plain"),
        ]})),
        "resources/templates/list" => Ok(json!({"resourceTemplates": [{
            "uriTemplate": "test://template/{id}/data",
            "name": "template",
            "description": "A template for tests",
            "mimeType": "application/json",
        }]})),
        "resources/read" => read(&params["uri"]),
        "prompts/list" => Ok(json!({"prompts": prompts()})),
        "prompts/get" => prompt(params),
        "completion/complete" => {
            Ok(json!({"completion": {"values": ["paris", "park"], "total": 2, "hasMore": false}}))
        }
        _ => Err(Fault::new(METHOD_NOT_FOUND, "no such method")),
    }
}

fn read(uri: &Value) -> Result<Value, Fault> {
    let asked = uri.as_str().unwrap_or_default();
    let content = match asked {
        "test://static-text" | "test://watched-resource" => json!({
            "mimeType": "text/plain",
            "text": "This is the content of the static text resource.",
        }),
        "test://static-binary" => json!({"mimeType": "image/png", "blob": PNG}),
        _ => {
            let id = asked
                .strip_prefix("test://template/")
                .and_then(|rest| rest.strip_suffix("/data"))
                .ok_or_else(|| {
                    Fault::new(INVALID_PARAMS, "Resource not found").with_data(json!({"uri": uri}))
                })?;
            let data = json!({"id": id, "templateTest": true, "data": format!("Data for {id}")});
            json!({"mimeType": "application/json", "text": data.to_string()})
        }
    };
    let mut content = content;
    content["uri"] = uri.clone();
    Ok(json!({"contents": [content]}))
}

fn prompts() -> Value {
    let argument =
        |name: &str| json!({"name": name, "description": "An argument", "required": true});
    let prompt = |name: &str, arguments: Vec<Value>| json!({"name": name, "description": "A prompt for tests", "arguments": arguments});
    json!([
        prompt("test_simple_prompt", vec![]),
        prompt(
            "test_prompt_with_arguments",
            vec![argument("arg1"), argument("arg2")]
        ),
        prompt(
            "test_prompt_with_embedded_resource",
            vec![argument("resourceUri")]
        ),
        prompt("test_prompt_with_image", vec![]),
        prompt("test_input_required_result_prompt", vec![]),
    ])
}

fn prompt(params: &Value) -> Result<Value, Fault> {
    let arguments = &params["arguments"];
    let text = |text: &str| json!({"type": "text", "text": text});
    let contents = match params["name"].as_str().unwrap_or_default() {
        "test_simple_prompt" => vec![text("This is a simple prompt for testing.")],
        "test_prompt_with_arguments" => {
            let argument = |name: &str| arguments[name].as_str().unwrap_or_default();
            vec![text(&format!(
                "Prompt with arguments: arg1='{}', arg2='{}'",
                argument("arg1"),
                argument("arg2")
            ))]
        }
        "test_prompt_with_embedded_resource" => vec![
            json!({"type": "resource", "resource": {
                "uri": arguments["resourceUri"],
                "mimeType": "text/plain",
                "text": "Embedded resource content for testing.",
            }}),
            text("Please process the embedded resource above."),
        ],
        "test_prompt_with_image" => vec![
            json!({"type": "image", "data": PNG, "mimeType": "image/png"}),
            text("Please analyze the image above."),
        ],
        "test_input_required_result_prompt" => {
            let Some(context) =
                params["inputResponses"]["user_context"]["content"]["context"].as_str()
            else {
                return Ok(tools::input_required(
                    json!({"user_context": tools::question(
                        "What context should the prompt use?",
                        json!({"context": {"type": "string"}}),
                    )}),
                    None,
                ));
            };
            vec![text(context)]
        }
        _ => return Err(Fault::new(INVALID_PARAMS, "no such prompt")),
    };
    let messages: Vec<_> = contents
        .into_iter()
        .map(|content| json!({"role": "user", "content": content}))
        .collect();
    Ok(json!({"messages": messages}))
}

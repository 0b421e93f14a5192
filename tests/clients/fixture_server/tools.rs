//! The tools of the server: what the conformance suite calls, and two of a shop.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Fault, INVALID_PARAMS, MISSING_CAPABILITY, Peer};

/// A picture of one pixel.
pub const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
/// A sound of no length.
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
/// The state that a question of one round travels with.
const STATE: &str = "state-of-one-round";

/// Tools without arguments.
const PLAIN: [&str; 24] = [
    "test_audio_content",
    "test_elicitation_sep1034_defaults",
    "test_elicitation_sep1330_enums",
    "test_embedded_resource",
    "test_error_handling",
    "test_image_content",
    "test_input_required_result_capabilities",
    "test_input_required_result_elicitation",
    "test_input_required_result_list_roots",
    "test_input_required_result_multi_round",
    "test_input_required_result_multiple_inputs",
    "test_input_required_result_request_state",
    "test_input_required_result_sampling",
    "test_input_required_result_tampered_state",
    "test_logging_tool",
    "test_missing_capability",
    "test_multiple_content_types",
    "test_reconnection",
    "test_simple_text",
    "test_streaming_elicitation",
    "test_tool_with_logging",
    "test_tool_with_progress",
    "test_trigger_prompt_change",
    "test_trigger_tool_change",
];

/// The definitions, as `tools/list` gives them.
pub fn definitions() -> Vec<Value> {
    let tool = |name: &str, schema: Value| json!({"name": name, "description": format!("The tool {name}"), "inputSchema": schema});
    let of = |name: &str, kind: Value| json!({"type": "object", "properties": {name: kind}, "required": [name]});
    let text = json!({"type": "string"});
    let order = json!({
        "type": "object",
        "properties": {"order_id": {"type": "string"}, "amount": {"type": "number"}},
        "required": ["order_id"],
    });
    let header = json!({
        "type": "object",
        "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
    });
    let mut definitions = vec![
        tool("charge_card", order.clone()),
        tool("get_order", order),
        tool("json_schema_2020_12_tool", schema_2020_12()),
        tool("test_custom_headers", header),
        tool("test_elicitation", of("message", text.clone())),
        tool("test_sampling", of("prompt", text)),
    ];
    let plain = |name| tool(name, json!({"type": "object"}));
    definitions.extend(PLAIN.into_iter().map(plain));
    definitions
}

/// The arguments of a tool that are mirrored into headers, and the headers' names.
pub fn annotated(tool: &Value) -> Vec<(String, String)> {
    if tool == "test_custom_headers" {
        return vec![("region".to_owned(), "region".to_owned())];
    }
    vec![]
}

/// The schema that the suite looks for in the list.
fn schema_2020_12() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }},
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false,
    })
}

/// A question by elicitation.
pub fn question(message: &str, properties: Value) -> Value {
    let names: Vec<_> = properties.as_object().into_iter().flatten().collect();
    let required: Vec<_> = names.iter().map(|(name, _)| name).collect();
    json!({"method": "elicitation/create", "params": {
        "mode": "form",
        "message": message,
        "requestedSchema": {"type": "object", "properties": properties, "required": required},
    }})
}

/// A result that asks for more.
pub fn input_required(requests: Value, state: Option<&str>) -> Value {
    let mut result = json!({"resultType": "input_required", "inputRequests": requests});
    if let Some(state) = state {
        result["requestState"] = json!(state);
    }
    result
}

fn text(text: impl Into<String>) -> Value {
    json!({"content": [{"type": "text", "text": text.into()}]})
}

fn sampling(prompt: &str) -> Value {
    json!({"method": "sampling/createMessage", "params": {
        "messages": [{"role": "user", "content": {"type": "text", "text": prompt}}],
        "maxTokens": 100,
    }})
}

/// Runs a tool; `question` is the id of a question it may ask.
pub async fn call(peer: &Peer, question_id: String) -> Result<Value, Fault> {
    let name = peer.params["name"].as_str().unwrap_or_default();
    let arguments = &peer.params["arguments"];
    let image = json!({"type": "image", "data": PNG, "mimeType": "image/png"});
    let resource = |uri: &str, kind: &str, text: &str| json!({"type": "resource", "resource": {"uri": uri, "mimeType": kind, "text": text}});
    Ok(match name {
        "get_order" => text(format!("order {}: open", arguments["order_id"])),
        "charge_card" => text(format!("charged {}", arguments["amount"])),
        "test_simple_text" => text("This is a simple text response for testing."),
        "test_image_content" => json!({"content": [image]}),
        "test_audio_content" => {
            json!({"content": [{"type": "audio", "data": WAV, "mimeType": "audio/wav"}]})
        }
        "test_embedded_resource" => {
            json!({"content": [resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")]})
        }
        "test_multiple_content_types" => json!({"content": [
            {"type": "text", "text": "Multiple content types test:"},
            image,
            resource("test://mixed-content-resource", "application/json", r#"{"test":"data"}"#),
        ]}),
        "test_error_handling" => json!({
            "isError": true,
            "content": [{"type": "text", "text": "This tool intentionally returns an error"}],
        }),
        "test_tool_with_logging" | "test_logging_tool" => with_logging(peer).await,
        "test_tool_with_progress" => with_progress(peer).await,
        "test_missing_capability" if peer.capabilities["sampling"].is_null() => {
            let data = json!({"requiredCapabilities": {"sampling": {}}});
            return Err(Fault::new(MISSING_CAPABILITY, "needs sampling").with_data(data));
        }
        "test_sampling" => {
            let asked = sampling(arguments["prompt"].as_str().unwrap_or_default());
            let answer = ask(peer, question_id, asked).await?;
            text(format!("LLM response: {}", answer["content"]["text"]))
        }
        "test_elicitation" => {
            let kind = json!({"type": "string"});
            let asked = question(
                arguments["message"].as_str().unwrap_or_default(),
                json!({"username": kind, "email": kind}),
            );
            let answer = ask(peer, question_id, asked).await?;
            text(format!("User response: {answer}"))
        }
        "test_elicitation_sep1034_defaults" => {
            let asked = question(
                "Please review these",
                json!({
                    "name": {"type": "string", "default": "John Doe"},
                    "age": {"type": "integer", "default": 30},
                    "score": {"type": "number", "default": 95.5},
                    "status": {
                        "type": "string",
                        "enum": ["active", "inactive", "pending"],
                        "default": "active",
                    },
                    "verified": {"type": "boolean", "default": true},
                }),
            );
            let answer = ask(peer, question_id, asked).await?;
            text(format!("Elicitation completed: {answer}"))
        }
        "test_elicitation_sep1330_enums" => {
            let titled = json!([
                {"const": "value1", "title": "First"},
                {"const": "value2", "title": "Second"},
            ]);
            let options = json!(["option1", "option2", "option3"]);
            let asked = question(
                "Please choose",
                json!({
                    "untitledSingle": {"type": "string", "enum": options},
                    "titledSingle": {"type": "string", "oneOf": titled},
                    "legacyEnum": {
                        "type": "string",
                        "enum": ["opt1", "opt2"],
                        "enumNames": ["Option One", "Option Two"],
                    },
                    "untitledMulti": {
                        "type": "array",
                        "items": {"type": "string", "enum": options},
                    },
                    "titledMulti": {"type": "array", "items": {"anyOf": titled}},
                }),
            );
            let answer = ask(peer, question_id, asked).await?;
            text(format!("Elicitation completed: {answer}"))
        }
        _ if name.starts_with("test_input_required") || name == "test_streaming_elicitation" => {
            by_rounds(peer, name)?
        }
        _ if definitions().iter().any(|tool| tool["name"] == name) => text("done"),
        _ => return Err(Fault::new(INVALID_PARAMS, format!("Unknown tool: {name}"))),
    })
}

async fn ask(peer: &Peer, id: String, asked: Value) -> Result<Value, Fault> {
    let method = asked["method"].as_str().unwrap_or_default();
    peer.ask(id, method, asked["params"].clone()).await
}

/// A moment between two notifications.
async fn pause() {
    tokio::time::sleep(Duration::from_millis(50)).await;
}

async fn with_logging(peer: &Peer) -> Value {
    let is_wanted = peer.session.is_some()
        || !peer.params["_meta"]["io.modelcontextprotocol/logLevel"].is_null();
    for said in ["started", "processing data", "completed"] {
        if is_wanted {
            let params = json!({"level": "info", "data": format!("Tool {said}")});
            peer.notify("notifications/message", params);
        }
        pause().await;
    }
    text("logged")
}

async fn with_progress(peer: &Peer) -> Value {
    let token = &peer.params["_meta"]["progressToken"];
    for progress in [0, 50, 100] {
        if !token.is_null() {
            let params = json!({"progressToken": token, "progress": progress, "total": 100});
            peer.notify("notifications/progress", params);
        }
        pause().await;
    }
    text("worked")
}

/// The tools that ask by `input_required`, in the new era.
fn by_rounds(peer: &Peer, tool: &str) -> Result<Value, Fault> {
    let responses = &peer.params["inputResponses"];
    let is_given = peer.params.get("inputResponses").is_some();
    if is_given && !responses.is_object() {
        return Err(Fault::new(INVALID_PARAMS, "inputResponses is no object"));
    }
    let state = peer.params["requestState"].as_str();
    let name = |message: &str| question(message, json!({"name": {"type": "string"}}));
    let answered = |key: &str| responses[key].is_object();
    Ok(match tool {
        "test_input_required_result_elicitation" if !answered("user_name") => {
            input_required(json!({"user_name": name("What is your name?")}), None)
        }
        "test_input_required_result_sampling" if !answered("capital_question") => input_required(
            json!({"capital_question": sampling("What is the capital of France?")}),
            None,
        ),
        "test_input_required_result_list_roots" if !answered("client_roots") => input_required(
            json!({"client_roots": {"method": "roots/list", "params": {}}}),
            None,
        ),
        "test_input_required_result_request_state"
        | "test_input_required_result_tampered_state"
        | "test_input_required_result_multiple_inputs"
            if state.is_some_and(|state| state != STATE) =>
        {
            return Err(Fault::new(INVALID_PARAMS, "requestState is not ours"));
        }
        "test_input_required_result_request_state"
        | "test_input_required_result_tampered_state"
            if !answered("confirm") =>
        {
            let asked = question("Please confirm", json!({"ok": {"type": "boolean"}}));
            input_required(json!({"confirm": asked}), Some(STATE))
        }
        "test_input_required_result_multiple_inputs" if !answered("user_name") => input_required(
            json!({
                "user_name": name("What is your name?"),
                "greeting": sampling("Generate a greeting"),
                "client_roots": {"method": "roots/list", "params": {}},
            }),
            Some(STATE),
        ),
        "test_input_required_result_multi_round" => match state {
            None => input_required(
                json!({"step1": name("Step 1: What is your name?")}),
                Some("round-1"),
            ),
            Some("round-1") => {
                let color = json!({"color": {"type": "string"}});
                let asked = question("Step 2: What is your favorite color?", color);
                input_required(json!({"step2": asked}), Some("round-2"))
            }
            Some(_) => text("both answered"),
        },
        "test_input_required_result_capabilities" | "test_streaming_elicitation" if !is_given => {
            let mut requests = json!({});
            if !peer.capabilities["elicitation"].is_null() {
                requests["user_name"] = name("What is your name?");
            }
            if !peer.capabilities["sampling"].is_null() {
                requests["greeting"] = sampling("Generate a greeting");
            }
            input_required(requests, None)
        }
        _ => text(format!("state-ok, answered: {responses}")),
    })
}

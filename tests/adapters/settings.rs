//! The settings that the pages of the proxies show: they are YAML, lead to the rules that there are,
//! and close where something fails. The reasons that adapters give are explained.

use serde_json::{Value, json};
use stalwart::adapters::Adapter;
use stalwart::diagnostics::Sink;
use stalwart::text::Source;

use crate::compiled::{must_compile, root};

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The blocks of YAML of a page.
fn blocks(page: &str) -> Vec<Value> {
    let text = read(page);
    let parts = text.split("```yaml\n").skip(1);
    parts
        .map(|part| {
            let block = part.split("```").next().expect("a block ends");
            let (source, _) = Source::decode(page, block.as_bytes());
            let mut sink = Sink::new();
            let node = stalwart::yaml::read(&source, &mut sink);
            let node = node.unwrap_or_else(|| panic!("{page}: {:?}", sink.into_sorted()));
            node.to_json()
        })
        .collect()
}

/// The path of the rule that answers.
fn rule(one: Adapter) -> String {
    let compiled = must_compile(b"define flow a\n  execute b\n", "stalwart.policy");
    let package = one.package(&compiled.rulebook);
    format!("{}/answer", package.replace('.', "/"))
}

fn at(value: &Value, path: &str) -> Value {
    let found = value.pointer(path);
    found.unwrap_or_else(|| panic!("{path} in {value}")).clone()
}

#[test]
fn kong_asks_the_rule_with_all_that_it_reads() {
    let [kong] = blocks("docs/kong.md").try_into().expect("one block");
    let plugins = at(&kong, "/services/0/plugins");
    let plugins = plugins.as_array().expect("a list");
    let config = |name: &str| {
        let plugin = plugins.iter().find(|plugin| plugin["name"] == name);
        plugin.unwrap_or_else(|| panic!("{name}"))["config"].clone()
    };
    let opa = config("opa");
    assert_eq!(opa["opa_path"], format!("/v1/data/{}", rule(Adapter::Kong)));
    assert_eq!(opa["opa_host"], "127.0.0.1");
    for name in ["body", "parsed_json_body", "consumer"] {
        assert_eq!(opa[format!("include_{name}_in_opa_input")], true, "{name}");
    }
    assert!(config("key-auth").get("anonymous").is_none());
}

fn plugin_of_opa(settings: &Value, one: Adapter) {
    let plugin = at(settings, "/plugins/envoy_ext_authz_grpc");
    assert_eq!(plugin["path"], rule(one));
    assert_eq!(plugin["addr"], "127.0.0.1:9191");
    assert_eq!(plugin["dry-run"], false);
    assert_eq!(plugin["skip-request-body-parse"], false);
}

#[test]
fn envoy_closes_where_something_fails() {
    let [opa, envoy] = blocks("docs/envoy.md").try_into().expect("two blocks");
    plugin_of_opa(&opa, Adapter::Envoy);
    let path = "/static_resources/listeners/0/filter_chains/0/filters/0/typed_config/http_filters";
    let filters = at(&envoy, path);
    let filters = filters.as_array().expect("a list");
    let names: Vec<&str> = filters
        .iter()
        .filter_map(|it| it["name"].as_str())
        .collect();
    let names: Vec<&str> = names
        .iter()
        .filter_map(|it| it.rsplit('.').next())
        .collect();
    // Who vouches for the agent comes first, and nothing comes behind the question.
    assert_eq!(names, ["jwt_authn", "lua", "ext_authz", "router"]);
    let question = &filters[2]["typed_config"];
    assert_eq!(question["failure_mode_allow"], false);
    assert_eq!(question["metadata_context_namespaces"], json!(["stalwart"]));
    let body =
        json!({"max_request_bytes": 65536, "allow_partial_message": false, "pack_as_bytes": true});
    assert_eq!(question["with_request_body"], body);
    assert!(question.get("filter_enabled").is_none());
    let cluster = at(question, "/grpc_service/envoy_grpc/cluster_name");
    let clusters = at(&envoy, "/static_resources/clusters");
    let clusters = clusters.as_array().expect("a list");
    assert!(clusters.iter().any(|it| it["name"] == cluster));
    for address in addresses(&envoy) {
        assert_eq!(address, "127.0.0.1");
    }
}

fn addresses(value: &Value) -> Vec<String> {
    match value {
        Value::Object(members) => {
            let own = value.pointer("/socket_address/address");
            let own = own.and_then(Value::as_str).map(str::to_owned);
            own.into_iter()
                .chain(members.values().flat_map(addresses))
                .collect()
        }
        Value::Array(items) => items.iter().flat_map(addresses).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn agentgateway_closes_where_something_fails() {
    let [opa, gateway] = blocks("docs/agentgateway.md")
        .try_into()
        .expect("two blocks");
    plugin_of_opa(&opa, Adapter::AgentGateway);
    let question = at(&gateway, "/binds/0/listeners/0/routes/0/policies/extAuthz");
    assert_eq!(
        question["host"],
        at(&opa, "/plugins/envoy_ext_authz_grpc/addr")
    );
    assert_eq!(question["failureMode"], "deny");
    let body = json!({"maxRequestBytes": 65536, "allowPartialMessage": false, "packAsBytes": true});
    assert_eq!(question["includeRequestBody"], body);
    assert!(
        at(
            question.as_object().map(|_| &question).expect("an object"),
            "/protocol/grpc/metadata/stalwart"
        )
        .is_string()
    );
    assert!(question.get("cache").is_none());
}

/// The packages read as much of a body as the proxies are told to give.
#[test]
fn limits_agree() {
    let text = read("src/adapters/request.rego");
    for limit in ["most_characters := 65536\n", "most_bytes := 65536\n"] {
        assert!(text.contains(limit), "{limit}");
    }
}

#[test]
fn every_reason_and_every_method_is_in_the_table() {
    let page = read("docs/adapters.md");
    let words = read("src/adapters/error.rego");
    let (_, words) = words.split_once("wordings := {\n").expect("the wordings");
    let quoted = |line: &str| line.split('"').nth(1).map(str::to_owned);
    let mut reasons: Vec<String> = words.lines().filter_map(quoted).collect();
    assert!(reasons.len() > 10, "{reasons:?}");
    reasons.extend(["rulebook", "clarify", "unreadable"].map(str::to_owned));
    for reason in reasons {
        assert!(page.contains(&format!("denied | `{reason}` |")), "{reason}");
    }
    let request = read("src/adapters/request.rego");
    let (_, methods) = request
        .split_once("harmless_methods := [\n")
        .expect("the list");
    let (methods, _) = methods.split_once("\n]").expect("its end");
    for method in methods.lines().filter_map(quoted) {
        assert!(page.contains(&format!("`{method}`")), "{method}");
    }
}

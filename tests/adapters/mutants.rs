//! Adapters with a fault: the cases notice each.

use stalwart::adapters::Adapter;

use super::proxies::all;
use super::{GATE, Gate, document, verdict};
use crate::engines::opa_1_20::OpaEngine;

/// A line of an adapter, and the fault in its place.
const FAULTS: &[(Adapter, &str, &str)] = &[
    (Adapter::Kong, "raw := request.body\n", "raw := \"\"\n"),
    (Adapter::Kong, "size := request.body_size\n", "size := 0\n"),
    (
        Adapter::Kong,
        "input.consumer.username",
        "input.request.http.headers[\"x-consumer-username\"]",
    ),
    (
        Adapter::Kong,
        "passing_decisions := [\"allow\", \"silent\"]",
        "passing_decisions := [\"allow\", \"clarify\", \"silent\"]",
    ),
    (
        Adapter::Kong,
        "passing_decisions := [\"allow\", \"silent\"]",
        "passing_decisions := [\"allow\"]",
    ),
    (
        Adapter::Kong,
        "\t\"tools/list\",\n]",
        "\t\"tools/list\",\n\t\"resources/read\",\n]",
    ),
    (Adapter::Kong, "\t\"ping\",\n", ""),
    (
        Adapter::Kong,
        "most_characters := 65536",
        "most_characters := 65535",
    ),
    (
        Adapter::Kong,
        "methods_without_body := [\"DELETE\", \"GET\"]",
        "methods_without_body := [\"DELETE\", \"GET\", \"HEAD\"]",
    ),
    (Adapter::Kong, "\tnot has_known_http_method\n", "\tfalse\n"),
    (Adapter::Kong, "\thas_body\n", "\tfalse\n"),
    (Adapter::Kong, "\tnot is_plain\n", "\tfalse\n"),
    (Adapter::Kong, "\tnot is_json\n", "\tfalse\n"),
    (Adapter::Kong, "\tis_too_large\n} else", "\tfalse\n} else"),
    (Adapter::Kong, "\tnot is_read\n", "\tfalse\n"),
    (Adapter::Kong, "\tnot has_every_key_once\n", "\tfalse\n"),
    (Adapter::Kong, "\tnot is_message\n", "\tfalse\n"),
    (Adapter::Kong, "\tnot has_known_method\n", "\tfalse\n"),
    (Adapter::Kong, "\tnot has_fitting_id\n", "\tfalse\n"),
    (Adapter::Kong, "\tnot has_fitting_params\n", "\tfalse\n"),
    (Adapter::Kong, "\tnot readings_agree\n", "\tfalse\n"),
    (Adapter::Kong, "\tnot has_true_mirrors\n", "\tfalse\n"),
    (Adapter::Kong, "\tnot has_context\n", "\tfalse\n"),
    (Adapter::Kong, "\tlower(key) == name\n", "\tkey == name\n"),
    (
        Adapter::Kong,
        "\tcount(values) == 1\n",
        "\tcount(values) > 0\n",
    ),
    (Adapter::Kong, "\tis_object(parsed)\n", ""),
    (
        Adapter::Kong,
        "(?:[^\"\\\\]|\\\\.)*\"[ \\t",
        "(?:[^\"])*\"[ \\t",
    ),
    (Adapter::Kong, "\"[ \\t\\r\\n]*:?`", "\":?`"),
    (
        Adapter::Kong,
        "- {\"id\", \"jsonrpc\"",
        "- {\"Method\", \"METHOD\", \"id\", \"jsonrpc\"",
    ),
    (Adapter::Kong, "\tnot has_id\n", ""),
    (
        Adapter::Kong,
        "\"inputResponses\", \"name\", ",
        "\"inputResponses\", \"name\", \"task\", ",
    ),
    (Adapter::Kong, "`^[!-~]{1,256}$`", "`^[ -~]{1,256}$`"),
    (Adapter::Kong, "`^[!-~]{1,256}$`", "`^[!-~]{1,256}`"),
    (Adapter::Kong, "`^[!-~]{1,256}$`", "`^[!-~]{1,300}$`"),
    (
        Adapter::Kong,
        "\tis_object(object.get(message.params, \"arguments\", {}))\n",
        "",
    ),
    (
        Adapter::Kong,
        "without_base64(header(\"mcp-name\"))",
        "header(\"mcp-name\")",
    ),
    (
        Adapter::Kong,
        "\tcount(names) == count({name | some name in names})\n",
        "",
    ),
    (
        Adapter::Envoy,
        "vouched.agent if is_string",
        "\"small\" if is_string",
    ),
    (
        Adapter::Envoy,
        "\tgiven := request.body\n\tnot given in [\"\", null]\n",
        "\tfalse\n\tgiven := request.body\n",
    ),
    (Adapter::Envoy, "} else := request.size\n", "} else := -1\n"),
    (Adapter::Kong, "most_quotes := 4096", "most_quotes := 40960"),
    (
        Adapter::Envoy,
        "parsed := input.parsed_body\n",
        "parsed := json.unmarshal(raw)\n",
    ),
];

/// Whether a case is answered in another way; an input without an answer is none.
fn is_noticed(engine: &OpaEngine, one: Adapter, from: &str, to: &str) -> bool {
    let mut gate = Gate::new(GATE);
    let package = format!("package passing.{}\n", one.as_str());
    let module = gate.modules.iter_mut().find(|it| it.contains(&package));
    let module = module.expect("an adapter");
    assert!(module.contains(from), "{from:?} is nowhere");
    let module = module.replace(from, to);
    // The rulebook of the build, and the adapter alone.
    gate.modules.truncate(1);
    gate.modules.push(module);
    let cases = all();
    let inputs: Vec<String> = cases
        .iter()
        .map(|case| case.1.input(one).to_string())
        .collect();
    let answers = gate.try_engine(engine, Some(&document()), "passing", one, &inputs);
    let mut compared = cases.iter().zip(answers);
    compared.any(|((_, _, want), answer)| {
        answer.is_ok_and(|answer| verdict(one, &answer) != want.map_err(str::to_owned))
    })
}

#[test]
fn every_fault_is_noticed() {
    let Some(engine) = OpaEngine::find() else {
        return;
    };
    let unnoticed: Vec<_> = FAULTS
        .iter()
        .filter(|(one, from, to)| !is_noticed(&engine, *one, from, to))
        .collect();
    assert!(unnoticed.is_empty(), "{unnoticed:#?}");
}

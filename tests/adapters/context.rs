//! Where context comes from, and what happens without it.

use serde_json::{Value, json};
use stalwart::adapters::Adapter;

use super::requests::Request;
use super::{GATE, Gate, ask, document, put, verdict};
use crate::engines::opa::Opa;

const PAID: &str = "{\"order_paid\": true, \"amount\": 40}";

/// The document, a request, the proxies that it goes through, and the answer.
type Case<'a> = (
    Option<Value>,
    Request,
    &'a [Adapter],
    Result<(), &'static str>,
);

fn paid() -> Value {
    serde_json::from_str(PAID).expect("JSON")
}

#[test]
fn context_is_what_the_host_and_the_proxy_vouch_for() {
    let Some(opa) = Opa::find() else { return };
    let gate = Gate::new(GATE);
    let server = gate.serve(&opa);
    let call = || Request::call("refund_card");
    let vouched = |value: Value| Request {
        vouched: Some(value),
        ..call()
    };
    let nobody = || Request {
        agent: None,
        ..call()
    };
    let both = [Adapter::Kong, Adapter::Envoy];
    let kong = [Adapter::Kong];
    let envoy = [Adapter::Envoy, Adapter::AgentGateway];
    let none = Err("context");
    let cases: Vec<Case<'_>> = vec![
        (None, call(), &both, none),
        (None, Request::call("get_order"), &both, none),
        (None, Request::without_body("GET"), &both, Ok(())),
        (Some(document()), call(), &both, Ok(())),
        (
            Some(document()),
            call().by("stranger"),
            &both,
            Err("rulebook"),
        ),
        (Some(document()), call().by("double"), &both, none),
        (Some(document()), nobody(), &both, Err("rulebook")),
        (Some(json!({"*": paid()})), nobody(), &both, Ok(())),
        (Some(json!({"*": {}})), nobody(), &both, Err("rulebook")),
        (
            Some(json!({"agents": {"small": paid()}})),
            call(),
            &both,
            Ok(()),
        ),
        (
            Some(json!({"agents": {"small": paid()}})),
            call().by("large"),
            &both,
            none,
        ),
        (
            Some(json!({"agents": {"*": paid()}})),
            call().by("*"),
            &both,
            Ok(()),
        ),
        (Some(json!({})), call(), &both, none),
        (
            Some(
                serde_json::from_str(r#"{"*": {"order_paid": true, "amount": 1e99999}}"#).unwrap(),
            ),
            call(),
            &both,
            none,
        ),
        (Some(json!([])), call(), &both, none),
        (Some(json!({"*": [paid()]})), call(), &both, none),
        (Some(json!({"*": {}, "agents": []})), call(), &both, none),
        (
            Some(json!({"*": {}, "agents": {"small": true}})),
            call(),
            &both,
            none,
        ),
        (Some(json!({"*": paid(), "agent": {}})), call(), &both, none),
        (None, vouched(json!({"context": paid()})), &envoy, Ok(())),
        (None, vouched(json!({"context": paid()})), &kong, none),
        (
            None,
            vouched(json!({"context": {}})),
            &envoy,
            Err("rulebook"),
        ),
        (None, vouched(json!({"agent": "small"})), &envoy, none),
        (
            Some(document()),
            vouched(json!({"agent": "small"})),
            &envoy,
            Ok(()),
        ),
        (
            Some(document()),
            vouched(json!({"agent": "unpaid", "context": {"amount": 4}})),
            &envoy,
            Err("rulebook"),
        ),
        (
            Some(document()),
            vouched(json!({"agent": "unpaid", "context": {"order_paid": true}})),
            &envoy,
            none,
        ),
        (
            Some(json!({"*": {}})),
            vouched(json!({"context": "paid"})),
            &envoy,
            none,
        ),
        (
            Some(json!({"*": paid()})),
            vouched(json!({"agent": 5})),
            &envoy,
            none,
        ),
        (
            Some(json!({"*": paid()})),
            vouched(json!({"sub": "small"})),
            &envoy,
            none,
        ),
        (
            Some(json!({"*": paid()})),
            vouched(json!("small")),
            &envoy,
            none,
        ),
    ];
    for (document, request, proxies, want) in cases {
        put(&server, document.as_ref());
        for one in proxies {
            let input = request.input(*one).to_string();
            let answer = ask(&server, "passing", *one, &input);
            let want = want.map_err(str::to_owned);
            assert_eq!(
                verdict(*one, &answer),
                want,
                "{one:?} {document:?} {request:?}"
            );
        }
    }
}

/// Absent names are false, and a rulebook that allows on `not` would allow on nothing.
#[test]
fn nothing_is_allowed_for_want_of_context() {
    let Some(opa) = Opa::find() else { return };
    let gate = Gate::new("define flow a\n  if not $blocked\n    execute refund_card\n");
    let server = gate.serve(&opa);
    let input = Request::call("refund_card")
        .input(Adapter::Kong)
        .to_string();
    let asked = |document: Option<Value>| {
        put(&server, document.as_ref());
        verdict(
            Adapter::Kong,
            &ask(&server, "passing", Adapter::Kong, &input),
        )
    };
    assert_eq!(asked(None), Err("context".to_owned()));
    assert_eq!(asked(Some(json!({"*": {}}))), Ok(()));
    assert_eq!(
        asked(Some(json!({"*": {"blocked": true}}))),
        Err("rulebook".to_owned())
    );
}

#[test]
fn a_rulebook_that_reads_no_context_needs_none() {
    let Some(opa) = Opa::find() else { return };
    let gate = Gate::new(
        "define flow a\n  user ask refund\n  bot ask for approval\n  user approve\n  execute refund_card\n\ndefine flow b\n  user ...\n  execute get_order\n",
    );
    let server = gate.serve(&opa);
    for one in [Adapter::Kong, Adapter::Envoy, Adapter::AgentGateway] {
        for (tool, want) in [
            ("refund_card", Err("clarify".to_owned())),
            ("get_order", Ok(())),
        ] {
            let input = Request::call(tool).input(one).to_string();
            assert_eq!(
                verdict(one, &ask(&server, "denying", one, &input)),
                want,
                "{tool}"
            );
        }
    }
}

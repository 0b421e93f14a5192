//! Random inputs: an answer for each, on both versions of OPA, and the model's.

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use serde_json::{Value, json};
use stalwart::adapters::Adapter;

use super::model::expected;
use super::requests::{Request, call};
use super::{BUILDS, GATE, Gate, ask, document, put, verdict};
use crate::engines::opa::Opa;
use crate::engines::opa_1_20::OpaEngine;
use crate::properties::runner;

/// Any JSON, with the words that adapters look for as its keys.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-2_i64..70_000).prop_map(Value::from),
        "[a-z/]{0,8}".prop_map(Value::from),
        prop::sample::select(vec![
            "POST",
            "GET",
            "2.0",
            "tools/call",
            "refund_card",
            "small",
            ""
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        let keys = vec![
            "request",
            "http",
            "headers",
            "method",
            "body",
            "parsed_body",
            "params",
            "name",
            "id",
            "jsonrpc",
            "attributes",
            "metadataContext",
            "filterMetadata",
            "stalwart",
            "agent",
            "context",
            "consumer",
            "username",
            "tool",
            "content-type",
            "size",
            "rawBody",
        ];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(
                prop::sample::select(keys).prop_map(str::to_owned),
                inner,
                0..5
            )
            .prop_map(Value::from_iter),
        ]
    })
}

/// One of the usual values mostly, one of the unusual ones sometimes, else anything.
fn mostly(usual: Vec<Value>, unusual: Vec<Value>) -> impl Strategy<Value = Value> {
    prop_oneof![
        12 => prop::sample::select(usual),
        2 => prop::sample::select(unusual),
        1 => any_json(),
    ]
}

fn texts(all: &[&str]) -> Vec<Value> {
    all.iter().copied().map(Value::from).collect()
}

/// A message that may be a call.
fn message() -> impl Strategy<Value = Value> {
    let method = mostly(
        texts(&[
            "tools/call",
            "tools/call",
            "tools/call",
            "tools/list",
            "ping",
        ]),
        texts(&[
            "notifications/initialized",
            "resources/read",
            "TOOLS/CALL",
            "",
        ]),
    );
    let id = mostly(vec![json!(1), json!("a")], vec![json!(null), json!([1])]);
    let version = mostly(texts(&["2.0"]), texts(&["1.0", "2"]));
    let params = mostly(
        vec![
            json!({"name": "refund_card"}),
            json!({"name": "get_order", "arguments": {"a": 1}}),
        ],
        vec![
            json!({}),
            json!([]),
            json!({"name": "x y"}),
            json!({"name": "a", "NAME": "b"}),
        ],
    );
    (version, id, method, params, 0..40_u8).prop_map(|(version, id, method, params, left_out)| {
        let mut message = json!({"jsonrpc": version, "id": id, "method": method, "params": params});
        let members = message.as_object_mut().expect("an object");
        match left_out {
            0 => drop(members.remove("id")),
            1 => drop(members.remove("params")),
            2 => drop(members.remove("jsonrpc")),
            3 => drop(members.insert("result".to_owned(), json!({}))),
            _ => {}
        }
        message
    })
}

/// The text of a message: as it is, damaged, or with a key twice.
fn raw() -> impl Strategy<Value = (Value, String)> {
    (message(), 0..30_u8).prop_map(|(message, damage)| {
        let text = message.to_string();
        let text = match damage {
            0 => format!("[{text}]"),
            1 => text[..text.len() - 1].to_owned(),
            2 => text.replacen('{', r#"{"method":"ping","#, 1),
            3 => text.replace(r#""name":"#, r#""name":"refund_card", "n\u0061me" :"#),
            4 => format!("{text} {text}"),
            5 => format!(" {text}\n"),
            _ => text,
        };
        (message, text)
    })
}

fn headers() -> impl Strategy<Value = Vec<(&'static str, Value)>> {
    let kind = mostly(
        texts(&["application/json"]),
        texts(&["text/plain", "application/json;charset=x"]),
    );
    let rare = prop_oneof![
        20 => Just(None),
        1 => prop::sample::select(vec![
            ("content-encoding", json!("gzip")),
            ("Content-Encoding", json!("identity")),
            ("content-length", json!("0")),
            ("content-length", json!("12")),
            ("mcp-method", json!("tools/call")),
            ("Mcp-Method", json!(["tools/call"])),
            ("mcp-name", json!("refund_card")),
            ("mcp-name", json!("=?base64?cmVmdW5kX2NhcmQ=?=")),
            ("transfer-encoding", json!("chunked")),
            ("x-envoy-auth-partial-body", json!("true")),
        ])
        .prop_map(Some),
    ];
    (kind, rare.clone(), rare).prop_map(|(kind, one, two)| {
        let mut all = vec![("content-type", kind)];
        all.extend(one);
        all.extend(two.filter(|(name, _)| all.iter().all(|(given, _)| given != name)));
        all
    })
}

fn request() -> impl Strategy<Value = Request> {
    let agents = vec![
        Some("small"),
        Some("small"),
        Some("large"),
        Some("unpaid"),
        Some("double"),
        Some("who"),
        None,
    ];
    let vouched = prop_oneof![
        8 => Just(None),
        1 => Just(Some(json!({"context": {"order_paid": true, "amount": 1}}))),
        1 => Just(Some(json!({"agent": "small", "context": {"x": 1}}))),
        1 => any_json().prop_map(Some),
    ];
    let method = prop::sample::select(vec![
        "POST", "POST", "POST", "POST", "POST", "POST", "GET", "DELETE", "PUT",
    ]);
    (
        method,
        headers(),
        raw(),
        prop::sample::select(agents),
        vouched,
        (0..20_u8, message(), any::<bool>()),
    )
        .prop_map(
            |(method, headers, (read, text), agent, vouched, (odd, other, shows_raw))| {
                let has_body = method != "GET" && odd != 0;
                let parsed = match odd {
                    1 => None,
                    2 => Some(other),
                    3 => Some(json!([call("refund_card")])),
                    _ => has_body.then_some(read),
                };
                Request {
                    method,
                    headers,
                    raw: has_body.then_some(text),
                    parsed,
                    shows_raw: shows_raw || odd > 8,
                    agent,
                    vouched,
                }
            },
        )
}

/// An input: of a request, of a request that something was put into, or any JSON.
fn input(one: Adapter) -> impl Strategy<Value = Value> {
    let paths = vec![
        "/request/http/body",
        "/request/http/headers",
        "/request/http/method",
        "/request",
        "/request/http/body_size",
        "/consumer",
        "/attributes/request/http/body",
        "/parsed_body",
        "/truncated_body",
        "/attributes/request/http/headers",
        "/attributes",
    ];
    prop_oneof![
        20 => request().prop_map(move |request| request.input(one)),
        4 => (request(), prop::sample::select(paths), any_json()).prop_map(move |(request, path, value)| {
            let mut input = request.input(one);
            if let Some(place) = input.pointer_mut(path) {
                *place = value;
            }
            input
        }),
        1 => any_json(),
    ]
}

#[test]
fn every_input_has_the_answer_of_the_model() {
    let gate = Gate::new(GATE);
    let server = Opa::find().map(|opa| gate.serve(&opa));
    let engine = OpaEngine::find();
    let mut passed = 0;
    for one in [Adapter::Kong, Adapter::Envoy] {
        let mut runner = runner(1);
        let strategy = input(one);
        let inputs: Vec<Value> = (0..500)
            .map(|_| strategy.new_tree(&mut runner).expect("an input").current())
            .collect();
        let texts: Vec<String> = inputs.iter().map(Value::to_string).collect();
        for known in [Some(document()), None] {
            if let Some(server) = &server {
                put(server, known.as_ref());
            }
            for (silent, package) in BUILDS {
                let newer = engine
                    .as_ref()
                    .map(|engine| gate.engine(engine, known.as_ref(), package, one, &texts));
                for (number, (input, text)) in inputs.iter().zip(&texts).enumerate() {
                    let want = expected(one, silent, &gate.compiled, known.as_ref(), input);
                    passed += usize::from(want.is_ok());
                    if let Some(newer) = &newer {
                        let found = verdict(one, &newer[number]);
                        assert_eq!(found, want, "OPA 1.20, {one:?} {silent:?}: {text}");
                    }
                    if let Some(server) = &server {
                        let found = verdict(one, &ask(server, package, one, text));
                        assert_eq!(found, want, "{one:?} {silent:?}: {text}");
                    }
                }
            }
        }
    }
    assert!(passed > 300, "the inputs are too odd: {passed} pass");
}

#[test]
fn a_service_is_answered_by_the_decision_alone() {
    let gate = Gate::new(GATE);
    let Some(opa) = Opa::find() else { return };
    let server = gate.serve(&opa);
    put(&server, Some(&document()));
    let mut runner = runner(1);
    let context = mostly(
        vec![
            json!({"order_paid": true, "amount": 4}),
            json!({"order_paid": true}),
            json!({}),
        ],
        vec![json!([]), json!(null)],
    );
    let strategy = (
        mostly(texts(&["refund_card", "get_order"]), vec![json!(5)]),
        context,
        0..20_u8,
    )
        .prop_map(|(tool, context, odd)| match odd {
            0 => json!({"tool": tool}),
            1 => json!({"tool": tool, "context": context, "agent": "small"}),
            2 => context,
            _ => json!({"tool": tool, "context": context}),
        });
    for _ in 0..300 {
        let input = strategy.new_tree(&mut runner).expect("an input").current();
        for (silent, package) in BUILDS {
            let answer = ask(&server, package, Adapter::Http, &input.to_string());
            let fits = input.as_object().is_some_and(|members| {
                members.len() == 2
                    && members.get("tool").is_some_and(Value::is_string)
                    && members.get("context").is_some_and(Value::is_object)
            });
            if !fits {
                assert_eq!(
                    verdict(Adapter::Http, &answer),
                    Err("input".to_owned()),
                    "{input}"
                );
                assert_eq!(answer["status"], 400);
                continue;
            }
            let decision = gate.compiled.decide(&input);
            let word = serde_json::to_value(decision.decision).expect("a word");
            let passes = match word.as_str() {
                Some("allow") => true,
                Some("silent") => silent == stalwart::adapters::Silent::Pass,
                _ => false,
            };
            assert_eq!(verdict(Adapter::Http, &answer).is_ok(), passes, "{input}");
            assert_eq!(answer["status"], if passes { 200 } else { 403 });
            assert_eq!(answer["decision"], word);
            assert_eq!(answer["rule"], json!(decision.rule));
        }
    }
}

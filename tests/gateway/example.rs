//! The worked example, in process: two agents of a shop, six calls.

use stalwart::gateway::{Answer, Nobody};

use crate::harness::{Person, Plan, reason};

/// The calls that the server gets: the tool, the arguments as they are written, whether there is
/// an idempotency key.
const RECEIVED: [(&str, &str, bool); 4] = [
    ("get_order", r#"{"order_id": "4411"}"#, false),
    (
        "charge_card",
        r#"{"order_id": "4411", "amount": 40.0}"#,
        true,
    ),
    ("read_inbox", "{}", false),
    (
        "charge_card",
        r#"{"order_id": "4412", "amount": 12.50}"#,
        true,
    ),
];

/// The decisions in the audit log.
const DECIDED: [&str; 6] = [
    "block unknown_tool",
    "allow allow",
    "allow confirmed",
    "allow allow",
    "allow confirmed",
    "block confirmation_unavailable",
];

#[tokio::test]
async fn the_example_runs_in_process() {
    let bench = Plan::default().start().await;
    let gateway = &bench.gateway;
    let desk = gateway.open("desk", true).unwrap();
    let billing = gateway.open("billing", false).unwrap();
    assert_eq!(
        gateway.tool_names(&desk).await,
        ["charge_card", "get_order", "read_inbox", "send_receipt"]
    );
    assert_eq!(gateway.tool_names(&billing).await, ["refund_card"]);

    let person = Person::who_says([Answer::Yes, Answer::Yes]);
    let refund = r#"{"order_id": "4411", "amount": 40.00}"#;
    let calls = [
        (&desk, "refund_card", refund, "unknown_tool"),
        (&desk, "get_order", r#"{"order_id": "4411"}"#, "allow"),
        (
            &desk,
            "charge_card",
            r#"{"order_id": "4411", "amount": 40.0}"#,
            "confirmed",
        ),
        (&desk, "read_inbox", "{}", "allow"),
        (
            &desk,
            "charge_card",
            r#"{"order_id": "4412", "amount": 12.50}"#,
            "confirmed",
        ),
    ];
    for (session, tool, arguments, expected) in calls {
        let reply = gateway.call(session, tool, arguments, &person).await;
        assert_eq!(reason(&reply), expected, "{tool}: {reply:?}");
    }
    let reply = gateway.call(&billing, "refund_card", refund, &Nobody).await;
    assert_eq!(reason(&reply), "confirmation_unavailable");

    assert_eq!(
        person.first_lines(),
        [
            "Run charge_card?",
            "Run charge_card? This call was proposed after reading read_inbox from outside.",
        ]
    );
    let received = bench.server.received.lock().unwrap().clone();
    let got: Vec<(&str, &str, bool)> = received
        .iter()
        .map(|call| (call.tool.as_str(), call.arguments.as_str(), call.has_key))
        .collect();
    assert_eq!(got, RECEIVED);
    assert_eq!(bench.decisions(), DECIDED);
    assert_eq!(bench.outcomes(), ["ok", "ok", "ok", "ok"]);
}

/// The example through sockets: an agent's program, the gateway's process and the shop's server.
async fn through_sockets(era: stalwart::gateway::Era) {
    use stalwart::demo::{Stage, play};
    let stage = Stage::set(None).await.unwrap();
    let mut said = Vec::new();
    play(&stage, era, &mut |line| said.push(line.to_owned()))
        .await
        .unwrap();
    let example: Vec<&str> = said
        .iter()
        .map(String::as_str)
        .take_while(|line| !line.is_empty())
        .collect();
    assert_eq!(
        example,
        [
            "desk sees: charge_card, get_order, read_inbox, send_receipt",
            "billing sees: refund_card",
            "desk refund_card 4411 40.00 -> refused `unknown_tool`",
            "desk get_order 4411 -> ran",
            "desk charge_card 4411 40.0 -> asked `Run charge_card?`, approved, ran",
            "desk read_inbox -> ran",
            "desk charge_card 4412 12.50 -> asked `Run charge_card? This call was proposed after \
             reading read_inbox from outside.`, approved, ran",
            "billing refund_card 4411 40.00 -> refused `confirmation_unavailable`",
        ]
    );
    let received = stage.shop.received();
    let got: Vec<(&str, &str, bool)> = received
        .iter()
        .map(|call| {
            let has_key = call.idempotency_key.is_some();
            (call.tool.as_str(), call.arguments.as_str(), has_key)
        })
        .collect();
    assert_eq!(got, RECEIVED);
    let decisions: Vec<String> = stage
        .gateway
        .audit()
        .iter()
        .map(|line| stalwart::json::parse(line.text.as_bytes()).unwrap())
        .filter(|line| line["kind"] == "decision")
        .map(|line| {
            let word = |key: &str| line[key].as_str().unwrap().to_owned();
            format!("{} {}", word("decision"), word("reason"))
        })
        .collect();
    assert_eq!(decisions, DECIDED);
    stage.clear().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_example_runs_through_sockets_with_sessions() {
    through_sockets(stalwart::gateway::Era::Session).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_example_runs_through_sockets_without_sessions() {
    through_sockets(stalwart::gateway::Era::Stateless).await;
}

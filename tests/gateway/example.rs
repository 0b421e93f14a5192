//! The worked example, in process: two agents of a shop, six calls.

use stalwart::gateway::{Answer, Nobody};

use crate::harness::{Person, Plan, reason};

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
    assert_eq!(
        got,
        [
            ("get_order", r#"{"order_id": "4411"}"#, false),
            (
                "charge_card",
                r#"{"order_id": "4411", "amount": 40.0}"#,
                true
            ),
            ("read_inbox", "{}", false),
            (
                "charge_card",
                r#"{"order_id": "4412", "amount": 12.50}"#,
                true
            ),
        ]
    );
    assert_eq!(
        bench.decisions(),
        [
            "block unknown_tool",
            "allow allow",
            "allow confirmed",
            "allow allow",
            "allow confirmed",
            "block confirmation_unavailable",
        ]
    );
    assert_eq!(bench.outcomes(), ["ok", "ok", "ok", "ok"]);
}

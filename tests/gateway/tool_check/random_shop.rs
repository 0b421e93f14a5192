//! The agents and tools of the random calls.

use std::collections::BTreeMap;

use serde_json::json;
use stalwart::catalogue::{Agent, Catalogue, Tool};

use super::building::{after, at_most, catalogue, read, with_schema, write};

const RULEBOOK: &str = "\
define bot confirm closing
  \"Close the account?\"

define flow closing
  if $owner
    bot confirm closing
    user agree
    execute close_account
  else
    bot ask who owns it

define flow refunds
  if $paid
    execute refund_card(order_id=$order_id)
  else
    bot refuse refund
";

pub const AGENTS: [&str; 2] = ["desk", "billing"];

pub const TOOLS: [&str; 8] = [
    "get_order",
    "read_inbox",
    "charge_card",
    "send_receipt",
    "close_account",
    "wipe",
    "refund_card",
    "no_such_tool",
];

/// What the tools of an agent are, as the tests know them by heart.
pub fn tools_of(agent: &str) -> &'static [&'static str] {
    match agent {
        "desk" => &TOOLS[..6],
        _ => &TOOLS[6..7],
    }
}

pub const WRITES: [&str; 4] = [
    "charge_card",
    "send_receipt",
    "close_account",
    "refund_card",
];

pub fn the_catalogue() -> Catalogue {
    let schema = json!({"properties": {"amount": {"type": "number"}}});
    let declaring = json!({"properties": {"confirmed": {"type": "boolean"}}});
    let mut catalogue = catalogue(
        RULEBOOK,
        &[
            ("get_order", read()),
            (
                "read_inbox",
                Tool {
                    outside: true,
                    ..read()
                },
            ),
            ("charge_card", with_schema(write(), schema)),
            (
                "send_receipt",
                Tool {
                    require_confirmation: false,
                    ..write()
                },
            ),
            (
                "close_account",
                Tool {
                    require_confirmation: false,
                    ..write()
                },
            ),
            ("wipe", with_schema(read(), declaring)),
            ("refund_card", write()),
        ],
    );
    let agent = |name: &str, hand_off: &[&str]| Agent {
        hand_off: hand_off.iter().map(|name| (*name).to_owned()).collect(),
        tools: tools_of(name)
            .iter()
            .map(|name| (*name).to_owned())
            .collect(),
        ..Agent::default()
    };
    catalogue.agents = BTreeMap::from([
        ("desk".to_owned(), agent("desk", &["billing"])),
        ("billing".to_owned(), agent("billing", &[])),
    ]);
    catalogue.order = vec![
        after("send_receipt", "charge_card"),
        at_most("charge_card", 3),
    ];
    catalogue
}

//! The page on the tool check says what the code says.

use std::collections::BTreeSet;

use stalwart::tool_check::{Reason, STEPS, Shown};

use super::building::arguments;

const PAGE: &str = include_str!("../../../docs/tool-check.md");

/// The first cells of a table, whose head begins so.
fn first_cells(head: &str) -> Vec<&'static str> {
    let table = PAGE.split_once(head).expect("the table").1;
    let rows = table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    rows.map(|row| row.split('`').nth(1).expect("a word in backticks"))
        .collect()
}

#[test]
fn the_page_lists_every_reason() {
    let reasons: Vec<&str> = Reason::ALL.into_iter().map(Reason::as_str).collect();
    assert_eq!(first_cells("| reason | meaning |"), reasons);
    let letting_through = Reason::ALL.iter().filter(|reason| reason.allows());
    assert_eq!(letting_through.count(), 5);
    assert!(Reason::ALL[..5].iter().all(|reason| reason.allows()));
}

#[test]
fn the_page_lists_every_step_in_order() {
    let steps: Vec<&str> = STEPS.iter().map(|step| step.as_str()).collect();
    assert_eq!(first_cells("| step | what it holds"), steps);
}

#[test]
fn the_page_shows_a_question_as_it_is() {
    let shown = Shown {
        wordings: Vec::new(),
        confirm: None,
        marks: BTreeSet::from(["read_inbox".to_owned()]),
        digest: String::new(),
        policy: String::new(),
    };
    let text = shown.text(
        "charge_card",
        &arguments(r#"{"order_id":"4412","amount":12.50}"#),
    );
    assert!(PAGE.contains(&format!("```text\n{}\n```", text.unwrap())));
}

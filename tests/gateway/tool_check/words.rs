//! Rulebook meets gateway: every word, for every kind of tool, run and client.

use serde_json::json;
use stalwart::catalogue::{Catalogue, Tool, Ungoverned};
use stalwart::tool_check::Verdict;

use super::building::{Known, Trial, arguments, catalogue, policy, read, word, write};

const RULEBOOK: &str = r#"
define bot confirm urgency
  "Is it\nurgent?"

define bot confirm date
  "Is the date right?"

define bot refuse politely
  "Not here."

define bot ask which folder
  "Which folder?"

define flow allowing
  execute allowed

define flow refusing
  if $never
    execute refused
  else
    bot refuse politely

define flow asking
  bot confirm urgency
  user agree
  execute asked

define flow unfinished
  if $never
    execute unfinished
  else
    bot ask which folder

define flow first of two
  bot confirm urgency
  user agree
  execute twice

define flow second of two
  bot confirm date
  user agree
  bot confirm urgency
  user agree
  execute twice

define flow first half
  bot confirm urgency
  user agree
  execute half

define flow second half
  if $never
    execute half
  else
    bot ask which folder

define flow guarding
  if $tool_name == "guarded"
    bot ask the fraud desk
    stop

define flow undecided
  if $amount > 5
    execute undecided
"#;

const TOOLS: [&str; 9] = [
    "allowed",
    "refused",
    "asked",
    "unfinished",
    "twice",
    "half",
    "guarded",
    "undecided",
    "silent",
];

/// What is expected of: a clean run and a client that can be asked; one that cannot; a marked run
/// and a client that can be asked; one that cannot.
type Row = [&'static str; 4];

const ASKED: Row = [
    "ask",
    "confirmation_unavailable",
    "ask",
    "confirmation_unavailable",
];
const RUN: Row = ["run", "run", "run", "run"];
const WAIVED: Row = ["run", "run", "ask", "confirmation_unavailable"];
const RULEBOOK_REFUSES: Row = ["rulebook"; 4];
const CLARIFY: Row = ["clarify"; 4];

/// Tool, and what is expected of it as a read, as a write, and as a write with
/// `require_confirmation: false`.
const TABLE: [(&str, Row, Row, Row); 9] = [
    ("allowed", RUN, ASKED, WAIVED),
    ("silent", RUN, ASKED, WAIVED),
    (
        "refused",
        RULEBOOK_REFUSES,
        RULEBOOK_REFUSES,
        RULEBOOK_REFUSES,
    ),
    (
        "undecided",
        RULEBOOK_REFUSES,
        RULEBOOK_REFUSES,
        RULEBOOK_REFUSES,
    ),
    ("asked", ASKED, ASKED, ASKED),
    ("twice", ASKED, ASKED, ASKED),
    ("half", CLARIFY, CLARIFY, CLARIFY),
    ("unfinished", CLARIFY, CLARIFY, CLARIFY),
    ("guarded", CLARIFY, CLARIFY, CLARIFY),
];

fn all_as(tool: &Tool) -> Catalogue {
    let tools = TOOLS.map(|name| (name, tool.clone()));
    catalogue(RULEBOOK, &tools)
}

fn waived() -> Tool {
    Tool {
        require_confirmation: false,
        ..write()
    }
}

#[test]
fn every_word_for_every_tool_run_and_client() {
    let mut wrong = Vec::new();
    for (kind, tool) in [read(), write(), waived()].into_iter().enumerate() {
        let policy = policy(all_as(&tool));
        for (name, of_read, of_write, of_waived) in TABLE {
            let row = [of_read, of_write, of_waived][kind];
            for (column, expected) in row.into_iter().enumerate() {
                let mut trial = Trial::of(&policy);
                trial.can_be_asked = column % 2 == 0;
                if column >= 2 {
                    trial.known = Known::marked();
                }
                let verdict = trial.check(name, "{}");
                let marks = match &verdict {
                    Verdict::Allow { marks } => marks,
                    Verdict::Ask(shown) => &shown.marks,
                    Verdict::Block(refusal) => &refusal.marks,
                    Verdict::NeedsContext => panic!("the context is known"),
                };
                assert_eq!(*marks, trial.known.marks);
                let got = word(&verdict);
                if got != expected {
                    wrong.push(format!("{name}, kind {kind}, column {column}: {got}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn questions_are_all_of_all_words_and_no_others() {
    let policy = policy(all_as(&write()));
    let mut trial = Trial::of(&policy);
    let first_line = |trial: &Trial<'_>, tool: &str| match trial.check(tool, "{}") {
        Verdict::Ask(shown) => {
            let text = shown.text(tool, &arguments("{}")).unwrap();
            text.lines().next().unwrap().to_owned()
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(first_line(&trial, "allowed"), "Run allowed?");
    assert_eq!(first_line(&trial, "asked"), "Is it urgent?");
    assert_eq!(
        first_line(&trial, "twice"),
        "Is it urgent? Is the date right? Is it urgent?"
    );
    trial.known = Known::marked();
    assert_eq!(
        first_line(&trial, "asked"),
        "Is it urgent? This call was proposed after reading read_inbox from outside."
    );
}

#[test]
fn refusals_name_the_rule_and_its_wording() {
    let policy = policy(all_as(&write()));
    let trial = Trial::of(&policy);
    for (tool, rule, text) in [
        (
            "refused",
            "refuse politely",
            "the rulebook refuses `refused`: Not here.",
        ),
        (
            "undecided",
            "no_match",
            "the rulebook does not allow `undecided` in this situation",
        ),
        (
            "unfinished",
            "ask which folder",
            "before `unfinished`, the rulebook wants to know what no confirmation can tell it, \
             only the application: Which folder?",
        ),
        (
            "half",
            "ask which folder",
            "before `half`, the rulebook wants to know what no confirmation can tell it, only the \
             application: Which folder?",
        ),
        (
            "guarded",
            "ask the fraud desk",
            "before `guarded`, the rulebook wants to know what no confirmation can tell it, only \
             the application: ask the fraud desk",
        ),
    ] {
        let Verdict::Block(refusal) = trial.check(tool, "{}") else {
            panic!("{tool} is not refused");
        };
        assert_eq!(refusal.rule.as_deref(), Some(rule), "{tool}");
        assert_eq!(refusal.text, text);
    }
}

#[test]
fn a_changed_context_lifts_what_no_yes_can() {
    let policy = policy(all_as(&write()));
    let mut trial = Trial::of(&policy);
    trial.context = json!({"never": true, "amount": 6});
    for tool in ["refused", "unfinished", "undecided"] {
        assert_eq!(word(&trial.check(tool, "{}")), "ask", "{tool}");
    }
}

#[test]
fn an_ungoverned_write_is_refused_where_the_catalogue_says_so() {
    for (tool, expected) in [
        (read(), "run"),
        (write(), "rulebook"),
        (waived(), "rulebook"),
    ] {
        let catalogue = Catalogue {
            ungoverned: Ungoverned::Refuse,
            ..all_as(&tool)
        };
        let policy = policy(catalogue);
        let trial = Trial::of(&policy);
        assert_eq!(word(&trial.check("silent", "{}")), expected);
    }
}

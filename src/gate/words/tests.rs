use serde_json::json;

use super::*;
use crate::evaluator::decide;
use crate::ir::example::{flow_of_arms, maximal, rulebook_of, runs, said_text, says, turn};
use crate::ir::{End, Message, Step, Tool};

fn flow_of_steps(number: usize, kind: FlowKind, end: End, steps: Vec<Step>) -> Flow {
    flow_of_arms(number, kind, Vec::new(), (steps, end))
}

/// A gate with one flow of one branch, and wordings for `a` and `b`.
fn one_branch(kind: FlowKind, end: End, steps: Vec<Step>) -> Gate {
    let mut rulebook = rulebook_of(vec![flow_of_steps(1, kind, end, steps)]);
    let message = |name: &str, wordings: &[&str]| Message {
        name: name.to_owned(),
        wordings: wordings.iter().map(|text| (*text).to_owned()).collect(),
    };
    rulebook.messages = vec![
        message("a", &["First?", "Or so?"]),
        message("ask c", &["Which?"]),
        message("b", &[]),
    ];
    Gate::new(rulebook)
}

fn shown<'a>(words: &'a Words<'_>) -> Vec<(&'a str, &'a str)> {
    let questions = words.questions();
    questions.map(|one| (one.rule, one.wording)).collect()
}

#[test]
fn two_questions_want_two_answers() {
    let steps = vec![
        turn("refund"),
        says("a"),
        turn("yes"),
        says("b"),
        turn("yes"),
        runs("t"),
    ];
    let gate = one_branch(FlowKind::Governing, End::End, steps);
    let words = gate.words(Some("t"), &json!({}));
    assert!(words.is_answerable());
    assert_eq!(shown(&words), [("a", "First?"), ("b", "b")]);
    assert_eq!(
        serde_json::to_value(&words).unwrap(),
        json!({
            "decision": "clarify",
            "rule": "a",
            "words": [{
                "flow": {"id": "f1", "name": "flow 1", "kind": "governing", "line": 1},
                "branch": {"id": "f1_b1", "line": 1},
                "word": "clarify",
                "rule": "a",
                "wording": "First?",
                "answerable": true,
                "questions": [
                    {"rule": "a", "wording": "First?"},
                    {"rule": "b", "wording": "b"},
                ],
            }],
        })
    );
}

#[test]
fn a_question_behind_which_nothing_runs_is_not_answerable() {
    for steps in [
        vec![says("ask c")],
        vec![says("ask c"), turn("yes")],
        vec![says("remark"), says("ask c")],
    ] {
        // Another branch would run the tool, so the flow governs it.
        let flow = flow_of_steps(1, FlowKind::Governing, End::End, steps);
        let mut rulebook = rulebook_of(vec![flow]);
        rulebook.tools = vec![Tool {
            flows: vec!["f1".to_owned()],
            name: "t".to_owned(),
        }];
        rulebook.messages = vec![Message {
            name: "ask c".to_owned(),
            wordings: vec!["Which?".to_owned()],
        }];
        let gate = Gate::new(rulebook);
        let words = gate.words(Some("t"), &json!({}));
        assert_eq!(words.decision.decision, Verdict::Clarify);
        assert!(!words.is_answerable());
        assert_eq!(words.words[0].wording, Some("Which?"));
        assert!(words.words[0].questions.is_empty());
    }
}

#[test]
fn a_guard_s_question_is_not_answerable() {
    let gate = one_branch(FlowKind::Guard, End::Stop, vec![turn("..."), says("ask c")]);
    for tool in [Some("t"), None] {
        let words = gate.words(tool, &json!(null));
        assert_eq!(words.decision.decision, Verdict::Clarify);
        assert_eq!(words.words[0].wording, Some("Which?"));
        assert!(!words.is_answerable());
        assert_eq!(shown(&words), [("", ""); 0]);
    }
}

#[test]
fn one_unanswerable_word_spoils_all() {
    let asks = || vec![says("a"), turn("y"), runs("t")];
    let ask = flow_of_steps(1, FlowKind::Governing, End::End, asks());
    let guard = flow_of_steps(2, FlowKind::Guard, End::Stop, vec![says("ask c")]);
    let both = Gate::new(rulebook_of(vec![ask.clone(), guard]));
    let words = both.words(Some("t"), &json!({}));
    assert_eq!(words.words.len(), 2);
    assert_eq!(words.decision.decision, Verdict::Clarify);
    assert!(!words.is_answerable());
    let twice = Gate::new(rulebook_of(vec![
        ask,
        flow_of_steps(2, FlowKind::Governing, End::End, vec![runs("t")]),
        flow_of_steps(3, FlowKind::Governing, End::End, asks()),
    ]));
    let words = twice.words(Some("t"), &json!({}));
    assert!(words.is_answerable());
    assert_eq!(shown(&words), [("a", "a"), ("a", "a")]);
}

#[test]
fn wordings_of_what_is_not_asked() {
    let word = |kind, end, steps| {
        let gate = one_branch(kind, end, steps);
        let words = gate.words(Some("t"), &json!({}));
        let told = words.words.first().map(|one| {
            let wording = one.wording.map(str::to_owned);
            (one.word, one.rule.to_owned(), wording)
        });
        assert!(!words.is_answerable());
        told
    };
    use WordKind::{Allow, Refuse};
    let governing = FlowKind::Governing;
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(
        word(governing, End::End, vec![runs("t"), says("a")]),
        Some((Allow, String::new(), None))
    );
    let guard = FlowKind::Guard;
    for (steps, want) in [
        (vec![says("b")], Some((Refuse, "b".to_owned(), text("b")))),
        (
            vec![says("a")],
            Some((Refuse, "a".to_owned(), text("First?"))),
        ),
        (
            vec![said_text("No.")],
            Some((Refuse, "refuse".to_owned(), text("No."))),
        ),
        (vec![], Some((Refuse, "stop".to_owned(), None))),
    ] {
        assert_eq!(word(guard, End::Stop, steps), want);
    }
    assert_eq!(word(guard, End::End, vec![says("a")]), None);
}

#[test]
fn an_undecided_flow_has_no_branch() {
    let gate = Gate::new(maximal());
    for context in [json!(null), json!({}), json!({"open": true})] {
        for tool in [
            None,
            Some("refund_card"),
            Some("send/receipt"),
            Some("other"),
        ] {
            let words = gate.words(tool, &context);
            let input = json!({"tool": tool, "context": context});
            assert_eq!(words.decision, decide(gate.rulebook(), &input));
        }
    }
    let words = gate.words(None::<&str>, &json!({}));
    assert_eq!(words.words.len(), 1);
    assert_eq!(words.words[0].branch, None);
    assert_eq!(words.words[0].rule, "no_match");
    assert_eq!(words.words[0].wording, None);
}

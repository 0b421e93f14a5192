//! The tree of a picture leads where the evaluator goes.

use std::collections::BTreeSet;

use proptest::test_runner::TestCaseError;
use stalwart::evaluator::{Call, Truth, branch_taken, truth, words};
use stalwart::graph::{Ending, FlowGraph, Graph, Kind, Node, Selection};
use stalwart::ir::Word;

use crate::properties::over_rulebooks;

/// Each branch has an end in the whole tree, in order; and in the folded one, an end or a
/// reference.
pub fn every_branch_is_there_once(graph: &Graph<'_>) -> Result<(), String> {
    for flow in graph.speaking() {
        let ends: Vec<&str> = flow.endings().map(|it| it.branch.id.as_str()).collect();
        let branches: Vec<&str> = flow.flow.branches.iter().map(|it| it.id.as_str()).collect();
        if ends != branches {
            return Err(format!("{}: {ends:?} are not {branches:?}", flow.flow.id));
        }
        let mut folded: Vec<&str> = Vec::new();
        for (at, node) in flow.folded.iter().enumerate() {
            match node {
                Node::Question { .. } => {}
                Node::Ending(ending) => folded.push(&ending.branch.id),
                Node::Repeat { of, branches } => {
                    if *of >= at || !matches!(flow.folded[*of], Node::Question { .. }) {
                        return Err(format!("{}: a reference to {of}", flow.flow.id));
                    }
                    folded.extend(branches.iter().map(|branch| branch.id.as_str()));
                }
            }
        }
        if folded != branches {
            return Err(format!("{}: {folded:?} are not {branches:?}", flow.flow.id));
        }
        let reached: BTreeSet<usize> = flow
            .folded
            .iter()
            .filter_map(|node| match node {
                Node::Question { yes, no, .. } => Some([Some(*yes), *no]),
                _ => None,
            })
            .flatten()
            .flatten()
            .collect();
        if reached != (1..flow.folded.len()).collect() {
            return Err(format!("{}: a node that nothing leads to", flow.flow.id));
        }
    }
    Ok(())
}

/// The end that a call comes to; none where it is undecided.
fn walk<'n, 'a>(nodes: &'n [Node<'a>], call: &Call<'_>) -> Option<&'n Ending<'a>> {
    let mut at = 0;
    loop {
        at = match &nodes[at] {
            Node::Ending(ending) => return Some(ending),
            Node::Repeat { of, .. } => *of,
            Node::Question { arm, yes, no } => match truth(&arm.condition, call) {
                Truth::True => *yes,
                Truth::False => no.expect("a way past the condition"),
                Truth::Unknown => return None,
            },
        };
    }
}

fn kind(word: Word<'_>) -> Kind {
    match word {
        Word::Allow => Kind::Allow,
        Word::Clarify(_) => Kind::Clarify,
        Word::Refuse(_) => Kind::Refuse,
        Word::NoMatch => Kind::NoWord,
    }
}

/// The kind and the rule that a picture shows at an end for a tool.
fn shown<'e>(flow: &FlowGraph<'_>, ending: &'e Ending<'_>, tool: &str) -> (Kind, &'e str) {
    let about: Vec<_> = ending
        .outcomes
        .iter()
        .filter(|outcome| outcome.tools.is_empty() || outcome.tools.contains(&tool))
        .collect();
    assert_eq!(about.len(), 1, "{}: one word on {tool}", flow.flow.id);
    (about[0].kind, about[0].rule)
}

#[test]
fn pictures_lead_where_the_evaluator_goes() {
    over_rulebooks(200, 24, |_, compiled, calls| {
        let graph = Graph::of(&compiled.rulebook, Selection::Whole);
        for input in calls {
            let input = input.value();
            let call = Call::from_input(&input);
            let words = words(&compiled.rulebook, &call);
            for flow in graph.speaking() {
                let taken = branch_taken(flow.flow, &call);
                let ending = walk(&flow.nodes, &call);
                let folded = walk(&flow.folded, &call);
                if ending.map(|it| &it.branch.id) != taken.map(|it| &it.id) {
                    return Err(TestCaseError::fail(format!("{}: {input}", flow.flow.id)));
                }
                if ending.map(|it| &it.outcomes) != folded.map(|it| &it.outcomes) {
                    return Err(TestCaseError::fail(format!("folded {}", flow.flow.id)));
                }
                let Some(tool) = call.tool() else {
                    continue;
                };
                let word = words.iter().find(|word| word.flow.id == flow.flow.id);
                if word.is_some() && !flow.speaks_on(tool) {
                    return Err(TestCaseError::fail(format!("{} on {tool}", flow.flow.id)));
                }
                let Some(ending) = folded else {
                    continue;
                };
                let expected = match word {
                    Some(word) => (kind(word.word), word.word.rule()),
                    None if flow.is_guard() => (Kind::Passes, ""),
                    None => continue,
                };
                let got = shown(flow, ending, tool);
                if got != expected {
                    return Err(TestCaseError::fail(format!("{got:?}, not {expected:?}")));
                }
            }
        }
        Ok(())
    });
}

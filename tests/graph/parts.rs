//! What is drawn: which guards speak on a tool, what is referred to, what a part leaves out.

use stalwart::graph::{Graph, Kind, Node, Selection};
use stalwart::ir::Rulebook;

use crate::compiled::must_compile;

fn rulebook(text: &str) -> Rulebook {
    must_compile(text.as_bytes(), "suite.graph").rulebook
}

#[test]
fn a_guard_speaks_where_its_conditions_let_it() {
    for (conditions, named, others) in [
        ("if $a\n    stop", vec![], true),
        ("if $tool_name == \"x\"\n    stop", vec![("x", true)], false),
        ("if $tool_name != \"x\"\n    stop", vec![("x", false)], true),
        (
            "if $tool_name in [\"x\", \"y\"] and $a == 1\n    stop",
            vec![("x", true), ("y", true)],
            false,
        ),
        // Where the value of `$a` is missing the guard is undecided, and refuses.
        (
            "if $tool_name == \"x\" or $a == 1\n    bot note\n  else\n    stop",
            vec![("x", false)],
            true,
        ),
        (
            "if $tool_name == \"x\"\n    return\n  if $tool_name == \"y\" and False\n    stop",
            vec![("x", false), ("y", false)],
            false,
        ),
        (
            "if $tool_name == \"x\"\n    return\n  if not $a or $tool_name in [\"x\", \"y\"]\n    stop",
            vec![("x", false), ("y", true)],
            true,
        ),
    ] {
        let rulebook = rulebook(&format!("define flow guard\n  {conditions}\n"));
        let graph = Graph::of(&rulebook, Selection::Whole);
        let [guard] = graph.guards.as_slice() else {
            panic!("no guard: {conditions}");
        };
        let scope = guard.scope.as_ref().unwrap();
        let found: Vec<_> = scope.named.iter().map(|(name, it)| (*name, *it)).collect();
        assert_eq!((found, scope.others), (named, others), "{conditions}");
        assert_eq!(guard.speaks_on("another"), others, "{conditions}");
    }
}

#[test]
fn what_repeats_is_referred_to() {
    let rulebook = rulebook(
        "define flow f\n  if $a\n    bot note\n  else if $b\n    stop\n  if $c\n    bot refuse c\n    stop\n  if $d\n    execute t\n  else\n    bot ask d\n",
    );
    let graph = Graph::of(&rulebook, Selection::Whole);
    let [flow] = graph.governing.as_slice() else {
        panic!("no flow");
    };
    assert_eq!(flow.endings().count(), 7);
    let repeats: Vec<_> = flow
        .folded
        .iter()
        .filter_map(|node| match node {
            Node::Repeat { of, branches } => {
                let ids = branches.iter().map(|branch| branch.id.as_str());
                Some((*of, ids.collect::<Vec<_>>()))
            }
            _ => None,
        })
        .collect();
    assert_eq!(repeats, [(1, vec!["f1_b5", "f1_b6", "f1_b7"])]);
}

#[test]
fn a_part_has_only_what_belongs_to_it() {
    let rulebook = rulebook(
        "define flow guard\n  if $tool_name == \"x\"\n    stop\n\ndefine flow f\n  execute x\n  if $a\n    execute y\n\ndefine flow talk\n  user hi\n  bot hi\n",
    );
    let names = |graph: &Graph<'_>| -> Vec<String> {
        let flows = graph.speaking().map(|flow| flow.flow);
        let flows = flows.chain(graph.dialogue.iter().copied());
        flows.map(|flow| flow.name.clone()).collect()
    };
    assert_eq!(Graph::tool_names(&rulebook), ["x", "y"]);
    let whole = Graph::of(&rulebook, Selection::Whole);
    assert_eq!(names(&whole), ["guard", "f", "talk"]);
    let x = Graph::of(&rulebook, Selection::Tool("x"));
    assert_eq!(names(&x), ["guard", "f"]);
    assert_eq!(x.governing[0].tools, ["x"]);
    let kinds: Vec<_> = x.governing[0]
        .endings()
        .map(|ending| (ending.outcomes.len(), ending.outcomes[0].kind))
        .collect();
    assert_eq!(kinds, [(1, Kind::Allow), (1, Kind::Allow)]);
    let y = Graph::of(&rulebook, Selection::Tool("y"));
    assert_eq!(names(&y), ["f"]);
    let kinds: Vec<_> = y.governing[0]
        .endings()
        .map(|it| it.outcomes[0].kind)
        .collect();
    assert_eq!(kinds, [Kind::Allow, Kind::NoWord]);
    assert_eq!(
        names(&Graph::of(&rulebook, Selection::Flow("talk"))),
        ["talk"]
    );
    assert_eq!(names(&Graph::of(&rulebook, Selection::Tool("z"))), [""; 0]);
}

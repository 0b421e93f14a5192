//! What `diff` finds is what comparing the decisions of all points finds: each edited fixture and
//! random pairs, context by context.

mod edits;

use std::cell::Cell;

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use serde_json::{Map, Value, json};
use stalwart::decision_space::Space;
use stalwart::diff::{Change, Deny, Difference, Extent, Kind, Options, compare};
use stalwart::evaluator::{Call, Verdict};
use stalwart::ir::Rulebook;
use stalwart::regions::Atlas;

use crate::compiled::{Compiled, compile, files, must_compile, root};
use crate::generator::rulebooks;
use crate::properties::runner;
use crate::regions::{contexts, decided, size};
use edits::edits;

/// The edits of each fixture.
const EDITS: usize = 10;

/// Contexts in which what is lacking is there, and of a kind that no leaf asks for.
fn odd(space: &Space, context: &Map<String, Value>, seed: usize) -> Map<String, Value> {
    let mut odd = context.clone();
    let values = [json!(null), json!([true]), json!({}), json!([])];
    for (at, (name, _)) in space.iter().enumerate() {
        let [only] = name.as_slice() else {
            continue;
        };
        let is_parent = odd.contains_key(only) || (at + seed).is_multiple_of(3);
        if !is_parent {
            odd.insert(only.clone(), values[(at * 7 + seed) % values.len()].clone());
        }
    }
    odd
}

/// The change whose condition holds in a context; none when there is none.
fn change_at<'d>(
    changes: &'d [Change],
    call: &Call<'_>,
) -> Result<Option<&'d Change>, TestCaseError> {
    let holds = |change: &&Change| {
        let terms = change
            .terms
            .as_ref()
            .expect("an exact change has a condition");
        terms.iter().all(|term| term.holds(call))
    };
    let mut found = changes.iter().filter(holds);
    let (first, second) = (found.next(), found.next());
    prop_assert!(second.is_none(), "{call:?} in {first:?} and {second:?}");
    Ok(first)
}

/// Holds a difference to the evaluator at the points of the union of both spaces. The number of
/// points at which the decision changed.
fn holds(
    old: &Rulebook,
    new: &Rulebook,
    found: &Difference,
    most: u128,
) -> Result<usize, TestCaseError> {
    let mut changed = 0;
    for tool in &found.tools {
        prop_assert_eq!(tool.extent, Extent::Exact);
        let atlas = Atlas::new(&[old, new], tool.called.clone());
        let contexts = contexts(atlas.space(), most);
        let is_whole = Some(contexts.len() as u128) == atlas.space().points();
        let mut smallest: Vec<Option<(usize, usize, String)>> = vec![None; tool.changes.len()];
        for (seed, context) in contexts.iter().enumerate() {
            for context in [context.clone(), odd(atlas.space(), context, seed)] {
                let call = Call::new(tool.called.name(), &context);
                let both = [old, new].map(|rulebook| decided(rulebook, &tool.called, &context));
                let change = change_at(&tool.changes, &call)?;
                let told = change.map(|change| [change.old.clone(), change.new.clone()]);
                let differ = both[0] != both[1];
                changed += usize::from(differ);
                let wanted = differ.then_some(both);
                prop_assert_eq!(told, wanted, "{:?} {:?}", &tool.called, &context);
                if let Some(change) = change {
                    let at = tool.changes.iter().position(|other| other == change);
                    let place = &mut smallest[at.expect("one of them")];
                    let size = size(&context);
                    if place.as_ref().is_none_or(|known| size < *known) {
                        *place = Some(size);
                    }
                }
            }
        }
        for (change, smallest) in tool.changes.iter().zip(smallest) {
            let call = Call::new(tool.called.name(), &change.example);
            let terms = change.terms.as_ref().expect("a condition");
            prop_assert!(terms.iter().all(|term| term.holds(&call)), "{change:?}");
            let example = Some(size(&change.example));
            if is_whole {
                prop_assert_eq!(smallest, example, "{:?}", change);
            } else {
                prop_assert!(smallest.is_none() || example <= smallest);
            }
            prop_assert_eq!(change.kind, Kind::of(&change.old, &change.new));
            let allows = change.new.decision == Verdict::Allow;
            prop_assert!(!allows || change.kind == Kind::Widening);
        }
    }
    Ok(changed)
}

fn is_tried(path: &std::path::Path) -> bool {
    let own = path.strip_prefix(root().join("fixtures")).expect("below");
    !own.starts_with("diagnostics")
}

#[test]
fn ten_edits_of_each_fixture_are_found_context_by_context() {
    let mut seen: Vec<Kind> = Vec::new();
    for path in files("fixtures", "co")
        .into_iter()
        .filter(|path| is_tried(path))
    {
        let text = std::fs::read_to_string(&path).expect("a fixture");
        let old = must_compile(text.as_bytes(), "suite.diff");
        let (mut tried, mut effective) = (0, 0);
        // Where a text has few places to edit, some are edited twice.
        let once = edits(&text, &old.rulebook);
        let twice = once.iter().flat_map(|(_, text)| edits(text, &old.rulebook));
        for (name, edited) in once.iter().cloned().chain(twice) {
            let Ok(new) = compile(edited.as_bytes(), "suite.diff") else {
                continue;
            };
            let found = compare(&old.rulebook, &new.rulebook, &Options::default());
            let result = holds(&old.rulebook, &new.rulebook, &found, 1_500);
            let changed =
                result.unwrap_or_else(|error| panic!("{} {name}: {error}", path.display()));
            let changes = found.tools.iter().flat_map(|tool| &tool.changes);
            seen.extend(changes.map(|change| change.kind));
            tried += 1;
            // An edit without an effect tests less.
            effective += usize::from(changed > 0);
            if effective == EDITS {
                break;
            }
        }
        assert!(tried >= EDITS, "{}: {tried} edits", path.display());
        assert!(
            effective * 2 >= EDITS,
            "{}: {effective} edits",
            path.display()
        );
    }
    for kind in Kind::ALL {
        assert!(seen.contains(&kind), "no {kind:?}");
    }
}

#[test]
fn random_pairs_are_compared_context_by_context() {
    let changed = Cell::new(0);
    runner(12)
        .run(&(rulebooks(), rulebooks()), |(one, other)| {
            let compiled = [one, other].map(|model| compile(model.source().as_bytes(), "suite.p0"));
            let [Ok(old), Ok(new)] = compiled else {
                return Ok(());
            };
            let (Compiled { rulebook: old, .. }, Compiled { rulebook: new, .. }) = (old, new);
            let found = compare(&old, &new, &Options::default());
            changed.set(changed.get() + holds(&old, &new, &found, 30)?);
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(changed.get() > 300, "{}", changed.get());
}

#[test]
fn a_rulebook_decides_as_itself() {
    for path in files("fixtures", "co")
        .into_iter()
        .filter(|path| is_tried(path))
    {
        let text = std::fs::read(&path).expect("a fixture");
        let compiled = must_compile(&text, "suite.diff");
        let moved = [b"# moved\n\n".as_slice(), &text].concat();
        let moved = must_compile(&moved, "suite.diff");
        let found = compare(&compiled.rulebook, &moved.rulebook, &Options::default());
        assert_eq!(found.changed().count(), 0, "{}", path.display());
        assert!(found.wordings.is_empty() && found.names.is_empty());
    }
}

#[test]
fn a_name_of_one_version_may_be_the_parent_of_one_of_the_other() {
    let old = "define flow f\n  if $a and $c\n    execute t\n  else\n    bot refuse\n";
    let new = "define flow f\n  if $a.b == 1 or $c\n    execute t\n  else\n    bot refuse other\n";
    let [old, new] = [old, new].map(|text| must_compile(text.as_bytes(), "suite.diff").rulebook);
    let found = compare(&old, &new, &Options::default());
    let tool = &found.tools[0];
    assert_eq!(tool.extent, Extent::Exact);
    let values = [
        json!(true),
        json!({"b": 1}),
        json!({"b": 2}),
        json!({}),
        json!(null),
    ];
    let mut changed = 0;
    for a in &values {
        for c in [json!(true), json!(false)] {
            let context = json!({"a": a, "c": c});
            let context = context.as_object().expect("an object");
            let both = [&old, &new].map(|rulebook| decided(rulebook, &tool.called, context));
            let call = Call::new(tool.called.name(), context);
            let change = change_at(&tool.changes, &call).expect("one");
            let told = change.map(|change| [change.old.clone(), change.new.clone()]);
            changed += usize::from(both[0] != both[1]);
            assert_eq!(told, (both[0] != both[1]).then_some(both), "{context:?}");
        }
    }
    assert!(changed > 4, "{changed}");
    for change in &tool.changes {
        let both = [&old, &new].map(|one| decided(one, &tool.called, &change.example));
        assert_eq!(both, [change.old.clone(), change.new.clone()]);
    }
}

#[test]
fn what_passes_the_bounds_is_sampled_and_denied() {
    let text = std::fs::read_to_string(root().join("fixtures/bank/transfers.co")).expect("a text");
    let old = must_compile(text.as_bytes(), "suite.diff").rulebook;
    let edited = text.replace("$amount <= 250.50", "$amount <= 300");
    let new = must_compile(edited.as_bytes(), "suite.diff").rulebook;
    let options = Options {
        steps: Some(200),
        ..Options::default()
    };
    let found = compare(&old, &new, &options);
    assert!(!found.is_exact());
    let tool = found.changed().next().expect("the tool that was edited");
    assert!(matches!(tool.extent, Extent::Sampled(compared) if compared > 10));
    // Pairs of branches find the change all the same, and what is told is so.
    assert!(!tool.changes.is_empty());
    for change in &tool.changes {
        assert_eq!(change.terms, None);
        let both = [&old, &new].map(|one| decided(one, &tool.called, &change.example));
        assert_eq!(both, [change.old.clone(), change.new.clone()]);
    }
    // Nothing was widened as far as is known, and that cannot be excluded.
    assert_eq!(found.count(Kind::Widening), 0);
    assert!(found.is_denied(Deny::Widening));
    assert!(!compare(&old, &old, &options).is_denied(Deny::Changes));
    assert!(!compare(&old, &new, &Options::default()).is_denied(Deny::Widening));
}

//! Regions against plain enumeration of the classes' product: every point lies in exactly one,
//! with the decision that the evaluator gives, and the example of each is its smallest context.

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use serde_json::{Map, Value};
use stalwart::decision_space::{Called, Space, Witness};
use stalwart::evaluator::{Call, Decision, combine, words};
use stalwart::ir::Rulebook;
use stalwart::regions::{Atlas, Place, Region, Term};

use crate::compiled::{files, must_compile, root};
use crate::properties::over_rulebooks;

/// Contexts of a space: the smallest member of a class of each name. At most so many, of larger
/// spaces some that are spread over them.
pub fn contexts(space: &Space, most: u128) -> Vec<Map<String, Value>> {
    let points = space.points().unwrap_or(u128::MAX);
    (0..points.min(most))
        .map(|number| {
            // A stride without a factor in common with most products.
            let mut rest = if points <= most {
                number
            } else {
                number.wrapping_mul(1_000_000_007 * 7_368_787) % points
            };
            let mut point = Vec::new();
            for (_, classes) in space.iter() {
                let count = u128::from(classes.len());
                point.push(u32::try_from(rest % count).expect("a class"));
                rest /= count;
            }
            space.witness(&point).context
        })
        .collect()
}

/// What the evaluator decides.
pub fn decided(rulebook: &Rulebook, called: &Called, context: &Map<String, Value>) -> Decision {
    let words = words(rulebook, &Call::new(called.name(), context));
    combine(words.iter().map(|said| said.word))
}

/// The order of smallness: fewest names, then fewest characters, then byte order.
pub fn size(context: &Map<String, Value>) -> (usize, usize, String) {
    let witness = Witness {
        tool: None,
        context: context.clone(),
    };
    let text = Value::Object(context.clone()).to_string();
    (witness.names_present(), text.chars().count(), text)
}

/// The one region that a context lies in; none when it lies in none.
pub fn region_of<'l, L: std::fmt::Debug>(
    atlas: &Atlas<'_>,
    regions: &'l [Region<L>],
    context: &Map<String, Value>,
) -> Result<Option<&'l Region<L>>, TestCaseError> {
    let mut found = regions
        .iter()
        .filter(|region| atlas.contains(region, context));
    let (first, second) = (found.next(), found.next());
    prop_assert!(second.is_none(), "{context:?} in {first:?} and {second:?}");
    Ok(first)
}

/// Every point is in one region, and each region's example is the smallest of its points.
pub fn cut_well<L: std::fmt::Debug>(
    atlas: &Atlas<'_>,
    regions: &[Region<L>],
    contexts: &[Map<String, Value>],
) -> Result<(), TestCaseError> {
    for region in regions {
        prop_assert!(atlas.contains(region, &region.example), "{region:?}");
        let inside = contexts
            .iter()
            .filter(|context| atlas.contains(region, context));
        let smallest = inside.map(size).min();
        let example = size(&region.example);
        if contexts.len() as u128 == atlas.space().points().unwrap_or(0) {
            prop_assert_eq!(smallest, Some(example));
        } else {
            prop_assert!(smallest.is_none_or(|smallest| example <= smallest));
        }
    }
    Ok(())
}

fn decisions_hold(rulebook: &Rulebook, most: u128) -> Result<(), TestCaseError> {
    for called in Called::all(&[rulebook], []) {
        let atlas = Atlas::new(&[rulebook], called.clone());
        let found = atlas.decisions().expect("few steps");
        prop_assert!(found.is_complete);
        let contexts = contexts(atlas.space(), most);
        cut_well(&atlas, &found.regions, &contexts)?;
        for context in &contexts {
            let Some(region) = region_of(&atlas, &found.regions, context)? else {
                return Err(TestCaseError::fail(format!("{context:?} is in no region")));
            };
            let label = &region.label;
            prop_assert_eq!(&label.decision, &decided(rulebook, &called, context));
            let place = Place::of(rulebook, &called, context);
            prop_assert_eq!(
                label.is_undecided,
                place.as_ref().is_some_and(|place| place.is_undecided)
            );
            let same = |known: &Place| {
                place.as_ref().is_some_and(|place| {
                    place.flow == known.flow && (place.is_undecided || place.line == known.line)
                })
            };
            prop_assert!(
                label.places.iter().any(same) || (place.is_none() && label.places.is_empty()),
                "{place:?} is none of {:?}",
                label.places
            );
        }
    }
    Ok(())
}

#[test]
fn every_point_of_a_fixture_lies_in_one_region() {
    for path in files("fixtures", "co") {
        if path.starts_with(root().join("fixtures/diagnostics")) {
            continue;
        }
        let compiled = must_compile(&std::fs::read(&path).unwrap(), "suite.regions");
        decisions_hold(&compiled.rulebook, 4_000)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

#[test]
fn every_point_of_a_random_rulebook_lies_in_one_region() {
    over_rulebooks(60, 0, |_, compiled, _| {
        decisions_hold(&compiled.rulebook, 300)
    });
}

/// The conditions of the regions of `t`, and their cells.
fn conditions(text: &str) -> Vec<(String, Vec<String>)> {
    let compiled = must_compile(text.as_bytes(), "suite.regions");
    let atlas = Atlas::new(&[&compiled.rulebook], Called::Tool("t".to_owned()));
    let found = atlas.decisions().expect("few steps");
    let cells = |region: &Region<_>| region.terms.iter().map(Term::cell).collect();
    let regions = found.regions.iter();
    regions
        .map(|region| (region.condition().unwrap_or_default(), cells(region)))
        .collect()
}

#[test]
fn limits_are_written_as_in_a_rulebook_or_in_words() {
    for (condition, wanted) in [
        ("$a", vec![("$a", "true"), ("not $a", "not true")]),
        (
            "$a == False",
            vec![
                ("$a == False", "false"),
                ("$a", "true"),
                ("$a is absent or no boolean", "absent or no boolean"),
            ],
        ),
        (
            "$n > 1 and $n <= 2.5",
            vec![
                ("$n > 1 and $n <= 2.5", "> 1 and <= 2.5"),
                ("$n <= 1 or $n > 2.5", "<= 1 or > 2.5"),
                ("$n is absent or no number", "absent or no number"),
            ],
        ),
        (
            "$n in [1, 2]",
            vec![
                ("$n in [1, 2]", "one of 1, 2"),
                ("$n not in [1, 2]", "none of 1, 2"),
                ("$n is absent or no number", "absent or no number"),
            ],
        ),
        (
            "$s.t != \"x\"",
            vec![
                ("$s.t != \"x\"", "not \"x\""),
                ("$s.t == \"x\"", "\"x\""),
                ("$s.t is absent or no string", "absent or no string"),
            ],
        ),
    ] {
        let text =
            format!("define flow f\n  if {condition}\n    execute t\n  else\n    bot refuse\n");
        let found = conditions(&text);
        let wanted: Vec<_> = wanted
            .into_iter()
            .map(|(condition, cell)| (condition.to_owned(), vec![cell.to_owned()]))
            .collect();
        assert_eq!(found, wanted, "{condition}");
    }
    // Of two names, what has several parts is in parentheses.
    let text =
        "define flow f\n  if $a and ($n < 1 or $n > 2)\n    execute t\n  else\n    bot refuse\n";
    assert_eq!(conditions(text)[0].0, "$a and ($n < 1 or $n > 2)");
}

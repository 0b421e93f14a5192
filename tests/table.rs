//! Decision tables: every context is in exactly one row, which says what the evaluator decides.

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use stalwart::decision_space::Called;
use stalwart::evaluator::Call;
use stalwart::ir::Rulebook;
use stalwart::regions::Atlas;
use stalwart::table::{Row, table};

use crate::compiled::{files, must_compile, root};
use crate::properties::over_rulebooks;
use crate::regions::{contexts, decided};

fn rows_hold(rulebook: &Rulebook, most: u128) -> Result<(), TestCaseError> {
    for called in Called::all(&[rulebook], []) {
        let found = table(rulebook, called.clone()).expect("a table");
        prop_assert!(found.is_complete);
        for (at, name) in found.columns.iter().enumerate() {
            let is_used = found.rows.iter().any(|row| row.cells[at].is_some());
            prop_assert!(is_used, "nothing depends on {name:?}");
        }
        let atlas = Atlas::new(&[rulebook], called.clone());
        for context in contexts(atlas.space(), most) {
            let call = Call::new(called.name(), &context);
            let holds = |row: &&Row| row.cells.iter().flatten().all(|term| term.holds(&call));
            let rows: Vec<&Row> = found.rows.iter().filter(holds).collect();
            let [row] = rows.as_slice() else {
                return Err(TestCaseError::fail(format!("{context:?} is in {rows:?}")));
            };
            prop_assert_eq!(&row.decision, &decided(rulebook, &called, &context));
        }
    }
    Ok(())
}

#[test]
fn every_context_of_a_fixture_is_in_one_row() {
    for path in files("fixtures", "co") {
        if path.starts_with(root().join("fixtures/diagnostics")) {
            continue;
        }
        let compiled = must_compile(&std::fs::read(&path).unwrap(), "suite.table");
        rows_hold(&compiled.rulebook, 1_000)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

#[test]
fn every_context_of_a_random_rulebook_is_in_one_row() {
    over_rulebooks(8, 0, |_, compiled, _| rows_hold(&compiled.rulebook, 60));
}

#[test]
fn rows_stand_as_the_source_does_with_guards_first() {
    let text = std::fs::read(root().join("fixtures/bank/transfers.co")).unwrap();
    let rulebook = must_compile(&text, "suite.table").rulebook;
    let found = table(&rulebook, Called::Tool("close_account".to_owned())).expect("a table");
    let lines: Vec<Vec<usize>> = found.rows.iter().map(Row::lines).collect();
    assert_eq!(
        lines,
        [[51], [52], [58], [112], [114], [118], [120], [112], [114]]
    );
    let undecided: Vec<bool> = found.rows.iter().map(|row| row.is_undecided).collect();
    assert_eq!(
        undecided,
        [false, true, false, false, false, false, false, true, true]
    );
    assert_eq!(
        found.rows[0].message,
        "This account is frozen. Please call the fraud desk."
    );
}

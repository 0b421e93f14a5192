//! `Rulebook_test.rego`: tests for `opa test`, so that any user of Open Policy Agent can check the
//! package again without us. One test for each branch and each boundary of a condition.
//!
//! Data flows one way: a `scene` holds the flows that speak on a tool and finds the smallest call
//! for what is wanted of them, a `plan` says which calls are wanted, `unreached` names the rules
//! of the package that they leave out, `rego` writes them. What a test expects is the evaluator's
//! decision, never the package's.

mod cases;
mod order;
mod parts;
mod plan;
mod rego;
mod samples;
mod scene;
mod unreached;

use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::artifacts::ARTIFACT_TOO_LARGE;
use crate::emitter::Companion;
use crate::ir::Rulebook;
use crate::ir::limits::MAX_ARTIFACT_BYTES;
use crate::provenance::Header;

/// File name of the tests.
pub const TESTS_FILE: &str = "Rulebook_test.rego";

/// Writes the tests of a rulebook. The same rulebook and header give the same bytes.
///
/// # Errors
/// More bytes than an artifact may have; what keeps the package from being emitted.
pub fn tests(rulebook: &Rulebook, header: &Header) -> Result<Companion, Diagnostic> {
    let mut text = header.facts();
    let plan = plan::plan(rulebook);
    let unreached = unreached::unreached(rulebook, header, &plan.cases, &plan.branches)?;
    text.push_str(&rego::module(rulebook, &plan, &unreached));
    if text.len() > MAX_ARTIFACT_BYTES {
        return Err(Diagnostic::without_place(
            &ARTIFACT_TOO_LARGE,
            format!("`{TESTS_FILE}` would have more than {MAX_ARTIFACT_BYTES} bytes"),
        )
        .with_help("split the rulebook into several files, or emit without `--with-tests`"));
    }
    Ok(Companion {
        file: TESTS_FILE.to_owned(),
        text,
    })
}

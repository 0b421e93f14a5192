//! Findings that end a command with "no" though they are no errors: all warnings, or those of a
//! code (contract section 5).

use super::{Code, Diagnostic, Severity, codes};
use crate::text::{did_you_mean, quoted};

/// What is denied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deny {
    /// Every warning.
    Warnings,
    /// Every finding of a code that is a warning or a note.
    Code(&'static Code),
}

impl Deny {
    /// Reads `warnings`, or the id of a code; case does not matter.
    ///
    /// # Errors
    /// Says what is wrong with the word, and, where that can be guessed, what was meant.
    pub fn parse(word: &str) -> Result<Self, DenyError> {
        if word.eq_ignore_ascii_case(WARNINGS) {
            return Ok(Self::Warnings);
        }
        match codes::find(word) {
            Some(code) if code.severity == Severity::Error => Err(DenyError {
                message: format!("`{}` is an error, which is never let pass", code.id),
                help: Some("leave it out".to_owned()),
            }),
            Some(code) => Ok(Self::Code(code)),
            None => Err(DenyError::unknown(word)),
        }
    }

    /// Whether it covers a finding.
    pub fn covers(self, diagnostic: &Diagnostic) -> bool {
        match self {
            Self::Warnings => diagnostic.severity() == Severity::Warning,
            Self::Code(code) => diagnostic.code.id == code.id,
        }
    }

    /// Says what is denied: `warnings are denied`, `RB0401 is denied`.
    pub fn words(self) -> String {
        match self {
            Self::Warnings => "warnings are denied".to_owned(),
            Self::Code(code) => format!("{} is denied", code.id),
        }
    }
}

/// The word for all warnings.
const WARNINGS: &str = "warnings";

/// Why a word denies nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DenyError {
    /// What is wrong.
    pub message: String,
    /// What to write instead, where that can be said.
    pub help: Option<String>,
}

impl DenyError {
    fn unknown(word: &str) -> Self {
        let upper = word.to_ascii_uppercase();
        let deniable = codes::all()
            .filter(|code| code.severity != Severity::Error)
            .map(|code| code.id);
        let near = did_you_mean(&word.to_ascii_lowercase(), [WARNINGS])
            .or_else(|| did_you_mean(&upper, deniable));
        Self {
            message: format!("{} is neither `warnings` nor a code", quoted(word)),
            help: near.map(|near| format!("did you mean `{near}`?")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::codes::analyses::FAILS_OPEN;
    use crate::diagnostics::codes::text::UNREADABLE;
    use crate::text::Span;

    #[test]
    fn warnings_and_codes_are_read() {
        assert_eq!(Deny::parse("warnings"), Ok(Deny::Warnings));
        assert_eq!(Deny::parse("RB0401"), Ok(Deny::Code(&FAILS_OPEN)));
        assert_eq!(Deny::parse("rb0401"), Ok(Deny::Code(&FAILS_OPEN)));
        let help = |word| Deny::parse(word).unwrap_err().help.unwrap_or_default();
        assert_eq!(help("warning"), "did you mean `warnings`?");
        assert!(help("RB0491").starts_with("did you mean `RB04"));
        assert_eq!(help("RB0001"), "leave it out");
        assert_eq!(help("everything"), "");
    }

    #[test]
    fn a_code_covers_its_findings_alone() {
        let warning = Diagnostic::new(&FAILS_OPEN, Span::new(0, 0), "message");
        let error = Diagnostic::without_place(&UNREADABLE, "message");
        assert!(Deny::Warnings.covers(&warning) && Deny::Code(&FAILS_OPEN).covers(&warning));
        assert!(!Deny::Warnings.covers(&error) && !Deny::Code(&FAILS_OPEN).covers(&error));
    }
}

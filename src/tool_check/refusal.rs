//! Refusals, in words that a model can act on.

use std::collections::BTreeSet;

use super::Reason;

/// A call that is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Why.
    pub reason: Reason,
    /// The rule of the rulebook, where the rulebook refused.
    pub rule: Option<String>,
    /// What to tell the caller: one that can act on it. Never the value of an argument.
    pub text: String,
    /// The marks that the call carried.
    pub marks: BTreeSet<String>,
}

impl Refusal {
    /// A refusal by no rule, of a call whose marks are not known.
    pub fn new(reason: Reason, text: impl Into<String>) -> Self {
        Refused::new(reason, text).with_marks(BTreeSet::new())
    }
}

/// A refusal before the marks are known.
#[derive(Debug)]
pub(super) struct Refused {
    pub(super) reason: Reason,
    pub(super) rule: Option<String>,
    pub(super) text: String,
}

impl Refused {
    pub(super) fn new(reason: Reason, text: impl Into<String>) -> Self {
        Self {
            reason,
            rule: None,
            text: text.into(),
        }
    }

    pub(super) fn by_rule(self, rule: &str) -> Self {
        Self {
            rule: (!rule.is_empty()).then(|| rule.to_owned()),
            ..self
        }
    }

    pub(super) fn with_marks(self, marks: BTreeSet<String>) -> Refusal {
        Refusal {
            reason: self.reason,
            rule: self.rule,
            text: self.text,
            marks,
        }
    }
}

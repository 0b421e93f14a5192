//! What a change of a decision means.

use crate::evaluator::{Decision, Verdict};

/// What a change means, from what opens most to what closes most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Newly allowed; or no longer refused or asked about by anything, which a host may take for
    /// permission.
    Widening,
    /// Refused before, and now a person may say yes.
    Loosening,
    /// The same decision by another rule.
    OtherRule,
    /// A person could say yes before, and now it is refused.
    Tightening,
    /// No longer allowed; or decided now where nothing spoke.
    Narrowing,
}

/// Kinds of changes that are not to pass, each with those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Deny {
    /// What is newly allowed, or no longer decided.
    Widening,
    /// What was refused and is now asked about, too.
    Loosening,
    /// Every change of a decision.
    Changes,
}

/// How much stands in the way of a call.
fn restriction(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Allow => 0,
        Verdict::Silent => 1,
        Verdict::Clarify => 2,
        Verdict::Refuse => 3,
    }
}

impl Kind {
    /// All kinds, in order.
    pub const ALL: [Self; 5] = [
        Self::Widening,
        Self::Loosening,
        Self::OtherRule,
        Self::Tightening,
        Self::Narrowing,
    ];

    /// What the change from one decision to another means.
    pub fn of(old: &Decision, new: &Decision) -> Self {
        let (old, new) = (restriction(old.decision), restriction(new.decision));
        let is_open = |restriction: u8| restriction <= restriction_of_silence();
        match old.cmp(&new) {
            std::cmp::Ordering::Equal => Self::OtherRule,
            std::cmp::Ordering::Greater if is_open(new) => Self::Widening,
            std::cmp::Ordering::Greater => Self::Loosening,
            std::cmp::Ordering::Less if is_open(old) => Self::Narrowing,
            std::cmp::Ordering::Less => Self::Tightening,
        }
    }

    /// The word in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Widening => "widening",
            Self::Loosening => "loosening",
            Self::OtherRule => "other rule",
            Self::Tightening => "tightening",
            Self::Narrowing => "narrowing",
        }
    }
}

fn restriction_of_silence() -> u8 {
    restriction(Verdict::Silent)
}

impl Deny {
    /// Whether a change of this kind is not to pass.
    pub fn denies(self, kind: Kind) -> bool {
        match self {
            Self::Widening => kind == Kind::Widening,
            Self::Loosening => kind <= Kind::Loosening,
            Self::Changes => true,
        }
    }
}

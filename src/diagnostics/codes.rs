//! The registry of codes. A code is stable: it is never reused for something else.
//!
//! `RB00xx` text and files, `RB01xx` layout and syntax, `RB02xx` definitions, names and types,
//! `RB03xx` what a flow does, `RB04xx` analyses of the decision, `RB05xx` tests, `RB06xx` artifacts,
//! `RB07xx` proof and provenance, `RB08xx` projects, `RB09xx` faults of the programs themselves,
//! `RB10xx` agents and their catalogue, `RB11xx` the gateway's configuration,
//! `RB12xx` its audit log, store and key file.

pub mod analyses;
pub mod artifacts;
pub mod audit;
pub mod bundles;
pub mod catalogue;
pub mod configuration;
pub mod difference;
pub mod documents;
pub mod flows;
pub mod graph;
pub mod internal;
pub mod names;
pub mod project;
pub mod proof;
pub mod reports;
pub mod rewriting;
pub mod suites;
pub mod syntax;
pub mod text;

use super::Severity;

/// A stable code with what there is to know about it.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Code {
    /// `RB` and four digits.
    pub id: &'static str,
    /// Severity of every diagnostic with this code.
    pub severity: Severity,
    /// A few words, as `docs/diagnostics.md` heads its section.
    pub title: &'static str,
    /// What it means, why it matters, an example and what to write instead; Markdown, without
    /// a heading.
    pub explanation: &'static str,
}

/// Declares the codes of one group, and the slice that lists them.
macro_rules! codes {
    ($($name:ident = $id:literal, $severity:ident, $title:literal, $explanation:literal;)+) => {
        $(
            #[doc = $title]
            pub static $name: $crate::diagnostics::Code = $crate::diagnostics::Code {
                id: $id,
                severity: $crate::diagnostics::Severity::$severity,
                title: $title,
                explanation: $explanation,
            };
        )+
        /// All codes of this group, by number.
        pub static ALL: &[&$crate::diagnostics::Code] = &[$(&$name),+];
    };
}
use codes;

/// All codes, by number.
pub fn all() -> impl Iterator<Item = &'static Code> {
    [
        text::ALL,
        syntax::ALL,
        names::ALL,
        flows::ALL,
        analyses::ALL,
        documents::ALL,
        suites::ALL,
        artifacts::ALL,
        reports::ALL,
        difference::ALL,
        graph::ALL,
        rewriting::ALL,
        bundles::ALL,
        proof::ALL,
        project::ALL,
        internal::ALL,
        catalogue::ALL,
        configuration::ALL,
        audit::ALL,
    ]
    .into_iter()
    .flatten()
    .copied()
}

/// The code with this id; case does not matter.
pub fn find(id: &str) -> Option<&'static Code> {
    all().find(|code| code.id.eq_ignore_ascii_case(id))
}

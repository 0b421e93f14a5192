//! How many findings there are.

use schemars::JsonSchema;
use serde::Serialize;

use crate::diagnostics::{Diagnostic, Severity};
use crate::terminal::plural;

/// Counts of findings, as the JSON report ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize)]
pub(in crate::command_line) struct Summary {
    /// Findings that stop emission.
    pub(in crate::command_line) errors: usize,
    /// Findings that stop emission where warnings are denied.
    pub(in crate::command_line) warnings: usize,
    /// Findings that stop nothing.
    pub(in crate::command_line) notes: usize,
    /// Files that were read, or could not be.
    pub(in crate::command_line) files: usize,
}

impl Summary {
    /// The counts of one file's findings.
    pub(in crate::command_line) fn of<'a>(
        diagnostics: impl IntoIterator<Item = &'a Diagnostic>,
    ) -> Self {
        let mut summary = Self {
            files: 1,
            ..Self::default()
        };
        for diagnostic in diagnostics {
            match diagnostic.severity() {
                Severity::Error => summary.errors += 1,
                Severity::Warning => summary.warnings += 1,
                Severity::Note => summary.notes += 1,
            }
        }
        summary
    }

    /// Adds the counts of further files.
    pub(in crate::command_line) fn add(&mut self, other: Self) {
        self.errors += other.errors;
        self.files += other.files;
        self.notes += other.notes;
        self.warnings += other.warnings;
    }

    /// `2 errors, 1 warning, 3 notes`, without what there is none of; nothing when there is
    /// nothing at all.
    pub(in crate::command_line) fn counts(&self) -> Option<String> {
        let parts: Vec<String> = [
            (self.errors, "error"),
            (self.warnings, "warning"),
            (self.notes, "note"),
        ]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| plural(count, word))
        .collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// The line that ends a report; `name` is the one file's, as it is shown.
    pub(in crate::command_line) fn line(&self, name: Option<&str>) -> String {
        let counts = self.counts().unwrap_or_else(|| "no findings".to_owned());
        match name {
            Some(name) => format!("{counts} in {name}"),
            None => format!("{counts} in {}", plural(self.files, "file")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_there_is_counted_in_words() {
        let summary = Summary {
            errors: 2,
            warnings: 1,
            notes: 3,
            files: 1,
        };
        assert_eq!(
            summary.line(Some("policy.co")),
            "2 errors, 1 warning, 3 notes in policy.co"
        );
        let summary = Summary {
            notes: 1,
            files: 2,
            ..Summary::default()
        };
        assert_eq!(summary.line(None), "1 note in 2 files");
        assert_eq!(
            Summary::of(&[]).line(Some("policy.co")),
            "no findings in policy.co"
        );
    }
}

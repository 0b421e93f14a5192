//! Findings as JSON: the types of `rulebook-check/1` (contract section 5), and their schemas.

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema};
use serde::Serialize;

use super::{FileReport, Summary};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::finding::Finding;

/// The format's name.
pub(super) const FORMAT: &str = "rulebook-check/1";

/// What `check --format json` prints: the findings of all files. Keys may be added, none changes
/// its name or its meaning.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "Report")]
pub(super) struct CheckReport<'a> {
    /// What this document is.
    #[schemars(extend("const" = FORMAT))]
    pub(super) format: &'static str,
    /// The files in the order of their paths, those without findings too.
    pub(super) files: Vec<CheckedFile<'a>>,
    /// How many findings there are.
    pub(super) summary: Summary,
}

/// One file and its findings.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "File")]
pub(super) struct CheckedFile<'a> {
    /// The path: relative to the working directory where it lies below it, with `/`; `<stdin>`
    /// for standard input.
    pub(super) file: &'a str,
    /// The findings by place.
    pub(super) diagnostics: Vec<Finding<'a>>,
}

/// What `check --format jsonl` prints on each line: a finding of `rulebook-check/1` and its file.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "FileFinding")]
pub(super) struct FileFinding<'a> {
    /// The path: relative to the working directory where it lies below it, with `/`; `<stdin>`
    /// for standard input.
    file: &'a str,
    #[serde(flatten)]
    finding: Finding<'a>,
}

impl<'a> CheckedFile<'a> {
    /// The findings of a file.
    pub(super) fn of(report: &'a FileReport) -> Self {
        let source = report.source.as_ref();
        let findings = report.diagnostics.iter();
        Self {
            file: &report.file,
            diagnostics: findings.map(|it| Finding::of(source, it)).collect(),
        }
    }
}

impl<'a> FileFinding<'a> {
    /// A finding of a file.
    pub(super) fn of(report: &'a FileReport, diagnostic: &'a Diagnostic) -> Self {
        Self {
            file: &report.file,
            finding: Finding::of(report.source.as_ref(), diagnostic),
        }
    }
}

/// The JSON Schema of `check --format json`, published as `schema/rulebook-check-1.schema.json`.
pub(in crate::command_line) fn check_schema() -> String {
    schema_of::<CheckReport<'_>>()
}

/// The JSON Schema of a line of `check --format jsonl`, published as
/// `schema/rulebook-finding-1.schema.json`.
pub(in crate::command_line) fn finding_schema() -> String {
    schema_of::<FileFinding<'_>>()
}

/// What is written, as a schema: sorted keys, two-space indentation, one final newline.
fn schema_of<T: JsonSchema>() -> String {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    // Widths of numbers are no format of JSON Schema.
    RecursiveTransform(|schema: &mut Schema| {
        if schema.get("format").is_some_and(|format| format == "uint") {
            schema.remove("format");
        }
    })
    .transform(&mut schema);
    format!("{:#}\n", schema.to_value())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kept_files_are_current() {
        for (name, what, current) in [
            ("rulebook-check-1", "check", check_schema()),
            ("rulebook-finding-1", "finding", finding_schema()),
        ] {
            let path = format!("schema/{name}.schema.json");
            let kept = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
            assert!(
                std::fs::read_to_string(kept).unwrap_or_default() == current,
                "`cargo run -- schema {what} > {path}` writes it anew"
            );
        }
    }
}

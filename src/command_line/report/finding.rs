//! Findings as JSON: the types of `rulebook-check/1` (contract section 5), and their schemas.

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema};
use serde::Serialize;

use super::{FileReport, Summary};
use crate::diagnostics::{Diagnostic, Label, TextEdit};
use crate::text::Source;

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

/// One finding.
#[derive(JsonSchema, Serialize)]
pub(in crate::command_line) struct Finding<'a> {
    /// A code that `explain` knows.
    #[schemars(regex(pattern = r"^RB[0-9]{4}$"))]
    code: &'static str,
    /// How much it weighs.
    #[schemars(extend("enum" = ["error", "warning", "note"]))]
    severity: &'static str,
    /// What is wrong, in a line.
    message: &'a str,
    /// Places; the first is the place of the finding. None where the file could not be read, or
    /// is an IR.
    labels: Vec<Place<'a>>,
    /// What to write instead.
    help: Option<&'a str>,
    /// What to change so that it is gone, where that is mechanical and surely meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<Change<'a>>,
}

/// A change of the file.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "Fix")]
struct Change<'a> {
    /// What it does, in a few words.
    title: &'a str,
    /// What to change, in the order of places; no two overlap.
    edits: Vec<Edit<'a>>,
}

/// A part of the file's text, and what stands there afterwards.
#[derive(JsonSchema, Serialize)]
struct Edit<'a> {
    /// Where it starts.
    start: Point,
    /// Where it ends; where it starts, if something is put in.
    end: Point,
    /// What stands there afterwards.
    text: &'a str,
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

/// A part of the file's text and what there is to say about it.
#[derive(JsonSchema, Serialize)]
struct Place<'a> {
    /// Where it starts.
    start: Point,
    /// Where it ends: behind the last character.
    end: Point,
    /// What to say of it; may be empty.
    text: &'a str,
}

/// A place between two characters.
#[derive(Default, JsonSchema, Serialize)]
struct Point {
    /// The line, from 1.
    #[schemars(range(min = 1))]
    line: usize,
    /// The column in characters (Unicode scalar values), from 1.
    #[schemars(range(min = 1))]
    column: usize,
    /// The offset in bytes of the file, counted behind a byte order mark.
    offset: usize,
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

impl<'a> Finding<'a> {
    /// A finding of a source.
    pub(in crate::command_line) fn of(source: Option<&Source>, diagnostic: &'a Diagnostic) -> Self {
        Self {
            code: diagnostic.code.id,
            severity: diagnostic.severity().as_str(),
            message: &diagnostic.message,
            labels: source.map_or_else(Vec::new, |source| {
                let labels = diagnostic.labels.iter();
                labels.map(|label| Place::of(source, label)).collect()
            }),
            help: diagnostic.help.as_deref(),
            fix: source.zip(diagnostic.fix.as_ref()).map(|(source, fix)| {
                let edits = fix.edits.iter();
                Change {
                    title: &fix.title,
                    edits: edits.map(|edit| Edit::of(source, edit)).collect(),
                }
            }),
        }
    }
}

impl<'a> Edit<'a> {
    fn of(source: &Source, edit: &'a TextEdit) -> Self {
        Self {
            start: Point::of(source, edit.span.start),
            end: Point::of(source, edit.span.end),
            text: &edit.text,
        }
    }
}

impl<'a> Place<'a> {
    fn of(source: &Source, label: &'a Label) -> Self {
        Self {
            start: Point::of(source, label.span.start),
            end: Point::of(source, label.span.end),
            text: &label.text,
        }
    }
}

impl Point {
    fn of(source: &Source, offset: usize) -> Self {
        let position = source.position(offset);
        Self {
            line: position.line,
            column: position.column,
            offset: source.original_offset(offset),
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

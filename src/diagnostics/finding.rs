//! A finding as JSON, with places that people and editors count: an item of `rulebook-check/1`
//! (contract section 5).

use schemars::JsonSchema;
use serde::Serialize;

use super::{Diagnostic, Label, TextEdit};
use crate::text::Source;

/// One finding.
#[derive(JsonSchema, Serialize)]
pub struct Finding<'a> {
    /// A code that `explain` knows.
    #[schemars(regex(pattern = r"^RB[0-9]{4}$"))]
    pub code: &'static str,
    /// How much it weighs.
    #[schemars(extend("enum" = ["error", "warning", "note"]))]
    pub severity: &'static str,
    /// What is wrong, in a line.
    pub message: &'a str,
    /// Places; the first is the place of the finding. None where the file could not be read, or
    /// is an IR.
    pub labels: Vec<Place<'a>>,
    /// What to write instead.
    pub help: Option<&'a str>,
    /// What to change so that it is gone, where that is mechanical and surely meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<Change<'a>>,
}

/// A change of the file.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "Fix")]
pub struct Change<'a> {
    /// What it does, in a few words.
    pub title: &'a str,
    /// What to change, in the order of places; no two overlap.
    pub edits: Vec<Edit<'a>>,
}

/// A part of the file's text, and what stands there afterwards.
#[derive(JsonSchema, Serialize)]
pub struct Edit<'a> {
    /// Where it starts.
    pub start: Point,
    /// Where it ends; where it starts, if something is put in.
    pub end: Point,
    /// What stands there afterwards.
    pub text: &'a str,
}

/// A part of the file's text and what there is to say about it.
#[derive(JsonSchema, Serialize)]
pub struct Place<'a> {
    /// Where it starts.
    pub start: Point,
    /// Where it ends: behind the last character.
    pub end: Point,
    /// What to say of it; may be empty.
    pub text: &'a str,
}

/// A place between two characters.
#[derive(Default, JsonSchema, Serialize)]
pub struct Point {
    /// The line, from 1.
    #[schemars(range(min = 1))]
    pub line: usize,
    /// The column in characters (Unicode scalar values), from 1.
    #[schemars(range(min = 1))]
    pub column: usize,
    /// The offset in bytes of the file, counted behind a byte order mark.
    pub offset: usize,
}

impl<'a> Finding<'a> {
    /// A finding of a source.
    pub fn of(source: Option<&Source>, diagnostic: &'a Diagnostic) -> Self {
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

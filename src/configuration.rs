//! `gateway.yaml` (gateway contract, section 1): what an operator sets, with a finding for whatever
//! is not as it should be, and no secret in any of them.
//!
//! [`read`] depends on nothing but its arguments, so that a start, `--check-config` and a reload
//! are the same.

mod access;
mod keys;
mod masked;
mod reading;
mod servers;
mod settings;
mod types;
mod variables;

use std::fmt;
use std::path::Path;

pub use keys::{Key, SECTIONS, Section, table};
pub use types::{ALL_OTHERS, Configuration, Limits, Rate, SecretText, Server, Tls};

use crate::diagnostics::codes::documents::UNCLEAR_NUMBER;
use crate::diagnostics::{Diagnostic, Severity, Sink, text_faults};
use crate::text::{Source, quoted};
use crate::yaml::{self, Content, Node};
use reading::Reader;

/// The name that the file usually has.
pub const FILE_NAME: &str = "gateway.yaml";

/// Reads the bytes of a file; none where there is none.
pub type ReadFile<'a> = dyn Fn(&Path) -> Result<Option<Vec<u8>>, Diagnostic> + 'a;

/// What a configuration is read in.
pub struct Surroundings<'a> {
    /// The folder of the file: relative paths begin here.
    pub folder: &'a Path,
    /// The variable of a name.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    /// The bytes of a file; none where there is none.
    pub file: &'a ReadFile<'a>,
}

impl fmt::Debug for Surroundings<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Surroundings")
            .field("folder", &self.folder)
            .finish_non_exhaustive()
    }
}

/// What came of a `gateway.yaml`.
#[derive(Debug)]
#[non_exhaustive]
pub struct ReadConfiguration {
    /// The text that places refer to, with everything hidden that may be a secret.
    pub source: Source,
    /// The configuration; none where there are errors.
    pub configuration: Option<Configuration>,
    /// Everything found, sorted: errors, and what the operator should know although it starts.
    pub diagnostics: Vec<Diagnostic>,
}

impl ReadConfiguration {
    /// One line for each finding that weighs at least so much, with its file and line, for logs.
    pub fn lines(&self, least: Severity) -> Vec<String> {
        let found = self.diagnostics.iter();
        found
            .filter(|found| found.severity() <= least)
            .map(|found| {
                let line = found.span().map_or_else(String::new, |span| {
                    format!(":{}", self.source.line_of(span.start))
                });
                let help = found.help.as_deref().unwrap_or_default();
                format!("{}{line}: {found} ({help})", quoted(self.source.name()))
            })
            .collect()
    }
}

/// Reads the bytes of a `gateway.yaml`, and the catalogue that it names. `name` is what messages
/// call the file.
pub fn read(name: &str, bytes: &[u8], surroundings: &Surroundings<'_>) -> ReadConfiguration {
    let (source, mut diagnostics) = text_faults::decode_document(name, bytes);
    let mut sink = Sink::new();
    let root = if diagnostics.is_empty() {
        let text = variables::with_stand_ins(source.text());
        let (prepared, _) = Source::decode(name, text.as_bytes());
        yaml::read(&prepared, &mut sink)
    } else {
        None
    };
    diagnostics.extend(sink.into_sorted());
    let Some(root) = root else {
        return ReadConfiguration {
            source: masked::masked_lines(&source),
            configuration: None,
            diagnostics: (diagnostics.into_iter().map(without_value))
                .map(variables::restored)
                .collect(),
        };
    };
    let mut reader = Reader::new(surroundings);
    let configuration = settings::configuration(&root, &mut reader);
    let failed = reader.sink.has_errors();
    ReadConfiguration {
        source: masked::masked(&source, &root, &reader.shown),
        configuration: configuration.filter(|_| !failed),
        diagnostics: (reader.sink.into_sorted().into_iter())
            .map(variables::restored)
            .collect(),
    }
}

/// A word that looks like a number may be a token.
fn without_value(mut diagnostic: Diagnostic) -> Diagnostic {
    if diagnostic.code == &UNCLEAR_NUMBER {
        "this is a number to some readers of YAML and none, or another, to others"
            .clone_into(&mut diagnostic.message);
    }
    diagnostic
}

/// The value of a key of a mapping.
fn member<'n>(node: &'n Node, key: &str) -> Option<&'n Node> {
    let Content::Mapping(entries) = &node.content else {
        return None;
    };
    let entry = entries.iter().find(|entry| entry.key.value == key)?;
    Some(&entry.value)
}

//! Loads a catalogue: what comes out satisfies everything that `stalwart verify` checks, so a file
//! that someone edited is as good as a compiled one, or is refused.

use std::collections::BTreeMap;
use std::fmt;

use super::types::{Catalogue, FORMAT, Pin, SourceHash};
use super::{build, checks, read};
use crate::diagnostics::codes::catalogue::{CATALOGUE_TOO_LARGE, NOT_A_CATALOGUE};
use crate::diagnostics::{Diagnostic, Severity, Sink};
use crate::ir::limits::MAX_ARTIFACT_BYTES;
use crate::ir::{self, Rulebook};
use crate::json::{self, Bounds, Members};
use crate::text::{Source, Span, quoted};
use crate::yaml::{self, Content, Entry, Fields, Node};

/// What to do about a file that is no catalogue.
const HELP: &str =
    "write it with `stalwart verify DIR --keep`: it is generated, and not meant to be edited";

/// Deepest nesting of a catalogue: a rulebook's conditions are its deepest part.
const MAX_DEPTH: usize = 320;

/// Digits of a SHA-256.
const HASH_DIGITS: usize = 64;

/// Why a catalogue is refused.
#[derive(Debug)]
#[non_exhaustive]
pub struct RefusedCatalogue {
    /// The text that places refer to; the rulebook in it is blanked.
    pub source: Source,
    /// The errors, sorted.
    pub diagnostics: Vec<Diagnostic>,
}

/// One line for each error, with its file and line.
impl fmt::Display for RefusedCatalogue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.diagnostics.iter().enumerate() {
            if index > 0 {
                formatter.write_str("\n")?;
            }
            write!(formatter, "{}", quoted(self.source.name()))?;
            if let Some(span) = diagnostic.span() {
                write!(formatter, ", line {}", self.source.line_of(span.start))?;
            }
            write!(formatter, ": {diagnostic}")?;
        }
        Ok(())
    }
}

impl std::error::Error for RefusedCatalogue {}

impl Catalogue {
    /// Reads the bytes of a catalogue. `name` is what messages call the file.
    ///
    /// # Errors
    /// It is larger than 16 MiB, no JSON, of another format, has a key that is unknown, missing or
    /// there twice, or something that `stalwart verify` would not have compiled.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self, Box<RefusedCatalogue>> {
        let mut sink = Sink::new();
        let (text, rulebook) = match outer(bytes) {
            Ok(found) => found,
            Err(diagnostic) => {
                let (source, _) = Source::decode(name, &[]);
                return Err(refused(source, vec![diagnostic]));
            }
        };
        let (source, _) = Source::decode_up_to(MAX_ARTIFACT_BYTES, name, text.as_bytes());
        let root = yaml::read(&source, &mut sink);
        let catalogue = root.and_then(|root| catalogue(&root, rulebook, &mut sink));
        let failed = sink.has_errors();
        let mut diagnostics = sink.into_sorted();
        match catalogue.filter(|_| !failed) {
            Some(catalogue) => Ok(catalogue),
            None => {
                diagnostics.retain(|found| found.severity() == Severity::Error);
                Err(refused(source, diagnostics))
            }
        }
    }
}

fn refused(source: Source, diagnostics: Vec<Diagnostic>) -> Box<RefusedCatalogue> {
    Box::new(RefusedCatalogue {
        source,
        diagnostics,
    })
}

fn no_catalogue(message: impl Into<String>) -> Diagnostic {
    Diagnostic::without_place(&NOT_A_CATALOGUE, message).with_help(HELP)
}

/// The text with its rulebook blanked, and the rulebook. JSON is a part of YAML, so that the rest
/// can be read with its places by what reads `agent.yaml`; the rulebook has a loader of its own.
fn outer(bytes: &[u8]) -> Result<(String, Rulebook), Diagnostic> {
    if bytes.len() > MAX_ARTIFACT_BYTES {
        return Err(Diagnostic::without_place(
            &CATALOGUE_TOO_LARGE,
            "the catalogue is larger than 16 MiB",
        )
        .with_help(HELP));
    }
    let bounds = Bounds {
        bytes: MAX_ARTIFACT_BYTES,
        depth: MAX_DEPTH,
    };
    json::parse_strict(bytes, bounds)
        .map_err(|error| no_catalogue(format!("this is no catalogue: {error}")))?;
    let text = std::str::from_utf8(bytes)
        .map_err(|_| no_catalogue("this is no catalogue: it is not UTF-8"))?;
    let members = Members::read(text)
        .map_err(|error| no_catalogue(format!("this is no catalogue: {error}")))?
        .ok_or_else(|| no_catalogue("this is no catalogue: it is no JSON object"))?;
    let format = members.get("format");
    if format != Some("\"agent-catalogue/1\"") {
        let message = match format {
            Some(other) => format!("the format {other} is not read here, {} is", quoted(FORMAT)),
            None => "this is no catalogue: it has no `format`".to_owned(),
        };
        return Err(no_catalogue(message));
    }
    let rulebook = members
        .iter()
        .find(|member| member.key == "rulebook")
        .ok_or_else(|| no_catalogue("the key `rulebook` is missing"))?;
    let loaded = ir::from_bytes(rulebook.value.as_bytes()).map_err(|error| {
        let message = format!("the `rulebook` of this catalogue is refused: {error}");
        no_catalogue(message)
    })?;
    let place = rulebook.place();
    let before = text.get(..place.start).unwrap_or_default();
    let behind = text.get(place.end..).unwrap_or_default();
    // The lines behind it keep their numbers.
    let lines = "\n".repeat(rulebook.value.matches('\n').count());
    Ok((format!("{before}null{lines}{behind}"), loaded))
}

fn catalogue(root: &Node, rulebook: Rulebook, sink: &mut Sink) -> Option<Catalogue> {
    let mut fields = Fields::of(root, "a catalogue", sink)?;
    fields.take("format");
    let place = fields.take("rulebook").map(|entry| entry.key.span);
    for key in ["order", "ungoverned"] {
        if !has(root, key) {
            fields.missing(key, HELP, sink);
        }
    }
    let sources = fields.require("sources", HELP, sink);
    let pins = fields.take("pins");
    let draft = read::policy(&mut fields, sink);
    fields.finish(sink);
    complete(root, sink);
    let sources = sources.map(|entry| hashes(entry, &rulebook, sink));
    let pins = pins.map(|entry| read_pins(entry, sink));
    if let Some(pins) = &pins {
        for (name, (pin, _)) in pins {
            if !draft.tools.contains_key(name) {
                let message = format!(
                    "the pin of {} is of no tool of this catalogue",
                    quoted(name)
                );
                sink.push(Diagnostic::new(&NOT_A_CATALOGUE, *pin, message).with_help(HELP));
            }
        }
    }
    checks::run(&draft, Some(&rulebook), place.unwrap_or_default(), sink);
    let mut catalogue = build::catalogue(&draft, rulebook, sources?);
    catalogue.pins = pins.map(|pins| {
        let pins = pins.into_iter();
        pins.map(|(name, (_, pin))| (name, pin)).collect()
    });
    Some(catalogue)
}

fn has(node: &Node, key: &str) -> bool {
    super::draft::member(node, key).is_some()
}

/// In a catalogue nothing is left to a default.
fn complete(root: &Node, sink: &mut Sink) {
    let lists = [
        ("agents", &["hand_off", "owners", "tools"][..]),
        (
            "tools",
            &["context_arguments", "outside", "require_confirmation"][..],
        ),
    ];
    for (list, keys) in lists {
        let Some(Content::Mapping(entries)) =
            super::draft::member(root, list).map(|node| &node.content)
        else {
            continue;
        };
        for entry in entries {
            for key in keys.iter().filter(|key| !has(&entry.value, key)) {
                let message = format!("{} has no {}", quoted(&entry.key.value), quoted(key));
                sink.push(
                    Diagnostic::new(&NOT_A_CATALOGUE, entry.key.span, message).with_help(HELP),
                );
            }
            if let Some(undo) = super::draft::member(&entry.value, "undo")
                && list == "tools"
                && !has(undo, "arguments")
            {
                let message = format!(
                    "the `undo` of {} has no `arguments`",
                    quoted(&entry.key.value)
                );
                sink.push(Diagnostic::new(&NOT_A_CATALOGUE, undo.place, message).with_help(HELP));
            }
        }
    }
}

/// The hashes of `agent.yaml` and of the rulebook, in this order.
fn hashes(entry: &Entry, rulebook: &Rulebook, sink: &mut Sink) -> Vec<SourceHash> {
    let mut found = Vec::new();
    for item in entry.value.list("`sources`", sink).unwrap_or_default() {
        let Some(mut fields) = Fields::of(item, "a source", sink) else {
            continue;
        };
        let file = fields
            .require("file", HELP, sink)
            .and_then(|entry| entry.value.text("`file`", sink));
        let sha256 = fields.require("sha256", HELP, sink);
        let sha256 = sha256.and_then(|entry| hash(&entry.value, sink));
        fields.finish(sink);
        if let (Some(file), Some(sha256)) = (file, sha256) {
            found.push(SourceHash {
                file: file.value,
                sha256,
            });
        }
    }
    let is_rulebook = |source: &SourceHash| {
        source.file == rulebook.source.file && source.sha256 == rulebook.source.sha256
    };
    if found.len() != 2 || !found.last().is_some_and(is_rulebook) {
        let message = "`sources` are `agent.yaml` and the rulebook of this catalogue";
        sink.push(Diagnostic::new(&NOT_A_CATALOGUE, entry.key.span, message).with_help(HELP));
    }
    found
}

fn hash(node: &Node, sink: &mut Sink) -> Option<String> {
    let text = node.text("`sha256`", sink)?;
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if text.value.len() == HASH_DIGITS && text.value.bytes().all(is_digit) {
        return Some(text.value);
    }
    let message = format!("{} is no SHA-256", quoted(&text.value));
    sink.push(Diagnostic::new(&NOT_A_CATALOGUE, text.span, message).with_help(HELP));
    None
}

fn read_pins(entry: &Entry, sink: &mut Sink) -> BTreeMap<String, (Span, Pin)> {
    let mut found = BTreeMap::new();
    for entry in entry.value.mapping("`pins`", sink).unwrap_or_default() {
        let Some(mut fields) = Fields::of(&entry.value, "a pin", sink) else {
            continue;
        };
        let server = fields
            .require("server", HELP, sink)
            .and_then(|entry| entry.value.text("`server`", sink));
        let sha256 = fields.require("sha256", HELP, sink);
        let sha256 = sha256.and_then(|entry| hash(&entry.value, sink));
        fields.finish(sink);
        if let (Some(server), Some(sha256)) = (server, sha256) {
            let pin = Pin {
                server: server.value,
                sha256,
            };
            found.insert(entry.key.value.clone(), (entry.key.span, pin));
        }
    }
    found
}

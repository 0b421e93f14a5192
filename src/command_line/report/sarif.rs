//! Findings in the format that servers and editors exchange: SARIF 2.1.0, a standard of OASIS.

mod log;
mod uri;

use std::collections::BTreeMap;

use serde_json::json;

use super::fingerprint::Fingerprints;
use super::json_text::{Items, pretty};
use super::region::Region;
use super::{FileReport, Outcome, Report, message_and_help, stopped_the_check};
use crate::diagnostics::{self, Code, Diagnostic, Label};
use crate::provenance::TRANSLATOR;
use crate::terminal::ExitStatus;
use crate::text::{Source, Span, escaped_lines};
use log::{
    Artifact, ArtifactChange, ArtifactLocation, Configuration, Content, Descriptor,
    DescriptorReference, Driver, Finding, Fix, Help, Invocation, Location, Message, Notification,
    PartialFingerprints, PhysicalLocation, Replacement, TextRegion, Tool,
};

/// The identifier of the standard's schema.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// How deep the keys of the one run stand.
const DEPTH: usize = 3;

/// One log with one run. Results are written file by file; what the run knows of them (files,
/// codes, the end) is gathered and stands behind them, where the order of keys does not matter.
pub(super) struct SarifReport {
    results: Items,
    artifacts: Vec<Artifact>,
    notifications: Vec<Notification>,
    rules: Descriptors,
    notices: Descriptors,
}

impl Default for SarifReport {
    fn default() -> Self {
        Self {
            results: Items::new(DEPTH),
            artifacts: Vec::new(),
            notifications: Vec::new(),
            rules: Descriptors::default(),
            notices: Descriptors::default(),
        }
    }
}

/// Codes in the order in which they were first seen.
#[derive(Default)]
struct Descriptors {
    codes: Vec<&'static Code>,
    indices: BTreeMap<&'static str, usize>,
}

impl Descriptors {
    fn index(&mut self, code: &'static Code) -> usize {
        *self.indices.entry(code.id).or_insert_with(|| {
            self.codes.push(code);
            self.codes.len() - 1
        })
    }

    fn list(&self) -> Vec<Descriptor> {
        self.codes.iter().map(|code| descriptor(code)).collect()
    }
}

impl Report for SarifReport {
    fn head(&mut self) -> String {
        let bases = json!({
            uri::BASE: {"description": {"text": "the folder in which the program was started"}}
        });
        format!(
            "{{\n  \"$schema\": \"{SCHEMA}\",\n  \"version\": \"2.1.0\",\n  \"runs\": [\n    {{\n      \
             \"columnKind\": \"unicodeCodePoints\",\n      \"originalUriBaseIds\": {},\n      \
             \"results\": [",
            pretty(&bases, DEPTH)
        )
    }

    fn file(&mut self, file: &FileReport) -> String {
        let index = self.artifacts.len();
        self.artifacts.push(Artifact {
            location: uri::location(&file.file, None),
            roles: ["analysisTarget"],
        });
        let mut fingerprints = Fingerprints::default();
        let mut text = String::new();
        for diagnostic in &file.diagnostics {
            if stopped_the_check(diagnostic) {
                let notification = self.notification(file, index, diagnostic);
                self.notifications.push(notification);
            } else {
                let fingerprint = fingerprints.next(file, diagnostic);
                let finding = self.finding(file, index, diagnostic, fingerprint);
                text.push_str(&self.results.next(&finding));
            }
        }
        text
    }

    fn end(&mut self, outcome: &Outcome<'_>) -> String {
        let invocation = Invocation {
            execution_successful: outcome.status <= ExitStatus::No,
            exit_code: outcome.status.code(),
            exit_code_description: match outcome.status {
                ExitStatus::Ok => "nothing is denied",
                ExitStatus::No => "findings are denied",
                ExitStatus::Usage => "a file could not be read or written",
                ExitStatus::Fault => "a fault of the compiler",
            },
            tool_execution_notifications: std::mem::take(&mut self.notifications),
        };
        let tool = Tool {
            driver: Driver {
                name: "RulebookTranslator",
                version: TRANSLATOR,
                semantic_version: TRANSLATOR,
                rules: self.rules.list(),
                notifications: self.notices.list(),
            },
        };
        format!(
            "{},\n      \"artifacts\": {},\n      \"invocations\": {},\n      \"tool\": {}\n    }}\n  ]\n}}\n",
            self.results.end(),
            pretty(&self.artifacts, DEPTH),
            pretty(&[invocation], DEPTH),
            pretty(&tool, DEPTH)
        )
    }
}

impl SarifReport {
    fn finding(
        &mut self,
        file: &FileReport,
        index: usize,
        diagnostic: &Diagnostic,
        fingerprint: String,
    ) -> Finding {
        let source = file.source.as_ref();
        let others = diagnostic.labels.iter().skip(1).enumerate();
        Finding {
            rule_id: diagnostic.code.id,
            rule_index: self.rules.index(diagnostic.code),
            level: diagnostic.severity().as_str(),
            message: message(&message_and_help(diagnostic)),
            locations: vec![place(file, index, diagnostic)],
            related_locations: source.map_or_else(Vec::new, |source| {
                others
                    .map(|(number, label)| related(file, index, source, (number, label)))
                    .collect()
            }),
            partial_fingerprints: PartialFingerprints {
                finding: fingerprint,
            },
            fixes: source
                .zip(diagnostic.fix.as_ref())
                .map(|(source, fix)| fix_of(uri::location(&file.file, Some(index)), source, fix))
                .into_iter()
                .collect(),
        }
    }

    fn notification(
        &mut self,
        file: &FileReport,
        index: usize,
        diagnostic: &Diagnostic,
    ) -> Notification {
        Notification {
            descriptor: DescriptorReference {
                id: diagnostic.code.id,
                index: self.notices.index(diagnostic.code),
            },
            level: diagnostic.severity().as_str(),
            message: message(&message_and_help(diagnostic)),
            locations: vec![place(file, index, diagnostic)],
        }
    }
}

/// The place of a finding, with what is said there.
fn place(file: &FileReport, index: usize, diagnostic: &Diagnostic) -> Location {
    let source = file.source.as_ref();
    let first = source.zip(diagnostic.labels.first());
    Location {
        id: None,
        physical_location: PhysicalLocation {
            artifact_location: uri::location(&file.file, Some(index)),
            region: first.map(|(source, label)| region(source, label)),
        },
        message: first.and_then(|(_, label)| label_message(label)),
    }
}

fn related(
    file: &FileReport,
    index: usize,
    source: &Source,
    (number, label): (usize, &Label),
) -> Location {
    Location {
        id: Some(number),
        physical_location: PhysicalLocation {
            artifact_location: uri::location(&file.file, Some(index)),
            region: Some(region(source, label)),
        },
        message: label_message(label),
    }
}

fn fix_of(artifact_location: ArtifactLocation, source: &Source, fix: &diagnostics::Fix) -> Fix {
    // Where a text is put in, the place is exact: behind the last line end, too.
    let region = |span: Span| {
        let (start, end) = (source.position(span.start), source.position(span.end));
        text_region(Region { start, end })
    };
    let replacements = fix.edits.iter().map(|edit| Replacement {
        deleted_region: region(edit.span),
        inserted_content: Content {
            text: edit.text.clone(),
        },
    });
    Fix {
        description: message(&escaped_lines(&fix.title)),
        artifact_changes: [ArtifactChange {
            artifact_location,
            replacements: replacements.collect(),
        }],
    }
}

fn region(source: &Source, label: &Label) -> TextRegion {
    text_region(Region::of(source, label.span))
}

fn text_region(Region { start, end }: Region) -> TextRegion {
    TextRegion {
        start_line: start.line,
        start_column: start.column,
        end_line: end.line,
        end_column: end.column,
    }
}

fn label_message(label: &Label) -> Option<Message> {
    (!label.text.is_empty()).then(|| message(&escaped_lines(&label.text)))
}

/// A text as the standard writes one: braces, which stand for arguments, are doubled. What looks
/// like a link to a reader of logs is none, since words of a rulebook may stand in it.
fn message(text: &str) -> Message {
    Message {
        text: text
            .replace('{', "{{")
            .replace('}', "}}")
            .replace("](", "] ("),
    }
}

fn descriptor(code: &'static Code) -> Descriptor {
    let explanation = code.explanation.trim_end();
    let first_paragraph = explanation.split("\n\n").next().unwrap_or_default();
    Descriptor {
        id: code.id,
        name: name(code.title),
        short_description: message(code.title),
        full_description: message(&first_paragraph.replace('\n', " ")),
        default_configuration: Configuration {
            level: code.severity.as_str(),
        },
        help: Help {
            text: explanation,
            markdown: explanation,
        },
    }
}

/// A title as one word: `ToolRunsBehindARefusal`.
fn name(title: &str) -> String {
    let words = title.split(|letter: char| !letter.is_alphanumeric());
    let mut out = String::new();
    for word in words {
        let mut letters = word.chars();
        out.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        out.extend(letters);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_hold_no_arguments_and_no_links() {
        assert_eq!(
            message("in `{}`: [see](http://evil)").text,
            "in `{{}}`: [see] (http://evil)"
        );
    }

    #[test]
    fn titles_become_names() {
        assert_eq!(
            name("a tool runs, behind a `bot refuse`"),
            "AToolRunsBehindABotRefuse"
        );
        for code in crate::diagnostics::codes::all() {
            assert!(!name(code.title).is_empty(), "{}", code.id);
            let full = descriptor(code).full_description.text;
            // Longer ones are cut by servers.
            assert!(full.chars().count() <= 1_024, "{}", code.id);
        }
    }
}

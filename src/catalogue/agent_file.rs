//! `agent.yaml` (contract section 1).

use super::build;
use super::checks;
use super::read::policy;
use super::types::{Catalogue, SourceHash};
use crate::diagnostics::codes::catalogue::{CATALOGUE_TOO_LARGE, NOT_BUILT, VERSION};
use crate::diagnostics::{Diagnostic, Sink, text_faults};
use crate::ir::Rulebook;
use crate::ir::limits::MAX_ARTIFACT_BYTES;
use crate::provenance::source_sha256;
use crate::text::{Source, Spanned, quoted};
use crate::yaml::{self, Content, Fields, Node};

/// The name of the file that agents and tools are written in.
pub const AGENT_FILE_NAME: &str = "agent.yaml";

/// The one version that is read.
const VERSION_READ: u64 = 1;

/// An `agent.yaml` that was read, and not checked yet.
#[derive(Debug)]
pub struct AgentFile {
    source: Source,
    root: Option<Node>,
    found: Vec<Diagnostic>,
    rulebook: Option<Spanned<String>>,
}

/// What came of an `agent.yaml` and its rulebook.
#[derive(Debug)]
#[non_exhaustive]
pub struct CompiledAgents {
    /// The source of `agent.yaml`, which places refer to.
    pub source: Source,
    /// The catalogue; none where there are errors.
    pub catalogue: Option<Catalogue>,
    /// Everything found in `agent.yaml`, sorted.
    pub diagnostics: Vec<Diagnostic>,
}

impl AgentFile {
    /// Reads the bytes of an `agent.yaml`. `name` is what messages call the file.
    pub fn read(name: &str, bytes: &[u8]) -> Self {
        let (source, mut found) = text_faults::decode_document(name, bytes);
        let mut sink = Sink::new();
        let root = if found.is_empty() {
            yaml::read(&source, &mut sink)
        } else {
            None
        };
        found.extend(sink.into_sorted());
        let rulebook = root.as_ref().and_then(rulebook_of);
        Self {
            source,
            root,
            found,
            rulebook,
        }
    }

    /// The path of the rulebook as it is written, relative to the file's folder; none where it
    /// names none.
    pub fn rulebook(&self) -> Option<&str> {
        self.rulebook.as_ref().map(|path| path.value.as_str())
    }

    /// Checks the file, against the rulebook where there is one, and makes the catalogue. Without
    /// a rulebook there is no catalogue.
    pub fn compile(self, rulebook: Option<&Rulebook>) -> CompiledAgents {
        let mut sink = Sink::new();
        sink.extend(self.found);
        let file = self.source.name().rsplit('/').next().unwrap_or_default();
        let catalogue = self.root.as_ref().and_then(|root| {
            let hash = SourceHash {
                file: file.to_owned(),
                sha256: source_sha256(&self.source),
            };
            compile(root, rulebook, hash, &mut sink)
        });
        let failed = sink.has_errors();
        CompiledAgents {
            source: self.source,
            catalogue: catalogue.filter(|_| !failed),
            diagnostics: sink.into_sorted(),
        }
    }
}

/// The rulebook's path, before anything else is looked at.
fn rulebook_of(root: &Node) -> Option<Spanned<String>> {
    let mut nothing = Sink::new();
    let mut fields = Fields::of(root, "an agent file", &mut nothing)?;
    let entry = fields.take("rulebook")?;
    entry.value.text("`rulebook`", &mut nothing)
}

fn compile(
    root: &Node,
    rulebook: Option<&Rulebook>,
    hash: SourceHash,
    sink: &mut Sink,
) -> Option<Catalogue> {
    let mut fields = Fields::of(root, "`agent.yaml`", sink)?;
    let help = "write `version: 1` as the first line";
    if let Some(entry) = fields.require("version", help, sink) {
        let is_read = matches!(
            &entry.value.content,
            Content::Number(number) if number.as_u64() == Some(VERSION_READ)
        );
        if !is_read {
            // What the rest means is not known.
            sink.push(
                Diagnostic::new(
                    &VERSION,
                    entry.value.place,
                    "this build reads version 1 of `agent.yaml`",
                )
                .with_help("write `version: 1`, or use a build that reads this version"),
            );
            return None;
        }
    }
    let help = "write `rulebook: policy.co`, the file that governs the tools";
    let named = fields
        .require("rulebook", help, sink)
        .and_then(|entry| entry.value.text("`rulebook`", sink));
    if let Some(entry) = fields.take("approvals") {
        let message = format!("{} is not implemented by this build", quoted("approvals"));
        sink.push(
            Diagnostic::new(&NOT_BUILT, entry.key.span, message)
                .with_help("delete it: without it, transactional calls ask the caller's person"),
        );
    }
    let draft = policy(&mut fields, sink);
    fields.finish(sink);
    let place = named.map_or(root.place, |named| named.span);
    checks::run(&draft, rulebook, place, sink);
    let rulebook = rulebook?;
    let sources = vec![
        hash,
        SourceHash {
            file: rulebook.source.file.clone(),
            sha256: rulebook.source.sha256.clone(),
        },
    ];
    let catalogue = build::catalogue(&draft, rulebook.clone(), sources);
    if catalogue.to_bytes().len() > MAX_ARTIFACT_BYTES {
        sink.push(
            Diagnostic::new(
                &CATALOGUE_TOO_LARGE,
                draft.tools_place,
                "the catalogue would be larger than 16 MiB",
            )
            .with_help(
                "shorten what the schemas say, or divide the agents among several catalogues",
            ),
        );
        return None;
    }
    Some(catalogue)
}

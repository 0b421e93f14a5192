//! The types of `agent.catalogue.json`.
//!
//! Fields stand in alphabetical order, so that the file has sorted keys as it is written.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::ir::Rulebook;

/// The value of [`Catalogue::format`].
pub const FORMAT: &str = "agent-catalogue/1";

/// A compiled `agent.yaml`, with the rulebook in it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Catalogue {
    /// The agents, by name.
    pub agents: BTreeMap<String, Agent>,
    /// `agent-catalogue/1`.
    pub format: String,
    /// The rules on the order of calls, as they are written.
    pub order: Vec<OrderRule>,
    /// What the servers said of each tool when the catalogue was made with `--upstreams`; none
    /// where they were not asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pins: Option<BTreeMap<String, Pin>>,
    /// The rulebook's IR.
    pub rulebook: Rulebook,
    /// The files it was compiled from: `agent.yaml` and the rulebook.
    pub sources: Vec<SourceHash>,
    /// The tools, by name.
    pub tools: BTreeMap<String, Tool>,
    /// What a transactional call gets whose gate is silent.
    pub ungoverned: Ungoverned,
}

/// An agent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Agent {
    /// Agents that it may hand off to: their runs may name its runs as parents.
    pub hand_off: BTreeSet<String>,
    /// People who answer for it.
    pub owners: BTreeSet<String>,
    /// Tools that it may call.
    pub tools: BTreeSet<String>,
}

/// A tool.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// What a person is asked, in place of `Run T?`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm: Option<String>,
    /// Arguments that the host is told when it is asked for the context.
    pub context_arguments: BTreeSet<String>,
    /// The JSON Schema 2020-12 of its arguments.
    pub input_schema: Value,
    /// Whether it reads or writes.
    pub operation_type: OperationType,
    /// Whether it reads the world outside: what is called behind it in a run is marked.
    pub outside: bool,
    /// Whether a transactional call of it asks a person.
    pub require_confirmation: bool,
    /// The call that undoes one of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo: Option<Undo>,
}

/// Whether a tool reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OperationType {
    /// It changes nothing.
    ReadOnly,
    /// It changes something.
    Transactional,
}

/// What a transactional call gets whose gate is silent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ungoverned {
    /// The call goes on to the next step of the check.
    #[default]
    Allow,
    /// It is refused.
    Refuse,
}

/// A rule on the order of calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged, deny_unknown_fields)]
pub enum OrderRule {
    /// The tool may only be called behind a successful call of another.
    After {
        /// The tool that has to have succeeded.
        after: String,
        /// The tool that waits for it.
        tool: String,
    },
    /// The tool may be called so many times in a run.
    AtMost {
        /// How many times.
        at_most: u64,
        /// The tool.
        tool: String,
    },
}

/// The call that undoes another.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Undo {
    /// Its arguments: JSON, in which a text `$arguments.PATH` or `$result.PATH` stands for a value
    /// of the call that is undone.
    pub arguments: BTreeMap<String, Value>,
    /// Its tool.
    pub tool: String,
}

/// What a server said of a tool when the catalogue was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// The server, as `gateway.yaml` names it.
    pub server: String,
    /// SHA-256 of the canonical JSON of the tool's name, description, schemas and annotations, in
    /// lower-case hexadecimal digits.
    pub sha256: String,
}

impl Catalogue {
    /// What is pinned of a tool.
    pub fn pin(&self, tool: &str) -> Option<&Pin> {
        self.pins.as_ref()?.get(tool)
    }
}

impl Pin {
    /// Whether a server's definition of this hash is the one that was pinned.
    pub fn fits(&self, server: &str, sha256: &str) -> bool {
        self.server == server && self.sha256 == sha256
    }
}

/// A file and its hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceHash {
    /// The last component of its path.
    pub file: String,
    /// SHA-256 of its normalised text, in lower-case hexadecimal digits.
    pub sha256: String,
}

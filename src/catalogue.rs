//! The *catalogue*: which agents there are, which tools each may call, and what holds for every
//! call (gateway contract, section 1). It is compiled from `agent.yaml` and a rulebook by
//! `stalwart verify`, and is all that a gateway knows of the policy.
//!
//! [`AgentFile`] reads `agent.yaml` and compiles it; [`Catalogue::from_bytes`] loads what was
//! compiled, and holds it to the same checks; [`validator`] makes of a tool's input schema what
//! judges arguments.

mod agent_file;
mod build;
mod canonical;
mod checks;
mod draft;
mod input_schema;
mod json_schema;
mod load;
mod read;
mod types;

pub use agent_file::{AGENT_FILE_NAME, AgentFile, CompiledAgents};
pub use input_schema::{SchemaFault, validator};
pub use load::RefusedCatalogue;
pub use types::{
    Agent, Catalogue, FORMAT, OperationType, OrderRule, Pin, SourceHash, Tool, Undo, Ungoverned,
};

/// The name of the file that `stalwart verify --keep` writes.
pub const FILE_NAME: &str = "agent.catalogue.json";

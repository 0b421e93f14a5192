//! The *catalogue*: which agents there are, which tools each may call, and what holds for every
//! call (gateway contract, section 1). It is compiled from `agent.yaml` and a rulebook by
//! `stalwart verify`, and is all that a gateway knows of the policy.

mod types;

pub use types::{
    Agent, Catalogue, FORMAT, OperationType, OrderRule, Pin, SourceHash, Tool, Undo, Ungoverned,
};

/// The name of the file that `stalwart verify --keep` writes.
pub const FILE_NAME: &str = "agent.catalogue.json";

//! The limits that compiling and loading share: a rulebook that checks is within them, and an IR
//! beyond them is refused. Those of a text are in [`crate::text`].

/// Most bytes an artifact may have (contract section 1).
pub const MAX_ARTIFACT_BYTES: usize = 16 << 20;

/// Most branches a flow may have (contract section 4).
pub const MAX_BRANCHES: usize = 1_000;

/// Most branches of all flows that govern or guard (contract section 1).
pub const MAX_BRANCHES_IN_ALL: usize = 20_000;

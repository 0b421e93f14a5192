//! The bytes of a catalogue, and the hash of the policy.

use super::types::Catalogue;
use crate::ir::canonical_bytes;
use crate::provenance::sha256;

impl Catalogue {
    /// The bytes of `agent.catalogue.json`: UTF-8, sorted keys, two-space indentation, one final
    /// newline; the same on every machine.
    pub fn to_bytes(&self) -> Vec<u8> {
        canonical_bytes(self)
    }

    /// The *policy hash*: SHA-256 of [`Catalogue::to_bytes`], in lower-case hexadecimal digits.
    /// Rulebook, agents, tools, rules and pins all count.
    pub fn hash(&self) -> String {
        sha256(&self.to_bytes())
    }
}

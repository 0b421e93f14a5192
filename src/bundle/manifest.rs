//! `.manifest`: what the bundle claims, and where it comes from.

use serde::{Deserialize, Serialize};

use super::folder_of;
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::internal::INTERNAL;
use crate::provenance::Header;

/// File name of the manifest.
pub const MANIFEST_FILE: &str = ".manifest";

/// The manifest of a bundle. Its keys are in order: OPA hashes a manifest by its keys in order and
/// without blanks, which are then its very bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Where it comes from.
    pub metadata: Metadata,
    /// The version of the language of its packages.
    pub rego_version: u8,
    /// `sha256:` and the hash of the IR, as the header of the Rego has it: what decision logs name.
    pub revision: String,
    /// The parts of OPA's data that the bundle owns: the package's. Other bundles have the others.
    pub roots: Vec<String>,
}

/// What a manifest says of the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Metadata {
    /// The source file's name, as headers show it.
    pub source: String,
    /// `sha256:` and the hash of the source's text.
    pub source_hash: String,
    /// The version of the translator.
    pub translator: String,
}

impl Manifest {
    /// The manifest of a rulebook: what the header of its Rego states.
    pub fn of(package: &str, header: &Header) -> Self {
        Self {
            metadata: Metadata {
                source: header.source_file.clone(),
                source_hash: format!("sha256:{}", header.source_sha256),
                translator: header.translator.clone(),
            },
            rego_version: 1,
            revision: format!("sha256:{}", header.rulebook_sha256),
            roots: vec![folder_of(package)],
        }
    }

    /// Reads one.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }

    /// Its bytes.
    ///
    /// # Errors
    /// None that can be met.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Diagnostic> {
        serde_json::to_vec(self).map_err(|error| {
            let message = format!("no manifest can be written: {error}");
            Diagnostic::without_place(&INTERNAL, message)
        })
    }
}

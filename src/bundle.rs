//! OPA bundles: the package, its adapters and the IR in one archive that OPA loads and verifies
//! (`opa run --server -b bundle.tar.gz`). The same rulebook and key give the same bytes.
//!
//! The format is Open Policy Agent's, as its documentation describes bundles and their signatures.

mod archive;
mod compare;
mod key;
mod manifest;
mod open;
mod signature;

pub use compare::{differences, refusal};
pub use key::{Algorithm, SigningKey};
pub use manifest::{MANIFEST_FILE, Manifest, Metadata};
pub use open::read_bundle;
pub use signature::{SIGNATURES_FILE, Signing, signed_as};

use crate::artifacts::{IR_FILE, REGO_FILE};
use crate::diagnostics::Diagnostic;
use crate::emitter::{Artifacts, Companion};
use crate::ir::Rulebook;

/// A file of a bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its path in the bundle, with `/` and without a leading one.
    pub path: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// What a bundle holds, in the order of its archive: the manifest, the signatures where it is
/// signed, and the other files by path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bundle {
    members: Vec<Member>,
}

impl Bundle {
    /// The bundle of a rulebook, not signed: its artifacts, and the adapters that stand beside
    /// them. All lie in the folder of the package, so that OPA finds nothing outside of the root
    /// that the manifest claims.
    ///
    /// # Errors
    /// A manifest that cannot be written.
    pub fn new(
        rulebook: &Rulebook,
        artifacts: &Artifacts,
        adapters: &[Companion],
    ) -> Result<Self, Diagnostic> {
        let folder = folder_of(&rulebook.package);
        let member = |file: &str, bytes: &[u8]| Member {
            path: format!("{folder}/{file}"),
            bytes: bytes.to_vec(),
        };
        let mut files = vec![
            member(IR_FILE, &artifacts.ir),
            member(REGO_FILE, artifacts.rego.as_bytes()),
        ];
        let beside = adapters.iter();
        files.extend(beside.map(|beside| member(&beside.file, beside.text.as_bytes())));
        files.sort_by(|a, b| a.path.cmp(&b.path));
        let manifest = Manifest::of(&rulebook.package, &artifacts.header);
        let mut members = vec![Member {
            path: MANIFEST_FILE.to_owned(),
            bytes: manifest.to_bytes()?,
        }];
        members.append(&mut files);
        Ok(Self { members })
    }

    /// The same, signed.
    ///
    /// # Errors
    /// A key that does not sign.
    pub fn signed(mut self, signing: &Signing<'_>) -> Result<Self, Diagnostic> {
        let bytes = signature::signatures(&self.members, signing)?;
        let path = SIGNATURES_FILE.to_owned();
        self.members.insert(1, Member { path, bytes });
        Ok(self)
    }

    /// The archive. The same members give the same bytes on every machine.
    ///
    /// # Errors
    /// The reason why there is none.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Diagnostic> {
        archive::write(&self.members)
    }

    /// Reads an archive that a translator wrote, and nothing else: it is bounded, and what unpacks
    /// to other bytes than these members give is refused. `shown` is how messages call it.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn open(shown: &str, bytes: &[u8]) -> Result<Self, Diagnostic> {
        open::open(shown, bytes).map(|members| Self { members })
    }

    /// Its files, in order.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// The bytes of a file.
    pub fn member(&self, path: &str) -> Option<&[u8]> {
        let mut members = self.members.iter();
        let found = members.find(|member| member.path == path);
        found.map(|member| member.bytes.as_slice())
    }

    /// Whether it has signatures.
    pub fn is_signed(&self) -> bool {
        self.member(SIGNATURES_FILE).is_some()
    }

    /// What its manifest says; none where it is not as a translator writes it.
    pub fn manifest(&self) -> Option<Manifest> {
        Manifest::read(self.member(MANIFEST_FILE)?)
    }
}

/// The folder in a bundle whose files are at the place of a package: `stalwart/policy`.
pub fn folder_of(package: &str) -> String {
    package.replace('.', "/")
}

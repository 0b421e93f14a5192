//! Checks the chain source -> IR -> Rego of a folder, or of a bundle, offline, link by link
//! (contract section 8).
//! Nothing is trusted but bytes: every hash is computed anew, the IR is compiled from the source
//! where that is at hand, the Rego is emitted from the IR, and proved equal to it.

mod bundled;
mod links;

use std::path::{Path, PathBuf};

use crate::adapters::Silent;
use crate::artifacts::{
    IR_FILE, OtherRego, REGO_FILE, companions_in, other_regos, read_artifact, shown_path,
};
use crate::bundle::Bundle;
use crate::diagnostics::Diagnostic;
use crate::proof::Options;

/// What there is to judge by.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Evidence {
    folder: PathBuf,
    source: Option<SourceFile>,
    ir: Option<Vec<u8>>,
    rego: Option<Vec<u8>>,
    /// Names and bytes of the files that stand beside the pair as ours.
    companions: Vec<(String, Vec<u8>)>,
    others: Vec<OtherRego>,
    /// The bundle that all of it is in; none where it is a folder's.
    bundle: Option<Bundle>,
    /// The files that a project wants beside the pair, and what its adapters do with silent calls.
    wanted: Vec<(String, Silent)>,
}

/// The source that the artifacts are said to come from.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// How messages call it.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl Evidence {
    /// Reads the artifacts of a folder, and what other Rego lies beside them; or those of a
    /// bundle, where the path is a file. Without a source the chain is checked from the IR on.
    ///
    /// # Errors
    /// A folder or a file that cannot be read, a file that is no bundle. A missing artifact is no
    /// such error: it is a broken link.
    pub fn gather(folder: &Path, source: Option<SourceFile>) -> Result<Self, Diagnostic> {
        if folder.is_file() {
            return bundled::gather(folder, source);
        }
        if !folder.is_dir() {
            return Err(links::no_folder(folder));
        }
        let companions = companions_in(folder)?;
        let known: Vec<&str> = companions.iter().map(|(file, _)| file.as_str()).collect();
        let others = other_regos(folder, &known)?;
        Ok(Self {
            folder: folder.to_path_buf(),
            source,
            ir: read_artifact(&folder.join(IR_FILE))?,
            rego: read_artifact(&folder.join(REGO_FILE))?,
            companions,
            others,
            bundle: None,
            wanted: Vec::new(),
        })
    }

    /// The same, where a project says which files stand beside the pair: each must be there, and
    /// adapters as strict as it says.
    pub fn wanting(mut self, companions: Vec<(String, Silent)>) -> Self {
        self.wanted = companions;
        self
    }

    fn silent_wanted(&self, file: &str) -> Option<Silent> {
        let mut wanted = self.wanted.iter();
        let found = wanted.find(|(name, _)| name == file);
        found.map(|(_, silent)| *silent)
    }

    fn shown(&self, file: &str) -> String {
        match &self.bundle {
            Some(bundle) => bundled::shown(&self.folder, bundle, file),
            None => shown_path(&self.folder.join(file)),
        }
    }
}

/// A link of the chain, in the order in which they are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Link {
    /// The source is the one whose hash the artifacts record.
    Source,
    /// The IR is whole, and what the source gives.
    Ir,
    /// The Rego is, byte for byte, what the IR gives.
    Rego,
    /// Its tests and adapters, where there are any, are what the IR gives.
    Beside,
    /// The Rego decides as the IR does.
    Proof,
    /// No other file of the folder adds to the package.
    Extra,
    /// The bundle around them is what it says, and holds nothing else.
    Bundle,
}

impl Link {
    /// All links, in order.
    pub const ALL: [Self; 7] = [
        Self::Source,
        Self::Ir,
        Self::Rego,
        Self::Beside,
        Self::Proof,
        Self::Extra,
        Self::Bundle,
    ];

    /// Its name in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Ir => "ir",
            Self::Rego => "rego",
            Self::Beside => "beside",
            Self::Proof => "proof",
            Self::Extra => "extra",
            Self::Bundle => "bundle",
        }
    }
}

/// What came of checking a chain: what was found of each link, up to the first that is broken.
#[derive(Debug)]
#[non_exhaustive]
pub struct Verification {
    /// The links that hold, each with what was seen, in words.
    pub held: Vec<(Link, String)>,
    /// The first broken link, and what is wrong with it.
    pub broken: Option<(Link, Diagnostic)>,
}

/// Checks a chain.
pub fn verify(evidence: &Evidence, proof: Options<'_>) -> Verification {
    let mut held = Vec::new();
    let broken = links::check(evidence, proof, &mut held).err();
    Verification { held, broken }
}

//! The set of artifacts in a folder: written as one, compared with what would be written
//! (contract section 7, "Writing").

mod companions;
mod compare;
mod create;
mod existing;
mod folder;
mod guard;
mod paths;
#[cfg(test)]
mod tests;
mod write;

pub use companions::{asked_by, companions_in, companions_of, left_behind};
pub use compare::differences;
pub use create::create_files;
pub use existing::read_artifact;
pub use folder::{OtherRego, other_regos};
pub use guard::{looser, refusal};
pub use paths::{relative_path, shown_path, unreadable};
pub use write::{Replacement, create_folder, replace_file, write};

/// File name of the intermediate representation.
pub const IR_FILE: &str = "rulebook.ir.json";

/// File name of the Rego package.
pub const REGO_FILE: &str = "Rulebook.rego";

/// Which of the pair's files a set has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The intermediate representation and the Rego package.
    Rego,
    /// The intermediate representation alone.
    Ir,
}

/// A set of artifacts as the rulebook at hand gives it.
#[derive(Clone, Copy, Debug)]
pub struct ArtifactSet<'a> {
    /// The rulebook that the bytes came from.
    pub rulebook: &'a crate::ir::Rulebook,
    /// The bytes.
    pub artifacts: &'a crate::emitter::Artifacts,
    /// Which of them are wanted.
    pub target: Target,
    /// The files that are wanted beside the pair; none with [`Target::Ir`].
    pub companions: &'a [crate::emitter::Companion],
}

impl ArtifactSet<'_> {
    /// The names and bytes of its files, in the order of writing.
    fn files(&self) -> Vec<(&str, &[u8])> {
        let mut files = vec![(IR_FILE, self.artifacts.ir.as_slice())];
        if self.target == Target::Rego {
            files.push((REGO_FILE, self.artifacts.rego.as_bytes()));
        }
        let beside = self.companions.iter();
        files.extend(beside.map(|beside| (beside.file.as_str(), beside.text.as_bytes())));
        files
    }
}

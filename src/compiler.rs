//! The compiler's public face: from the bytes of a source to a checked rulebook.

use crate::diagnostics::Diagnostic;
use crate::ir;
use crate::syntax::tree;
use crate::text::Source;

/// What came of compiling one source.
#[derive(Debug)]
pub struct Compilation {
    /// The source, also when it has faults, so that diagnostics can be shown in it.
    pub source: Source,
    /// The tree; none when the text could not be read as a rulebook at all.
    pub tree: Option<tree::Rulebook>,
    /// The rulebook; none when there are errors.
    pub rulebook: Option<ir::Rulebook>,
    /// Everything found, sorted by place.
    pub diagnostics: Vec<Diagnostic>,
}

/// Compiles the bytes of one source.
///
/// `name` is the path that messages show (relative, with `/`); its last component is the file
/// name that the IR records. `package` is the Rego package that the IR records.
pub fn compile(name: &str, bytes: &[u8], package: &str) -> Compilation {
    let _ = package;
    let (source, _faults) = Source::decode(name, bytes);
    Compilation {
        source,
        tree: None,
        rulebook: None,
        diagnostics: Vec::new(),
    }
}

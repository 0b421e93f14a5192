//! From the bytes of a FILE to a rulebook: a source is compiled, an IR is loaded.

use std::path::Path;

use super::input;
use crate::compiler::{Depth, compile};
use crate::diagnostics::codes::artifacts::INTERNAL;
use crate::diagnostics::{Diagnostic, Severity};
use crate::ir::{Rulebook, from_bytes};
use crate::package::package_of_file;
use crate::text::{BYTE_ORDER_MARK, Source};

/// The package of a rulebook whose package does not matter.
const ANY_PACKAGE: &str = "stalwart.rulebook";

/// What came of a FILE.
pub(super) struct Loaded {
    /// The text that places refer to; none for an IR, whose findings have no places.
    pub(super) source: Option<Source>,
    /// The rulebook; none when there are errors.
    pub(super) rulebook: Option<Rulebook>,
    /// The findings, sorted.
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl Loaded {
    /// Whether there is an error.
    pub(super) fn has(&self, severity: Severity) -> bool {
        self.diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity() == severity)
    }
}

/// Whether bytes are an IR and not a source (contract section 6): the first byte that is no
/// blank is `{`.
pub(super) fn is_ir(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    bytes.trim_ascii_start().starts_with(b"{")
}

/// Compiles or loads. `package` is what a source's rulebook records; without one, the package
/// that the file's name gives, or any, where no artifact is made of it.
pub(super) fn load(path: &Path, bytes: &[u8], package: Option<&str>, depth: Depth) -> Loaded {
    if is_ir(bytes) {
        return load_ir(bytes);
    }
    let name = input::name_of(path);
    let own = package_of_name(&name);
    let package = package.or(own.as_deref()).unwrap_or(ANY_PACKAGE);
    let compilation = compile(&name, bytes, package, depth);
    let mut loaded = Loaded {
        source: Some(compilation.source),
        rulebook: compilation.rulebook,
        diagnostics: compilation.diagnostics,
    };
    if loaded.rulebook.is_none() && !loaded.has(Severity::Error) {
        loaded.diagnostics.push(Diagnostic::without_place(
            &INTERNAL,
            "the rulebook was refused, and no reason was found",
        ));
    }
    loaded
}

fn load_ir(bytes: &[u8]) -> Loaded {
    let (rulebook, diagnostics) = match from_bytes(bytes) {
        Ok(rulebook) => (Some(rulebook), Vec::new()),
        Err(error) => (None, vec![error.to_diagnostic()]),
    };
    Loaded {
        source: None,
        rulebook,
        diagnostics,
    }
}

fn package_of_name(name: &str) -> Option<String> {
    package_of_file(name.rsplit('/').next().unwrap_or(name)).ok()
}

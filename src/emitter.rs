//! From the IR to the bytes of the artifacts (contract sections 6 and 7).

mod rego;

use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::artifacts;
use crate::ir::limits::MAX_ARTIFACT_BYTES;
use crate::ir::{self, Rulebook};
use crate::package::parse_package;
use crate::provenance::{self, Header};
use crate::text::quoted;

pub use rego::{Because, Trace, Unreached};

/// The bytes of both artifacts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Artifacts {
    /// `rulebook.ir.json`
    pub ir: Vec<u8>,
    /// `Rulebook.rego`
    pub rego: String,
    /// What the header of the Rego states; the files beside it state the same.
    pub header: Header,
}

/// A file that is emitted beside the pair where it is asked for: its tests, an adapter for a proxy.
/// It begins with the lines of [`Header::facts`], and belongs to the IR that they name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Companion {
    /// Its name in the folder of the pair.
    pub file: String,
    /// Its text, a Rego module.
    pub text: String,
}

/// Emits both artifacts, as this version of the translator. The same rulebook gives the same
/// bytes, always and everywhere.
///
/// # Errors
/// An artifact of more than 16 MiB, where the diagnostic names the largest flow; a package name
/// that Rego cannot read; a condition that nests `or` in `and` too deeply.
pub fn emit(rulebook: &Rulebook) -> Result<Artifacts, Diagnostic> {
    emit_as(rulebook, provenance::TRANSLATOR)
}

/// Emits both artifacts with the version `translator` in the header: what that version would have
/// written, if it emitted as this one does (contract section 8).
///
/// # Errors
/// Those of [`emit`].
pub fn emit_as(rulebook: &Rulebook, translator: &str) -> Result<Artifacts, Diagnostic> {
    emit_within(rulebook, translator, MAX_ARTIFACT_BYTES)
}

fn emit_within(
    rulebook: &Rulebook,
    translator: &str,
    limit: usize,
) -> Result<Artifacts, Diagnostic> {
    if let Err(error) = parse_package(&rulebook.package) {
        return Err(Diagnostic::without_place(
            &artifacts::BAD_PACKAGE,
            format!(
                "{} cannot name a Rego package: {error}",
                quoted(&rulebook.package)
            ),
        )
        .with_help("name the package with `--package`, such as `--package stalwart.policy`"));
    }
    let ir = ir::to_bytes(rulebook);
    if ir.len() > limit {
        let sizes = rulebook.flows.iter().map(ir_size).enumerate();
        return Err(too_large(rulebook, "rulebook.ir.json", limit, sizes));
    }
    let header = Header {
        source_file: provenance::shown_file(&rulebook.source.file),
        source_sha256: rulebook.source.sha256.clone(),
        rulebook_sha256: provenance::sha256(&ir),
        translator: translator.to_owned(),
    };
    let body = rego::body(rulebook, limit)?;
    let mut rego = header.write(&rulebook.package);
    if rego.len() + body.length() > limit {
        let sizes = body.sections().iter();
        let sizes = sizes.map(|section| (section.flow, section.length));
        return Err(too_large(rulebook, "Rulebook.rego", limit, sizes));
    }
    rego.reserve(body.length());
    body.append_to(&mut rego);
    Ok(Artifacts { ir, rego, header })
}

/// The rules of the package below a header, to follow calls through: which of them are reached.
///
/// # Errors
/// A condition that nests `or` in `and` too deeply.
pub fn trace(rulebook: &Rulebook, header: &Header) -> Result<Trace, Diagnostic> {
    let lines = header.write(&rulebook.package).lines().count();
    rego::trace(rulebook, lines)
}

fn ir_size(flow: &ir::Flow) -> usize {
    serde_json::to_vec(flow).map_or(0, |bytes| bytes.len())
}

fn too_large(
    rulebook: &Rulebook,
    file: &str,
    limit: usize,
    sizes: impl Iterator<Item = (usize, usize)>,
) -> Diagnostic {
    // Of flows of one size the first.
    let largest = sizes
        .max_by_key(|(index, size)| (*size, std::cmp::Reverse(*index)))
        .and_then(|(index, _)| rulebook.flows.get(index));
    let culprit = largest.map_or_else(String::new, |flow| {
        format!(
            "; the largest flow is {} on line {}",
            quoted(&flow.name),
            flow.line
        )
    });
    Diagnostic::without_place(
        &artifacts::ARTIFACT_TOO_LARGE,
        format!("`{file}` would have more than {limit} bytes{culprit}"),
    )
    .with_help("split the rulebook into several files, or let that flow have fewer branches")
}

#[cfg(test)]
mod tests;

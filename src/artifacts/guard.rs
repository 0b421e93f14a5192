//! What a set of artifacts may not overwrite.

use std::path::Path;

use super::existing::{IrFacts, Origin, Slot, look, read_artifact};
use super::folder::require_folder;
use super::paths::shown_path;
use super::write::already_there;
use super::{ArtifactSet, IR_FILE, REGO_FILE, Target};
use crate::adapters::is_looser;
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::artifacts::{
    CANNOT_WRITE, LOOSER_ADAPTER, NOT_OURS, OTHER_PAIR, OTHER_RULEBOOK,
};
use crate::package::declared_package;
use crate::provenance::{Header, marked_file, sha256, shown_file};
use crate::text::quoted;

/// How every IR begins.
const IR_START: &[u8] = b"{\n  \"context\": [";

/// Whether `folder` holds something that the set must not replace: the artifacts of another
/// rulebook, a file that is none of ours, a Rego package that would lose its IR.
///
/// # Errors
/// The reason, when there is one; also when the folder's artifacts cannot be read.
pub fn refusal(folder: &Path, set: &ArtifactSet<'_>) -> Result<(), Diagnostic> {
    require_folder(folder)?;
    if set.target == Target::Rego && already_there(folder, set).is_some() {
        // What has the set's bytes is the set's.
        return Ok(());
    }
    let ir_path = folder.join(IR_FILE);
    let rego_path = folder.join(REGO_FILE);
    let ir = look(&ir_path)?;
    if set.target == Target::Ir {
        refuse_other_pair(&rego_path, set)?;
        return refuse_ir(&ir_path, &ir, set);
    }
    let own = set.rulebook.package.as_str();
    refuse_rego(&rego_path, |package| package == own, set)?;
    for beside in set.companions {
        let declared = declared_package(&beside.text);
        let is_its = |package: &str| declared.as_deref() == Some(package);
        let path = folder.join(&beside.file);
        refuse_rego(&path, is_its, set)?;
        refuse_looser(&path, &beside.text)?;
    }
    refuse_ir(&ir_path, &ir, set)
}

/// Whether a Rego file of ours may be replaced: it is one of this source, and of its package.
fn refuse_rego(
    path: &Path,
    is_its_package: impl Fn(&str) -> bool,
    set: &ArtifactSet<'_>,
) -> Result<(), Diagnostic> {
    match look(path)? {
        Slot::Absent | Slot::Link => Ok(()),
        Slot::Other => Err(no_file(path)),
        Slot::File(bytes) => {
            let origin = rego_origin(&bytes).ok_or_else(|| not_ours(path))?;
            let is_of_file = origin.file == shown_file(&set.rulebook.source.file);
            match &origin.package {
                Some(package) if !is_its_package(package) => {
                    Err(refused_origin(path, &origin, set))
                }
                _ if !is_of_file => Err(refused_origin(path, &origin, set)),
                _ => Ok(()),
            }
        }
    }
}

/// An adapter does not come to let more pass because an option was forgotten.
fn refuse_looser(path: &Path, new: &str) -> Result<(), Diagnostic> {
    match look(path)? {
        Slot::File(old) if is_looser(new, &String::from_utf8_lossy(&old)) => {
            Err(looser(&shown_path(path)))
        }
        _ => Ok(()),
    }
}

/// The diagnostic for an adapter that denies what its successor would let pass.
pub fn looser(shown: &str) -> Diagnostic {
    Diagnostic::without_place(
        &LOOSER_ADAPTER,
        format!("`{shown}` was written with `--deny-silent`, and these options would let silent calls pass"),
    )
    .with_help("give `--deny-silent` again, or delete the file first")
}

fn refuse_ir(path: &Path, ir: &Slot, set: &ArtifactSet<'_>) -> Result<(), Diagnostic> {
    match ir {
        Slot::Absent | Slot::Link => Ok(()),
        Slot::Other => Err(no_file(path)),
        Slot::File(bytes) => match IrFacts::read(bytes) {
            None if was_ours(bytes, &set.artifacts.ir) => Ok(()),
            None => Err(not_ours(path)),
            Some(facts) => refuse_origin(path, &facts.origin(), &set.rulebook.source.file, set),
        },
    }
}

/// Whether bytes that state no facts were once the IR of this source, whose IR is now `ours`:
/// edited or merged, they still have the line that names the file; torn off, they still begin
/// alike.
fn was_ours(bytes: &[u8], ours: &[u8]) -> bool {
    let names_file = |line: &&[u8]| line.starts_with(b"\"file\":");
    let mut own_lines = ours.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let own_line = own_lines.find(names_file);
    let mut lines = bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let is_named = own_line.is_some_and(|own| lines.any(|line| line == own));
    let is_torn = || {
        let parsed: Result<serde::de::IgnoredAny, _> = serde_json::from_slice(bytes);
        let begins_alike = bytes.starts_with(IR_START) || IR_START.starts_with(bytes);
        begins_alike && parsed.is_err_and(|error| error.is_eof())
    };
    is_named || is_torn()
}

fn refuse_origin(
    path: &Path,
    origin: &Origin,
    file: &str,
    set: &ArtifactSet<'_>,
) -> Result<(), Diagnostic> {
    if origin.is_other(file, &set.rulebook.package) {
        return Err(refused_origin(path, origin, set));
    }
    Ok(())
}

fn refused_origin(path: &Path, origin: &Origin, set: &ArtifactSet<'_>) -> Diagnostic {
    other_rulebook(path, origin, set)
        .with_help("name another folder with `--out-dir`, or delete the old artifacts first")
}

/// The diagnostic for an artifact of another rulebook.
pub(super) fn other_rulebook(path: &Path, origin: &Origin, set: &ArtifactSet<'_>) -> Diagnostic {
    Diagnostic::without_place(
        &OTHER_RULEBOOK,
        format!(
            "`{}` belongs to {}, not to {}, package {}",
            shown_path(path),
            origin.words(),
            quoted(&set.rulebook.source.file),
            quoted(&set.rulebook.package),
        ),
    )
}

/// What a Rego text says it belongs to; none when it does not say.
pub(super) fn rego_origin(bytes: &[u8]) -> Option<Origin> {
    let text = String::from_utf8_lossy(bytes);
    marked_file(&text).map(|file| Origin {
        file: file.to_owned(),
        package: declared_package(&text),
    })
}

fn refuse_other_pair(rego_path: &Path, set: &ArtifactSet<'_>) -> Result<(), Diagnostic> {
    let Some(bytes) = read_artifact(rego_path)? else {
        return Ok(());
    };
    let header = Header::parse(&String::from_utf8_lossy(&bytes));
    match header {
        Ok(header) if header.rulebook_sha256 == sha256(&set.artifacts.ir) => Ok(()),
        _ => Err(Diagnostic::without_place(
            &OTHER_PAIR,
            format!(
                "`{}` was emitted from another IR than this one",
                shown_path(rego_path)
            ),
        )
        .with_help("emit both without `--target ir`, or name another folder with `--out-dir`")),
    }
}

fn not_ours(path: &Path) -> Diagnostic {
    Diagnostic::without_place(
        &NOT_OURS,
        format!(
            "`{}` is not overwritten: it has no mark of this translator",
            shown_path(path)
        ),
    )
    .with_help("move or delete it, or name another folder with `--out-dir`")
}

fn no_file(path: &Path) -> Diagnostic {
    Diagnostic::without_place(
        &CANNOT_WRITE,
        format!(
            "`{}` cannot be written: it is a folder or a device",
            shown_path(path)
        ),
    )
    .with_help("move it away, or name another folder with `--out-dir`")
}

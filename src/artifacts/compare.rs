//! Compares a folder with the set that would be written into it (contract section 7,
//! `--check`).

use std::path::Path;

use super::companions::{asked_by, companions_in, is_given};
use super::existing::{IrFacts, read_artifact};
use super::folder::{other_regos, require_folder};
use super::guard::{other_rulebook, rego_origin};
use super::paths::shown_path;
use super::{ArtifactSet, IR_FILE, REGO_FILE, Target};
use crate::adapters::{Silent, silent_of};
use crate::diagnostics::codes::artifacts::{EXTRA, HAND_EDITED, MISSING, OTHER_TRANSLATOR, STALE};
use crate::diagnostics::{Code, Diagnostic};
use crate::package::declared_package;
use crate::provenance::{Header, TRANSLATOR, shown_file};
use crate::text::{quoted, visible};

/// What is different in `folder` from what `set` would write, the first difference first: the
/// IR, the Rego, what stands beside them, then files that should not be there. Other files are not named.
///
/// # Errors
/// A file that cannot be read.
pub fn differences(folder: &Path, set: &ArtifactSet<'_>) -> Result<Vec<Diagnostic>, Diagnostic> {
    require_folder(folder)?;
    let ir_path = folder.join(IR_FILE);
    let rego_path = folder.join(REGO_FILE);
    let ir = read_artifact(&ir_path)?;
    let rego = read_artifact(&rego_path)?;
    let header = rego
        .as_deref()
        .and_then(|bytes| Header::parse(&String::from_utf8_lossy(bytes)).ok());
    let translator = header.as_ref().map(|header| header.translator.as_str());

    let mut found = Vec::new();
    match ir {
        None => found.push(missing(&ir_path)),
        Some(bytes) if bytes == set.artifacts.ir => {}
        Some(bytes) => found.push(ir_difference(&ir_path, &bytes, translator, set)),
    }
    match (rego, set.target) {
        (None, Target::Rego) => found.push(missing(&rego_path)),
        (Some(bytes), Target::Rego) if bytes == set.artifacts.rego.as_bytes() => {}
        (Some(bytes), Target::Rego) => {
            let package = &set.rulebook.package;
            found.push(rego_difference(
                &rego_path,
                &bytes,
                header.as_ref(),
                package,
                set,
            ));
        }
        (None, Target::Ir) => {}
        (Some(_), Target::Ir) => found.push(finding(
            &EXTRA,
            &rego_path,
            "is extra: `--target ir` would not write it",
            "delete it, or check without `--target ir`",
        )),
    }
    let mut known: Vec<&str> = Vec::new();
    for beside in set.companions {
        let path = folder.join(&beside.file);
        known.push(&beside.file);
        match read_artifact(&path)? {
            None => found.push(missing(&path)),
            Some(bytes) if bytes == beside.text.as_bytes() => {}
            Some(bytes) if is_given(set, &beside.file, &bytes) => {
                found.push(written_otherwise(&path, &beside.text));
            }
            Some(bytes) => {
                let package = declared_package(&beside.text).unwrap_or_default();
                let header = Header::parse(&String::from_utf8_lossy(&bytes)).ok();
                found.push(rego_difference(
                    &path,
                    &bytes,
                    header.as_ref(),
                    &package,
                    set,
                ));
            }
        }
    }
    let unasked = companions_in(folder)?;
    for (file, _) in &unasked {
        if !known.contains(&file.as_str()) {
            known.push(file);
            found.push(finding(
                &EXTRA,
                &folder.join(file),
                "is extra: these options would not write it",
                &match asked_by(file) {
                    Some(option) => format!("check with `{option}`, or delete it"),
                    None => "delete it".to_owned(),
                },
            ));
        }
    }
    for other in other_regos(folder, &known)? {
        let Some(declared) = other.package_adding_to(&set.rulebook.package) else {
            continue;
        };
        found.push(finding(
            &EXTRA,
            &other.path,
            &if declared == set.rulebook.package {
                format!("is extra: it declares package {} too", quoted(declared))
            } else {
                format!(
                    "is extra: its package {} can add to {}",
                    quoted(declared),
                    quoted(&set.rulebook.package)
                )
            },
            "move it to another folder, or give it another package",
        ));
    }
    Ok(found)
}

fn ir_difference(
    path: &Path,
    bytes: &[u8],
    translator: Option<&str>,
    set: &ArtifactSet<'_>,
) -> Diagnostic {
    let source = &set.rulebook.source;
    let Some(facts) = IrFacts::read(bytes) else {
        return hand_edited(path);
    };
    let origin = facts.origin();
    if origin.is_other(&source.file, &set.rulebook.package) {
        return other_rulebook(path, &origin, set);
    }
    if facts.source_sha256() != source.sha256 {
        return stale(path, set);
    }
    // An IR names no version. The Rego beside it does, and they were written together.
    match translator {
        Some(other) if other != TRANSLATOR => other_translator(path, other),
        _ => hand_edited(path),
    }
}

fn rego_difference(
    path: &Path,
    bytes: &[u8],
    header: Option<&Header>,
    package: &str,
    set: &ArtifactSet<'_>,
) -> Diagnostic {
    let (Some(header), Some(origin)) = (header, rego_origin(bytes)) else {
        return hand_edited(path);
    };
    if origin.is_other(&shown_file(&set.rulebook.source.file), package) {
        return other_rulebook(path, &origin, set);
    }
    if header.source_sha256 != set.rulebook.source.sha256 {
        return stale(path, set);
    }
    if header.translator != TRANSLATOR {
        return other_translator(path, &header.translator);
    }
    hand_edited(path)
}

fn written_otherwise(path: &Path, wanted: &str) -> Diagnostic {
    let (was, help) = match silent_of(wanted) {
        Some(Silent::Deny) => (
            "without `--deny-silent`, which these options have",
            "emit without `--check` writes it anew",
        ),
        _ => (
            "with `--deny-silent`, which these options lack",
            "check with `--deny-silent`, as it was emitted",
        ),
    };
    finding(&HAND_EDITED, path, &format!("was written {was}"), help)
}

fn missing(path: &Path) -> Diagnostic {
    finding(
        &MISSING,
        path,
        "is missing",
        "emit without `--check` writes it",
    )
}

fn stale(path: &Path, set: &ArtifactSet<'_>) -> Diagnostic {
    finding(
        &STALE,
        path,
        &format!(
            "is stale: it was emitted from another text of {}",
            quoted(&set.rulebook.source.file)
        ),
        "emit without `--check` writes it anew",
    )
}

fn other_translator(path: &Path, other: &str) -> Diagnostic {
    finding(
        &OTHER_TRANSLATOR,
        path,
        &format!(
            "was emitted by translator {}, this is {TRANSLATOR}",
            visible(other)
        ),
        "check with that version, or emit with this one",
    )
}

fn hand_edited(path: &Path) -> Diagnostic {
    finding(
        &HAND_EDITED,
        path,
        "is hand-edited: the source gives other bytes",
        "change the rulebook, not the artifact; emit without `--check` writes it anew",
    )
}

fn finding(code: &'static Code, path: &Path, what: &str, help: &str) -> Diagnostic {
    Diagnostic::without_place(code, format!("`{}` {what}", shown_path(path))).with_help(help)
}

//! The chain inside of a bundle, and the bundle around it.

use std::path::Path;

use super::links::no_folder;
use super::{Evidence, SourceFile};
use crate::adapters::Adapter;
use crate::artifacts::{IR_FILE, REGO_FILE, shown_path};
use crate::bundle::{
    Bundle, MANIFEST_FILE, Manifest, SIGNATURES_FILE, folder_of, read_bundle, signed_as,
};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::bundles::BROKEN_BUNDLE;
use crate::ir::Rulebook;
use crate::provenance::Header;
use crate::text::{escaped, quoted};

/// How every compressed archive begins: a file that does not was never meant for a bundle.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Reads the artifacts of a bundle.
pub(super) fn gather(file: &Path, source: Option<SourceFile>) -> Result<Evidence, Diagnostic> {
    let bytes = read_bundle(file)?.unwrap_or_default();
    if !bytes.starts_with(&GZIP) {
        return Err(no_folder(file));
    }
    let bundle = Bundle::open(&shown_path(file), &bytes)?;
    let folder = folder(&bundle);
    let member = |file: &str| {
        bundle
            .member(&format!("{folder}{file}"))
            .map(<[u8]>::to_vec)
    };
    let adapters = Adapter::ALL.into_iter().map(Adapter::file);
    Ok(Evidence {
        folder: file.to_path_buf(),
        source,
        ir: member(IR_FILE),
        rego: member(REGO_FILE),
        companions: adapters
            .filter_map(|file| member(&file).map(|bytes| (file, bytes)))
            .collect(),
        others: Vec::new(),
        bundle: Some(bundle),
        wanted: Vec::new(),
    })
}

/// The folder that the artifacts lie in, with its `/`: where the IR is, else where the Rego is.
fn folder(bundle: &Bundle) -> &str {
    let with = |file: &'static str| {
        let mut paths = bundle.members().iter().map(|member| member.path.as_str());
        paths.find_map(move |path| {
            let folder = path.strip_suffix(file)?;
            (folder.is_empty() || folder.ends_with('/')).then_some(folder)
        })
    };
    with(IR_FILE)
        .or_else(|| with(REGO_FILE))
        .unwrap_or_default()
}

/// How messages call a file in a bundle.
pub(super) fn shown(path: &Path, bundle: &Bundle, file: &str) -> String {
    let member = escaped(&format!("{}{file}", folder(bundle)));
    format!("{}:{member}", shown_path(path))
}

/// The manifest is the one that a translator writes for this rulebook, every file is one that a
/// bundle has and where its package belongs, and signatures are of these very files.
pub(super) fn check(
    path: &Path,
    bundle: &Bundle,
    rulebook: &Rulebook,
    header: Option<&Header>,
) -> Result<String, Diagnostic> {
    let shown = shown_path(path);
    let wrong = |what: String| {
        Diagnostic::without_place(&BROKEN_BUNDLE, format!("`{shown}` {what}"))
            .with_help("make it again with `RulebookTranslator bundle`")
    };
    let package = folder_of(&rulebook.package);
    let adapters = Adapter::ALL.into_iter().map(Adapter::file);
    let own: Vec<String> = [IR_FILE.to_owned(), REGO_FILE.to_owned()]
        .into_iter()
        .chain(adapters)
        .map(|file| format!("{package}/{file}"))
        .chain([MANIFEST_FILE.to_owned(), SIGNATURES_FILE.to_owned()])
        .collect();
    let mut members = bundle.members().iter();
    if let Some(other) = members.find(|member| !own.contains(&member.path)) {
        return Err(wrong(format!(
            "holds {}, which no bundle of package {} has",
            quoted(&other.path),
            quoted(&rulebook.package)
        )));
    }
    let Some(found) = bundle.member(MANIFEST_FILE) else {
        return Err(wrong(format!("has no `{MANIFEST_FILE}`")));
    };
    let wanted = header.map(|header| Manifest::of(&rulebook.package, header));
    let wanted = match &wanted {
        Some(manifest) if manifest.to_bytes()? == found => manifest,
        _ => {
            return Err(wrong(match (Manifest::read(found), &wanted) {
                (Some(found), Some(wanted)) => difference(&found, wanted),
                _ => "has a manifest that no translator writes".to_owned(),
            }));
        }
    };
    let signed = match bundle.is_signed() {
        false => "not signed".to_owned(),
        true => match signed_as(bundle.members()) {
            None => {
                let what = "has signatures that are not of exactly what is in it";
                return Err(wrong(what.to_owned()));
            }
            Some((key_id, scope)) => {
                let part = |name: &str, value: Option<String>| {
                    value.map_or_else(String::new, |value| format!(", {name} {}", quoted(&value)))
                };
                format!(
                    "signed{}{}; the signature is OPA's to verify",
                    part("key id", key_id),
                    part("scope", scope)
                )
            }
        },
    };
    Ok(format!(
        "`{shown}`, revision {}, root `{package}`, {signed}",
        wanted.revision
    ))
}

/// Where a manifest parts from the one that it should be.
fn difference(found: &Manifest, wanted: &Manifest) -> String {
    if found.roots != wanted.roots {
        let roots = quoted(&found.roots.join(", "));
        return format!(
            "claims the roots {roots}, not `{}`",
            wanted.roots.join(", ")
        );
    }
    if found.revision != wanted.revision {
        let revision = quoted(&found.revision);
        return format!("has the revision {revision}, not `{}`", wanted.revision);
    }
    "has another manifest than its Rego gives".to_owned()
}

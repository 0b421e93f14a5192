//! A bundle that is there, held to the one that the rulebook gives.

use super::{Bundle, Manifest, Member, SIGNATURES_FILE, signed_as};
use crate::adapters::is_looser;
use crate::artifacts::looser;
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::bundles::{BUNDLE_DIFFERS, NOT_OUR_BUNDLE};
use crate::text::quoted;

/// What makes the bundle that is there, if there is one, another than `wanted`; nothing where it
/// is the same. A signed bundle is the same as one without signatures that it covers: who checks
/// need not have the key.
///
/// # Errors
/// A bundle that cannot be written.
pub fn differences(
    shown: &str,
    found: Option<&[u8]>,
    wanted: &Bundle,
) -> Result<Vec<Diagnostic>, Diagnostic> {
    let Some(bytes) = found else {
        return Ok(vec![differs(format!("`{shown}` is missing"))]);
    };
    if wanted.to_bytes()? == bytes {
        return Ok(Vec::new());
    }
    let found = match Bundle::open(shown, bytes) {
        Ok(found) => found,
        Err(diagnostic) => return Ok(vec![diagnostic]),
    };
    let origins = match (found.manifest(), wanted.manifest()) {
        (Some(found), Some(wanted)) => origin(&found, &wanted),
        _ => Some("has a manifest that no translator writes".to_owned()),
    };
    let mut whats = match origins {
        Some(what) => vec![what],
        None => members(&found, wanted),
    };
    if whats.is_empty() {
        whats.extend(signatures(&found, wanted));
    }
    if whats.is_empty() && found.to_bytes()? != bytes {
        whats.push("holds the same, compressed otherwise than this translator does".to_owned());
    }
    let told = whats.into_iter();
    Ok(told
        .map(|what| differs(format!("`{shown}` {what}")))
        .collect())
}

fn differs(message: String) -> Diagnostic {
    Diagnostic::without_place(&BUNDLE_DIFFERS, message)
        .with_help("make it again, with the same options and without `--check`")
}

/// What sets the origins of two bundles apart, the most telling first.
fn origin(found: &Manifest, wanted: &Manifest) -> Option<String> {
    let (from, own) = (&found.metadata, &wanted.metadata);
    if found.roots != wanted.roots || from.source != own.source {
        return Some(format!("belongs to {}", owner(found)));
    }
    if from.source_hash != own.source_hash {
        return Some(format!(
            "is stale: it is of {}, the source has {}",
            quoted(&from.source_hash),
            own.source_hash
        ));
    }
    if from.translator != own.translator {
        return Some(format!(
            "was made by translator {}, this is {}",
            quoted(&from.translator),
            own.translator
        ));
    }
    (found != wanted).then(|| "has another manifest than the source gives".to_owned())
}

fn owner(manifest: &Manifest) -> String {
    format!(
        "{}, roots {}",
        quoted(&manifest.metadata.source),
        quoted(&manifest.roots.join(", "))
    )
}

fn is_signatures(member: &&Member) -> bool {
    member.path == SIGNATURES_FILE
}

fn members(found: &Bundle, wanted: &Bundle) -> Vec<String> {
    let mut whats = Vec::new();
    for member in wanted.members().iter().filter(|one| !is_signatures(one)) {
        match found.member(&member.path) {
            None => whats.push(format!("does not hold `{}`", member.path)),
            Some(bytes) if bytes != member.bytes => {
                whats.push(format!(
                    "holds another `{}` than the source gives",
                    member.path
                ));
            }
            Some(_) => {}
        }
    }
    for member in found.members().iter().filter(|one| !is_signatures(one)) {
        if wanted.member(&member.path).is_none() {
            let path = quoted(&member.path);
            whats.push(format!("holds {path}, which these options would not write"));
        }
    }
    whats
}

fn signatures(found: &Bundle, wanted: &Bundle) -> Option<String> {
    match (
        wanted.member(SIGNATURES_FILE),
        found.member(SIGNATURES_FILE),
    ) {
        (Some(_), None) => Some("is not signed".to_owned()),
        (Some(own), Some(other)) if own != other => {
            Some("is signed otherwise: by another key, key id or scope".to_owned())
        }
        (None, Some(_)) if signed_as(found.members()).is_none() => {
            Some("has signatures that do not cover what is in it".to_owned())
        }
        _ => None,
    }
}

/// Whether the file that is there must not be replaced: it is no bundle of this source and
/// package.
///
/// # Errors
/// The reason, when there is one.
pub fn refusal(shown: &str, found: &[u8], wanted: &Bundle) -> Result<(), Diagnostic> {
    let refused = |what: String| {
        Diagnostic::without_place(&NOT_OUR_BUNDLE, format!("`{shown}` {what}"))
            .with_help("name another file with `--out`, or delete this one first")
    };
    let opened = Bundle::open(shown, found).ok();
    let opened = opened.and_then(|bundle| Some((bundle.manifest()?, bundle)));
    let Some((manifest, opened)) = opened else {
        return Err(refused(
            "is there, and is no bundle of a rulebook".to_owned(),
        ));
    };
    let own = wanted.manifest();
    let is_own = own.is_some_and(|own| {
        own.roots == manifest.roots && own.metadata.source == manifest.metadata.source
    });
    if !is_own {
        return Err(refused(format!("belongs to {}", owner(&manifest))));
    }
    for member in wanted.members() {
        let old = String::from_utf8_lossy(opened.member(&member.path).unwrap_or_default());
        if is_looser(&String::from_utf8_lossy(&member.bytes), &old) {
            return Err(looser(&format!("{shown}: {}", member.path)));
        }
    }
    if opened.is_signed() && !wanted.is_signed() {
        // Who loads it asks for a signature, and would be left without a rulebook.
        return Err(Diagnostic::without_place(
            &NOT_OUR_BUNDLE,
            format!("`{shown}` is signed, and is not replaced by an unsigned bundle"),
        )
        .with_help("sign this one too, with `--signing-key FILE`, or delete the other first"));
    }
    Ok(())
}

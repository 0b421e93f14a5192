//! The links, one function each. Each is given what the links before it have established.

use std::path::Path;

use super::{Evidence, Link, SourceFile, bundled};
use crate::adapters::{Silent, silent_of};
use crate::artifacts::{IR_FILE, REGO_FILE, asked_by, companions_of, shown_path};
use crate::compiler::{Depth, compile};
use crate::diagnostics::codes::proof::{
    BROKEN_EXTRA, BROKEN_IR, BROKEN_REGO, BROKEN_SOURCE, NO_ARTIFACTS,
};
use crate::diagnostics::{Code, Diagnostic};
use crate::emitter::{Artifacts, emit_as};
use crate::ir::{self, Rulebook};
use crate::proof::{self, Options};
use crate::provenance::{Header, TRANSLATOR, sha256, shown_file, source_sha256};
use crate::text::{Source, quoted};

type Held = Vec<(Link, String)>;
type Broken = (Link, Diagnostic);

/// What both artifacts are, before the links between them are judged.
struct Parts<'e> {
    ir: &'e [u8],
    rulebook: Result<Rulebook, ir::LoadError>,
    /// None where the Rego is missing or its header is not as a translator writes it.
    header: Option<Header>,
}

pub(super) fn check(
    evidence: &Evidence,
    proof: Options<'_>,
    held: &mut Held,
) -> Result<(), Broken> {
    let broken = |link| move |diagnostic| (link, diagnostic);
    let parts = parts(evidence);
    let source = check_source(evidence, parts.as_ref()).map_err(broken(Link::Source))?;
    held.push((Link::Source, source));
    let missing = || missing(evidence, &BROKEN_IR, IR_FILE);
    let parts = parts.ok_or_else(missing).map_err(broken(Link::Ir))?;
    let seen = check_ir(evidence, &parts).map_err(broken(Link::Ir))?;
    held.push((Link::Ir, seen));
    let load = |error: &ir::LoadError| (Link::Ir, error.to_diagnostic());
    let rulebook = parts.rulebook.as_ref().map_err(load)?;
    let (rego, seen) = check_rego(evidence, &parts, rulebook).map_err(broken(Link::Rego))?;
    held.push((Link::Rego, seen));
    if !evidence.companions.is_empty() || !evidence.wanted.is_empty() {
        let seen = check_beside(evidence, parts.ir, rulebook).map_err(broken(Link::Beside))?;
        held.push((Link::Beside, seen));
    }
    let failed = |failure: proof::Failure| (Link::Proof, failure.to_diagnostic());
    let proof = proof::prove(rulebook, &rego, proof).map_err(failed)?;
    held.push((Link::Proof, proof.to_string()));
    if let Some(bundle) = &evidence.bundle {
        let header = parts.header.as_ref();
        let seen = bundled::check(&evidence.folder, bundle, rulebook, header);
        held.push((Link::Bundle, seen.map_err(broken(Link::Bundle))?));
        return Ok(());
    }
    let seen = check_extra(evidence, rulebook).map_err(broken(Link::Extra))?;
    held.push((Link::Extra, seen));
    Ok(())
}

fn parts(evidence: &Evidence) -> Option<Parts<'_>> {
    let ir = evidence.ir.as_deref()?;
    let rego = evidence.rego.as_deref().unwrap_or_default();
    Some(Parts {
        ir,
        rulebook: ir::from_bytes(ir),
        header: std::str::from_utf8(rego)
            .ok()
            .and_then(|rego| Header::parse(rego).ok()),
    })
}

/// The source's hash is the one recorded. Where the two artifacts record different hashes and one
/// of them is the source's, the other artifact is what is wrong, not the source.
fn check_source(evidence: &Evidence, parts: Option<&Parts<'_>>) -> Result<String, Diagnostic> {
    let Some(source) = &evidence.source else {
        return Ok("not given".to_owned());
    };
    let (text, _) = Source::decode(&source.name, &source.bytes);
    let actual = source_sha256(&text);
    let header = parts.and_then(|parts| parts.header.as_ref());
    let rulebook = parts.and_then(|parts| parts.rulebook.as_ref().ok());
    let recorded = [
        rulebook.map(|rulebook| (&rulebook.source.sha256, IR_FILE)),
        header.map(|header| (&header.source_sha256, REGO_FILE)),
    ];
    let mut recorded = recorded.into_iter().flatten();
    let Some((hash, file)) = recorded.next() else {
        return Ok(format!("{}, sha256:{actual}", quoted(&source.name)));
    };
    if *hash == actual || recorded.any(|(hash, _)| *hash == actual) {
        return Ok(format!("{}, sha256:{actual}", quoted(&source.name)));
    }
    Err(Diagnostic::without_place(
        &BROKEN_SOURCE,
        format!(
            "{} is not the text that `{}` was emitted from: it has sha256:{actual}, recorded is sha256:{hash}",
            quoted(&source.name),
            evidence.shown(file),
        ),
    )
    .with_help("give the source of that hash, or emit the artifacts again from this one"))
}

/// The IR loads, has the bytes that a translator writes, records the source's hash, and is what
/// the source gives.
fn check_ir(evidence: &Evidence, parts: &Parts<'_>) -> Result<String, Diagnostic> {
    let shown = evidence.shown(IR_FILE);
    let wrong = |what: String| {
        Diagnostic::without_place(&BROKEN_IR, format!("`{shown}` {what}"))
            .with_help("emit it again from its source; it is not meant to be edited")
    };
    let rulebook = parts
        .rulebook
        .as_ref()
        .map_err(|error| wrong(format!("is no IR that a source gives: {error}")))?;
    if ir::to_bytes(rulebook) != parts.ir {
        return Err(wrong(
            "has not the bytes that a translator writes for what it says".to_owned(),
        ));
    }
    let hash = sha256(parts.ir);
    let Some(source) = &evidence.source else {
        let from = &rulebook.source;
        return Ok(format!(
            "`{shown}`, sha256:{hash}, of {}, sha256:{}",
            quoted(&from.file),
            from.sha256
        ));
    };
    let compiled = compiled(source, rulebook).map_err(wrong)?;
    if rulebook.source.sha256 != compiled.source.sha256 {
        return Err(wrong(format!(
            "was emitted from another text than {}: it records sha256:{}",
            quoted(&source.name),
            rulebook.source.sha256
        )));
    }
    if compiled != *rulebook || ir::to_bytes(&compiled) != parts.ir {
        return Err(wrong(format!(
            "is not what {} gives{}",
            quoted(&source.name),
            emitted_by(parts.header.as_ref())
        )));
    }
    Ok(format!(
        "`{shown}`, sha256:{hash}, what {} gives",
        quoted(&source.name)
    ))
}

/// What the source gives under the file name and the package that the IR records: a source may
/// lie under another name where it is checked.
fn compiled(source: &SourceFile, recorded: &Rulebook) -> Result<Rulebook, String> {
    let name = &recorded.source.file;
    let compilation = compile(name, &source.bytes, &recorded.package, Depth::Errors);
    compilation.rulebook.ok_or_else(|| {
        format!(
            "cannot come from {}, which has errors; `check` shows them",
            quoted(&source.name)
        )
    })
}

/// The Rego's header names the IR and its source, and the whole file is, byte for byte, what the
/// IR gives under the version that the header names.
fn check_rego(
    evidence: &Evidence,
    parts: &Parts<'_>,
    rulebook: &Rulebook,
) -> Result<(String, String), Diagnostic> {
    let shown = evidence.shown(REGO_FILE);
    let wrong = |what: String| {
        Diagnostic::without_place(&BROKEN_REGO, format!("`{shown}` {what}"))
            .with_help("emit it again; it is not meant to be edited")
    };
    let Some(bytes) = evidence.rego.as_deref() else {
        return Err(missing(evidence, &BROKEN_REGO, REGO_FILE));
    };
    let rego = std::str::from_utf8(bytes).map_err(|_| wrong("is not UTF-8 text".to_owned()))?;
    let header = header_of(rego, parts.ir, rulebook).map_err(wrong)?;
    let Artifacts { rego: again, .. } = emit_as(rulebook, &header.translator)
        .map_err(|error| wrong(format!("cannot come from the IR: {}", error.message)))?;
    if again != rego {
        return Err(wrong(format!(
            "is not what the IR gives{}: {}",
            emitted_by(Some(&header)),
            first_difference(rego, &again)
        )));
    }
    let seen = format!("`{shown}`, what the IR gives{}", emitted_by(Some(&header)));
    Ok((again, seen))
}

/// The header of a Rego module of ours, which names the IR and its source.
fn header_of(rego: &str, ir: &[u8], rulebook: &Rulebook) -> Result<Header, String> {
    let header = Header::parse(rego).map_err(|fault| {
        format!(
            "has a header that no translator writes, on line {}",
            fault.line
        )
    })?;
    let hash = sha256(ir);
    if header.rulebook_sha256 != hash {
        return Err(format!(
            "was emitted from another IR than the one beside it: it records sha256:{}, the IR has sha256:{hash}",
            header.rulebook_sha256
        ));
    }
    let from = &rulebook.source;
    if header.source_sha256 != from.sha256 || header.source_file != shown_file(&from.file) {
        return Err(format!(
            "names {} with sha256:{} as its source, the IR {} with sha256:{}",
            quoted(&header.source_file),
            header.source_sha256,
            quoted(&from.file),
            from.sha256
        ));
    }
    Ok(header)
}

/// The files beside the pair are, byte for byte, what the IR gives in one of the ways that they can
/// be asked for.
fn check_beside(evidence: &Evidence, ir: &[u8], rulebook: &Rulebook) -> Result<String, Diagnostic> {
    let mut seen = Vec::new();
    for (file, bytes) in &evidence.companions {
        let shown = evidence.shown(file);
        let wrong = |what: String| {
            Diagnostic::without_place(&BROKEN_REGO, format!("`{shown}` {what}")).with_help(
                match asked_by(file) {
                    Some(option) => {
                        format!("emit again with `{option}`; it is not meant to be edited")
                    }
                    None => "emit it again; it is not meant to be edited".to_owned(),
                },
            )
        };
        let text = std::str::from_utf8(bytes).map_err(|_| wrong("is not UTF-8 text".to_owned()))?;
        let header = header_of(text, ir, rulebook).map_err(wrong)?;
        let again = companions_of(rulebook, &header, file)
            .map_err(|error| wrong(format!("cannot come from the IR: {}", error.message)))?;
        if !again.iter().any(|companion| companion.text == text) {
            let nearest = again
                .first()
                .map_or("", |companion| companion.text.as_str());
            return Err(wrong(format!(
                "is not what the IR gives{}: {}",
                emitted_by(Some(&header)),
                first_difference(text, nearest)
            )));
        }
        let silent = silent_of(text);
        if let Some(wanted) = evidence.silent_wanted(file).filter(|_| silent.is_some())
            && silent != Some(wanted)
        {
            return Err(wrong(format!(
                "is not as the project wants it: silent calls {}",
                fate(silent)
            )));
        }
        let said = silent.map_or_else(String::new, |_| format!(" (silent calls {})", fate(silent)));
        seen.push(format!("`{shown}`{said}{}", emitted_by(Some(&header))));
    }
    for (file, _) in &evidence.wanted {
        if !evidence.companions.iter().any(|(found, _)| found == file) {
            return Err(missing(evidence, &BROKEN_REGO, file));
        }
    }
    Ok(format!("{}, what the IR gives", seen.join(", ")))
}

fn fate(silent: Option<Silent>) -> &'static str {
    match silent {
        Some(Silent::Deny) => "are denied",
        _ => "pass",
    }
}

/// Which other translator wrote the artifacts; nothing where it was this one.
fn emitted_by(header: Option<&Header>) -> String {
    match header {
        Some(header) if header.translator != TRANSLATOR => format!(
            " (note: emitted by translator {}, this is {TRANSLATOR})",
            header.translator
        ),
        _ => String::new(),
    }
}

/// Where two texts part, by line.
fn first_difference(found: &str, wanted: &str) -> String {
    let mut found = found.split('\n');
    let mut wanted = wanted.split('\n');
    for line in 1.. {
        match (found.next(), wanted.next()) {
            (None, None) => break,
            (found, wanted) if found == wanted => {}
            (Some(found), Some(wanted)) => {
                return format!("line {line} is {}, not {}", quoted(found), quoted(wanted));
            }
            (None, Some(wanted)) => return format!("line {line} is missing, {}", quoted(wanted)),
            (Some(found), None) => return format!("line {line} is too many, {}", quoted(found)),
        }
    }
    "nothing differs".to_owned()
}

/// No other file of the folder is loaded into the same package.
fn check_extra(evidence: &Evidence, rulebook: &Rulebook) -> Result<String, Diagnostic> {
    let package = &rulebook.package;
    let mut others = evidence.others.iter();
    let found = others.find_map(|other| Some((other, other.package_adding_to(package)?)));
    match found {
        None => Ok(format!("no other file adds to {}", quoted(package))),
        Some((other, declared)) => Err(Diagnostic::without_place(
            &BROKEN_EXTRA,
            format!(
                "`{}` declares package {}, so what an engine decides is not what was checked",
                shown_path(&other.path),
                quoted(declared)
            ),
        )
        .with_help("move it to another folder, or give it another package")),
    }
}

fn missing(evidence: &Evidence, code: &'static Code, file: &str) -> Diagnostic {
    Diagnostic::without_place(code, format!("`{}` is missing", evidence.shown(file))).with_help(
        match evidence.bundle {
            Some(_) => "`bundle` puts both artifacts into the folder of their package",
            None => "`emit` writes both artifacts",
        },
    )
}

/// A path to verify that is no folder.
pub(super) fn no_folder(folder: &Path) -> Diagnostic {
    let shown = shown_path(folder);
    let message = if folder.exists() {
        format!("`{shown}` is a file, neither a folder nor a bundle")
    } else {
        format!("there is no folder `{shown}`")
    };
    Diagnostic::without_place(&NO_ARTIFACTS, message)
        .with_help("name the folder that holds `rulebook.ir.json` and `Rulebook.rego`, or a bundle")
}

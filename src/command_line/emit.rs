//! `emit FILE`: writes the artifacts, or compares a folder with them.

use std::path::{Path, PathBuf};

use super::ExitStatus;
use super::arguments::{Deny, EmitArguments};
use super::console::Console;
use super::examination::{is_pressing, status_of};
use super::input;
use super::load::{Loaded, is_ir, load};
use super::proof::prove;
use super::report::Summary;
use crate::artifacts::{self, ArtifactSet, shown_path};
use crate::compiler::Depth;
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::artifacts::{BAD_PACKAGE, NO_PACKAGE};
use crate::diagnostics::codes::text::UNREADABLE;
use crate::emitter::emit;
use crate::package::{package_of_file, parse_package};
use crate::text::quoted;

pub(super) fn run(arguments: &EmitArguments, console: &mut Console) -> ExitStatus {
    match emit_file(arguments, console) {
        Ok(status) => status,
        Err((diagnostic, status)) => {
            console.complain(&diagnostic);
            status
        }
    }
}

/// A failure without a place, and what it means for the command's end.
type Failure = (Diagnostic, ExitStatus);

fn usage(diagnostic: Diagnostic) -> Failure {
    (diagnostic, ExitStatus::Usage)
}

fn emit_file(arguments: &EmitArguments, console: &mut Console) -> Result<ExitStatus, Failure> {
    let file = arguments.file.as_path();
    refuse_stdin(file)?;
    let bytes = input::read(file).map_err(usage)?;
    // A name that gives no package does not keep the rest from being looked at.
    let package = package(file, &bytes, arguments.package.as_deref());
    let name = package.as_ref().ok().and_then(Option::as_deref);
    let loaded = load(file, &bytes, name, Depth::Analyses);
    let strict = arguments.deny.contains(&Deny::Warnings);
    let status = report(file, &loaded, strict, console);
    package.map_err(usage)?;
    let (ExitStatus::Ok, Some(rulebook)) = (status, &loaded.rulebook) else {
        return Ok(status.max(ExitStatus::No));
    };
    refuse_other_package(rulebook, arguments.package.as_deref()).map_err(usage)?;
    let artifacts = emit(rulebook).map_err(|diagnostic| (diagnostic, ExitStatus::No))?;
    let set = ArtifactSet {
        rulebook,
        artifacts: &artifacts,
        target: arguments.target.into(),
    };
    let folder = folder(arguments);
    let wants_proof = set.target == artifacts::Target::Rego && !arguments.no_proof;
    let prove = |console: &mut Console| -> Result<(), Failure> {
        if wants_proof {
            let proof = prove(rulebook, &artifacts.rego, &arguments.proof, console)?;
            console.say(&format!("{proof}\n"));
        }
        Ok(())
    };
    if arguments.check {
        let status = compare(&folder, &set, console)?;
        if status == ExitStatus::Ok {
            prove(console)?;
        }
        return Ok(status);
    }
    // What may not be written need not be proved.
    artifacts::refusal(&folder, &set).map_err(usage)?;
    prove(console)?;
    write(&folder, &set, console)
}

fn refuse_stdin(file: &Path) -> Result<(), Failure> {
    if input::is_stdin(file) {
        let diagnostic = Diagnostic::without_place(
            &UNREADABLE,
            "a rulebook is not emitted from standard input: its file's name is recorded",
        )
        .with_help("name a file");
        return Err(usage(diagnostic));
    }
    Ok(())
}

/// The package that is asked for, or that the file's name gives; an IR has its own.
fn package(file: &Path, bytes: &[u8], asked: Option<&str>) -> Result<Option<String>, Diagnostic> {
    if let Some(asked) = asked {
        return parse_package(asked).map(Some).map_err(|error| {
            Diagnostic::without_place(
                &BAD_PACKAGE,
                format!("{} is no package name: {error}", quoted(asked)),
            )
            .with_help("`--package` takes a whole name, such as `shop.gate`")
        });
    }
    if is_ir(bytes) {
        return Ok(None);
    }
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    package_of_file(&name).map(Some).map_err(|error| {
        Diagnostic::without_place(
            &NO_PACKAGE,
            format!("{} gives no package name: {error}", quoted(&name)),
        )
        .with_help("rename the file, or give a whole package name with `--package NAME`")
    })
}

/// An IR records its package, and its bytes are not changed on the way through.
fn refuse_other_package(
    rulebook: &crate::ir::Rulebook,
    asked: Option<&str>,
) -> Result<(), Diagnostic> {
    match asked {
        Some(asked) if asked != rulebook.package => Err(Diagnostic::without_place(
            &BAD_PACKAGE,
            format!("the IR has the package {}", quoted(&rulebook.package)),
        )
        .with_help("leave out `--package`, or emit from the source")),
        _ => Ok(()),
    }
}

fn folder(arguments: &EmitArguments) -> PathBuf {
    let chosen = arguments.out_dir.as_deref();
    let folder = chosen.or_else(|| arguments.file.parent());
    match folder {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_path_buf(),
        _ => PathBuf::from("."),
    }
}

/// Errors and warnings in full; how many notes there are, since `check` shows them.
fn report(file: &Path, loaded: &Loaded, strict: bool, console: &mut Console) -> ExitStatus {
    let status = status_of(loaded, strict);
    let pressing: Vec<&Diagnostic> = loaded.diagnostics.iter().filter(is_pressing).collect();
    let has_pressing = !pressing.is_empty();
    console.complain_all(loaded.source.as_ref(), pressing);
    if has_pressing {
        let summary = Summary::of(&loaded.diagnostics);
        let line = summary.line(Some(&shown_path(file)));
        let end = match status {
            ExitStatus::Ok => "",
            _ if summary.errors > 0 => "; nothing is emitted",
            _ => "; warnings are denied, nothing is emitted",
        };
        console.say(&format!("{line}{end}\n"));
    }
    status
}

fn compare(
    folder: &Path,
    set: &ArtifactSet<'_>,
    console: &mut Console,
) -> Result<ExitStatus, Failure> {
    let found = artifacts::differences(folder, set).map_err(usage)?;
    let shown = shown_path(folder);
    let Some(first) = found.first() else {
        console.say(&format!("the artifacts in {shown} are current\n"));
        return Ok(ExitStatus::Ok);
    };
    console.complain_all(None, &found);
    console.say(&match found.len() {
        1 => format!("1 difference in {shown}\n"),
        many => format!(
            "{many} differences in {shown}; the first: {}\n",
            first.message
        ),
    });
    Ok(ExitStatus::No)
}

fn write(
    folder: &Path,
    set: &ArtifactSet<'_>,
    console: &mut Console,
) -> Result<ExitStatus, Failure> {
    for path in artifacts::write(folder, set).map_err(usage)? {
        console.answer(&format!("wrote {}\n", shown_path(&path)));
    }
    Ok(ExitStatus::Ok)
}

//! What `emit` and `bundle` have in common: from a FILE to artifacts, with what is said on the way.

use std::path::Path;

use super::arguments::AdapterName;
use super::examination::{is_pressing, status_of};
use super::input;
use super::load::{Loaded, is_ir, load};
use super::report::{Summary, biting, words};
use crate::adapters::{Adapter, Silent, adapter};
use crate::artifacts::shown_path;
use crate::compiler::Depth;
use crate::diagnostics::codes::artifacts::{BAD_PACKAGE, NO_PACKAGE, OPTION_WITHOUT_EFFECT};
use crate::diagnostics::codes::text::UNREADABLE;
use crate::diagnostics::{Deny, Diagnostic};
use crate::emitter::{Artifacts, Companion, emit};
use crate::ir::Rulebook;
use crate::package::{package_of_file, parse_package};
use crate::project;
use crate::provenance::Header;
use crate::terminal::{Console, ExitStatus};
use crate::text::quoted;

/// A failure without a place, and what it means for the command's end.
pub(super) type Failure = (Diagnostic, ExitStatus);

/// A failure of what was asked for.
pub(super) fn usage(diagnostic: Diagnostic) -> Failure {
    (diagnostic, ExitStatus::Usage)
}

/// A rulebook and the artifacts that it gives.
pub(super) struct Emission {
    pub(super) rulebook: Rulebook,
    pub(super) artifacts: Artifacts,
}

/// The adapters that are asked for on the command line or by the project.
pub(super) struct WantedAdapters {
    /// Each once, in the order of [`Adapter::ALL`].
    adapters: Vec<Adapter>,
    silent: Silent,
    asked_to_deny: bool,
}

impl WantedAdapters {
    pub(super) fn new(
        names: &[AdapterName],
        deny_silent: bool,
        rulebook: Option<&project::Rulebook>,
    ) -> Self {
        let is_wanted = |one: &Adapter| {
            names.iter().any(|name| Adapter::from(*name) == *one)
                || rulebook.is_some_and(|rulebook| rulebook.adapters.contains(one))
        };
        Self {
            adapters: Adapter::ALL.into_iter().filter(is_wanted).collect(),
            silent: match rulebook {
                _ if deny_silent => Silent::Deny,
                Some(rulebook) => rulebook.silent,
                None => Silent::Pass,
            },
            asked_to_deny: deny_silent,
        }
    }

    /// `--deny-silent` says something of adapters, so there must be one.
    pub(super) fn refuse_vain_option(&self) -> Result<(), Diagnostic> {
        if self.asked_to_deny && self.adapters.is_empty() {
            return Err(Diagnostic::without_place(
                &OPTION_WITHOUT_EFFECT,
                "`--deny-silent` is for adapters, and none is asked for",
            )
            .with_help("name one, such as `--adapter kong`, or leave out `--deny-silent`"));
        }
        Ok(())
    }

    pub(super) fn emit(
        &self,
        rulebook: &Rulebook,
        header: &Header,
    ) -> Result<Vec<Companion>, Diagnostic> {
        let adapters = self.adapters.iter();
        adapters
            .map(|one| adapter(rulebook, *one, self.silent, header))
            .collect()
    }
}

/// Compiles a FILE and emits in memory. Errors and warnings are shown, and what follows from them
/// where they forbid it, such as `nothing is emitted`; the command then ends with the status.
pub(super) fn compile(
    file: &Path,
    asked: Option<&str>,
    deny: &[Deny],
    consequence: &str,
    console: &mut Console,
) -> Result<Result<Emission, ExitStatus>, Failure> {
    refuse_stdin(file)?;
    let bytes = input::read(file).map_err(usage)?;
    // A name that gives no package does not keep the rest from being looked at.
    let package = package(file, &bytes, asked);
    let name = package.as_ref().ok().and_then(Option::as_deref);
    let mut loaded = load(file, &bytes, name, Depth::Analyses);
    let status = report(file, &loaded, deny, consequence, console);
    package.map_err(usage)?;
    let (ExitStatus::Ok, Some(rulebook)) = (status, loaded.rulebook.take()) else {
        return Ok(Err(status.max(ExitStatus::No)));
    };
    refuse_other_package(&rulebook, asked).map_err(usage)?;
    let artifacts = emit(&rulebook).map_err(|diagnostic| (diagnostic, ExitStatus::No))?;
    Ok(Ok(Emission {
        rulebook,
        artifacts,
    }))
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
fn refuse_other_package(rulebook: &Rulebook, asked: Option<&str>) -> Result<(), Diagnostic> {
    match asked {
        Some(asked) if asked != rulebook.package => Err(Diagnostic::without_place(
            &BAD_PACKAGE,
            format!("the IR has the package {}", quoted(&rulebook.package)),
        )
        .with_help("leave out `--package`, or emit from the source")),
        _ => Ok(()),
    }
}

/// Errors and warnings in full; how many notes there are, since `check` shows them.
fn report(
    file: &Path,
    loaded: &Loaded,
    deny: &[Deny],
    consequence: &str,
    console: &mut Console,
) -> ExitStatus {
    let status = status_of(loaded, deny);
    let denied: Vec<Deny> = biting(deny, &loaded.diagnostics).collect();
    // What stops emission is shown, though it be a note.
    let is_shown =
        |found: &&Diagnostic| is_pressing(found) || denied.iter().any(|deny| deny.covers(found));
    let pressing: Vec<&Diagnostic> = loaded.diagnostics.iter().filter(is_shown).collect();
    let has_pressing = !pressing.is_empty();
    console.complain_all(loaded.source.as_ref(), pressing);
    if has_pressing {
        let summary = Summary::of(&loaded.diagnostics);
        let line = summary.line(Some(&shown_path(file)));
        let end = match status {
            ExitStatus::Ok => String::new(),
            _ if summary.errors > 0 => format!("; {consequence}"),
            _ => format!("; {}, {consequence}", words(&denied)),
        };
        console.say(&format!("{line}{end}\n"));
    }
    status
}

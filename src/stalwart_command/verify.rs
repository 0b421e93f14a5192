//! `verify DIR`: agent.yaml and its rulebook, checked and compiled to a catalogue.

mod answer;
mod pins;

use std::path::Path;

use super::arguments::VerifyArguments;
use super::input;
use crate::artifacts::{read_artifact, relative_path, replace_file, shown_path};
use crate::catalogue::{AGENT_FILE_NAME, AgentFile, Catalogue, CompiledAgents, FILE_NAME};
use crate::compiler::{Compilation, Depth, compile};
use crate::diagnostics::codes::catalogue::{LOSES_PINS, STALE_CATALOGUE};
use crate::diagnostics::{Diagnostic, Severity};
use crate::package::package_of_file;
use crate::terminal::{Console, ExitStatus};

/// The package of a rulebook whose name gives none: no Rego is made of it here.
const ANY_PACKAGE: &str = "stalwart.rulebook";

pub(super) fn run(arguments: &VerifyArguments, console: &mut Console) -> ExitStatus {
    match verify(arguments, console) {
        Ok(()) => ExitStatus::Ok,
        Err(status) => status,
    }
}

fn verify(arguments: &VerifyArguments, console: &mut Console) -> Result<(), ExitStatus> {
    let folder = &arguments.folder;
    let mut catalogue = compiled(folder, console)?;
    if let Some(upstreams) = &arguments.upstreams {
        catalogue.pins = Some(pins::ask(upstreams, &catalogue, console)?);
    }
    let path = folder.join(FILE_NAME);
    let bytes = catalogue.to_bytes();
    console.answer(&answer::line(&catalogue));
    let kept = existing(&path, console)?;
    if arguments.keep {
        let has_pins = |kept: &Vec<u8>| without_pins(kept).as_ref() != Some(kept);
        if arguments.upstreams.is_none() && kept.as_ref().is_some_and(has_pins) {
            console.complain(&loses_pins(&path));
            return Err(ExitStatus::No);
        }
        return keep(&path, kept.as_deref() == Some(&bytes), &bytes, console);
    }
    let is_stale = kept.is_some_and(|kept| match arguments.upstreams {
        // Where the servers are not asked, what is pinned cannot be compared.
        None => without_pins(&kept) != Some(bytes),
        Some(_) => kept != bytes,
    });
    if is_stale {
        console.complain(&stale(&path));
        return Err(ExitStatus::No);
    }
    Ok(())
}

/// Writes the catalogue where it is not there already.
fn keep(
    path: &Path,
    is_there: bool,
    bytes: &[u8],
    console: &mut Console,
) -> Result<(), ExitStatus> {
    let shown = shown_path(path);
    if is_there {
        console.answer(&format!("{shown} is current\n"));
        return Ok(());
    }
    replace_file(path, bytes).map_err(|diagnostic| unusable(&diagnostic, console))?;
    console.answer(&format!("wrote {shown}\n"));
    Ok(())
}

/// The catalogue of a folder; everything found is shown.
fn compiled(folder: &Path, console: &mut Console) -> Result<Catalogue, ExitStatus> {
    let path = folder.join(AGENT_FILE_NAME);
    let help = "name the folder that holds `agent.yaml`; it lists agents, tools and the rulebook";
    let bytes =
        input::required(&path, help).map_err(|diagnostic| unusable(&diagnostic, console))?;
    let file = AgentFile::read(&relative_path(&path), &bytes);
    let rulebook = match file.rulebook() {
        Some(name) => Some(rulebook(&folder.join(name), console)?),
        None => None,
    };
    let compiled = file.compile(rulebook.as_ref().and_then(|found| found.rulebook.as_ref()));
    if let Some(rulebook) = &rulebook {
        console.complain_all(Some(&rulebook.source), &rulebook.diagnostics);
    }
    let CompiledAgents {
        source,
        catalogue,
        diagnostics,
        ..
    } = compiled;
    console.complain_all(Some(&source), &diagnostics);
    catalogue.ok_or_else(|| {
        let found = diagnostics
            .iter()
            .chain(rulebook.iter().flat_map(|one| &one.diagnostics));
        let errors = found.filter(|found| found.severity() == Severity::Error);
        console.say(&answer::refused(errors.count()));
        ExitStatus::No
    })
}

/// The rulebook of a file, compiled, with what was found in it.
fn rulebook(path: &Path, console: &mut Console) -> Result<Compilation, ExitStatus> {
    let help = "`rulebook` in `agent.yaml` is a path from its folder";
    let bytes = input::required(path, help).map_err(|diagnostic| unusable(&diagnostic, console))?;
    let name = relative_path(path);
    let file = name.rsplit('/').next().unwrap_or(&name);
    let package = package_of_file(file).unwrap_or_else(|_| ANY_PACKAGE.to_owned());
    Ok(compile(&name, &bytes, &package, Depth::Analyses))
}

/// The bytes of a catalogue that is there already.
fn existing(path: &Path, console: &mut Console) -> Result<Option<Vec<u8>>, ExitStatus> {
    read_artifact(path).map_err(|diagnostic| unusable(&diagnostic, console))
}

/// The bytes of a catalogue as it would be without its pins.
fn without_pins(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut catalogue = Catalogue::from_bytes(FILE_NAME, bytes).ok()?;
    catalogue.pins = None;
    Some(catalogue.to_bytes())
}

fn loses_pins(path: &Path) -> Diagnostic {
    let message = format!("`{}` would lose what is pinned in it", shown_path(path));
    Diagnostic::without_place(&LOSES_PINS, message).with_help(
        "pin the tools anew with `--upstreams gateway.yaml`; \
         where nothing is to be pinned any more, delete the file first",
    )
}

fn stale(path: &Path) -> Diagnostic {
    let message = format!("`{}` is not what these files compile to", shown_path(path));
    Diagnostic::without_place(&STALE_CATALOGUE, message).with_help(
        "write it anew with `--keep` (and `--upstreams gateway.yaml` where it has pins), \
             and look at what changes before a gateway gets it",
    )
}

fn unusable(diagnostic: &Diagnostic, console: &mut Console) -> ExitStatus {
    console.complain(diagnostic);
    ExitStatus::Usage
}

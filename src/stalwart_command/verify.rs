//! `verify DIR`: agent.yaml and its rulebook, checked and compiled to a catalogue.

mod answer;

use std::path::{Path, PathBuf};

use super::arguments::VerifyArguments;
use super::input;
use crate::artifacts::{read_artifact, relative_path, replace_file, shown_path};
use crate::catalogue::{AGENT_FILE_NAME, AgentFile, Catalogue, CompiledAgents, FILE_NAME};
use crate::compiler::{Compilation, Depth, compile};
use crate::diagnostics::codes::catalogue::STALE_CATALOGUE;
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
    let catalogue = compiled(folder, console)?;
    let path = folder.join(FILE_NAME);
    let bytes = catalogue.to_bytes();
    console.answer(&answer::line(&catalogue));
    let is_current = existing(&path, console)?.map(|kept| kept == bytes);
    match (arguments.keep, is_current) {
        (true, Some(true)) => {
            console.answer(&format!("{}: unchanged\n", shown_path(&path)));
            Ok(())
        }
        (true, _) => match replace_file(&path, &bytes) {
            Ok(()) => {
                console.answer(&format!("wrote {}\n", shown_path(&path)));
                Ok(())
            }
            Err(diagnostic) => Err(unusable(&diagnostic, console)),
        },
        (false, Some(false)) => {
            console.complain(&stale(&path));
            Err(ExitStatus::No)
        }
        (false, Some(true) | None) => Ok(()),
    }
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
fn rulebook(path: &PathBuf, console: &mut Console) -> Result<Compilation, ExitStatus> {
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

fn stale(path: &Path) -> Diagnostic {
    let message = format!("`{}` is not what these files compile to", shown_path(path));
    Diagnostic::without_place(&STALE_CATALOGUE, message)
        .with_help("write it anew with `--keep`, and look at what changes before a gateway gets it")
}

fn unusable(diagnostic: &Diagnostic, console: &mut Console) -> ExitStatus {
    console.complain(diagnostic);
    ExitStatus::Usage
}

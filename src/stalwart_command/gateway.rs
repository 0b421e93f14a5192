//! `gateway`: the process that stands between agents and their servers.

mod start;

use std::path::Path;

use tracing::Level;

use super::arguments::{GatewayArguments, LogLevel};
use super::input;
use super::runtime::block_on;
use crate::artifacts::{read_artifact, shown_path};
use crate::configuration::{self, ReadConfiguration, Surroundings};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::configuration::CANNOT_START;
use crate::service::logs;
use crate::terminal::{Console, ExitStatus, plural};

pub(super) fn run(arguments: &GatewayArguments, console: &mut Console) -> ExitStatus {
    let read = match read(&arguments.config) {
        Ok(read) => read,
        Err(diagnostic) => {
            console.complain(&diagnostic);
            return ExitStatus::Usage;
        }
    };
    console.complain_all(Some(&read.source), &read.diagnostics);
    let Some(configuration) = read.configuration else {
        return ExitStatus::No;
    };
    if arguments.check_config {
        return check(&configuration, console);
    }
    logs::to_standard_error(level_of(arguments.log));
    let ended = block_on(start::serve(&arguments.config, configuration));
    let fault = match ended {
        Ok(Ok(())) => return ExitStatus::Ok,
        Ok(Err(fault)) => fault,
        Err(text) => cannot(text),
    };
    console.complain(&fault);
    ExitStatus::Usage
}

/// Reads the configuration as it lies on the disk now.
///
/// # Errors
/// The file cannot be read.
pub(super) fn read(path: &Path) -> Result<ReadConfiguration, Diagnostic> {
    let help = "name the configuration with `--config FILE`";
    let bytes = input::required(path, help)?;
    let name = shown_path(path);
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let surroundings = Surroundings {
        folder: folder.unwrap_or(Path::new(".")),
        variable: &|name| std::env::var(name).ok(),
        file: &|path| read_artifact(path),
    };
    Ok(configuration::read(&name, &bytes, &surroundings))
}

/// Says what a sound configuration comes to.
fn check(configuration: &configuration::Configuration, console: &mut Console) -> ExitStatus {
    if let Err(fault) = start::try_out(configuration) {
        console.complain(&fault);
        return ExitStatus::No;
    }
    let catalogue = &configuration.catalogue;
    console.answer(&format!(
        "ok: {}, {}, {}; catalogue sha256:{}; would listen on {}\n",
        plural(catalogue.agents.len(), "agent"),
        plural(catalogue.tools.len(), "tool"),
        plural(configuration.servers.len(), "server"),
        catalogue.hash(),
        configuration.listen,
    ));
    ExitStatus::Ok
}

/// A gateway that cannot start for this reason.
fn cannot(text: impl Into<String>) -> Diagnostic {
    Diagnostic::without_place(&CANNOT_START, text)
}

fn level_of(level: LogLevel) -> Level {
    match level {
        LogLevel::Error => Level::ERROR,
        LogLevel::Warn => Level::WARN,
        LogLevel::Info => Level::INFO,
        LogLevel::Debug => Level::DEBUG,
    }
}

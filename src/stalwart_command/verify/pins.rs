//! Asks the servers for their tools, and pins what they say of them.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::super::{input, runtime};
use crate::artifacts::relative_path;
use crate::catalogue::{Catalogue, Pin};
use crate::configuration::{self, ALL_OTHERS, Configuration, Surroundings};
use crate::diagnostics::codes::catalogue::NOT_SERVED;
use crate::diagnostics::{Diagnostic, Severity};
use crate::gateway::{Era, Servers, ToolDefinition, UpstreamScope};
use crate::mcp::client::HttpServers;
use crate::service::assembly;
use crate::terminal::{Console, ExitStatus};
use crate::text::quoted;

/// What the servers of a `gateway.yaml` say of the catalogue's tools; what stands in the way is
/// shown.
pub(super) fn ask(
    path: &Path,
    catalogue: &Catalogue,
    console: &mut Console,
) -> Result<BTreeMap<String, Pin>, ExitStatus> {
    let configuration = configuration(path, catalogue, console)?;
    let found = runtime::block_on(pins(&configuration, catalogue));
    let found = found.map_err(|reason| vec![not_served(reason, "start it again")]);
    match found.and_then(|found| found) {
        Ok(pins) => Ok(pins),
        Err(faults) => {
            for fault in &faults {
                console.complain(fault);
            }
            Err(ExitStatus::No)
        }
    }
}

/// The configuration, with this catalogue in the place of the one that it names.
fn configuration(
    path: &Path,
    catalogue: &Catalogue,
    console: &mut Console,
) -> Result<Configuration, ExitStatus> {
    let help = "name the `gateway.yaml` whose servers have the tools";
    let bytes = input::required(path, help).map_err(|diagnostic| {
        console.complain(&diagnostic);
        ExitStatus::Usage
    })?;
    let surroundings = Surroundings {
        folder: path.parent().unwrap_or(Path::new("")),
        variable: &|name| std::env::var(name).ok(),
        file: &|_| Ok(Some(catalogue.to_bytes())),
    };
    let read = configuration::read(&relative_path(path), &bytes, &surroundings);
    let errors = read.diagnostics.iter();
    let errors = errors.filter(|found| found.severity() == Severity::Error);
    console.complain_all(Some(&read.source), errors);
    read.configuration.ok_or(ExitStatus::No)
}

fn not_served(message: impl Into<String>, help: impl Into<String>) -> Diagnostic {
    Diagnostic::without_place(&NOT_SERVED, message).with_help(help)
}

async fn pins(
    configuration: &Configuration,
    catalogue: &Catalogue,
) -> Result<BTreeMap<String, Pin>, Vec<Diagnostic>> {
    let help = "correct it in `gateway.yaml`";
    let servers =
        assembly::servers(configuration).map_err(|error| vec![not_served(error, help)])?;
    let mut definitions: BTreeMap<&str, Arc<[ToolDefinition]>> = BTreeMap::new();
    let mut faults = Vec::new();
    let mut found = BTreeMap::new();
    for server in configuration.servers.keys() {
        match tools(&servers, server).await {
            Ok(tools) => {
                definitions.insert(server, tools);
            }
            Err(reason) => {
                faults.push(not_served(
                    reason,
                    "start it, or correct its `url` and `headers`",
                ));
            }
        }
    }
    for tool in catalogue.tools.keys() {
        let upstreams = &configuration.upstreams;
        let server = upstreams.get(tool).or_else(|| upstreams.get(ALL_OTHERS));
        let Some((server, tools)) =
            server.and_then(|server| Some((server, definitions.get(server.as_str())?)))
        else {
            continue;
        };
        match tools.iter().find(|definition| definition.name == *tool) {
            Some(definition) => {
                let pin = Pin {
                    server: server.clone(),
                    sha256: definition.sha256.clone(),
                };
                found.insert(tool.clone(), pin);
            }
            None => {
                let message = format!("the server {} has no tool {}", quoted(server), quoted(tool));
                let help =
                    "name its server below `upstreams`, or take the tool out of `agent.yaml`";
                faults.push(not_served(message, help));
            }
        }
    }
    if faults.is_empty() {
        Ok(found)
    } else {
        Err(faults)
    }
}

async fn tools(servers: &HttpServers, server: &str) -> Result<Arc<[ToolDefinition]>, String> {
    let scope = UpstreamScope {
        key: "verify".to_owned(),
        era: Era::Session,
        capabilities: "{}".to_owned(),
    };
    let session = servers
        .open(server, &scope)
        .await
        .map_err(|error| error.0)?;
    let tools = session.tools().await.map_err(|error| error.0);
    servers.close(&scope.key).await;
    tools
}

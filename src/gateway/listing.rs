//! The tools that an agent sees (gateway contract, section 4, `tools/list`): a function of the
//! agent, the catalogue and the servers' descriptions, and of nothing that happened in a run.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use crate::json::Members;

use super::Gateway;
use super::request::Caller;
use super::upstream::{ToolDefinition, UpstreamScope};

/// What a server says of its tools; none where it cannot be asked now.
type Served = Option<Arc<[ToolDefinition]>>;

impl Gateway {
    /// The definitions of the agent's tools, sorted by name, each a JSON object's text: name and
    /// input schema are the catalogue's, all else is the server's. A tool whose server describes
    /// it in other words than its pin, or does not serve it, is left out. Of a server that cannot
    /// be reached the catalogue's part is told.
    pub async fn tools_list(&self, caller: &Caller) -> Vec<String> {
        let current = self.current();
        let request = self.new_id().unwrap_or_default();
        let scope = UpstreamScope::of(caller, &request);
        let mut served: BTreeMap<&str, Served> = BTreeMap::new();
        let mut definitions = Vec::new();
        for (name, tool) in current.policy.tools_of(&caller.agent) {
            let Some(server) = current.settings.server_of(name) else {
                continue;
            };
            if !served.contains_key(server) {
                let tools = match current.servers.open(server, &scope).await {
                    Ok(session) => session.tools().await,
                    Err(error) => Err(error),
                };
                let tools = tools.inspect_err(|error| {
                    tracing::warn!(server, %error, "the tools of a server are not known");
                });
                served.insert(server, tools.ok());
            }
            let pin = current.policy.catalogue().pin(name);
            let definition = match served.get(server) {
                Some(Some(tools)) => {
                    let Some(found) = tools.iter().find(|served| served.name == *name) else {
                        continue;
                    };
                    let is_pinned = pin.is_none_or(|pin| pin.fits(server, &found.sha256));
                    if !is_pinned {
                        continue;
                    }
                    found.json.as_str()
                }
                _ => "{}",
            };
            definitions.extend(catalogued(definition, name, &tool.input_schema));
        }
        if caller.is_for_one_request() {
            current.servers.close(&scope.key).await;
        }
        definitions
    }
}

/// A server's definition with the catalogue's name and input schema.
fn catalogued(definition: &str, name: &str, schema: &Value) -> Option<String> {
    let members = Members::read(definition).ok()??;
    let added = [
        ("name", Value::from(name).to_string()),
        ("inputSchema", schema.to_string()),
    ];
    let added: Vec<(&str, &str)> = added
        .iter()
        .map(|(key, value)| (*key, value.as_str()))
        .collect();
    Some(members.edited(|key| key == "name" || key == "inputSchema", &added))
}

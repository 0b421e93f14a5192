//! Where tools are: servers, and which of them has a tool.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use reqwest::Url;

use super::keys::SERVER;
use super::reading::Reader;
use super::types::{ALL_OTHERS, SecretText, Server};
use crate::catalogue::Catalogue;
use crate::diagnostics::codes::configuration::{
    BAD_URL, BAD_VALUE, NO_SERVER, NO_SUCH_TOOL, UNUSED_SERVER,
};
use crate::text::{Span, quoted};
use crate::yaml::{Entry, Node, nearest};

/// How long a server may take by default.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Longest and shortest time of a server, in seconds.
const TIMEOUTS: (u64, u64) = (1, 3_600);

/// Most characters of a name.
const MOST_OF_A_NAME: usize = 64;

impl Reader<'_> {
    /// `servers` and `upstreams`, which belong together.
    pub(super) fn upstreams(
        &mut self,
        servers: Option<&Entry>,
        upstreams: Option<&Entry>,
        catalogue: Option<&Catalogue>,
    ) -> (BTreeMap<String, Server>, BTreeMap<String, String>) {
        let mut known = BTreeMap::new();
        let mut places = BTreeMap::new();
        for entry in self.mapping(servers) {
            if !is_name(&entry.key.value) {
                let message = format!("{} is no name of a server", quoted(&entry.key.value));
                let help = "a name has 1 to 64 letters, digits, `_`, `.` and `-`";
                self.report(&BAD_VALUE, entry.key.span, message, help);
            }
            places.insert(entry.key.value.clone(), entry.key.span);
            if let Some(server) = self.server(&entry.value) {
                known.insert(entry.key.value.clone(), server);
            }
        }
        let mut chosen = BTreeMap::new();
        for entry in self.mapping(upstreams) {
            self.known_tool(entry, catalogue);
            if let Some(server) = self.upstream(&entry.value, &places, &mut known) {
                chosen.insert(entry.key.value.clone(), server);
            }
        }
        let used: BTreeSet<&String> = chosen.values().collect();
        for (name, place) in &places {
            if !used.contains(name) && !self.sink.has_errors() {
                let message = format!("no tool is on {}", quoted(name));
                let help = format!("write `\"*\": {name}` below `upstreams`, or delete the server");
                self.report(&UNUSED_SERVER, *place, message, help);
            }
        }
        if let (Some(catalogue), Some(upstreams)) = (catalogue, upstreams) {
            self.all_on_a_server(catalogue, upstreams);
        }
        (known, chosen)
    }

    fn server(&mut self, node: &Node) -> Option<Server> {
        let taken = self.section(node, &SERVER)?;
        let url = taken.get("url").and_then(|entry| self.url(&entry.value));
        let headers = self.headers(taken.get("headers"));
        let trusted = self.boolean(taken.get("trusted"));
        let idempotent = self.boolean(taken.get("idempotent"));
        let timeout = self.duration(taken.get("timeout"), TIMEOUTS);
        Some(Server {
            url: url?.into(),
            headers,
            trusted,
            idempotent,
            timeout: timeout.unwrap_or(TIMEOUT),
        })
    }

    fn headers(&mut self, entry: Option<&Entry>) -> Vec<(String, SecretText)> {
        let mut found: Vec<(String, SecretText)> = Vec::new();
        for header in self.mapping(entry) {
            let name = &header.key.value;
            let is_letter =
                |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
            if name.is_empty() || !name.bytes().all(is_letter) {
                let message = format!("{} is no name of a header", quoted(name));
                let help = "write a name such as `Authorization`";
                self.report(&BAD_VALUE, header.key.span, message, help);
                continue;
            }
            if found
                .iter()
                .any(|(known, _)| known.eq_ignore_ascii_case(name))
            {
                let message = format!("the header {} stands twice", quoted(name));
                self.report(
                    &BAD_VALUE,
                    header.key.span,
                    message,
                    "delete one of the two",
                );
                continue;
            }
            let Some(value) = self.secret(&header.value, "the value of a header") else {
                continue;
            };
            let is_visible = |byte: u8| byte.is_ascii_graphic() || byte == b' ';
            if !value.expose().bytes().all(is_visible) {
                let message = format!(
                    "the value of the header {} has other characters than visible ASCII",
                    quoted(name)
                );
                let help = "look for a line end in the variable";
                self.report(&BAD_VALUE, header.value.place, message, help);
                continue;
            }
            found.push((name.clone(), value));
        }
        found
    }

    /// An address without credentials. The message never has it.
    pub(super) fn url(&mut self, node: &Node) -> Option<Url> {
        let written = node.text("an address", &mut self.sink)?;
        let text = self.expanded(&written)?;
        let url = Url::parse(&text).ok();
        let problem = match &url {
            None => Some("this is no address"),
            Some(url) if !["http", "https"].contains(&url.scheme()) => {
                Some("this address begins with neither `http://` nor `https://`")
            }
            Some(url) if url.host_str().is_none() => Some("this address has no host"),
            Some(url) if !url.username().is_empty() || url.password().is_some() => {
                Some("this address holds credentials")
            }
            Some(url) if url.fragment().is_some() => Some("this address has a `#`"),
            Some(_) => None,
        };
        if let Some(problem) = problem {
            let help =
                "write `http://HOST:PORT/PATH` or `https://…`; credentials go into `headers`";
            self.report(&BAD_URL, node.place, problem, help);
            return None;
        }
        // It holds no secret that could be told from a path; a query may be one.
        if url.as_ref().is_some_and(|url| url.query().is_none()) {
            self.shown.insert(node.place.start);
        }
        url
    }

    /// The name of the server that a value of `upstreams` means.
    fn upstream(
        &mut self,
        node: &Node,
        places: &BTreeMap<String, Span>,
        known: &mut BTreeMap<String, Server>,
    ) -> Option<String> {
        let written = node.text("a server", &mut self.sink)?;
        let text = self.expanded(&written)?;
        if !text.contains("://") {
            self.shown.insert(node.place.start);
            if places.contains_key(&text) {
                return Some(text);
            }
            let message = format!("{} is no server of this file", quoted(&written.value));
            let help = match nearest(&text, places.keys().map(String::as_str)) {
                Some(near) => format!("did you mean {}?", quoted(near)),
                None => "write it below `servers`, or write its URL here".to_owned(),
            };
            self.report(&NO_SERVER, node.place, message, help);
            return None;
        }
        let url = self.url(node)?;
        let host = url.host_str().unwrap_or_default();
        let port = url.port_or_known_default().unwrap_or_default();
        let name = format!("{host}:{port}");
        let server = Server {
            url: url.clone().into(),
            headers: Vec::new(),
            trusted: false,
            idempotent: false,
            timeout: TIMEOUT,
        };
        match known.get(&name) {
            Some(other) if *other != server => {
                let message = format!("another server is named {} already", quoted(&name));
                let help = "write both below `servers`, with names of your own";
                self.report(&BAD_VALUE, node.place, message, help);
                return None;
            }
            _ => known.insert(name.clone(), server),
        };
        Some(name)
    }

    fn known_tool(&mut self, entry: &Entry, catalogue: Option<&Catalogue>) {
        let name = &entry.key.value;
        let tools = catalogue.map(|catalogue| &catalogue.tools);
        let Some(tools) = tools.filter(|tools| name != ALL_OTHERS && !tools.contains_key(name))
        else {
            return;
        };
        let message = format!("{} is no tool of the catalogue", quoted(name));
        let help = match nearest(name, tools.keys().map(String::as_str)) {
            Some(near) => format!("did you mean {}?", quoted(near)),
            None => "delete it, or write the tool into `agent.yaml`".to_owned(),
        };
        self.report(&NO_SUCH_TOOL, entry.key.span, message, help);
    }

    fn all_on_a_server(&mut self, catalogue: &Catalogue, upstreams: &Entry) {
        let has = |name: &str| super::member(&upstreams.value, name).is_some();
        if has(ALL_OTHERS) {
            return;
        }
        for tool in catalogue.tools.keys().filter(|tool| !has(tool)) {
            let message = format!("no server has {}", quoted(tool));
            let help =
                format!("write `{tool}:` and a server, or `\"*\":` and the server of the rest");
            self.report(&NO_SERVER, upstreams.key.span, message, help);
        }
    }
}

/// Whether a text is a name that this file gives.
pub(super) fn is_name(text: &str) -> bool {
    let letters = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
    (1..=MOST_OF_A_NAME).contains(&text.len()) && text.bytes().all(letters)
}

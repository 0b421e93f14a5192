//! The top of the file, and what is left of its sections.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use serde_json::{Map, Value};

use super::keys::{LIMITS, RATE, TLS, TOP};
use super::reading::{Reader, Taken};
use super::servers::is_name;
use super::types::{Configuration, LISTEN, Limits, Rate, Tls};
use crate::artifacts::shown_path;
use crate::catalogue::Catalogue;
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::configuration::{
    BAD_VALUE, NO_AUDIT_FILE, NO_CATALOGUE, NO_PINS, NOT_BUILT, OPEN_LISTEN,
};
use crate::text::{Span, quoted};
use crate::yaml::{Entry, Node};

/// Variables that ask for what this build does not implement.
const VARIABLES_NOT_BUILT: [&str; 3] = [
    "STALWART_ROUTER_URL",
    "QLS_ROUTER_URL",
    "TOOL_POLICIES_PATH",
];

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// Most of what a limit bounds.
const MOST: u64 = 1_000_000;

/// Reads the file; what is wrong with it is in the reader.
pub(super) fn configuration(root: &Node, reader: &mut Reader<'_>) -> Option<Configuration> {
    for name in VARIABLES_NOT_BUILT {
        if (reader.surroundings.variable)(name).is_some_and(|value| !value.is_empty()) {
            let message = format!(
                "the variable {} is set, and this build does not implement it",
                quoted(name)
            );
            let diagnostic = Diagnostic::without_place(&NOT_BUILT, message);
            reader
                .sink
                .push(diagnostic.with_help("unset it where the gateway is started"));
        }
    }
    let top = reader.section(root, &TOP)?;
    let catalogue_file = top.get("catalogue").and_then(|entry| reader.path(entry));
    let catalogue = catalogue_file.as_ref().and_then(|file| {
        let place = top
            .get("catalogue")
            .map_or(top.place, |entry| entry.value.place);
        reader.catalogue(file, place)
    });
    let known = catalogue.as_ref();
    let (servers, upstreams) = reader.upstreams(top.get("servers"), top.get("upstreams"), known);
    let agents = reader.agents(top.get("agents"), known);
    let mut token = |key: &str| {
        let entry = top.get(key)?;
        reader.token(&entry.value, &quoted(key))
    };
    let (host_token, admin_token) = (token("host_token"), token("admin_token"));
    let context_token = token("context_token");
    let context_url = top
        .get("context_url")
        .and_then(|entry| reader.url(&entry.value));
    if let (Some(entry), None) = (top.get("context_token"), top.get("context_url")) {
        let help = "write `context_url:` too, or delete it";
        reader.report(
            &BAD_VALUE,
            entry.key.span,
            "`context_token` without `context_url`",
            help,
        );
    }
    let mut seconds = |key: &str, default: u64, range: (u64, u64)| {
        let duration = reader.duration(top.get(key), range);
        duration.unwrap_or(Duration::from_secs(default))
    };
    let elicitation_timeout = seconds("elicitation_timeout", 600, (1, DAY));
    let run_ttl = seconds("run_ttl", DAY, (MINUTE, 30 * DAY));
    let run_idle = seconds("run_idle", 8 * HOUR, (MINUTE, 30 * DAY));
    let replay_ttl = seconds("replay_ttl", DAY, (MINUTE, 30 * DAY));
    let tls = reader.tls(top.get("tls"));
    let behind_proxy = reader.boolean(top.get("behind_proxy"));
    let listen = reader.listen(
        &top,
        tls.is_some() || top.get("tls").is_some() || behind_proxy,
    );
    let keys = reader.key_ring(top.get("keys"));
    let audit = top.get("audit").and_then(|entry| reader.path(entry));
    let store = reader.store(top.get("store"));
    let context = reader.context(top.get("context"));
    let node = reader.node(top.get("node"));
    let rate = reader.rate(top.get("rate"));
    let limits = reader.limits(top.get("limits"));
    let allowed_origins = reader.origins(top.get("allowed_origins"));
    let catalogue = catalogue?;
    if !reader.sink.has_errors() {
        reader.warnings(&catalogue, &top);
    }
    Some(Configuration {
        catalogue: Arc::new(catalogue),
        catalogue_file: catalogue_file?,
        servers,
        upstreams,
        agents,
        host_token,
        admin_token,
        keys,
        audit,
        elicitation_timeout,
        listen: listen?,
        context,
        context_url: context_url.map(Url::into),
        context_token,
        store: store?,
        tls,
        behind_proxy,
        run_ttl,
        run_idle,
        replay_ttl,
        node,
        rate,
        limits,
        allowed_origins,
    })
}

impl Reader<'_> {
    fn catalogue(&mut self, file: &Path, place: Span) -> Option<Catalogue> {
        let help = "write it with `stalwart verify DIR --keep`";
        let shown = shown_path(file);
        let bytes = match (self.surroundings.file)(file) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => {
                let message = format!("there is no catalogue at {}", quoted(&shown));
                self.report(&NO_CATALOGUE, place, message, help);
                return None;
            }
            Err(diagnostic) => {
                self.report(&NO_CATALOGUE, place, diagnostic.message, help);
                return None;
            }
        };
        match Catalogue::from_bytes(&shown, &bytes) {
            Ok(catalogue) => Some(catalogue),
            Err(refused) => {
                let lines = refused.to_string();
                let first = lines.lines().next().unwrap_or_default();
                let message = format!("the catalogue is refused: {first}");
                self.report(&NO_CATALOGUE, place, message, help);
                None
            }
        }
    }

    fn tls(&mut self, entry: Option<&Entry>) -> Option<Tls> {
        let taken = self.section(&entry?.value, &TLS)?;
        let certificate = taken.get("certificate").and_then(|entry| self.path(entry));
        let key = taken.get("key").and_then(|entry| self.path(entry));
        Some(Tls {
            certificate: certificate?,
            key: key?,
        })
    }

    fn listen(&mut self, top: &Taken<'_>, is_covered: bool) -> Option<SocketAddr> {
        let Some(entry) = top.get("listen") else {
            return Some(LISTEN);
        };
        let text = self.text(&entry.value, "`listen`")?;
        let Ok(address) = text.value.parse::<SocketAddr>() else {
            let help = "write an IP address and a port, such as `127.0.0.1:8800` or `[::1]:8800`";
            self.report(&BAD_VALUE, text.span, "`listen` is no address", help);
            return None;
        };
        if !address.ip().is_loopback() && !is_covered {
            let message = "others reach this address, and neither `tls` nor `behind_proxy` is set";
            let help = "write `tls: { certificate: …, key: … }`, or `behind_proxy: true` where a proxy in front has it";
            self.report(&OPEN_LISTEN, text.span, message, help);
        }
        Some(address)
    }

    fn store(&mut self, entry: Option<&Entry>) -> Option<PathBuf> {
        let Some(entry) = entry else {
            return Some(self.surroundings.folder.join("gateway.db"));
        };
        // It may hold a password, so it is not shown before it is known to be a path.
        let written = entry.value.text("`store`", &mut self.sink)?;
        let text = self.expanded(&written)?;
        let scheme = text
            .split_once("://")
            .map(|(scheme, _)| scheme.to_lowercase());
        match scheme.as_deref() {
            None => {
                self.shown.insert(entry.value.place.start);
                let path = text.strip_prefix("sqlite:").unwrap_or(&text);
                Some(self.surroundings.folder.join(path))
            }
            Some("postgres" | "postgresql") => {
                let message = "a store in Postgres is not implemented by this build";
                let help = "write the path of a SQLite file, such as `./gateway.db`";
                self.report(&NOT_BUILT, written.span, message, help);
                None
            }
            Some(_) => {
                let help = "write the path of a SQLite file, such as `./gateway.db`";
                self.report(&BAD_VALUE, written.span, "`store` is no path", help);
                None
            }
        }
    }

    /// Static values: their texts have variables put in.
    fn context(&mut self, entry: Option<&Entry>) -> Map<String, Value> {
        let mut values = Map::new();
        for entry in self.mapping(entry) {
            let mut json = entry.value.to_json();
            let mut pending = vec![&mut json];
            while let Some(value) = pending.pop() {
                match value {
                    Value::Array(items) => pending.extend(items),
                    Value::Object(fields) => pending.extend(fields.values_mut()),
                    Value::String(text) => {
                        let written = crate::text::Spanned::new(text.clone(), entry.value.place);
                        if let Some(expanded) = self.expanded(&written) {
                            *text = expanded;
                        }
                    }
                    _ => {}
                }
            }
            values.insert(entry.key.value.clone(), json);
        }
        values
    }

    fn node(&mut self, entry: Option<&Entry>) -> String {
        let text = entry.and_then(|entry| self.text(&entry.value, "`node`"));
        let Some(text) = text else {
            return "gateway".to_owned();
        };
        if !is_name(&text.value) {
            let help = "write 1 to 64 letters, digits, `_`, `.` and `-`";
            self.report(&BAD_VALUE, text.span, "`node` is no name", help);
        }
        text.value
    }

    fn rate(&mut self, entry: Option<&Entry>) -> Option<Rate> {
        let taken = self.section(&entry?.value, &RATE)?;
        let per_minute = self.count(taken.get("calls_per_minute"), (1, MOST));
        let burst = self.count(taken.get("burst"), (1, MOST));
        let number = |count: u64| u32::try_from(count).ok().and_then(NonZeroU32::new);
        let per_minute = per_minute.and_then(number)?;
        Some(Rate {
            per_minute,
            burst: burst.and_then(number).unwrap_or(per_minute),
        })
    }

    fn limits(&mut self, entry: Option<&Entry>) -> Limits {
        let mut limits = Limits::default();
        let taken = entry.and_then(|entry| self.section(&entry.value, &LIMITS));
        let Some(taken) = taken else {
            return limits;
        };
        let sizes = [
            ("body", (1 << 10, 64 << 20), &mut limits.body),
            ("depth", (8, 500), &mut limits.depth),
            ("connections", (1, MOST), &mut limits.connections),
            ("sessions", (1, MOST), &mut limits.sessions),
            (
                "sessions_per_agent",
                (1, MOST),
                &mut limits.sessions_per_agent,
            ),
            (
                "calls_per_session",
                (1, MOST),
                &mut limits.calls_per_session,
            ),
            ("calls_per_agent", (1, MOST), &mut limits.calls_per_agent),
            (
                "streams_per_agent",
                (1, MOST),
                &mut limits.streams_per_agent,
            ),
        ];
        for (key, range, place) in sizes {
            let count = self.count(taken.get(key), range);
            *place = count
                .and_then(|count| count.try_into().ok())
                .unwrap_or(*place);
        }
        let counts = [
            ("runs", MOST, &mut limits.runs),
            ("questions_per_run", 1_000, &mut limits.questions_per_run),
            (
                "questions_per_agent",
                10_000,
                &mut limits.questions_per_agent,
            ),
        ];
        for (key, most, place) in counts {
            *place = self.count(taken.get(key), (1, most)).unwrap_or(*place);
        }
        limits
    }

    fn origins(&mut self, entry: Option<&Entry>) -> Vec<String> {
        let mut found = Vec::new();
        for item in self.list(entry) {
            let Some(text) = self.text(item, "an origin") else {
                continue;
            };
            let url = Url::parse(&text.value).ok();
            let is_origin = url.is_some_and(|url| url.origin().ascii_serialization() == text.value);
            if !is_origin {
                let help = "write scheme, host and port as a browser sends them, such as `https://app.example.com`";
                self.report(&BAD_VALUE, text.span, "this is no origin", help);
                continue;
            }
            found.push(text.value);
        }
        found
    }

    /// What the operator should know although the gateway starts.
    fn warnings(&mut self, catalogue: &Catalogue, top: &Taken<'_>) {
        self.not_run(catalogue);
        if catalogue.pins.is_none() {
            let place = top
                .get("catalogue")
                .map_or(top.place, |entry| entry.value.place);
            let message = "the catalogue has no pins: a server that describes a tool in other words is not noticed";
            let help = "write it with `stalwart verify DIR --keep --upstreams gateway.yaml`";
            self.report(&NO_PINS, place, message, help);
        }
        if top.get("audit").is_none() {
            let diagnostic = Diagnostic::without_place(&NO_AUDIT_FILE, "no audit file is kept");
            self.sink
                .push(diagnostic.with_help("write `audit: decisions.jsonl`"));
        }
    }
}

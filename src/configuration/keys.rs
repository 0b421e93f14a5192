//! The keys of `gateway.yaml`: one table, which the reader goes by, and which the documented table
//! is made of.

/// A mapping of the file.
#[derive(Debug)]
pub struct Section {
    /// Where it stands: nothing for the top of the file.
    pub place: &'static str,
    /// What it is, as a sentence names it.
    pub what: &'static str,
    /// Its keys, in the order of the documentation.
    pub keys: &'static [Key],
}

/// A key of the file.
#[derive(Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What its value is.
    pub value: &'static str,
    /// What holds where it is left out; empty where it has to be there.
    pub default: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// Whether this build implements it.
    pub is_built: bool,
}

const fn key(
    name: &'static str,
    value: &'static str,
    default: &'static str,
    about: &'static str,
) -> Key {
    Key {
        name,
        value,
        default,
        about,
        is_built: true,
    }
}

const fn later(name: &'static str, about: &'static str) -> Key {
    Key {
        name,
        value: "",
        default: "",
        about,
        is_built: false,
    }
}

/// The top of the file.
pub const TOP: Section = Section {
    place: "",
    what: "`gateway.yaml`",
    keys: &[
        key(
            "catalogue",
            "path",
            "",
            "the catalogue that `stalwart verify --keep` wrote",
        ),
        key("servers", "mapping", "none", "the MCP servers, by name"),
        key(
            "upstreams",
            "mapping",
            "",
            "which server has a tool: a name of `servers` or a URL; `\"*\"` for the rest",
        ),
        key(
            "agents",
            "mapping",
            "",
            "each agent's bearer token; a list while it is rotated",
        ),
        key(
            "host_token",
            "token",
            "off",
            "may mint runs: `POST /v1/runs`",
        ),
        key("admin_token", "token", "off", "opens the admin routes"),
        key(
            "keys",
            "list",
            "made beside the store",
            "what is signed, sealed and hashed with; the first signs, all verify",
        ),
        key("audit", "path", "in memory", "the audit log"),
        key(
            "elicitation_timeout",
            "duration",
            "600",
            "how long a person may think",
        ),
        key(
            "listen",
            "address",
            "127.0.0.1:8800",
            "where agents connect; port 0 takes a free one",
        ),
        key(
            "context",
            "mapping",
            "none",
            "static values of the rulebook's context",
        ),
        key(
            "context_url",
            "URL",
            "off",
            "asked for the context at every check that needs it",
        ),
        key(
            "context_token",
            "token",
            "none",
            "the bearer token that `context_url` gets",
        ),
        key(
            "store",
            "path",
            "./gateway.db",
            "runs, calls and open questions: one SQLite file for one process",
        ),
        key("tls", "mapping", "off", "the certificate of `listen`"),
        key(
            "behind_proxy",
            "boolean",
            "false",
            "whether a proxy with TLS stands in front; needed where `listen` is no loopback address and `tls` is off",
        ),
        key("run_ttl", "duration", "24h", "how long a named run lives"),
        key(
            "run_idle",
            "duration",
            "8h",
            "how long a shared run keeps marks and counts without a call of its agent",
        ),
        key(
            "replay_ttl",
            "duration",
            "24h",
            "how long a shared run keeps what a replay answers",
        ),
        key(
            "node",
            "name",
            "gateway",
            "the name of this gateway in audit lines",
        ),
        key("rate", "mapping", "unlimited", "how often an agent may ask"),
        key("limits", "mapping", "see below", "bounds"),
        key(
            "allowed_origins",
            "list",
            "none",
            "origins of web pages that may use the gateway",
        ),
        later("approvers", "people who decide on approvals"),
        later("tool_policies", "a file of tool policies"),
        later("router_url", "the check service that keeps run state"),
    ],
};

/// An entry of `servers`.
pub const SERVER: Section = Section {
    place: "servers.NAME",
    what: "a server",
    keys: &[
        key("url", "URL", "", "its MCP endpoint"),
        key(
            "headers",
            "mapping",
            "none",
            "sent with every request to it; never shown",
        ),
        key(
            "trusted",
            "boolean",
            "false",
            "whether its annotations count",
        ),
        key(
            "idempotent",
            "boolean",
            "false",
            "whether it does a write with the same idempotency key once, so that it may be sent again",
        ),
        key(
            "timeout",
            "duration",
            "30",
            "how long it may take for a call",
        ),
        later("expose", "other methods than `tools/…` that pass"),
    ],
};

/// An entry of `keys`.
pub const SIGNING_KEY: Section = Section {
    place: "keys[]",
    what: "a key",
    keys: &[
        key("id", "name", "", "what values carry that were made with it"),
        key(
            "secret",
            "secret",
            "",
            "32 bytes: 64 hexadecimal digits or base64",
        ),
    ],
};

/// `tls`.
pub const TLS: Section = Section {
    place: "tls",
    what: "`tls`",
    keys: &[
        key(
            "certificate",
            "path",
            "",
            "the certificate, PEM, and those between it and its root",
        ),
        key("key", "path", "", "its private key, PEM"),
    ],
};

/// `rate`.
pub const RATE: Section = Section {
    place: "rate",
    what: "`rate`",
    keys: &[
        key(
            "calls_per_minute",
            "number",
            "",
            "requests of an agent a minute, over time",
        ),
        key(
            "burst",
            "number",
            "calls_per_minute",
            "requests of an agent at once",
        ),
    ],
};

/// `limits`.
pub const LIMITS: Section = Section {
    place: "limits",
    what: "`limits`",
    keys: &[
        key("body", "bytes", "1048576", "largest request"),
        key("depth", "number", "64", "deepest JSON of a request"),
        key("connections", "number", "10000", "connections at once"),
        key(
            "sessions",
            "number",
            "10000",
            "MCP sessions at once, of all agents",
        ),
        key(
            "sessions_per_agent",
            "number",
            "1000",
            "MCP sessions of one agent; beyond it the one that was idle longest ends",
        ),
        key(
            "calls_per_session",
            "number",
            "64",
            "calls of one session at once",
        ),
        key(
            "calls_per_agent",
            "number",
            "1000",
            "calls of one agent at once; beyond it they are refused `limit`",
        ),
        key(
            "streams_per_agent",
            "number",
            "1000",
            "open streams of one agent",
        ),
        key("runs", "number", "100000", "named runs that live at once"),
        key(
            "questions_per_run",
            "number",
            "3",
            "open questions of a named run, and of a session in a shared run",
        ),
        key(
            "questions_per_agent",
            "number",
            "50",
            "open questions of one agent in its shared run",
        ),
    ],
};

/// All sections, in the order of the documentation.
pub const SECTIONS: [&Section; 6] = [&TOP, &SERVER, &SIGNING_KEY, &TLS, &RATE, &LIMITS];

/// The table of keys, as `docs/gateway-configuration.md` has it.
pub fn table() -> String {
    let mut out = String::from("| key | value | default | what it is for |\n|---|---|---|---|\n");
    for section in SECTIONS {
        for key in section.keys {
            let path = match section.place {
                "" => key.name.to_owned(),
                place => format!("{place}.{}", key.name),
            };
            let line = match (key.is_built, key.default) {
                (false, _) => format!(
                    "| `{path}` | | | {}: **not in this build**, an error at start |",
                    key.about
                ),
                (true, "") => format!(
                    "| `{path}` | {} | must be there | {} |",
                    key.value, key.about
                ),
                (true, default) => {
                    format!("| `{path}` | {} | {default} | {} |", key.value, key.about)
                }
            };
            out.push_str(&line);
            out.push('\n');
        }
    }
    out
}

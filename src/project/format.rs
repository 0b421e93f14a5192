//! The format of `rulebook.toml`: its tables and keys, and the JSON Schema that editors complete
//! and check it by.

use schemars::{JsonSchema, schema_for};
use serde_json::Value as Json;
use toml::de::{DeTable, DeValue};

use super::FORMAT;
use super::values::{
    MOST, Value, boolean, in_order, number, span, string, strings, unknown_key, wrong_type,
};
use crate::adapters::Adapter;
use crate::diagnostics::codes::project::{BAD_VALUE, MISSING_KEY, NO_RULEBOOKS, NOT_TOML};
use crate::diagnostics::{Deny, Diagnostic, Sink, codes};
use crate::text::{Span, Spanned, did_you_mean, escaped, quoted};

/// The rulebooks of a repository, for the commands of RulebookTranslator that are given no file.
///
/// Paths are relative to the folder of this file, with `/` on every system, and stay inside of it.
#[derive(Debug, Default, JsonSchema)]
#[schemars(
    rename = "rulebook.toml",
    rename_all = "kebab-case",
    deny_unknown_fields
)]
pub(super) struct ProjectFile {
    /// The format of this file, `rulebook-toml/1`; that is meant too where it is left out.
    #[schemars(with = "Option<String>")]
    pub(super) format: Option<Spanned<String>>,
    /// `.co` files, and folders of such, that are no rulebooks of the project though they lie in
    /// its folder: patterns in `path` do not take them, and `check --all` does not miss them.
    #[schemars(with = "Option<Vec<String>>")]
    pub(super) exclude: Vec<Spanned<String>>,
    /// What holds for every rulebook that does not say otherwise.
    #[schemars(with = "Option<Settings>")]
    pub(super) defaults: Settings,
    /// The rulebooks, each with a table `[[rulebook]]`.
    #[schemars(with = "Vec<Entry>", length(min = 1))]
    pub(super) rulebook: Vec<Entry>,
}

/// What holds for every rulebook that does not say otherwise.
#[derive(Clone, Debug, Default, JsonSchema)]
#[schemars(rename = "Defaults", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Settings {
    /// Findings that end `check`, `emit` and `test` with 1 though they are no errors: `warnings`, or the
    /// codes of warnings and notes.
    #[schemars(with = "Option<Vec<String>>")]
    pub(super) deny: Option<Vec<Deny>>,
    /// Most calls that the proof evaluates; where there are more, it is a sample.
    #[schemars(range(min = 1))]
    pub(super) proof_points: Option<u64>,
    /// How much of a rulebook its tests must cover, in percent.
    #[schemars(range(min = 0, max = 100))]
    pub(super) coverage_threshold: Option<u8>,
    /// Whether `emit` writes tests for `opa test` beside the package.
    pub(super) with_tests: Option<bool>,
    /// The proxies that `emit` writes an adapter for beside the package.
    #[schemars(with = "Option<Vec<AdapterName>>")]
    pub(super) adapters: Option<Vec<Adapter>>,
    /// Whether the adapters deny what no rule speaks of.
    #[schemars(with = "Option<bool>")]
    pub(super) deny_silent: Option<Spanned<bool>>,
}

/// A proxy, or another program, that asks Open Policy Agent.
#[derive(JsonSchema)]
#[schemars(rename = "Adapter", rename_all = "lowercase")]
#[expect(dead_code, reason = "the schema is made of its names")]
enum AdapterName {
    Kong,
    Envoy,
    AgentGateway,
    Http,
}

/// A rulebook, or several of one kind.
#[derive(Debug, JsonSchema)]
#[schemars(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Entry {
    /// The source. `*` stands for any part of a name, `**` for any folders: the entry is then one
    /// rulebook for each file that fits and has no entry of its own.
    #[schemars(with = "String")]
    pub(super) path: Spanned<String>,
    /// The whole name of the Rego package; else `stalwart.` and the file's name without extension.
    /// `{stem}` stands for that name.
    #[schemars(with = "Option<String>")]
    pub(super) package: Option<Spanned<String>>,
    /// The folder of the artifacts, created if there is none; else the folder of the source.
    /// `{stem}` stands for the file's name without extension. No two rulebooks share one.
    #[schemars(with = "Option<String>")]
    pub(super) out_dir: Option<Spanned<String>>,
    /// The tests, with `*`, `**` and `{stem}`; else the file that `test` takes by itself.
    #[schemars(with = "Option<Vec<String>>")]
    pub(super) tests: Option<Vec<Spanned<String>>>,
    /// What this rulebook says otherwise than `[defaults]`.
    #[schemars(flatten)]
    pub(super) settings: Settings,
}

const TOP_KEYS: &[&str] = &["format", "exclude", "defaults", "rulebook"];
const SETTINGS: &[&str] = &[
    "deny",
    "proof-points",
    "coverage-threshold",
    "with-tests",
    "adapters",
    "deny-silent",
];
const ENTRY_KEYS: &[&str] = &[
    "path",
    "package",
    "out-dir",
    "tests",
    "deny",
    "proof-points",
    "coverage-threshold",
    "with-tests",
    "adapters",
    "deny-silent",
];

/// The text of the schema: sorted keys, two-space indentation, one final newline.
pub fn schema() -> String {
    let mut schema = schema_for!(ProjectFile).to_value();
    if let Some(Json::Object(format)) = schema.pointer_mut("/properties/format") {
        format.remove("type");
        format.insert("const".to_owned(), Json::from(FORMAT));
    }
    leave_out_null(&mut schema);
    format!("{schema:#}\n")
}

/// TOML has no null: a key that may be missing is left out. No number has a size of its own.
fn leave_out_null(schema: &mut Json) {
    let mut rest = vec![schema];
    while let Some(value) = rest.pop() {
        match value {
            Json::Array(items) => rest.extend(items),
            Json::Object(fields) => {
                if fields.get("format").is_some_and(Json::is_string) {
                    fields.remove("format");
                }
                if let Some(Json::Array(types)) = fields.get_mut("type") {
                    types.retain(|name| name != "null");
                    if let [only] = types.as_slice() {
                        let only = only.clone();
                        fields.insert("type".to_owned(), only);
                    }
                }
                if let Some(Json::Array(choices)) = fields.get_mut("anyOf") {
                    choices.retain(|choice| choice.get("type").is_none_or(|name| name != "null"));
                }
                rest.extend(fields.values_mut());
            }
            _ => {}
        }
    }
}

/// Reads a document; none where it cannot be read as TOML, or is of another format.
pub(super) fn parse(text: &str, sink: &mut Sink) -> Option<ProjectFile> {
    let table = match DeTable::parse(text) {
        Ok(table) => table,
        Err(error) => {
            let range = error.span().unwrap_or(0..0);
            let (what, help) = reason(error.message());
            let place = Span::new(range.start, range.end);
            let message = format!("this is no TOML: {what}");
            sink.push(Diagnostic::new(&NOT_TOML, place, message).with_help(help));
            return None;
        }
    };
    let mut file = ProjectFile::default();
    if let Some(value) = table.get_ref().get("format") {
        file.format = format(value, sink);
        // Of another format, what the rest means is not known.
        if sink.has_errors() {
            return None;
        }
    }
    let mut has_rulebooks = false;
    for (key, value) in in_order(table.get_ref()) {
        match key.value {
            "format" => {}
            "exclude" => file.exclude = strings("exclude", value, sink).unwrap_or_default(),
            "defaults" => file.defaults = defaults(value, sink),
            "rulebook" => {
                has_rulebooks = true;
                file.rulebook = rulebooks(value, sink);
            }
            other => {
                let elsewhere = match other {
                    _ if SETTINGS.contains(&other) => {
                        Some("write it below `[defaults]`, or below a `[[rulebook]]`")
                    }
                    _ if ENTRY_KEYS.contains(&other) => Some("write it below a `[[rulebook]]`"),
                    _ => None,
                };
                sink.push(unknown_key(key, "`rulebook.toml`", TOP_KEYS, elsewhere));
            }
        }
    }
    if !has_rulebooks && !sink.has_errors() {
        sink.push(no_rulebooks(Span::new(0, 0)));
    }
    Some(file)
}

/// What is wrong with a text that is no TOML, and what to write. The reader's message ends with
/// what it would have taken, which helps where that is one thing.
fn reason(message: &str) -> (String, String) {
    let (what, expected) = message.split_once(", expected ").unwrap_or((message, ""));
    let help = match expected
        .strip_prefix('`')
        .and_then(|rest| rest.strip_suffix('`'))
    {
        Some(one) if !one.contains('`') => format!("write `{}` here", escaped(one)),
        _ => "a line is `key = value`, `[table]`, `[[rulebook]]` or a `# comment`".to_owned(),
    };
    (escaped(what), help)
}

fn no_rulebooks(span: Span) -> Diagnostic {
    Diagnostic::new(&NO_RULEBOOKS, span, "the project has no rulebook")
        .with_help("write `[[rulebook]]` and `path = \"policy.co\"` below it, for example")
}

fn format(value: &Value<'_>, sink: &mut Sink) -> Option<Spanned<String>> {
    let format = string("format", value, sink)?;
    if format.value != FORMAT {
        sink.push(
            Diagnostic::new(
                &BAD_VALUE,
                format.span,
                format!(
                    "{} is another format than `{FORMAT}`",
                    quoted(&format.value)
                ),
            )
            .with_help("a newer translator may read it; this one reads no other"),
        );
    }
    Some(format)
}

fn defaults(value: &Value<'_>, sink: &mut Sink) -> Settings {
    let mut settings = Settings::default();
    let Some(table) = value.get_ref().as_table() else {
        sink.push(wrong_type(
            "defaults",
            value,
            "a table",
            "write `[defaults]`",
        ));
        return settings;
    };
    for (key, value) in in_order(table) {
        if !setting(&mut settings, key.value, value, sink) {
            let elsewhere = match key.value {
                "exclude" | "format" => Some("write it above the first table"),
                other if ENTRY_KEYS.contains(&other) => Some("write it below a `[[rulebook]]`"),
                _ => None,
            };
            sink.push(unknown_key(key, "`[defaults]`", SETTINGS, elsewhere));
        }
    }
    settings
}

/// Reads a key that defaults and rulebooks have; false where it is none of those.
fn setting(settings: &mut Settings, key: &str, value: &Value<'_>, sink: &mut Sink) -> bool {
    match key {
        "deny" => settings.deny = deny(value, sink),
        "proof-points" => {
            settings.proof_points = number(key, value, (1, MOST), sink);
        }
        "coverage-threshold" => {
            let percent = number(key, value, (0, 100), sink);
            settings.coverage_threshold = percent.and_then(|percent| percent.try_into().ok());
        }
        "with-tests" => settings.with_tests = boolean(key, value, sink).map(|read| read.value),
        "adapters" => settings.adapters = adapters(value, sink),
        "deny-silent" => settings.deny_silent = boolean(key, value, sink),
        _ => return false,
    }
    true
}

fn deny(value: &Value<'_>, sink: &mut Sink) -> Option<Vec<Deny>> {
    let mut denied = Vec::new();
    for word in strings("deny", value, sink)? {
        match Deny::parse(&word.value) {
            Ok(deny) => denied.push(deny),
            Err(error) => {
                let help = error
                    .help
                    .unwrap_or_else(|| "`RulebookTranslator explain` lists all codes".to_owned());
                let code = &codes::project::BAD_DENY;
                sink.push(Diagnostic::new(code, word.span, error.message).with_help(help));
            }
        }
    }
    Some(denied)
}

fn adapters(value: &Value<'_>, sink: &mut Sink) -> Option<Vec<Adapter>> {
    let mut adapters = Vec::new();
    for name in strings("adapters", value, sink)? {
        match Adapter::parse(&name.value) {
            Some(adapter) => adapters.push(adapter),
            None => {
                let known = || Adapter::ALL.into_iter().map(Adapter::as_str);
                let help = match did_you_mean(&name.value, known()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => {
                        let known: Vec<String> = known().map(|name| format!("`{name}`")).collect();
                        format!("there are {}", known.join(", "))
                    }
                };
                let message = format!("there is no adapter {}", quoted(&name.value));
                sink.push(Diagnostic::new(&BAD_VALUE, name.span, message).with_help(help));
            }
        }
    }
    Some(adapters)
}

fn rulebooks(value: &Value<'_>, sink: &mut Sink) -> Vec<Entry> {
    let help = "write `[[rulebook]]`, with two brackets, above the keys of each";
    let items = match value.get_ref() {
        DeValue::Array(items) if items.is_empty() => {
            sink.push(no_rulebooks(span(value)));
            return Vec::new();
        }
        DeValue::Array(items) => items,
        _ => {
            sink.push(wrong_type("rulebook", value, "a list of tables", help));
            return Vec::new();
        }
    };
    let mut entries = Vec::new();
    for item in items.iter() {
        match item.get_ref().as_table() {
            Some(table) => entries.extend(entry(table, span(item), sink)),
            None => sink.push(wrong_type("rulebook", item, "a list of tables", help)),
        }
    }
    entries
}

fn entry(table: &DeTable<'_>, place: Span, sink: &mut Sink) -> Option<Entry> {
    let mut path = None;
    let mut has_path = false;
    let (mut package, mut out_dir, mut tests) = (None, None, None);
    let mut settings = Settings::default();
    for (key, value) in in_order(table) {
        match key.value {
            "path" => {
                has_path = true;
                path = string("path", value, sink);
            }
            "package" => package = string("package", value, sink),
            "out-dir" => out_dir = string("out-dir", value, sink),
            "tests" => tests = strings("tests", value, sink),
            other => {
                if !setting(&mut settings, other, value, sink) {
                    let elsewhere = matches!(other, "exclude" | "format")
                        .then_some("write it above the first table");
                    sink.push(unknown_key(key, "`[[rulebook]]`", ENTRY_KEYS, elsewhere));
                }
            }
        }
    }
    if !has_path {
        sink.push(
            Diagnostic::new(&MISSING_KEY, place, "this rulebook has no `path`")
                .with_help("write `path = \"policy.co\"`, the file that it is"),
        );
    }
    Some(Entry {
        path: path?,
        package,
        out_dir,
        tests,
        settings,
    })
}

//! From a document to a suite.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::context::{self, Said};
use super::{Case, SetName, Suite, Want};
use crate::diagnostics::codes::suites;
use crate::diagnostics::{Diagnostic, Sink};
use crate::evaluator::Verdict;
use crate::text::{Source, Span, Spanned, quoted};
use crate::yaml::{self, Content, Fields, Node, nearest};

const CASE_HELP: &str = "a case has a `name`, a `tool` and a `want`";

/// Reads a tests file. The suite is there when it has no errors.
///
/// # Errors
/// Reported to `sink`, as are warnings; none is returned then.
pub fn read(source: &Source, sink: &mut Sink) -> Option<Suite> {
    let mut found = Sink::new();
    let root = yaml::read(source, &mut found);
    let suite = root.and_then(|root| suite(&root, &mut found));
    let failed = found.has_errors();
    sink.extend(found.into_sorted());
    suite.filter(|_| !failed)
}

fn suite(root: &Node, sink: &mut Sink) -> Option<Suite> {
    if root.content == Content::Null {
        sink.push(no_cases(root.place));
        return None;
    }
    let mut fields = Fields::of(root, "a tests file", sink)?;
    let rulebook = fields
        .take("rulebook")
        .and_then(|entry| entry.value.text("`rulebook`", sink));
    let around = Around::default().with(&mut fields, sink);
    let mut cases = Vec::new();
    members(&mut fields, &around, &mut cases, sink);
    fields.finish(sink);
    if cases.is_empty() && !sink.has_errors() {
        sink.push(no_cases(root.place));
    }
    Some(Suite { rulebook, cases })
}

fn no_cases(place: Span) -> Diagnostic {
    Diagnostic::new(&suites::NO_TESTS, place, "there is no case in this file").with_help(
        "write one below `cases:`; `RulebookTranslator test FILE --suggest` writes a first file",
    )
}

/// What is said around a case.
#[derive(Clone, Debug, Default)]
struct Around {
    groups: Vec<String>,
    tool: Option<ToolSaid>,
    context: Map<String, Value>,
    /// The names that groups and the file set, for those who look at them.
    names: Vec<SetName>,
    skip: Option<String>,
}

/// The tool as it is said: none for one that is no string.
type ToolSaid = Option<Spanned<String>>;

impl Around {
    /// With what the file or a group says for all of its cases.
    fn with(&self, fields: &mut Fields<'_>, sink: &mut Sink) -> Self {
        let mut around = self.clone();
        if let Some(tool) = tool(fields, sink) {
            around.tool = Some(tool);
        }
        if let Some(entry) = fields.take("context") {
            let entries = entry.value.mapping("a context for all cases", sink);
            let said = context::read(entries.unwrap_or_default(), sink);
            context::lay_over(&mut around.context, &said.values);
            // The first case that is read takes them along.
            around.names.extend(said.names);
        }
        around
    }
}

fn tool(fields: &mut Fields<'_>, sink: &mut Sink) -> Option<ToolSaid> {
    let entry = fields.take("tool")?;
    match &entry.value.content {
        // Any text can be a tool's name, the empty one too.
        Content::Text(text) => Some(Some(Spanned::new(text.value.clone(), entry.value.place))),
        // An empty value is more likely forgotten than meant.
        Content::Null if entry.value.span == entry.key.span => {
            fields.missing(
                "tool",
                "name the tool; `tool: null` is a call whose tool is no string",
                sink,
            );
            None
        }
        _ => Some(None),
    }
}

/// The cases and groups of a file or a group. No deeper than the document.
fn members(fields: &mut Fields<'_>, around: &Around, cases: &mut Vec<Case>, sink: &mut Sink) {
    let mut names = around.names.clone();
    let mut known = BTreeMap::new();
    if let Some(entry) = fields.take("cases") {
        for node in entry.value.list("`cases`", sink).unwrap_or_default() {
            let Some(mut case) = case(node, around, &mut known, sink) else {
                continue;
            };
            case.names.append(&mut names);
            cases.push(case);
        }
    }
    let mut known = BTreeMap::new();
    if let Some(entry) = fields.take("groups") {
        for node in entry.value.list("`groups`", sink).unwrap_or_default() {
            let mut around = around.clone();
            around.names = std::mem::take(&mut names);
            group(node, &around, &mut known, cases, sink);
        }
    }
}

fn group(
    node: &Node,
    around: &Around,
    known: &mut BTreeMap<String, Span>,
    cases: &mut Vec<Case>,
    sink: &mut Sink,
) {
    let Some(mut fields) = Fields::of(node, "a group", sink) else {
        return;
    };
    let name = fields.require("name", "a group has a `name` and `cases`", sink);
    let name = name.and_then(|entry| entry.value.text("the name of a group", sink));
    if let Some(name) = &name {
        unique(name, "group", known, sink);
    }
    let before = around.names.len();
    let mut inner = around.with(&mut fields, sink);
    inner.groups.extend(name.map(|name| name.value));
    let own: Vec<SetName> = inner.names.iter().skip(before).cloned().collect();
    if let Some(entry) = fields.take("absent") {
        context::take_away(&entry.value, &mut inner.context, &own, sink);
    }
    if let Some(entry) = fields.take("skip") {
        inner.skip = entry
            .value
            .text("the reason of `skip`", sink)
            .map(|reason| reason.value);
    }
    members(&mut fields, &inner, cases, sink);
    fields.finish(sink);
}

fn case(
    node: &Node,
    around: &Around,
    known: &mut BTreeMap<String, Span>,
    sink: &mut Sink,
) -> Option<Case> {
    let mut fields = Fields::of(node, "a case", sink)?;
    let name = fields.require("name", CASE_HELP, sink);
    let name = name.and_then(|entry| entry.value.text("the name of a case", sink));
    if let Some(name) = &name {
        unique(name, "case", known, sink);
    }
    let tool = match (tool(&mut fields, sink), &around.tool) {
        (Some(tool), _) => Some(tool),
        (None, Some(tool)) => Some(tool.clone()),
        (None, None) if !sink.has_errors() => {
            let help = "name the tool that is called, in the case or in a group around it; `tool: null` is a call whose tool is no string";
            fields.missing("tool", help, sink);
            None
        }
        (None, None) => None,
    };
    let (context, own) = case_context(&mut fields, around, sink);
    let want = fields.require("want", CASE_HELP, sink);
    let want = want.and_then(|entry| want_of(&entry.value, sink));
    let skip = fields
        .take("skip")
        .and_then(|entry| entry.value.text("the reason of `skip`", sink));
    fields.finish(sink);
    Some(Case {
        groups: around.groups.clone(),
        name: name?,
        tool: tool?,
        context,
        names: own,
        want: want?,
        skip: skip
            .map(|reason| reason.value)
            .or_else(|| around.skip.clone()),
    })
}

/// The whole context of a case, and the names that it sets itself.
fn case_context(
    fields: &mut Fields<'_>,
    around: &Around,
    sink: &mut Sink,
) -> (Value, Vec<SetName>) {
    let mut context = around.context.clone();
    let mut said = Said::default();
    let mut whole = None;
    if let Some(entry) = fields.take("context") {
        match &entry.value.content {
            Content::Mapping(entries) => said = context::read(entries, sink),
            Content::Null if entry.value.span == entry.key.span => {
                let help = "write `key: value` below it; `{}` says nothing beyond the groups, `null` is a context without any name";
                sink.push(
                    Diagnostic::new(
                        &suites::BAD_CONTEXT,
                        entry.key.span,
                        "nothing stands behind `context:`",
                    )
                    .with_help(help),
                );
            }
            _ => whole = Some(entry.value.to_json()),
        }
    }
    context::lay_over(&mut context, &said.values);
    if let Some(entry) = fields.take("absent") {
        context::take_away(&entry.value, &mut context, &said.names, sink);
    }
    (whole.unwrap_or(Value::Object(context)), said.names)
}

fn unique(name: &Spanned<String>, what: &str, known: &mut BTreeMap<String, Span>, sink: &mut Sink) {
    if let Some(first) = known.insert(name.value.clone(), name.span) {
        let message = format!("a second {what} named {}", quoted(&name.value));
        sink.push(
            Diagnostic::new(&suites::DUPLICATE_CASE, name.span, message)
                .with_label("again here")
                .with_other(first, "first here")
                .with_help("say in each name what is special about it"),
        );
    }
}

fn want_of(node: &Node, sink: &mut Sink) -> Option<Spanned<Want>> {
    let (decision, rule) = match &node.content {
        Content::Mapping(_) => {
            let mut fields = Fields::of(node, "a wanted decision", sink)?;
            let help = "write `{decision: refuse, rule: …}`";
            let decision = fields.require("decision", help, sink);
            let decision = decision.and_then(|entry| verdict(&entry.value, sink));
            let rule = fields
                .take("rule")
                .and_then(|entry| rule_of(&entry.value, sink));
            fields.finish(sink);
            (decision?, rule)
        }
        _ => (verdict(node, sink)?, None),
    };
    let speaks = matches!(decision, Verdict::Clarify | Verdict::Refuse);
    if let Some(rule) = &rule
        && rule.value.is_empty() == speaks
    {
        let (message, help) = if speaks {
            (
                format!("{} without a rule", quoted(decision.as_str())),
                "the rule is the message said, `stop`, or `no_match`; leave `rule` out where any will do",
            )
        } else {
            (
                format!("{} has no rule", quoted(decision.as_str())),
                "leave `rule` out: only a call that is refused or asked about has one",
            )
        };
        sink.push(Diagnostic::new(&suites::BAD_WANT, rule.span, message).with_help(help));
        return None;
    }
    let want = Want {
        decision,
        rule: rule.map(|rule| rule.value),
    };
    Some(Spanned::new(want, node.place))
}

fn verdict(node: &Node, sink: &mut Sink) -> Option<Verdict> {
    const DECISIONS: [&str; 4] = ["allow", "clarify", "refuse", "silent"];
    let word = node.text("a decision", sink)?.value;
    let found = Verdict::named(&word);
    if found.is_none() {
        let meant = match word.to_lowercase().as_str() {
            "deny" | "denied" | "block" | "blocked" | "refused" | "forbid" => Some("refuse"),
            "allowed" | "permit" | "pass" | "ok" => Some("allow"),
            "ask" | "confirm" => Some("clarify"),
            "none" | "nothing" => Some("silent"),
            other => nearest(other, DECISIONS),
        };
        let help = match meant {
            Some(meant) => format!("did you mean {}?", quoted(meant)),
            None => "write `allow`, `clarify`, `refuse` or `silent`".to_owned(),
        };
        let message = format!("{} is no decision", quoted(&word));
        sink.push(Diagnostic::new(&suites::BAD_WANT, node.place, message).with_help(help));
    }
    found
}

/// A rule may be empty, where a decision has none.
fn rule_of(node: &Node, sink: &mut Sink) -> Option<Spanned<String>> {
    match &node.content {
        Content::Text(text) if text.value.is_empty() => {
            Some(Spanned::new(String::new(), node.place))
        }
        _ => node.text("a rule", sink),
    }
}

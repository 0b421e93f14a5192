//! From a document to a draft: keys and kinds of values, with a finding for whatever is not as it
//! should be.

use std::collections::BTreeMap;

use super::draft::{Draft, DraftAgent, DraftRule, DraftTool, DraftUndo, Wanted};
use super::types::{OperationType, Ungoverned};
use crate::diagnostics::codes::catalogue::{BAD_NAME, BAD_VALUE, LISTED_TWICE};
use crate::diagnostics::codes::documents::MISSING_KEY;
use crate::diagnostics::{Diagnostic, Sink};
use crate::text::{Span, Spanned, is_invisible, quoted};
use crate::yaml::{Entry, Fields, Node, nearest};

/// Most characters of a tool's name: what the Model Context Protocol has.
const MOST_OF_A_TOOL: usize = 128;

/// Most characters of an agent's name.
const MOST_OF_AN_AGENT: usize = 64;

/// Most characters of a person's name: those of the longest address of a mailbox.
const MOST_OF_A_PERSON: usize = 254;

/// Takes the keys that hold the policy.
pub(super) fn policy<'n>(fields: &mut Fields<'n>, sink: &mut Sink) -> Draft<'n> {
    let mut draft = Draft::default();
    if let Some(entry) = fields.take("ungoverned") {
        let words = [("allow", Ungoverned::Allow), ("refuse", Ungoverned::Refuse)];
        let ungoverned = word(&entry.value, "`ungoverned`", &words, sink);
        draft.ungoverned = ungoverned.unwrap_or_default();
    }
    let help = "write `agents: { desk: { tools: [get_order] } }`, with names of your own";
    if let Some(entry) = fields.require("agents", help, sink) {
        draft.agents = named(entry, MOST_OF_AN_AGENT, "an agent", sink, agent);
    }
    let help = "list each tool with its `operation_type` and its `input_schema`";
    if let Some(entry) = fields.require("tools", help, sink) {
        draft.tools_place = entry.key.span;
        draft.tools = named(entry, MOST_OF_A_TOOL, "a tool", sink, tool);
    }
    if let Some(entry) = fields.take("order") {
        let items = entry.value.list("`order`", sink).unwrap_or_default();
        draft.order = items.iter().filter_map(|item| rule(item, sink)).collect();
    }
    draft
}

/// The entries of a mapping whose keys are names.
fn named<'n, T>(
    entry: &'n Entry,
    most: usize,
    what: &str,
    sink: &mut Sink,
    read: impl Fn(&'n Entry, &mut Sink) -> Option<T>,
) -> BTreeMap<String, T> {
    let list = quoted(&entry.key.value);
    let entries = entry.value.mapping(&list, sink).unwrap_or_default();
    let mut found = BTreeMap::new();
    for entry in entries {
        name(&entry.key, most, what, sink);
        if let Some(value) = read(entry, sink) {
            found.insert(entry.key.value.clone(), value);
        }
    }
    found
}

fn name(name: &Spanned<String>, most: usize, what: &str, sink: &mut Sink) {
    let letters = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
    if (1..=most).contains(&name.value.len()) && name.value.bytes().all(letters) {
        return;
    }
    let message = format!("{} is no name of {what}", quoted(&name.value));
    let help =
        format!("a name has 1 to {most} characters: letters and digits of ASCII, `_`, `.`, `-`");
    sink.push(Diagnostic::new(&BAD_NAME, name.span, message).with_help(help));
}

fn agent(entry: &Entry, sink: &mut Sink) -> Option<DraftAgent> {
    let mut fields = Fields::of(&entry.value, "an agent", sink)?;
    let tools = texts(fields.take("tools"), sink);
    let hand_off = texts(fields.take("hand_off"), sink);
    let owners = texts(fields.take("owners"), sink);
    fields.finish(sink);
    for owner in &owners {
        let length = owner.value.chars().count();
        let is_seen = |letter: char| !is_invisible(letter) && !letter.is_whitespace();
        if !(1..=MOST_OF_A_PERSON).contains(&length) || !owner.value.chars().all(is_seen) {
            let message = format!("{} is no name of a person", quoted(&owner.value));
            let help = format!(
                "write 1 to {MOST_OF_A_PERSON} characters without blanks, such as `ana@example.com`"
            );
            sink.push(Diagnostic::new(&BAD_NAME, owner.span, message).with_help(help));
        }
    }
    Some(DraftAgent {
        name: entry.key.span,
        hand_off,
        owners,
        tools,
    })
}

fn tool<'n>(entry: &'n Entry, sink: &mut Sink) -> Option<DraftTool<'n>> {
    let mut fields = Fields::of(&entry.value, "a tool", sink)?;
    let words = [
        ("read_only", OperationType::ReadOnly),
        ("transactional", OperationType::Transactional),
    ];
    let help = "write `operation_type: read_only` for a tool that changes nothing, `transactional` for every other";
    let operation = fields
        .require("operation_type", help, sink)
        .map(|entry| word(&entry.value, "`operation_type`", &words, sink));
    let help = "write `input_schema: { type: object }` and what its arguments are";
    let input_schema = fields.require("input_schema", help, sink);
    let outside = boolean(fields.take("outside"), sink);
    let require_confirmation = boolean(fields.take("require_confirmation"), sink);
    let confirm = fields
        .take("confirm")
        .and_then(|entry| entry.value.text("`confirm`", sink));
    let context_arguments = texts(fields.take("context_arguments"), sink);
    let undo = fields.take("undo").and_then(|entry| undo(entry, sink));
    fields.finish(sink);
    Some(DraftTool {
        name: entry.key.span,
        confirm,
        context_arguments,
        input_schema: &input_schema?.value,
        operation_type: operation??,
        outside,
        require_confirmation,
        undo,
    })
}

fn undo<'n>(entry: &'n Entry, sink: &mut Sink) -> Option<DraftUndo<'n>> {
    let mut fields = Fields::of(&entry.value, "an `undo`", sink)?;
    let help = "write `tool:` and the tool that undoes this one";
    let tool = fields
        .require("tool", help, sink)
        .and_then(|entry| entry.value.text("the tool of an `undo`", sink));
    let arguments = fields.take("arguments");
    if let Some(arguments) = arguments {
        arguments.value.mapping("`arguments`", sink);
    }
    fields.finish(sink);
    Some(DraftUndo {
        key: entry.key.span,
        tool: tool?,
        arguments: arguments.map(|entry| &entry.value),
    })
}

fn rule(item: &Node, sink: &mut Sink) -> Option<DraftRule> {
    let what = "a rule on the order of calls";
    let mut fields = Fields::of(item, what, sink)?;
    let help = "write `tool:` and the tool that the rule is about";
    let tool = fields
        .require("tool", help, sink)
        .and_then(|entry| entry.value.text("the tool of a rule", sink));
    let after = fields.take("after");
    let at_most = fields.take("at_most");
    let wants = match (after, at_most) {
        (Some(after), None) => after.value.text("`after`", sink).map(Wanted::After),
        (None, Some(most)) => count(&most.value, sink).map(Wanted::AtMost),
        (Some(_), Some(most)) => {
            let message = format!("{what} has either `after` or `at_most`");
            sink.push(
                Diagnostic::new(&BAD_VALUE, most.key.span, message)
                    .with_help("write a rule of its own for each"),
            );
            None
        }
        (None, None) => {
            let help = "write `after:` and the tool that has to have succeeded, or `at_most:` and a number";
            let message = format!("{what} without `after` and `at_most`");
            sink.push(Diagnostic::new(&MISSING_KEY, item.place, message).with_help(help));
            None
        }
    };
    fields.finish(sink);
    Some(DraftRule {
        place: item.place,
        tool: tool?,
        wants: wants?,
    })
}

/// A whole number.
fn count(node: &Node, sink: &mut Sink) -> Option<Spanned<u64>> {
    let number = node.number("`at_most`", sink)?;
    let found = number.as_u64();
    if found.is_none() {
        let message = format!("{} is no whole number", quoted(&number.to_string()));
        let help = "write how often the tool may be called in a run, such as `3`";
        sink.push(Diagnostic::new(&BAD_VALUE, node.place, message).with_help(help));
    }
    Some(Spanned::new(found?, node.place))
}

/// One of some words.
pub(super) fn word<T: Copy>(
    node: &Node,
    what: &str,
    words: &[(&'static str, T)],
    sink: &mut Sink,
) -> Option<T> {
    let text = node.text(what, sink)?;
    let found = words.iter().find(|(word, _)| *word == text.value);
    if found.is_none() {
        let known: Vec<String> = words.iter().map(|(word, _)| quoted(word)).collect();
        let known = known.join(" or ");
        let message = format!("{what} is {known}, and not {}", quoted(&text.value));
        let help = match nearest(&text.value, words.iter().map(|(word, _)| *word)) {
            Some(near) => format!("did you mean {}?", quoted(near)),
            None => format!("write {known}"),
        };
        sink.push(Diagnostic::new(&BAD_VALUE, node.place, message).with_help(help));
    }
    found.map(|(_, value)| *value)
}

fn boolean(entry: Option<&Entry>, sink: &mut Sink) -> Option<Spanned<bool>> {
    let entry = entry?;
    let value = entry.value.boolean(&quoted(&entry.key.value), sink)?;
    Some(Spanned::new(value, entry.value.place))
}

/// A list of texts, each once.
fn texts(entry: Option<&Entry>, sink: &mut Sink) -> Vec<Spanned<String>> {
    let Some(entry) = entry else {
        return Vec::new();
    };
    let what = quoted(&entry.key.value);
    let items = entry.value.list(&what, sink).unwrap_or_default();
    let mut known: BTreeMap<String, Span> = BTreeMap::new();
    let mut found = Vec::new();
    for item in items {
        let Some(text) = item.text("an item of the list", sink) else {
            continue;
        };
        match known.get(&text.value) {
            Some(first) => sink.push(twice(&text, *first, &what)),
            None => {
                known.insert(text.value.clone(), text.span);
                found.push(text);
            }
        }
    }
    found
}

fn twice(text: &Spanned<String>, first: Span, list: &str) -> Diagnostic {
    let message = format!("{} stands twice in {list}", quoted(&text.value));
    Diagnostic::new(&LISTED_TWICE, text.span, message)
        .with_label("again here")
        .with_other(first, "first here")
        .with_help("delete one of the two")
}

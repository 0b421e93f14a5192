//! Invariants of a rulebook as a whole: its header, names, messages and tools.

use std::collections::{BTreeMap, BTreeSet};

use super::super::{ContextName, FlowKind, Message, Rulebook, Tool, ValueType, is_tool_name};
use super::{Fault, conditions, ensure, flows, names};
use crate::package::parse_package;
use crate::text::{MAX_LINES, RESERVED_MESSAGES, quoted, tool_length};

/// What the parts of a rulebook are checked against.
pub(super) struct Known<'a> {
    pub(super) context: BTreeMap<&'a [String], ValueType>,
    pub(super) messages: BTreeSet<&'a str>,
    /// The tools with the flows that govern each.
    pub(super) tools: BTreeMap<&'a str, BTreeSet<&'a str>>,
    /// The flows that govern some tool.
    pub(super) governing: BTreeSet<&'a str>,
}

/// Checks every invariant of a rulebook whose shape is right.
pub(super) fn check(rulebook: &Rulebook) -> Result<(), Fault> {
    check_header(rulebook)?;
    check_context(&rulebook.context)?;
    check_messages(&rulebook.messages)?;
    check_flow_heads(rulebook)?;
    check_tools(rulebook)?;
    let known = Known {
        context: rulebook
            .context
            .iter()
            .map(|name| (name.name.as_slice(), name.value_type))
            .collect(),
        messages: rulebook
            .messages
            .iter()
            .map(|message| message.name.as_str())
            .collect(),
        tools: rulebook
            .tools
            .iter()
            .map(|tool| {
                let flows = tool.flows.iter().map(String::as_str).collect();
                (tool.name.as_str(), flows)
            })
            .collect(),
        governing: rulebook
            .tools
            .iter()
            .flat_map(|tool| tool.flows.iter().map(String::as_str))
            .collect(),
    };
    flows::check(&rulebook.flows, &known)
}

/// Whether a line can be one of a source.
pub(super) fn check_line(line: usize, pointer: impl FnOnce() -> String) -> Result<(), Fault> {
    ensure((1..=MAX_LINES).contains(&line), pointer, || {
        format!("a rulebook has no line {line}")
    })
}

fn check_header(rulebook: &Rulebook) -> Result<(), Fault> {
    if let Err(error) = parse_package(&rulebook.package) {
        return Err(Fault {
            pointer: "/package".to_owned(),
            message: format!("{} is no package name: {error}", quoted(&rulebook.package)),
        });
    }
    let file = rulebook.source.file.as_str();
    ensure(
        !matches!(file, "" | "." | "..") && !file.contains(['/', '\0']),
        || "/source/file".to_owned(),
        || format!("{} is no file name", quoted(file)),
    )?;
    let hash = &rulebook.source.sha256;
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    ensure(
        hash.len() == 64 && hash.bytes().all(is_digit),
        || "/source/sha256".to_owned(),
        || "a hash is 64 hexadecimal digits in lower case".to_owned(),
    )
}

fn check_context(context: &[ContextName]) -> Result<(), Fault> {
    for (at, ContextName { name, .. }) in context.iter().enumerate() {
        let pointer = || format!("/context/{at}/name");
        conditions::check_name(name, pointer)?;
        ensure(
            !name
                .first()
                .is_some_and(|first| is_tool_name(std::slice::from_ref(first))),
            pointer,
            || "`tool_name` is the tool called; the host cannot supply it".to_owned(),
        )?;
        let before = at.checked_sub(1).and_then(|before| context.get(before));
        let Some(before) = before else {
            continue;
        };
        ensure(before.name < *name, pointer, || {
            format!(
                "{} stands behind {}: names are sorted, each once",
                conditions::dotted(name),
                conditions::dotted(&before.name)
            )
        })?;
        // Sorted, so a name stands right before the names that it is a parent of.
        ensure(!name.starts_with(&before.name), pointer, || {
            format!(
                "{} stands beside {}: a name is a value or the parent of others",
                conditions::dotted(name),
                conditions::dotted(&before.name)
            )
        })?;
    }
    Ok(())
}

fn check_messages(messages: &[Message]) -> Result<(), Fault> {
    let mut last: Option<&str> = None;
    for (at, message) in messages.iter().enumerate() {
        let pointer = || format!("/messages/{at}/name");
        let name = message.name.as_str();
        names::check_defined(name, "a message", pointer)?;
        ensure(!RESERVED_MESSAGES.contains(&name), pointer, || {
            format!("{} is reserved: no message has this name", quoted(name))
        })?;
        ensure(last.is_none_or(|last| last < name), pointer, || {
            format!(
                "{} stands behind {}: messages are sorted by name, each once",
                quoted(name),
                quoted(last.unwrap_or_default())
            )
        })?;
        last = Some(name);
    }
    Ok(())
}

fn check_flow_heads(rulebook: &Rulebook) -> Result<(), Fault> {
    let mut seen = BTreeSet::new();
    let mut last_line = 0;
    for (at, flow) in rulebook.flows.iter().enumerate() {
        let want = format!("f{}", at + 1);
        ensure(
            flow.id == want,
            || format!("/flows/{at}/id"),
            || format!("the flow is {}, not {}", quoted(&want), quoted(&flow.id)),
        )?;
        names::check_defined(&flow.name, "a flow", || format!("/flows/{at}/name"))?;
        ensure(
            seen.insert(flow.name.as_str()),
            || format!("/flows/{at}/name"),
            || format!("two flows are called {}", quoted(&flow.name)),
        )?;
        check_line(flow.line, || format!("/flows/{at}/line"))?;
        ensure(
            last_line < flow.line,
            || format!("/flows/{at}/line"),
            || "flows stand in the order of their lines".to_owned(),
        )?;
        last_line = flow.line;
    }
    Ok(())
}

fn check_tools(rulebook: &Rulebook) -> Result<(), Fault> {
    let flow_numbers: BTreeMap<&str, usize> = rulebook
        .flows
        .iter()
        .enumerate()
        .map(|(at, flow)| (flow.id.as_str(), at))
        .collect();
    let mut names = BTreeSet::new();
    let mut last_first = 0;
    for (at, Tool { flows, name }) in rulebook.tools.iter().enumerate() {
        ensure(
            tool_length(name) == name.len() && !name.is_empty(),
            || format!("/tools/{at}/name"),
            || {
                format!(
                    "{} is no tool: letters, digits, `_`, `.`, `-` and `/`, from a letter or `_`",
                    quoted(name)
                )
            },
        )?;
        ensure(
            names.insert(name.as_str()),
            || format!("/tools/{at}/name"),
            || format!("the tool {} stands twice", quoted(name)),
        )?;
        ensure(
            !flows.is_empty(),
            || format!("/tools/{at}/flows"),
            || format!("no flow governs the tool {}", quoted(name)),
        )?;
        let mut last = None;
        for (index, id) in flows.iter().enumerate() {
            let pointer = || format!("/tools/{at}/flows/{index}");
            let number = flow_numbers.get(id.as_str()).copied();
            let flow = number.and_then(|number| rulebook.flows.get(number));
            ensure(flow.is_some(), pointer, || {
                format!("there is no flow {}", quoted(id))
            })?;
            ensure(
                flow.is_some_and(|flow| flow.kind == FlowKind::Governing),
                pointer,
                || format!("the flow {} governs no tool", quoted(id)),
            )?;
            ensure(last < number, pointer, || {
                "a tool's flows stand in source order, each once".to_owned()
            })?;
            if index == 0 {
                ensure(number >= Some(last_first), pointer, || {
                    "tools stand in the order of their first `execute`".to_owned()
                })?;
                last_first = number.unwrap_or_default();
            }
            last = number;
        }
    }
    Ok(())
}

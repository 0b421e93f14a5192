//! What has to hold of a policy beyond its shape: whatever is named exists, and nothing is written
//! that could not be in force.

mod order;
mod rulebook;
mod undo;

use super::draft::{Draft, DraftTool};
use super::input_schema;
use super::types::OperationType;
use crate::diagnostics::codes::catalogue::{
    BAD_QUESTION, BAD_VALUE, NO_AGENTS, NO_SUCH_AGENT, NO_SUCH_ARGUMENT, NO_SUCH_TOOL, NO_TOOLS,
    NOT_RUN, READS_OUTSIDE, RESERVED_ARGUMENT, UNREACHABLE_TOOL,
};
use crate::diagnostics::{Code, Diagnostic, Sink};
use crate::ir::Rulebook;
use crate::text::{Span, Spanned, is_invisible, quoted};
use crate::yaml::nearest;

/// Arguments that the gateway itself puts in behind a yes (contract section 3).
pub(super) const RESERVED: [&str; 2] = ["confirmed", "confirmation"];

/// Most characters of a tool's question.
const MOST_OF_A_QUESTION: usize = 200;

/// Checks a policy. `rulebook_place` is where the rulebook is named.
pub(super) fn run(
    draft: &Draft<'_>,
    rulebook: Option<&Rulebook>,
    rulebook_place: Span,
    sink: &mut Sink,
) {
    agents(draft, sink);
    for (name, tool) in &draft.tools {
        one_tool(name, tool, sink);
    }
    undo::check(draft, sink);
    order::check(draft, sink);
    if let Some(rulebook) = rulebook {
        rulebook::check(draft, rulebook, rulebook_place, sink);
    }
    unreachable_tools(draft, sink);
    not_run(draft, sink);
}

fn agents(draft: &Draft<'_>, sink: &mut Sink) {
    if draft.agents.is_empty() && !sink.has_errors() {
        sink.push(
            Diagnostic::new(&NO_AGENTS, draft.tools_place, "there is no agent")
                .with_help("write one below `agents`, with the tools that it may call"),
        );
    }
    for (name, agent) in &draft.agents {
        for tool in &agent.tools {
            known_tool(draft, tool, sink);
        }
        for other in &agent.hand_off {
            if other.value == *name {
                let message = format!("{} hands off to itself", quoted(name));
                let help = "delete it: what an agent calls in one run is in that run anyway";
                sink.push(Diagnostic::new(&NO_SUCH_AGENT, other.span, message).with_help(help));
            } else if !draft.agents.contains_key(&other.value) {
                let known = draft.agents.keys().map(String::as_str);
                sink.push(unknown(&NO_SUCH_AGENT, "an agent", other, known, "agents"));
            }
        }
        if agent.tools.is_empty() {
            let message = format!("{} may call nothing", quoted(name));
            sink.push(
                Diagnostic::new(&NO_TOOLS, agent.name, message)
                    .with_help("list its tools, or delete the agent"),
            );
        }
    }
}

/// Reports a tool that there is not; whether there is.
fn known_tool(draft: &Draft<'_>, tool: &Spanned<String>, sink: &mut Sink) -> bool {
    let is_known = draft.tools.contains_key(&tool.value);
    if !is_known {
        let known = draft.tools.keys().map(String::as_str);
        sink.push(unknown(&NO_SUCH_TOOL, "a tool", tool, known, "tools"));
    }
    is_known
}

fn unknown<'k>(
    code: &'static Code,
    what: &str,
    name: &Spanned<String>,
    known: impl Iterator<Item = &'k str>,
    list: &str,
) -> Diagnostic {
    let message = format!("{} is not {what} of this file", quoted(&name.value));
    let help = match nearest(&name.value, known) {
        Some(near) => format!("did you mean {}?", quoted(near)),
        None => format!("write it below `{list}`"),
    };
    Diagnostic::new(code, name.span, message).with_help(help)
}

fn one_tool(name: &str, tool: &DraftTool<'_>, sink: &mut Sink) {
    input_schema::check(tool.input_schema, sink);
    reserved(tool, sink);
    for argument in &tool.context_arguments {
        declared(name, tool, argument, sink);
    }
    if let Some(confirm) = &tool.confirm {
        let length = confirm.value.chars().count();
        let bad = confirm.value.chars().find(|letter| is_invisible(*letter));
        let message = match bad {
            Some(bad) => Some(format!(
                "the question has a character that cannot be seen: {}",
                quoted(&bad.to_string())
            )),
            None if length > MOST_OF_A_QUESTION => Some(format!(
                "the question has {length} characters, and at most {MOST_OF_A_QUESTION} are shown"
            )),
            None => None,
        };
        if let Some(message) = message {
            let help = "write one line, such as `confirm: \"Refund this order?\"`";
            sink.push(Diagnostic::new(&BAD_QUESTION, confirm.span, message).with_help(help));
        }
    }
    if let (OperationType::ReadOnly, Some(said)) = (tool.operation_type, &tool.require_confirmation)
        && said.value
    {
        let message = format!(
            "{} is `read_only`, and such a tool asks nobody",
            quoted(name)
        );
        let help = "delete `require_confirmation`, or write `operation_type: transactional`";
        sink.push(Diagnostic::new(&BAD_VALUE, said.span, message).with_help(help));
    }
    if let (OperationType::ReadOnly, Some(outside)) = (tool.operation_type, &tool.outside)
        && outside.value
    {
        let message = format!(
            "{} is `read_only` and `outside`: nobody is asked before it, and everything behind it is marked",
            quoted(name)
        );
        let help =
            "that is as it should be where it only reads; every transactional call behind it asks";
        sink.push(Diagnostic::new(&READS_OUTSIDE, tool.name, message).with_help(help));
    }
}

/// Reports an argument that the tool does not declare, or that is the gateway's; whether it may
/// be named.
fn declared(name: &str, tool: &DraftTool<'_>, argument: &Spanned<String>, sink: &mut Sink) -> bool {
    if RESERVED.contains(&argument.value.as_str()) {
        let message = format!("{} is the gateway's own", quoted(&argument.value));
        sink.push(
            Diagnostic::new(&RESERVED_ARGUMENT, argument.span, message)
                .with_help("delete it: what an agent writes there is removed"),
        );
        return false;
    }
    if tool
        .properties()
        .any(|(property, _)| property == argument.value)
    {
        return true;
    }
    let message = format!(
        "{} declares no argument {}",
        quoted(name),
        quoted(&argument.value)
    );
    let known = tool.properties().map(|(property, _)| property);
    let help = match nearest(&argument.value, known) {
        Some(near) => format!("did you mean {}?", quoted(near)),
        None => "write it below `properties` of the tool's `input_schema`".to_owned(),
    };
    sink.push(Diagnostic::new(&NO_SUCH_ARGUMENT, argument.span, message).with_help(help));
    false
}

/// `confirmed` and `confirmation` are booleans, or not declared.
fn reserved(tool: &DraftTool<'_>, sink: &mut Sink) {
    for (property, schema) in tool.properties() {
        if RESERVED.contains(&property) && !input_schema::is_plain_boolean(schema) {
            let message = format!(
                "{} is declared as something else than a boolean",
                quoted(property)
            );
            let help = format!("write `{property}: {{ type: boolean }}`, or another name");
            sink.push(Diagnostic::new(&RESERVED_ARGUMENT, schema.place, message).with_help(help));
        }
    }
    for (name, place) in tool.required() {
        let is_declared = tool.properties().any(|(property, _)| property == name);
        if RESERVED.contains(&name) && !is_declared {
            let message = format!("{} is required and not declared", quoted(name));
            let help = format!(
                "write `{name}: {{ type: boolean }}` below `properties`, or no call could ever pass"
            );
            sink.push(Diagnostic::new(&RESERVED_ARGUMENT, place, message).with_help(help));
        }
    }
}

fn unreachable_tools(draft: &Draft<'_>, sink: &mut Sink) {
    for (name, tool) in &draft.tools {
        let lists = |tools: &[Spanned<String>]| tools.iter().any(|tool| tool.value == *name);
        let is_called = draft.agents.values().any(|agent| lists(&agent.tools));
        let mut undos = draft.tools.values().filter_map(|tool| tool.undo.as_ref());
        if !is_called && !undos.any(|undo| undo.tool.value == *name) {
            let message = format!("no agent may call {}", quoted(name));
            sink.push(
                Diagnostic::new(&UNREACHABLE_TOOL, tool.name, message)
                    .with_help("list it at the agents that need it, or delete it"),
            );
        }
    }
}

/// What is compiled, and not run by this build: each kind is said once.
fn not_run(draft: &Draft<'_>, sink: &mut Sink) {
    let undo = draft.tools.values().find_map(|tool| tool.undo.as_ref());
    let owners = draft.agents.values().find_map(|agent| agent.owners.first());
    let said = [
        (undo.map(|undo| undo.key), "`undo`", "no call is undone"),
        (
            owners.map(|owner| owner.span),
            "`owners`",
            "nobody is asked for an approval",
        ),
    ];
    for (place, key, consequence) in said {
        if let Some(place) = place {
            let message = format!("{key} is compiled, and this build does not run it");
            sink.push(Diagnostic::new(&NOT_RUN, place, message).with_help(format!(
                "it may stay as it is: {consequence} until a build does"
            )));
        }
    }
}

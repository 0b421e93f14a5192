//! `catalogue show`: a catalogue for people.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::arguments::{CatalogueArguments, CatalogueCommand, ShowArguments};
use super::input;
use crate::catalogue::{Agent, Catalogue, OperationType, OrderRule, Tool, Ungoverned};
use crate::terminal::{Console, ExitStatus};
use crate::text::escaped;

pub(super) fn run(arguments: &CatalogueArguments, console: &mut Console) -> ExitStatus {
    match &arguments.command {
        CatalogueCommand::Show(arguments) => show(arguments, console),
    }
}

fn show(arguments: &ShowArguments, console: &mut Console) -> ExitStatus {
    match input::catalogue(&arguments.file, console) {
        Ok(catalogue) => {
            console.answer(&shown(&catalogue));
            ExitStatus::Ok
        }
        Err(status) => status,
    }
}

fn shown(catalogue: &Catalogue) -> String {
    let mut out = format!("catalogue sha256:{}\n", catalogue.hash());
    for source in &catalogue.sources {
        let _ = writeln!(
            out,
            "  from {} sha256:{}",
            escaped(&source.file),
            source.sha256
        );
    }
    out.push_str("\nagents\n");
    for (name, agent) in &catalogue.agents {
        write_agent(name, agent, &mut out);
    }
    out.push_str("\ntools\n");
    for (name, tool) in &catalogue.tools {
        let is_governed = catalogue.rulebook.tool(name).is_some();
        write_tool(name, tool, is_governed, &mut out);
        if let Some(pin) = catalogue.pins.as_ref().and_then(|pins| pins.get(name)) {
            let _ = writeln!(
                out,
                "    pinned at {}: sha256:{}",
                escaped(&pin.server),
                pin.sha256
            );
        }
    }
    if !catalogue.order.is_empty() {
        out.push_str("\norder, in a run\n");
    }
    for rule in &catalogue.order {
        let _ = match rule {
            OrderRule::After { after, tool } => {
                writeln!(out, "  {} after {}", escaped(tool), escaped(after))
            }
            OrderRule::AtMost { at_most, tool } => {
                writeln!(out, "  {} at most {at_most}", escaped(tool))
            }
        };
    }
    let silent = match catalogue.ungoverned {
        Ungoverned::Allow => "goes on to the next step of the check",
        Ungoverned::Refuse => "is refused",
    };
    let _ = writeln!(
        out,
        "\na transactional call on which the rulebook is silent {silent}"
    );
    if catalogue.pins.is_none() {
        out.push_str("no tool is pinned: what the servers say of them may change\n");
    }
    out
}

fn write_agent(name: &str, agent: &Agent, out: &mut String) {
    let _ = writeln!(out, "  {}: {}", escaped(name), list(&agent.tools));
    for (what, names) in [("hands off to", &agent.hand_off), ("owners", &agent.owners)] {
        if !names.is_empty() {
            let _ = writeln!(out, "    {what}: {}", list(names));
        }
    }
}

fn list(names: &BTreeSet<String>) -> String {
    if names.is_empty() {
        return "nothing".to_owned();
    }
    let names: Vec<String> = names.iter().map(|name| escaped(name)).collect();
    names.join(", ")
}

fn write_tool(name: &str, tool: &Tool, is_governed: bool, out: &mut String) {
    let mut facts = vec![match tool.operation_type {
        OperationType::ReadOnly => "reads",
        OperationType::Transactional => "writes",
    }];
    if tool.operation_type == OperationType::Transactional {
        facts.push(if tool.require_confirmation {
            "asks"
        } else {
            "asks only in a marked run"
        });
    }
    if tool.outside {
        facts.push("marks the run");
    }
    if is_governed {
        facts.push("governed");
    }
    let _ = writeln!(out, "  {}: {}", escaped(name), facts.join(", "));
    if let Some(confirm) = &tool.confirm {
        let _ = writeln!(out, "    asks: {}", escaped(confirm));
    }
    if !tool.context_arguments.is_empty() {
        let _ = writeln!(out, "    tells the host: {}", list(&tool.context_arguments));
    }
    if let Some(undo) = &tool.undo {
        let _ = writeln!(
            out,
            "    undone by {} (not run by this build)",
            escaped(&undo.tool)
        );
    }
}

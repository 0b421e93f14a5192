//! `graph FILE`: a picture of a rulebook.

use super::arguments::{GraphArguments, GraphFormat, ProjectArguments};
use super::load;
use super::output::refuse_over_sources;
use super::project::select_file;
use crate::artifacts::{replace_file, shown_path};
use crate::diagnostics::codes::graph::{UNKNOWN_FLOW, UNKNOWN_TOOL};
use crate::diagnostics::{Code, Diagnostic};
use crate::graph::{Graph, Selection, dot, html, mermaid, svg};
use crate::ir::Rulebook;
use crate::terminal::{Console, ExitStatus};
use crate::text::quoted;

pub(super) fn run(arguments: &GraphArguments, console: &mut Console) -> ExitStatus {
    if let Err(diagnostic) = refuse_output(arguments) {
        console.complain(&diagnostic);
        return ExitStatus::Usage;
    }
    let rulebook = match load::required(&arguments.file, "nothing is drawn", console) {
        Ok(rulebook) => rulebook,
        Err(status) => return status,
    };
    let selection = match selection(&rulebook, arguments) {
        Ok(selection) => selection,
        Err(diagnostic) => {
            console.complain(&diagnostic);
            return ExitStatus::Usage;
        }
    };
    let graph = Graph::of(&rulebook, selection);
    let picture = match arguments.format {
        GraphFormat::Svg => svg::render(&graph),
        GraphFormat::Html => html::render(&graph),
        GraphFormat::Mermaid => mermaid::render(&graph),
        GraphFormat::Dot => dot::render(&graph),
    };
    let Some(path) = &arguments.output else {
        console.answer(&picture);
        return ExitStatus::Ok;
    };
    match replace_file(path, picture.as_bytes()) {
        Ok(()) => {
            console.answer(&format!("wrote {}\n", shown_path(path)));
            ExitStatus::Ok
        }
        Err(diagnostic) => {
            console.complain(&diagnostic);
            ExitStatus::Usage
        }
    }
}

/// A picture replaces neither the rulebook nor what belongs to it.
fn refuse_output(arguments: &GraphArguments) -> Result<(), Diagnostic> {
    // The project knows the tests of the rulebook.
    let project = ProjectArguments { path: None };
    let selection = select_file(Some(&arguments.file), &project)?;
    let example = match arguments.format {
        GraphFormat::Svg => "policy.svg",
        GraphFormat::Html => "policy.html",
        GraphFormat::Mermaid => "policy.mmd",
        GraphFormat::Dot => "policy.dot",
    };
    refuse_over_sources(&arguments.output, [&arguments.file], &selection, example)
}

/// What is asked for, if the rulebook has it.
fn selection<'a>(
    rulebook: &'a Rulebook,
    arguments: &'a GraphArguments,
) -> Result<Selection<'a>, Diagnostic> {
    if let Some(name) = &arguments.flow {
        let names = rulebook.flows.iter().map(|flow| flow.name.as_str());
        let is_there = names.clone().any(|flow| flow == name);
        return if is_there {
            Ok(Selection::Flow(name))
        } else {
            Err(unknown(&UNKNOWN_FLOW, "flow", name, names))
        };
    }
    let Some(name) = &arguments.tool else {
        return Ok(Selection::Whole);
    };
    let names = Graph::tool_names(rulebook);
    if names.contains(name) {
        return Ok(Selection::Tool(name));
    }
    let names = names.iter().map(String::as_str);
    Err(unknown(&UNKNOWN_TOOL, "tool", name, names))
}

fn unknown<'a>(
    code: &'static Code,
    what: &str,
    name: &str,
    names: impl Iterator<Item = &'a str> + Clone,
) -> Diagnostic {
    let help = match nearest(name, names.clone()) {
        Some(near) => format!("did you mean {}?", quoted(near)),
        None => {
            let mut names: Vec<String> = names.map(quoted).collect();
            let more = names.len().saturating_sub(MOST_LISTED);
            names.truncate(MOST_LISTED);
            if names.is_empty() {
                format!("the rulebook has no {what}")
            } else if more > 0 {
                format!("the rulebook has {} and {more} more", names.join(", "))
            } else {
                format!("the rulebook has {}", names.join(", "))
            }
        }
    };
    Diagnostic::without_place(code, format!("there is no {what} {}", quoted(name))).with_help(help)
}

/// Most names that a help lists.
const MOST_LISTED: usize = 12;
/// A longer text is no slip of a name, and comparing it would take its time.
const MOST_COMPARED: usize = 200;

/// The name that was meant: with case and blanks aside, or a few slips, the fewest.
fn nearest<'a>(asked: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if asked.len() > MOST_COMPARED {
        return None;
    }
    let folded = asked.trim().to_lowercase();
    names
        .filter(|name| name.len() <= MOST_COMPARED)
        .map(|name| (strsim::osa_distance(&folded, &name.to_lowercase()), name))
        .filter(|(distance, name)| *distance <= 1 + name.chars().count() / 5)
        .min()
        .map(|(_, name)| name)
}

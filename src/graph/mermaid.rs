//! Mermaid, for documents whose reader draws it.

use std::fmt::Write;

use super::markup::shown;
use super::model::{FlowGraph, Graph, Node, Outcome, Selection};
use super::width::{Face, cut};

/// Longest text of a box, in the units of a size of ten: about eighty characters.
const MOST: usize = 480;

/// A flowchart of a rulebook, or of a part of it.
pub fn render(graph: &Graph<'_>) -> String {
    let mut out = String::from("flowchart LR\n");
    let is_one_flow = matches!(graph.selection, Selection::Flow(_));
    if !is_one_flow {
        let start = match graph.selection {
            Selection::Tool(name) => format!("every call of {name}"),
            Selection::Whole | Selection::Flow(_) => "every call".to_owned(),
        };
        let _ = writeln!(out, "  call([{}])", label(&start));
    }
    let mut before = "call".to_owned();
    for flow in graph.speaking() {
        write_flow(&mut out, flow);
        if is_one_flow {
            continue;
        }
        let id = &flow.flow.id;
        if flow.is_guard() {
            let _ = writeln!(out, "  {before} --> {id}");
            before.clone_from(id);
        } else {
            let tools = flow.tools.join(", ");
            let _ = writeln!(out, "  {before} -->|{}| {id}", label(&tools));
        }
    }
    out.push_str(
        "  classDef allow fill:#e1f5e9,stroke:#86caa3,color:#0a6638\n  \
         classDef clarify fill:#fff0d4,stroke:#e6b264,color:#824700\n  \
         classDef refuse fill:#fde8ea,stroke:#ea9fa8,color:#a0172a\n  \
         classDef silent fill:#eceff4,stroke:#c2cad5,color:#4b5665\n",
    );
    out
}

fn write_flow(out: &mut String, flow: &FlowGraph<'_>) {
    let id = &flow.flow.id;
    let kind = if flow.is_guard() { "guard" } else { "flow" };
    let title = format!("{kind} {}", flow.flow.name);
    let _ = writeln!(out, "  subgraph {id} [{}]", label(&title));
    out.push_str("    direction LR\n");
    for (at, node) in flow.folded.iter().enumerate() {
        match node {
            // The question before it leads to where it stands already.
            Node::Repeat { .. } => {}
            Node::Question { arm, .. } => {
                let condition = arm.condition.to_string();
                let _ = writeln!(out, "    {id}_n{}{{{{{}}}}}", at + 1, label(&condition));
            }
            Node::Ending(ending) => {
                let texts: Vec<String> = ending.outcomes.iter().map(outcome_text).collect();
                let tone = ending
                    .outcomes
                    .first()
                    .map_or("silent", |outcome| outcome.kind.tone().name());
                let labels: Vec<String> = texts.iter().map(|text| escaped(text)).collect();
                let _ = writeln!(
                    out,
                    "    {}([\"{}\"]):::{tone}",
                    ending.branch.id,
                    labels.join("<br/>")
                );
            }
        }
    }
    let name = |at: usize| match flow.folded.get(at) {
        Some(Node::Ending(ending)) => ending.branch.id.clone(),
        Some(Node::Repeat { of, .. }) => format!("{}_n{}", id, of + 1),
        _ => format!("{id}_n{}", at + 1),
    };
    for (at, node) in flow.folded.iter().enumerate() {
        if let Node::Question { yes, no, .. } = node {
            let _ = writeln!(out, "    {} -->|yes| {}", name(at), name(*yes));
            if let Some(no) = no {
                let _ = writeln!(out, "    {} -->|no| {}", name(at), name(*no));
            }
        }
    }
    out.push_str("  end\n");
}

/// What a branch says, on one line.
pub(super) fn outcome_text(outcome: &Outcome<'_>) -> String {
    let mut text = format!("{} {}", outcome.kind.mark(), outcome.kind.label());
    for wording in &outcome.wordings {
        let _ = write!(text, " “{wording}”");
    }
    if outcome.runs && outcome.kind != super::Kind::Allow {
        text.push_str(" then");
    }
    if !outcome.tools.is_empty() {
        let _ = write!(text, " {}", outcome.tools.join(", "));
    }
    text
}

fn label(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

/// A text inside of quotes: all that Mermaid, its Markdown or its HTML would read otherwise is a
/// number.
fn escaped(text: &str) -> String {
    let text = cut(&shown(text), Face::Mono, 10, MOST);
    let mut out = String::with_capacity(text.len());
    let mut before = '\0';
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let after = characters.peek().copied().unwrap_or('\0');
        let is_inside = before.is_ascii_alphanumeric() && after.is_ascii_alphanumeric();
        let is_plain = match character {
            '_' => is_inside,
            '.' | '-' => before != '\0' && (is_inside || !before.is_ascii_digit()) && before != '-',
            '$' => before != '$' && after != '$',
            ' ' | ',' | ':' | '(' | ')' | '/' | '?' | '!' | '=' | '+' => before != '\0',
            other => other.is_alphanumeric() || !other.is_ascii(),
        };
        if is_plain {
            out.push(character);
        } else {
            let _ = write!(out, "#{};", u32::from(character));
        }
        before = character;
    }
    out
}

#[cfg(test)]
mod tests;

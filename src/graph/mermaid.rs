//! Mermaid, for documents whose reader draws it.

use std::fmt::Write;

use crate::palette::{Tone, light};

use super::markup::shown;
use super::model::{Ending, FlowGraph, Graph, Kind, Node, Selection};
use super::width::{Face, cut};

/// Longest text of a box, in the units of a size of ten: about two hundred characters.
const MOST: usize = 1_210;

/// A flowchart of a rulebook, or of a part of it.
pub fn render(graph: &Graph<'_>) -> String {
    let mut out = String::from("flowchart LR\n");
    let is_one_flow = matches!(graph.selection, Selection::Flow(_));
    if !is_one_flow {
        let start = match graph.selection {
            Selection::Tool(name) => format!("every call of {name}"),
            Selection::Whole | Selection::Flow(_) => "every call".to_owned(),
        };
        let _ = writeln!(out, "  every_call([{}])", label(&start));
    }
    let mut before = "every_call".to_owned();
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
    for tone in Tone::ALL {
        let [ink, fill, edge] = colours(tone);
        let name = tone.name();
        let _ = writeln!(
            out,
            "  classDef {name} fill:{fill},stroke:{edge},color:{ink}"
        );
    }
    let ids: Vec<&str> = graph.speaking().map(|flow| flow.flow.id.as_str()).collect();
    if !ids.is_empty() {
        let [card, line, ink] = ["card", "line", "ink"].map(light);
        let _ = writeln!(out, "  classDef flow fill:{card},stroke:{line},color:{ink}");
        let _ = writeln!(out, "  class {} flow", ids.join(","));
    }
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
                let texts = outcome_texts(flow, ending);
                let tone = ending.tone().name();
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

/// What a branch says, a line for each of its words.
pub(super) fn outcome_texts(flow: &FlowGraph<'_>, ending: &Ending<'_>) -> Vec<String> {
    let texts = ending.outcomes.iter().map(|outcome| {
        let mut text = format!("{} {}", outcome.kind.mark(), outcome.kind.label());
        for wording in &outcome.wordings {
            let _ = write!(text, " “{wording}”");
        }
        if outcome.kind == Kind::Clarify && outcome.runs {
            text.push_str(" then");
        }
        if outcome.runs || !outcome.tools.is_empty() {
            let _ = write!(text, " {}", outcome.tool_words(&flow.tools));
        }
        text
    });
    texts.collect()
}

/// Text, surface and border of a tone.
pub(super) fn colours(tone: Tone) -> [&'static str; 3] {
    ["", "-fill", "-edge"].map(|part| light(&format!("{}{part}", tone.name())))
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
mod tests {
    use super::*;

    #[test]
    fn what_mermaid_would_read_is_a_number() {
        for (text, written) in [
            ("$order_paid", "$order_paid"),
            ("$a <= 1.5 and $b", "$a #60;= 1.5 and $b"),
            ("1. x", "1#46; x"),
            ("- x", "#45; x"),
            ("_a_ `b` \"c\"", "#95;a#95; #96;b#96; #34;c#34;"),
            ("$$x$$", "#36;#36;x#36;#36;"),
            ("a-->b", "a-#45;#62;b"),
            ("é漢🦀", "é漢🦀"),
            ("%%{x}", "#37;#37;#123;x#125;"),
        ] {
            assert_eq!(escaped(text), written, "{text}");
        }
    }
}

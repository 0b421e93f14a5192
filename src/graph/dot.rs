//! The language of Graphviz.

use std::fmt::Write;

use crate::palette::light;

use super::markup::shown;
use super::mermaid::{colours, outcome_texts};
use super::model::{FlowGraph, Graph, Node, Selection};
use super::width::{Face, wrap};

/// Longest line of a box, in the units of a size of ten: about forty characters.
const MOST: usize = 240;
/// Most lines of a box.
const MOST_LINES: usize = 6;

/// A graph of a rulebook, or of a part of it.
pub fn render(graph: &Graph<'_>) -> String {
    let [sunken, line, path] = ["sunken", "line", "path"].map(light);
    let mut out = format!(
        "digraph rulebook {{\n  \
         graph [rankdir=LR, compound=true, fontname=\"Helvetica\", label={}, labelloc=t]\n  \
         node [shape=box, style=\"rounded,filled\", fillcolor=\"{sunken}\", color=\"{line}\", \
         fontname=\"Helvetica\", fontsize=11]\n  \
         edge [color=\"{path}\", fontname=\"Helvetica\", fontsize=10]\n",
        quoted(&graph.rulebook.source.file)
    );
    let is_one_flow = matches!(graph.selection, Selection::Flow(_));
    if !is_one_flow {
        let start = match graph.selection {
            Selection::Tool(name) => format!("every call of {name}"),
            Selection::Whole | Selection::Flow(_) => "every call".to_owned(),
        };
        let _ = writeln!(
            out,
            "  every_call [label={}, shape=oval, fillcolor=\"{}\", fontcolor=\"{}\"]",
            quoted(&start),
            light("accent"),
            light("card")
        );
    }
    let mut before: Option<&FlowGraph<'_>> = None;
    for flow in graph.speaking() {
        write_flow(&mut out, flow);
        if is_one_flow {
            continue;
        }
        let from = before.map_or_else(|| "every_call".to_owned(), root);
        let tail = before.map_or_else(String::new, |guard| {
            format!(", ltail=cluster_{}", guard.flow.id)
        });
        let tools = if flow.is_guard() {
            String::new()
        } else {
            format!(", label={}", quoted(&flow.tools.join(", ")))
        };
        let _ = writeln!(
            out,
            "  {from} -> {} [lhead=cluster_{}{tail}{tools}]",
            root(flow),
            flow.flow.id
        );
        if flow.is_guard() {
            before = Some(flow);
        }
    }
    out.push_str("}\n");
    out
}

fn root(flow: &FlowGraph<'_>) -> String {
    name(flow, 0)
}

fn name(flow: &FlowGraph<'_>, at: usize) -> String {
    match flow.folded.get(at) {
        Some(Node::Ending(ending)) => ending.branch.id.clone(),
        Some(Node::Repeat { of, .. }) => format!("{}_n{}", flow.flow.id, of + 1),
        _ => format!("{}_n{}", flow.flow.id, at + 1),
    }
}

fn write_flow(out: &mut String, flow: &FlowGraph<'_>) {
    let id = &flow.flow.id;
    let kind = if flow.is_guard() { "guard" } else { "flow" };
    let title = format!("{kind} {}", flow.flow.name);
    let _ = writeln!(
        out,
        "  subgraph cluster_{id} {{\n    label={}\n    style=rounded\n    color=\"{}\"",
        quoted(&title),
        light("line")
    );
    for (at, node) in flow.folded.iter().enumerate() {
        match node {
            // The question before it leads to where it stands already.
            Node::Repeat { .. } => {}
            Node::Question { arm, .. } => {
                let condition = arm.condition.to_string();
                let _ = writeln!(
                    out,
                    "    {} [label={}, tooltip={}]",
                    name(flow, at),
                    quoted(&condition),
                    whole(&format!("line {}: {condition}", arm.line))
                );
            }
            Node::Ending(ending) => {
                let texts: Vec<String> = outcome_texts(flow, ending);
                let [ink, fill, edge] = colours(ending.tone());
                let _ = writeln!(
                    out,
                    "    {} [label={}, tooltip={}, shape=box, fillcolor=\"{fill}\", \
                     color=\"{edge}\", fontcolor=\"{ink}\"]",
                    ending.branch.id,
                    lines(texts.iter().map(String::as_str)),
                    whole(&format!(
                        "line {}: {}",
                        ending.branch.line,
                        texts.join(" / ")
                    ))
                );
            }
        }
    }
    for (at, node) in flow.folded.iter().enumerate() {
        if let Node::Question { yes, no, .. } = node {
            let from = name(flow, at);
            let _ = writeln!(out, "    {from} -> {} [label=\"yes\"]", name(flow, *yes));
            if let Some(no) = no {
                let _ = writeln!(out, "    {from} -> {} [label=\"no\"]", name(flow, *no));
            }
        }
    }
    out.push_str("  }\n");
}

/// A string of several lines at most, cut.
fn quoted(text: &str) -> String {
    lines([text])
}

fn lines<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let wrapped = texts
        .into_iter()
        .flat_map(|text| wrap(&shown(text), Face::Mono, 10, MOST, MOST_LINES, 0));
    let escaped: Vec<String> = wrapped.map(|line| escaped(&line)).collect();
    format!("\"{}\"", escaped.join("\\n"))
}

/// A string that is not cut.
fn whole(text: &str) -> String {
    format!("\"{}\"", escaped(&shown(text)))
}

/// The inside of a string: a backslash would begin an escape, and `&` an entity.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('&', "&amp;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_have_no_escapes_of_their_own() {
        assert_eq!(quoted("a \"b\" \\N &amp;"), r#""a \"b\" \\N &amp;amp;""#);
        assert_eq!(lines(["a", "b"]), r#""a\nb""#);
        assert_eq!(whole("a\nb"), r#""a\\nb""#);
    }
}

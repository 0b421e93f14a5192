//! A page to read: the pictures of all flows, their branches with wordings and lines of the
//! source, and what speaks on one tool. One file that needs nothing else.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::ir::{Branch, Condition, End, Flow, Step};
use crate::palette::{MONO, SANS, VARIABLES};

use super::drawing::{FLOWS, GUARDS, LACK_MEANING, NOTHING_SPEAKS, ladder, meaning, summary};
use super::markup::text;
use super::model::{Ending, FlowGraph, Graph, Kind, Outcome};
use super::svg;

const STYLE: &str = include_str!("html/style.css");
const SCRIPT: &str = include_str!("html/script.js");

/// Most conditions of a branch that its row lists, the last ones.
const MOST_CONDITIONS: usize = 4;

/// A page of a rulebook, or of a part of it.
pub fn render(graph: &Graph<'_>) -> String {
    let names = Graph::tool_names(graph.rulebook);
    let page = Page {
        graph,
        numbers: names.iter().map(String::as_str).zip(1..).collect(),
    };
    let mut out = String::new();
    page.head(&mut out);
    page.navigation(&mut out);
    page.main(&mut out);
    let _ = write!(out, "<script>\n{SCRIPT}</script>\n</body>\n</html>\n");
    out
}

/// A page while it is written.
struct Page<'g, 'a> {
    graph: &'g Graph<'a>,
    /// The numbers of all tools, by which the page is filtered.
    numbers: BTreeMap<&'g str, usize>,
}

impl Page<'_, '_> {
    fn head(&self, out: &mut String) {
        let title = text(&self.graph.rulebook.source.file);
        let _ = write!(
            out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
             style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
             <title>{title}</title>\n<style>\n{VARIABLES}{}{STYLE}\
             body{{font-family:{SANS}}}\ncode,.tools a{{font-family:{MONO};font-size:13px}}\n\
             </style>\n</head>\n<body>\n",
            svg::style()
        );
    }

    /// The tools that the page tells of: by default all, and those that only guards know.
    fn tools(&self) -> impl Iterator<Item = (&str, usize)> {
        let mut tools: Vec<(&str, usize)> = self.numbers.iter().map(|it| (*it.0, *it.1)).collect();
        tools.sort_by_key(|(_, number)| *number);
        tools
            .into_iter()
            .filter(|(name, _)| self.graph.speaking().any(|flow| flow.speaks_on(name)))
    }

    fn navigation(&self, out: &mut String) {
        let source = &self.graph.rulebook.source;
        let _ = write!(
            out,
            "<nav aria-label=\"Contents\">\n<h1>{}</h1>\n<p class=\"quiet-text\">{}</p>\n\
             <input type=\"search\" placeholder=\"Find a tool or a flow\" \
             aria-label=\"Find a tool or a flow\" hidden>\n<h2>Tools</h2>\n<ul>\n",
            text(&source.file),
            text(&summary(self.graph))
        );
        for (name, number) in self.tools() {
            let _ = writeln!(
                out,
                "<li><a href=\"#t{number}\"><code>{}</code></a></li>",
                text(name)
            );
        }
        out.push_str("</ul>\n");
        for (title, flows) in [
            ("Guards", &self.graph.guards),
            ("Flows", &self.graph.governing),
        ] {
            if flows.is_empty() {
                continue;
            }
            let _ = write!(out, "<h2>{title}</h2>\n<ul>\n");
            for flow in flows {
                let flow = flow.flow;
                let _ = writeln!(
                    out,
                    "<li><a href=\"#{}\">{}</a></li>",
                    flow.id,
                    text(&flow.name)
                );
            }
            out.push_str("</ul>\n");
        }
        out.push_str("</nav>\n");
    }

    fn main(&self, out: &mut String) {
        out.push_str(
            "<main>\n<p class=\"filter\" role=\"status\" hidden>What speaks on <b></b>\
             <a href=\"#\">show all</a></p>\n",
        );
        self.legend(out);
        for (title, flows) in [(GUARDS, &self.graph.guards), (FLOWS, &self.graph.governing)] {
            if flows.is_empty() {
                continue;
            }
            let _ = writeln!(out, "<h2>{title}</h2>");
            for flow in flows {
                self.flow(out, flow);
            }
        }
        if self.graph.speaking().next().is_none() {
            let _ = writeln!(out, "<p>{NOTHING_SPEAKS}</p>");
        }
        self.dialogue(out);
        let source = &self.graph.rulebook.source;
        let _ = write!(
            out,
            "<p class=\"quiet-text\">Made from {}, sha256:{}.</p>\n</main>\n",
            text(&source.file),
            text(&source.sha256)
        );
    }

    fn legend(&self, out: &mut String) {
        out.push_str("<ul class=\"legend\">\n");
        for kind in self.graph.kinds() {
            let _ = writeln!(out, "<li>{} {}</li>", pill(kind), meaning(kind));
        }
        if self.graph.speaking().any(FlowGraph::may_lack) {
            let _ = writeln!(
                out,
                "<li><span class=\"lack-sign\">✕</span> {LACK_MEANING}</li>"
            );
        }
        let _ = write!(
            out,
            "</ul>\n<p class=\"quiet-text\">All guards and all flows of the tool are heard: a refusal \
             wins over a question, and a question over a permission.</p>\n"
        );
    }

    fn flow(&self, out: &mut String, flow: &FlowGraph<'_>) {
        let (others, words, tools): (bool, &str, Vec<&str>) = match &flow.scope {
            None => (false, "decides on", flow.tools.clone()),
            Some(scope) => (scope.others, scope.words(), scope.exceptions().collect()),
        };
        let numbers: Vec<String> = tools
            .iter()
            .filter_map(|name| self.numbers.get(name))
            .map(usize::to_string)
            .collect();
        let kind = if flow.is_guard() { "guard" } else { "flow" };
        let name = text(&flow.flow.name);
        let _ = write!(
            out,
            "<section id=\"{}\" data-tools=\"{}\"{}>\n<div class=\"top\">\
             <span class=\"quiet-text\">{kind}</span><h3>{name}</h3>\
             <span class=\"quiet-text\">line {}</span></div>\n<p class=\"tools\">{words}",
            flow.flow.id,
            numbers.join(" "),
            if others { " data-others=\"yes\"" } else { "" },
            flow.flow.line
        );
        for tool in tools {
            let number = self.numbers.get(tool).copied().unwrap_or(0);
            let _ = write!(out, " <a href=\"#t{number}\">{}</a>", text(tool));
        }
        out.push_str("</p>\n<figure>");
        let title = format!("decision tree of {}", flow.flow.name);
        out.push_str(&svg::inline(&ladder(flow), &title));
        out.push_str("</figure>\n");
        branches(out, flow);
        out.push_str("</section>\n");
    }

    fn dialogue(&self, out: &mut String) {
        if self.graph.dialogue.is_empty() {
            return;
        }
        let names = self.graph.dialogue.iter();
        let names: Vec<String> = names
            .map(|flow| format!("{} (line {})", text(&flow.name), flow.line))
            .collect();
        let _ = writeln!(
            out,
            "<h2>Talk that decides nothing</h2>\n<p class=\"quiet-text\">{}</p>",
            names.join(", ")
        );
    }
}

/// The branches of a flow as a table: for those who cannot see the picture, and for whole texts.
fn branches(out: &mut String, flow: &FlowGraph<'_>) {
    let count = flow.endings().count();
    let _ = write!(
        out,
        "<details><summary>{count} outcomes with wordings and lines</summary>\n\
         <div class=\"scroll\"><table>\n<tr><th>line</th><th>where</th><th>then</th>\
         <th>steps</th></tr>\n"
    );
    for ending in flow.endings() {
        let _ = write!(out, "<tr><td>{}</td><td>", ending.branch.line);
        conditions(out, flow.flow, ending.branch);
        out.push_str("</td><td>");
        outcomes(out, ending);
        out.push_str("</td><td>");
        steps(out, ending.branch);
        out.push_str("</td></tr>\n");
    }
    out.push_str("</table></div></details>\n");
}

/// The conditions of the arms that a branch takes.
fn conditions(out: &mut String, flow: &Flow, branch: &Branch) {
    let taken: Vec<&Condition> = branch
        .path
        .iter()
        .filter_map(|choice| {
            let arm = choice.arm?.checked_sub(1)?;
            flow.find_if(&choice.if_id)?.arms.get(arm)
        })
        .map(|arm| &arm.condition)
        .filter(|condition| **condition != Condition::Const(true))
        .collect();
    let hidden = taken.len().saturating_sub(MOST_CONDITIONS);
    if hidden > 0 {
        let _ = write!(out, "<span class=\"quiet-text\">{hidden} more above</span>");
    }
    for condition in taken.iter().skip(hidden) {
        let _ = write!(out, "<code>{}</code>", text(&condition.to_string()));
    }
    if taken.is_empty() {
        let word = if branch.path.is_empty() {
            "always"
        } else {
            "otherwise"
        };
        let _ = write!(out, "<span class=\"quiet-text\">{word}</span>");
    }
}

fn pill(kind: Kind) -> String {
    let (tone, mark, label) = (kind.tone().name(), kind.mark(), kind.label());
    format!("<span class=\"pill {tone}\">{mark} {label}</span>")
}

fn outcomes(out: &mut String, ending: &Ending<'_>) {
    for outcome in &ending.outcomes {
        out.push_str(&pill(outcome.kind));
        if names_its_rule(outcome) {
            let _ = write!(out, "<code>{}</code>", text(outcome.rule));
        }
        for wording in &outcome.wordings {
            let _ = write!(out, "<span class=\"wording\">“{}”</span>", text(wording));
        }
        if !outcome.tools.is_empty() {
            let _ = write!(out, "<code>{}</code>", text(&outcome.tools.join(", ")));
        }
    }
}

/// Whether the rule is more than the word itself, and not the wording again.
fn names_its_rule(outcome: &Outcome<'_>) -> bool {
    matches!(outcome.kind, Kind::Clarify | Kind::Refuse)
        && !outcome.wordings.contains(&outcome.rule)
}

fn steps(out: &mut String, branch: &Branch) {
    for step in &branch.steps {
        let line = match step {
            Step::Event(event) => format!("event {event}"),
            Step::Say(name) => format!("bot {name}"),
            Step::SayText(text) => format!("bot \"{text}\""),
            Step::Turn(turn) => format!("user {turn}"),
            Step::Execute(run) => {
                let arguments: Vec<String> = run
                    .arguments
                    .iter()
                    .map(|argument| match &argument.name {
                        Some(name) => format!("{name}={}", argument.value),
                        None => argument.value.clone(),
                    })
                    .collect();
                if arguments.is_empty() {
                    format!("execute {}", run.tool)
                } else {
                    format!("execute {}({})", run.tool, arguments.join(", "))
                }
            }
        };
        let _ = write!(out, "<code>{}</code>", text(&line));
    }
    if branch.end == End::Stop {
        out.push_str("<code>stop</code>");
    }
}

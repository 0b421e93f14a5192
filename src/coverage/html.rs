//! Coverage as a page of its own: figures, and the source with what each line still lacks.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use serde_json::Value;

use super::counts::{Coverage, Target};
use super::figures::{Figures, Fraction};
use super::gaps::{Gaps, Reason, SuggestedCall};
use crate::decision_space::Called;
use crate::palette::{MONO, SANS, Tone, VARIABLES};
use crate::text::markup::plain;
use crate::text::{Source, visible};

const STYLE: &str = include_str!("html/style.css");

/// The page for one rulebook, as `file` is called. Without its source, of a compiled rulebook,
/// the lines that count are shown by their conditions.
pub fn html(coverage: &Coverage<'_>, gaps: &Gaps, file: &str, source: Option<&Source>) -> String {
    let (all, flows) = coverage.figures(gaps);
    let mut page = Page(String::new());
    let name = plain(file);
    page.add(format_args!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Coverage of {name}</title>\n<style>\n{VARIABLES}\
         :root{{--sans:{SANS};--mono:{MONO}}}\n{STYLE}</style>\n</head>\n<body>\n\
         <h1>Coverage of {name}</h1>\n<p class=\"lead\">What the test cases reach of the rulebook: \
         its branches, each condition true, false and lacking a value, its tools.</p>\n"
    ));
    page.figures(all);
    page.flows(coverage, &flows);
    page.lines(coverage, gaps, source);
    page.add(format_args!("</body>\n</html>\n"));
    page.0
}

/// How much of a place is reached.
#[derive(Clone, Copy)]
enum State {
    Whole,
    Part,
    None,
}

impl State {
    fn of(fraction: Fraction) -> Self {
        match (fraction.is_whole(), fraction.reached) {
            (true, _) => Self::Whole,
            (false, 0) => Self::None,
            (false, _) => Self::Part,
        }
    }

    /// Seen without colours too.
    fn mark(self) -> char {
        match self {
            Self::Whole => Tone::Allow.mark(),
            Self::Part => Tone::Clarify.mark(),
            Self::None => Tone::Refuse.mark(),
        }
    }

    fn class(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Part => "part",
            Self::None => "none",
        }
    }
}

/// What there is to say of a line.
#[derive(Default)]
struct Line {
    /// How often it was come to.
    count: u64,
    reached: Fraction,
    /// What lacks, with why, and what cannot happen.
    notes: Vec<(bool, String)>,
    /// What stands there, where there is no source.
    code: String,
}

struct Page(String);

impl Page {
    fn add(&mut self, text: fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.0.write_fmt(text);
    }

    fn figures(&mut self, all: Figures) {
        self.add(format_args!("<div class=\"figures\">\n"));
        let figures = [
            ("branches", all.branches),
            ("condition outcomes", all.outcomes),
            ("tools", all.tools),
        ];
        for (what, fraction) in figures {
            let class = State::of(fraction).class();
            let percent = fraction.percent();
            self.add(format_args!(
                "<div class=\"figure {class}\"><b>{percent}</b><span>{fraction} {what}</span>\
                 <div class=\"bar\"><i style=\"width: {}\"></i></div></div>\n",
                percent.replace(' ', "")
            ));
        }
        self.add(format_args!("</div>\n"));
        if all.impossible > 0 {
            self.add(format_args!(
                "<p class=\"lead below\">Not counted: {}, which no context reaches. The lines say which.</p>\n",
                all.impossible
            ));
        }
    }

    fn flows(&mut self, coverage: &Coverage<'_>, figures: &[Figures]) {
        self.add(format_args!(
            "<h2>Flows</h2>\n<div class=\"scroll\"><table>\n<tr><th>flow</th><th class=\"number\">calls</th>\
             <th class=\"number\">branches</th><th class=\"number\">condition outcomes</th></tr>\n"
        ));
        for (counts, figures) in coverage.flows.iter().zip(figures) {
            let shown = visible(&counts.flow.name);
            self.add(format_args!(
                "<tr><td><a href=\"#line-{}\">{}</a></td><td class=\"number\">{}</td>\
                 <td class=\"number\">{}</td><td class=\"number\">{}</td></tr>\n",
                counts.flow.line,
                plain(&shown),
                counts.calls,
                figures.branches,
                figures.outcomes
            ));
        }
        self.add(format_args!("</table></div>\n"));
    }

    fn lines(&mut self, coverage: &Coverage<'_>, gaps: &Gaps, source: Option<&Source>) {
        self.add(format_args!("<h2>Lines</h2>\n<p class=\"legend\">"));
        for (state, what) in [
            (State::Whole, "reached"),
            (State::Part, "reached in part"),
            (State::None, "not reached"),
        ] {
            let (class, mark) = (state.class(), state.mark());
            self.add(format_args!(
                "<span class=\"{class}\"><i>{mark}</i>{what}</span>"
            ));
        }
        self.add(format_args!(
            "the second column counts how often a line was come to</p>\n\
             <div class=\"scroll\"><table class=\"source\">\n"
        ));
        let mut lines = lines(coverage, gaps);
        match source {
            Some(source) => {
                for number in 1..=source.line_count() {
                    let text = source.slice(source.line_span(number));
                    self.line(number, text, lines.remove(&number).as_ref());
                }
            }
            None => {
                for (number, line) in &lines {
                    self.line(*number, &line.code, Some(line));
                }
            }
        }
        self.add(format_args!("</table></div>\n"));
    }

    fn line(&mut self, number: usize, text: &str, line: Option<&Line>) {
        let state = line.filter(|line| line.reached.all > 0);
        let state = state.map(|line| State::of(line.reached));
        let class = state.map_or("", State::class);
        let mark = state.map_or(String::new(), |state| state.mark().to_string());
        let count = line.map_or_else(String::new, |line| line.count.to_string());
        self.add(format_args!(
            "<tr id=\"line-{number}\" class=\"{class}\"><td class=\"number\">{number}</td>\
             <td class=\"number\">{count}</td><td class=\"mark\">{mark}</td>\
             <td class=\"code\">{}</td></tr>\n",
            plain(text)
        ));
        let notes = line.map_or(&[][..], |line| &line.notes);
        if notes.is_empty() {
            return;
        }
        self.add(format_args!("<tr class=\"note\"><td colspan=\"4\"><ul>"));
        for (lacks, note) in notes {
            let class = if *lacks { "none" } else { "" };
            // The note is made of escaped parts.
            self.add(format_args!("<li class=\"{class}\">{note}</li>"));
        }
        self.add(format_args!("</ul></td></tr>\n"));
    }
}

fn lines(coverage: &Coverage<'_>, gaps: &Gaps) -> BTreeMap<usize, Line> {
    let mut lines: BTreeMap<usize, Line> = BTreeMap::new();
    for counts in &coverage.flows {
        let line = lines.entry(counts.flow.line).or_default();
        line.count += counts.calls;
        line.code = format!("define flow {}", visible(&counts.flow.name));
        for arm in &counts.arms {
            let line = lines.entry(arm.arm.line).or_default();
            line.count += arm.met;
            line.code = arm.arm.condition.to_string();
        }
    }
    for (target, count) in coverage.targets() {
        let Some(line) = coverage
            .line(target)
            .map(|line| lines.entry(line).or_default())
        else {
            continue;
        };
        let reason = gaps.reason(target);
        if reason != Some(&Reason::Impossible) {
            line.reached.all += 1;
            line.reached.reached += u64::from(count > 0);
        }
        if let Some(reason) = reason {
            let what = what(coverage, target);
            line.notes.push(match reason {
                Reason::Missing(call) => {
                    (true, format!("{what}: no case calls {}", shown_call(call)))
                }
                Reason::Impossible => (
                    false,
                    format!("{what}: cannot happen, no context reaches it"),
                ),
                Reason::NotDecided => (true, format!("{what}: not found out within the bound")),
            });
        }
    }
    lines
}

fn what(coverage: &Coverage<'_>, target: Target) -> String {
    let described = visible(&coverage.describe(target));
    let flow = target.flow().and_then(|flow| coverage.flows.get(flow));
    let flow = flow.map_or_else(String::new, |counts| visible(&counts.flow.name));
    let kind = if matches!(target, Target::Branch { .. }) {
        "branch "
    } else {
        ""
    };
    format!(
        "{kind}<code>{}</code> of flow {}",
        plain(&described),
        plain(&flow)
    )
}

fn shown_call(call: &SuggestedCall) -> String {
    let context = visible(&Value::Object(call.context.clone()).to_string());
    let tool = match &call.tool {
        Some(tool) => visible(tool),
        None => Called::NoString.title().0.to_owned(),
    };
    format!(
        "<code>{}</code> with <code>{}</code>",
        plain(&tool),
        plain(&context)
    )
}

//! Tools, subflows and assignments: `execute`, `do`, `$x = …`.

use super::body::Body;
use super::statements::missing;
use super::{Explained, Parser, fault, spanned};
use crate::diagnostics::Fix;
use crate::diagnostics::codes::syntax;
use crate::syntax::expression::{self, Fault, path, path_length};
use crate::syntax::grammar::{self, MarkKind};
use crate::syntax::line::{Line, Part};
use crate::syntax::tree::{Argument, Assign, Execute, StatementKind, Value};
use crate::syntax::{faults, nesting, string, words};
use crate::text::{Spanned, is_identifier, quoted, tool_length, word_length};

impl<'l, 'a> Parser<'l, 'a, '_, '_> {
    /// `execute T`, `execute T(…)`, `execute T with …`
    pub(super) fn execute(
        &mut self,
        body: &mut Body,
        line: &'l Line<'a>,
        rest: Part<'_>,
    ) -> Result<(), Fault> {
        let execute = self.tool_run(line, rest, None)?;
        body.push(StatementKind::Execute(execute), line);
        Ok(())
    }

    fn tool_run(
        &mut self,
        line: &Line<'_>,
        rest: Part<'_>,
        result: Option<Spanned<String>>,
    ) -> Result<Execute, Fault> {
        let (tool, behind) = rest.split(tool_length(rest.text));
        let behind = behind.trim();
        if tool.is_empty() {
            return Err(no_tool(line, rest));
        }
        let listed = behind.text.starts_with('(')
            || behind.text == "with"
            || behind.text.starts_with("with ");
        if !behind.is_empty() && !listed {
            return Err(two_words(line, rest, tool, behind));
        }
        let arguments = if behind.is_empty() {
            Vec::new()
        } else {
            self.arguments(line, behind)?
        };
        Ok(Execute {
            tool: Spanned::new(tool.text.to_owned(), line.place(tool)),
            arguments,
            result,
        })
    }

    fn arguments(&mut self, line: &Line<'_>, part: Part<'_>) -> Result<Vec<Argument>, Fault> {
        if let Some((from, to)) = nesting::too_deep(part.text) {
            return Err(faults::too_deep(line, part, from, to));
        }
        self.marks.clear();
        grammar::arguments(part.text, &mut self.marks)
            .map_err(|mismatch| faults::arguments(line, part, mismatch))?;
        let with = self.marks.iter().find(|mark| mark.kind == MarkKind::With);
        let mut start = with.map_or(1, |mark| mark.end);
        let mut reads = Vec::new();
        let mut arguments = Vec::new();
        let end_of = |kind: MarkKind, start: usize| {
            matches!(kind, MarkKind::Comma | MarkKind::ArgumentEnd).then_some(start)
        };
        for mark in &self.marks {
            let whole = Part {
                text: part.text.get(mark.start..mark.end).unwrap_or_default(),
                at: part.at + mark.start,
            };
            if mark.kind == MarkKind::Path {
                reads.push(path(line, whole));
            }
            if let Some(end) = end_of(mark.kind, mark.start) {
                arguments.extend(argument(line, part, start, end, &mut reads));
                start = mark.end;
            }
        }
        if with.is_some() {
            arguments.extend(argument(line, part, start, part.text.len(), &mut reads));
        }
        Ok(arguments)
    }

    /// `do S`
    pub(super) fn call_subflow(
        &mut self,
        body: &mut Body,
        line: &'l Line<'a>,
        rest: Part<'_>,
    ) -> Result<(), Fault> {
        if rest.is_empty() {
            return Err(missing(
                line,
                "`do` has no name behind it",
                "write the name of a subflow, such as `do check account`",
            ));
        }
        if rest.text.starts_with('$') {
            let message = if rest.text.contains('=') {
                "a subflow gives nothing back"
            } else {
                "the subflow of a `do` is chosen at run time"
            };
            return Err(fault(&syntax::SUBFLOW_CALL, line.place(rest), message)
                .help("write `do` and the subflow's name"));
        }
        if let Some(open) = parameters(rest.text) {
            let (_, list) = rest.split(open);
            return Err(fault(
                &syntax::SUBFLOW_CALL,
                line.place(list),
                "a subflow takes no parameters",
            )
            .help("read context names in the subflow itself, or write one subflow for each case")
            .fix((list.text == "()").then(|| Fix::delete(line.place(list), list.text))));
        }
        body.push(StatementKind::Do(spanned(line, rest)), line);
        Ok(())
    }

    /// `$x = …`, `$x += …`
    pub(super) fn assignment(
        &mut self,
        body: &mut Body,
        line: &'l Line<'a>,
        part: Part<'_>,
    ) -> Result<(), Fault> {
        let (name, behind) = part.split(path_length(part.text));
        if name.is_empty() || behind.text.starts_with(|c: char| c.is_alphanumeric()) {
            return Err(
                faults::context_name(line, part).unwrap_or_else(|| no_assignment(line, part))
            );
        }
        let rest = behind.trim();
        if let Some(length) = ["+=", "-="]
            .iter()
            .find_map(|operator| rest.text.starts_with(operator).then_some(operator.len()))
        {
            let (operator, value) = rest.split(length);
            let value = value.trim();
            if value.is_empty() {
                return Err(nothing_assigned(line));
            }
            single_name(line, name)?;
            let operator = line.place(operator);
            let value = expression::changed_value(
                line,
                path(line, name),
                operator,
                value,
                &mut self.marks,
            )?;
            self.assign(body, line, name, value);
            return Ok(());
        }
        let Some(value) = rest
            .text
            .strip_prefix('=')
            .filter(|value| !value.starts_with('='))
        else {
            return Err(no_assignment(line, part));
        };
        let (equals, _) = rest.split(1);
        if value.is_empty() {
            return Err(nothing_assigned(line));
        }
        let value = Part {
            text: value,
            at: equals.end(),
        };
        if !behind.text.starts_with(' ') || !value.text.starts_with(' ') {
            let written = format!("{} = {}", name.text, value.trim().text);
            return Err(fault(
                &syntax::ASSIGNMENT,
                line.place(equals),
                "`=` needs a blank on both sides",
            )
            .help(format!("write {}", quoted(&written)))
            .fix(Fix::edits(
                format!("write {}", quoted(&written)),
                [(line.span(name.end(), value.trim().at), " = ".to_owned())],
            )));
        }
        single_name(line, name)?;
        self.assigned(body, line, name, value.trim())
    }

    fn assigned(
        &mut self,
        body: &mut Body,
        line: &'l Line<'a>,
        name: Part<'_>,
        value: Part<'_>,
    ) -> Result<(), Fault> {
        let (word, rest) = value.word();
        match word.text {
            "execute" => {
                let (_, bare) = name.split(1);
                let result = Spanned::new(bare.text.to_owned(), line.place(name));
                let execute = self.tool_run(line, rest, Some(result))?;
                body.push(StatementKind::Execute(execute), line);
                return Ok(());
            }
            "do" if !rest.is_empty() => {
                return Err(fault(
                    &syntax::SUBFLOW_CALL,
                    line.place(value),
                    "a subflow gives nothing back",
                )
                .help("write `do` and the subflow's name on a line of its own"));
            }
            "exec" | "run" | "await" | "start" | "match" | "call"
                if rest.text.starts_with(|c: char| c.is_alphabetic()) =>
            {
                return Err(words::unknown(line, word, rest));
            }
            _ => {}
        }
        if let Some(instruction) = value.text.strip_prefix("...")
            && instruction.trim_start().starts_with(['"', '\''])
        {
            return Err(fault(
                &syntax::FOREIGN_STATEMENT,
                line.place(value),
                "an instruction behind `...` is Colang 2.x",
            )
            .help("write `...` alone, and the instruction as a comment above it"));
        }
        let value = expression::value(line, value, &mut self.marks)?;
        self.assign(body, line, name, value);
        Ok(())
    }

    fn assign(&mut self, body: &mut Body, line: &Line<'_>, name: Part<'_>, value: Value) {
        let (_, bare) = name.split(1);
        let name = Spanned::new(bare.text.to_owned(), line.place(name));
        body.push(StatementKind::Assign(Assign { name, value }), line);
    }
}

fn no_tool(line: &Line<'_>, rest: Part<'_>) -> Fault {
    if rest.is_empty() {
        return missing(
            line,
            "`execute` has no tool behind it",
            "write the tool's name, such as `execute refund_card`",
        );
    }
    let (message, help) = if rest.text.starts_with('$') {
        (
            "the tool of an `execute` is chosen at run time".to_owned(),
            "write the tool's name; a rulebook decides by it",
        )
    } else if rest.begins_with_quote() || faults::typographic(line, rest).is_some() {
        (
            "a tool's name has no quotes".to_owned(),
            "write the name alone, such as `execute refund_card`",
        )
    } else {
        (
            format!("{} is no tool name", quoted(rest.until_blank().0.text)),
            "a tool's name begins with a letter or `_`, and has letters, digits, `_`, `.`, `-` and `/`",
        )
    };
    fault(&syntax::TOOL_NAME, line.place(rest), message)
        .help(help)
        .fix(without_quotes(line, rest))
}

/// The name of a tool that stands in quotes.
fn without_quotes(line: &Line<'_>, rest: Part<'_>) -> Option<Fix> {
    let (name, literal, _) = string::read(rest)?;
    let name = name.ok()?;
    let good = !name.is_empty() && tool_length(&name) == name.len();
    good.then(|| Fix::write(line.place(literal), name))
}

/// Something other than arguments behind a tool's name.
fn two_words(line: &Line<'_>, rest: Part<'_>, tool: Part<'_>, behind: Part<'_>) -> Fault {
    let touching = behind.at == tool.end();
    if touching {
        return fault(
            &syntax::TOOL_NAME,
            line.place(behind),
            format!("{} is no tool name", quoted(rest.until_blank().0.text)),
        )
        .help("a tool's name has letters, digits, `_`, `.`, `-` and `/`; arguments stand in `(` and `)`");
    }
    let name = rest.text.split('(').next().unwrap_or_default();
    let words: Vec<_> = name.split(' ').filter(|word| !word.is_empty()).collect();
    if words.iter().all(|word| is_identifier(word)) {
        return fault(
            &syntax::TOOL_NAME,
            line.place(behind),
            "a tool's name is one word",
        )
        .help(format!("write it as {}", quoted(&words.join("_"))));
    }
    fault(
        &syntax::ARGUMENTS,
        line.place(behind),
        format!("{} stands behind the tool", quoted(behind.text)),
    )
    .help("write arguments in `(` and `)`, and one statement a line")
}

/// One argument between two commas; none when nothing stands there.
fn argument(
    line: &Line<'_>,
    part: Part<'_>,
    start: usize,
    end: usize,
    reads: &mut Vec<crate::syntax::tree::Path>,
) -> Option<Argument> {
    let whole = Part {
        text: part.text.get(start..end).unwrap_or_default(),
        at: part.at + start,
    }
    .trim();
    let reads = std::mem::take(reads);
    if whole.is_empty() {
        return None;
    }
    let (name, rest) = whole.split(word_length(whole.text));
    let rest = rest.trim();
    let value = rest
        .text
        .strip_prefix('=')
        .filter(|value| is_identifier(name.text) && !value.starts_with('='));
    let (name, value) = match value {
        Some(_) => (Some(name.text.to_owned()), rest.split(1).1.trim()),
        None => (None, whole),
    };
    Some(Argument {
        name,
        value: Spanned::new(value.text.to_owned(), line.place(value)),
        reads,
    })
}

/// Where the parameters of `f(x=1)` begin. `check (beta)` is a name.
fn parameters(text: &str) -> Option<usize> {
    let open = text.find('(')?;
    if !text.ends_with(')') {
        return None;
    }
    let (before, list) = text.split_at_checked(open)?;
    let touching = !before.ends_with(' ');
    let values = list.contains(['=', '$', '"', '\'', ',']) || list == "()";
    (touching || values).then_some(open)
}

fn single_name(line: &Line<'_>, name: Part<'_>) -> Result<(), Fault> {
    if !name.text.contains('.') {
        return Ok(());
    }
    Err(fault(
        &syntax::ASSIGNMENT,
        line.place(name),
        format!(
            "{} is a part of a value and cannot be assigned",
            quoted(name.text)
        ),
    )
    .help("assign a name without a `.`"))
}

fn nothing_assigned(line: &Line<'_>) -> Fault {
    missing(
        line,
        "nothing is assigned",
        "write a value behind the `=`, such as `$limit = 100`",
    )
}

fn no_assignment(line: &Line<'_>, part: Part<'_>) -> Fault {
    let (name, rest) = part.split(path_length(part.text));
    let rest = rest.trim();
    let help = if rest.text.starts_with(":=") {
        "write `=` to assign"
    } else if rest.text.starts_with(':') || part.text.len() < line.part().text.len() {
        "context names are declared under `define context`"
    } else if rest.text.starts_with("==") {
        "write `if` before a comparison, or `=` to assign"
    } else if ["*=", "/=", "%="]
        .iter()
        .any(|sign| rest.text.starts_with(sign))
    {
        "write the whole value behind `=`"
    } else {
        "write `if` before a condition, or assign with `=`"
    };
    fault(
        &syntax::ASSIGNMENT,
        line.place(if name.is_empty() { part } else { name }),
        format!("{} alone is no statement", quoted(name.text)),
    )
    .help(help)
    .fix(
        rest.text
            .starts_with(":=")
            .then(|| Fix::write(line.place(rest.split(2).0), "=")),
    )
}

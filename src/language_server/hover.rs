//! What stands at a place, in words.

use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind};

use crate::ir::{Rulebook, ValueType};
use crate::syntax::tree::{self, Definition, Statement, StatementKind};
use crate::text::Span;

use super::branches::{Markup, Meant, told};
use super::document::Document;
use super::edition::{Analysis, Reading};
use super::symbols::{Kind, Occurrence, Role, each_statement};

/// What there is to say at an offset. Of a text with errors, nothing is said of decisions.
pub(super) fn hover(
    document: &Document,
    reading: &Reading,
    analysis: &Analysis,
    offset: usize,
    markup: Markup,
) -> Option<Hover> {
    let tree = reading.tree.as_ref()?;
    let rulebook = analysis.output.as_ref().map(|output| &output.rulebook);
    let line = reading.source().line_of(offset);
    let head = head_at(tree, reading, line);
    let name = reading.symbols().at(offset);
    let about_name = name.and_then(|it| of_name(it, tree, reading, rulebook, markup));
    let about_line = head
        .as_ref()
        .and_then(|head| of_line(head, rulebook, markup));
    let (span, text) = match (name, about_name, about_line, head) {
        (Some(it), Some(name), Some(line), _) if it.kind == Kind::Tool => {
            (it.shown, format!("{name}\n\n{line}"))
        }
        (Some(it), Some(name), _, _) => (it.shown, name),
        (_, _, Some(line), Some(head)) => (head.span, line),
        (_, _, None, Some(head)) => (head.span, keyword(&head)?.to_owned()),
        _ => return None,
    };
    Some(Hover {
        contents: HoverContents::Markup(MarkupContent {
            kind: match markup {
                Markup::Markdown => MarkupKind::Markdown,
                Markup::Plain => MarkupKind::PlainText,
            },
            value: text,
        }),
        range: Some(document.range(reading.source(), span)),
    })
}

/// The head of what stands on a line.
struct Head<'t> {
    span: Span,
    /// The line of the arm or flow that it stands in, or that it is.
    block: usize,
    what: What<'t>,
}

enum What<'t> {
    Flow,
    Subflow,
    Texts,
    Context,
    Arm,
    Statement(&'t StatementKind),
}

fn head_at<'t>(tree: &'t tree::Rulebook, reading: &Reading, line: usize) -> Option<Head<'t>> {
    let line_of = |span: Span| reading.source().line_of(span.start);
    let is_here = |span: Span| {
        let last = reading.source().line_of(span.end);
        (line_of(span)..=last).contains(&line)
    };
    for definition in &tree.definitions {
        let (head, what) = match definition {
            Definition::Context(context) => (context.head.span, What::Context),
            Definition::User(texts) | Definition::Bot(texts) => (texts.head.span, What::Texts),
            Definition::Flow(flow) if flow.kind == tree::FlowKind::Flow => {
                (flow.head.span, What::Flow)
            }
            Definition::Flow(flow) => (flow.head.span, What::Subflow),
        };
        if is_here(head) {
            let block = line_of(head);
            return Some(Head {
                span: head,
                block,
                what,
            });
        }
        if let Definition::Flow(flow) = definition
            && let Some(found) = head_in(&flow.body, line_of(head), &is_here, &line_of)
        {
            return Some(found);
        }
    }
    None
}

fn head_in<'t>(
    body: &'t [Statement],
    block: usize,
    is_here: &impl Fn(Span) -> bool,
    line_of: &impl Fn(Span) -> usize,
) -> Option<Head<'t>> {
    for statement in body {
        let arms: Vec<(Span, &'t [Statement], bool)> = match &statement.kind {
            StatementKind::If(decision) => {
                let arms = decision.arms.iter();
                arms.map(|arm| (arm.head.span, arm.body.as_slice(), true))
                    .collect()
            }
            StatementKind::When(when) => {
                let arms = when.arms.iter();
                arms.map(|arm| (arm.head.span, arm.body.as_slice(), false))
                    .collect()
            }
            StatementKind::While(repeated) => {
                vec![(statement.head.span, repeated.body.as_slice(), false)]
            }
            _ => Vec::new(),
        };
        if arms.is_empty() && is_here(statement.head.span) {
            return Some(Head {
                span: statement.head.span,
                block,
                what: What::Statement(&statement.kind),
            });
        }
        for (head, inner, is_arm) in arms {
            let own = if is_arm { line_of(head) } else { block };
            if is_here(head) {
                let what = match is_arm {
                    true => What::Arm,
                    false => What::Statement(&statement.kind),
                };
                return Some(Head {
                    span: head,
                    block: own,
                    what,
                });
            }
            let found = head_in(inner, own, is_here, line_of);
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

fn of_line(head: &Head<'_>, rulebook: Option<&Rulebook>, markup: Markup) -> Option<String> {
    let rulebook = rulebook?;
    match &head.what {
        What::Flow => told(rulebook, Meant::Flow(head.block), markup),
        What::Arm => told(rulebook, Meant::Arm(head.block), markup),
        What::Statement(StatementKind::Execute(execute)) => {
            let meant = Meant::Run(head.block, &execute.tool.value);
            told(rulebook, meant, markup)
        }
        _ => None,
    }
}

fn of_name(
    name: &Occurrence,
    tree: &tree::Rulebook,
    reading: &Reading,
    rulebook: Option<&Rulebook>,
    markup: Markup,
) -> Option<String> {
    let places = reading.symbols().places(name);
    let uses = places.filter(|it| it.role == Role::Use).count();
    let used = match uses {
        0 => "never used".to_owned(),
        1 => "used once".to_owned(),
        _ => format!("used {uses} times"),
    };
    let shown = markup.name(&name.name);
    let texts = |of: fn(&Definition) -> Option<&tree::TextDefinition>| -> Vec<String> {
        let definitions = tree.definitions.iter().filter_map(of);
        let meant = definitions.filter(|it| it.name.value == name.name);
        let texts = meant.flat_map(|it| &it.texts);
        texts
            .map(|text| format!("- “{}”", markup.text(&text.value)))
            .collect()
    };
    Some(match name.kind {
        Kind::Message => {
            let wordings = texts(|it| match it {
                Definition::Bot(bot) => Some(bot),
                _ => None,
            });
            match wordings.is_empty() {
                true => format!("message {shown}, {used}; its name is its wording"),
                false => format!("message {shown}, {used}:\n\n{}", wordings.join("\n")),
            }
        }
        Kind::Turn => {
            let samples = texts(|it| match it {
                Definition::User(user) => Some(user),
                _ => None,
            });
            format!("turn {shown}, {used}\n\n{}", samples.join("\n"))
                .trim_end()
                .to_owned()
        }
        Kind::Context => of_context(name, reading, rulebook, &used, markup),
        Kind::Tool => {
            let governing = rulebook.and_then(|rulebook| {
                let tool = rulebook.tool(&name.name)?;
                let flows = rulebook.flows.iter();
                let flows = flows.filter(|flow| tool.is_governed_by(flow));
                let names: Vec<String> = flows.map(|flow| markup.name(&flow.name)).collect();
                Some(format!(", governed by {}", names.join(", ")))
            });
            format!("tool {shown}{}", governing.unwrap_or_default())
        }
        Kind::Subflow => {
            let mut steps = 0;
            let subflow = tree.definitions.iter().find_map(|it| match it {
                Definition::Flow(flow) if flow.name.value == name.name => Some(flow),
                _ => None,
            })?;
            each_statement(&subflow.body, &mut |_| steps += 1);
            let documentation = subflow.documentation.as_ref();
            let documentation =
                documentation.map(|text| format!("\n\n{}", markup.text(&text.value)));
            format!(
                "subflow {shown}, {used}; statements: {steps}{}",
                documentation.unwrap_or_default()
            )
        }
        Kind::Label => format!("label {shown}, {used}"),
        Kind::Flow => return None,
    })
}

fn of_context(
    name: &Occurrence,
    reading: &Reading,
    rulebook: Option<&Rulebook>,
    used: &str,
    markup: Markup,
) -> String {
    let shown = markup.name(&format!("${}", name.name));
    let source = reading.source();
    let mut places = reading.symbols().places(name);
    let first = places.find(|it| it.role != Role::Use);
    let value_type = rulebook.and_then(|rulebook| {
        let mut names = rulebook.context.iter();
        let found = names.find(|it| it.name.join(".") == name.name)?;
        Some(match found.value_type {
            ValueType::Bool => "bool",
            ValueType::Number => "number",
            ValueType::String => "string",
        })
    });
    let value_type = value_type.map(|it| format!(": `{it}`")).unwrap_or_default();
    let place = match first {
        Some(it) => {
            let line = source.line_of(it.span.start);
            let word = match it.role {
                Role::Definition => "declared",
                Role::Assignment | Role::Use => "assigned",
            };
            format!("{word} in line {line}")
        }
        None => "sent by the host, not declared".to_owned(),
    };
    format!("context name {shown}{value_type}, {place}, {used}")
}

/// What a statement means to the gate.
fn keyword(head: &Head<'_>) -> Option<&'static str> {
    Some(match &head.what {
        What::Context => "the names that the host supplies, with their types",
        What::Texts => return None,
        What::Flow => "a flow: it decides on the tools that it runs, or guards every call",
        What::Subflow => "a subflow: its statements stand wherever a flow says `do` with its name",
        What::Arm => "an arm: it is taken where its condition is true and those above are false",
        What::Statement(kind) => match kind {
            StatementKind::Execute(_) => "the path runs a tool here; arguments are not decided on",
            StatementKind::Bot(_) => {
                "the path says a message; `refuse`, `ask` and `clarify` decide"
            }
            StatementKind::User(_) => "a turn of the person",
            StatementKind::Do(_) => "the statements of a subflow stand here",
            StatementKind::Stop => "ends the turn: the path ends, in a subflow too",
            StatementKind::Return => "ends this flow; in a subflow, goes on behind the `do`",
            StatementKind::Assign(_) => "a constant or another name, put in on the path behind it",
            StatementKind::When(_) => "waits for a turn or an event, which the gate cannot see",
            StatementKind::While(_) => "repeats, which the gate cannot see",
            StatementKind::Break | StatementKind::Continue => "leaves or repeats a `while`",
            StatementKind::Event(_) | StatementKind::CreateEvent(_) => "an event",
            StatementKind::Any => "any of the turns and events under it",
            StatementKind::Label(_) => "a place that `goto` names",
            StatementKind::Goto(_) => "goes on at a label; not in a flow that decides",
            StatementKind::Meta | StatementKind::Priority => "means nothing to the gate",
            StatementKind::If(_) => return None,
        },
    })
}

//! The heads of definitions.

use super::{Explained, Parser, fault};
use crate::diagnostics::Fix;
use crate::diagnostics::codes::syntax;
use crate::syntax::expression::Fault;
use crate::syntax::faults;
use crate::syntax::line::{Line, LineKind, Part};
use crate::syntax::parser::body::{Body, Opener};
use crate::syntax::string;
use crate::syntax::tree::{
    ContextDefinition, Definition, FlowDefinition, FlowKind, TextDefinition,
};
use crate::syntax::words;
use crate::text::{Span, Spanned, fold_blanks, quoted};

/// What a definition defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Flow(FlowKind),
    User,
    Bot,
    Context,
    /// `define action`, `define snippet`: no part of a rulebook; their blocks are passed over.
    Host,
}

/// Words that Colang knows before `flow`.
const MODIFIERS: [&str; 11] = [
    "parallel",
    "extension",
    "recursive",
    "interruption",
    "repair",
    "test",
    "sample",
    "response",
    "continuous",
    "non-interruptable",
    "noninterruptable",
];

fn kind_of(word: &str) -> Option<Kind> {
    Some(match word {
        "flow" => Kind::Flow(FlowKind::Flow),
        "subflow" => Kind::Flow(FlowKind::Subflow),
        "user" => Kind::User,
        "bot" => Kind::Bot,
        "context" => Kind::Context,
        "action" | "snippet" => Kind::Host,
        _ => return None,
    })
}

/// Whether a line is the head of a definition. Deeper than the first column it must also say
/// what it defines, since `define` may begin a text there.
pub(in crate::syntax) fn begins_definition(line: &Line<'_>) -> bool {
    if line.kind == LineKind::Documentation {
        return false;
    }
    let part = line.part();
    if !part.text.starts_with("def") {
        return false;
    }
    let (first, rest) = part.word();
    matches!(first.text, "define" | "def")
        && (line.column == 0
            || rest
                .text
                .split(' ')
                .filter(|word| !word.is_empty())
                .take(3)
                .any(|word| kind_of(word.trim_end_matches(':')).is_some()))
}

/// A head as it was read.
struct Head<'l> {
    kind: Kind,
    modifiers: Vec<Spanned<String>>,
    name: Part<'l>,
}

impl<'l, 'a> Parser<'l, 'a, '_, '_> {
    /// Reads the definition whose head is `line`, the current one.
    pub(super) fn definition(&mut self, line: &'l Line<'a>) {
        self.at += 1;
        let mut broken = matches!(line.kind, LineKind::Broken { .. });
        if line.column > 0 {
            broken = true;
            // What the definition stood in goes on behind it: that is not said again.
            self.outside = true;
            let fix = self.keeps_to_itself(line).then(|| {
                let start = line.whole().start;
                let blanks = Span::new(start - line.column, start);
                Fix::edits("delete the blanks before it", [(blanks, String::new())])
            });
            self.report.push(*nested(line).fix(fix));
        }
        let head = match head(line) {
            Ok(head) => head,
            Err((fault, guess)) => {
                broken = true;
                self.report.push(*fault);
                guess
            }
        };
        match head.kind {
            Kind::Flow(kind) => self.flow(line, head, kind, broken),
            Kind::User | Kind::Bot => self.texts(line, &head),
            Kind::Context => self.context(line, &head, broken),
            Kind::Host => {
                self.body(line, Opener::Ignored, true);
            }
        }
    }

    /// Whether all lines up to the next definition are deeper than the head of this one, the
    /// current line: then they are its own, wherever it begins.
    fn keeps_to_itself(&self, head: &Line<'_>) -> bool {
        let mut lines = self.lines.iter().skip(self.at);
        let next = lines.find(|line| begins_definition(line) || line.column <= head.column);
        next.is_none_or(|line| begins_definition(line) || line.column == 0)
    }

    fn flow(&mut self, line: &'l Line<'a>, head: Head<'l>, kind: FlowKind, mut broken: bool) {
        if kind == FlowKind::Flow {
            self.flows += 1;
        }
        let anonymous = kind == FlowKind::Flow && head.name.is_empty();
        let name = if anonymous {
            Spanned::new(format!("flow {}", self.flows), line.whole())
        } else {
            self.name(line, head.name).unwrap_or_else(|fault| {
                broken = true;
                self.report.push(*fault);
                Spanned::new(String::new(), line.whole())
            })
        };
        let body = self.body(line, Opener::Flow, false);
        self.rulebook
            .definitions
            .push(Definition::Flow(FlowDefinition {
                head: Spanned::new((), line.whole()),
                kind,
                name,
                anonymous,
                modifiers: head.modifiers,
                documentation: body.documentation,
                body: body.statements,
                broken: broken || body.broken,
            }));
    }

    fn texts(&mut self, line: &'l Line<'a>, head: &Head<'l>) {
        let name = self.name(line, head.name).and_then(|name| {
            if head.kind == Kind::Bot {
                words::reserved_message(&name)?;
            }
            Ok(name)
        });
        let body = self.body(
            line,
            Opener::Texts {
                wordings: head.kind == Kind::Bot,
            },
            true,
        );
        let name = match name {
            Ok(name) => name,
            Err(fault) => return self.report.push(*fault),
        };
        let definition = TextDefinition {
            head: Spanned::new((), line.whole()),
            name,
            documentation: body.documentation,
            texts: body.texts,
        };
        self.rulebook.definitions.push(match head.kind {
            Kind::User => Definition::User(definition),
            _ => Definition::Bot(definition),
        });
    }

    fn context(&mut self, line: &'l Line<'a>, head: &Head<'l>, mut broken: bool) {
        if !head.name.is_empty() {
            broken = true;
            self.report.push(
                *fault(
                    &syntax::DEFINITION_HEAD,
                    line.place(head.name),
                    "`define context` has no name",
                )
                .help("write `define context` alone, and the context names under it"),
            );
        }
        let body: Body = self.body(line, Opener::Context, false);
        self.rulebook
            .definitions
            .push(Definition::Context(ContextDefinition {
                head: Spanned::new((), line.whole()),
                documentation: body.documentation,
                names: body.declarations,
                incomplete: broken || body.broken,
            }));
    }

    /// A name in a head, quoted or not.
    fn name(&self, line: &Line<'_>, part: Part<'_>) -> Result<Spanned<String>, Fault> {
        if let Some(fault) = faults::typographic(line, part) {
            return Err(fault);
        }
        let mut name = part.folded();
        if let Some((value, _, rest)) = string::read(part)
            && rest.is_empty()
        {
            name = fold_blanks(&value.map_err(|fault| faults::string(line, fault))?);
        }
        if name.is_empty() {
            return Err(fault(
                &syntax::DEFINITION_HEAD,
                line.whole(),
                "definition has no name",
            )
            .help("write its name behind it, in words"));
        }
        Ok(Spanned::new(name, line.place(part)))
    }
}

fn nested(line: &Line<'_>) -> Fault {
    fault(
        &syntax::DEFINITION_COLUMN,
        line.whole(),
        "definition does not begin in the first column",
    )
    .label(format!(
        "indented by {}",
        match line.column {
            1 => "1 space".to_owned(),
            more => format!("{more} spaces"),
        }
    ))
    .help("definitions do not nest: delete the blanks before `define`")
}

/// Reads a head; beside an error stands what the definition most likely is.
fn head<'l>(line: &'l Line<'_>) -> Result<Head<'l>, (Fault, Head<'l>)> {
    let (define, rest) = line.part().without_colon().word();
    let head = kind_and_name(line, rest);
    if define.text != "def" {
        return head;
    }
    let guess = head.unwrap_or_else(|(_, guess)| guess);
    let written = fault(
        &syntax::OTHER_WORD,
        line.place(define),
        "`def` is not used here",
    )
    .help("write `define`")
    .fix(Fix::write(line.place(define), "define"));
    Err((written, guess))
}

fn kind_and_name<'l>(line: &Line<'_>, part: Part<'l>) -> Result<Head<'l>, (Fault, Head<'l>)> {
    let mut modifiers = Vec::new();
    let mut foreign = None;
    let mut rest = part;
    while !rest.is_empty() {
        let (word, behind) = rest.until_blank();
        if let Some(kind) = kind_of(word.text) {
            let is_flow = matches!(kind, Kind::Flow(_));
            let head = Head {
                kind,
                modifiers,
                name: behind,
            };
            let wrong = match foreign {
                Some(word) => Some(word),
                None if is_flow || head.modifiers.is_empty() => None,
                None => Some(part.until_blank().0),
            };
            return match wrong {
                None => Ok(head),
                Some(word) => Err((unknown_modifier(line, word), head)),
            };
        }
        if MODIFIERS.contains(&word.text) {
            modifiers.push(Spanned::new(word.text.to_owned(), line.place(word)));
        } else {
            foreign.get_or_insert(word);
        }
        rest = behind;
    }
    let guess = Head {
        kind: Kind::Host,
        modifiers: Vec::new(),
        name: rest,
    };
    Err((unknown_kind(line, part), guess))
}

fn unknown_modifier(line: &Line<'_>, word: Part<'_>) -> Fault {
    fault(
        &syntax::DEFINITION_HEAD,
        line.place(word),
        format!("{} does not fit in this head", quoted(word.text)),
    )
    .help("before `flow` can stand `parallel`, `extension`, `test`, `sample` and a few more; before `user` and `bot` nothing")
}

fn unknown_kind(line: &Line<'_>, part: Part<'_>) -> Fault {
    let (word, _) = part.until_blank();
    let (place, message) = if word.is_empty() {
        (line.whole(), "nothing is defined here".to_owned())
    } else {
        (
            line.place(word),
            format!("{} cannot be defined", quoted(word.text)),
        )
    };
    fault(&syntax::DEFINITION_HEAD, place, message).help(
        "write `define flow`, `define subflow`, `define user`, `define bot` or `define context`",
    )
}

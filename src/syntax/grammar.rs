//! The only file that sees pest: runs `grammar/line.pest` over a part of a line and hands out
//! flat marks.

use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};
use pest_derive::Parser;

#[derive(Parser)]
#[grammar = "../grammar/line.pest"]
struct LineGrammar;

/// What a mark is. Blanks, and what only groups, have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarkKind {
    /// `$name`, `$a.b`
    Path,
    /// Anything that begins like a number.
    Number,
    /// `"…"`, `'…'`
    String,
    /// A string directly behind a string.
    Adjacent,
    /// `f"…"` and other prefixed strings.
    MarkedString,
    /// `True`, `False`
    Constant,
    /// `None`
    None,
    /// `...`
    Ellipsis,
    /// A name without `$`.
    Word,
    /// `not`
    Not,
    /// `and`
    And,
    /// `or`
    Or,
    /// `==`, `<` …
    Comparison,
    /// `in`, `not in`
    Membership,
    /// `is`, `is not`
    Identity,
    /// An operator between two values that is none of the above.
    Arithmetic,
    /// A `-`, `+` or `~` before a value.
    Sign,
    /// `(` around a condition or value; also of a tuple.
    GroupOpen,
    /// `[` of a list.
    ListOpen,
    /// `{`
    BraceOpen,
    /// `(` of a call.
    CallOpen,
    /// `[` of a subscript.
    SubscriptOpen,
    /// `.name` behind something other than a `$name`.
    Attribute,
    /// Any bracket's end.
    Close,
    /// `,` in an expression, or between the arguments of `execute`.
    Comma,
    /// `if` or `else` inside an expression.
    Conditional,
    /// The end of an argument list.
    ArgumentEnd,
    /// `with` before arguments.
    With,
    /// `lambda`, `for`, `*`, `:` and the like.
    Other,
}

/// A piece of the text that was read, by offsets in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) kind: MarkKind,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Why a text could not be read: where, and what could have stood there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mismatch {
    pub(super) at: usize,
    pub(super) expected: Expected,
}

/// What could have stood at a place, as far as a person cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    /// A name, literal, bracket or `not`.
    Value,
    /// An operator, or the end.
    Operator,
    /// The `else` of `a if b else c`.
    Else,
    /// A bracket's end.
    Closing(char),
}

/// Reads a whole condition or assigned value; marks go behind what `marks` holds.
pub(super) fn expression(text: &str, marks: &mut Vec<Mark>) -> Result<(), Mismatch> {
    run(Rule::condition, text, marks)
}

/// Reads what stands behind the tool of an `execute`; marks go behind what `marks` holds.
pub(super) fn arguments(text: &str, marks: &mut Vec<Mark>) -> Result<(), Mismatch> {
    run(Rule::arguments, text, marks)
}

fn run(rule: Rule, text: &str, marks: &mut Vec<Mark>) -> Result<(), Mismatch> {
    let pairs = LineGrammar::parse(rule, text).map_err(|error| mismatch(&error, text))?;
    marks.extend(pairs.filter_map(|pair| {
        let kind = mark_kind(pair.as_rule())?;
        let span = pair.as_span();
        Some(Mark {
            kind,
            start: span.start(),
            end: span.end(),
        })
    }));
    Ok(())
}

fn mark_kind(rule: Rule) -> Option<MarkKind> {
    Some(match rule {
        Rule::path => MarkKind::Path,
        Rule::number => MarkKind::Number,
        Rule::string => MarkKind::String,
        Rule::adjacent => MarkKind::Adjacent,
        Rule::marked => MarkKind::MarkedString,
        Rule::constant => MarkKind::Constant,
        Rule::none => MarkKind::None,
        Rule::ellipsis => MarkKind::Ellipsis,
        Rule::word => MarkKind::Word,
        Rule::not_word => MarkKind::Not,
        Rule::and_word => MarkKind::And,
        Rule::or_word => MarkKind::Or,
        Rule::comparison => MarkKind::Comparison,
        Rule::membership => MarkKind::Membership,
        Rule::identity => MarkKind::Identity,
        Rule::arithmetic => MarkKind::Arithmetic,
        Rule::sign => MarkKind::Sign,
        Rule::group_open => MarkKind::GroupOpen,
        Rule::list_open => MarkKind::ListOpen,
        Rule::brace_open => MarkKind::BraceOpen,
        Rule::call_open => MarkKind::CallOpen,
        Rule::subscript_open => MarkKind::SubscriptOpen,
        Rule::attribute => MarkKind::Attribute,
        Rule::group_close
        | Rule::list_close
        | Rule::brace_close
        | Rule::call_close
        | Rule::subscript_close => MarkKind::Close,
        Rule::comma | Rule::argument_comma => MarkKind::Comma,
        Rule::if_word | Rule::else_word => MarkKind::Conditional,
        Rule::argument_end => MarkKind::ArgumentEnd,
        Rule::with_word => MarkKind::With,
        Rule::lambda_word
        | Rule::for_word
        | Rule::star
        | Rule::colon
        | Rule::walrus
        | Rule::equals
        | Rule::keyword => MarkKind::Other,
        _ => return None,
    })
}

/// Translates what the parser expected into what a person would say.
fn mismatch(error: &pest::error::Error<Rule>, text: &str) -> Mismatch {
    let at = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
    };
    let ErrorVariant::ParsingError { positives, .. } = &error.variant else {
        return Mismatch {
            at,
            expected: Expected::Operator,
        };
    };
    let has = |rule: Rule| positives.contains(&rule);
    let ended = text
        .get(at..)
        .is_none_or(|rest| rest.trim_matches(' ').is_empty());
    let closing = [
        (Rule::group_close, ')'),
        (Rule::call_close, ')'),
        (Rule::argument_end, ')'),
        (Rule::nested_end_round, ')'),
        (Rule::list_close, ']'),
        (Rule::subscript_close, ']'),
        (Rule::nested_end_square, ']'),
        (Rule::brace_close, '}'),
        (Rule::nested_end_curly, '}'),
    ];
    let closing = closing.into_iter().find(|(rule, _)| has(*rule));
    let value = has(Rule::path) && !has(Rule::argument_comma);
    let expected = match closing {
        Some((_, bracket)) if ended || !value => Expected::Closing(bracket),
        _ if value => Expected::Value,
        _ if has(Rule::else_word) => Expected::Else,
        _ => Expected::Operator,
    };
    Mismatch { at, expected }
}

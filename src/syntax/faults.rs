//! What to say about an expression that cannot be read: the habit of another language if it is
//! one, else what was expected, in words.

use super::expression::{Fault, Use};
use super::fixes;
use super::grammar::{Expected, Mismatch};
use super::line::{Line, Part};
use super::nesting::{MAX_DEPTH, string_end};
use super::string::StringFault;
use crate::diagnostics::{Diagnostic, Fix, codes::syntax};
use crate::text::{DecimalError, Span, is_word, quoted, word_length};

/// Brackets or `not`s that nest too deep.
pub(super) fn too_deep(line: &Line<'_>, part: Part<'_>, from: usize, to: usize) -> Fault {
    let place = line.span(part.at + from, part.at + to);
    let message = format!("brackets and `not`s nest more than {MAX_DEPTH} deep");
    Box::new(
        Diagnostic::new(&syntax::EXPRESSION_TOO_DEEP, place, message)
            .with_label("one too many")
            .with_help("drop double negations and needless parentheses, or split the `if`"),
    )
}

/// A number that is no plain decimal of at most 15 digits.
pub(super) fn number(line: &Line<'_>, part: Part<'_>, error: DecimalError) -> Fault {
    let number = quoted(part.text);
    let (message, help) = match error {
        DecimalError::TooManyDigits => (
            format!("number {number} has more than 15 digits"),
            "a number literal has at most 15 digits; compare identifiers as strings, in quotes",
        ),
        DecimalError::NotPlain => (
            format!("{number} is no plain decimal number"),
            "write digits with at most one `.` between them, such as `0.5` or `1500`",
        ),
    };
    Box::new(
        Diagnostic::new(&syntax::NUMBER_LITERAL, line.place(part), message)
            .with_help(help)
            .with_fix(fixes::number(line, part)),
    )
}

/// A string with a wrong escape.
pub(super) fn string(line: &Line<'_>, fault: StringFault) -> Fault {
    let place = line.span(fault.from, fault.to);
    let double = || {
        Fix::edits(
            r"write `\\`",
            [(Span::new(place.start, place.start), r"\".to_owned())],
        )
    };
    Box::new(
        Diagnostic::new(&syntax::STRING_ESCAPE, place, fault.message)
            .with_help(fault.help)
            .with_fix(fault.is_plain_backslash.then(double)),
    )
}

/// `true`, `null` and the like, which are other languages' constants.
pub(super) fn foreign_constant(line: &Line<'_>, word: Part<'_>) -> Result<(), Fault> {
    let constant = match word.text {
        "true" | "TRUE" => "True",
        "false" | "FALSE" => "False",
        "null" | "NULL" | "none" | "nil" | "undefined" => "None",
        _ => return Ok(()),
    };
    let message = format!("{} is no constant of this language", quoted(word.text));
    let fault = Diagnostic::new(&syntax::FOREIGN_CONSTANT, line.place(word), message);
    Err(Box::new(match constant {
        // The constant exists, but nothing that it is compared with can be read.
        "None" => fault.with_help(
            "nothing asks for a missing value: a comparison without its value decides nothing, and the call is refused",
        ),
        _ => fault
            .with_help(format!("write `{constant}`"))
            .with_fix(Fix::write(line.place(word), constant)),
    }))
}

/// A typographic quote where a string should begin.
pub(super) fn typographic(line: &Line<'_>, part: Part<'_>) -> Option<Fault> {
    let first = part.text.chars().next()?;
    if !is_typographic_quote(first) {
        return None;
    }
    let (quote, _) = part.split(first.len_utf8());
    Some(Box::new(
        Diagnostic::new(
            &syntax::TYPOGRAPHIC_QUOTE,
            line.place(quote),
            format!("{} does not open a string", quoted(quote.text)),
        )
        .with_help("write straight quotes, `\"` or `'`")
        .with_fix(fixes::quotes(line, part)),
    ))
}

/// A typographic double quote that opens a word somewhere in a part.
pub(super) fn typographic_wording(line: &Line<'_>, part: Part<'_>) -> Option<Fault> {
    if part.text.is_ascii() {
        return None;
    }
    let opens = [" “", " ”", " „", " «"];
    let at = opens.iter().filter_map(|open| part.text.find(open)).min()?;
    typographic(line, part.split(at + 1).1)
}

fn is_typographic_quote(character: char) -> bool {
    matches!(
        character,
        '\u{2018}'..='\u{201F}' | '\u{00AB}' | '\u{00BB}' | '\u{00B4}' | '`'
    )
}

/// What to say about an expression the grammar refused.
pub(super) fn expression(
    line: &Line<'_>,
    part: Part<'_>,
    mismatch: Mismatch,
    purpose: Use,
) -> Fault {
    if let Some(fault) =
        turn_as_condition(line, part, purpose).or_else(|| habit(line, part, mismatch.at, purpose))
    {
        return fault;
    }
    let (_, rest) = part.split(mismatch.at);
    let rest = Part {
        text: rest.text.trim_start_matches(' '),
        at: rest.at + (rest.text.len() - rest.text.trim_start_matches(' ').len()),
    };
    let wanted = match mismatch.expected {
        Expected::Value => "a value, such as `$name`, `5` or `\"text\"`".to_owned(),
        Expected::Operator => "an operator, such as `and` or `==`, or the end".to_owned(),
        Expected::Else => "`else` with the other value".to_owned(),
        Expected::Closing(bracket) => format!("`{bracket}`"),
    };
    let what = match purpose {
        Use::Condition => "condition",
        Use::Value => "value",
    };
    if rest.is_empty() {
        let trimmed = part.trim();
        let last = trimmed.text.chars().next_back().map_or(0, char::len_utf8);
        let place = line.span(trimmed.end() - last, trimmed.end());
        let diagnostic = Diagnostic::new(
            &syntax::EXPRESSION,
            place,
            format!("{what} ends too early: {wanted} is missing"),
        );
        return Box::new(match mismatch.expected {
            Expected::Closing(_) => diagnostic.with_help("close the bracket"),
            _ => diagnostic.with_help("to continue on the next line, write `\\` at the line's end"),
        });
    }
    let token = rest.split(token_length(rest.text)).0;
    let found = quoted(token.text);
    Box::new(
        Diagnostic::new(
            &syntax::EXPRESSION,
            line.place(token),
            format!("{found} does not fit here"),
        )
        .with_label(format!("expected {wanted}"))
        .with_help(match mismatch.expected {
            Expected::Operator if token.text.starts_with(|c: char| c.is_alphanumeric()) => {
                "write context names with `$` and texts in quotes"
            }
            Expected::Closing(_) => "close the bracket before it",
            _ => {
                "conditions are built from `$name`, comparisons, `and`, `or`, `not` and parentheses"
            }
        }),
    )
}

/// `if user asks x`: waiting for a turn is the business of `when`.
fn turn_as_condition(line: &Line<'_>, part: Part<'_>, purpose: Use) -> Option<Fault> {
    let (word, rest) = part.word();
    let turn = matches!(word.text, "user" | "bot" | "event")
        && rest
            .text
            .starts_with(|c: char| c.is_alphabetic() || c == '"');
    if !turn || purpose == Use::Value {
        return None;
    }
    let when = quoted(&format!("when {}", part.trim().text));
    Some(Box::new(
        Diagnostic::new(
            &syntax::EXPRESSION,
            line.place(part.trim()),
            "a turn is no condition",
        )
        .with_help(format!("write {when}")),
    ))
}

/// The length of the piece of text that a message quotes.
fn token_length(text: &str) -> usize {
    let word = text
        .chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .map(char::len_utf8)
        .sum::<usize>();
    if word > 0 {
        return word;
    }
    match text.as_bytes() {
        [b'"' | b'\'', ..] => string_end(text.as_bytes(), 0),
        [b'$', ..] => 1 + word_length(text.get(1..).unwrap_or_default()),
        _ => text.chars().next().map_or(0, char::len_utf8),
    }
}

/// The habit of another language that explains why reading stopped at `at`. Looks at the text
/// outside strings, from the left, up to a little behind that place.
fn habit(line: &Line<'_>, part: Part<'_>, stop: usize, purpose: Use) -> Option<Fault> {
    let bytes = part.text.as_bytes();
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        // What stopped the reading begins at most one character before the place.
        if at > stop {
            break;
        }
        let near = at + 1 >= stop;
        let (_, rest) = part.split(at);
        match byte {
            b'"' | b'\'' => {
                at = string_end(bytes, at);
                continue;
            }
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b'$' if near => {
                if let Some(fault) = context_name(line, rest) {
                    return Some(fault);
                }
            }
            _ => {}
        }
        if near && let Some(fault) = operator_habit(line, rest, depth, purpose) {
            return Some(fault);
        }
        if is_word(byte) {
            let length = word_length(rest.text);
            // `$naïve`: reading stopped at the letter, the name began before.
            if at + length == stop
                && let Some(fault) = at
                    .checked_sub(1)
                    .filter(|before| bytes.get(*before) == Some(&b'$'))
                    .and_then(|before| context_name(line, part.split(before).1))
            {
                return Some(fault);
            }
            at += length;
            continue;
        }
        at += rest.text.chars().next().map_or(1, char::len_utf8);
    }
    None
}

/// `&&`, `||`, `!x`, `=`, `then`, `contains`, a `:` with a statement behind it, at the start
/// of `rest`.
fn operator_habit(line: &Line<'_>, rest: Part<'_>, depth: usize, purpose: Use) -> Option<Fault> {
    if let Some(fault) = typographic(line, rest) {
        return Some(fault);
    }
    let replaced = |length: usize, message: &str, help: &str| -> Option<Fault> {
        let place = line.place(rest.split(length).0);
        Some(Box::new(
            Diagnostic::new(&syntax::FOREIGN_OPERATOR, place, message).with_help(help),
        ))
    };
    let sign = |length: usize, sign: &str| Fix::write(line.place(rest.split(length).0), sign);
    let fixed = |fault: Option<Fault>, fix: Option<Fix>| -> Option<Fault> {
        fault.map(|fault| Box::new((*fault).with_fix(fix)))
    };
    let word = rest.split(word_length(rest.text)).0;
    match word.text {
        "then" => {
            let place = line.place(rest.split(4).0);
            let last = matches!(rest.split(4).1.trim().text, "" | ":");
            let fault = replaced(4, "`then` has no place here", "end the line before it");
            return fixed(fault, last.then(|| Fix::delete(place, "then")));
        }
        "contains" => {
            return replaced(
                8,
                "`contains` is no operator",
                "write the part first: `\"text\" in $name`",
            );
        }
        "matches" | "like" | "startswith" | "endswith" | "between" | "has" => {
            return replaced(
                word.text.len(),
                &format!("`{}` is no operator", word.text),
                "let the host compute the answer and pass it as a context value",
            );
        }
        "AND" | "OR" | "NOT" | "IN" | "And" | "Or" | "Not" | "In" => {
            let lower = word.text.to_ascii_lowercase();
            let fault = replaced(
                word.text.len(),
                &format!("`{}` is no operator", word.text),
                &format!("write `{lower}`"),
            );
            let next = rest.split(word.text.len()).1.trim().word().0;
            let fix = match (lower.as_str(), next.text) {
                ("not", "IN" | "In") => Fix::write(line.place(word).to(line.place(next)), "not in"),
                _ => Fix::write(line.place(word), lower),
            };
            return fixed(fault, Some(fix));
        }
        _ => {}
    }
    let text = rest.text;
    let begins = |sign: &str| text.starts_with(sign);
    if begins("&&") || begins("& &") {
        let fix = begins("&&").then(|| fixes::word(line, rest, 2, "and"));
        return fixed(replaced(2, "`&&` is no operator", "write `and`"), fix);
    }
    if begins("||") {
        let fix = fixes::word(line, rest, 2, "or");
        return fixed(replaced(2, "`||` is no operator", "write `or`"), Some(fix));
    }
    // Reading stops at the third sign.
    let strict = line.part().text.get(..rest.at).and_then(|front| {
        let sign = ["==", "!="].into_iter().find(|sign| front.ends_with(sign));
        sign.filter(|_| begins("="))
    });
    if let Some(right) = strict {
        let place = line.span(rest.at - right.len(), rest.at + 1);
        let message = "there is no strict comparison";
        return Some(Box::new(
            Diagnostic::new(&syntax::FOREIGN_OPERATOR, place, message)
                .with_help(format!("write `{right}`"))
                .with_fix(Fix::write(place, right)),
        ));
    }
    if begins("=>") || begins("=<") {
        let right = if begins("=>") { ">=" } else { "<=" };
        let help = format!("write `{right}`");
        let fault = replaced(2, "the `=` of this comparison stands first", &help);
        return fixed(fault, Some(sign(2, right)));
    }
    if begins("<>") {
        let fault = replaced(2, "`<>` is no operator", "write `!=`");
        return fixed(fault, Some(sign(2, "!=")));
    }
    if begins("!") && !begins("!=") {
        let fault = replaced(1, "`!` is no operator", "write `not` before the condition");
        return fixed(fault, fixes::negation(line, rest));
    }
    if begins("?") {
        return replaced(1, "`?` is no operator", "write `if` / `else` as statements");
    }
    if begins(":") && depth == 0 && purpose == Use::Condition {
        let place = line.place(rest.split(1).0);
        return Some(Box::new(
            Diagnostic::new(
                &syntax::STATEMENT_ON_HEAD,
                place,
                "a statement stands on the line of its `if` or `while`",
            )
            .with_help("write the statement on the next line, indented"),
        ));
    }
    let compares = depth == 0 || purpose == Use::Condition;
    if begins("=") && !begins("==") && compares {
        let place = line.place(rest.split(1).0);
        return Some(Box::new(match purpose {
            Use::Condition => Diagnostic::new(
                &syntax::EQUALS_IN_CONDITION,
                place,
                "`=` assigns; it does not compare",
            )
            .with_help("write `==`")
            // `=!`, `=<` and the like may be meant in two ways.
            .with_fix(
                (!["=!", "=<", "=>", "=~"].iter().any(|odd| begins(odd)))
                    .then(|| Fix::write(place, "==")),
            ),
            Use::Value => Diagnostic::new(
                &syntax::ASSIGNMENT,
                place,
                "only one name can be assigned a line",
            )
            .with_help("write one assignment a line"),
        }));
    }
    None
}

/// What is wrong with the `$name` at the start of `rest`.
pub(super) fn context_name(line: &Line<'_>, rest: Part<'_>) -> Option<Fault> {
    let name = rest.text.strip_prefix('$')?;
    let length: usize = name
        .chars()
        .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '.'))
        .map(char::len_utf8)
        .sum();
    let (whole, _) = rest.split(1 + length);
    let written = name.get(..length).unwrap_or_default();
    let good = super::expression::path_length(whole.text) == whole.text.len();
    if good && !written.is_empty() {
        return None;
    }
    let (message, help) = if written.is_empty() {
        (
            "`$` has no name behind it".to_owned(),
            "write the name directly behind the `$`",
        )
    } else {
        (
            format!("{} is no context name", quoted(whole.text)),
            "use ASCII letters, digits and `_`, no digit first, and `.` between the parts of a path",
        )
    };
    Some(Box::new(
        Diagnostic::new(&syntax::CONTEXT_NAME, line.place(whole), message).with_help(help),
    ))
}

/// What to say about an argument list the grammar refused.
pub(super) fn arguments(line: &Line<'_>, part: Part<'_>, mismatch: Mismatch) -> Fault {
    let (_, rest) = part.split(mismatch.at);
    let rest = rest.trim();
    let whole = part.trim();
    let at_end = |text: &str| -> Span {
        let last = text.chars().next_back().map_or(0, char::len_utf8);
        line.span(whole.end() - last, whole.end())
    };
    let diagnostic = match mismatch.expected {
        Expected::Closing(bracket) if rest.is_empty() => Diagnostic::new(
            &syntax::ARGUMENTS,
            at_end(whole.text),
            format!("argument list ends without its `{bracket}`"),
        )
        .with_help("close it on its line, or write `\\` at the line's end to continue"),
        Expected::Closing(bracket) => Diagnostic::new(
            &syntax::ARGUMENTS,
            line.place(rest.split(token_length(rest.text)).0),
            "brackets of this argument list do not match",
        )
        .with_label(format!("expected `{bracket}` before it")),
        _ if rest.is_empty() => Diagnostic::new(
            &syntax::ARGUMENTS,
            at_end(whole.text),
            "arguments are missing",
        ),
        _ => Diagnostic::new(
            &syntax::ARGUMENTS,
            line.place(rest),
            format!("{} stands behind the argument list", quoted(rest.text)),
        )
        .with_help("write one statement a line"),
    };
    Box::new(diagnostic)
}

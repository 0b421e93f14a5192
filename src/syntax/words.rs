//! Words of Colang's other spellings, of Colang 2.x and of other languages, with what to write
//! instead; and the names that no message may have.

use super::expression::{Fault, path_length};
use super::line::{Line, Part};
use crate::diagnostics::{Code, Diagnostic, Fix, codes::syntax};
use crate::text::{RESERVED_MESSAGES, RULE_STOP, Span, Spanned, quoted, tool_length};

/// All words a statement can begin with.
const STATEMENTS: [&str; 23] = [
    "execute", "bot", "user", "if", "else", "elif", "do", "stop", "abort", "return", "when",
    "while", "break", "continue", "event", "create", "any", "label", "goto", "meta", "priority",
    "define", "context",
];

fn fault(code: &'static Code, line: &Line<'_>, place: Part<'_>, message: String) -> Diagnostic {
    Diagnostic::new(code, line.place(place), message)
}

/// Refuses the message names `stop` and `no_match`, which are rules of a decision.
pub(super) fn reserved_message(name: &Spanned<String>) -> Result<(), Fault> {
    if !RESERVED_MESSAGES.contains(&name.value.as_str()) {
        return Ok(());
    }
    let help = match name.value.as_str() {
        RULE_STOP => "to end the turn, write `stop` alone; a message needs another name",
        _ => "use another name for the message",
    };
    let message = format!("no message can be called {}", quoted(&name.value));
    Err(Box::new(
        Diagnostic::new(&syntax::RESERVED_NAME, name.span, message).with_help(help),
    ))
}

/// `include` and `import`, for which there is no place in a rulebook.
pub(super) fn inclusion(line: &Line<'_>, word: Part<'_>) -> Option<Fault> {
    matches!(word.text, "include" | "import" | "from").then(|| {
        let message = format!("{} is not part of a rulebook", quoted(word.text));
        Box::new(
            fault(&syntax::INCLUSION, line, word, message)
                .with_help("a rulebook is one file: copy the definitions into it"),
        )
    })
}

/// What to say about a line that begins with no statement's word.
pub(super) fn unknown(line: &Line<'_>, word: Part<'_>, rest: Part<'_>) -> Fault {
    if let Some(fault) = inclusion(line, word) {
        return fault;
    }
    if let Some(diagnostic) = other_word(line, word, rest)
        .or_else(|| foreign_statement(line, word, rest))
        .or_else(|| verdict(line, word))
    {
        return Box::new(diagnostic);
    }
    let part = line.part();
    if part.begins_with_quote() {
        return Box::new(
            fault(
                &syntax::UNKNOWN_STATEMENT,
                line,
                part,
                "a text alone is no statement".to_owned(),
            )
            .with_help(
                "write `bot` before it, or indent it under the `bot` line whose wording it is",
            ),
        );
    }
    if let Some(fault) = super::faults::typographic(line, part) {
        return fault;
    }
    let shown = match word.is_empty() {
        true => part.until_blank().0,
        false => word,
    };
    let message = format!("{} begins no statement", quoted(shown.text));
    let help = match nearest(word.text) {
        _ if rest.text.starts_with('=') => {
            format!("context names begin with `$`: write {}", quoted(&format!("${}", part.text)))
        }
        Some(near) => format!("did you mean `{near}`?"),
        None => "a statement begins with `execute`, `bot`, `user`, `if`, `do`, `stop` or `return`, for example".to_owned(),
    };
    let lower = word.text.to_lowercase();
    let fix = if rest.text.starts_with('=') && !rest.text.starts_with("==") {
        (path_length(&format!("${}", word.text)) > 1)
            .then(|| Fix::insert(line.place(word).start, "$"))
    } else if STATEMENTS.contains(&lower.as_str()) {
        Some(Fix::write(line.place(word), lower))
    } else {
        None
    };
    Box::new(
        fault(&syntax::UNKNOWN_STATEMENT, line, shown, message)
            .with_help(help)
            .with_fix(fix),
    )
}

/// The statement word that `word` most likely was meant to be.
fn nearest(word: &str) -> Option<&'static str> {
    let lower = word.to_lowercase();
    let allowed = if lower.chars().count() > 4 { 2 } else { 1 };
    STATEMENTS
        .iter()
        .map(|known| (strsim::osa_distance(&lower, known), *known))
        .filter(|(distance, _)| *distance <= allowed && word.chars().count() > 1)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}

/// Colang's other spellings of words that rulebooks have one spelling for.
fn other_word(line: &Line<'_>, word: Part<'_>, rest: Part<'_>) -> Option<Diagnostic> {
    let (place, help) = match (word.text, rest.word().0.text) {
        ("exec" | "run", _) => (word, "write `execute`"),
        ("def", _) => (word, "write `define`"),
        ("done", _) => (word, "write `return`"),
        ("pass", _) => (
            word,
            "write `continue` in a `while`; elsewhere delete the line",
        ),
        ("checkpoint", _) => (word, "write `label`"),
        ("go", "to") => (word, "write `goto`"),
        ("set", _) => (word, "write the assignment alone, as `$name = value`"),
        ("infer" | "new" | "emit" | "post", _) => (word, "write `create event`"),
        ("elsif" | "elseif", _) => (word, "write `else if`"),
        ("check" | "expect", _) => (word, "write `if` with the condition"),
        _ => return None,
    };
    let span = line.place(word);
    let write = |text: &str| Some(Fix::write(span, text));
    let (second, behind) = rest.word();
    let fix = match word.text {
        "exec" | "run" => write("execute"),
        "done" if rest.is_empty() => write("return"),
        "pass" if rest.is_empty() => Some(Fix::delete(span, word.text)),
        "checkpoint" => write("label"),
        "go" => Some(Fix::write(span.to(line.place(second)), "goto")),
        "set" if begins_with_name(rest.text) => {
            Some(Fix::delete(up_to(line, word, rest), word.text))
        }
        "infer" | "new" | "emit" | "post" if second.text == "event" && !behind.is_empty() => {
            write("create")
        }
        "elsif" | "elseif" => write("else if"),
        _ => None,
    };
    let message = format!("{} is not used here", quoted(word.text));
    Some(
        fault(&syntax::OTHER_WORD, line, place, message)
            .with_help(help)
            .with_fix(fix),
    )
}

/// Statements of Colang 2.x and of other languages.
fn foreign_statement(line: &Line<'_>, word: Part<'_>, rest: Part<'_>) -> Option<Diagnostic> {
    let (language, help) = match word.text {
        "await" | "start" => ("Colang 2.x", "write `execute` and the tool's name"),
        "match" => (
            "Colang 2.x",
            "write `user` or `event` and what is waited for",
        ),
        "send" => ("Colang 2.x", "write `create event`"),
        "activate" => ("Colang 2.x", "delete the line: every flow is active here"),
        "global" => (
            "Colang 2.x",
            "delete the line: all names are of the whole context",
        ),
        "flow" | "subflow" => ("Colang 2.x", "write `define flow`, in the first column"),
        "or" if rest.word().0.text == "when" => ("Colang 2.x", "write `else when`"),
        "and" | "or" => (
            "Colang 2.x",
            "to continue a line, write `\\` at the end of the one before",
        ),
        "print" | "log" => (
            "another language",
            "delete the line, or write `bot` and a text",
        ),
        "for" | "foreach" => (
            "another language",
            "let the host look through the list and pass the answer",
        ),
        "try" | "except" | "raise" | "throw" | "catch" => {
            ("another language", "let the host handle failures")
        }
        "switch" | "case" => ("another language", "write `if` and `else if`"),
        "let" | "var" | "const" | "local" => (
            "another language",
            "write the assignment alone, as `$name = value`",
        ),
        "call" | "invoke" => ("another language", "write `execute` and the tool's name"),
        "say" | "reply" | "respond" => ("another language", "write `bot` and the message"),
        "then" | "begin" | "end" | "endif" | "fi" => (
            "another language",
            "delete the line: indentation alone makes a block",
        ),
        "exit" | "quit" => ("another language", "write `stop`"),
        "param" | "parameter" => (
            "another language",
            "declare context names under `define context`",
        ),
        _ => return None,
    };
    let span = line.place(word);
    let write = |text: &str| Some(Fix::write(span, text));
    let fix = match word.text {
        "or" if rest.word().0.text == "when" => write("else"),
        "let" | "var" | "const" | "local" if begins_with_name(rest.text) => {
            Some(Fix::delete(up_to(line, word, rest), word.text))
        }
        "call" | "invoke" if tool_length(rest.text) > 0 => write("execute"),
        "say" | "reply" | "respond" if rest.begins_with_quote() => write("bot"),
        "then" | "begin" | "end" | "endif" | "fi" if rest.is_empty() => {
            Some(Fix::delete(span, word.text))
        }
        "exit" | "quit" if rest.is_empty() => write("stop"),
        _ => None,
    };
    let message = format!("{} is a word of {language}", quoted(word.text));
    Some(
        fault(&syntax::FOREIGN_STATEMENT, line, word, message)
            .with_help(help)
            .with_fix(fix),
    )
}

/// Whether a text begins with a context name.
fn begins_with_name(text: &str) -> bool {
    path_length(text) > 0
}

/// From a word to what stands behind it.
fn up_to(line: &Line<'_>, word: Part<'_>, rest: Part<'_>) -> Span {
    line.span(word.at, rest.at)
}

/// `allow`, `deny`: a rulebook runs the tool or refuses instead.
fn verdict(line: &Line<'_>, word: Part<'_>) -> Option<Diagnostic> {
    let help = match word.text {
        "allow" | "accept" | "permit" | "grant" | "approve" => {
            "write `execute` and the name of the tool that is allowed here"
        }
        "deny" | "disallow" | "reject" | "refuse" | "forbid" | "block" => {
            "write `bot refuse` and a reason, and `stop` on the next line"
        }
        "ask" | "clarify" | "confirm" => "write `bot ask` and what is asked",
        _ => return None,
    };
    let message = format!("{} begins no statement", quoted(word.text));
    Some(fault(&syntax::VERDICT, line, word, message).with_help(help))
}

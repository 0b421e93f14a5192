//! `${NAME}`: in YAML, a brace ends a word within braces, and so `{ desk: ${DESK_TOKEN} }` would have
//! to be written with quotes. Before the file is read, the braces of variables are given stand-ins of
//! the same length, so that every place stays where it is.

use crate::diagnostics::Diagnostic;

/// Stands for `${`: two bytes, of no script, and of no meaning to YAML.
const OPEN: char = '\u{07FB}';

/// Stands for the brace behind the name.
const CLOSE: char = ')';

/// The text with stand-ins for all that is `${NAME}`.
pub(super) fn with_stand_ins(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("${") {
        out.push_str(before);
        rest = match behind.split_once('}') {
            Some((name, tail)) if is_name(name) => {
                out.push(OPEN);
                out.push_str(name);
                out.push(CLOSE);
                tail
            }
            _ => {
                out.push_str("${");
                behind
            }
        };
    }
    out.push_str(rest);
    out
}

/// The next piece of a text with stand-ins: what stands before a variable, the variable's name, and
/// what stands behind it.
pub(super) fn split(text: &str) -> Option<(&str, &str, &str)> {
    let (before, behind) = text.split_once(OPEN)?;
    let (name, tail) = behind.split_once(CLOSE)?;
    is_name(name).then_some((before, name, tail))
}

/// A finding in which variables are written as they are in the file.
pub(super) fn restored(mut diagnostic: Diagnostic) -> Diagnostic {
    diagnostic.message = as_written(&diagnostic.message);
    diagnostic.help = diagnostic.help.as_deref().map(as_written);
    for label in &mut diagnostic.labels {
        label.text = as_written(&label.text);
    }
    diagnostic
}

fn as_written(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, name, tail)) = split(rest) {
        out.push_str(before);
        out.push_str("${");
        out.push_str(name);
        out.push('}');
        rest = tail;
    }
    out.push_str(rest);
    out
}

/// Whether a value has the form of a variable that is none.
pub(super) fn is_broken(content: &str) -> bool {
    content.contains("${")
}

fn is_name(name: &str) -> bool {
    let letters = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    name.bytes().all(letters)
        && name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
}

//! The values of a TOML document, each read as the type that its key has, or said to be another.

use toml::Spanned as TomlSpanned;
use toml::de::{DeTable, DeValue};

use crate::diagnostics::codes::project::{BAD_VALUE, UNKNOWN_KEY, WRONG_TYPE};
use crate::diagnostics::{Diagnostic, Sink};
use crate::text::{Span, Spanned, did_you_mean, quoted};

/// A value with its place.
pub(super) type Value<'t> = TomlSpanned<DeValue<'t>>;

/// The place of a key or a value.
pub(super) fn span<T>(spanned: &TomlSpanned<T>) -> Span {
    let range = spanned.span();
    Span::new(range.start, range.end)
}

/// What a value is, in words.
fn words(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "a number",
        DeValue::Float(_) => "a number with a fraction",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

/// Says that the value of `key` should be something else.
pub(super) fn wrong_type(key: &str, value: &Value<'_>, wanted: &str, help: &str) -> Diagnostic {
    let found = words(value.get_ref());
    Diagnostic::new(
        &WRONG_TYPE,
        span(value),
        format!("`{key}` is {wanted}, and this is {found}"),
    )
    .with_help(help)
}

/// The keys of a table, in the order of the file.
pub(super) fn in_order<'a, 't>(table: &'a DeTable<'t>) -> Vec<(Spanned<&'a str>, &'a Value<'t>)> {
    let mut keys: Vec<_> = table
        .iter()
        .map(|(key, value)| (Spanned::new(key.get_ref().as_ref(), span(key)), value))
        .collect();
    keys.sort_by_key(|(key, _)| key.span);
    keys
}

/// A key that the table `place` does not have; `known` are those that it has.
pub(super) fn unknown_key(
    key: Spanned<&str>,
    place: &str,
    known: &[&str],
    elsewhere: Option<&str>,
) -> Diagnostic {
    let help = match (did_you_mean(key.value, known.iter().copied()), elsewhere) {
        (_, Some(elsewhere)) => elsewhere.to_owned(),
        (Some(near), None) => format!("did you mean `{near}`?"),
        (None, None) => {
            let known: Vec<String> = known.iter().map(|known| format!("`{known}`")).collect();
            format!("{place} has the keys {}", known.join(", "))
        }
    };
    Diagnostic::new(
        &UNKNOWN_KEY,
        key.span,
        format!("{place} has no key {}", quoted(key.value)),
    )
    .with_help(help)
}

/// A string.
pub(super) fn string(key: &str, value: &Value<'_>, sink: &mut Sink) -> Option<Spanned<String>> {
    let Some(text) = value.get_ref().as_str() else {
        let help = format!("write `{key} = \"…\"`");
        sink.push(wrong_type(key, value, "a string", &help));
        return None;
    };
    Some(Spanned::new(text.to_owned(), span(value)))
}

/// A boolean.
pub(super) fn boolean(key: &str, value: &Value<'_>, sink: &mut Sink) -> Option<Spanned<bool>> {
    let Some(read) = value.get_ref().as_bool() else {
        let help = format!("write `{key} = true`, without quotes, or leave the key out");
        sink.push(wrong_type(key, value, "a boolean", &help));
        return None;
    };
    Some(Spanned::new(read, span(value)))
}

/// A list of strings; each that is none is said so.
pub(super) fn strings(
    key: &str,
    value: &Value<'_>,
    sink: &mut Sink,
) -> Option<Vec<Spanned<String>>> {
    let Some(items) = value.get_ref().as_array() else {
        let help = format!("write `{key} = [\"…\"]`");
        sink.push(wrong_type(key, value, "a list of strings", &help));
        return None;
    };
    let mut read = Vec::new();
    for item in items.iter() {
        match item.get_ref().as_str() {
            Some(text) => read.push(Spanned::new(text.to_owned(), span(item))),
            None => sink.push(wrong_type(
                key,
                item,
                "a list of strings",
                "write it between quotes",
            )),
        }
    }
    Some(read)
}

/// The largest of TOML's integers.
pub(super) const MOST: u64 = i64::MAX.unsigned_abs();

/// A whole number between two.
pub(super) fn number(
    key: &str,
    value: &Value<'_>,
    (least, most): (u64, u64),
    sink: &mut Sink,
) -> Option<u64> {
    let Some(integer) = value.get_ref().as_integer() else {
        let help = "write digits only, without quotes";
        sink.push(wrong_type(key, value, "a whole number", help));
        return None;
    };
    // Digits that no number of this size has are out of every range.
    let number = u64::from_str_radix(integer.as_str(), integer.radix()).ok();
    let number = number.filter(|number| (least..=most).contains(number));
    if number.is_none() {
        sink.push(
            Diagnostic::new(
                &BAD_VALUE,
                span(value),
                match most {
                    MOST => format!("`{key}` is a number of at least {least}"),
                    _ => format!("`{key}` is a number from {least} to {most}"),
                },
            )
            .with_help("write a number of this range, or leave the key out"),
        );
    }
    number
}

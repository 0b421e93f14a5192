//! Writing text into a document.

use super::scalar;
use super::tree::Content;
use crate::text::write_escaped;

/// Text in double quotes, as JSON and YAML read it alike.
pub fn quoted_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    write_escaped(text, &mut out);
    out.push('"');
    out
}

/// Text as a value or a key: plain where it is made of words that no reader takes for anything
/// else, in double quotes otherwise.
pub fn plain_or_quoted(text: &str) -> String {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || "_.-/".contains(letter);
    let words_only = text.split(' ').all(|word| {
        let starts_well =
            word.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '_');
        starts_well && word.chars().all(is_letter)
    });
    let is_text = matches!(
        scalar::plain(text),
        Some(Content::Text(found)) if !found.looks_boolean()
    );
    // A date or a time is one to some readers.
    let starts_like_text = text.starts_with(|first: char| !first.is_ascii_digit());
    if words_only && is_text && starts_like_text && !is_short_boolean(text) {
        text.to_owned()
    } else {
        quoted_text(text)
    }
}

/// `y` and `n` are booleans to some readers.
fn is_short_boolean(text: &str) -> bool {
    ["y", "n"]
        .iter()
        .any(|word| text.eq_ignore_ascii_case(word))
}

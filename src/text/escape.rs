//! Escapes for text that came from a user: what cannot be seen, or could change what is seen,
//! never reaches a terminal, a comment or an artifact as it is.

use std::fmt::Write;

/// Most characters of a user's text that a message or a comment shows.
const MAX_SHOWN: usize = 200;

/// Whether a character is escaped everywhere: control characters (C0, DEL, C1), bidirectional
/// formatting characters, and the two Unicode line separators.
pub fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{061C}'
                | '\u{200E}'
                | '\u{200F}'
                | '\u{202A}'..='\u{202E}'
                | '\u{2066}'..='\u{2069}'
                | '\u{2028}'
                | '\u{2029}'
                | '\u{FEFF}'
        )
}

/// Writes the inside of a JSON string: `"`, `\` and invisible characters are escaped, all else
/// stands as it is. The same escapes are read by Rego.
pub fn write_escaped(text: &str, out: &mut String) {
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            other if is_invisible(other) => {
                // All invisible characters are below U+10000: one unit each.
                let _ = write!(out, "\\u{:04x}", u32::from(other));
            }
            other => out.push(other),
        }
    }
}

/// A user's text for a line of its own kind (a comment, a message): invisible characters
/// escaped, cut after 200 characters.
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (count, character) in text.chars().enumerate() {
        if count == MAX_SHOWN {
            out.push('…');
            break;
        }
        match character {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            other if is_invisible(other) => {
                let _ = write!(out, "\\u{:04x}", u32::from(other));
            }
            other => out.push(other),
        }
    }
    out
}

/// A user's text in backticks, as messages quote it.
pub fn quoted(text: &str) -> String {
    format!("`{}`", visible(text))
}

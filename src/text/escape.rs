//! Escapes for text that came from a user: what cannot be seen, or could change what is seen,
//! never reaches a terminal, a comment or an artifact as it is.

use std::fmt::Write;

/// Most characters of a user's text that a message or a comment shows.
const MAX_SHOWN: usize = 200;

/// Most columns that a user's text takes in a comment, escapes counted.
const MAX_COMMENT_COLUMNS: usize = 600;

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

/// Whether a character cannot be told from another, or from nothing, by looking: those of
/// [`is_invisible`], blanks other than the space, and what a font shows as nothing (joiners, soft
/// hyphens, fillers, variation selectors, tags). A person who decides by a text sees them escaped.
pub fn is_deceptive(character: char) -> bool {
    is_invisible(character)
        || (character.is_whitespace() && character != ' ')
        || matches!(
            character,
            '\u{00AD}'
                | '\u{034F}'
                | '\u{115F}'
                | '\u{1160}'
                | '\u{17B4}'
                | '\u{17B5}'
                | '\u{180B}'..='\u{180F}'
                | '\u{200B}'..='\u{200D}'
                | '\u{2060}'..='\u{206F}'
                | '\u{2800}'
                | '\u{3164}'
                | '\u{FE00}'..='\u{FE0F}'
                | '\u{FFA0}'
                | '\u{FFF0}'..='\u{FFFB}'
                | '\u{1BCA0}'..='\u{1BCA3}'
                | '\u{1D173}'..='\u{1D17A}'
                | '\u{E0000}'..='\u{E0FFF}'
        )
}

/// A user's text as a JSON string, in quotes, with what is [`is_deceptive`] escaped.
pub fn quoted_for_decision(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        if matches!(character, '"' | '\\') {
            out.push('\\');
            out.push(character);
        } else if matches!(character, '\n' | '\t' | '\r') || !is_deceptive(character) {
            push_escaped(character, &mut out);
        } else {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
    out.push('"');
    out
}

/// Writes the inside of a JSON string: `"`, `\` and invisible characters are escaped, all else
/// stands as it is. The same escapes are read by Rego.
pub fn write_escaped(text: &str, out: &mut String) {
    for character in text.chars() {
        if matches!(character, '"' | '\\') {
            out.push('\\');
        }
        push_escaped(character, out);
    }
}

/// A character as all text of a user shows it: escaped if it is invisible.
fn push_escaped(character: char, out: &mut String) {
    match character {
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

/// A user's text whole and on one line: invisible characters are escaped, nothing is cut.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        push_escaped(character, &mut out);
    }
    out
}

/// The same for a text of several lines, whose line feeds stay.
pub fn escaped_lines(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(escaped).collect();
    lines.join("\n")
}

/// A user's text in a message: invisible characters escaped, cut after 200 characters.
pub fn visible(text: &str) -> String {
    cut(text, usize::MAX)
}

/// A user's text in a comment of an artifact: as [`visible`], and cut earlier where escapes would
/// make the line so long that an interpreter refuses it.
pub fn visible_in_comment(text: &str) -> String {
    cut(text, MAX_COMMENT_COLUMNS)
}

/// Whole characters only: an escape is there in full or not at all.
fn cut(text: &str, columns: usize) -> String {
    let mut out = String::with_capacity(text.len().min(4 * MAX_SHOWN));
    let mut width = 0;
    for (count, character) in text.chars().enumerate() {
        let before = out.len();
        push_escaped(character, &mut out);
        let added = out.get(before..).unwrap_or_default();
        width += added.chars().count();
        if count == MAX_SHOWN || width > columns {
            out.truncate(before);
            out.push('…');
            break;
        }
    }
    out
}

/// A user's text in backticks, as messages quote it.
pub fn quoted(text: &str) -> String {
    format!("`{}`", visible(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_escaped() {
        let text = "a\u{1b}[31m\n\t\r\u{202e}\u{7f}é\"\\";
        let shown = "a\\u001b[31m\\n\\t\\r\\u202e\\u007fé\"\\";
        assert_eq!(escaped(text), shown);
        assert_eq!(visible(text), shown);
        assert_eq!(escaped_lines("a\n\u{7}b\r\n"), "a\n\\u0007b\\r\n");
        let mut inside = String::new();
        write_escaped("\"\\\n\u{2028}", &mut inside);
        assert_eq!(inside, "\\\"\\\\\\n\\u2028");
    }

    #[test]
    fn texts_are_cut_at_whole_characters() {
        let (fits, long) = ("é".repeat(200), "é".repeat(201));
        assert_eq!(visible(&fits), fits);
        assert_eq!(visible_in_comment(&fits), fits);
        assert_eq!(visible(&long), format!("{fits}…"));
        assert_eq!(escaped(&long), long);
        let hostile = "\u{1}".repeat(201);
        assert_eq!(visible(&hostile).chars().count(), 1_201);
        assert_eq!(visible_in_comment(&hostile), "\\u0001".repeat(100) + "…");
        let exact = "\u{1}".repeat(100);
        assert_eq!(visible_in_comment(&exact), "\\u0001".repeat(100));
    }
}

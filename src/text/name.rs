//! What names are made of (contract section 1): the front end cuts names out of lines by these
//! rules, and the loader of an IR holds the names in a file to the same ones.

/// Names that no message may have: the decision has these rules of its own.
pub const RESERVED_MESSAGES: [&str; 2] = [RULE_STOP, RULE_NO_MATCH];
/// The rule of a refusal without a message.
pub const RULE_STOP: &str = "stop";
/// The rule where no path matches the call.
pub const RULE_NO_MATCH: &str = "no_match";

/// ASCII letter, digit or `_`.
pub fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Number of ASCII word characters a text begins with.
pub fn word_length(text: &str) -> usize {
    text.bytes().take_while(|byte| is_word(*byte)).count()
}

/// Whether a text is an ASCII identifier, as context names and the parts of packages are.
pub fn is_identifier(text: &str) -> bool {
    !text.starts_with(|first: char| first.is_ascii_digit())
        && !text.is_empty()
        && word_length(text) == text.len()
}

/// Length of the tool's name that a text begins with, `[A-Za-z_][A-Za-z0-9_.\-/]*`; zero when it
/// begins with none.
pub fn tool_length(text: &str) -> usize {
    if !text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
        return 0;
    }
    text.bytes()
        .take_while(|byte| is_word(*byte) || b".-/".contains(byte))
        .count()
}

/// A name that is free text, with blanks at the ends dropped and runs of blanks made one.
pub fn fold_blanks(text: &str) -> String {
    let text = text.trim_matches(' ');
    if !text.contains("  ") {
        return text.to_owned();
    }
    let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_and_tools() {
        for text in ["a", "_", "a_1", "A9"] {
            assert!(is_identifier(text), "{text}");
            assert_eq!(tool_length(text), text.len(), "{text}");
        }
        for text in ["", "1a", "a.b", "a-b", "é", "a b", "a\n"] {
            assert!(!is_identifier(text), "{text}");
        }
        for (text, length) in [("a.b-c/d e", 7), ("9a", 0), ("", 0), ("-a", 0), ("aé", 1)] {
            assert_eq!(tool_length(text), length, "{text}");
        }
    }

    #[test]
    fn blanks_are_folded() {
        for (text, folded) in [
            ("a b", "a b"),
            ("  a   b ", "a b"),
            ("", ""),
            ("  ", ""),
            ("a\t\tb", "a\t\tb"),
        ] {
            assert_eq!(fold_blanks(text), folded);
        }
    }
}

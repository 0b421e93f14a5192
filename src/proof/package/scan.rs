//! A look at the text before the interpreter parses it: its parser recurses over brackets and over
//! long chains of operators, and a text that nobody emitted may have any number of these.

use super::Fault;

/// Most brackets that are open at once. The emitted Rego has a few.
const MAX_OPEN: usize = 16;

/// Most characters of a line, as of the emitted Rego.
const MAX_COLUMNS: usize = 1_024;

/// Characters of operators: no emitted line begins or ends with one.
const OPERATORS: &str = "=<>!+-*/%&|.,:";

/// Checks that brackets nest a little, and that expressions do not go on from line to line.
///
/// # Errors
/// The first line that is not so.
pub(in crate::proof) fn scan(text: &str) -> Result<(), Fault> {
    let mut open = 0_usize;
    for (line, number) in text.lines().zip(1..) {
        let fault = |what: &str| Err(format!("line {number} {what}, which no translator writes"));
        if line.chars().take(MAX_COLUMNS + 1).count() > MAX_COLUMNS {
            return fault("is too long");
        }
        let code = code_of(line);
        for character in code.chars() {
            match character {
                '(' | '[' | '{' => open += 1,
                ')' | ']' | '}' => open = open.saturating_sub(1),
                _ => {}
            }
            if open > MAX_OPEN {
                return fault("opens too many brackets");
            }
        }
        let code = code.trim();
        let is_operator = |character: char| OPERATORS.contains(character);
        // An element of a list ends with a comma; a negative number begins with its sign.
        let ends = code
            .strip_suffix(',')
            .unwrap_or(code)
            .ends_with(is_operator);
        let begins = code
            .strip_prefix('-')
            .unwrap_or(code)
            .starts_with(is_operator);
        let mut words = code.split([' ', '\t']);
        let is_word = |word: Option<&str>| matches!(word, Some("in" | "not" | "with" | "as"));
        if ends
            || begins
            || is_word(words.clone().next()) && !code.starts_with("not ")
            || is_word(words.next_back())
        {
            return fault("goes on from another");
        }
    }
    Ok(())
}

/// A line without the inside of its strings and without its comment.
fn code_of(line: &str) -> String {
    let mut code = String::new();
    let mut is_text = false;
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match (is_text, character) {
            (true, '\\') => {
                characters.next();
            }
            (_, '"') => {
                is_text = !is_text;
                code.push('"');
            }
            (true, _) => {}
            (false, '#') => break,
            (false, other) => code.push(other),
        }
    }
    code
}

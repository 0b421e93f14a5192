//! Text of a user in Markdown: nothing of it is read as markup, in a table neither.

use super::escape::escaped;

/// Text as code, on one line. A bar is escaped, since in a table it would end the cell, code or
/// not; outside of tables there is none to be mistaken.
pub fn code(text: &str) -> String {
    let text = escaped(text).replace('|', "\\|");
    if text.is_empty() {
        // There is no empty code; an empty text is shown as such.
        return "`\"\"`".to_owned();
    }
    let ticks = "`".repeat(longest_run(&text) + 1);
    // A backtick at an end would belong to the marks; so would a blank at both ends be lost.
    let pad = if text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) {
        " "
    } else {
        ""
    };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

/// What can be markup inside of a line.
const MARKUP: &str = "\\`*_{}[]()<>#+-!|~&$";

/// Text as text, on one line.
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let text = escaped(text);
    for (at, character) in text.char_indices() {
        // Some readers take addresses for links, without any mark.
        let begins_address = match character {
            ':' => text.get(at..).is_some_and(|rest| rest.starts_with("://")),
            '.' => out.to_ascii_lowercase().ends_with("www"),
            _ => false,
        };
        if MARKUP.contains(character) || begins_address {
            out.push('\\');
        }
        out.push(character);
    }
    out
}

/// A block of code. The text ends in a line end.
pub fn fence(language: &str, text: &str) -> String {
    let ticks = "`".repeat(longest_run(text).max(2) + 1);
    format!("{ticks}{language}\n{text}{ticks}\n")
}

fn longest_run(text: &str) -> usize {
    let runs = text.split(|character| character != '`');
    runs.map(str::len).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_has_more_marks_than_its_text() {
        assert_eq!(
            plain("see https://a.b: or WWW.c.d"),
            "see https\\://a.b: or WWW\\.c.d"
        );
        assert_eq!(code("a b"), "`a b`");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(code(" a"), "`  a `");
        assert_eq!(code("a|b"), "`a\\|b`");
        assert_eq!(code(""), "`\"\"`");
        assert_eq!(code("a\nb\u{202e}"), "`a\\nb\\u202e`");
    }

    #[test]
    fn text_is_no_markup() {
        assert_eq!(
            plain("*a* <b> [c](d) | `e` #f 1. g_h"),
            "\\*a\\* \\<b\\> \\[c\\]\\(d\\) \\| \\`e\\` \\#f 1. g\\_h"
        );
        assert_eq!(plain("a\nb"), "a\\\\nb");
    }

    #[test]
    fn a_fence_is_longer_than_what_it_holds() {
        assert_eq!(fence("yaml", "a\n"), "```yaml\na\n```\n");
        assert_eq!(fence("", "````\n"), "`````\n````\n`````\n");
    }
}

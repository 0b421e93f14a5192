//! What would change in a file, as a unified diff.

use similar::TextDiff;

use crate::terminal::Console;
use crate::text::{Source, escaped, escaped_lines};

/// Prints what makes `changed` of a source. Where the text of a file goes to a terminal, nothing
/// in it acts on the terminal; elsewhere it is exact, for `patch` to read.
pub(super) fn print(source: &Source, changed: &str, console: &mut Console) {
    let name = escaped(source.name());
    if source.text() == changed {
        console.say(&format!(
            "{name}: only line ends or a byte order mark differ\n"
        ));
        return;
    }
    let diff = TextDiff::from_lines(source.text(), changed);
    let mut unified = diff.unified_diff();
    let text = unified.header(&name, &name).to_string();
    if !console.answers_a_terminal() {
        return console.answer(&text);
    }
    let text = escaped_lines(&text);
    match console.colors_stdout() {
        true => console.answer_styled(&colored(&text)),
        false => console.answer(&text),
    }
}

fn colored(diff: &str) -> String {
    let mut out = String::with_capacity(diff.len());
    for line in diff.split_inclusive('\n') {
        let (text, end) = match line.strip_suffix('\n') {
            Some(text) => (text, "\n"),
            None => (line, ""),
        };
        let color = match text.as_bytes().first() {
            Some(b'+') => "32",
            Some(b'-') => "31",
            Some(b'@') => "36",
            _ => {
                out.push_str(line);
                continue;
            }
        };
        out.push_str(&format!("\u{1b}[{color}m{text}\u{1b}[0m{end}"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_come_and_go_are_coloured() {
        assert_eq!(
            colored("@@ -1 +1 @@\n-a\n+b\n c\n"),
            "\u{1b}[36m@@ -1 +1 @@\u{1b}[0m\n\u{1b}[31m-a\u{1b}[0m\n\u{1b}[32m+b\u{1b}[0m\n c\n"
        );
    }
}

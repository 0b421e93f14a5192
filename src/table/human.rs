//! Decision tables for a terminal.

use std::fmt::Write;

use super::{Row, Table, caption, column};
use crate::evaluator::Verdict;
use crate::text::{escaped, visible};

/// Most characters of a line of a cell; longer ones go on below.
const WIDEST: usize = 26;
/// Most characters of a line of the table; where it is wider, rows are lists.
const WIDEST_LINE: usize = 120;

/// The tables as text, with a line end; in colours where they are wanted.
pub fn render_human(tables: &[Table], colors: bool) -> String {
    let mut out = String::new();
    for table in tables {
        if !out.is_empty() {
            out.push('\n');
        }
        let (name, _) = table.called.title();
        let _ = writeln!(out, "{}: {}\n", visible(name), caption(table));
        let grid = Grid::of(table);
        if grid.width() <= WIDEST_LINE {
            grid.write(&mut out, colors);
        } else {
            for row in &table.rows {
                write_list(&mut out, row, colors);
            }
        }
    }
    out
}

fn painted(text: &str, verdict: Verdict, colors: bool) -> String {
    let style = match verdict {
        Verdict::Allow => "32",
        Verdict::Clarify => "33",
        Verdict::Refuse => "31",
        Verdict::Silent => "2",
    };
    if colors {
        format!("\u{1b}[{style}m{text}\u{1b}[0m")
    } else {
        text.to_owned()
    }
}

/// What is decided and why, on one line.
fn decision(row: &Row) -> String {
    let word = row.decision.decision.as_str();
    let rule = &row.decision.rule;
    let message = if row.message == *rule {
        String::new()
    } else {
        row.message.clone()
    };
    let parts = [word, rule, &message]
        .into_iter()
        .filter(|part| !part.is_empty());
    escaped(&parts.collect::<Vec<_>>().join(": "))
}

/// A row as a list, for tables that are too wide.
fn write_list(out: &mut String, row: &Row, colors: bool) {
    let decision = painted(&decision(row), row.decision.decision, colors);
    let lines = row.lines_shown();
    let place = if lines.is_empty() {
        String::new()
    } else {
        format!(" (line {lines})")
    };
    let _ = writeln!(out, "  {decision}{place}");
    let terms: Vec<_> = row.cells.iter().flatten().collect();
    if terms.is_empty() {
        out.push_str("      in every context\n");
    }
    for term in terms {
        let _ = writeln!(out, "      {}: {}", column(&term.name), term.cell());
    }
}

/// A table in lines: each cell in as many as it needs.
struct Grid {
    /// By row, the head first, by column the lines of the cell.
    rows: Vec<Vec<Vec<String>>>,
    verdicts: Vec<Verdict>,
    widths: Vec<usize>,
}

impl Grid {
    fn of(table: &Table) -> Self {
        let heads = table.columns.iter().map(column);
        let head: Vec<String> = heads
            .chain(["decision", "line"].map(str::to_owned))
            .collect();
        let body = table.rows.iter().map(|row| {
            let cells = row.cells.iter().map(|cell| match cell {
                Some(term) => term.cell(),
                None => "-".to_owned(),
            });
            cells.chain([decision(row), row.lines_shown()]).collect()
        });
        let rows: Vec<Vec<Vec<String>>> = std::iter::once(head)
            .chain(body)
            .map(|cells: Vec<String>| cells.iter().map(|cell| wrapped(cell)).collect())
            .collect();
        let count = table.columns.len() + 2;
        let width = |column: usize| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            let widths = cells.flatten().map(|line| line.chars().count());
            widths.max().unwrap_or_default()
        };
        Self {
            widths: (0..count).map(width).collect(),
            verdicts: table.rows.iter().map(|row| row.decision.decision).collect(),
            rows,
        }
    }

    fn width(&self) -> usize {
        self.widths.iter().map(|width| width + 2).sum()
    }

    fn write(&self, out: &mut String, colors: bool) {
        let verdicts = std::iter::once(None).chain(self.verdicts.iter().copied().map(Some));
        for (row, verdict) in self.rows.iter().zip(verdicts) {
            let height = row.iter().map(Vec::len).max().unwrap_or_default();
            for line in 0..height {
                let mut text = String::new();
                for (cell, width) in row.iter().zip(&self.widths) {
                    let part = cell.get(line).map_or("", String::as_str);
                    let _ = write!(text, "  {part:width$}");
                }
                let text = text.trim_end();
                let text = match verdict {
                    Some(verdict) => painted(text, verdict, colors),
                    None => text.to_owned(),
                };
                let _ = writeln!(out, "{text}");
            }
            if verdict.is_none() {
                for width in &self.widths {
                    let _ = write!(out, "  {}", "─".repeat(*width));
                }
                out.push('\n');
            }
        }
    }
}

/// A text in lines of at most so many characters, broken at blanks where there are any.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        let length = line.chars().count();
        if length > 0 && length + 1 + word.chars().count() > WIDEST {
            lines.push(std::mem::take(&mut line));
        } else if length > 0 {
            line.push(' ');
        }
        for character in word.chars() {
            if line.chars().count() >= WIDEST {
                lines.push(std::mem::take(&mut line));
            }
            line.push(character);
        }
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_cells_go_on_below() {
        assert_eq!(wrapped("> 100 and <= 500"), ["> 100 and <= 500"]);
        assert_eq!(
            wrapped("none of \"a\", \"bcd\", \"efgh\", \"ijklm\""),
            ["none of \"a\", \"bcd\",", "\"efgh\", \"ijklm\""]
        );
        assert_eq!(
            wrapped(&"x".repeat(60)),
            ["x".repeat(26), "x".repeat(26), "x".repeat(8)]
        );
        assert_eq!(wrapped(""), [""]);
    }
}

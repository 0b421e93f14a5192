//! Decision tables as Markdown.

use std::fmt::Write;

use super::{Row, Table, caption, column};
use crate::text::markdown::{code, plain};

/// The tables as Markdown, with a line end.
pub fn render_markdown(tables: &[Table]) -> String {
    let mut out = String::new();
    for table in tables {
        if !out.is_empty() {
            out.push('\n');
        }
        let (name, is_name) = table.called.title();
        let name = if is_name { code(name) } else { plain(name) };
        let _ = write!(out, "### {name}\n\n{}.\n\n", caption(table));
        let mut heads: Vec<String> = table
            .columns
            .iter()
            .map(|name| code(&column(name)))
            .collect();
        heads.extend(["decision", "message", "line"].map(str::to_owned));
        let _ = writeln!(out, "| {} |", heads.join(" | "));
        let _ = writeln!(out, "|{}", "---|".repeat(heads.len()));
        for row in &table.rows {
            let _ = writeln!(out, "| {} |", cells(row).join(" | "));
        }
    }
    out
}

fn cells(row: &Row) -> Vec<String> {
    let mut cells: Vec<String> = row
        .cells
        .iter()
        .map(|cell| match cell {
            Some(term) => code(&term.cell()),
            None => "any".to_owned(),
        })
        .collect();
    let word = row.decision.decision.as_str();
    cells.push(if row.decision.rule.is_empty() {
        format!("**{word}**")
    } else {
        format!("**{word}** {}", code(&row.decision.rule))
    });
    cells.push(plain(&row.message));
    cells.push(row.lines_shown());
    cells
}

//! Decision tables as one page that needs nothing else: no script, no font, no picture.

use std::fmt::Write;

use super::{Row, Table, caption, column};
use crate::evaluator::Verdict;
use crate::ir::Rulebook;
use crate::text::markup::plain;

const STYLE: &str = include_str!("html/style.css");

/// The tables as a page, with its line end.
pub fn render_html(tables: &[Table], rulebook: &Rulebook) -> String {
    let file = plain(&rulebook.source.file);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Decisions of {file}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<h1>Decisions of <code>{file}</code></h1>\n\
         <p>Each row is a set of contexts that are decided alike. A cell says which values a name \
         may have; an empty cell means any, absent included. Every context is in exactly one row \
         of a table.</p>\n"
    );
    let verdicts = [
        (Verdict::Allow, "the call may go on"),
        (Verdict::Clarify, "a person is asked first"),
        (Verdict::Refuse, "the call is refused"),
        (Verdict::Silent, "the rulebook says nothing"),
    ];
    out.push_str("<ul class=\"legend\">\n");
    for (verdict, meaning) in verdicts {
        let _ = writeln!(out, "<li>{} {meaning}</li>", mark(verdict));
    }
    out.push_str("</ul>\n");
    if tables.len() > 1 {
        out.push_str("<nav>\n");
        for (table, number) in tables.iter().zip(1..) {
            let (name, _) = table.called.title();
            let _ = writeln!(out, "<a href=\"#table-{number}\">{}</a>", plain(name));
        }
        out.push_str("</nav>\n");
    }
    out.push_str("</header>\n");
    for (table, number) in tables.iter().zip(1..) {
        write_table(&mut out, table, number);
    }
    let _ = write!(
        out,
        "<footer>Made from <code>{file}</code>, sha256 <code>{}</code></footer>\n</body>\n</html>\n",
        plain(&rulebook.source.sha256)
    );
    out
}

/// A cell in which no operator is torn from its number.
fn unbroken(cell: &str) -> String {
    let mut shown = plain(cell);
    for operator in ["&lt;", "&gt;", "&lt;=", "&gt;="] {
        shown = shown.replace(&format!("{operator} "), &format!("{operator}&nbsp;"));
    }
    shown
}

fn mark(verdict: Verdict) -> String {
    let word = verdict.as_str();
    format!("<span class=\"mark {word}\">{word}</span>")
}

fn write_table(out: &mut String, table: &Table, number: usize) {
    let (name, is_name) = table.called.title();
    let name = if is_name {
        format!("<code>{}</code>", plain(name))
    } else {
        plain(name)
    };
    let _ = write!(
        out,
        "<section id=\"table-{number}\">\n<h2>{name}</h2>\n<p class=\"caption\">{}</p>\n\
         <div class=\"scroll\">\n<table>\n<thead>\n<tr><th class=\"decision\">decision</th>",
        plain(&caption(table))
    );
    for name in &table.columns {
        // A long path may be broken at its dots.
        let shown = plain(&column(name)).replace('.', ".<wbr>");
        let _ = write!(out, "<th><code>{shown}</code></th>");
    }
    out.push_str("<th>message</th><th class=\"line\">line</th></tr>\n</thead>\n<tbody>\n");
    let mut above: Option<&Row> = None;
    for row in &table.rows {
        write_row(out, row, above);
        above = Some(row);
    }
    out.push_str("</tbody>\n</table>\n</div>\n</section>\n");
}

/// A row; what the row above has too is faint, so that the eye finds what differs.
fn write_row(out: &mut String, row: &Row, above: Option<&Row>) {
    let verdict = row.decision.decision;
    let _ = write!(
        out,
        "<tr class=\"{}\"><td class=\"decision\">{}</td>",
        verdict.as_str(),
        mark(verdict)
    );
    for (at, cell) in row.cells.iter().enumerate() {
        match cell {
            Some(term) => {
                let is_same = above.and_then(|above| above.cells.get(at)) == Some(cell);
                let class = if is_same { "cell same" } else { "cell" };
                let _ = write!(out, "<td class=\"{class}\">{}</td>", unbroken(&term.cell()));
            }
            None => out.push_str("<td class=\"cell\"></td>"),
        }
    }
    let rule = if row.decision.rule.is_empty() || row.decision.rule == row.message {
        String::new()
    } else {
        format!("<span class=\"rule\">{}</span>", plain(&row.decision.rule))
    };
    let _ = writeln!(
        out,
        "<td class=\"message\">{}{rule}</td><td class=\"line\">{}</td></tr>",
        plain(&row.message),
        plain(&row.lines_shown())
    );
}

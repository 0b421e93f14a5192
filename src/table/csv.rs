//! Decision tables as comma-separated values, as RFC 4180 has them.

use super::{Table, column};
use crate::ir::Name;
use crate::text::escaped;

/// The tables as one file, a row behind the other: each has the columns of all.
pub fn render_csv(tables: &[Table]) -> String {
    let mut names: Vec<&Name> = Vec::new();
    for name in tables.iter().flat_map(|table| &table.columns) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let mut out = String::new();
    let fixed = ["tool", "decision", "rule", "message", "lines"];
    let heads = fixed.map(str::to_owned).into_iter();
    write_record(&mut out, heads.chain(names.iter().map(|name| column(name))));
    for table in tables {
        let (tool, _) = table.called.title();
        for row in &table.rows {
            let fixed = [
                tool.to_owned(),
                row.decision.decision.as_str().to_owned(),
                row.decision.rule.clone(),
                row.message.clone(),
                row.lines_shown(),
            ];
            let cell = |name: &&Name| {
                let at = table.columns.iter().position(|other| other == *name);
                let term = at.and_then(|at| row.cells.get(at)?.as_ref());
                // A name that the tool does not depend on may have any value, too.
                term.map_or_else(|| "any".to_owned(), |term| term.cell())
            };
            write_record(&mut out, fixed.into_iter().chain(names.iter().map(cell)));
        }
    }
    out
}

fn write_record(out: &mut String, fields: impl Iterator<Item = String>) {
    for (at, field) in fields.enumerate() {
        if at > 0 {
            out.push(',');
        }
        out.push_str(&quoted(&harmless(&escaped(&field))));
    }
    out.push_str("\r\n");
}

/// A field in quotes where it has a character that means something.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\r', '\n']) || field.starts_with(' ') || field.ends_with(' ') {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

/// Spreadsheets take what begins with one of these for a formula, which could do anything; an
/// apostrophe before it makes it a text.
fn harmless(field: &str) -> String {
    if field.starts_with(['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠']) {
        format!("'{field}")
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(quoted("a b"), "a b");
        assert_eq!(quoted("a,b"), "\"a,b\"");
        assert_eq!(quoted("say \"no\""), "\"say \"\"no\"\"\"");
        assert_eq!(quoted(" a"), "\" a\"");
        let mut out = String::new();
        write_record(&mut out, ["a", "b,c", ""].map(str::to_owned).into_iter());
        assert_eq!(out, "a,\"b,c\",\r\n");
    }

    #[test]
    fn nothing_is_a_formula() {
        for field in ["=1+1", "+1", "-1", "@SUM(A1)", "＝1"] {
            let mut out = String::new();
            write_record(&mut out, [field.to_owned()].into_iter());
            assert_eq!(out, format!("'{field}\r\n"));
        }
        // A tab is shown, and begins nothing.
        assert_eq!(harmless(&escaped("\t=1")), "\\t=1");
        assert_eq!(harmless("> 100"), "> 100");
    }
}

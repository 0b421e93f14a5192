//! Rows of a table as calls.

use serde_json::{Value, json};

/// A row: a call, and what it earns.
#[derive(Debug)]
pub struct Call {
    /// One line of JSON; numbers stand as the document writes them.
    pub input: String,
    /// The decision.
    pub want: Value,
}

/// The calls of a table whose first row names its columns. `tool` and `context` are JSON, but
/// for a tool that is a plain name; `(none)` leaves the key out. A decision is `allow`, or
/// `refuse, no_match`. Other columns are for the reader.
pub fn calls(rows: &[Vec<String>]) -> Result<Vec<Call>, String> {
    let (header, rows) = rows.split_first().ok_or("an empty table")?;
    let column = |name: &str| {
        let at = header.iter().position(|cell| cell == name);
        at.ok_or_else(|| format!("no column `{name}`"))
    };
    let (tool, context, decision) = (column("tool")?, column("context")?, column("decision")?);
    rows.iter()
        .map(|row| {
            let cell = |at: usize| row.get(at).map_or("", String::as_str);
            let mut members = Vec::new();
            for (key, text) in [("tool", cell(tool)), ("context", cell(context))] {
                match serde_json::from_str::<Value>(text) {
                    Ok(_) => members.push(format!("\"{key}\":{text}")),
                    Err(_) if text == "(none)" => {}
                    Err(_) if key == "tool" => members.push(format!("\"tool\":{}", json!(text))),
                    Err(error) => return Err(format!("{text}: {error}")),
                }
            }
            let (decision, rule) = cell(decision)
                .split_once(", ")
                .unwrap_or((cell(decision), ""));
            Ok(Call {
                input: format!("{{{}}}", members.join(",")),
                want: json!({"decision": decision, "rule": rule}),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_calls() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let head = row(["tool", "context", "decision"]);
        let rows = [
            head,
            row(["pay", "{\"a\": 1.50}", "refuse, no_match"]),
            row(["7", "(none)", "silent"]),
        ];
        let calls = calls(&rows).unwrap();
        assert_eq!(
            calls[0].input,
            "{\"tool\":\"pay\",\"context\":{\"a\": 1.50}}"
        );
        assert_eq!(
            calls[0].want,
            json!({"decision": "refuse", "rule": "no_match"})
        );
        assert_eq!(calls[1].input, "{\"tool\":7}");
        assert_eq!(calls[1].want, json!({"decision": "silent", "rule": ""}));
        assert!(super::calls(&[row(["tool", "x", "decision"])]).is_err());
    }
}

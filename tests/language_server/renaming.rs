//! Renaming keeps every decision, and can be taken back.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use stalwart::compiler::{Depth, compile};
use stalwart::emitter::emit;

use super::Client;
use crate::compiled::root;

const URI: &str = "file:///policy.co";

/// The flows of a rulebook, with another word for what is called `name`, and for nothing else.
fn decisions(text: &str, name: &str) -> Value {
    let compilation = compile("policy.co", text.as_bytes(), "a.b", Depth::Errors);
    let rulebook = compilation.rulebook.expect("it has no errors");
    let ir: Value = serde_json::from_slice(&emit(&rulebook).unwrap().ir).unwrap();
    let flows = ir["flows"].to_string();
    // A dotted name is an array of its segments.
    let segments = name.replace('.', "\",\"");
    let flows = flows.replace(&format!("[\"{segments}\"]"), "[\"the name\"]");
    // An argument may be called as the context name that it is given.
    let flows = match text.contains(&format!("${name}")) {
        true => flows,
        false => flows.replace(&format!("\"{name}\""), "\"the name\""),
    };
    let flows = flows.replace(&format!("\"${name}\""), "\"$the name\"");
    serde_json::from_str(&flows).unwrap()
}

/// The text behind the edits of a rename; columns count characters.
fn edited(text: &str, edits: &[Value]) -> String {
    let offset = |at: &Value| {
        let line = usize::try_from(at["line"].as_u64().unwrap()).unwrap();
        let column = usize::try_from(at["character"].as_u64().unwrap()).unwrap();
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        let letters = text[start..].char_indices();
        start + letters.map(|(at, _)| at).nth(column).unwrap_or(0)
    };
    let mut out = text.to_owned();
    for edit in edits.iter().rev() {
        let (start, end) = (
            offset(&edit["range"]["start"]),
            offset(&edit["range"]["end"]),
        );
        out.replace_range(start..end, edit["newText"].as_str().unwrap());
    }
    out
}

fn rename(client: &mut Client, at: &Value, new_name: &str) -> Result<Vec<Value>, Value> {
    let asked = json!({"textDocument": {"uri": URI}, "position": at, "newName": new_name});
    let answer = client.ask("textDocument/rename", asked)?;
    Ok(answer["changes"][URI].as_array().unwrap().clone())
}

#[test]
fn every_name_of_the_fixtures_can_be_changed_and_changed_back() {
    let mut client = Client::ready();
    let mut renamed = BTreeSet::new();
    for file in [
        "shop/policy.co",
        "bank/transfers.co",
        "clinic/patient_records.co",
    ] {
        let path = root().join("fixtures").join(file);
        let text = std::fs::read_to_string(path).unwrap();
        let mut done = BTreeSet::new();
        client.open(URI, &text);
        for (line, content) in text.lines().enumerate() {
            for (column, _) in content.chars().enumerate() {
                let at = json!({"line": line, "character": column});
                let asked = json!({"textDocument": {"uri": URI}, "position": at});
                let Ok(prepared) = client.ask("textDocument/prepareRename", asked) else {
                    continue;
                };
                let name = prepared["placeholder"].as_str().unwrap();
                if !done.insert(name.to_owned()) {
                    continue;
                }
                // Names of words get another word, so that the first is kept.
                let words = format!("{name} qq");
                let (new_name, edits) = match rename(&mut client, &at, &words) {
                    Ok(edits) => (words, edits),
                    Err(_) => {
                        let new_name = format!("{name}_qq");
                        let edits = rename(&mut client, &at, &new_name);
                        (
                            new_name,
                            edits.unwrap_or_else(|error| panic!("{name}: {error}")),
                        )
                    }
                };
                let other = edited(&text, &edits);
                assert_ne!(other, text);
                assert_eq!(
                    decisions(&other, &new_name),
                    decisions(&text, name),
                    "{name}"
                );
                client.open(URI, &other);
                let first = &edits[0]["range"]["start"];
                let edits = rename(&mut client, first, name).unwrap();
                assert_eq!(edited(&other, &edits), text, "{name}");
                renamed.insert(new_name);
                client.open(URI, &text);
            }
        }
    }
    assert!(renamed.len() > 30, "{}", renamed.len());
    client.leave();
}

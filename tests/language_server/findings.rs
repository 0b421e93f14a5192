//! What is published is what `check` finds.

use std::process::Command;

use serde_json::{Value, json};

use super::Client;
use crate::command_line::{BROKEN, SHOP};
use crate::compiled::{files, root};

/// A finding of `check --format json` as the protocol has it, columns counted in characters.
fn as_published(finding: &Value) -> Value {
    let position = |at: &Value| {
        json!({
            "line": at["line"].as_i64().unwrap() - 1,
            "character": at["column"].as_i64().unwrap() - 1,
        })
    };
    let range =
        |label: &Value| json!({"start": position(&label["start"]), "end": position(&label["end"])});
    let labels = finding["labels"].as_array().unwrap();
    json!({
        "code": finding["code"],
        "severity": match finding["severity"].as_str().unwrap() {
            "error" => 1,
            "warning" => 2,
            _ => 3,
        },
        "range": labels.first().map(range),
        "others": labels.iter().skip(1).map(|label| json!([range(label), label["text"]])).collect::<Vec<_>>(),
    })
}

/// The same parts of what was published.
fn parts(published: &Value) -> Value {
    let related = published["relatedInformation"].as_array();
    let related = related.into_iter().flatten();
    json!({
        "code": published["code"],
        "severity": published["severity"],
        "range": published["range"],
        "others": related.map(|it| json!([it["location"]["range"], it["message"]])).collect::<Vec<_>>(),
    })
}

#[test]
fn every_fixture_has_the_findings_of_check() {
    let output = Command::new(env!("CARGO_BIN_EXE_RulebookTranslator"))
        .args(["check", "--format", "json", "fixtures"])
        .current_dir(root())
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut client = Client::ready();
    let mut opened = Vec::new();
    for file in report["files"].as_array().unwrap() {
        let name = file["file"].as_str().unwrap();
        let bytes = std::fs::read(root().join(name)).unwrap();
        // What is no text cannot be sent.
        let Ok(text) = String::from_utf8(bytes) else {
            continue;
        };
        let uri = format!("file:///{name}");
        client.open(&uri, &text);
        opened.push((uri, &file["diagnostics"]));
    }
    let seen = opened.len();
    let mut found = 0;
    for (uri, expected) in opened {
        let published: Vec<Value> = client.settled(&uri).iter().map(parts).collect();
        let expected = expected.as_array().unwrap().iter();
        let expected: Vec<Value> = expected.map(as_published).collect();
        assert_eq!(published, expected, "{uri}");
        found += published.len();
    }
    assert!(
        seen + 3 > files("fixtures", "co").len() && found > 100,
        "{seen} {found}"
    );
    client.leave();
}

#[test]
fn errors_of_syntax_come_first_and_findings_follow_the_text() {
    let mut client = Client::ready();
    let uri = "untitled:policy";
    client.open(uri, BROKEN);
    let first = client.published(uri);
    assert_eq!(first["version"], 1);
    assert_eq!(first["diagnostics"][0]["code"], "RB0133");
    client.change(uri, json!([{"text": SHOP}]));
    assert_eq!(client.settled(uri), Vec::<Value>::new());
    client.close(uri);
    let last = client.published(uri);
    assert_eq!(last["diagnostics"], json!([]));
    client.leave();
}

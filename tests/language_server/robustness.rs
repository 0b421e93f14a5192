//! Clients that do not behave, and texts that are no rulebooks.

use std::time::Duration;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::Client;
use super::answers::{TEXT, URI};
use super::positions::offset;
use crate::properties::runner;

#[test]
fn the_binary_says_hello_and_leaves() {
    let mut client = Client::process();
    let error = client.ask("textDocument/hover", json!({})).unwrap_err();
    assert_eq!(error["code"], -32002);
    let answer = client.initialize(json!({}));
    assert_eq!(answer["serverInfo"]["name"], "RulebookTranslator");
    assert_eq!(answer["capabilities"]["positionEncoding"], "utf-16");
    assert_eq!(
        client
            .ask("initialize", json!({"capabilities": {}}))
            .unwrap_err()["code"],
        -32600
    );
    client.open(URI, TEXT);
    assert_eq!(client.settled(URI), Vec::<Value>::new().as_slice());
    assert_eq!(client.ask("shutdown", Value::Null), Ok(Value::Null));
    assert_eq!(
        client.ask("textDocument/hover", json!({})).unwrap_err()["code"],
        -32600
    );
    client.notify("exit", Value::Null);
    assert_eq!(client.end(), 0);
}

#[test]
fn leaving_without_shutdown_is_a_no() {
    let mut client = Client::process();
    client.initialize(json!({}));
    client.notify("exit", Value::Null);
    assert_eq!(client.end(), 1);
    assert_eq!(Client::process().end(), 1, "a closed stream ends it");
}

#[test]
fn what_is_no_message_is_passed_over() {
    let mut client = Client::process();
    client.initialize(json!({}));
    for bytes in [
        &b"Content-Length: 4\r\n\r\n{\"a\""[..],
        b"Content-Length: 2\r\n\r\n[]",
        b"Content-Length: 4\r\n\r\n\xff\xfe\xfd\xfc",
        b"nonsense\r\n\r\nContent-Length: what\r\n\r\n",
        b"Content-Length: 13\r\n\r\n{\"id\": true }",
    ] {
        client.write(bytes);
    }
    let error = client.ask("textDocument/nothing", json!({})).unwrap_err();
    assert_eq!(error["code"], -32601);
    assert_eq!(error["message"], "`textDocument/nothing` is not served");
    let codes: Vec<&Value> = client
        .complaints
        .iter()
        .map(|it| &it["error"]["code"])
        .collect();
    assert_eq!(codes, [-32700, -32600, -32700, -32600]);
    let error = client
        .ask("textDocument/hover", json!({"textDocument": 1}))
        .unwrap_err();
    assert_eq!(error["code"], -32602);
    client.notify("textDocument/didOpen", json!({"uri": []}));
    client.notify(
        "textDocument/didChange",
        json!({"textDocument": {"uri": "file:///a", "version": 1}, "contentChanges": []}),
    );
    client.notify("$/setTrace", json!({"value": "off"}));
    let closed = json!({"textDocument": {"uri": "file:///closed.co"}, "position": {"line": 0, "character": 0}});
    assert_eq!(client.ask("textDocument/hover", closed), Ok(Value::Null));
    client.leave();
}

#[test]
fn a_request_is_taken_back() {
    let mut client = Client::ready();
    client.open(URI, TEXT);
    let asked = json!({"textDocument": {"uri": URI}, "position": {"line": 19, "character": 3}});
    // It waits for the analysis, or for its turn.
    let mut taken_back = 0;
    for round in 0..20 {
        client.change(URI, json!([{"text": format!("{TEXT}# {round}\n")}]));
        let id = client.begin("textDocument/hover", asked.clone());
        client.notify("$/cancelRequest", json!({"id": id}));
        if let Err(error) = client.answer(id) {
            assert_eq!(error["code"], -32800);
            taken_back += 1;
        }
    }
    assert!(taken_back > 0);
    client.notify("$/cancelRequest", json!({"id": 1}));
    client.leave();
}

#[test]
fn a_text_that_changes_answers_who_waits() {
    let mut client = Client::ready();
    client.open(URI, TEXT);
    let asked = json!({"textDocument": {"uri": URI}, "position": {"line": 19, "character": 3}});
    let ids: Vec<i64> = (0..200)
        .map(|round| {
            let id = client.begin("textDocument/hover", asked.clone());
            client.change(URI, json!([{"text": format!("{TEXT}# {round}\n")}]));
            id
        })
        .collect();
    for id in ids {
        if let Err(error) = client.answer(id) {
            assert_eq!(error["code"], -32801);
        }
    }
    assert_eq!(client.settled(URI), Vec::<Value>::new());
    client.leave();
}

/// A client that writes without reading is read on, so that neither waits for the other.
#[test]
fn a_flood_does_not_block() {
    let mut client = Client::process();
    client.initialize(json!({"general": {"positionEncodings": ["utf-8"]}}));
    client.open(URI, TEXT);
    let asked = json!({"textDocument": {"uri": URI}});
    let ids: Vec<i64> = (0..2_000)
        .map(|_| client.begin("textDocument/semanticTokens/full", asked.clone()))
        .collect();
    std::thread::sleep(Duration::from_millis(10));
    for id in ids {
        client.answer(id).unwrap();
    }
    client.leave();
}

#[test]
fn large_and_odd_texts_are_taken() {
    let mut client = Client::ready();
    let large = "define bot a\n  \"b\"\n".repeat(80_000);
    client.open(URI, &large);
    assert_eq!(client.settled(URI)[0]["code"], "RB0002");
    client.open(
        "file:///nul.co",
        "define flow a\n  bot \"\0\"\r\rx\u{feff}\n",
    );
    assert!(!client.settled("file:///nul.co").is_empty());
    let asked = json!({"textDocument": {"uri": URI}});
    for method in ["documentSymbol", "foldingRange", "semanticTokens/full"] {
        client
            .ask(&format!("textDocument/{method}"), asked.clone())
            .unwrap();
    }
    client.leave();
}

/// Every position in a value is a place of the text, and between two characters.
fn check_positions(text: &str, value: &Value) {
    match value {
        Value::Object(object) => {
            if let (Some(line), Some(column)) = (object.get("line"), object.get("character")) {
                let (line, column) = (line.as_u64().unwrap(), column.as_u64().unwrap());
                assert!(
                    offset(text, line, column).is_some(),
                    "{line}:{column} of {text:?}"
                );
            }
            object.values().for_each(|it| check_positions(text, it));
        }
        Value::Array(items) => items.iter().for_each(|it| check_positions(text, it)),
        _ => {}
    }
}

const PIECES: [&str; 13] = [
    "",
    "\"",
    "\"\"\"",
    "\n",
    "😀",
    "\r\n",
    "$",
    "  ",
    "define flow ",
    "\\\n",
    "é",
    "if ",
    "\t",
];

const METHODS: [&str; 16] = [
    "hover",
    "definition",
    "references",
    "documentHighlight",
    "prepareRename",
    "rename",
    "completion",
    "formatting",
    "rangeFormatting",
    "codeAction",
    "documentSymbol",
    "foldingRange",
    "selectionRange",
    "semanticTokens/full",
    "semanticTokens/full/delta",
    "inlayHint",
];

#[test]
fn no_request_on_a_mangled_rulebook_kills_it() {
    let piece = prop::sample::select(PIECES.as_slice());
    let cuts = prop::collection::vec((any::<prop::sample::Index>(), 0..12_usize, piece), 0..6);
    let method = prop::sample::select(METHODS.as_slice());
    let asked = prop::collection::vec((method, 0..30_u32, 0..40_u32), 1..12);
    let run = runner(24).run(&(cuts, asked), |(cuts, asked)| {
        let mut text = TEXT.to_owned();
        for (index, length, put) in cuts {
            let mut start = index.index(text.len() + 1);
            while !text.is_char_boundary(start) {
                start -= 1;
            }
            let mut end = (start + length).min(text.len());
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            text.replace_range(start..end.max(start), put);
        }
        let mut client = Client::memory();
        client.initialize(json!({}));
        client.open(URI, &text);
        for (method, line, column) in asked {
            let position = json!({"line": line, "character": column});
            let range = json!({"start": position, "end": {"line": line + 3, "character": 0}});
            let parameters = json!({
                "textDocument": {"uri": URI}, "position": position, "positions": [position],
                "range": range, "newName": "other", "previousResultId": "1",
                "options": {"tabSize": 2, "insertSpaces": true},
                "context": {"includeDeclaration": true, "diagnostics": [], "triggerKind": 1},
            });
            match client.ask(&format!("textDocument/{method}"), parameters) {
                Ok(answer) => check_positions(&text, &answer),
                Err(error) => prop_assert_eq!(&error["code"], -32803),
            }
        }
        for published in &client.notifications {
            check_positions(&text, &published["params"]["diagnostics"]);
        }
        client.leave();
        Ok(())
    });
    run.unwrap_or_else(|fault| panic!("{fault}"));
}

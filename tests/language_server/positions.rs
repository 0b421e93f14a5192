//! Positions and edits, against a plain model.

use lsp_types::Position;
use proptest::prelude::*;
use serde_json::{Value, json};
use stalwart::language_server::{Encoding, PlainText};

use super::Client;
use crate::properties::runner;

/// The lines of a text with the offset of each, without their ends.
fn lines(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        if !matches!(letter, '\n' | '\r') {
            continue;
        }
        found.push((start, &text[start..at]));
        start = at + 1;
        if letter == '\r' && letters.peek().is_some_and(|(_, next)| *next == '\n') {
            letters.next();
            start += 1;
        }
    }
    found.push((start, &text[start..]));
    found
}

/// The offset of a position in code units of two bytes; none where there is no such place.
pub fn offset(text: &str, line: u64, column: u64) -> Option<usize> {
    let (start, content) = *lines(text).get(usize::try_from(line).unwrap())?;
    let mut units = 0;
    for (at, letter) in content.char_indices() {
        if units == column {
            return Some(start + at);
        }
        units += letter.len_utf16() as u64;
    }
    (units == column).then_some(start + content.len())
}

const PIECES: &[&str] = &[
    "a",
    "\n",
    "\r\n",
    "\r",
    "😀",
    "漢",
    "e\u{301}",
    "define flow x",
    " ",
    "\u{feff}",
];

fn texts() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..20).prop_map(|pieces| pieces.concat())
}

type Edit = (prop::sample::Index, prop::sample::Index, String);

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let index = any::<prop::sample::Index>;
    prop::collection::vec((index(), index(), texts()), 0..8)
}

/// The places between two characters of a text that an edit means.
fn ends(text: &str, (one, other, _): &Edit) -> (usize, usize) {
    let places: Vec<usize> = (0..=text.len())
        .filter(|at| text.is_char_boundary(*at))
        .collect();
    let (one, other) = (*one.get(&places), *other.get(&places));
    (one.min(other), one.max(other))
}

#[test]
fn edits_give_the_text_of_the_model() {
    let run = runner(256).run(&(texts(), edits()), |(text, edits)| {
        let mut model = text.clone();
        let mut plain = PlainText::new(text);
        for edit in edits {
            let (start, end) = ends(&model, &edit);
            model.replace_range(start..end, &edit.2);
            plain.replace(start..end, &edit.2);
            prop_assert_eq!(&plain, &PlainText::new(model.clone()));
        }
        let starts: Vec<usize> = lines(&model).iter().map(|(start, _)| *start).collect();
        let own: Vec<usize> = (0..plain.line_count())
            .map(|line| plain.line(line).start)
            .collect();
        prop_assert_eq!(own, starts);
        for (start, content) in lines(&model) {
            for at in (start..=start + content.len()).filter(|at| model.is_char_boundary(*at)) {
                for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
                    let position = plain.position(at, encoding);
                    prop_assert_eq!(plain.offset(position, encoding), at);
                    prop_assert_eq!(
                        position.character as usize,
                        encoding.length(&model[start..at])
                    );
                }
                let position = plain.position(at, Encoding::Utf16);
                let found = offset(&model, position.line.into(), position.character.into());
                prop_assert_eq!(found, Some(at));
            }
        }
        Ok(())
    });
    run.unwrap_or_else(|fault| panic!("{fault}"));
}

/// The findings and the colours of a document, by one client.
fn shown(client: &mut Client, uri: &str) -> (Vec<Value>, Value) {
    let asked = json!({"textDocument": {"uri": uri}});
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}});
    // It waits for the analysis, so that nobody pauses.
    let hints = json!({"textDocument": {"uri": uri}, "range": range});
    client.ask("textDocument/inlayHint", hints).unwrap();
    let mut tokens = client
        .ask("textDocument/semanticTokens/full", asked)
        .unwrap();
    (client.settled(uri), tokens["data"].take())
}

/// A text that was edited is answered about as one that was opened, whatever the columns count.
#[test]
fn changes_give_the_text_of_the_model() {
    let rulebook = "define flow a\r\n  if $a\n    bot \"漢😀\"\n  else\n    execute t\n";
    let run = runner(48).run(&edits(), |edits| {
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            let mut client = Client::memory();
            client.initialize(json!({"general": {"positionEncodings": [encoding.kind()]}}));
            let (edited, opened) = ("file:///edited.co", "file:///opened.co");
            client.open(edited, rulebook);
            let mut model = rulebook.to_owned();
            let mut changes = Vec::new();
            for edit in &edits {
                let (start, end) = ends(&model, edit);
                let before = PlainText::new(model.clone());
                let at = |offset| before.position(offset, encoding);
                // Between CR and LF there is no position.
                let offsets = [start, end].map(|offset| before.offset(at(offset), encoding));
                let range = json!({"start": at(start), "end": at(end)});
                changes.push(json!({"range": range, "text": edit.2}));
                model.replace_range(offsets[0]..offsets[1], &edit.2);
            }
            let (first, rest) = changes.split_at(changes.len() / 2);
            client.change(edited, json!(first));
            client.change(edited, json!(rest));
            client.open(opened, &model);
            prop_assert_eq!(shown(&mut client, edited), shown(&mut client, opened));
            client.leave();
        }
        Ok(())
    });
    run.unwrap_or_else(|fault| panic!("{fault}"));
}

#[test]
fn places_that_are_not_there_are_moved_to_the_nearest() {
    let text = PlainText::new("a😀b\r\nc".to_owned());
    let at = |line, character| text.offset(Position::new(line, character), Encoding::Utf16);
    assert_eq!(at(0, 2), 1, "inside of a character");
    assert_eq!(at(0, 99), 6, "behind a line");
    assert_eq!(at(1, 99), 9);
    assert_eq!(at(7, 0), 9, "behind the text");
    assert_eq!(text.position(2, Encoding::Utf16), Position::new(0, 1));
    assert_eq!(
        text.position(7, Encoding::Utf16),
        Position::new(0, 4),
        "between CR and LF"
    );
}

/// The columns of a finding behind wide characters, in each encoding, with CRLF and a mark.
#[test]
fn columns_are_right_in_every_encoding() {
    let text = "\u{feff}define flow a\r\n  bot \"漢😀e\u{301}\" \"x\r\n";
    for (offered, start) in [("utf-8", 19), ("utf-16", 14), ("utf-32", 13)] {
        let mut client = Client::memory();
        client.initialize(json!({"general": {"positionEncodings": ["utf-16", offered]}}));
        client.open("file:///a.co", text);
        let found = client.settled("file:///a.co");
        assert_eq!(
            found[0]["range"]["start"],
            json!({"line": 1, "character": start}),
            "{offered}"
        );
        client.leave();
    }
}

/// What a client types reaches the server as it is, change by change.
#[test]
fn changes_apply_one_behind_the_other() {
    let mut client = Client::ready();
    let uri = "untitled:Untitled-1";
    client.open(uri, "define flow a\n  execute\n");
    assert_eq!(client.settled(uri).len(), 1);
    let here = |line, from, to| json!({"start": {"line": line, "character": from}, "end": {"line": line, "character": to}});
    client.change(
        uri,
        json!([
            {"range": here(1, 9, 9), "text": " t"},
            {"range": here(1, 11, 11), "text": "\n  bot 😀"},
            {"range": here(2, 6, 7), "text": "done"},
        ]),
    );
    assert_eq!(
        client
            .settled(uri)
            .iter()
            .filter(|it| it["severity"] == 1)
            .count(),
        0
    );
    let asked = json!({"textDocument": {"uri": uri}, "position": {"line": 2, "character": 8}});
    let hover: Value = client.ask("textDocument/hover", asked).unwrap();
    assert!(
        hover["contents"]["value"]
            .as_str()
            .unwrap()
            .starts_with("message `done`")
    );
    client.leave();
}

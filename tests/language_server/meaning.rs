//! What an editor changes or shows says what the rulebook says: odd texts, put to requests that
//! once took them for another.

use serde_json::{Value, json};
use stalwart::formatter::format;
use stalwart::text::Source;

use super::Client;

const URI: &str = "file:///policy.co";

fn at(line: usize, character: usize) -> Value {
    json!({"textDocument": {"uri": URI}, "position": {"line": line, "character": character}})
}

#[test]
fn a_tool_that_a_far_string_means_is_not_renamed() {
    let flows = "define flow x\n  if $ok\n    execute refund\n  else\n    bot refuse x\n";
    for guard in [
        "  $x = \"refund\"\n  if $tool_name == $x and $frozen\n    bot refuse frozen\n    stop\n",
        "  $x = $tool_name\n  if $x == \"refund\" and $frozen\n    bot refuse frozen\n    stop\n",
    ] {
        let text = format!("define flow guard\n{guard}\n{flows}");
        let mut client = Client::ready();
        client.open(URI, &text);
        let line = text
            .lines()
            .position(|line| line.contains("execute"))
            .unwrap();
        let mut asked = at(line, 14);
        asked["newName"] = json!("reimburse");
        let error = client.ask("textDocument/rename", asked).unwrap_err();
        let message = error["message"].as_str().unwrap();
        assert!(message.contains("`$tool_name`"), "{message}");
        client.leave();
    }
    let text = format!(
        "define flow guard\n  if $tool_name == \"refund\" and $frozen\n    bot refuse frozen\n    stop\n\n{flows}"
    );
    let mut client = Client::ready();
    client.open(URI, &text);
    let mut asked = at(7, 14);
    asked["newName"] = json!("reimburse");
    let answer = client.ask("textDocument/rename", asked).unwrap();
    assert_eq!(answer["changes"][URI].as_array().unwrap().len(), 2);
    client.leave();
}

/// The text behind the formatting of one line; columns are all 0.
fn formatted(text: &str, line: usize) -> String {
    let mut client = Client::ready();
    client.open(URI, text);
    let asked = json!({
        "textDocument": {"uri": URI},
        "range": {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 1}},
        "options": {"tabSize": 2, "insertSpaces": true},
    });
    let edits = client.ask("textDocument/rangeFormatting", asked).unwrap();
    client.leave();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut out = String::new();
    let mut next = 0;
    for edit in edits.as_array().into_iter().flatten() {
        let line = |of: &str| usize::try_from(edit["range"][of]["line"].as_u64().unwrap()).unwrap();
        out.push_str(&lines[next..line("start")].concat());
        out.push_str(edit["newText"].as_str().unwrap());
        next = line("end");
    }
    out + &lines[next..].concat()
}

#[test]
fn a_part_in_style_means_what_it_meant() {
    let odd = "define flow refunds\n      if $paid\n        if $big\n          bot inform big\n\n          execute refund\n";
    let wanted = "define flow refunds\n  if $paid\n    if $big\n      bot inform big\n\n      execute refund\n";
    let in_style = |text: &str| {
        let (source, faults) = Source::decode(URI, text.as_bytes());
        format(&source, &faults).unwrap()
    };
    for line in 0..6 {
        let part = formatted(odd, line);
        assert_eq!(in_style(&part), wanted, "{line}: {part}");
    }
    // What a line means only beside others comes with them; other definitions are left alone.
    let other = "define flow other\n    if $a\n        execute b\n";
    let text = format!("{odd}\n{other}");
    assert_eq!(formatted(&text, 5), format!("{wanted}\n{other}"));
}

#[test]
fn mixed_ends_of_lines_become_one_kind() {
    let asked =
        json!({"textDocument": {"uri": URI}, "options": {"tabSize": 2, "insertSpaces": true}});
    for (text, end) in [
        ("define flow a\r\n    execute t\n", "  execute t\n"),
        ("define flow a\r\n    execute t\r\n", "  execute t\r\n"),
    ] {
        let mut client = Client::ready();
        client.open(URI, text);
        let edits = client
            .ask("textDocument/formatting", asked.clone())
            .unwrap();
        let last = edits.as_array().unwrap().last().unwrap()["newText"].clone();
        assert!(last.as_str().unwrap().ends_with(end), "{last}");
        client.leave();
    }
}

#[test]
fn a_name_is_no_markup() {
    let name = "refuse [x](command:evil) ` ![i](http://t/x.png)";
    let text = format!(
        "define bot {name}\n  \"no\"\n\ndefine flow a\n  if $b\n    execute c\n  else\n    bot {name}\n"
    );
    let mut client = Client::memory();
    client.initialize(json!({"textDocument": {"hover": {"contentFormat": ["markdown"]}}}));
    client.open(URI, &text);
    let hover = client.ask("textDocument/hover", at(0, 12)).unwrap();
    let shown = hover["contents"]["value"].as_str().unwrap();
    assert!(shown.contains(&format!("``{name}``")), "{shown}");
    client.leave();
}

#[test]
fn nothing_is_proposed_where_nothing_is_read() {
    let mut client = Client::ready();
    for text in [
        "define flow a\n  \"\"\"\n  an e",
        "define flow a\n  if $b \\\n  e",
        "define flow a\n  $x = ",
        "define bot \"refuse # 1\"\n\ndefine flow a\n  bot ",
    ] {
        client.open(URI, text);
        let line = text.matches('\n').count();
        let end = text.lines().last().unwrap().chars().count();
        let answer = client
            .ask("textDocument/completion", at(line, end))
            .unwrap();
        assert_eq!(answer.as_array().map_or(0, Vec::len), 0, "{text}: {answer}");
    }
    client.leave();
}

//! What is said, and in which order, while a text changes and after it.

use serde_json::{Value, json};

use super::Client;

const URI: &str = "file:///policy.co";

/// A rulebook of some hundred kilobytes, with mistakes all over that can be mended.
fn large() -> String {
    (0..3_000)
        .map(|flow| format!("define flow f {flow}\n  if $a and && $b\n    exec t\n  exec u\n"))
        .collect()
}

/// All fixes of a large text take many readings of it. Who types meanwhile is not kept waiting.
#[test]
fn a_keystroke_does_not_wait_for_an_answer() {
    let mut client = Client::ready();
    client.open(URI, &large());
    client.published(URI);
    client.open("file:///other.co", "define flow a\n  execute t\n");
    client.settled("file:///other.co");
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}});
    let context = json!({"diagnostics": [], "only": ["source.fixAll"]});
    let asked = json!({"textDocument": {"uri": URI}, "range": range, "context": context});
    let id = client.begin("textDocument/codeAction", asked.clone());
    let version = client.change(
        "file:///other.co",
        json!([{"text": "define flow a\n  exec t\n"}]),
    );
    let published = client.published("file:///other.co");
    assert_eq!(published["version"], version);
    assert_eq!(published["diagnostics"].as_array().unwrap().len(), 1);
    assert!(!client.has_answer(id), "the answer came first");

    // Neither is who types in the same text, and the answer is given up.
    let place = json!({"start": {"line": 2, "character": 4}, "end": {"line": 2, "character": 8}});
    let version = client.change(URI, json!([{"range": place, "text": "execute"}]));
    loop {
        let published = client.published(URI);
        if published["version"] == version {
            break;
        }
    }
    assert_eq!(client.answer(id).unwrap_err()["code"], -32801);

    // The next answer is that of the next question.
    let asked = json!({"textDocument": {"uri": "file:///other.co"}});
    let folds = client.ask("textDocument/foldingRange", asked).unwrap();
    assert_eq!(folds[0]["endLine"], 1);
    client.leave();
}

/// What is answered as modified is asked for again, where the client can be told to.
#[test]
fn clients_are_told_to_ask_again() {
    let mut client = Client::memory();
    let renews = json!({"refreshSupport": true});
    client.initialize(json!({"workspace": {"inlayHint": renews, "semanticTokens": renews}}));
    client.open(URI, "define flow a\n  execute t\n");
    client.settled(URI);
    assert_eq!(client.requests, Vec::<String>::new());
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}});
    let asked = json!({"textDocument": {"uri": URI}, "range": range});
    // They wait for the analysis of a text that does not last.
    client.change(URI, json!([{"text": large()}]));
    let hints = client.begin("textDocument/inlayHint", asked);
    client.change(URI, json!([{"text": "define flow a\n  execute u\n"}]));
    assert_eq!(client.answer(hints).unwrap_err()["code"], -32801);
    client.settled(URI);
    while client.requests.is_empty() {
        assert!(client.hear());
    }
    assert_eq!(client.requests, ["workspace/inlayHint/refresh"]);
    client.leave();
}

fn numbers(tokens: &Value) -> Vec<u64> {
    let tokens = tokens.as_array().unwrap().iter();
    tokens.map(|it| it.as_u64().unwrap()).collect()
}

#[test]
fn colours_are_given_as_what_has_changed() {
    let mut client = Client::ready();
    client.open(URI, "define flow a\n  execute t\n");
    let asked = json!({"textDocument": {"uri": URI}});
    let all = |client: &mut Client| {
        let answer = client.ask("textDocument/semanticTokens/full", asked.clone());
        answer.unwrap()
    };
    let before = all(&mut client);
    client.change(
        URI,
        json!([{"text": "define flow a\n  bot b\n  execute t\n"}]),
    );
    let changed = |client: &mut Client, last: &Value| {
        let asked = json!({"textDocument": {"uri": URI}, "previousResultId": last});
        let answer = client.ask("textDocument/semanticTokens/full/delta", asked);
        answer.unwrap()
    };
    let delta = changed(&mut client, &before["resultId"]);
    let mut patched = numbers(&before["data"]);
    for edit in delta["edits"].as_array().unwrap() {
        let start = usize::try_from(edit["start"].as_u64().unwrap()).unwrap();
        let gone = usize::try_from(edit["deleteCount"].as_u64().unwrap()).unwrap();
        patched.splice(start..start + gone, numbers(&edit["data"]));
    }
    let nothing = changed(&mut client, &delta["resultId"]);
    assert_eq!(nothing["edits"], json!([]));
    let unknown = changed(&mut client, &before["resultId"]);
    assert_eq!(
        numbers(&unknown["data"]),
        patched,
        "what is not the last is given whole"
    );
    assert_eq!(numbers(&all(&mut client)["data"]), patched);
    client.leave();
}

/// Without its line the block would be empty, so that `check --fix` leaves it alone.
#[test]
fn no_fix_is_offered_that_makes_it_worse() {
    let all = "fix all that can be fixed safely";
    for (text, line, offered) in [
        ("define flow a\n  if $a\n    pass\n", 2, vec![]),
        ("define flow a\n  exec t\n  if $a\n    pass\n", 3, vec![all]),
        (
            "define flow a\n  if $a\n    pass\n    stop\n",
            2,
            vec!["delete `pass`", all],
        ),
    ] {
        let mut client = Client::ready();
        client.open(URI, text);
        let here = json!({"line": line, "character": 5});
        let asked = json!({
            "textDocument": {"uri": URI}, "range": {"start": here, "end": here},
            "context": {"diagnostics": []},
        });
        let actions = client.ask("textDocument/codeAction", asked).unwrap();
        let actions = actions.as_array().unwrap().iter();
        let titles: Vec<&str> = actions.map(|it| it["title"].as_str().unwrap()).collect();
        assert_eq!(titles, offered, "{text}");
        client.leave();
    }
}

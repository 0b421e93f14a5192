//! What is answered to each kind of request, on one rulebook.

use serde_json::{Value, json};

use super::Client;

pub const URI: &str = "file:///shop/policy.co";

pub const TEXT: &str = "\
define context
  $order_paid: bool
  $amount: number

define bot refuse unpaid
  \"An order that is not paid cannot be refunded.\"

define bot ask for approval
  \"May I?\"

define subflow check
  if $order_paid
    return
  else
    bot refuse unpaid
    stop

define flow refunds
  do check
  if $amount <= 100
    execute refund_card
  else
    bot ask for approval
    user approve
    execute refund_card

define user approve
  \"Yes.\"
";

/// A client that has opened [`TEXT`].
fn opened() -> Client {
    let mut client = Client::ready();
    client.open(URI, TEXT);
    client
}

/// The position of the `n`th place of some text, counted from 0.
fn at(text: &str, what: &str, n: usize) -> Value {
    let offset = text.match_indices(what).nth(n).unwrap().0;
    let before = &text[..offset];
    let line = before.matches('\n').count();
    let column = before.rsplit('\n').next().unwrap().chars().count();
    json!({"line": line, "character": column})
}

fn asked_at(what: &str, n: usize) -> Value {
    json!({"textDocument": {"uri": URI}, "position": at(TEXT, what, n)})
}

fn hover(client: &mut Client, what: &str, n: usize) -> String {
    let answer = client.ask("textDocument/hover", asked_at(what, n)).unwrap();
    answer["contents"]["value"].as_str().unwrap().to_owned()
}

#[test]
fn hover_tells_what_a_branch_decides() {
    let mut client = opened();
    assert_eq!(
        hover(&mut client, "if $amount", 0),
        "flow `refunds`:\n\n- line 20: **allows** `refund_card`"
    );
    assert_eq!(
        hover(&mut client, "else", 1),
        "flow `refunds`:\n\n- line 22: **asks** before `refund_card`: “May I?”"
    );
    assert_eq!(
        hover(&mut client, "else", 0),
        "flow `refunds`:\n\n- line 14: **refuses** `refund_card`: “An order that is not paid cannot be refunded\\.”"
            .replace("\\.", ".")
    );
    let tool = hover(&mut client, "refund_card", 0);
    assert!(
        tool.starts_with("tool `refund_card`, governed by `refunds`"),
        "{tool}"
    );
    assert!(
        tool.ends_with("- line 20: **allows** `refund_card`"),
        "{tool}"
    );
    client.leave();
}

#[test]
fn hover_tells_names_and_statements() {
    let mut client = opened();
    assert_eq!(
        hover(&mut client, "amount <=", 0),
        "context name `$amount`: `number`, declared in line 3, used once"
    );
    assert_eq!(
        hover(&mut client, "ask for approval", 1),
        "message `ask for approval`, used once:\n\n- “May I?”"
    );
    assert_eq!(
        hover(&mut client, "check", 1),
        "subflow `check`, used once; statements: 4"
    );
    assert_eq!(
        hover(&mut client, "stop", 0),
        "ends the turn: the path ends, in a subflow too"
    );
    let nothing = client
        .ask("textDocument/hover", asked_at("\n\n", 0))
        .unwrap();
    assert_eq!(nothing, Value::Null);
    client.leave();
}

/// Where editors put the cursor that goes to a name.
#[test]
fn the_dollar_is_of_the_name() {
    let mut client = opened();
    let answer = client
        .ask("textDocument/hover", asked_at("$amount <=", 0))
        .unwrap();
    let told = answer["contents"]["value"].as_str().unwrap();
    assert!(told.starts_with("context name `$amount`"), "{told}");
    assert_eq!(answer["range"]["start"], at(TEXT, "$amount <=", 0));
    let edits = rename(&mut client, "$amount", 1, "$total").unwrap();
    assert_eq!(edits[1]["range"]["start"], at(TEXT, "amount <=", 0));
    assert_eq!(edits[1]["newText"], "total");
    let prepared = client
        .ask("textDocument/prepareRename", asked_at("$amount", 1))
        .unwrap();
    assert_eq!(prepared["range"]["start"], at(TEXT, "$amount <=", 0));
    assert_eq!(prepared["placeholder"], "amount");
    client.leave();
}

#[test]
fn clients_without_markdown_are_told_in_plain_words() {
    for formats in [json!(["plaintext", "markdown"]), Value::Null] {
        let mut client = Client::memory();
        client.initialize(json!({"textDocument": {"hover": {"contentFormat": formats}}}));
        client.open(URI, &TEXT.replace("May I?", "May I (*)?"));
        let answer = client
            .ask("textDocument/hover", asked_at("else", 1))
            .unwrap();
        assert_eq!(answer["contents"]["kind"], "plaintext");
        assert_eq!(
            answer["contents"]["value"],
            "flow `refunds`:\n\n- line 22: asks before `refund_card`: “May I (*)?”"
        );
        client.leave();
    }
}

#[test]
fn a_label_is_of_its_flow() {
    let flow = "  goto end\n  label end\n";
    let text = format!("define flow a\n{flow}\ndefine flow b\n{flow}  goto \n");
    let mut client = Client::ready();
    client.open(URI, &text);
    let ask = |client: &mut Client, method: &str, place: &Value| {
        let asked = json!({
            "textDocument": {"uri": URI}, "position": place, "newName": "last",
            "context": {"includeDeclaration": true, "triggerKind": 1},
        });
        client
            .ask(&format!("textDocument/{method}"), asked)
            .unwrap()
    };
    let used = at(&text, "end", 2);
    let definitions = ask(&mut client, "definition", &used);
    assert_eq!(definitions.as_array().unwrap().len(), 1);
    assert_eq!(definitions[0]["range"]["start"], at(&text, "end", 3));
    let found = ask(&mut client, "references", &used);
    assert_eq!(found.as_array().unwrap().len(), 2);
    // The other flow's label may have the name already, and the flow's own is what is proposed.
    let text = text.replace("  goto \n", "").replacen("end", "last", 2);
    client.open(URI, &text);
    let edit = ask(&mut client, "rename", &at(&text, "end", 1));
    assert_eq!(edit["changes"][URI].as_array().unwrap().len(), 2);
    let text = format!("{text}  goto x\n");
    client.open(URI, &text);
    let proposed = ask(&mut client, "completion", &at(&text, "x", 0));
    let labels = proposed.as_array().unwrap().iter();
    let labels: Vec<&str> = labels.map(|it| it["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["end", "x"]);
    client.leave();
}

#[test]
fn names_are_found_from_every_place() {
    let mut client = opened();
    let answer = client
        .ask("textDocument/definition", asked_at("refuse unpaid", 1))
        .unwrap();
    assert_eq!(answer[0]["range"]["start"], at(TEXT, "refuse unpaid", 0));
    assert_eq!(answer[0]["uri"], URI);
    let mut asked = asked_at("refund_card", 1);
    asked["context"] = json!({"includeDeclaration": true});
    let answer = client.ask("textDocument/references", asked).unwrap();
    assert_eq!(answer.as_array().unwrap().len(), 2);
    let answer = client
        .ask("textDocument/documentHighlight", asked_at("order_paid", 0))
        .unwrap();
    let kinds: Vec<&Value> = answer
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["kind"])
        .collect();
    assert_eq!(kinds, [3, 2]);
    client.leave();
}

fn rename(client: &mut Client, what: &str, n: usize, new_name: &str) -> Result<Value, String> {
    let mut asked = asked_at(what, n);
    asked["newName"] = new_name.into();
    match client.ask("textDocument/rename", asked) {
        Ok(answer) => Ok(answer["changes"][URI].clone()),
        Err(error) => Err(error["message"].as_str().unwrap().to_owned()),
    }
}

#[test]
fn a_name_is_changed_everywhere_or_refused() {
    let mut client = opened();
    let edits = rename(&mut client, "check", 1, "check  payment").unwrap();
    let places: Vec<&Value> = edits
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["range"]["start"])
        .collect();
    assert_eq!(places, [&at(TEXT, "check", 0), &at(TEXT, "check", 1)]);
    assert_eq!(edits[0]["newText"], "check payment");
    let edits = rename(&mut client, "amount", 0, "$total.sum").unwrap();
    assert_eq!(edits[1]["newText"], "total.sum");
    for (what, n, new_name, why) in [
        ("check", 0, "refunds", "there is a flow `refunds` already"),
        (
            "amount",
            0,
            "order_paid",
            "there is a context name `order_paid` already",
        ),
        (
            "amount",
            0,
            "order_paid.x",
            "there is a context name `order_paid` already",
        ),
        (
            "amount",
            0,
            "tool_name",
            "`$tool_name` is a name of the language",
        ),
        (
            "amount",
            0,
            "not a name",
            "`not a name` is no name for a context name",
        ),
        ("refund_card", 0, "a b", "`a b` is no name for a tool"),
        (
            "refuse unpaid",
            0,
            "stop",
            "`stop` is no name for a message",
        ),
        (
            "refuse unpaid",
            0,
            "deny",
            "the first word of a message decides",
        ),
        ("ask for approval", 0, " ", "a message has a name"),
        ("if $amount", 0, "unless", "here is no name of the rulebook"),
    ] {
        let refused = rename(&mut client, what, n, new_name).unwrap_err();
        assert!(refused.starts_with(why), "{refused}");
    }
    let prepared = client
        .ask("textDocument/prepareRename", asked_at("check", 1))
        .unwrap();
    assert_eq!(prepared["placeholder"], "check");
    let error = client
        .ask("textDocument/prepareRename", asked_at("else", 0))
        .unwrap_err();
    assert_eq!(error["code"], -32803);
    client.leave();
}

fn proposed(client: &mut Client, line: &str) -> Vec<String> {
    let text = format!("{TEXT}\ndefine flow typed\n{line}");
    client.open(URI, &text);
    let end = json!({"line": text.matches('\n').count(), "character": line.chars().count()});
    let asked = json!({"textDocument": {"uri": URI}, "position": end});
    let answer = client.ask("textDocument/completion", asked).unwrap();
    let items = answer.as_array().unwrap();
    for item in items {
        assert_eq!(
            item.get("insertTextFormat"),
            None,
            "the client knows no blanks"
        );
    }
    items
        .iter()
        .map(|it| it["label"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn what_fits_is_proposed() {
    let mut client = opened();
    assert_eq!(proposed(&mut client, "  do "), ["check"]);
    assert_eq!(
        proposed(&mut client, "  bot re"),
        ["ask for approval", "refuse unpaid"]
    );
    assert_eq!(proposed(&mut client, "  execute "), ["refund_card"]);
    assert_eq!(
        proposed(&mut client, "  if $o"),
        ["amount", "order_paid", "tool_name"]
    );
    assert_eq!(
        proposed(&mut client, "  if not "),
        ["$amount", "$order_paid", "not", "True", "False"]
    );
    assert!(proposed(&mut client, "  if $amount ").contains(&"<=".to_owned()));
    assert!(proposed(&mut client, "  ").contains(&"execute".to_owned()));
    assert!(proposed(&mut client, "de").contains(&"define flow".to_owned()));
    assert_eq!(
        proposed(&mut client, "define context\n  $a: "),
        ["bool", "number", "string"]
    );
    for nothing in ["  # if ", "  bot \"a", "  execute t("] {
        assert_eq!(
            proposed(&mut client, nothing),
            Vec::<String>::new(),
            "{nothing}"
        );
    }
    client.leave();
}

#[test]
fn blanks_are_for_clients_that_fill_them_in() {
    let mut client = Client::memory();
    let item = json!({"completionItem": {"snippetSupport": true}});
    client.initialize(json!({"textDocument": {"completion": item}}));
    client.open(URI, "define flow a\n  ");
    let asked = json!({"textDocument": {"uri": URI}, "position": {"line": 1, "character": 2}});
    let answer = client.ask("textDocument/completion", asked).unwrap();
    assert_eq!(answer[0]["insertTextFormat"], 2);
    client.leave();
}

#[test]
fn formatting_changes_only_the_lines_that_differ() {
    let mut client = Client::ready();
    client.open(
        URI,
        "define flow a\r\n  if   $x\r\n    execute t\r\n  else\r\n      stop\r\n",
    );
    let options = json!({"tabSize": 2, "insertSpaces": true});
    let asked = json!({"textDocument": {"uri": URI}, "options": options});
    let edits = client
        .ask("textDocument/formatting", asked.clone())
        .unwrap();
    let shown: Vec<(&Value, &Value)> = edits
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (&it["range"]["start"]["line"], &it["newText"]))
        .collect();
    assert_eq!(
        shown,
        [
            (&json!(1), &json!("  if $x\r\n")),
            (&json!(4), &json!("    stop\r\n"))
        ]
    );
    let mut of_range = asked.clone();
    of_range["range"] =
        json!({"start": {"line": 4, "character": 0}, "end": {"line": 4, "character": 9}});
    let edits = client
        .ask("textDocument/rangeFormatting", of_range)
        .unwrap();
    assert_eq!(edits.as_array().unwrap().len(), 1);
    client.open(URI, "define flow a\n  if (\n");
    assert_eq!(
        client.ask("textDocument/formatting", asked),
        Ok(Value::Null)
    );
    client.leave();
}

#[test]
fn findings_offer_their_fixes() {
    let mut client = Client::ready();
    client.open(
        URI,
        "define flow a\n  exec t\n\ndefine flow b\n  exec t\n  if $a && $b\n    stop\n",
    );
    let near = json!({"start": {"line": 1, "character": 3}, "end": {"line": 1, "character": 3}});
    let asked =
        json!({"textDocument": {"uri": URI}, "range": near, "context": {"diagnostics": []}});
    let actions = client.ask("textDocument/codeAction", asked).unwrap();
    let titles: Vec<&str> = actions
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["title"].as_str().unwrap())
        .collect();
    assert_eq!(titles.len(), 3, "{titles:?}");
    assert_eq!(titles[0], "write `execute`");
    assert!(titles[1].starts_with("fix all 2 of RB"), "{titles:?}");
    assert_eq!(actions[0]["edit"]["changes"][URI][0]["newText"], "execute");
    assert_eq!(actions[2]["kind"], "source.fixAll");
    let edits = actions[2]["edit"]["changes"][URI].as_array().unwrap();
    assert_eq!(edits[0]["newText"], "  execute t\n");
    client.leave();
}

#[test]
fn the_outline_nests() {
    let mut client = opened();
    let asked = json!({"textDocument": {"uri": URI}});
    let symbols = client
        .ask("textDocument/documentSymbol", asked.clone())
        .unwrap();
    let names: Vec<&str> = symbols
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "context",
            "bot refuse unpaid",
            "bot ask for approval",
            "check",
            "refunds",
            "user approve"
        ]
    );
    assert_eq!(symbols[0]["children"][1]["name"], "$amount");
    assert_eq!(
        symbols[4]["children"][1]["children"][0]["name"],
        "execute refund_card"
    );
    let found = client
        .ask("workspace/symbol", json!({"query": "refunds"}))
        .unwrap();
    assert_eq!(found[0]["name"], "refunds");
    let folds = client
        .ask("textDocument/foldingRange", asked.clone())
        .unwrap();
    let lines: Vec<(i64, i64)> = folds
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            (
                it["startLine"].as_i64().unwrap(),
                it["endLine"].as_i64().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        lines,
        [
            (0, 2),
            (4, 5),
            (7, 8),
            (10, 15),
            (11, 12),
            (13, 15),
            (17, 24),
            (19, 20),
            (21, 24),
            (26, 27)
        ]
    );
    let mut at_name = asked;
    at_name["positions"] = json!([at(TEXT, "amount <=", 0)]);
    let mut range = &client.ask("textDocument/selectionRange", at_name).unwrap()[0];
    let mut steps = 1;
    while let Some(parent) = range.get("parent") {
        range = parent;
        steps += 1;
    }
    assert_eq!(steps, 5, "name, line, arm, flow, file");
    client.leave();
}

#[test]
fn every_word_has_its_colour_once() {
    let mut client = opened();
    let asked = json!({"textDocument": {"uri": URI}});
    let tokens = client
        .ask("textDocument/semanticTokens/full", asked)
        .unwrap();
    let data: Vec<usize> = tokens["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| usize::try_from(it.as_u64().unwrap()).unwrap())
        .collect();
    let lines: Vec<&str> = TEXT.lines().collect();
    let (mut line, mut column) = (0, 0);
    let mut shown = Vec::new();
    for token in data.chunks(5) {
        column = if token[0] > 0 {
            token[1]
        } else {
            column + token[1]
        };
        line += token[0];
        shown.push(format!(
            "{} {}",
            token[3],
            &lines[line][column..column + token[2]]
        ));
    }
    assert_eq!(
        &shown[..4],
        ["0 define", "0 context", "2 $order_paid", "9 bool"]
    );
    assert_eq!(
        &shown[shown.len() - 12..],
        [
            "1 refund_card",
            "0 else",
            "0 bot",
            "4 ask for approval",
            "0 user",
            "3 approve",
            "0 execute",
            "1 refund_card",
            "0 define",
            "0 user",
            "3 approve",
            "5 \"Yes.\""
        ]
    );
    client.leave();
}

#[test]
fn hints_stand_at_the_ends_of_branches() {
    let mut client = opened();
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}});
    let hints = client
        .ask(
            "textDocument/inlayHint",
            json!({"textDocument": {"uri": URI}, "range": range}),
        )
        .unwrap();
    let shown: Vec<(i64, &str)> = hints
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            (
                it["position"]["line"].as_i64().unwrap(),
                it["label"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            (13, "refuse: refuse unpaid"),
            (19, "allow"),
            (21, "ask: ask for approval")
        ]
    );
    client.leave();
}

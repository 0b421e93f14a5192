mod edits;

use serde_json::{Value, json};

use super::*;
use crate::ir::example::{self, is_true, not_true};
use crate::ir::{Condition, to_bytes};

fn load(value: &Value) -> Result<Rulebook, LoadError> {
    from_bytes(serde_json::to_string_pretty(value).unwrap().as_bytes())
}

fn maximal() -> Value {
    serde_json::from_slice(&to_bytes(&example::maximal())).unwrap()
}

#[test]
fn the_maximal_document_loads_back_equal() {
    let rulebook = example::maximal();
    let bytes = to_bytes(&rulebook);
    assert_eq!(from_bytes(&bytes).unwrap(), rulebook);
    assert_eq!(to_bytes(&from_bytes(&bytes).unwrap()), bytes);
    // Layout is no invariant: compact bytes say the same.
    let compact = serde_json::to_vec(&rulebook).unwrap();
    assert_eq!(from_bytes(&compact).unwrap(), rulebook);
    // Some editors put a byte order mark before a text. It is no part of it.
    let marked = [b"\xEF\xBB\xBF", bytes.as_slice()].concat();
    assert_eq!(from_bytes(&marked).unwrap(), rulebook);
    let twice = [b"\xEF\xBB\xBF", marked.as_slice()].concat();
    assert_eq!(from_bytes(&twice).unwrap_err().line, 1);
}

/// Puts a value at a pointer, adds it at one that is free, or takes the place away.
fn edit(document: &mut Value, pointer: &str, value: Option<Value>) {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    match (document.pointer_mut(parent).unwrap(), value) {
        (Value::Object(fields), Some(value)) => {
            fields.insert(key.to_owned(), value);
        }
        (Value::Object(fields), None) => {
            fields.remove(key).unwrap();
        }
        (Value::Array(items), Some(value)) => {
            let index: usize = key.parse().unwrap();
            if index < items.len() {
                items[index] = value;
            } else {
                items.push(value);
            }
        }
        (Value::Array(items), None) => {
            items.remove(key.parse().unwrap());
        }
        other => panic!("{pointer}: {other:?}"),
    }
}

#[test]
fn every_edit_is_refused_at_its_place() {
    for (pointer, replacement, place, message) in edits::EDITS {
        let mut document = maximal();
        let value = (*replacement != "-").then(|| serde_json::from_str(replacement).unwrap());
        edit(&mut document, pointer, value);
        let what = format!("{pointer} <- {replacement}");
        let Err(error) = load(&document) else {
            panic!("{what}: loaded");
        };
        assert!(error.message.contains(message), "{what}: {error}");
        assert_eq!(error.pointer, *place, "{what}: {error}");
    }
}

#[test]
fn errors_tell_their_line_and_code() {
    let mut document = maximal();
    document["source"]["sha256"] = json!("short");
    let text = serde_json::to_string_pretty(&document).unwrap();
    let line = 1 + text
        .lines()
        .position(|line| line.contains("short"))
        .unwrap();
    let error = from_bytes(text.as_bytes()).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("line {line}, at /source/sha256: a hash is 64 hexadecimal digits in lower case")
    );
    assert_eq!(error.to_diagnostic().code.id, "RB0623");
    document["format"] = json!("x");
    assert_eq!(
        load(&document).unwrap_err().to_diagnostic().code.id,
        "RB0621"
    );
    document["format"] = json!("rulebook-ir/1");
    document["more"] = json!(1);
    assert_eq!(
        load(&document).unwrap_err().to_diagnostic().code.id,
        "RB0622"
    );
}

#[test]
fn what_is_no_json_is_refused() {
    let deep = "[".repeat(100_000);
    for (text, line, message) in [
        ("", 1, "the file ends where a value is missing"),
        ("{", 1, "a key in `\"` is missing"),
        ("{\n\"a\" 1}", 2, "`:` is missing behind a key"),
        ("{\"a\":1 \"b\":2}", 1, "`,` or `}` is missing"),
        ("{\"a\":1,}", 1, "a key in `\"` is missing"),
        ("[1 2]", 1, "`,` or `]` is missing"),
        ("[1,]", 1, "a value is missing"),
        (
            "{\"a\":01}",
            1,
            "a value is missing, or is none that JSON has",
        ),
        (
            "{\"a\":nul}",
            1,
            "a value is missing, or is none that JSON has",
        ),
        ("{\"a\":\n\n\"x}", 3, "a string is not closed"),
        ("{\"a\":\"\\\"}", 1, "a string is not closed"),
        ("{\"a\":\"\\q\"}", 1, "a string has an escape"),
        ("{\"a\":\"\\ud800\"}", 1, "a string has an escape"),
        ("{} {}", 1, "there is more behind the end"),
        (
            "{\"a\":1,\n\"b\":{},\"\\u0061\":2}",
            2,
            "the key `a` stands twice",
        ),
        (&deep, 1, "nests deeper"),
    ] {
        let error = from_bytes(text.as_bytes()).unwrap_err();
        assert!(error.message.contains(message), "{text:.20}: {error}");
        assert_eq!(error.line, line, "{text:.20}: {error}");
        assert_eq!(error.to_diagnostic().code.id, "RB0620");
    }
    let error = from_bytes(b"{\n\"\xff\":1}").unwrap_err();
    assert_eq!(
        (error.line, error.message.as_str()),
        (2, "the file is not UTF-8")
    );
    for text in ["[]", "7", "null", "{}", "\"rulebook-ir/1\""] {
        let error = from_bytes(text.as_bytes()).unwrap_err();
        assert_eq!(
            error.message,
            "this is no compiled rulebook: it has no `format`"
        );
    }
    let large = vec![b' '; MAX_ARTIFACT_BYTES + 1];
    assert_eq!(
        from_bytes(&large).unwrap_err().to_diagnostic().code.id,
        "RB0624"
    );
}

/// A condition as deep as 64 parentheses can make it loads on a small stack; deeper is refused.
#[test]
fn the_deepest_condition() {
    let nested = |parentheses: usize| {
        let mut condition = is_true("vip");
        for _ in 0..=parentheses {
            condition = Condition::All(vec![is_true("open"), condition]);
            condition = Condition::Any(vec![not_true("order_paid"), condition]);
        }
        let mut rulebook = example::maximal();
        let arm = &mut rulebook.flows[0].ifs[1].arms[0];
        arm.complement = condition.complement();
        arm.condition = condition;
        rulebook
    };
    std::thread::Builder::new()
        .stack_size(1 << 20)
        .spawn(move || {
            let rulebook = nested(64);
            assert_eq!(from_bytes(&to_bytes(&rulebook)).unwrap(), rulebook);
            let error = from_bytes(&to_bytes(&nested(65))).unwrap_err();
            assert!(
                error.message.contains("nests deeper than a source can"),
                "{error}"
            );
            let error = from_bytes(&to_bytes(&nested(100))).unwrap_err();
            assert!(error.message.contains("the file nests deeper"), "{error}");
        })
        .unwrap()
        .join()
        .unwrap();
}

/// The way past an `else` is no way; the way past an `else if True` is one.
#[test]
fn an_else_and_an_else_if_that_is_true() {
    let mut rulebook = example::maximal();
    let mut passed = rulebook.flows[1].branches[1].clone();
    passed.id = "f2_b3".to_owned();
    passed.path[0].arm = None;
    passed.path[0].passed = true;
    passed.line = 31;
    rulebook.flows[1].branches.push(passed);
    assert_eq!(from_bytes(&to_bytes(&rulebook)).unwrap(), rulebook);
    // With one arm alone, `if True`, the way past it is listed.
    let mut rulebook = example::maximal();
    rulebook.flows[1].ifs[0].arms.remove(0);
    rulebook.flows[1].ifs[0].line = 33;
    let mut only = rulebook.flows[1].branches.remove(0);
    only.line = 33;
    rulebook.flows[1].branches = vec![only];
    let error = from_bytes(&to_bytes(&rulebook)).unwrap_err();
    assert!(
        error.message.contains("the last branches are missing"),
        "{error}"
    );
}

#[test]
fn limits_on_branches() {
    let many = |count: usize| {
        let mut rulebook = example::maximal();
        let flow = &mut rulebook.flows[1];
        let arm = flow.ifs[0].arms[0].clone();
        let branch = flow.branches[0].clone();
        flow.ifs[0].arms = (0..count - 1)
            .map(|at| {
                let mut arm = arm.clone();
                arm.line += at;
                arm
            })
            .collect();
        flow.branches = (0..count)
            .map(|at| {
                let mut branch = branch.clone();
                branch.id = format!("f2_b{}", at + 1);
                branch.line = 31 + at;
                branch.path[0].arm = Some(at + 1);
                branch
            })
            .collect();
        let last = flow.branches.last_mut().unwrap();
        last.path[0].arm = None;
        last.path[0].passed = true;
        last.line = 31;
        rulebook
    };
    let rulebook = many(1_000);
    assert_eq!(from_bytes(&to_bytes(&rulebook)).unwrap(), rulebook);
    let error = from_bytes(&to_bytes(&many(1_001))).unwrap_err();
    assert_eq!(error.message, "the flow has more than 1,000 branches");
    let mut rulebook = many(1_000);
    let guard = rulebook.flows[1].clone();
    rulebook.flows.truncate(1);
    for number in 2..=22 {
        let mut flow = guard.clone();
        flow.id = format!("f{number}");
        flow.name = format!("guard {number}");
        flow.line = 10 + number;
        flow.ifs[0].id = format!("f{number}_i1");
        for (branch, at) in flow.branches.iter_mut().zip(1..) {
            branch.id = format!("f{number}_b{at}");
            branch.path[0].if_id = format!("f{number}_i1");
        }
        rulebook.flows.push(flow);
    }
    // Not through a file: the canonical bytes of so many branches pass 16 MiB.
    let error = super::rulebook::check(&rulebook).unwrap_err();
    assert_eq!(error.pointer, "/flows/20/branches");
    assert_eq!(error.message, "the rulebook has more than 20,000 branches");
}

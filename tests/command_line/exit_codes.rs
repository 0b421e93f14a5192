//! How every command ends, in one table (contract section 10).

use super::{BROKEN, Place, SHOP};

const CALL: &[&str] = &["--tool", "refund_card", "--context"];

fn place() -> Place {
    let place = Place::with_shop();
    place.write("broken.co", BROKEN);
    place.write("my-rules.co", SHOP);
    place.write("policies/a/one.co", SHOP);
    place.write("mixed/one.co", SHOP);
    place.write("mixed/two.co", BROKEN);
    place.write("empty/readme.md", "");
    place.write("file", "");
    place.write("calls.jsonl", "{\"tool\": \"refund_card\"}\n");
    place.write("bad.jsonl", "{\"tool\": \"refund_card\"}\n[]\n");
    place
}

#[test]
fn every_way_to_end_has_its_code() {
    let place = place();
    let cases: &[(i32, &[&str])] = &[
        (0, &["--help"]),
        (0, &["-h"]),
        (0, &["--version"]),
        (0, &["check", "--help"]),
        (2, &[]),
        (2, &["frobnicate"]),
        (2, &["check"]),
        (2, &["check", "policy.co", "--nonsense"]),
        (2, &["check", "policy.co", "--format", "xml"]),
        (2, &["check", "policy.co", "--color", "sometimes"]),
        (0, &["check", "policy.co"]),
        (0, &["check", "policy.co", "--deny", "warnings"]),
        (0, &["check", "policies"]),
        (0, &["check", "my-rules.co"]),
        (1, &["check", "broken.co"]),
        (1, &["check", "broken.co", "--format", "json"]),
        (1, &["check", "mixed"]),
        (2, &["check", "empty"]),
        (2, &["check", "missing.co"]),
        (2, &["check", "missing.co", "--format", "json"]),
        (2, &["check", "policy.co/below.co"]),
        (0, &["fmt", "policy.co"]),
        (0, &["fmt", "policies", "--check"]),
        (1, &["fmt", "policy.co", "broken.co"]),
        (2, &["fmt", "broken.co", "missing.co"]),
        (2, &["fmt", "empty"]),
        (2, &["fmt"]),
        (0, &["check", "policy.co", "--output", "report"]),
        (1, &["check", "broken.co", "--output", "report"]),
        (2, &["check", "policy.co", "--output", "nowhere/report"]),
        (2, &["check", "policy.co", "--output", "policy.co"]),
        (0, &["init", "new"]),
        (2, &["init"]),
        (2, &["init", "file"]),
        (2, &["init", "new2", "--name", "my-rules"]),
        (0, &["schema", "check"]),
        (2, &["schema"]),
        (0, &["completions", "bash"]),
        (2, &["completions"]),
        (0, &["man"]),
        (0, &["man", "check"]),
        (2, &["man", "nonsense"]),
        (2, &["man", "check", "--out-dir", "a"]),
        (0, &["emit", "policy.co", "--out-dir", "a"]),
        (0, &["verify", "a"]),
        (0, &["verify", "a", "--source", "policy.co"]),
        (3, &["verify", "a", "--source", "broken.co"]),
        (3, &["verify", "policies"]),
        (2, &["verify", "a", "--source", "missing.co"]),
        (2, &["verify", "missing"]),
        (2, &["verify", "policy.co"]),
        (2, &["verify"]),
        (2, &["verify", "a", "--proof-points", "many"]),
        (
            2,
            &[
                "emit",
                "policy.co",
                "--out-dir",
                "a",
                "--no-proof",
                "--with-opa",
            ],
        ),
        (0, &["emit", "policy.co", "--out-dir", "a", "--check"]),
        (
            0,
            &["emit", "policy.co", "--out-dir", "b/c/d", "--no-proof"],
        ),
        (
            0,
            &["emit", "policy.co", "--out-dir", "e", "--target", "ir"],
        ),
        (
            0,
            &[
                "emit",
                "my-rules.co",
                "--out-dir",
                "f",
                "--package",
                "shop.gate",
            ],
        ),
        (0, &["emit", "a/rulebook.ir.json", "--out-dir", "g"]),
        (1, &["emit", "policy.co", "--out-dir", "none", "--check"]),
        (1, &["emit", "broken.co", "--out-dir", "a"]),
        (2, &["emit", "my-rules.co", "--out-dir", "h"]),
        (2, &["emit", "policy.co", "--package", "shop gate"]),
        (
            2,
            &[
                "emit",
                "policy.co",
                "--package",
                "shop.gate",
                "--out-dir",
                "a",
            ],
        ),
        (2, &["emit", "policy.co", "--out-dir", "file"]),
        (2, &["emit", "policy.co", "--out-dir", "file/below"]),
        (2, &["emit", "missing.co"]),
        (2, &["emit", "policies"]),
        (2, &["emit", "-"]),
        (0, &["graph", "policy.co"]),
        (0, &["graph", "policy.co", "--tool", "refund_card"]),
        (0, &["graph", "policy.co", "--output", "a.svg"]),
        (1, &["graph", "broken.co"]),
        (2, &["graph", "missing.co"]),
        (2, &["graph", "policy.co", "--tool", "x"]),
        (2, &["graph", "policy.co", "--flow", "x"]),
        (2, &["graph", "policy.co", "--output", "file/below"]),
        (2, &["eval", "policy.co"]),
        (2, &["eval", "policy.co", "--tool", "refund_card"]),
        (2, &["eval", "policy.co", "--context", "{}"]),
        (
            2,
            &["eval", "policy.co", "--input", "calls.jsonl", "--tool", "x"],
        ),
        (0, &["eval", "policy.co", "--input", "calls.jsonl"]),
        (
            1,
            &["eval", "policy.co", "--input", "calls.jsonl", "--exit-code"],
        ),
        (2, &["eval", "policy.co", "--input", "bad.jsonl"]),
        (
            2,
            &["eval", "policy.co", "--input", "bad.jsonl", "--exit-code"],
        ),
        (2, &["eval", "policy.co", "--input", "missing.jsonl"]),
        (2, &["eval", "policy.co", "--input", "policies"]),
        (1, &["eval", "broken.co", "--input", "calls.jsonl"]),
        (2, &["eval", "broken.co", "--input", "missing.jsonl"]),
        (2, &["eval", "missing.co", "--input", "calls.jsonl"]),
        (0, &["explain"]),
        (0, &["explain", "RB0641"]),
        (0, &["explain", "rb0641"]),
        (2, &["explain", "RB9999"]),
        (2, &["explain", ""]),
        (0, &["generate", "diagnostics"]),
    ];
    for (code, arguments) in cases {
        let ran = place.run(arguments);
        assert_eq!(ran.code, *code, "{arguments:?}\n{ran:?}");
        assert!(!ran.stderr.contains("panicked"), "{arguments:?}\n{ran:?}");
        let said = ran.stdout + &ran.stderr;
        assert!(*code == 0 || !said.is_empty(), "{arguments:?} says nothing");
    }
    for (code, context) in [
        (0, "{\"order_paid\": true}"),
        (1, "{\"order_paid\": false}"),
        (1, "{}"),
        (1, "-1"),
        (2, "{"),
        (2, ""),
        (2, "@missing.json"),
    ] {
        let mut arguments = vec!["eval", "policy.co", "--exit-code"];
        arguments.extend(CALL);
        arguments.push(context);
        let ran = place.run(&arguments);
        assert_eq!(ran.code, code, "{context}\n{ran:?}");
    }
}

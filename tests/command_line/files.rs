//! Every code of files and folders: what triggers it, and how it reads.

use std::collections::BTreeSet;
use std::fmt::Write;

use stalwart::diagnostics::codes;

use super::{Place, SHOP};

const REGO: &str = "opa/Rulebook.rego";
const IR: &str = "opa/rulebook.ir.json";

/// What no input triggers: `command_line::load`, `command_line::fault` and `formatter` test it.
const NEVER: [&str; 4] = ["RB0701", "RB0702", "RB0901", "RB0902"];

/// What wants a key or an archive: `bundle::keys` and `bundle::chain` test it.
const IN_BUNDLES: [&str; 2] = ["RB0697", "RB0698"];

struct Case {
    code: &'static str,
    arguments: &'static [&'static str],
    prepare: fn(&Place),
}

const EMIT: &[&str] = &["emit", "policy.co", "--out-dir", "opa"];
const CHECK_IR: &[&str] = &["check", IR];
const VERIFY: &[&str] = &["verify", "opa", "--source", "policy.co"];
const COMPARE: &[&str] = &["emit", "policy.co", "--out-dir", "opa", "--check"];

fn nothing(_: &Place) {}

fn change_source(place: &Place) {
    place.write("policy.co", format!("# changed\n{SHOP}"));
}

fn list_two_rulebooks(place: &Place) {
    place.write("other.co", SHOP);
    place.write(
        "rulebook.toml",
        "[[rulebook]]\npath = \"*.co\"\nout-dir = \"opa/{stem}\"\n",
    );
}

fn edit_rego(place: &Place, from: &str, to: &str) {
    let text = String::from_utf8(place.read(REGO)).unwrap();
    assert!(text.contains(from));
    place.write(REGO, text.replacen(from, to, 1));
}

fn edit_ir(place: &Place, from: &str, to: &str) {
    let text = String::from_utf8(place.read(IR)).unwrap();
    assert!(text.contains(from));
    place.write(IR, text.replacen(from, to, 1));
}

/// 512 paths that each say 600 messages more.
fn long_paths() -> String {
    let mut text = String::from("define flow talkative\n");
    for number in 0..9 {
        let _ = write!(text, "  if $n{number}\n    bot hello {number}\n");
    }
    text + &"  bot hello\n".repeat(600) + "  stop\n"
}

/// `or` in `and` in `or`, each with so many parts that none is multiplied out.
fn bushy_condition() -> String {
    fn tree(levels: usize, next: &mut usize) -> String {
        let mut parts: Vec<String> = Vec::new();
        for _ in 0..32 {
            *next += 1;
            parts.push(format!("$n{next}"));
        }
        if levels > 1 {
            let (one, other) = (tree(levels - 1, next), tree(levels - 1, next));
            parts.push(format!("({one}) and ({other})"));
        }
        parts.join(" or \\\n    ")
    }
    let mut text = String::new();
    for number in 0..20 {
        let _ = write!(text, "define flow g{number}\n  if $a\n    stop\n");
    }
    text.push_str("define flow deep\n");
    for number in 0..20 {
        let _ = write!(text, "  if $c{number}\n    stop\n");
    }
    text + &format!("  if {}\n    stop\n", tree(7, &mut 0))
}

/// Each runs in a folder with the shop, its artifacts in `opa`.
const CASES: &[Case] = &[
    Case {
        code: "RB0001",
        arguments: &["check", "missing.co"],
        prepare: nothing,
    },
    Case {
        code: "RB0001",
        arguments: &["eval", "opa", "--tool", "t", "--context", "{}"],
        prepare: nothing,
    },
    Case {
        code: "RB0601",
        arguments: &["emit", "talkative.co"],
        prepare: |place| place.write("talkative.co", long_paths()),
    },
    Case {
        code: "RB0602",
        arguments: &["emit", "deep.co"],
        prepare: |place| place.write("deep.co", bushy_condition()),
    },
    Case {
        code: "RB0620",
        arguments: CHECK_IR,
        prepare: |place| edit_ir(place, "\"flows\": [", "\"flows\": "),
    },
    Case {
        code: "RB0621",
        arguments: CHECK_IR,
        prepare: |place| edit_ir(place, "rulebook-ir/1", "rulebook-ir/2"),
    },
    Case {
        code: "RB0622",
        arguments: CHECK_IR,
        prepare: |place| edit_ir(place, "\"kind\"", "\"sort\""),
    },
    Case {
        code: "RB0623",
        arguments: CHECK_IR,
        prepare: |place| edit_ir(place, "f1_b2", "f1_b3"),
    },
    Case {
        code: "RB0624",
        arguments: CHECK_IR,
        prepare: |place| place.write(IR, format!("{{{}", " ".repeat(16 << 20))),
    },
    Case {
        code: "RB0640",
        arguments: &["emit", "policy.co", "--out-dir", "policy.co"],
        prepare: nothing,
    },
    Case {
        code: "RB0641",
        arguments: COMPARE,
        prepare: change_source,
    },
    Case {
        code: "RB0642",
        arguments: COMPARE,
        prepare: |place| edit_rego(place, env!("CARGO_PKG_VERSION"), "9.9.9"),
    },
    Case {
        code: "RB0643",
        arguments: COMPARE,
        prepare: |place| edit_rego(place, "ctx(\"order_paid\")", "true"),
    },
    Case {
        code: "RB0644",
        arguments: COMPARE,
        prepare: |place| std::fs::remove_file(place.path(REGO)).unwrap(),
    },
    Case {
        code: "RB0645",
        arguments: COMPARE,
        prepare: |place| place.write("opa/helper.rego", "package stalwart.policy\n"),
    },
    Case {
        code: "RB0646",
        arguments: &["emit", "other.co", "--out-dir", "opa"],
        prepare: |place| place.write("other.co", SHOP),
    },
    Case {
        code: "RB0647",
        arguments: &["emit", "my-rules.co"],
        prepare: |place| place.write("my-rules.co", SHOP),
    },
    Case {
        code: "RB0648",
        arguments: &["emit", "policy.co", "--package", "shop.2nd"],
        prepare: nothing,
    },
    Case {
        code: "RB0649",
        arguments: EMIT,
        prepare: |place| place.write(REGO, "package stalwart.policy\n"),
    },
    Case {
        code: "RB0650",
        arguments: &["emit", "policy.co", "--out-dir", "opa", "--target", "ir"],
        prepare: change_source,
    },
    Case {
        code: "RB0651",
        arguments: &["check", "opa"],
        prepare: nothing,
    },
    Case {
        code: "RB0652",
        arguments: &[
            "eval",
            "policy.co",
            "--tool",
            "t",
            "--context",
            "{paid: true}",
        ],
        prepare: nothing,
    },
    Case {
        code: "RB0653",
        arguments: &["explain", "RB641"],
        prepare: nothing,
    },
    Case {
        code: "RB0654",
        arguments: &["emit", "policy.co", "--target", "ir", "--with-tests"],
        prepare: nothing,
    },
    Case {
        code: "RB0655",
        arguments: EMIT,
        prepare: |place| {
            place.succeed(&[EMIT, &["--with-tests"]].concat());
            change_source(place);
        },
    },
    Case {
        code: "RB0656",
        arguments: &["emit", "policy.co", "--adapter", "kong"],
        prepare: |place| {
            place.succeed(&["emit", "policy.co", "--adapter", "kong", "--deny-silent"]);
        },
    },
    Case {
        code: "RB0660",
        arguments: &["check", "policy.co", "--output", "policy.co"],
        prepare: nothing,
    },
    Case {
        code: "RB0661",
        arguments: &["init"],
        prepare: nothing,
    },
    Case {
        code: "RB0662",
        arguments: &["test", "--suggest"],
        prepare: list_two_rulebooks,
    },
    Case {
        code: "RB0690",
        arguments: &["fmt", "long.co"],
        prepare: |place| place.write("long.co", "define bot hello\n".repeat(15_000)),
    },
    Case {
        code: "RB0691",
        arguments: &["fmt", IR],
        prepare: nothing,
    },
    Case {
        code: "RB0692",
        arguments: &["verify", "bundle.tar.gz"],
        prepare: |place| place.write("bundle.tar.gz", [0x1f, 0x8b, 8, 0]),
    },
    Case {
        code: "RB0693",
        arguments: &["bundle", "policy.co", "--out", IR],
        prepare: nothing,
    },
    Case {
        code: "RB0694",
        arguments: &["bundle", "policy.co", "--out", "bundle.tar.gz", "--check"],
        prepare: |place| {
            place.succeed(&["bundle", "policy.co", "--out", "bundle.tar.gz"]);
            change_source(place);
        },
    },
    Case {
        code: "RB0695",
        arguments: &["bundle", "policy.co", "--out", "b", "--signing-key", IR],
        prepare: nothing,
    },
    Case {
        code: "RB0696",
        arguments: &[
            "bundle",
            "policy.co",
            "--out",
            "b",
            "--signing-key",
            "-",
            "--signing-algorithm",
            "ES256",
        ],
        prepare: nothing,
    },
    Case {
        code: "RB0703",
        arguments: &["verify", "opa", "--with-opa"],
        prepare: nothing,
    },
    Case {
        code: "RB0710",
        arguments: VERIFY,
        prepare: change_source,
    },
    Case {
        code: "RB0711",
        arguments: VERIFY,
        prepare: |place| edit_ir(place, "is_true", "not_true"),
    },
    Case {
        code: "RB0712",
        arguments: VERIFY,
        prepare: |place| edit_rego(place, "\"allow\"", "\"refuse\""),
    },
    Case {
        code: "RB0713",
        arguments: VERIFY,
        prepare: |place| place.write("opa/more.rego", "package stalwart.policy\n"),
    },
    Case {
        code: "RB0714",
        arguments: &["verify", "policy.co"],
        prepare: nothing,
    },
];

#[test]
fn every_code_of_files_is_triggered_and_reads_well() {
    let mut all = String::new();
    for case in CASES {
        let place = Place::with_shop();
        place.succeed(EMIT);
        (case.prepare)(&place);
        let ran = place.run(case.arguments);
        let said = ran.stdout + &ran.stderr;
        let heads = ["error", "note"].map(|severity| format!("{severity}[{}]", case.code));
        let is_said = heads.iter().any(|head| said.contains(head));
        assert!(is_said, "{}: {said}", case.code);
        let command = case.arguments.join(" ");
        let _ = write!(
            all,
            "$ RulebookTranslator {command}\n{said}=> {}\n\n",
            ran.code
        );
    }
    insta::assert_snapshot!(all.replace(env!("CARGO_PKG_VERSION"), "VERSION"));
    let triggered: BTreeSet<&str> = CASES.iter().map(|case| case.code).collect();
    for code in [
        codes::artifacts::ALL,
        codes::reports::ALL,
        codes::rewriting::ALL,
        codes::bundles::ALL,
    ]
    .into_iter()
    .flatten()
    .filter(|code| !IN_BUNDLES.contains(&code.id))
    {
        assert_ne!(
            triggered.contains(code.id),
            NEVER.contains(&code.id),
            "{} is not triggered, or is after all",
            code.id
        );
    }
}

//! Every code of files and folders: what triggers it, and how it reads.

use std::collections::BTreeSet;
use std::fmt::Write;

use stalwart::diagnostics::codes;

use super::{Place, SHOP};

const REGO: &str = "opa/Rulebook.rego";

struct Case {
    code: &'static str,
    arguments: &'static [&'static str],
    prepare: fn(&Place),
}

const EMIT: &[&str] = &["emit", "policy.co", "--out-dir", "opa"];
const COMPARE: &[&str] = &["emit", "policy.co", "--out-dir", "opa", "--check"];

fn nothing(_: &Place) {}

fn change_source(place: &Place) {
    place.write("policy.co", format!("# changed\n{SHOP}"));
}

fn edit_rego(place: &Place, from: &str, to: &str) {
    let text = String::from_utf8(place.read(REGO)).unwrap();
    assert!(text.contains(from));
    place.write(REGO, text.replacen(from, to, 1));
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
        let head = format!("error[{}]", case.code);
        assert!(said.contains(&head), "{}: {said}", case.code);
        let command = case.arguments.join(" ");
        let _ = write!(
            all,
            "$ RulebookTranslator {command}\n{said}=> {}\n\n",
            ran.code
        );
    }
    insta::assert_snapshot!(all);
    let triggered: BTreeSet<&str> = CASES.iter().map(|case| case.code).collect();
    let own = codes::all().filter(|code| ("RB0640".."RB0670").contains(&code.id));
    for code in own {
        assert!(triggered.contains(code.id), "{} is not triggered", code.id);
    }
}

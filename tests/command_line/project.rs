//! Projects: what `rulebook.toml` lists, and the commands that need no FILE.

use std::collections::BTreeSet;
use std::fmt::Write;

use serde_json::Value;
use stalwart::diagnostics::codes;

use super::{BROKEN, Place, SHOP};

/// One that fails open, which is a warning (RB0401).
const OPEN: &str = "define flow sending\n  if not $blocked\n    execute send_mail\n";

const EVERY: &str = "[[rulebook]]\npath = \"policies/*.co\"\nout-dir = \"opa/{stem}\"\n";

/// A project of two rulebooks.
fn project() -> Place {
    let place = Place::new();
    place.write("rulebook.toml", EVERY);
    place.write("policies/refunds.co", SHOP);
    place.write("policies/transfers.co", SHOP.replace("card", "account"));
    place
}

/// Each `rulebook.toml` with the code that it has, in a folder with two rulebooks.
const FAULTS: &[(&str, &str)] = &[
    ("RB0801", "[[rulebook]\npath = \"policies/refunds.co\"\n"),
    (
        "RB0802",
        "[[rulebook]]\npath = \"policies/refunds.co\"\noutdir = \"opa\"\n",
    ),
    (
        "RB0802",
        "[[rulebook]]\npath = \"policies/refunds.co\"\nexclude = [\"drafts\"]\n",
    ),
    ("RB0803", "[rulebook]\npath = \"policies/refunds.co\"\n"),
    (
        "RB0803",
        "[defaults]\ndeny = \"warnings\"\n[[rulebook]]\npath = \"policies/refunds.co\"\n",
    ),
    ("RB0804", "[[rulebook]]\nout-dir = \"opa\"\n"),
    (
        "RB0805",
        "format = \"rulebook-toml/2\"\nrulebooks = [\"a new key\"]\n",
    ),
    (
        "RB0805",
        "[[rulebook]]\npath = \"policies/refunds.co\"\ncoverage-threshold = 101\n",
    ),
    (
        "RB0806",
        "[defaults]\ndeny = [\"RB0301\"]\n[[rulebook]]\npath = \"policies/refunds.co\"\n",
    ),
    (
        "RB0806",
        "[defaults]\ndeny = [\"warning\"]\n[[rulebook]]\npath = \"policies/refunds.co\"\n",
    ),
    (
        "RB0807",
        "[[rulebook]]\npath = \"../policies/refunds.co\"\n",
    ),
    (
        "RB0807",
        "[[rulebook]]\npath = \"policies/*.co\"\nout-dir = \"opa/{name}\"\n",
    ),
    ("RB0808", "[[rulebook]]\npath = \"policies/returns.co\"\n"),
    ("RB0808", "[[rulebook]]\npath = \"policies/*.rules\"\n"),
    ("RB0808", "[[rulebook]]\npath = \"policies\"\n"),
    (
        "RB0808",
        "[[rulebook]]\npath = \"policies/refunds.co\"\ntests = [\"refunds.test.yaml\"]\n",
    ),
    (
        "RB0809",
        "[[rulebook]]\npath = \"policies/refunds.co\"\n[[rulebook]]\npath = \"./policies/refunds.co\"\n",
    ),
    ("RB0810", "[[rulebook]]\npath = \"policies/*.co\"\n"),
    (
        "RB0810",
        "[[rulebook]]\npath = \"policies/refunds.co\"\nout-dir = \"opa\"\n[[rulebook]]\npath = \"policies/transfers.co\"\nout-dir = \"./opa/\"\n",
    ),
    (
        "RB0811",
        "[[rulebook]]\npath = \"policies/*.co\"\nout-dir = \"opa/{stem}\"\npackage = \"shop.gate\"\n",
    ),
    ("RB0812", "[defaults]\ndeny = [\"warnings\"]\n"),
    (
        "RB0648",
        "[[rulebook]]\npath = \"policies/refunds.co\"\npackage = \"shop gate\"\n",
    ),
];

#[test]
fn every_fault_of_a_project_is_said_at_its_place() {
    let mut all = String::new();
    let mut seen = BTreeSet::new();
    for (code, text) in FAULTS {
        let place = project();
        place.write("rulebook.toml", text);
        let ran = place.run(&["check"]);
        assert_eq!((ran.code, ran.stderr.as_str()), (2, ""), "{text}\n{ran:?}");
        let _ = write!(all, "{text}=> {}\n{}\n", ran.code, ran.stdout);
        assert!(
            ran.stdout.contains(&format!("error[{code}]")),
            "{text}\n{ran:?}"
        );
        assert_eq!(ran.stdout.matches("error[").count(), 1, "{text}\n{ran:?}");
        seen.insert(*code);
        // No command does half of the work, and each says the same.
        for command in [&["emit"][..], &["emit", "policies/refunds.co"], &["verify"]] {
            let ran = place.run(command);
            assert_eq!(
                (ran.code, ran.stdout.as_str()),
                (2, ""),
                "{command:?}\n{ran:?}"
            );
            assert!(ran.stderr.contains(&format!("error[{code}]")), "{ran:?}");
            assert_eq!(place.names("."), ["policies", "rulebook.toml"]);
        }
    }
    insta::assert_snapshot!(all);
    // These are said elsewhere.
    seen.extend(["RB0813", "RB0814", "RB0815"]);
    for code in codes::project::ALL {
        assert!(seen.contains(code.id), "{} is not triggered", code.id);
    }
}

#[test]
fn without_a_project_a_file_must_be_named() {
    let place = Place::with_shop();
    for arguments in [
        &["check"][..],
        &["check", "--all"],
        &["check", "--format", "json"],
        &["emit"],
        &["emit", "--check"],
        &["verify"],
    ] {
        let ran = place.run(arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{ran:?}");
        assert!(ran.stderr.starts_with("error[RB0813]"), "{ran:?}");
    }
    // What belongs to one file is not said of all.
    for arguments in [
        &["emit", "--out-dir", "opa"][..],
        &["emit", "--package", "a.b"],
        &["emit", "--all", "policy.co"],
        &["check", "--all", "policy.co"],
        &["verify", "--source", "policy.co"],
    ] {
        let ran = place.run(arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{ran:?}");
        assert!(ran.stderr.starts_with("error: "), "{ran:?}");
    }
}

#[test]
fn emit_needs_no_arguments() {
    let place = project();
    let ran = place.succeed(&["emit"]);
    assert_eq!(
        ran.stdout,
        "wrote opa/refunds/rulebook.ir.json\nwrote opa/refunds/Rulebook.rego\n\
         wrote opa/transfers/rulebook.ir.json\nwrote opa/transfers/Rulebook.rego\n"
    );
    assert_eq!(
        ran.stderr,
        "policies/refunds.co: proved (49 points)\npolicies/transfers.co: proved (49 points)\n\
         emitted 2 of 2 rulebooks\n"
    );
    // One at a time gives the same.
    let rego = place.read("opa/refunds/Rulebook.rego");
    let ran = place.succeed(&["emit", "policies/refunds.co", "--out-dir", "one"]);
    assert_eq!(ran.stderr, "proved (49 points)\n");
    assert_eq!(place.read("one/Rulebook.rego"), rego);

    assert_eq!(place.succeed(&["emit", "--check"]).stdout, "");
    place.write("policies/refunds.co", format!("# changed\n{SHOP}"));
    let ran = place.run(&["emit", "--check", "--all"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    assert!(ran.stderr.contains("error[RB0641]"), "{ran:?}");
    assert!(
        ran.stderr.ends_with("\ncurrent: 1 of 2 rulebooks\n"),
        "{ran:?}"
    );
}

#[test]
fn one_broken_rulebook_does_not_keep_the_others_from_being_emitted() {
    let place = project();
    place.write("policies/broken.co", BROKEN);
    let ran = place.run(&["emit", "--no-proof"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stderr.ends_with("emitted 2 of 3 rulebooks\n"),
        "{ran:?}"
    );
    assert_eq!(place.names("opa"), ["refunds", "transfers"]);
    // The highest code wins: a folder that holds another's artifacts is one of usage.
    std::fs::rename(place.path("opa/refunds"), place.path("opa/other")).unwrap();
    std::fs::rename(place.path("opa/transfers"), place.path("opa/refunds")).unwrap();
    let ran = place.run(&["emit", "--no-proof"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("error[RB0646]"), "{ran:?}");
    assert!(
        ran.stderr.ends_with("emitted 1 of 3 rulebooks\n"),
        "{ran:?}"
    );
}

#[test]
fn a_folder_is_no_second_one_by_a_link() {
    let place = project();
    place.write(
        "rulebook.toml",
        "[[rulebook]]\npath = \"policies/refunds.co\"\nout-dir = \"opa/a\"\n\
         [[rulebook]]\npath = \"policies/transfers.co\"\nout-dir = \"link/a\"\n",
    );
    std::fs::create_dir(place.path("opa")).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("opa", place.path("link")).unwrap();
        let ran = place.run(&["emit"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
        assert!(ran.stderr.contains("error[RB0810]"), "{ran:?}");
        assert_eq!(place.names("opa").len(), 0);
    }
}

#[test]
fn check_looks_at_all_and_at_the_project_itself() {
    let place = project();
    for arguments in [&["check"][..], &["check", "--all"]] {
        let ran = place.succeed(arguments);
        assert_eq!(ran.stdout, "no findings in 3 files\n");
    }
    place.write("policies/broken.co", BROKEN);
    place.write("drafts/new.co", BROKEN);
    place.write("drafts/.hidden/new.co", BROKEN);
    place.write("other/rulebook.toml", "");
    place.write("other/deep/new.co", BROKEN);
    let ran = place.run(&["check", "--format", "json"]);
    assert_eq!(ran.code, 1);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let files: Vec<&str> = report["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["file"].as_str().unwrap())
        .collect();
    assert_eq!(
        files,
        [
            "rulebook.toml",
            "policies/broken.co",
            "policies/refunds.co",
            "policies/transfers.co"
        ]
    );
    let found = report["files"][0]["diagnostics"].as_array().unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["code"], "RB0814");
    assert!(
        found[0]["message"]
            .as_str()
            .unwrap()
            .contains("`drafts/new.co`")
    );
    // It is said until it is listed or excluded, and ends the command where warnings do.
    place.write("policies/broken.co", SHOP);
    assert_eq!(place.run(&["check"]).code, 0);
    assert_eq!(place.run(&["check", "--deny", "RB0814"]).code, 1);
    place.write(
        "rulebook.toml",
        format!("[defaults]\ndeny = [\"warnings\"]\n{EVERY}"),
    );
    assert_eq!(place.run(&["check"]).code, 1);
    place.write("rulebook.toml", format!("exclude = [\"drafts\"]\n{EVERY}"));
    assert_eq!(place.succeed(&["check"]).stdout, "no findings in 4 files\n");
}

#[test]
fn every_folder_of_the_repository_sees_the_same() {
    let place = project();
    place.write("policies/deep/readme.md", "");
    let run = |folder: &str, arguments: &[&str]| {
        let mut command = place.command(arguments);
        super::Ran::from(command.current_dir(place.path(folder)).output().unwrap())
    };
    let ran = run("policies/deep", &["emit"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(
        ran.stdout
            .starts_with("wrote ../../opa/refunds/rulebook.ir.json\n"),
        "{ran:?}"
    );
    assert_eq!(run(".", &["emit", "--check"]).code, 0);
    let ran = run("policies", &["verify"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(
        ran.stdout
            .starts_with("../opa/refunds:\nsource: `refunds.co`, sha256:"),
        "{ran:?}"
    );
    place.write("policies/refunds.co", BROKEN);
    for (folder, shown) in [
        (".", "[policies/refunds.co:2:"),
        ("policies", "[refunds.co:2:"),
        ("policies/deep", "[../refunds.co:2:"),
        ("opa/refunds", "[../../policies/refunds.co:2:"),
    ] {
        let ran = run(folder, &["check"]);
        assert_eq!(ran.code, 1);
        assert!(ran.stdout.contains(shown), "{folder}: {}", ran.stdout);
    }
}

#[test]
fn what_the_project_says_holds_for_a_named_file_too() {
    let place = project();
    place.write("policies/sending.co", OPEN);
    place.write("elsewhere.co", OPEN);
    let transfers = crate::compiled::root().join("fixtures/bank/transfers.co");
    place.write("policies/transfers.co", std::fs::read(transfers).unwrap());
    place.write(
        "rulebook.toml",
        "exclude = [\"elsewhere.co\"]\n[defaults]\ndeny = [\"RB0401\"]\n\
         [[rulebook]]\npath = \"policies/*.co\"\nout-dir = \"opa/{stem}\"\npackage = \"shop.{stem}\"\n\
         [[rulebook]]\npath = \"policies/transfers.co\"\npackage = \"bank.gate\"\nproof-points = 99\n",
    );
    for path in [
        "policies/sending.co",
        "./policies/../policies/sending.co",
        "policies",
    ] {
        let ran = place.run(&["check", path]);
        assert_eq!(ran.code, 1, "{ran:?}");
        assert!(ran.stdout.ends_with(" (RB0401 is denied)\n"), "{ran:?}");
    }
    // Of what is none of its rulebooks a project says nothing.
    assert_eq!(place.run(&["check", "elsewhere.co"]).code, 0);
    assert_eq!(place.run_with(&["check", "-"], OPEN).code, 0);
    let ran = place.run(&["emit", "policies/sending.co"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    assert!(
        ran.stderr
            .ends_with("; RB0401 is denied, nothing is emitted\n"),
        "{ran:?}"
    );

    let ran = place.succeed(&["emit", "policies/refunds.co"]);
    assert!(ran.stdout.starts_with("wrote opa/refunds/"), "{ran:?}");
    let rego = String::from_utf8(place.read("opa/refunds/Rulebook.rego")).unwrap();
    assert!(rego.contains("\npackage shop.refunds\n"), "{rego}");
    // Without `out-dir`, the folder of the source.
    let ran = place.succeed(&["emit", "policies/transfers.co"]);
    assert!(
        ran.stdout.starts_with("wrote policies/rulebook.ir.json\n"),
        "{ran:?}"
    );
    assert!(ran.stderr.starts_with("sampled (99 points of "), "{ran:?}");
    // What is asked for goes before what the project says.
    let ran = place.succeed(&[
        "emit",
        "policies/transfers.co",
        "--out-dir",
        "x",
        "--package",
        "a.b",
        "--proof-points",
        "98",
    ]);
    assert!(ran.stderr.starts_with("sampled (98 points of "), "{ran:?}");
    let rego = String::from_utf8(place.read("x/Rulebook.rego")).unwrap();
    assert!(rego.contains("\npackage a.b\n"), "{rego}");
}

#[cfg(unix)]
#[test]
fn what_the_project_says_holds_for_a_file_named_through_a_link() {
    let place = Place::new();
    place.write(
        "rulebook.toml",
        "[defaults]\ndeny = [\"RB0401\"]\n[[rulebook]]\npath = \"policies/open.co\"\n",
    );
    place.write("policies/open.co", OPEN);
    std::os::unix::fs::symlink(place.path("policies"), place.path("link")).expect("a link");
    for path in ["policies/open.co", "link/open.co", "link/../link/open.co"] {
        assert_eq!(place.run(&["check", path]).code, 1, "{path}");
    }
}

#[test]
fn verify_goes_through_all_folders() {
    let place = project();
    place.succeed(&["emit"]);
    let ran = place.succeed(&["verify", "--all"]);
    assert_eq!(ran.stderr, "verified 2 of 2 rulebooks\n");
    assert!(
        ran.stdout
            .contains("\n\nopa/transfers:\nsource: `policies/transfers.co`"),
        "{ran:?}"
    );
    place.write("policies/transfers.co", SHOP);
    let ran = place.run(&["verify"]);
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(
        ran.stdout.ends_with("\nopa/transfers:\nsource: broken\n"),
        "{ran:?}"
    );
    assert!(
        ran.stderr.ends_with("\nverified 1 of 2 rulebooks\n"),
        "{ran:?}"
    );
    std::fs::remove_dir_all(place.path("opa/refunds")).unwrap();
    assert_eq!(place.run(&["verify"]).code, 3);
}

#[test]
fn codes_can_be_denied() {
    let place = Place::new();
    place.write("open.co", OPEN);
    for (deny, code) in [("RB0401", 1), ("rb0401", 1), ("RB0402", 0), ("warnings", 1)] {
        assert_eq!(
            place.run(&["check", "open.co", "--deny", deny]).code,
            code,
            "{deny}"
        );
        let emit = ["emit", "open.co", "--no-proof", "--deny", deny];
        assert_eq!(place.run(&emit).code, code, "{deny}");
    }
    let several = ["check", "open.co", "--deny", "RB0402", "--deny", "RB0401"];
    assert!(
        place
            .run(&several)
            .stdout
            .ends_with(" (RB0401 is denied)\n")
    );
    // A denied note is shown where notes are not.
    place.write("open.co", "define flow a\n  bot greet\n  execute t\n");
    let ran = place.run(&["emit", "open.co", "--deny", "RB0223"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.stderr.starts_with("note[RB0223]"), "{ran:?}");
    for (deny, help) in [
        ("RB0301", "is an error"),
        ("RB9999", "neither `warnings` nor a code"),
        ("warning", "did you mean `warnings`?"),
    ] {
        let ran = place.run(&["check", "open.co", "--deny", deny]);
        assert_eq!(ran.code, 2);
        assert!(ran.stderr.contains(help), "{ran:?}");
    }
}

#[test]
fn several_files_can_be_named() {
    let place = Place::with_shop();
    place.write("more/a.co", SHOP);
    place.write("more/b.co", BROKEN);
    let ran = place.run(&["check", "policy.co", "more", "missing.co"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stdout.ends_with("2 errors in 4 files\n"), "{ran:?}");
}

/// The keys of the tables of the schema, and those of the table in the documentation.
#[test]
fn every_key_is_documented() {
    let place = Place::new();
    let schema = place.succeed(&["schema", "project"]).stdout;
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let mut keys = BTreeSet::new();
    for (pointer, table) in [
        ("/properties", "the top"),
        ("/$defs/Defaults/properties", "`[defaults]`"),
        ("/$defs/Entry/properties", "`[[rulebook]]`"),
    ] {
        for key in schema.pointer(pointer).unwrap().as_object().unwrap().keys() {
            keys.insert((key.clone(), table.to_owned()));
        }
    }
    let path = crate::compiled::root().join("docs/projects.md");
    let page = std::fs::read_to_string(path).unwrap();
    let (_, section) = page.split_once("\n## Every key\n").unwrap();
    let (table, _) = section.split_once("\n\nA rulebook's own value").unwrap();
    let mut documented = BTreeSet::new();
    for row in table.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split(" | ").collect();
        let key = cells[0].trim_start_matches("| ").trim_matches('`');
        for table in cells[1].split(", ") {
            documented.insert((key.to_owned(), table.to_owned()));
        }
    }
    assert_eq!(documented, keys);
}

#[test]
fn a_project_elsewhere_can_be_named() {
    let place = Place::new();
    place.write("services/shop/rulebook.toml", EVERY);
    place.write("services/shop/policies/refunds.co", SHOP);
    place.write("rulebook.toml", "not TOML");
    for project in [
        "services/shop",
        "services/shop/rulebook.toml",
        "./services//shop/",
    ] {
        let ran = place.succeed(&["emit", "--project", project]);
        assert!(
            ran.stdout.starts_with("wrote services/shop/opa/refunds/"),
            "{ran:?}"
        );
        place.succeed(&["emit", "--check", "--project", project]);
        place.succeed(&["verify", "--project", project]);
        place.succeed(&[
            "check",
            "services/shop/policies/refunds.co",
            "--project",
            project,
        ]);
        let ran = place.succeed(&["check", "--all", "--project", project, "--format", "json"]);
        assert!(
            ran.stdout.contains("\"services/shop/rulebook.toml\""),
            "{ran:?}"
        );
    }
    let ran = place.run(&["check", "--project", "services"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stdout.contains("error[RB0001]"), "{ran:?}");
    assert_eq!(place.run(&["check"]).code, 2);
}

#[test]
fn a_whole_project_is_formatted() {
    let place = project();
    place.write("policies/refunds.co", SHOP.replace("\n  if", "\n\n\n  if"));
    let untouched = place.read("policies/transfers.co");
    assert_eq!(place.run(&["fmt", "--check"]).code, 1);
    let ran = place.run(&["fmt"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (0, "formatted policies/refunds.co\n"),
        "{ran:?}"
    );
    assert_eq!(place.read("policies/transfers.co"), untouched);
    assert_eq!(place.run(&["fmt", "--check", "--all"]).code, 0);
    assert_eq!(Place::new().run(&["fmt"]).code, 2);
}

const TESTS: &str = "\
cases:
  - name: paid
    tool: refund_card
    context: {order_paid: true}
    want: allow
";

#[test]
fn a_whole_project_is_tested() {
    let place = project();
    place.write("policies/refunds.test.yaml", TESTS);
    // Each has a tests file beside it, or says that it has none.
    let ran = place.run(&["test"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(
        ran.stderr.contains("policies/transfers.test.yaml"),
        "{ran:?}"
    );
    let without = "[[rulebook]]\npath = \"policies/transfers.co\"\ntests = []\n";
    place.write("rulebook.toml", format!("{EVERY}{without}"));
    for arguments in [&["test"][..], &["test", "--all"]] {
        let ran = place.succeed(arguments);
        assert!(ran.stdout.ends_with("1 passed, 0 failed\n"), "{ran:?}");
        assert_eq!(
            ran.stderr,
            "policies/transfers.co has no tests, as the project says\n"
        );
    }
    // A project without any tests is not in order.
    place.write("rulebook.toml", without);
    let ran = place.run(&["test"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.stderr.contains("error[RB0520]"), "{ran:?}");
    // Tests may lie elsewhere, and have to cover what the project says.
    place.write("tests/refunds/one.yaml", TESTS);
    let rest = "coverage-threshold = 100\ntests = [\"tests/{stem}/*.yaml\"]\n";
    let listed = "[[rulebook]]\npath = \"policies/refunds.co\"\n";
    place.write("rulebook.toml", format!("{listed}{rest}"));
    for arguments in [&["test"][..], &["test", "policies/refunds.co"]] {
        let ran = place.run(arguments);
        assert_eq!(ran.code, 1, "{ran:?}");
        assert!(
            ran.stderr.contains("the coverage is below 100 %"),
            "{ran:?}"
        );
    }
    assert_eq!(place.run(&["test", "--filter", "paid"]).code, 0);
    assert_eq!(place.run(&["test", "--threshold", "10"]).code, 0);
}

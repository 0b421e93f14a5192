//! `test` through the binary.

use super::{RULES, TESTS, place};
use crate::command_line::{BROKEN, Place};

#[test]
fn what_passes_is_counted_and_quiet() {
    let place = place();
    let ran = place.succeed(&["test", "policy.co"]);
    assert_eq!(ran.stdout, "policy.test.yaml: 3 passed, 0 failed\n");
    assert_eq!(ran.stderr, "");
    // The same from the IR.
    place.succeed(&["emit", "policy.co", "--no-proof"]);
    let ran = place.succeed(&["test", "rulebook.ir.json"]);
    assert_eq!(ran.stdout, "policy.test.yaml: 3 passed, 0 failed\n");
}

#[test]
fn every_way_to_end_has_its_code() {
    let place = place();
    place.write("broken.co", BROKEN);
    place.write("broken.test.yaml", TESTS);
    place.write("alone.co", RULES);
    place.write("fails.yaml", TESTS.replace("want: allow", "want: silent"));
    place.write("fault.yaml", "cases: [");
    place.write("latin.yaml", b"cases: []  # caf\xE9\n");
    place.write("none.yaml", "cases: []\n");
    place.write(
        "skipped.yaml",
        TESTS
            .replace("    want:", "    skip: not yet\n    want:")
            .replace("        want:", "        skip: no\n        want:"),
    );
    place.write(
        "skipped_and_fails.yaml",
        TESTS.replace("want: allow", "want: silent").replace(
            "  - name: an unpaid order\n",
            "  - name: an unpaid order\n    skip: not yet\n",
        ),
    );
    let cases: &[(i32, &[&str])] = &[
        (0, &["test", "policy.co"]),
        (0, &["test", "policy.co", "--format", "json"]),
        (0, &["test", "policy.co", "--format", "junit"]),
        (0, &["test", "policy.co", "--filter", "unpaid"]),
        (
            0,
            &["test", "policy.co", "--filter", "frozen accounts / nothing"],
        ),
        (1, &["test", "policy.co", "--filter", "no such case"]),
        (1, &["test", "policy.co", "--tests", "fails.yaml"]),
        (
            1,
            &[
                "test",
                "policy.co",
                "--tests",
                "fails.yaml",
                "--format",
                "json",
            ],
        ),
        (
            1,
            &[
                "test",
                "policy.co",
                "--tests",
                "fails.yaml",
                "--format",
                "junit",
            ],
        ),
        (
            1,
            &[
                "test",
                "policy.co",
                "--tests",
                "policy.test.yaml",
                "--tests",
                "fails.yaml",
            ],
        ),
        (
            0,
            &[
                "test",
                "policy.co",
                "--tests",
                "policy.test.yaml",
                "--tests",
                "policy.test.yaml",
            ],
        ),
        (1, &["test", "policy.co", "--tests", "fault.yaml"]),
        (1, &["test", "policy.co", "--tests", "latin.yaml"]),
        (1, &["test", "policy.co", "--tests", "none.yaml"]),
        (1, &["test", "policy.co", "--tests", "skipped.yaml"]),
        (
            1,
            &["test", "policy.co", "--tests", "skipped_and_fails.yaml"],
        ),
        (2, &["test", "policy.co", "--tests", "missing.yaml"]),
        (2, &["test", "policy.co", "--tests", "."]),
        (
            2,
            &[
                "test",
                "policy.co",
                "--tests",
                "missing.yaml",
                "--tests",
                "fails.yaml",
            ],
        ),
        (2, &["test", "alone.co"]),
        (1, &["test", "alone.co", "--tests", "policy.test.yaml"]),
        (1, &["test", "broken.co"]),
        (2, &["test", "missing.co"]),
        (2, &["test", "-"]),
        (2, &["test"]),
        (0, &["test", "policy.co", "--coverage"]),
        (0, &["test", "policy.co", "--threshold", "0"]),
        (1, &["test", "policy.co", "--threshold", "100"]),
        (1, &["test", "policy.co", "--threshold", "75.1"]),
        (2, &["test", "policy.co", "--threshold", "100.1"]),
        (2, &["test", "policy.co", "--threshold", "-1"]),
        (2, &["test", "policy.co", "--threshold", "1e2"]),
        (2, &["test", "policy.co", "--threshold", "all"]),
        (
            0,
            &[
                "test",
                "policy.co",
                "--coverage-html",
                "c.html",
                "--coverage-lcov",
                "c.lcov",
            ],
        ),
        (
            2,
            &[
                "test",
                "policy.co",
                "--coverage-html",
                "no/such/folder.html",
            ],
        ),
        (
            2,
            &[
                "test",
                "policy.co",
                "--format",
                "junit",
                "--output",
                "no/such/folder.xml",
            ],
        ),
        (
            0,
            &[
                "test",
                "policy.co",
                "--format",
                "junit",
                "--output",
                "results.xml",
            ],
        ),
        (0, &["test", "policy.co", "--suggest"]),
        (0, &["test", "alone.co", "--suggest"]),
        (2, &["test", "policy.co", "--suggest", "--write"]),
        (
            2,
            &[
                "test",
                "policy.co",
                "--suggest",
                "--output",
                "policy.test.yaml",
            ],
        ),
        (2, &["test", "policy.co", "--write"]),
        (2, &["test", "policy.co", "--suggest", "--coverage"]),
        (1, &["test", "broken.co", "--suggest"]),
        (
            1,
            &["test", "policy.co", "--suggest", "--tests", "fault.yaml"],
        ),
        (
            2,
            &["test", "policy.co", "--suggest", "--tests", "missing.yaml"],
        ),
        (0, &["test", "alone.co", "--suggest", "--write"]),
        (0, &["test", "alone.co", "--threshold", "100"]),
        (0, &["test", "alone.co", "--suggest"]),
    ];
    for (code, arguments) in cases {
        let ran = place.run(arguments);
        assert_eq!(ran.code, *code, "{arguments:?}\n{ran:?}");
        assert!(!ran.stderr.contains("panicked"), "{arguments:?}\n{ran:?}");
        let said = ran.stdout + &ran.stderr;
        assert!(!said.is_empty(), "{arguments:?} says nothing");
    }
    // What was judged is as it was.
    assert_eq!(place.read("policy.test.yaml"), TESTS.as_bytes());
}

#[test]
fn a_skipped_case_is_loud_and_hides_no_failure() {
    let place = place();
    let tests = TESTS.replace(
        "want: allow",
        "skip: the limit is not agreed on\n    want: silent",
    );
    place.write("policy.test.yaml", &tests);
    let ran = place.succeed(&["test", "policy.co", "--coverage"]);
    assert!(
        ran.stdout.starts_with(
            "skipped  policy.test.yaml:6 a small paid order: the limit is not agreed on\n\
             policy.test.yaml: 2 passed, 0 failed, 1 skipped\n"
        ),
        "{}",
        ran.stdout
    );
    // It counts for no coverage.
    assert!(
        ran.stdout
            .contains("`$order_paid and $amount <= 100` holds")
            || ran.stdout.contains("$order_paid and $amount <= 100 holds")
    );
}

#[test]
fn contexts_are_laid_over_one_another() {
    let place = Place::new();
    place.write(
        "policy.co",
        "define flow f\n  if $customer.tier == \"gold\" and $customer.age >= 18 and $paid\n    execute t\n",
    );
    place.write(
        "policy.test.yaml",
        r#"
tool: t
context:
  customer.tier: gold
  customer: {age: 30}
  paid: true
cases:
  - {name: all defaults, want: allow}
  - {name: one over, context: {customer: {tier: silver}}, want: {decision: refuse, rule: no_match}}
  - {name: empty object keeps, context: {customer: {}}, want: allow}
  - {name: one away, absent: [customer.age], want: {decision: refuse, rule: no_match}}
  - {name: all away, absent: [customer], want: refuse}
  - {name: with a dollar, absent: [$paid], want: refuse}
  - {name: null is a value, context: {customer.age: null}, want: refuse}
  - {name: a value in place of an object, context: {customer: gold}, want: refuse}
  - {name: a list is the whole context, context: [1], want: refuse}
  - {name: null is the whole context, context: null, want: refuse}
  - {name: no tool, tool: null, want: silent}
  - {name: a number as tool, tool: 5, want: silent}
groups:
  - name: outer
    context: {customer.age: 17}
    cases:
      - {name: too young, want: refuse}
      - {name: old again, context: {customer.age: 18.0}, want: allow}
    groups:
      - name: inner
        absent: [customer.age]
        cases:
          - {name: unknown age, want: refuse}
          - {name: known age, context: {customer.age: 99}, want: allow}
"#,
    );
    let ran = place.succeed(&["test", "policy.co"]);
    assert_eq!(ran.stdout, "policy.test.yaml: 16 passed, 0 failed\n");
    assert_eq!(ran.stderr, "");
}

#[test]
fn names_in_arguments_and_declared_names_are_no_slips() {
    let place = Place::new();
    place.write(
        "policy.co",
        "define context\n  $paid: bool\n  $spare: number\n\ndefine flow f\n  if $paid\n    execute t(id=$order.id)\n",
    );
    let tests = "tool: t\ncases:\n  - {name: a, context: {paid: true, spare: 1, order: {id: 5}}, want: allow}\n";
    place.write("policy.test.yaml", tests);
    assert_eq!(place.succeed(&["test", "policy.co"]).stderr, "");
    place.write("policy.test.yaml", tests.replace("spare", "sparse"));
    let ran = place.succeed(&["test", "policy.co"]);
    assert!(
        ran.stderr.contains("did you mean `spare`?"),
        "{}",
        ran.stderr
    );
}

#[test]
fn numbers_are_exact() {
    let place = Place::new();
    place.write(
        "policy.co",
        "define flow f\n  if $amount <= 1000\n    execute t\n  else\n    bot refuse\n",
    );
    place.write(
        "policy.test.yaml",
        "tool: t\ncases:\n  - {name: a, context: {amount: 1000.00}, want: allow}\n  - {name: b, context: {amount: 1000.000000000000000000001}, want: refuse}\n  - {name: c, context: {amount: 1e3}, want: allow}\n  - {name: d, context: {amount: 1e999999999}, want: refuse}\n",
    );
    place.succeed(&["test", "policy.co"]);
}

#[test]
fn two_runs_say_the_same_and_places_do_not_matter() {
    let place = place();
    place.write(
        "policy.test.yaml",
        TESTS.replace("want: allow", "want: refuse"),
    );
    for arguments in [
        &["test", "policy.co", "--coverage"][..],
        &["test", "policy.co", "--format", "json", "--coverage"],
        &["test", "policy.co", "--format", "junit"],
        &["test", "policy.co", "--suggest"],
    ] {
        let (one, other) = (place.run(arguments), place.run(arguments));
        assert_eq!((one.stdout, one.stderr), (other.stdout, other.stderr));
    }
    // CRLF and a byte order mark change nothing.
    let dos = format!("\u{FEFF}{}", TESTS.replace('\n', "\r\n"));
    place.write("policy.test.yaml", dos);
    place.succeed(&["test", "policy.co"]);
}

#[test]
fn suggested_cases_are_written_once_and_reach_all() {
    let place = place();
    std::fs::remove_file(place.path("policy.test.yaml")).unwrap();
    let printed = place.succeed(&["test", "policy.co", "--suggest"]);
    let written = place.succeed(&["test", "policy.co", "--suggest", "--write"]);
    assert_eq!(written.stdout, "");
    assert_eq!(place.read("policy.test.yaml"), printed.stdout.as_bytes());
    insta::assert_snapshot!(printed.stdout);
    place.succeed(&["test", "policy.co", "--threshold", "100"]);
    let nothing = place.succeed(&["test", "policy.co", "--suggest"]);
    assert!(
        nothing
            .stdout
            .ends_with("groups: []  # nothing is missing\n")
    );
    assert_eq!(nothing.stderr, "0 cases are missing\n");
}

#[test]
fn only_what_is_missing_is_suggested() {
    let ran = place().succeed(&["test", "policy.co", "--suggest"]);
    insta::assert_snapshot!(ran.stdout);
}

/// What the documents claim of the fixtures: all that can be reached is, without a warning.
#[test]
fn the_tests_of_the_fixtures_pass_and_reach_all_that_can_be_reached() {
    let mut cases = 0;
    for tests in crate::compiled::files("fixtures", "test.yaml") {
        let rulebook = tests.to_str().unwrap().replace(".test.yaml", ".co");
        let arguments = [
            "test",
            &rulebook,
            "--threshold",
            "100",
            "--deny",
            "warnings",
        ];
        let ran = Place::new().succeed(&arguments);
        let line = ran.stdout.lines().next().unwrap();
        let passed = line.split(' ').nth(1).unwrap().parse::<usize>().unwrap();
        assert!(line.ends_with(" passed, 0 failed"), "{line}");
        cases += passed;
    }
    assert!(cases > 180, "{cases}");
}

#[test]
fn a_report_replaces_nothing_that_somebody_wrote() {
    let place = place();
    place.write("own.yaml", TESTS);
    place.write("listed.yaml", TESTS);
    place.write(
        "rulebook.toml",
        "[[rulebook]]\npath = \"policy.co\"\ntests = [\"listed.yaml\"]\n",
    );
    std::os::unix::fs::symlink("policy.test.yaml", place.path("link.txt")).unwrap();
    let before = place.names(".");
    for path in [
        "policy.co",
        "other.co",
        "policy.test.yaml",
        "own.yaml",
        "./own.yaml",
        "rulebook.toml",
        "listed.yaml",
        "Rulebook.rego",
        "opa/rulebook.ir.json",
        "link.txt",
    ] {
        for option in ["--output", "--coverage-html", "--coverage-lcov"] {
            let ran = place.run(&["test", "policy.co", "--tests", "own.yaml", option, path]);
            assert_eq!(ran.code, 2, "{option} {path}");
            assert!(ran.stderr.contains("RB0660"), "{}", ran.stderr);
            assert_eq!(ran.stdout, "", "{option} {path}");
        }
    }
    for path in ["new.co", "rulebook.toml", "opa/Rulebook.rego"] {
        let ran = place.run(&["test", "policy.co", "--suggest", "--output", path]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{path}");
        assert!(ran.stderr.contains("RB0660"), "{}", ran.stderr);
    }
    assert_eq!(place.names("."), before);
    // Cases that are suggested may begin a tests file.
    place.succeed(&[
        "test",
        "policy.co",
        "--suggest",
        "--output",
        "new.test.yaml",
    ]);
    assert_eq!(place.read("policy.co"), RULES.as_bytes());
    assert_eq!(place.read("own.yaml"), TESTS.as_bytes());
}

#[test]
fn denied_warnings_are_failures() {
    let place = place();
    place.write(
        "policy.test.yaml",
        TESTS.replace("order_paid: false", "order_payed: false"),
    );
    place.succeed(&["test", "policy.co"]);
    let ran = place.run(&["test", "policy.co", "--deny", "warnings"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("RB0525"));
}

#[test]
fn a_name_of_any_length_is_survived_and_many_names_are_read() {
    let place = Place::with_shop();
    let deep = ["a"; 100_000].join(".");
    place.write(
        "deep.yaml",
        format!("cases:\n  - {{name: n, tool: t, want: silent, context: {{{deep}: 1}}}}\n"),
    );
    let ran = place.run(&["test", "policy.co", "--tests", "deep.yaml"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("error[RB0506]"), "{}", ran.stderr);
    let many: Vec<String> = (0..40_000).map(|number| format!("n{number}: 1")).collect();
    place.write(
        "many.yaml",
        format!(
            "cases:\n  - {{name: n, tool: t, want: silent, context: {{{}}}}}\n",
            many.join(", ")
        ),
    );
    let ran = place.run(&["test", "policy.co", "--tests", "many.yaml"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr.lines().count());
}

fn several() -> Place {
    let place = place();
    place.write("other.co", RULES);
    place.write(
        "rulebook.toml",
        "[[rulebook]]\npath = \"*.co\"\nout-dir = \"opa/{stem}\"\n",
    );
    place
}

#[test]
fn a_rulebook_without_tests_can_be_told_so_and_is_counted() {
    let ran = several().run(&["test", "--all"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stdout
            .ends_with("\n3 passed, 0 failed in 1 rulebook; 1 rulebook not run\n"),
        "{}",
        ran.stdout
    );
    let said = ran.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        said.contains("or write `tests = []` for it in `rulebook.toml`"),
        "{said}"
    );
}

#[test]
fn what_is_of_one_rulebook_is_not_asked_of_several() {
    let place = several();
    let before = place.names(".");
    for asked in [
        vec!["--tests", "policy.test.yaml"],
        vec!["--coverage-html", "page.html"],
        vec!["--coverage-lcov", "lcov.info"],
        vec!["--suggest"],
        vec!["--suggest", "--write"],
    ] {
        for all in [vec!["test"], vec!["test", "--all"]] {
            let ran = place.run(&[all, asked.clone()].concat());
            assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{asked:?}");
            assert!(ran.stderr.starts_with("error[RB0662]"), "{}", ran.stderr);
            assert!(ran.stderr.contains("`other.co`, `policy.co`"), "{ran:?}");
        }
    }
    assert_eq!(place.names("."), before);
}

#[test]
fn cases_are_suggested_for_the_only_rulebook_of_a_project() {
    let place = place();
    place.write("rulebook.toml", "[[rulebook]]\npath = \"policy.co\"\n");
    let named = place.succeed(&["test", "policy.co", "--suggest"]);
    assert_eq!(place.succeed(&["test", "--suggest"]).stdout, named.stdout);
    let ran = Place::new().run(&["test", "--suggest"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.starts_with("error[RB0813]"), "{}", ran.stderr);
    // The tests that the project lists are those that are not suggested again.
    place.write("own.yaml", place.read("policy.test.yaml"));
    std::fs::remove_file(place.path("policy.test.yaml")).unwrap();
    place.write(
        "rulebook.toml",
        "[[rulebook]]\npath = \"policy.co\"\ntests = [\"own.yaml\"]\n",
    );
    assert_eq!(place.succeed(&["test", "--suggest"]).stdout, named.stdout);
}

//! Each format of results and of coverage, read back.

use std::collections::BTreeMap;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use serde_json::Value;

use super::{TESTS, place};
use crate::command_line::Place;
use crate::compiled::{files, root};

fn failing() -> Place {
    let place = place();
    place.write(
        "policy.test.yaml",
        TESTS
            .replace("want: allow", "want: {decision: clarify, rule: \"<&>\"}")
            .replace("      - name: nothing", "      - name: \"</a> & \\e[31m\"\n        skip: \"]]>\"\n        want: allow\n      - name: nothing"),
    );
    place
}

#[test]
fn results_for_people_stay_the_same() {
    let place = failing();
    let ran = place.run(&["test", "policy.co", "--coverage"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stdout);
}

#[test]
fn json_has_every_case_with_what_it_got() {
    let ran = failing().run(&["test", "policy.co", "--format", "json", "--coverage"]);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(report["format"], "rulebook-test/1");
    let cases = report["files"][0]["suites"][0]["cases"].as_array().unwrap();
    let status: Vec<&str> = cases
        .iter()
        .map(|case| case["status"].as_str().unwrap())
        .collect();
    assert_eq!(status, ["failed", "passed", "skipped", "passed"]);
    assert_eq!(cases[0]["why"]["format"], "rulebook-why/1");
    assert_eq!(cases[0]["line"], 6);
    assert_eq!(report["summary"]["failed"], 1);
    assert_eq!(report["files"][0]["coverage"]["figures"]["tools"]["all"], 1);
    insta::assert_snapshot!(ran.stdout);
}

/// Elements in order, with their attributes.
fn elements(xml: &str) -> Vec<(String, BTreeMap<String, String>)> {
    let mut reader = Reader::from_str(xml);
    let mut found = Vec::new();
    let read = |start: &BytesStart<'_>| {
        let name = start.name().as_ref().to_owned();
        let attributes = start.attributes().map(|attribute| {
            let attribute = attribute.unwrap();
            let key = attribute.key.as_ref().to_owned();
            let value = attribute.value.to_string();
            (
                key,
                quick_xml::escape::unescape(&value).unwrap().into_owned(),
            )
        });
        (name, attributes.collect())
    };
    loop {
        match reader.read_event().unwrap() {
            Event::Start(start) | Event::Empty(start) => found.push(read(&start)),
            Event::Eof => return found,
            _ => {}
        }
    }
}

/// What the schema of JUnit wants, as its readers have it: names, and counts that add up.
#[test]
fn junit_is_whole_and_counts_add_up() {
    let ran = failing().run(&["test", "policy.co", "--format", "junit"]);
    let elements = elements(&ran.stdout);
    let count = |name: &str| elements.iter().filter(|(found, _)| found == name).count();
    let suite = &elements
        .iter()
        .find(|(name, _)| name == "testsuite")
        .unwrap()
        .1;
    for (key, element) in [
        ("tests", "testcase"),
        ("failures", "failure"),
        ("skipped", "skipped"),
        ("errors", "error"),
    ] {
        assert_eq!(suite[key], count(element).to_string(), "{key}");
        assert_eq!(elements[0].1[key], suite[key]);
    }
    let cases: Vec<_> = elements
        .iter()
        .filter(|(name, _)| name == "testcase")
        .collect();
    assert!(
        cases
            .iter()
            .all(|(_, case)| !case["name"].is_empty() && !case["classname"].is_empty())
    );
    assert_eq!(cases[2].1["name"], "</a> & \\u001b[31m");
    let failure = &elements
        .iter()
        .find(|(name, _)| name == "failure")
        .unwrap()
        .1;
    assert_eq!(failure["message"], "wanted clarify `<&>`, got allow");
    insta::assert_snapshot!(ran.stdout);
}

#[test]
fn a_tests_file_with_faults_is_an_error_in_junit() {
    let place = place();
    place.write(
        "policy.test.yaml",
        "cases:\n  - {name: a, tool: refund_card, want: deny}\n",
    );
    let ran = place.run(&["test", "policy.co", "--format", "junit"]);
    assert_eq!(ran.code, 1);
    let elements = elements(&ran.stdout);
    let error = &elements.iter().find(|(name, _)| name == "error").unwrap().1;
    assert_eq!(error["message"], "RB0522: line 2: `deny` is no decision");
}

#[test]
fn an_output_file_leaves_standard_output_to_people() {
    let place = place();
    let ran = place.succeed(&[
        "test",
        "policy.co",
        "--format",
        "junit",
        "--output",
        "r.xml",
    ]);
    assert_eq!(ran.stdout, "policy.test.yaml: 3 passed, 0 failed\n");
    assert_eq!(ran.stderr, "wrote r.xml\n");
    let alone = place.succeed(&["test", "policy.co", "--format", "junit"]);
    assert_eq!(place.read("r.xml"), alone.stdout.as_bytes());
}

/// A tracefile read as its readers do: each record's totals are those of its lines.
#[test]
fn lcov_totals_are_those_of_its_lines() {
    let place = place();
    place.succeed(&["test", "policy.co", "--coverage-lcov", "c.lcov"]);
    let text = String::from_utf8(place.read("c.lcov")).unwrap();
    let values = |key: &str| -> Vec<Vec<String>> {
        let lines = text
            .lines()
            .filter_map(|line| line.strip_prefix(&format!("{key}:")));
        lines
            .map(|line| line.split(',').map(str::to_owned).collect())
            .collect()
    };
    let total = |key: &str| values(key)[0][0].parse::<usize>().unwrap();
    let hit = |key: &str, column: usize| {
        let rows = values(key);
        let hit = rows
            .iter()
            .filter(|row| row[column] != "0" && row[column] != "-");
        (rows.len(), hit.count())
    };
    assert_eq!((total("LF"), total("LH")), hit("DA", 1));
    assert_eq!((total("BRF"), total("BRH")), hit("BRDA", 3));
    assert_eq!(total("FNF"), values("FN").len());
    assert_eq!((values("FNDA").len(), total("FNH")), hit("FNDA", 0));
    assert_eq!(values("SF"), [["policy.co"]]);
    assert!(text.ends_with("end_of_record\n"));
    insta::assert_snapshot!(text);
}

#[test]
fn the_page_is_whole_and_escapes_what_it_shows() {
    let place = place();
    let rules = "# <script>alert(1)</script>\ndefine flow \"a <b> & c\"\n  if $x == \"</td>\"\n    execute t\n";
    place.write("odd.co", rules);
    place.write(
        "odd.test.yaml",
        "cases:\n  - {name: a, tool: t, want: refuse}\n",
    );
    place.succeed(&["test", "odd.co", "--coverage-html", "c.html"]);
    let page = String::from_utf8(place.read("c.html")).unwrap();
    assert!(!page.contains("<script"));
    assert!(page.contains("&lt;script&gt;alert(1)"));
    assert!(!page.contains("http"), "it needs nothing from elsewhere");
    // Every element that is opened is closed.
    let body = page.split_once("<body>").unwrap().1;
    for tag in [
        "table", "tr", "td", "div", "ul", "li", "code", "p", "span", "b", "i", "a", "h2",
    ] {
        let opened =
            body.matches(&format!("<{tag}>")).count() + body.matches(&format!("<{tag} ")).count();
        assert_eq!(opened, body.matches(&format!("</{tag}>")).count(), "{tag}");
    }
    // Of an IR there is no source, and the lines are shown by their conditions.
    place.succeed(&["emit", "policy.co", "--no-proof"]);
    place.succeed(&["test", "rulebook.ir.json", "--coverage-html", "ir.html"]);
    let page = String::from_utf8(place.read("ir.html")).unwrap();
    assert!(page.contains("$order_paid and $amount &lt;= 100"));
}

#[test]
fn the_kept_schema_is_current_and_takes_every_tests_file() {
    let kept = std::fs::read_to_string(root().join("schema/rulebook-tests-1.schema.json"))
        .unwrap_or_default();
    assert!(
        kept == stalwart::test_suite::schema(),
        "`cargo run -- schema tests > schema/rulebook-tests-1.schema.json` writes it anew"
    );
    let schema: Value = serde_json::from_str(&kept).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let document = |text: &str| {
        let (source, faults) =
            stalwart::diagnostics::text_faults::decode_document("t", text.as_bytes());
        assert_eq!(faults, []);
        let mut sink = stalwart::diagnostics::Sink::new();
        let node = stalwart::yaml::read(&source, &mut sink).unwrap();
        // The validator reads numbers as any other program does.
        serde_json::from_str::<Value>(&node.to_json().to_string()).unwrap()
    };
    let mut count = 0;
    for path in files("fixtures", "test.yaml") {
        let text = std::fs::read_to_string(&path).unwrap();
        let errors: Vec<String> = validator
            .iter_errors(&document(&text))
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{}: {errors:?}", path.display());
        count += 1;
    }
    assert!(count >= 6, "{count}");
    // What the reader refuses for its shape, the schema refuses, and the other way round.
    for (text, fits) in [
        (TESTS, true),
        ("{}", true),
        ("cases: []\ngroup: []\n", false),
        (
            "cases:\n  - {name: a, tool: null, want: silent, skip: later, absent: [a.b], context: [1]}\n",
            true,
        ),
        ("cases:\n  - {tool: t, want: silent}\n", false),
        ("cases:\n  - {name: a, tool: t, want: deny}\n", false),
        ("cases:\n  - {name: a, tool: t, want: {rule: x}}\n", false),
        (
            "cases:\n  - {name: a, tool: t, want: {decision: refuse, rule: x, why: y}}\n",
            false,
        ),
        ("context: [1]\n", false),
        (
            "groups:\n  - {name: g, context: {a: 1}, tool: t, absent: [b], skip: s, cases: [], groups: []}\n",
            true,
        ),
        ("groups:\n  - {cases: []}\n", false),
    ] {
        assert_eq!(validator.is_valid(&document(text)), fits, "{text}");
    }
}

/// The figures of JUnit's root, and its errors: the name of the suite and the message of each.
fn errors(xml: &str) -> (BTreeMap<String, String>, Vec<(String, String)>) {
    let elements = elements(xml);
    let mut suite = String::new();
    let mut found = Vec::new();
    for (name, attributes) in &elements {
        match name.as_str() {
            "testsuite" => suite.clone_from(&attributes["name"]),
            "error" => found.push((suite.clone(), attributes["message"].clone())),
            _ => {}
        }
    }
    let root = elements.into_iter().find(|(name, _)| name == "testsuites");
    (root.unwrap().1, found)
}

#[test]
fn no_report_is_green_about_a_run_that_is_not() {
    let place = place();
    place.write("broken.co", crate::command_line::BROKEN);
    let one = TESTS.find("  - name: an unpaid order").unwrap();
    place.write("one.yaml", &TESTS[..one]);
    let cases: [(&[&str], &str, &str); 4] = [
        (&["test", "broken.co"], "broken.co", "RB01"),
        (&["test", "missing.co"], "missing.co", "RB0001"),
        (
            &["test", "policy.co", "--filter", "no such case"],
            "policy.co",
            "RB0520",
        ),
        (
            &[
                "test",
                "policy.co",
                "--tests",
                "one.yaml",
                "--threshold",
                "100",
            ],
            "policy.co",
            "RB0531",
        ),
    ];
    for (arguments, file, code) in cases {
        let ran = place.run(&[arguments, &["--format", "junit"]].concat());
        assert!(ran.code > 0, "{ran:?}");
        let (root, found) = errors(&ran.stdout);
        assert_eq!(root["errors"], "1", "{}", ran.stdout);
        assert_eq!(found.len(), 1, "{}", ran.stdout);
        assert_eq!(found[0].0, file);
        assert!(found[0].1.starts_with(code), "{found:?}");
        let ran = place.run(&[arguments, &["--format", "json"]].concat());
        let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        let first = &report["files"][0]["diagnostics"][0];
        assert!(
            first["code"].as_str().unwrap().starts_with(code),
            "{report}"
        );
        let is_refused = file != "policy.co";
        assert_eq!(report["summary"]["unusable"], usize::from(is_refused));
        assert_eq!(
            ran.stderr.contains("; no case is run\n"),
            file == "broken.co"
        );
    }
}

#[test]
fn what_is_denied_is_an_error_in_junit() {
    let place = place();
    place.write(
        "warns.yaml",
        TESTS.replace("amount: 40", "amount: 40, unread: 1"),
    );
    let arguments = [
        "test",
        "policy.co",
        "--tests",
        "warns.yaml",
        "--format",
        "junit",
    ];
    assert_eq!(errors(&place.succeed(&arguments).stdout).1, []);
    let ran = place.run(&[&arguments[..], &["--deny", "RB0525"]].concat());
    assert_eq!(ran.code, 1);
    let (root, found) = errors(&ran.stdout);
    assert_eq!(root["errors"], "1");
    assert_eq!(found[0].0, "warns.yaml");
    assert!(found[0].1.starts_with("RB0525: line 7: "), "{found:?}");
}

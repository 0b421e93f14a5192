//! Every code of tests files: what triggers it, and how it reads.

use std::collections::BTreeSet;
use std::fmt::Write;

use stalwart::diagnostics::codes::{documents, suites};

use super::{TESTS, place};

struct Case {
    code: &'static str,
    tests: &'static str,
}

const fn case(code: &'static str, tests: &'static str) -> Case {
    Case { code, tests }
}

const PAID: &str =
    "  - {name: paid, tool: refund_card, context: {order_paid: true, amount: 1}, want: allow}\n";

const CASES: &[Case] = &[
    case("RB0501", "cases:\n  - name: paid\n   tool: refund_card\n"),
    case("RB0501", "cases: [\n"),
    case("RB0501", "cases:\n  - name: \"paid\n"),
    case("RB0502", "cases:\n\t- name: paid\n"),
    case("RB0503", "cases: []\ncases: []\n"),
    case(
        "RB0503",
        "context: {customer.tier: gold, customer: {tier: silver}}\ncases: []\n",
    ),
    case(
        "RB0504",
        "context: &defaults {order_paid: true}\ncases: []\n",
    ),
    case("RB0505", "cases: []\n---\ncases: []\n"),
    case(
        "RB0506",
        "a: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    ),
    case("RB0507", "context: {amount: 1_000}\ncases: []\n"),
    case("RB0508", "context: {5: five}\ncases: []\n"),
    case("RB0509", "cases:\n  name: paid\n"),
    case("RB0509", "cases:\n  - name: yes\n  - 5\n"),
    case(
        "RB0510",
        "cases:\n  - {name: paid, tool: refund_card, contxt: {}, want: refuse}\n",
    ),
    case("RB0511", "cases:\n  - {name: paid, tool: refund_card}\n"),
    case("RB0511", "cases:\n  - {name: paid, want: allow}\n"),
    case("RB0520", "# nothing\n"),
    case("RB0520", "cases: []\n"),
    case(
        "RB0521",
        "tool: refund_card\ncases:\n  - {name: paid, want: refuse}\n  - {name: paid, want: refuse}\n",
    ),
    case(
        "RB0522",
        "tool: refund_card\ncases:\n  - {name: paid, want: deny}\n  - {name: unpaid, want: {decision: allow, rule: x}}\n  - {name: b, want: alow}\n",
    ),
    case(
        "RB0523",
        "tool: refund_card\ncases:\n  - {name: a, context: {order_paid: true, order_paid.at: 1}, want: refuse}\n  - {name: b, context: {amount: 1}, absent: [amount], want: refuse}\n  - {name: c, absent: [a b], want: refuse}\n  - name: d\n    context:\n    want: refuse\n",
    ),
    case("RB0524", "rulebook: other.co\ncases: []\n"),
    case(
        "RB0525",
        "tool: refund_card\ncases:\n  - {name: a, context: {order_payed: false}, want: {decision: refuse, rule: refuse unpaid order}}\n",
    ),
    case(
        "RB0526",
        "cases:\n  - {name: a, tool: refund_crad, want: silent}\n",
    ),
    case(
        "RB0527",
        "tool: refund_card\ncases:\n  - {name: a, context: {order_paid: yes}, want: refuse}\n",
    ),
    case(
        "RB0530",
        "tool: refund_card\ngroups:\n  - name: orders\n    cases:\n      - {name: paid, context: {order_paid: true}, want: allow}\n",
    ),
];

#[test]
fn every_code_of_tests_is_triggered_and_reads_well() {
    let mut all = String::new();
    let mut triggered = BTreeSet::new();
    for case in CASES {
        let place = place();
        let tests = if case.code == "RB0524" {
            format!("rulebook: other.co\ncases:\n{PAID}")
        } else {
            case.tests.to_owned()
        };
        place.write("policy.test.yaml", &tests);
        let ran = place.run(&["test", "policy.co"]);
        let said = ran.stdout + &ran.stderr;
        assert!(
            said.contains(&format!("[{}]", case.code)),
            "{}: {said}",
            case.code
        );
        assert_eq!(
            ran.code,
            i32::from(said.contains("error[")),
            "{}: {said}",
            case.code
        );
        triggered.insert(case.code);
        let _ = write!(all, "{tests}=> {}\n{said}\n", ran.code);
    }
    let place = place();
    let ran = place.run(&["test", "policy.co", "--threshold", "100"]);
    let said = ran.stdout + &ran.stderr;
    assert!(said.contains("error[RB0531]"), "{said}");
    assert_eq!(ran.code, 1);
    let _ = write!(all, "{TESTS}=> {}\n{said}", ran.code);
    triggered.insert("RB0531");
    insta::assert_snapshot!(all);
    for code in documents::ALL.iter().chain(suites::ALL) {
        assert!(triggered.contains(code.id), "{} is not triggered", code.id);
    }
}

#[test]
fn several_faults_are_found_in_one_run() {
    let place = place();
    place.write(
        "policy.test.yaml",
        "cases:\n  - {name: a, tool: refund_card, want: deny}\n  - {name: a, tol: x, want: allow}\ngroup: []\n",
    );
    let ran = place.run(&["test", "policy.co"]);
    assert_eq!(ran.code, 1);
    for code in ["RB0522", "RB0510", "RB0521"] {
        assert!(ran.stderr.contains(code), "{code}: {}", ran.stderr);
    }
    assert_eq!(ran.stdout, "policy.test.yaml: not run\n");
}

/// The first YAML of a long text makes the mistake; the others that are whole files do not.
#[test]
fn examples_of_the_long_texts_hold() {
    for code in documents::ALL.iter().chain(suites::ALL) {
        if ["RB0531"].contains(&code.id) {
            continue;
        }
        let blocks: Vec<&str> = code
            .explanation
            .split("```yaml\n")
            .skip(1)
            .map(|rest| rest.split("```").next().unwrap())
            .collect();
        assert!(!blocks.is_empty(), "{}", code.id);
        let place = place();
        place.write("policy.test.yaml", blocks[0]);
        let ran = place.run(&["test", "policy.co"]);
        let said = ran.stdout + &ran.stderr;
        assert!(
            said.contains(&format!("[{}]", code.id)),
            "{}: {said}",
            code.id
        );
        for block in &blocks[1..] {
            place.write("policy.test.yaml", block);
            let ran = place.run(&["test", "policy.co"]);
            let said = ran.stdout + &ran.stderr;
            assert!(
                !said.contains(&format!("[{}]", code.id)),
                "{}: {said}",
                code.id
            );
        }
    }
}

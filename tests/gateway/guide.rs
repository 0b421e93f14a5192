//! What `docs/gateway.md` and `docs/threat-model.md` claim: that the reasons, the metrics and the
//! tests that they name are all there are, or are there.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use stalwart::catalogue::AgentFile;
use stalwart::compiler::{Depth, compile};
use stalwart::diagnostics::Severity;
use stalwart::mcp::server::{Fault, Observer, Outcome};
use stalwart::service::Metrics;
use stalwart::tool_check::Reason;

use crate::deploy::files::read;
use crate::deploy::settings;

/// What stands in backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn every_refusal_has_one_row() {
    let guide = read("docs/gateway.md");
    let (_, rest) = guide.split_once("| reason | what happened |").unwrap();
    let table = rest
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    let named: Vec<&str> = table
        .flat_map(|row| quoted(row.split('|').nth(1).unwrap()))
        .collect();
    let refusals = Reason::ALL.iter().filter(|reason| !reason.allows());
    let refusals: BTreeSet<&str> = refusals.map(|reason| reason.as_str()).collect();
    assert_eq!(named.iter().copied().collect::<BTreeSet<_>>(), refusals);
    assert_eq!(named.len(), refusals.len());

    let (_, allowed) = guide
        .split_once("Calls that are let through have a reason too")
        .unwrap();
    let (allowed, _) = allowed.split_once("\n\n").unwrap();
    let allows = Reason::ALL.iter().filter(|reason| reason.allows());
    let allows: BTreeSet<&str> = allows.map(|reason| reason.as_str()).collect();
    assert_eq!(quoted(allowed).collect::<BTreeSet<_>>(), allows);
}

/// The blocks of YAML, in their order.
fn yaml_blocks(text: &str) -> Vec<&str> {
    let blocks = text.split("```yaml\n").skip(1);
    blocks
        .map(|block| block.split("```").next().unwrap())
        .collect()
}

#[test]
fn its_policy_and_its_configuration_are_taken() {
    let guide = read("docs/gateway.md");
    let [policy, configuration] = yaml_blocks(&guide)[..] else {
        panic!("the guide has other blocks of YAML");
    };
    let source = "define flow charging\n  if $order_paid == True\n    execute charge_card\n";
    let compiled = compile(
        "policy.co",
        source.as_bytes(),
        "stalwart.policy",
        Depth::Analyses,
    );
    let rulebook = compiled.rulebook.unwrap();
    let file = AgentFile::read("agent.yaml", policy.as_bytes());
    let compiled = file.compile(Some(&rulebook));
    let catalogue = compiled
        .catalogue
        .unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
    let taken = settings::configured(configuration, &catalogue.to_bytes());
    assert_eq!(taken.lines(Severity::Error), [""; 0]);
    assert!(taken.configuration.is_some());
}

#[test]
fn the_metrics_are_those_of_the_process() {
    let metrics = Metrics::new();
    // A family is written once it has counted something.
    metrics.faulted(Fault::Rate);
    metrics.decided("desk", Some("get_order"), Reason::Allow, Outcome::Ok, 1);
    metrics.forwarded("shop", 1);
    let counted = metrics.text();
    let kinds = counted
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE "));
    let counted: BTreeSet<String> = kinds
        .map(|line| {
            let (name, kind) = line.split_once(' ').unwrap();
            let ending = if kind == "counter" { "_total" } else { "" };
            format!("{name}{ending}")
        })
        .collect();
    let guide = read("docs/gateway.md");
    let named: BTreeSet<String> = quoted(&guide)
        .filter(|name| name.starts_with("stalwart_"))
        .map(|name| name.split('{').next().unwrap().to_owned())
        .collect();
    assert_eq!(named, counted);
}

fn rust_files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, into);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            into.push(path);
        }
    }
}

#[test]
fn tests_that_the_threat_model_names_exist() {
    let mut files = Vec::new();
    rust_files(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gateway"),
        &mut files,
    );
    let code: Vec<String> = files
        .iter()
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    let model = read("docs/threat-model.md");
    let is_test = |name: &&str| {
        let is_word = name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c == '_' || c.is_ascii_digit());
        is_word && name.matches('_').count() >= 2
    };
    let named: BTreeSet<&str> = quoted(&model).filter(is_test).collect();
    assert!(named.len() > 40, "{}", named.len());
    let missing: Vec<&&str> = named
        .iter()
        .filter(|name| {
            let test = format!("fn {name}(");
            !code.iter().any(|text| text.contains(&test))
        })
        .collect();
    assert!(missing.is_empty(), "no tests: {missing:?}");
}

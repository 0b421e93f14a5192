//! Large rulebooks: every engine runs them, and size grows as the source does.

use std::fmt::Write as _;

use crate::compiled::{Compiled, must_compile};
use crate::engines::opa::Opa;
use crate::engines::{Batch, regorus};

/// Asks every engine, and holds them to the evaluator.
fn engines_agree(compiled: &Compiled, inputs: &[String]) {
    let rego = compiled.emit().rego;
    for line in rego.lines() {
        assert!(line.chars().count() < 1_024, "a long line: {line}");
    }
    let batch = || Batch {
        package: "suite.scale".to_owned(),
        rego: rego.clone(),
        inputs: inputs.iter().cloned().map(Some).collect(),
    };
    let reference = compiled.reference();
    let expected: Vec<_> = inputs
        .iter()
        .map(|input| {
            let input = serde_json::from_str(input).expect("an input is JSON");
            let decision = compiled.decide(&input);
            assert_eq!(decision, reference.decide(&input), "{input}");
            Ok(decision)
        })
        .collect();
    assert_eq!(regorus::decide(batch()), expected);
    if let Some(opa) = Opa::find() {
        let packages = [("suite.scale".to_owned(), rego.clone())];
        if let Err(error) = opa.accepts(&packages) {
            panic!("{error}");
        }
        assert_eq!(opa.decide(&[batch()]), Ok(vec![expected]));
    }
}

#[test]
fn a_flow_of_1000_branches() {
    let mut text = String::from("define flow f\n");
    for index in 0..999 {
        let word = if index == 0 { "if" } else { "else if" };
        let step = ["execute t", "bot refuse", "bot ask why", "stop"][index % 4];
        let _ = write!(text, "  {word} $a == {index}\n    {step}\n");
    }
    let compiled = must_compile(text.as_bytes(), "suite.scale");
    assert_eq!(compiled.rulebook.flows[0].branches.len(), 1_000);
    let values = [
        "0", "1", "2", "3", "15", "16", "17", "500", "997", "998", "999", "\"0\"", "null",
    ];
    let inputs = values.map(|value| format!(r#"{{"tool":"t","context":{{"a":{value}}}}}"#));
    engines_agree(&compiled, &inputs);
}

/// Flows of six branches, each on three of 64 names.
fn flows(count: usize) -> String {
    let mut text = String::new();
    let mut seed = 1_usize;
    let mut name = || {
        seed = (seed * 1_103 + 12_345) % 65_521;
        format!("$fact_{}", seed % 64)
    };
    for flow in 0..count {
        let _ = writeln!(text, "define flow flow {flow}");
        for arm in 0..5 {
            let word = if arm == 0 { "if" } else { "else if" };
            let _ = writeln!(
                text,
                "  {word} {} and {} and not {}",
                name(),
                name(),
                name()
            );
            let _ = match arm % 2 {
                0 => writeln!(text, "    execute tool_{flow}"),
                _ => writeln!(text, "    bot refuse number {arm}"),
            };
        }
        text.push_str("  else\n    bot ask for more\n");
    }
    text
}

#[test]
fn two_hundred_flows() {
    let compiled = must_compile(flows(200).as_bytes(), "suite.scale");
    let inputs: Vec<_> = (0..8)
        .map(|point| {
            let facts: Vec<_> = (0..64)
                .map(|fact| format!("\"fact_{fact}\":{}", fact * (point + 3) % 7 < 4))
                .collect();
            format!(
                r#"{{"tool":"tool_{}","context":{{{}}}}}"#,
                point * 25,
                facts.join(",")
            )
        })
        .collect();
    engines_agree(&compiled, &inputs);
}

#[test]
fn artifacts_grow_as_their_source() {
    let size = |count: usize| {
        let artifacts = must_compile(flows(count).as_bytes(), "suite.scale").emit();
        (artifacts.ir.len() / count, artifacts.rego.len() / count)
    };
    let (small, large) = (size(100), size(800));
    assert!(
        large.0 * 100 < small.0 * 115,
        "IR: {small:?} {large:?} bytes a flow"
    );
    assert!(
        large.1 * 100 < small.1 * 115,
        "Rego: {small:?} {large:?} bytes a flow"
    );
}

#[test]
fn guards_are_combined_once_for_all_tools() {
    // G guards and T tools cost G + T, not G x T.
    let size = |guards: usize, tools: usize| {
        let mut text = String::new();
        for guard in 0..guards {
            let _ = write!(
                text,
                "define flow guard {guard}\n  if $blocked_{guard} == True\n    bot refuse number {guard}\n    stop\n"
            );
        }
        for tool in 0..tools {
            let _ = write!(
                text,
                "define flow flow {tool}\n  if $may_{tool}\n    execute tool_{tool}\n"
            );
        }
        must_compile(text.as_bytes(), "suite.scale")
            .emit()
            .rego
            .len()
    };
    let (guards, tools, both) = (size(100, 1), size(1, 100), size(100, 100));
    assert!(
        both * 10 < (guards + tools) * 12,
        "{guards} and {tools} make {both}"
    );
}

//! The proof that the emitted Rego decides as the rulebook does (contract section 9).

use std::fmt::Write as _;

use stalwart::decision_space::Space;
use stalwart::ir::Rulebook;
use stalwart::proof::{DEFAULT_POINTS, Failure, Options, Proof, prove};

use crate::compiled::{Compiled, files, must_compile, root};
use crate::engines::{Batch, regorus};

/// A proof with the limits that `emit` has.
fn prove_within(rulebook: &Rulebook, rego: &str, points: u64) -> Result<Proof, Failure> {
    let options = Options {
        points,
        opa: None,
        progress: &mut |_| {},
    };
    prove(rulebook, rego, options)
}

fn prove_emitted(compiled: &Compiled) -> Result<Proof, Failure> {
    prove_within(&compiled.rulebook, &compiled.emit().rego, DEFAULT_POINTS)
}

/// The rulebooks of the fixtures, by their place.
fn fixtures() -> Vec<(String, Compiled)> {
    let mut fixtures = Vec::new();
    for folder in [
        "shop",
        "bank",
        "telecom",
        "deployments",
        "clinic",
        "marketplace",
        "legacy",
        "language",
    ] {
        for path in files(&format!("fixtures/{folder}"), "co") {
            let text = std::fs::read(&path).expect("a fixture is read");
            let place = path
                .strip_prefix(root().join("fixtures"))
                .expect("a fixture");
            let place = place.display().to_string().replace('\\', "/");
            fixtures.push((place, must_compile(&text, "stalwart.fixture")));
        }
    }
    fixtures
}

#[test]
fn every_fixture_is_proved() {
    let mut table = String::new();
    for (place, compiled) in fixtures() {
        let shown = match prove_emitted(&compiled) {
            Ok(proof) => proof.to_string(),
            Err(failure) => format!("{failure:?}"),
        };

        let _ = writeln!(table, "{place}: {shown}");
    }
    insta::assert_snapshot!(table);
}

/// The decision that a call of a text is, as JSON; `broken` is what is done to the Rego.
struct Broken {
    source: &'static str,
    from: &'static str,
    to: &'static str,
    input: &'static str,
}

const REFUNDS: &str = "\
define flow guard
  if $frozen == True
    bot refuse frozen
    stop
  if $level > 3
    bot ask supervisor
    stop

define flow refunds
  if $paid and $amount <= 100
    execute refund
  else if $paid
    bot ask for approval
    user approve
    execute refund
  else if not $known
    stop

define flow notes
  if $paid or $tier in [\"gold\", \"silver\"]
    execute note
";

/// Small faults that an emitter could have.
fn broken() -> Vec<Broken> {
    let case = |from, to, input| Broken {
        source: REFUNDS,
        from,
        to,
        input,
    };
    vec![
        // A condition is lost.
        case(
            "\tctx(\"paid\")\n\tnumber_at_most(\"amount\", 100)",
            "\tnumber_at_most(\"amount\", 100)",
            r#"{"context":{"amount":0,"frozen":false,"level":0},"tool":"refund"}"#,
        ),
        // A literal is another.
        case(
            "number_at_most(\"amount\", 100)",
            "number_at_most(\"amount\", 99)",
            r#"{"context":{"amount":100,"frozen":false,"level":0,"paid":true},"tool":"refund"}"#,
        ),
        // A member is lost.
        case(
            "[\"gold\", \"silver\"]",
            "[\"gold\"]",
            r#"{"context":{"frozen":false,"level":0,"tier":"silver"},"tool":"note"}"#,
        ),
        // A rule is named otherwise.
        case(":= \"ask for approval\"", ":= \"ask approval\"", ""),
        // A tool is another.
        case(
            "input.tool == \"note\"",
            "input.tool == \"notes\"",
            r#"{"context":{"frozen":false,"level":0},"tool":"note"}"#,
        ),
        // A `not` is lost.
        case(
            "not ctx(\"known\")",
            "ctx(\"known\")",
            r#"{"context":{"frozen":false,"level":0},"tool":"refund"}"#,
        ),
        // The silent default is another.
        case(
            "default decision := {\"decision\": \"silent\", \"rule\": \"\"}",
            "default decision := {\"decision\": \"allow\", \"rule\": \"\"}",
            "",
        ),
    ]
}

#[test]
fn broken_rego_is_caught_with_the_smallest_call() {
    let mut table = String::new();
    for Broken {
        source,
        from,
        to,
        input,
    } in broken()
    {
        let compiled = must_compile(source.as_bytes(), "stalwart.broken");
        let rego = compiled.emit().rego;
        let text = rego.replace(from, to);
        assert_ne!(text, rego, "{from} does not occur");
        let shown = match prove_within(&compiled.rulebook, &text, DEFAULT_POINTS) {
            Err(Failure::Mismatch {
                input: found, rego, ..
            }) => {
                let found = found.map_or_else(|| "none".to_owned(), |it| it.to_string());
                assert!(input.is_empty() || input == found, "{to}: {found}");
                format!("{found} {rego}")
            }
            other => format!("{other:?}"),
        };
        let _ = writeln!(table, "{to}\n=> {shown}");
    }
    insta::assert_snapshot!(table);
}

#[test]
fn a_real_opa_agrees_at_every_point() {
    let Some(opa) = crate::engines::opa::Opa::find() else {
        return;
    };
    let prove_with_opa = |rulebook: &Rulebook, rego: &str| {
        let mut last = None;
        let proof = prove(
            rulebook,
            rego,
            Options {
                points: DEFAULT_POINTS,
                opa: Some(opa.path()),
                progress: &mut |progress| last = Some(progress),
            },
        );
        (proof, last.expect("progress is told"))
    };
    for (place, compiled) in fixtures() {
        if ![
            "shop/policy.co",
            "language/guard_order.co",
            "language/tool_name.co",
        ]
        .contains(&place.as_str())
        {
            continue;
        }
        let alone = prove_emitted(&compiled).expect("a fixture is proved");
        let (proof, progress) = prove_with_opa(&compiled.rulebook, &compiled.emit().rego);
        assert_eq!(proof.expect("opa agrees"), alone, "{place}");
        assert_eq!(progress.done, progress.all, "{place}");
    }
    // Where only `opa` sees the fault: the interpreter does not know this number.
    let compiled = must_compile(REFUNDS.as_bytes(), "stalwart.broken");
    let rego = compiled.emit().rego;
    let far = rego.replace("\"amount\", 100)", "\"amount\", 100.00000000000000000001)");
    assert_ne!(far, rego);
    match prove_with_opa(&compiled.rulebook, &far).0 {
        Err(Failure::Mismatch { engine, .. }) => assert_eq!(engine, "opa"),
        other => panic!("{other:?}"),
    }
    let unknown = prove(
        &compiled.rulebook,
        &rego,
        Options {
            points: DEFAULT_POINTS,
            opa: Some(std::path::Path::new("no/such/opa")),
            progress: &mut |_| {},
        },
    );
    assert!(matches!(unknown, Err(Failure::NoOpa(_))), "{unknown:?}");
}

#[test]
fn random_rulebooks_are_proved() {
    crate::properties::over_rulebooks(12, 0, |source, compiled, _| {
        let rego = compiled.emit().rego;
        match prove_within(&compiled.rulebook, &rego, 1_000) {
            Ok(_) => Ok(()),
            Err(failure) => panic!("{failure:?}\nin:\n{source}\n{rego}"),
        }
    });
}

#[test]
fn a_large_rulebook_is_sampled() {
    let mut text = String::new();
    let mut seed = 7_usize;
    for flow in 0..40 {
        let _ = writeln!(text, "define flow flow {flow}");
        for branch in 0..6 {
            let names: Vec<String> = (0..4)
                .map(|_| {
                    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
                    format!("$name_{:02}", seed / 65_536 % 64)
                })
                .collect();
            let word = if branch == 0 { "if" } else { "else if" };
            let step = ["execute tool", "bot refuse case", "execute tool"][branch % 3];
            let number = if branch % 3 == 1 { branch } else { flow };
            let _ = writeln!(
                text,
                "  {word} {}\n    {step}_{number}",
                names.join(" and ")
            );
        }
        text.push('\n');
    }
    let text = text.replace("bot refuse case_", "bot refuse case ");
    let compiled = must_compile(text.as_bytes(), "stalwart.large");
    let proof = prove_emitted(&compiled).expect("it is proved");
    let again = prove_emitted(&compiled).expect("it is proved");
    assert_eq!(proof, again);
    let Proof::Sampled {
        points, numbers, ..
    } = &proof
    else {
        panic!("{proof}");
    };
    assert!((2_000..20_000).contains(points), "{proof}");
    assert!(numbers.is_empty());
    let shown = proof.to_string();
    assert!(
        shown.starts_with("sampled (") && shown.contains(" points of "),
        "{shown}"
    );
}

/// A fixed sequence of numbers.
struct Sequence(u64);

impl Sequence {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % count
    }
}

/// Does something to one line of the Rego; nothing where that cannot be done.
fn mutated(rego: &str, choose: &mut Sequence) -> String {
    let mut lines: Vec<String> = rego.lines().map(str::to_owned).collect();
    let body = lines
        .iter()
        .position(|line| line.starts_with("default"))
        .expect("a default");
    let at = body + choose.below(lines.len() - body);
    let other = body + choose.below(lines.len() - body);
    match choose.below(9) {
        0 => drop(lines.remove(at)),
        1 => lines.swap(at, other),
        2 => lines[at] = lines[at].replace("\tnot ", "\t"),
        3 => lines[at] = lines[at].replacen('\t', "\tnot ", 1),
        4 => lines[at] = lines[at].replace("at_most", "below"),
        5 => lines[at] = lines[at].replace("_b1_", "_b2_"),
        6 => lines[at] = lines[at].replace("allow", "refuse"),
        7 => lines[at] = lines[at].replace("gold", "silver").replace("100", "3"),
        _ => lines[at] = lines[other].clone(),
    }
    lines.join("\n") + "\n"
}

#[test]
fn no_changed_decision_is_missed() {
    let compiled = must_compile(REFUNDS.as_bytes(), "stalwart.broken");
    let rego = compiled.emit().rego;
    let conditions = compiled.rulebook.flows.iter().flat_map(|flow| &flow.ifs);
    let conditions = conditions.flat_map(|decision| &decision.arms);
    let space = Space::of(conditions.map(|arm| &arm.condition));
    let mut points = vec![Vec::new()];
    for (_, classes) in space.iter() {
        points = points
            .into_iter()
            .flat_map(|point: Vec<u32>| {
                (0..classes.len()).map(move |class| {
                    let mut point = point.clone();
                    point.push(class);
                    point
                })
            })
            .collect();
    }
    let inputs: Vec<String> = points
        .iter()
        .flat_map(|point| {
            let context = space.witness(point).context;
            ["refund", "note", "other"]
                .map(|tool| serde_json::json!({"tool": tool, "context": context}).to_string())
        })
        .collect();
    let expected: Vec<_> = inputs
        .iter()
        .map(|input| Ok(compiled.decide(&serde_json::from_str(input).expect("an input"))))
        .collect();
    let mut choose = Sequence(5);
    let (mut changed, mut alike) = (0, 0);
    for _ in 0..60 {
        let mutant = mutated(&rego, &mut choose);
        if mutant == rego {
            continue;
        }
        let answers = regorus::decide(Batch {
            package: "stalwart.broken".to_owned(),
            rego: mutant.clone(),
            inputs: inputs.iter().cloned().map(Some).collect(),
        });
        let proof = prove_within(&compiled.rulebook, &mutant, DEFAULT_POINTS);
        if answers == expected {
            alike += 1;
        } else {
            changed += 1;
            assert!(proof.is_err(), "{proof:?}\n{mutant}");
        }
    }
    assert!(changed >= 15 && alike >= 3, "{changed} {alike}");
}

/// An `opa` that reads the package, and fails whenever it is asked for something, counting.
#[cfg(unix)]
#[test]
fn an_opa_that_always_fails_is_given_up() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("opa");
    let count = folder.path().join("count");
    let text = format!(
        "#!/bin/sh\necho >> {}\ngrep -q 'inputs\":\\[\\]' inputs.json || exit 1\n\
         echo '{{\"with\":{{}},\"without\":[]}}'\n",
        count.display()
    );
    std::fs::write(&program, text).expect("a program");
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&program, executable).expect("it may be run");
    let source = std::fs::read(root().join("fixtures/shop/policy.co")).expect("the shop");
    let compiled = must_compile(&source, "stalwart.policy");
    let proof = prove(
        &compiled.rulebook,
        &compiled.emit().rego,
        Options {
            points: DEFAULT_POINTS,
            opa: Some(&program),
            progress: &mut |_| {},
        },
    );
    assert!(matches!(proof, Err(Failure::NotEvaluated(_))), "{proof:?}");
    let processes = std::fs::read_to_string(count).expect("it was run").len();
    assert!((2..100).contains(&processes), "{processes}");
}

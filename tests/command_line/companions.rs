//! `emit --with-tests` and `--adapter`: the files beside the pair, and what is said of them.

use super::{Place, Ran, SHOP};

const TESTS: &str = "opa/Rulebook_test.rego";
const EMIT: &[&str] = &["emit", "policy.co", "--out-dir", "opa", "--with-tests"];
const PAIR: &[&str] = &["emit", "policy.co", "--out-dir", "opa"];
const ALL: &str = "\
wrote opa/rulebook.ir.json
wrote opa/Rulebook.rego
wrote opa/Rulebook_test.rego
";

fn emitted() -> Place {
    let place = Place::with_shop();
    let ran = place.succeed(EMIT);
    assert_eq!(ran.stdout, ALL);
    place
}

fn text(place: &Place) -> String {
    String::from_utf8(place.read(TESTS)).unwrap()
}

/// The codes and the file names of what a comparison finds, in its order.
fn check(place: &Place, arguments: &[&str]) -> (Vec<String>, Ran) {
    let ran = place.run(&[arguments, &["--check"]].concat());
    assert_eq!(ran.stdout, "");
    let lines: Vec<&str> = ran.stderr.lines().collect();
    let found: Vec<String> = lines
        .windows(2)
        .filter_map(|pair| {
            let code = pair[0].strip_prefix("error[")?.strip_suffix(']')?;
            let file = pair[1].split('`').nth(1)?.rsplit('/').next()?;
            Some(format!("{code} {file}"))
        })
        .collect();
    assert_eq!(ran.code, i32::from(!found.is_empty()), "{ran:?}");
    (found, ran)
}

fn codes(place: &Place, arguments: &[&str]) -> Vec<String> {
    check(place, arguments).0
}

#[test]
fn the_files_are_written_in_order_and_again() {
    let place = emitted();
    let before = text(&place);
    assert!(before.contains("\npackage stalwart.policy_test\n\nimport rego.v1\n"));
    assert_eq!(place.succeed(EMIT).stdout, ALL);
    assert_eq!(text(&place), before);
    assert_eq!(codes(&place, EMIT), [""; 0]);
    let ran = place.succeed(
        &[
            EMIT,
            &[
                "--adapter",
                "http",
                "--adapter",
                "kong",
                "--adapter",
                "kong",
            ],
        ]
        .concat(),
    );
    let adapters = "wrote opa/Rulebook_kong.rego\nwrote opa/Rulebook_http.rego\n";
    assert_eq!(ran.stdout, format!("{ALL}{adapters}"));
    let from_ir = [
        "emit",
        "opa/rulebook.ir.json",
        "--out-dir",
        "again",
        "--with-tests",
    ];
    place.succeed(&from_ir);
    assert_eq!(place.read("again/Rulebook_test.rego"), before.as_bytes());
}

#[test]
fn a_comparison_tells_every_kind_of_difference() {
    let place = emitted();
    let (found, ran) = check(&place, PAIR);
    assert_eq!(found, ["RB0645 Rulebook_test.rego"]);
    assert!(
        ran.stderr
            .contains("check with `--with-tests`, or delete it"),
        "{ran:?}"
    );

    let whole = text(&place);
    place.write(TESTS, whole.replace("\"allow\"", "\"refuse\""));
    assert_eq!(codes(&place, EMIT), ["RB0643 Rulebook_test.rego"]);
    for at in (0..whole.len()).step_by(97) {
        let mut bytes = whole.clone().into_bytes();
        bytes[at] ^= 1;
        place.write(TESTS, bytes);
        assert_eq!(codes(&place, EMIT).len(), 1, "byte {at}");
    }
    let version = format!("# translator {}", env!("CARGO_PKG_VERSION"));
    place.write(TESTS, whole.replace(&version, "# translator 9.9.9"));
    assert_eq!(codes(&place, EMIT), ["RB0642 Rulebook_test.rego"]);
    std::fs::remove_file(place.path(TESTS)).unwrap();
    assert_eq!(codes(&place, EMIT), ["RB0644 Rulebook_test.rego"]);
    place.write(TESTS, &whole);
    assert_eq!(codes(&place, EMIT), [""; 0]);

    place.write("policy.co", format!("# changed\n{SHOP}"));
    assert_eq!(
        codes(&place, EMIT),
        [
            "RB0641 rulebook.ir.json",
            "RB0641 Rulebook.rego",
            "RB0641 Rulebook_test.rego"
        ]
    );
    place.succeed(EMIT);
    assert_eq!(codes(&place, EMIT), [""; 0]);
}

#[test]
fn tests_of_an_older_text_are_said_to_be_left() {
    let place = emitted();
    assert!(!place.succeed(PAIR).stderr.contains("note["));
    let before = text(&place);
    place.write("policy.co", format!("# changed\n{SHOP}"));
    let ran = place.succeed(PAIR);
    assert!(ran.stderr.contains("note[RB0655]"), "{ran:?}");
    let said = "`opa/Rulebook_test.rego` is not what the rulebook gives now, and was left as it is";
    assert!(ran.stderr.contains(said), "{ran:?}");
    assert!(
        ran.stderr
            .contains("emit with `--with-tests`, or delete it"),
        "{ran:?}"
    );
    assert_eq!(text(&place), before);
    let ran = place.run(&["verify", "opa", "--source", "policy.co"]);
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(
        ran.stderr.contains("was emitted from another IR"),
        "{ran:?}"
    );
    assert!(!place.succeed(EMIT).stderr.contains("note["));
    assert_eq!(place.succeed(&["verify", "opa"]).code, 0);
}

#[test]
fn what_others_wrote_is_not_overwritten() {
    let place = Place::with_shop();
    let own = "package stalwart.policy_test\n\nimport rego.v1\n";
    place.write(TESTS, own);
    let ran = place.run(EMIT);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.stderr.contains("error[RB0649]"), "{ran:?}");
    assert!(
        ran.stderr
            .contains("`opa/Rulebook_test.rego` is not overwritten"),
        "{ran:?}"
    );
    assert_eq!(place.names("opa"), ["Rulebook_test.rego"]);
    assert_eq!(text(&place), own);
    // Without the option it is nobody's business.
    let ran = place.succeed(PAIR);
    assert!(!ran.stderr.contains("Rulebook_test"), "{ran:?}");
    assert_eq!(codes(&place, PAIR), [""; 0]);
    assert_eq!(place.succeed(&["verify", "opa"]).code, 0);

    let other = emitted();
    other.write("other.co", SHOP);
    std::fs::remove_file(other.path("opa/Rulebook.rego")).unwrap();
    std::fs::remove_file(other.path("opa/rulebook.ir.json")).unwrap();
    let ran = other.run(&["emit", "other.co", "--out-dir", "opa", "--with-tests"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.stderr.contains("error[RB0646]"), "{ran:?}");
    assert_eq!(other.names("opa"), ["Rulebook_test.rego"]);
}

#[test]
fn a_failure_of_the_third_file_leaves_the_first_two_as_they_were() {
    let place = Place::with_shop();
    place.succeed(PAIR);
    let files = ["opa/rulebook.ir.json", "opa/Rulebook.rego"];
    let before = files.map(|file| place.read(file));
    place.write("policy.co", format!("# changed\n{SHOP}"));
    std::fs::create_dir(place.path(TESTS)).unwrap();
    let ran = place.run(EMIT);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert_eq!(ran.stdout, "");
    assert!(ran.stderr.contains("`opa/Rulebook_test.rego`"), "{ran:?}");
    assert_eq!(files.map(|file| place.read(file)), before);
    assert_eq!(
        place.names("opa"),
        ["Rulebook.rego", "Rulebook_test.rego", "rulebook.ir.json"]
    );
}

#[test]
fn options_without_effect_are_refused() {
    for (arguments, said) in [
        (
            &["--target", "ir", "--with-tests"][..],
            "`--with-tests` writes tests of the Rego package, and `--target ir` writes none",
        ),
        (
            &["--target", "ir", "--adapter", "kong"][..],
            "`--adapter` writes an adapter of the Rego package, and `--target ir` writes none",
        ),
        (
            &["--deny-silent"][..],
            "`--deny-silent` is for adapters, and none is asked for",
        ),
    ] {
        let place = Place::with_shop();
        let ran = place.run(&[PAIR, arguments].concat());
        assert_eq!(ran.code, 2, "{ran:?}");
        assert_eq!(ran.stdout, "");
        assert!(ran.stderr.contains("error[RB0654]"), "{ran:?}");
        assert!(ran.stderr.contains(said), "{ran:?}");
        assert!(!place.path("opa").exists());
    }
}

#[test]
fn a_project_says_what_stands_beside_its_packages() {
    let place = Place::new();
    place.write("rules/a.co", SHOP);
    place.write("rules/b.co", SHOP.replace("flow refunds", "flow returns"));
    place.write(
        "rulebook.toml",
        "[defaults]\nwith-tests = true\n\n[[rulebook]]\npath = \"rules/a.co\"\nout-dir = \"opa/a\"\n\n\
         [[rulebook]]\npath = \"rules/b.co\"\nout-dir = \"opa/b\"\nwith-tests = false\nadapters = [\"kong\"]\n",
    );
    place.succeed(&["emit"]);
    let pair = ["Rulebook.rego", "Rulebook_test.rego", "rulebook.ir.json"];
    assert_eq!(place.names("opa/a"), pair);
    assert_eq!(
        place.names("opa/b"),
        ["Rulebook.rego", "Rulebook_kong.rego", "rulebook.ir.json"]
    );
    place.succeed(&["emit", "--check"]);
    let named = ["emit", "rules/a.co", "--check"];
    place.succeed(&named);
    // An option adds to what the project says.
    let ran = place.run(&[&named[..], &["--adapter", "http"]].concat());
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(
        ran.stderr.contains("`opa/a/Rulebook_http.rego` is missing"),
        "{ran:?}"
    );
    // The IR alone has nothing beside it.
    let ran = place.succeed(&["emit", "rules/a.co", "--target", "ir", "--out-dir", "ir"]);
    assert_eq!(ran.stdout, "wrote ir/rulebook.ir.json\n");
    std::fs::remove_file(place.path("opa/a/Rulebook_test.rego")).unwrap();
    assert_eq!(place.run(&["emit", "--check"]).code, 1);
}

#[test]
fn faults_of_a_project_are_said_at_their_places() {
    const ENTRY: &str = "[[rulebook]]\npath = \"policy.co\"\n";
    for (settings, code, said) in [
        ("adapters = [\"kongg\"]\n", "RB0805", "did you mean `kong`?"),
        (
            "adapters = [\"apache\"]\n",
            "RB0805",
            "there are `kong`, `envoy`, `agentgateway`, `http`",
        ),
        (
            "deny-silent = true\n",
            "RB0805",
            "`deny-silent` is for adapters, and there are none",
        ),
        (
            "with-tests = \"yes\"\n",
            "RB0803",
            "write `with-tests = true`",
        ),
        ("with-test = true\n", "RB0802", "did you mean `with-tests`?"),
    ] {
        for text in [
            format!("{ENTRY}{settings}"),
            format!("[defaults]\n{settings}{ENTRY}"),
        ] {
            let place = Place::with_shop();
            place.write("rulebook.toml", &text);
            let ran = place.run(&["check"]);
            let said_all = format!("{}{}", ran.stdout, ran.stderr);
            assert_eq!(ran.code, 2, "{text}{ran:?}");
            assert!(
                said_all.contains(&format!("error[{code}]")),
                "{text}{ran:?}"
            );
            assert!(said_all.contains(said), "{text}{ran:?}");
        }
    }
}

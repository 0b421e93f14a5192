//! Adapters that deny silent calls stay so, whatever option was forgotten.

use super::{Place, Ran};

const STRICT: &[&str] = &["emit", "policy.co", "--out-dir", "opa", "--adapter", "kong"];

fn strict() -> Place {
    let place = Place::with_shop();
    place.succeed(&[STRICT, &["--deny-silent"]].concat());
    place
}

/// Refused, with what to do, and nothing is another.
fn refused(place: &Place, arguments: &[&str]) -> Ran {
    let before = place.read("opa/Rulebook_kong.rego");
    let ran = place.run(arguments);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{ran:?}");
    assert!(ran.stderr.contains("error[RB0656]"), "{}", ran.stderr);
    assert!(ran.stderr.contains("--deny-silent"), "{}", ran.stderr);
    assert!(place.read("opa/Rulebook_kong.rego") == before);
    ran
}

#[test]
fn an_option_that_is_forgotten_does_not_open_the_gate() {
    let place = strict();
    refused(&place, STRICT);
    let ir = ["emit", "opa/rulebook.ir.json", "--adapter", "kong"];
    refused(&place, &ir);
    place.write("policy.co", "define flow a\n  if $b\n    execute c\n");
    refused(&place, STRICT);
    place.succeed(&[STRICT, &["--deny-silent"]].concat());
    std::fs::remove_file(place.path("opa/Rulebook_kong.rego")).unwrap();
    place.succeed(STRICT);
    place.succeed(&[STRICT, &["--deny-silent"]].concat());
}

#[test]
fn a_comparison_says_which_option_was_forgotten() {
    let place = strict();
    let ran = place.run(&[STRICT, &["--check"]].concat());
    assert_eq!(ran.code, 1);
    let said = "was written with `--deny-silent`, which these options lack";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    let place = Place::with_shop();
    place.succeed(STRICT);
    let ran = place.run(&[STRICT, &["--deny-silent", "--check"]].concat());
    assert_eq!(ran.code, 1);
    let said = "was written without `--deny-silent`, which these options have";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
}

#[test]
fn a_chain_is_held_to_what_the_project_wants() {
    let place = strict();
    let seen = place.succeed(&["verify", "opa"]).stdout;
    let beside = "beside: `opa/Rulebook_kong.rego` (silent calls are denied), what the IR gives\n";
    assert!(seen.contains(beside), "{seen}");
    let project = "[defaults]\nadapters = [\"kong\"]\ndeny-silent = true\nwith-tests = true\n\n\
                   [[rulebook]]\npath = \"policy.co\"\nout-dir = \"opa\"\n";
    place.write("rulebook.toml", project);
    let ran = place.run(&["verify", "--all"]);
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(
        ran.stderr.contains("`opa/Rulebook_test.rego` is missing"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("emit"), "{}", ran.stderr);
    place.succeed(&["emit", "--all"]);
    place.succeed(&["verify", "--all"]);

    let other = Place::with_shop();
    other.succeed(STRICT);
    place.write(
        "opa/Rulebook_kong.rego",
        other.read("opa/Rulebook_kong.rego"),
    );
    let ran = place.run(&["verify", "--all"]);
    assert_eq!(ran.code, 3, "{ran:?}");
    let said = "is not as the project wants it: silent calls pass";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    assert!(ran.stderr.contains("`--adapter kong`"), "{}", ran.stderr);
}

#[test]
fn a_bundle_loses_neither_its_signature_nor_its_strictness() {
    let place = Place::with_shop();
    let bundle = [
        "bundle",
        "policy.co",
        "--out",
        "b.tar.gz",
        "--adapter",
        "kong",
    ];
    place.succeed(&[&bundle[..], &["--deny-silent"]].concat());
    let ran = place.run(&bundle);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{ran:?}");
    assert!(ran.stderr.contains("error[RB0656]"), "{}", ran.stderr);

    place.write("secret", "0123456789abcdef0123456789abcdef");
    let signed = ["--signing-key", "secret", "--signing-algorithm", "HS256"];
    let plain = ["bundle", "policy.co", "--out", "s.tar.gz"];
    place.succeed(&[&plain[..], &signed].concat());
    let before = place.read("s.tar.gz");
    let ran = place.run(&plain);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{ran:?}");
    assert!(
        ran.stderr
            .contains("is signed, and is not replaced by an unsigned"),
        "{}",
        ran.stderr
    );
    assert!(place.read("s.tar.gz") == before);
}

#[test]
fn a_bundle_goes_into_a_file() {
    let place = Place::with_shop();
    let ran = place.run(&["bundle", "policy.co", "--out", "-"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{ran:?}");
    assert!(ran.stderr.contains("standard output"), "{}", ran.stderr);
    #[cfg(unix)]
    {
        let made = std::process::Command::new("mkfifo")
            .arg(place.path("pipe"))
            .status();
        assert!(made.unwrap().success());
        let ran = place.run(&["bundle", "policy.co", "--out", "pipe"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{ran:?}");
        assert!(ran.stderr.contains("no ordinary file"), "{}", ran.stderr);
    }
}

#[test]
fn a_package_below_another_is_refused() {
    let place = Place::with_shop();
    place.write("other.co", "define flow a\n  if $b\n    execute c\n");
    place.write(
        "rulebook.toml",
        "[[rulebook]]\npath = \"policy.co\"\npackage = \"shop\"\nout-dir = \"a\"\n\n\
         [[rulebook]]\npath = \"other.co\"\npackage = \"shop.gate\"\nout-dir = \"b\"\n",
    );
    let ran = place.run(&["check", "--all"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    let said = "the package `shop.gate` of `other.co` lies below `shop`, that of `policy.co`";
    let all = format!("{}{}", ran.stdout, ran.stderr).replace("\n  │ ", " ");
    assert!(all.contains(said), "{all}");
    // Names that only begin alike are two packages.
    let text = String::from_utf8(place.read("rulebook.toml")).unwrap();
    place.write("rulebook.toml", text.replace("shop.gate", "shopping"));
    place.succeed(&["check", "--all"]);
}

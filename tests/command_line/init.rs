//! `init`: what it writes is in order, and it replaces nothing.

use super::Place;

const FILES: [&str; 4] = [
    "policy.co",
    "policy.test.yaml",
    "rulebook.toml",
    ".gitattributes",
];

#[test]
fn what_is_begun_is_in_order() {
    let place = Place::new();
    for (arguments, folder, name) in [
        (&["init"][..], ".", "policy"),
        (
            &["init", "a/shop", "--name", "refunds"],
            "a/shop",
            "refunds",
        ),
    ] {
        let ran = place.succeed(arguments);
        let path = |file: &str| match folder {
            "." => file.replace("policy", name),
            folder => format!("{folder}/{}", file.replace("policy", name)),
        };
        let wrote: Vec<String> = FILES
            .iter()
            .map(|file| format!("wrote {}", path(file)))
            .collect();
        assert_eq!(ran.stdout.lines().collect::<Vec<_>>(), wrote);
        for file in FILES {
            let text = String::from_utf8(place.read(path(file))).unwrap();
            assert!(text.ends_with('\n') && !text.contains('\r'), "{file}");
            assert!(name == "policy" || !text.contains("policy."), "{text}");
        }
        let source = path("policy.co");
        let ran_check = place.succeed(&["check", &source, "--format", "json"]);
        let report: serde_json::Value = serde_json::from_str(&ran_check.stdout).unwrap();
        let counts = &report["summary"];
        assert_eq!(
            (&counts["errors"], &counts["warnings"]),
            (&0.into(), &0.into())
        );
        // The commands that it names, where it names them.
        let (_, next) = ran.stderr.split_once("next").unwrap();
        let commands: Vec<&str> = next
            .lines()
            .filter_map(|line| line.strip_prefix("  RulebookTranslator "))
            .collect();
        assert!(commands.len() >= 5, "{}", ran.stderr);
        for command in commands {
            let line = format!("exec \"$0\" {command}");
            let mut shell = std::process::Command::new("sh");
            shell.args(["-c", &line, env!("CARGO_BIN_EXE_RulebookTranslator")]);
            let output = shell.current_dir(place.path(folder)).output().unwrap();
            assert!(output.status.success(), "{command}: {output:?}");
        }
        assert!(place.path(folder).join("opa/Rulebook.rego").is_file());
    }
}

#[test]
fn nothing_is_replaced_and_nothing_half_written() {
    for file in &FILES[..3] {
        let place = Place::new();
        place.write(file, "mine");
        let ran = place.run(&["init"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{file}");
        assert!(
            ran.stderr
                .starts_with(&format!("error[RB0661]\n  × there already: `{file}`\n")),
            "{}",
            ran.stderr
        );
        assert_eq!(place.names("."), [*file]);
        assert_eq!(place.read(file), b"mine");
    }
    let place = Place::new();
    place.write("file", "");
    for arguments in [&["init", "file"][..], &["init", "file/below"]] {
        let ran = place.run(arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{arguments:?}");
    }
    assert_eq!(place.names("."), ["file"]);
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_is_there_too() {
    let place = Place::new();
    std::os::unix::fs::symlink("nowhere", place.path("rulebook.toml")).unwrap();
    let ran = place.run(&["init"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert_eq!(place.names("."), ["rulebook.toml"]);
}

#[test]
fn attributes_of_a_repository_are_left_and_completed_by_hand() {
    let place = Place::new();
    place.write(".gitattributes", "*.png binary\n");
    let ran = place.succeed(&["init"]);
    assert!(!ran.stdout.contains(".gitattributes"), "{}", ran.stdout);
    assert!(
        ran.stderr.contains("\n  *.co text eol=lf\n"),
        "{}",
        ran.stderr
    );
    assert_eq!(place.read(".gitattributes"), b"*.png binary\n");
}

/// The tests reach all of the rulebook, and make no warning; the rulebook is in canonical style.
#[test]
fn what_is_begun_is_an_example_to_follow() {
    let place = Place::new();
    place.succeed(&["init"]);
    let ran = place.succeed(&[
        "test",
        "--coverage",
        "--threshold",
        "100",
        "--deny",
        "warnings",
    ]);
    assert!(ran.stdout.contains(" 0 failed"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("not reached"), "{}", ran.stdout);
    place.succeed(&["fmt", "--check", "policy.co"]);
    place.succeed(&["emit"]);
    place.succeed(&["emit", "--check"]);
}

#[test]
fn continuous_integration_is_begun_where_it_runs() {
    for (ci, file, blank) in [
        (
            "github",
            ".github/workflows/rulebooks.yml",
            "OWNER/REPOSITORY",
        ),
        ("gitlab", ".gitlab-ci.yml", "ADDRESS"),
    ] {
        let place = Place::new();
        let ran = place.succeed(&["init", "a", "--ci", ci]);
        assert!(ran.stdout.contains(&format!("wrote a/{file}\n")), "{ran:?}");
        assert!(ran.stderr.contains(&format!("in `a/{file}`, ")), "{ran:?}");
        let text = String::from_utf8(place.read(format!("a/{file}"))).unwrap();
        assert!(text.contains(blank) && !text.contains("VERSION"), "{text}");
        assert!(
            text.contains(concat!("v", env!("CARGO_PKG_VERSION"))),
            "{text}"
        );
        let again = place.run(&["init", "a", "--name", "other", "--ci", ci]);
        assert_eq!(again.code, 2);
        assert!(again.stderr.contains(file), "{}", again.stderr);
    }
}

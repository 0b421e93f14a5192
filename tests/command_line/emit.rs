//! `emit`: what is written, what is refused, what `--check` finds.

use super::{BROKEN, Place, Ran, SHOP};

const IR: &str = "rulebook.ir.json";
const REGO: &str = "Rulebook.rego";

const EMIT: &[&str] = &["emit", "policy.co", "--out-dir", "opa"];
const CHECK: &[&str] = &["emit", "policy.co", "--out-dir", "opa", "--check"];

fn emitted() -> Place {
    let place = Place::with_shop();
    place.succeed(EMIT);
    place
}

fn artifacts(place: &Place) -> (Vec<u8>, Vec<u8>) {
    (
        place.read(format!("opa/{IR}")),
        place.read(format!("opa/{REGO}")),
    )
}

fn edit(place: &Place, file: &str, from: &str, to: &str) {
    let path = format!("opa/{file}");
    let text = String::from_utf8(place.read(&path)).unwrap();
    assert!(text.contains(from), "{text}");
    place.write(path, text.replacen(from, to, 1));
}

/// Checks, and returns the codes that were found and the run.
fn check(place: &Place) -> (Vec<String>, Ran) {
    let ran = place.run(CHECK);
    assert_eq!(ran.stdout, "");
    let codes: Vec<String> = ran
        .stderr
        .lines()
        .filter_map(|line| line.strip_prefix("error[")?.strip_suffix(']'))
        .map(str::to_owned)
        .collect();
    assert_eq!(ran.code, i32::from(!codes.is_empty()), "{ran:?}");
    (codes, ran)
}

#[test]
fn the_paths_are_all_that_is_said() {
    let place = Place::with_shop();
    for _ in 0..2 {
        let ran = place.succeed(EMIT);
        assert_eq!(
            ran.stdout,
            "wrote opa/rulebook.ir.json\nwrote opa/Rulebook.rego\n"
        );
        assert_eq!(ran.stderr, "proved (49 points)\n");
        assert_eq!(place.names("opa"), [REGO, IR]);
    }
    let ran = place.succeed(&["emit", "./policy.co"]);
    assert_eq!(ran.stdout, "wrote rulebook.ir.json\nwrote Rulebook.rego\n");
    let ran = place.succeed(&["emit", "policy.co", "--target", "ir", "--out-dir", "ir"]);
    assert_eq!(ran.stdout, "wrote ir/rulebook.ir.json\n");
    // There is no Rego to prove.
    assert_eq!(ran.stderr, "");
    assert_eq!(place.names("ir"), [IR]);
}

#[test]
fn the_same_source_gives_the_same_bytes_from_everywhere() {
    let place = emitted();
    let expected = artifacts(&place);
    let crlf = SHOP.replace('\n', "\r\n");
    for text in [
        crlf.clone(),
        format!("\u{FEFF}{SHOP}"),
        format!("\u{FEFF}{crlf}"),
    ] {
        place.write("policy.co", text);
        place.succeed(EMIT);
        assert_eq!(artifacts(&place), expected);
    }
    place.write("policy.co", SHOP);
    std::fs::create_dir(place.path("elsewhere")).unwrap();
    let out = place.path("opa");
    let source = place.path("policy.co");
    let arguments = [
        "emit".as_ref(),
        source.as_os_str(),
        "--out-dir".as_ref(),
        out.as_os_str(),
    ];
    let output = place
        .command(&arguments)
        .current_dir(place.path("elsewhere"))
        .output()
        .unwrap();
    assert!(output.status.success());
    assert_eq!(artifacts(&place), expected);
    // And from the IR itself.
    place.succeed(&["emit", "opa/rulebook.ir.json", "--out-dir", "again"]);
    assert_eq!(place.read(format!("again/{IR}")), expected.0);
    assert_eq!(place.read(format!("again/{REGO}")), expected.1);
}

#[test]
fn errors_and_denied_warnings_write_nothing() {
    let place = emitted();
    let before = artifacts(&place);
    place.write("policy.co", BROKEN);
    let ran = place.run(EMIT);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    assert!(
        ran.stderr
            .ends_with("1 error in policy.co; nothing is emitted\n"),
        "{}",
        ran.stderr
    );
    assert_eq!(artifacts(&place), before);
    // A guard that fails open where the host says nothing.
    place.write(
        "policy.co",
        "define flow t\n  if not $blocked\n    execute t\n  else\n    bot refuse\n",
    );
    let denied = [EMIT, &["--deny", "warnings"]].concat();
    let ran = place.run(&denied);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{}", ran.stderr);
    assert!(ran.stderr.contains("warnings are denied"), "{}", ran.stderr);
    assert_eq!(artifacts(&place), before);
    let ran = place.succeed(EMIT);
    assert!(ran.stderr.contains("warning[RB"), "{}", ran.stderr);
    assert_ne!(artifacts(&place), before);
}

#[test]
fn check_says_when_all_is_well() {
    let (codes, ran) = check(&emitted());
    assert_eq!(codes, [""; 0]);
    assert_eq!(
        ran.stderr,
        "the artifacts in opa are current\nproved (49 points)\n"
    );
}

#[test]
fn check_names_a_stale_set() {
    let place = emitted();
    place.write("policy.co", format!("# changed\n{SHOP}"));
    let (codes, ran) = check(&place);
    assert_eq!(codes, ["RB0641", "RB0641"]);
    assert!(
        ran.stderr
            .ends_with("2 differences in opa; the first: `opa/rulebook.ir.json` is stale: it was emitted from another text of `policy.co`\n"),
        "{}",
        ran.stderr
    );
    place.succeed(EMIT);
    assert_eq!(check(&place).0, [""; 0]);
}

#[test]
fn check_names_a_pair_that_was_half_replaced() {
    let place = emitted();
    let (_, old_rego) = artifacts(&place);
    place.write("policy.co", format!("# changed\n{SHOP}"));
    place.succeed(EMIT);
    // As a kill between the two renames leaves it.
    place.write(format!("opa/{REGO}"), old_rego);
    assert_eq!(check(&place).0, ["RB0641"]);
}

#[test]
fn check_names_another_translator() {
    let place = emitted();
    let version = env!("CARGO_PKG_VERSION");
    edit(
        &place,
        REGO,
        &format!("# translator {version}"),
        "# translator 9.9.9",
    );
    let (codes, ran) = check(&place);
    assert_eq!(codes, ["RB0642"]);
    let said = format!("was emitted by translator 9.9.9, this is {version}");
    assert!(ran.stderr.contains(&said), "{}", ran.stderr);
}

#[test]
fn check_finds_every_changed_byte() {
    let place = emitted();
    for file in [IR, REGO] {
        let path = format!("opa/{file}");
        let bytes = place.read(&path);
        // A process for each byte would take long; every 37th is met at some place of all lines.
        for at in (0..bytes.len()).step_by(37) {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            place.write(&path, &changed);
            assert_eq!(check(&place).0.len(), 1, "byte {at} of {file}");
        }
        for changed in [
            &bytes[..bytes.len() - 1],
            &[],
            &[&bytes[..], b"\n"].concat(),
        ] {
            place.write(&path, changed);
            assert_eq!(check(&place).0, ["RB0643"], "{file}");
        }
        place.write(&path, bytes);
    }
    assert_eq!(check(&place).0, [""; 0]);
}

#[test]
fn check_names_what_is_missing_and_what_is_too_much() {
    let place = emitted();
    place.write(
        "opa/helper.rego",
        "package stalwart.policy\n\nimport rego.v1\n",
    );
    place.write("opa/helper_test.rego", "package stalwart.policy_test\n");
    place.write("opa/notes.md", "package stalwart.policy\n");
    let (codes, ran) = check(&place);
    assert_eq!(codes, ["RB0645"]);
    assert!(
        ran.stderr
            .contains("`opa/helper.rego` is extra: it declares package `stalwart.policy` too")
    );
    assert!(!ran.stderr.contains("notes.md"));
    std::fs::remove_file(place.path("opa/helper.rego")).unwrap();
    std::fs::remove_file(place.path(format!("opa/{REGO}"))).unwrap();
    assert_eq!(check(&place).0, ["RB0644"]);
    std::fs::remove_dir_all(place.path("opa")).unwrap();
    assert_eq!(check(&place).0, ["RB0644", "RB0644"]);
}

#[test]
fn check_with_the_ir_alone_calls_the_rego_extra() {
    let place = emitted();
    let arguments = [CHECK, &["--target", "ir"]].concat();
    let ran = place.run(&arguments);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("error[RB0645]"), "{}", ran.stderr);
    std::fs::remove_file(place.path(format!("opa/{REGO}"))).unwrap();
    place.succeed(&arguments);
}

#[test]
fn another_rulebooks_folder_is_left_alone() {
    let place = emitted();
    let before = artifacts(&place);
    place.write("other.co", SHOP);
    for arguments in [
        &["emit", "other.co", "--out-dir", "opa"][..],
        &[
            "emit",
            "other.co",
            "--out-dir",
            "opa",
            "--package",
            "stalwart.policy",
        ],
        &[
            "emit",
            "policy.co",
            "--out-dir",
            "opa",
            "--package",
            "shop.gate",
        ],
    ] {
        let ran = place.run(arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(ran.stderr.contains("error[RB0646]"), "{}", ran.stderr);
        assert_eq!(artifacts(&place), before);
    }
}

#[test]
fn an_ir_is_not_parted_from_its_rego() {
    let place = emitted();
    let alone = [EMIT, &["--target", "ir"]].concat();
    place.succeed(&alone);
    let before = artifacts(&place);
    place.write("policy.co", format!("# changed\n{SHOP}"));
    let ran = place.run(&alone);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("error[RB0650]"), "{}", ran.stderr);
    assert_eq!(artifacts(&place), before);
}

#[test]
fn names_that_give_no_package_need_one() {
    let place = Place::new();
    for name in [
        "my-rules.co",
        "a.b.co",
        "if.co",
        "policy_test.co",
        "mudança.co",
    ] {
        place.write(name, SHOP);
        let ran = place.run(&["emit", name, "--out-dir", "opa"]);
        assert_eq!(ran.code, 2);
        assert!(ran.stderr.contains("error[RB0647]"), "{}", ran.stderr);
        assert!(ran.stderr.contains("--package NAME"), "{}", ran.stderr);
        assert!(!place.path("opa").exists());
        place.succeed(&[
            "emit",
            name,
            "--out-dir",
            name.trim_end_matches(".co"),
            "--package",
            "shop.gate",
        ]);
    }
    let rego = String::from_utf8(place.read("my-rules/Rulebook.rego")).unwrap();
    assert!(rego.contains("\npackage shop.gate\n"), "{rego}");
    // What else is wrong is said in the same run.
    place.write("my-rules.co", BROKEN);
    let ran = place.run(&["emit", "my-rules.co"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("[my-rules.co:2:"), "{}", ran.stderr);
}

#[cfg(unix)]
#[test]
fn links_are_replaced_and_not_followed() {
    let place = emitted();
    let expected = artifacts(&place);
    for file in [IR, REGO] {
        place.write(format!("victims/{file}"), "untouched");
        let path = place.path(format!("opa/{file}"));
        std::fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink(place.path(format!("victims/{file}")), &path).unwrap();
    }
    assert_eq!(check(&place).0, ["RB0643", "RB0643"]);
    place.succeed(EMIT);
    assert_eq!(artifacts(&place), expected);
    for file in [IR, REGO] {
        assert_eq!(place.read(format!("victims/{file}")), b"untouched");
        let path = place.path(format!("opa/{file}"));
        assert!(!path.symlink_metadata().unwrap().is_symlink());
    }
}

#[test]
fn a_folder_in_the_way_leaves_everything_as_it_was() {
    let place = emitted();
    let ir = place.read(format!("opa/{IR}"));
    std::fs::remove_file(place.path(format!("opa/{REGO}"))).unwrap();
    place.write(format!("opa/{REGO}/inside"), "x");
    place.write("policy.co", format!("# changed\n{SHOP}"));
    let ran = place.run(EMIT);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("error[RB0640]"), "{}", ran.stderr);
    assert_eq!(place.read(format!("opa/{IR}")), ir);
    assert_eq!(place.names("opa"), [REGO, IR]);
}

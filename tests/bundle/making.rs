//! Making bundles: the same bytes everywhere, what is overwritten, what `--check` tells apart.

use std::process::Command;

use stalwart::provenance::sha256;

use super::{PLAIN, SIGNED, make, pack, place, unpack};
use crate::command_line::{BROKEN, Place};

/// Of the shop's signed bundle. It changes with the version, and where the package, the IR or the
/// bundle itself are meant to change, and for no other reason: not by the machine.
const GOLDEN: &str = "f9c9b5622261a0a6590e80d73ad374e4b6823c05791b9aa1451e83361a7b63ab";

#[test]
fn bytes_are_the_same_everywhere() {
    let place = place();
    make(&place, SIGNED);
    let golden = place.read("bundle.tar.gz");
    assert_eq!(sha256(&golden), GOLDEN);
    for entry in place.names(".") {
        let bytes = place.read(&entry);
        place.write(format!("far/away/Ünï code/{entry}"), bytes);
    }
    let away = place.path("far/away/Ünï code");
    let program = env!("CARGO_BIN_EXE_RulebookTranslator");
    for (mask, zone, locale, user) in [
        ("077", "Pacific/Kiritimati", "de_DE.UTF-8", "somebody"),
        ("000", "America/New_York", "C", "else"),
    ] {
        // Times of files, too, are others than before.
        let script = format!("umask {mask}; exec \"$0\" \"$@\"");
        let ran = Command::new("sh")
            .args(["-c", &script, program])
            .args(PLAIN)
            .args(SIGNED)
            .arg("--no-proof")
            .current_dir(&away)
            .env_clear()
            .env("TZ", zone)
            .env("LC_ALL", locale)
            .env("USER", user)
            .env("SOURCE_DATE_EPOCH", "1234567890")
            .output()
            .unwrap();
        assert!(ran.status.success(), "{ran:?}");
        assert_eq!(std::fs::read(away.join("bundle.tar.gz")).unwrap(), golden);
        std::fs::remove_file(away.join("bundle.tar.gz")).unwrap();
    }
}

/// What emits names the same: a source, its IR, and a source with other line ends.
#[test]
fn an_ir_gives_the_bundle_of_its_source() {
    let place = place();
    make(&place, &[]);
    let golden = place.read("bundle.tar.gz");
    let members = unpack(&golden);
    let names: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            ".manifest",
            "stalwart/policy/Rulebook.rego",
            "stalwart/policy/rulebook.ir.json"
        ]
    );
    place.succeed(&["emit", "policy.co"]);
    for (name, bytes) in &members[1..] {
        let beside = name.rsplit('/').next().unwrap();
        assert!(place.read(beside) == *bytes, "{name}");
    }
    place.succeed(&["bundle", "rulebook.ir.json", "--out", "of-ir.tar.gz"]);
    assert!(place.read("of-ir.tar.gz") == golden);
    let text = String::from_utf8(place.read("policy.co")).unwrap();
    place.write("policy.co", text.replace('\n', "\r\n"));
    place.succeed(&["bundle", "policy.co", "--out", "of-windows.tar.gz"]);
    assert!(place.read("of-windows.tar.gz") == golden);
}

#[test]
fn what_is_said_goes_to_its_stream_and_folders_are_created() {
    let place = place();
    let ran = place.succeed(&["bundle", "policy.co", "--out", "build/a/policy.tar.gz"]);
    assert_eq!(ran.stdout, "wrote build/a/policy.tar.gz\n");
    assert!(ran.stderr.starts_with("proved ("), "{}", ran.stderr);
    let again = place.succeed(&[
        "bundle",
        "policy.co",
        "--out",
        "build/a/policy.tar.gz",
        "--package",
        "stalwart.policy",
    ]);
    assert_eq!(again.stdout, ran.stdout);
    assert_eq!(place.names("build/a"), ["policy.tar.gz"]);
}

#[test]
fn the_project_gives_the_package_and_what_is_denied() {
    let place = place();
    place.write(
        "rulebook.toml",
        "[[rulebook]]\npath = \"policy.co\"\npackage = \"shop.gate\"\n",
    );
    make(&place, &[]);
    let members = unpack(&place.read("bundle.tar.gz"));
    assert_eq!(members[1].0, "shop/gate/Rulebook.rego");
    let manifest: serde_json::Value = serde_json::from_slice(&members[0].1).unwrap();
    assert_eq!(manifest["roots"], serde_json::json!(["shop/gate"]));
    assert_eq!(manifest["rego_version"], 1);
}

#[test]
fn nothing_is_written_where_there_are_errors() {
    for (arguments, text, code) in [
        (PLAIN, BROKEN, 1),
        (
            &[PLAIN, &["--deny", "warnings"]].concat(),
            "define flow a\n  if not $blocked\n    execute t\n",
            1,
        ),
        (&["bundle", "missing.co", "--out", "bundle.tar.gz"], "", 2),
        (&["bundle", "-", "--out", "bundle.tar.gz"], "", 2),
        (&[PLAIN, &["--package", "a..b"]].concat(), "", 2),
        (&[PLAIN, &["--signing-key", "missing.pem"]].concat(), "", 2),
        (&["bundle", "policy.co", "--out", "keys"], "", 2),
    ] {
        let place = Place::with_shop();
        place.write("keys/none", "");
        if !text.is_empty() {
            place.write("policy.co", text);
        }
        let ran = place.run(arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (code, ""), "{ran:?}");
        assert_eq!(place.names("."), ["keys", "policy.co"], "{arguments:?}");
        assert_eq!(place.names("keys"), ["none"]);
    }
}

#[test]
fn only_a_bundle_of_this_rulebook_is_overwritten() {
    let place = place();
    make(&place, SIGNED);
    let text = String::from_utf8(place.read("policy.co")).unwrap();
    place.write("policy.co", format!("# changed\n{text}"));
    make(&place, SIGNED);
    place.write("other.co", &text);
    let golden = place.read("bundle.tar.gz");
    let mut damaged = golden.clone();
    damaged.truncate(golden.len() - 9);
    for (name, bytes) in [
        ("other", golden.as_slice()),
        ("text", b"my own work"),
        ("empty", b""),
        ("damaged", &damaged),
        ("archive", &pack(&[("a.txt".to_owned(), Vec::new())])),
    ] {
        place.write(name, bytes);
        let source = if name == "other" {
            "other.co"
        } else {
            "policy.co"
        };
        let ran = place.run(&["bundle", source, "--out", name]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{ran:?}");
        assert!(ran.stderr.contains("RB0693"), "{}", ran.stderr);
        assert!(place.read(name) == bytes, "{name}");
    }
}

#[test]
fn a_check_says_what_differs_and_writes_nothing() {
    let place = place();
    let check = |more: &[&str]| place.run(&[PLAIN, &["--check", "--no-proof"], more].concat());
    let differs = |more: &[&str], said: &str| {
        let before = place.names(".");
        let ran = check(more);
        assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{said}: {ran:?}");
        assert!(ran.stderr.contains(said), "{said}: {}", ran.stderr);
        assert_eq!(place.names("."), before);
    };
    let holds = |more: &[&str], said: &str| {
        let ran = check(more);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, said), "{ran:?}");
    };
    differs(&[], "`bundle.tar.gz` is missing");
    make(&place, &[]);
    holds(&[], "the bundle bundle.tar.gz is current\n");
    differs(SIGNED, "is not signed");
    differs(
        &["--adapter", "http"],
        "does not hold `stalwart/policy/Rulebook_http.rego`",
    );
    differs(
        &["--package", "shop.gate"],
        "belongs to `policy.co`, roots `stalwart/policy`",
    );
    let plain = place.read("bundle.tar.gz");

    make(&place, SIGNED);
    holds(SIGNED, "the bundle bundle.tar.gz is current\n");
    holds(
        &[],
        "the bundle bundle.tar.gz is current; its signature covers it, and is not checked without \
         the key\n",
    );
    differs(&SIGNED[..4], "is signed otherwise");
    let signed = place.read("bundle.tar.gz");

    // The signature of other files, on these.
    let mut members = unpack(&signed);
    members[0].1 = unpack(&plain)[0].1.clone();
    let text = String::from_utf8(members[2].1.clone()).unwrap();
    members[2].1 = text.replace("allow", "refuse").into_bytes();
    place.write("bundle.tar.gz", pack(&members));
    differs(&[], "holds another `stalwart/policy/Rulebook.rego`");
    place.succeed(&[
        "bundle",
        "policy.co",
        "--out",
        "gate.tar.gz",
        "--no-proof",
        "--package",
        "a.b",
        "--signing-key",
        "signing.pem",
    ]);
    let mut members = unpack(&signed);
    members[1] = unpack(&place.read("gate.tar.gz"))[1].clone();
    place.write("bundle.tar.gz", pack(&members));
    differs(&[], "has signatures that do not cover what is in it");

    place.write("bundle.tar.gz", pack(&unpack(&plain)));
    differs(&[], "compressed otherwise");
    let mut more = unpack(&plain);
    more.push((
        "stalwart/policy/more.rego".to_owned(),
        b"package a".to_vec(),
    ));
    place.write("bundle.tar.gz", pack(&more));
    differs(&[], "holds `stalwart/policy/more.rego`");
    place.write("bundle.tar.gz", &plain[..plain.len() / 2]);
    differs(&[], "RB0692");

    place.write("bundle.tar.gz", &plain);
    let text = String::from_utf8(place.read("policy.co")).unwrap();
    place.write("policy.co", format!("# changed\n{text}"));
    differs(&[], "`bundle.tar.gz` is stale");
}

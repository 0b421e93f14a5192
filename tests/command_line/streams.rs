//! Streams that are closed, full or no terminal; colours.

use std::process::Stdio;

use super::{BROKEN, Place, Ran};

/// Runs with a standard output that nobody reads.
fn run_unread(place: &Place, arguments: &[&str]) -> Ran {
    let mut child = place
        .command(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    child.wait_with_output().unwrap().into()
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let place = Place::with_shop();
    place.write("broken.co", BROKEN);
    place.write(
        "calls.jsonl",
        "{\"tool\": \"refund_card\"}\n".repeat(200_000),
    );
    for (code, arguments) in [
        (0, &["explain"][..]),
        (0, &["--help"]),
        (0, &["generate", "diagnostics"]),
        (0, &["check", "policy.co"]),
        (1, &["check", "broken.co"]),
        (1, &["check", "broken.co", "--format", "json"]),
        (0, &["emit", "policy.co", "--out-dir", "opa", "--no-proof"]),
        (0, &["eval", "policy.co", "--input", "calls.jsonl"]),
    ] {
        let ran = run_unread(&place, arguments);
        assert_eq!((ran.code, ran.stderr.as_str()), (code, ""), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn answers_that_cannot_be_written_are_a_failure() {
    let place = Place::with_shop();
    for arguments in [
        &["explain"][..],
        &["check", "policy.co"],
        &[
            "eval",
            "policy.co",
            "--tool",
            "refund_card",
            "--context",
            "{}",
        ],
    ] {
        let full = std::fs::File::options()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let ran: Ran = place
            .command(arguments)
            .stdout(full)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
            .wait_with_output()
            .unwrap()
            .into();
        assert_eq!(ran.code, 2, "{arguments:?}");
        assert_eq!(
            ran.stderr,
            "error: standard output cannot be written: no space is left on the device\n"
        );
    }
}

#[test]
fn colours_are_used_only_when_asked_for() {
    let place = Place::new();
    place.write("broken.co", BROKEN);
    let escape = '\u{1b}';
    for arguments in [
        &["check", "broken.co"][..],
        &["emit", "broken.co"],
        &["--help"],
        &["check", "--help"],
        &["explain", "RB9999"],
        &["nonsense"],
        &["check", "broken.co", "--color", "never"],
    ] {
        let ran = place.run(arguments);
        assert!(
            !(ran.stdout + &ran.stderr).contains(escape),
            "{arguments:?}"
        );
    }
    for arguments in [
        &["check", "broken.co", "--color", "always"][..],
        &["emit", "broken.co", "--color=always"],
        &["--color=always", "--help"],
    ] {
        let ran = place.run(arguments);
        assert!((ran.stdout + &ran.stderr).contains(escape), "{arguments:?}");
    }
    // Asking on the command line is stronger than the environment.
    let asked = ["check", "broken.co", "--color", "always"];
    let output = place.command(&asked).env("NO_COLOR", "1").output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains(escape));
}

//! Text that tries to act on a terminal, a comment or JSON.

use stalwart::text::is_invisible;

use super::{Place, Ran};

/// What must not reach a terminal or an artifact as it is.
const HARM: &str = "x\u{1b}[31m\u{7}\u{7f}\u{9b}31m\u{202e}\u{2066}\u{2028}\u{200f}y";

fn assert_harmless(text: &str, what: &str) {
    let found = text.chars().find(|c| is_invisible(*c) && *c != '\n');
    assert_eq!(found, None, "{what}: {text}");
}

fn assert_harmless_run(ran: &Ran, what: &str) {
    assert_harmless(&ran.stdout, what);
    assert_harmless(&ran.stderr, what);
}

/// A rulebook whose names try to leave their comments and strings.
fn hostile() -> String {
    format!(
        "define bot \"refuse {HARM} \\\" \\\\ # \\n }}\"\n  \"{HARM} \\\" \\\\ \\n # text\"\n\n\
        define flow \"refunds {HARM} \\n # ' }}\"\n  if $order_paid\n    execute refund_card(reason=\"{HARM}\\n\")\n  \
        else if $kind == \"{HARM} \\\" \\\\ \\n #\"\n    bot \"refuse {HARM} \\\" \\\\ # \\n }}\"\n  else\n    bot refuse\n"
    )
}

#[test]
fn hostile_names_stay_where_they_are() {
    let place = Place::new();
    place.write("policy.co", hostile());
    for arguments in [
        &["check", "policy.co"][..],
        &["check", "policy.co", "--format", "json"],
        &["emit", "policy.co", "--out-dir", "opa"],
        &[
            "eval",
            "policy.co",
            "--tool",
            "refund_card",
            "--context",
            "{}",
        ],
    ] {
        assert_harmless_run(&place.run(arguments), &format!("{arguments:?}"));
    }
    for file in ["rulebook.ir.json", "Rulebook.rego"] {
        let text = String::from_utf8(place.read(format!("opa/{file}"))).unwrap();
        assert_harmless(&text.replace('\t', ""), file);
    }
}

#[test]
fn hostile_text_in_errors_is_shown_and_does_not_act() {
    let place = Place::new();
    for text in [
        format!("define flow {HARM}\n  execute ({HARM}\n"),
        format!("{HARM}\n"),
        format!("define flow a\n  if ${HARM}\n    stop\n"),
        format!("define flow a\n  bot \"{HARM}\n"),
        format!("define flow a\n  do {HARM}\n"),
        format!("# {HARM}\ndefine flow a\n\texecute {HARM}\n"),
        format!("define flow a\n  {}\n", HARM.repeat(500)),
    ] {
        place.write("policy.co", &text);
        for arguments in [
            &["check", "policy.co"][..],
            &["check", "policy.co", "--format", "json"],
            &["emit", "policy.co"],
        ] {
            let ran = place.run(arguments);
            assert_harmless_run(&ran, &format!("{arguments:?} {text:?}"));
            assert!(ran.code <= 1, "{ran:?}");
        }
    }
}

#[cfg(unix)]
#[test]
fn hostile_file_names_and_arguments_are_shown_and_do_not_act() {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;

    let place = Place::new();
    let name = format!("{HARM}\n\t.co");
    let folder = format!("folder {HARM}");
    place.write(&name, super::BROKEN);
    place.write(format!("{folder}/{name}"), super::BROKEN);
    place.write("policy.co", super::SHOP);
    for arguments in [
        vec!["check", &name],
        vec!["check", &folder],
        vec!["check", &folder, "--format", "json"],
        vec!["check", HARM],
        vec!["emit", &name],
        vec!["emit", "policy.co", "--out-dir", &folder],
        vec!["emit", "policy.co", "--package", HARM],
        vec!["emit", "policy.co", "--check", "--out-dir", HARM],
        vec!["eval", &name, "--tool", HARM, "--context", "{}"],
        vec!["eval", "policy.co", "--tool", "t", "--context", HARM],
        vec![
            "eval",
            "policy.co",
            "--tool",
            "t",
            "--context",
            "@\u{1b}[31m",
        ],
        vec!["explain", HARM],
        vec![HARM],
        vec!["check", "policy.co", "--format", HARM],
        vec!["check", "policy.co", "--color", HARM],
    ] {
        assert_harmless_run(&place.run(&arguments), &format!("{arguments:?}"));
    }
    let report = place.run(&["check", &folder, "--format", "json"]).stdout;
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["files"][0]["file"], format!("{folder}/{name}"));
    // A name that is no text at all.
    let raw = OsString::from_vec(b"\xFF\xFE.co".to_vec());
    std::fs::write(place.path(&raw), super::BROKEN).unwrap();
    let ran = place.run(&["check".into(), raw]);
    assert_eq!(ran.code, 1);
    assert_harmless_run(&ran, "a name that is not UTF-8");
}

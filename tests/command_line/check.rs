//! `check`: findings of a file, of a folder, of standard input; for people and as JSON.

use serde_json::Value;

use super::{BROKEN, Place, SHOP};

fn json(stdout: &str) -> Value {
    serde_json::from_str(stdout).unwrap_or_else(|error| panic!("{error}\n{stdout}"))
}

#[test]
fn a_sound_file_gets_one_line() {
    let ran = Place::with_shop().succeed(&["check", "policy.co"]);
    assert_eq!(ran.stdout, "no findings in policy.co\n");
    assert_eq!(ran.stderr, "");
}

#[test]
fn findings_are_the_answer_and_counted() {
    let place = Place::new();
    place.write("broken.co", BROKEN);
    let ran = place.run(&["check", "broken.co"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.starts_with("error[RB0"), "{}", ran.stdout);
    assert!(ran.stdout.contains("[broken.co:2:"), "{}", ran.stdout);
    assert!(
        ran.stdout.ends_with("\n1 error in broken.co\n"),
        "{}",
        ran.stdout
    );
    assert_eq!(ran.stderr, "");
}

#[test]
fn a_folder_is_every_rulebook_below_it_by_path() {
    let place = Place::new();
    for name in ["p/b.co", "p/a/z.co", "p/a.co", "p/.hidden/c.co", "p/A.co"] {
        place.write(name, BROKEN);
    }
    place.write("p/other.txt", BROKEN);
    place.write("p/.co", BROKEN);
    std::fs::create_dir(place.path("p/folder.co")).unwrap();
    let report = json(&place.run(&["check", "p", "--format", "json"]).stdout);
    let files: Vec<&str> = report["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["file"].as_str().unwrap())
        .collect();
    // Folders with a dot are some program's own, such as the history of a repository.
    assert_eq!(files, ["p/A.co", "p/a.co", "p/a/z.co", "p/b.co"]);
    assert_eq!(report["summary"]["files"], 4);
    let hidden = place.run(&["check", "p/.hidden"]);
    assert!(hidden.stdout.contains("[p/.hidden/c.co:2:"), "{hidden:?}");
    let human = place.run(&["check", "p"]);
    assert!(
        human.stdout.ends_with("\n4 errors in 4 files\n"),
        "{}",
        human.stdout
    );
    // From elsewhere, and by an absolute path, the same files have their own names.
    let here = place.path("p");
    let ran = place
        .command(&["check", here.to_str().unwrap()])
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&ran.stdout).contains("[p/a.co:2:"));
}

#[test]
fn json_is_one_object_of_the_promised_shape() {
    let place = Place::new();
    place.write(
        "broken.co",
        format!("\u{FEFF}# é\r\n{}", BROKEN.replace('\n', "\r\n")),
    );
    let ran = place.run(&["check", "broken.co", "--format", "json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    let report = json(&ran.stdout);
    assert_eq!(report["format"], "rulebook-check/1");
    let keys = |value: &Value| {
        let mut keys: Vec<String> = value.as_object().unwrap().keys().cloned().collect();
        keys.sort();
        keys.join(" ")
    };
    assert_eq!(keys(&report), "files format summary");
    assert_eq!(keys(&report["summary"]), "errors files notes warnings");
    assert_eq!(report["summary"]["errors"], 1);
    let file = &report["files"][0];
    assert_eq!(keys(file), "diagnostics file");
    assert_eq!(file["file"], "broken.co");
    let finding = &file["diagnostics"][0];
    assert_eq!(keys(finding), "code help labels message severity");
    assert_eq!(finding["severity"], "error");
    let label = &finding["labels"][0];
    assert_eq!(keys(label), "end start text");
    assert_eq!(keys(&label["start"]), "column line offset");
    assert_eq!(label["start"]["line"], 3);
    // `# é`, then the definition, each with two bytes of line end; the column counts from 1.
    let before = "# é\r\ndefine flow refunds\r\n".len() as u64;
    let column = label["start"]["column"].as_u64().unwrap();
    assert_eq!(label["start"]["offset"], before + column - 1);
}

#[test]
fn json_holds_what_could_not_be_read() {
    let place = Place::new();
    place.write("empty/readme.md", "");
    for (path, code) in [("missing.co", "RB0001"), ("empty", "RB0651")] {
        let ran = place.run(&["check", path, "--format", "json"]);
        assert_eq!((ran.code, ran.stderr.as_str()), (2, ""));
        let report = json(&ran.stdout);
        assert_eq!(report["files"][0]["file"], path);
        assert_eq!(report["files"][0]["diagnostics"][0]["code"], code);
        assert_eq!(
            report["files"][0]["diagnostics"][0]["labels"],
            serde_json::json!([])
        );
    }
}

#[test]
fn standard_input_is_a_file_too() {
    let place = Place::new();
    let ran = place.run_with(&["check", "-"], SHOP);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (0, "no findings in <stdin>\n")
    );
    let ran = place.run_with(&["check", "-"], BROKEN);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.contains("[<stdin>:2:"), "{}", ran.stdout);
}

#[test]
fn two_runs_print_the_same() {
    let place = Place::new();
    for number in 0..20 {
        place.write(format!("p/{number}.co"), BROKEN);
    }
    for format in ["human", "json"] {
        let run = || place.run(&["check", "p", "--format", format]).stdout;
        assert_eq!(run(), run());
    }
}

#[cfg(unix)]
#[test]
fn links_in_a_folder_cannot_lead_in_circles() {
    let place = Place::new();
    place.write("p/a.co", SHOP);
    place.write("elsewhere.co", SHOP);
    std::os::unix::fs::symlink(".", place.path("p/circle")).unwrap();
    std::os::unix::fs::symlink("../elsewhere.co", place.path("p/link.co")).unwrap();
    std::os::unix::fs::symlink("nowhere", place.path("p/dangling.co")).unwrap();
    let ran = place.run(&["check", "p", "--format", "json"]);
    let report = json(&ran.stdout);
    // A link that leads nowhere is a file that cannot be read, not a file that is not there.
    assert_eq!(
        (ran.code, &report["summary"]["files"]),
        (2, &Value::from(3))
    );
}

#[test]
fn an_ir_is_analysed_as_its_source_is() {
    const OPEN: &str = "define flow sending\n  if not $blocked\n    execute send_mail\n";
    let place = Place::new();
    place.write("open.co", OPEN);
    place.succeed(&["emit", "open.co", "--target", "ir"]);
    for file in ["open.co", "rulebook.ir.json"] {
        let ran = place.succeed(&["check", file]);
        assert!(ran.stdout.starts_with("warning[RB0401]"), "{}", ran.stdout);
        let denied = place.run(&["check", file, "--deny", "warnings"]);
        assert_eq!(denied.code, 1, "{denied:?}");
    }
    let ran = place.succeed(&["check", "rulebook.ir.json", "--format", "json"]);
    let finding = &json(&ran.stdout)["files"][0]["diagnostics"][0];
    assert_eq!(finding["labels"], serde_json::json!([]));
    let message = finding["message"].as_str().unwrap();
    assert!(message.ends_with(" (line 2 of `open.co`)"), "{message}");
    let emit = ["emit", "rulebook.ir.json", "--deny", "warnings"];
    assert_eq!(place.run(&emit).code, 1);
}

/// Of every fixture that compiles, the analyses say the same of the source and of the IR.
#[test]
fn analyses_do_not_depend_on_the_text() {
    let place = Place::new();
    let mut compared = 0;
    for path in crate::compiled::files("fixtures", "co") {
        let source = crate::compiled::root().join(path);
        let analyses = |file: &str| {
            let ran = place.run(&["check", file, "--format", "json"]);
            let report = json(&ran.stdout);
            let found = report["files"][0]["diagnostics"].as_array().unwrap();
            let mut codes: Vec<String> = found
                .iter()
                .map(|found| found["code"].as_str().unwrap().to_owned())
                .filter(|code| code.starts_with("RB04"))
                .collect();
            codes.sort();
            codes
        };
        let source = source.to_str().unwrap();
        let emit = [
            "emit",
            source,
            "--package",
            "a.b",
            "--target",
            "ir",
            "--out-dir",
            ".",
        ];
        if place.run(&emit).code == 0 {
            assert_eq!(analyses(source), analyses("rulebook.ir.json"), "{source}");
            std::fs::remove_file(place.path("rulebook.ir.json")).unwrap();
            compared += 1;
        }
    }
    assert!(compared > 40, "{compared}");
}

#[test]
fn analyses_can_be_left_out() {
    let place = Place::new();
    place.write(
        "policy.co",
        "define flow f\n  if not $blocked\n    execute t\n  else\n    bot refuse\n",
    );
    let whole = place.succeed(&["check", "policy.co"]);
    assert!(whole.stdout.contains("warning[RB0401]"), "{whole:?}");
    let quick = place.succeed(&["check", "policy.co", "--no-analyses"]);
    assert!(!quick.stdout.contains("RB0401"), "{quick:?}");
    place.write("policy.co", BROKEN);
    assert_eq!(place.run(&["check", "policy.co", "--no-analyses"]).code, 1);
}

//! The formats of `check`: one set of files in each of them, held to what reads the format.

use std::collections::BTreeSet;

use jsonschema::Validator;
use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::Value;
use stalwart::text::is_invisible;

use super::{BROKEN, Place, Ran, SHOP};
use crate::compiled::{files, root};

/// Every format that `--format` knows.
const FORMATS: [&str; 8] = [
    "human", "compact", "json", "jsonl", "sarif", "github", "gitlab", "junit",
];

/// Warnings, with the decision `{}` in a message.
const OPEN: &str = "define flow sending\n  if not $blocked\n    execute send_mail\n";

/// Errors with several places, one over more than a line, behind a byte order mark and CRLF.
const FAULTY: &str = "\u{FEFF}# é\r
define flow refunds\r
  if $order_paid != True\r
    bot refuse refund\r
  execute refund_card\r
\r
define flow transfers\r
  $ok = execute check_account\r
  if $ok\r
    execute transfer\r
";

/// A name and a text that would do harm in every format, if they came through as they are.
const HOSTILE_NAME: &str = "x/::error file=a,b::50%]]><&\"'[a](b) \u{1b}[31m\u{202e}\u{85}\n.co";
const HOSTILE_TEXT: &str = "define flow x\n  if $a == \"]]><&'[a](b){0}%0A::error::\u{202e}\u{7f}\u{fffe}\"\n    execut t\n  execute t]]>::y\n";

fn read(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn schema(path: &str) -> Validator {
    let text = std::fs::read_to_string(root().join(path)).unwrap();
    // The standard's schema has a bracket too many in the pattern of a key that we do not write.
    let text = text.replace("-[a-zA-Z]{2}]?$", "-[a-zA-Z]{2}$");
    let options = jsonschema::options().should_validate_formats(true);
    options.build(&read(&text)).unwrap()
}

#[track_caller]
fn must_fit(validator: &Validator, value: &Value) {
    let faults: Vec<String> = validator
        .iter_errors(value)
        .map(|fault| format!("{}: {fault}", fault.instance_path()))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A folder with a file of each kind.
#[cfg(unix)]
fn mixed() -> Place {
    let place = Place::new();
    place.write("p/sound.co", SHOP);
    place.write("p/faulty.co", FAULTY);
    place.write("p/open.co", OPEN);
    std::os::unix::fs::symlink("nowhere", place.path("p/unreadable.co")).unwrap();
    place
}

#[cfg(unix)]
#[test]
fn each_format_of_one_set_of_files() {
    let place = mixed();
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for format in FORMATS {
            let ran = place.run(&["check", "p", "--format", format, "--deny", "warnings"]);
            assert_eq!((ran.code, ran.stderr.as_str()), (2, ""), "{format}");
            let again = place.run(&["check", "p", "--format", format, "--deny", "warnings"]);
            assert_eq!(ran.stdout, again.stdout, "{format}");
            let version = env!("CARGO_PKG_VERSION");
            let text = ran.stdout.replace(&format!("\"{version}\""), "\"VERSION\"");
            insta::assert_snapshot!(format!("report.{format}"), text);
        }
    });
}

/// Whether a text is what the format's readers take. Returns how many findings it has.
fn must_be_well_formed(format: &str, text: &str) -> usize {
    let hidden = text.chars().find(|it| is_invisible(*it) && *it != '\n');
    assert_eq!(hidden, None, "{format}: {text}");
    match format {
        "human" => text.lines().filter(|line| is_head(line)).count(),
        "compact" => {
            for line in text.lines() {
                let (place, said) = line.split_once(": ").unwrap();
                assert!(!place.starts_with(':'), "{line}");
                assert!(is_head(said) || line.contains("]: "), "{line}");
            }
            text.lines().count()
        }
        "json" => {
            let report = read(text);
            must_fit(&schema("schema/rulebook-check-1.schema.json"), &report);
            let files = report["files"].as_array().unwrap();
            let of = |file: &Value| file["diagnostics"].as_array().unwrap().len();
            files.iter().map(of).sum()
        }
        "jsonl" => {
            let schema = schema("schema/rulebook-finding-1.schema.json");
            for line in text.lines() {
                must_fit(&schema, &read(line));
            }
            text.lines().count()
        }
        "sarif" => must_be_sarif(text),
        "github" => {
            for line in text.lines() {
                let command = line.strip_prefix("::").unwrap();
                let (head, _) = command.split_once("::").unwrap();
                let (name, properties) = head.split_once(' ').unwrap();
                assert!(["error", "warning", "notice"].contains(&name), "{line}");
                for property in properties.split(',') {
                    let (key, value) = property.split_once('=').unwrap();
                    assert!(key.chars().all(|it| it.is_ascii_alphabetic()), "{line}");
                    assert!(!value.is_empty() && !value.contains(':'), "{line}");
                }
            }
            text.lines().count()
        }
        "gitlab" => {
            let findings = read(text);
            let findings = findings.as_array().unwrap();
            let marks: BTreeSet<&str> = findings
                .iter()
                .map(|finding| finding["fingerprint"].as_str().unwrap())
                .collect();
            assert_eq!(marks.len(), findings.len());
            for finding in findings {
                assert!(finding["location"]["lines"]["begin"].as_u64() >= Some(1));
            }
            findings.len()
        }
        "junit" => must_be_junit(text),
        other => panic!("{other}"),
    }
}

fn is_head(line: &str) -> bool {
    ["error[RB", "warning[RB", "note[RB"]
        .iter()
        .any(|head| line.starts_with(head))
}

fn must_be_sarif(text: &str) -> usize {
    let log = read(text);
    must_fit(&schema("fixtures/schemas/sarif-schema-2.1.0.json"), &log);
    let run = &log["runs"][0];
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let driver = &run["tool"]["driver"];
    let must_be_at_home = |location: &Value| {
        let location = &location["physicalLocation"]["artifactLocation"];
        let index = location["index"].as_u64().unwrap() as usize;
        assert_eq!(location["uri"], run["artifacts"][index]["location"]["uri"]);
        let uri = location["uri"].as_str().unwrap();
        assert!(
            uri.is_ascii() && !uri.contains([' ', '<', '"', '[']),
            "{uri}"
        );
    };
    let results = list(&run["results"]);
    let mut marks = BTreeSet::new();
    for result in &results {
        let index = result["ruleIndex"].as_u64().unwrap() as usize;
        let rule = &driver["rules"][index];
        assert_eq!(rule["id"], result["ruleId"]);
        assert_eq!(rule["defaultConfiguration"]["level"], result["level"]);
        for location in list(&result["locations"])
            .iter()
            .chain(&list(&result["relatedLocations"]))
        {
            must_be_at_home(location);
        }
        let message = result["message"]["text"].as_str().unwrap();
        let without_braces = message.replace("{{", "").replace("}}", "");
        assert!(!without_braces.contains(['{', '}']), "{message}");
        assert!(!message.contains("]("), "{message}");
        let mark = &result["partialFingerprints"]["rulebookFinding/v1"];
        assert!(marks.insert(mark.as_str().unwrap().to_owned()), "{mark}");
    }
    let notifications = list(&run["invocations"][0]["toolExecutionNotifications"]);
    for notification in &notifications {
        let descriptor = &notification["descriptor"];
        let index = descriptor["index"].as_u64().unwrap() as usize;
        assert_eq!(driver["notifications"][index]["id"], descriptor["id"]);
        must_be_at_home(&notification["locations"][0]);
    }
    results.len() + notifications.len()
}

/// The document is whole, and each suite has as many cases and faults as it says.
fn must_be_junit(text: &str) -> usize {
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_end_names = true;
    let mut counted = [0usize; 3];
    let mut said = [0usize; 3];
    let mut findings = 0;
    loop {
        match reader.read_event().unwrap() {
            Event::Start(tag) | Event::Empty(tag) => {
                let attribute = |name: &str| {
                    let found = tag.try_get_attribute(name).unwrap()?;
                    let value = found.normalized_value(quick_xml::XmlVersion::Explicit1_0);
                    Some(value.unwrap().into_owned())
                };
                let number = |name: &str| attribute(name).unwrap().parse::<usize>().unwrap();
                match tag.name().as_ref() {
                    "testsuites" => {}
                    "testsuite" => {
                        assert_eq!(counted, said);
                        counted = [0; 3];
                        said = [number("tests"), number("failures"), number("errors")];
                    }
                    "testcase" => {
                        counted[0] += 1;
                        findings += usize::from(attribute("name").unwrap() != "no findings");
                    }
                    "failure" => counted[1] += 1,
                    "error" => counted[2] += 1,
                    "system-out" => {}
                    other => panic!("{other}"),
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(counted, said);
    findings
}

#[test]
fn every_fixture_in_every_format() {
    let place = Place::new();
    let fixtures = root().join("fixtures");
    let run = |format: &str| {
        let command = ["check", fixtures.to_str().unwrap(), "--format", format];
        place.run(&command).stdout
    };
    let wanted = must_be_well_formed("json", &run("json"));
    assert!(wanted > 150, "{wanted}");
    for format in FORMATS {
        let found = must_be_well_formed(format, &run(format));
        assert_eq!(found, wanted, "{format}");
    }
    let sound = must_be_well_formed("junit", &run("junit"));
    assert_eq!(sound, wanted);
    assert!(files("fixtures", "co").len() > 100);
}

#[cfg(unix)]
#[test]
fn nothing_gets_through_that_acts() {
    let place = mixed();
    place.write(HOSTILE_NAME, HOSTILE_TEXT);
    place.write("x/y/::a.co", BROKEN);
    for path in ["x", HOSTILE_NAME, "x/y"] {
        let mut counts = BTreeSet::new();
        for format in FORMATS {
            let ran = place.run(&["check", path, "--format", format]);
            assert_eq!(ran.code, 1, "{format}: {ran:?}");
            counts.insert(must_be_well_formed(format, &ran.stdout));
        }
        assert_eq!(counts.len(), 1, "{path}: {counts:?}");
    }
    // Read back, the name is itself where the format can say it.
    let ran = place.run(&["check", HOSTILE_NAME, "--format", "sarif"]);
    let uri = &read(&ran.stdout)["runs"][0]["artifacts"][0]["location"]["uri"];
    assert_eq!(decoded(uri.as_str().unwrap()), HOSTILE_NAME);
    for format in ["gitlab", "jsonl"] {
        let ran = place.run(&["check", HOSTILE_NAME, "--format", format]);
        let name = match format {
            "gitlab" => read(&ran.stdout)[0]["location"]["path"].clone(),
            _ => read(ran.stdout.lines().next().unwrap())["file"].clone(),
        };
        assert_eq!(name, HOSTILE_NAME, "{format}");
    }
    let mut inside = place.command(&["check", "::a.co", "--format", "compact"]);
    inside.current_dir(place.path("x/y"));
    let ran = Ran::from(inside.output().unwrap());
    assert!(ran.stdout.starts_with("./::a.co:2:"), "{ran:?}");
}

fn decoded(uri: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = uri.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next().unwrap(), rest.next().unwrap()];
            let digits = std::str::from_utf8(&digits).unwrap();
            bytes.push(u8::from_str_radix(digits, 16).unwrap());
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).unwrap()
}

#[test]
fn what_could_not_be_checked_is_in_every_format() {
    let place = Place::with_shop();
    place.write("empty/readme.md", "");
    for format in FORMATS {
        for path in ["missing.co", "empty"] {
            let ran = place.run(&["check", path, "--format", format]);
            assert_eq!((ran.code, ran.stderr.as_str()), (2, ""), "{format}");
            assert_eq!(must_be_well_formed(format, &ran.stdout), 1, "{format}");
        }
        let ran = place.succeed(&["check", "policy.co", "--format", format]);
        assert_eq!(must_be_well_formed(format, &ran.stdout), 0, "{format}");
        let ran = place.run_with(&["check", "-", "--format", format], BROKEN);
        assert_eq!((ran.code, ran.stderr.as_str()), (1, ""), "{format}");
        assert_eq!(must_be_well_formed(format, &ran.stdout), 1, "{format}");
    }
    let ran = place.run(&["check", "missing.co", "--format", "sarif"]);
    let invocation = &read(&ran.stdout)["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    assert_eq!(invocation["exitCode"], 2);
}

#[test]
fn a_report_can_go_to_a_file() {
    let place = Place::with_shop();
    place.write("broken.co", BROKEN);
    for format in FORMATS {
        let shown = place.run(&["check", "broken.co"]);
        let wanted = place.run(&["check", "broken.co", "--format", format]);
        let arguments = [
            "check",
            "broken.co",
            "--format",
            format,
            "--output",
            "report",
        ];
        let ran = place.run(&arguments);
        assert_eq!((ran.code, ran.stderr.as_str()), (1, ""), "{format}");
        assert_eq!(ran.stdout, shown.stdout, "{format}");
        let kept = String::from_utf8(place.read("report")).unwrap();
        assert_eq!(kept, wanted.stdout, "{format}");
    }
    let ran = place.run(&["check", "broken.co", "--format", "compact", "--output", "-"]);
    assert!(ran.stdout.starts_with("broken.co:2:"), "{ran:?}");
    assert_eq!(place.names("."), ["broken.co", "policy.co", "report"]);
}

#[test]
fn a_report_replaces_no_rulebook_and_needs_a_place() {
    let place = Place::with_shop();
    place.write("ir", "{}");
    for (path, output, code) in [
        ("policy.co", "policy.co", "RB0660"),
        (".", "policy.co", "RB0660"),
        (".", "new.co", "RB0660"),
        ("ir", "./ir", "RB0660"),
        ("policy.co", "rulebook.toml", "RB0660"),
        ("policy.co", "new.test.yaml", "RB0660"),
        ("policy.co", "opa/Rulebook.rego", "RB0660"),
        ("policy.co", "opa/rulebook.ir.json", "RB0660"),
        ("policy.co", "nowhere/report", "RB0640"),
        ("policy.co", ".", "RB0640"),
    ] {
        let ran = place.run(&["check", path, "--output", output]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{output}");
        assert!(ran.stderr.starts_with(&format!("error[{code}]")), "{ran:?}");
    }
    assert_eq!(place.read("policy.co"), SHOP.as_bytes());
    assert_eq!(place.names("."), ["ir", "policy.co"]);
}

/// The fixes of SARIF, made by hand in the text as long as there is one, give what
/// `check --fix` gives.
#[test]
fn fixes_are_those_that_check_makes() {
    let mut compared = 0;
    for path in files("fixtures/diagnostics", "co") {
        let text = std::fs::read_to_string(&path).unwrap();
        let place = Place::new();
        place.write("a.co", &text);
        let mut fixed = text.clone();
        while let Some(better) = first_fix(&place, &fixed) {
            fixed = better;
            place.write("a.co", &fixed);
        }
        if fixed == text {
            continue;
        }
        place.write("a.co", &text);
        place.run(&["check", "--fix", "a.co"]);
        let wanted = String::from_utf8(place.read("a.co")).unwrap();
        // What goes at the end of a line may leave a blank there, which `check --fix` takes too.
        let lines = |text: &str| -> Vec<String> {
            let lines = text.lines().map(str::trim_end);
            lines.map(str::to_owned).collect()
        };
        assert_eq!(lines(&fixed), lines(&wanted), "{}", path.display());
        compared += 1;
    }
    assert!(compared > 3, "{compared}");
}

/// The text with its first fix made, if there is one.
fn first_fix(place: &Place, text: &str) -> Option<String> {
    let log = read(&place.run(&["check", "a.co", "--format", "sarif"]).stdout);
    let results = log["runs"][0]["results"].as_array().unwrap();
    let fix = results.iter().find_map(|result| result["fixes"].get(0))?;
    let changes = fix["artifactChanges"][0]["replacements"].as_array();
    let mut fixed = text.to_owned();
    for change in changes.unwrap().iter().rev() {
        let region = &change["deletedRegion"];
        let start = offset(text, &region["startLine"], &region["startColumn"]);
        let end = offset(text, &region["endLine"], &region["endColumn"]);
        let inserted = change["insertedContent"]["text"].as_str().unwrap();
        fixed.replace_range(start..end, inserted);
    }
    Some(fixed)
}

/// The byte of a line and a column in characters, both from 1.
fn offset(text: &str, line: &Value, column: &Value) -> usize {
    let number = |value: &Value| value.as_u64().unwrap() as usize - 1;
    let before: usize = text
        .split_inclusive('\n')
        .take(number(line))
        .map(str::len)
        .sum();
    let characters = text[before..].char_indices().map(|(at, _)| at);
    let mut ends = characters.chain([text.len() - before]);
    before + ends.nth(number(column)).unwrap()
}

#[test]
fn schemas_are_printed() {
    let place = Place::new();
    for (format, file) in [
        ("check", "rulebook-check-1"),
        ("finding", "rulebook-finding-1"),
        ("ir", "rulebook-ir-1"),
        ("project", "rulebook-toml-1"),
        ("tests", "rulebook-tests-1"),
        ("vectors", "rulebook-vectors-1"),
    ] {
        let printed = place.succeed(&["schema", format]).stdout;
        let kept = std::fs::read_to_string(root().join(format!("schema/{file}.schema.json")));
        assert_eq!(printed, kept.unwrap(), "{format}");
        jsonschema::validator_for(&read(&printed)).unwrap();
    }
    assert_eq!(place.run(&["schema", "xml"]).code, 2);
}

//! Completions and pages of the manual: what shells and `man` make of them.

use std::process::{Command, Stdio};

use super::documentation::shown_commands;
use super::{Place, Ran};

const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

#[test]
fn every_shell_gets_every_command() {
    let place = Place::new();
    let commands = shown_commands();
    for shell in SHELLS {
        let script = place.succeed(&["completions", shell]).stdout;
        assert_eq!(
            script,
            place.succeed(&["completions", shell]).stdout,
            "{shell}"
        );
        for command in &commands {
            assert!(script.contains(command), "{shell}: {command}");
        }
        assert!(script.contains("deny"), "{shell}");
        assert!(!script.contains("conformance"), "{shell}");
    }
    assert_eq!(place.run(&["completions", "csh"]).code, 2);
}

/// A run of a program of the system; none where it is not there.
fn system(place: &Place, program: &str, arguments: &[&str]) -> Option<Ran> {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(place.path("."));
    match command.stdin(Stdio::null()).output() {
        Ok(output) => Some(output.into()),
        Err(_) => {
            eprintln!("SKIPPED: there is no {program} here");
            None
        }
    }
}

#[test]
fn bash_completes() {
    let place = Place::new();
    let script = place.succeed(&["completions", "bash"]).stdout;
    place.write("script", script);
    let complete = |words: &str, index: usize| {
        let text = format!(
            "source ./script; complete -p RulebookTranslator; COMP_WORDS=({words}); \
             COMP_CWORD={index}; _RulebookTranslator RulebookTranslator \
             \"${{COMP_WORDS[{index}]}}\" \"${{COMP_WORDS[{index}-1]}}\"; \
             echo \"${{COMPREPLY[@]}}\""
        );
        let ran = system(&place, "bash", &["--norc", "-c", &text])?;
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran:?}");
        let (registered, found) = ran.stdout.trim_end().split_once('\n').unwrap();
        assert!(
            registered.ends_with("-F _RulebookTranslator RulebookTranslator"),
            "{registered}"
        );
        Some(found.to_owned())
    };
    let Some(found) = complete("RulebookTranslator ver", 1) else {
        return;
    };
    assert_eq!(found, "verify");
    let found = complete("RulebookTranslator check --format s", 3).unwrap();
    assert_eq!(found, "sarif");
    let found = complete("RulebookTranslator check --o", 2).unwrap();
    assert_eq!(found, "--output");
}

#[test]
fn every_command_has_its_page() {
    let place = Place::new();
    let commands = shown_commands();
    let whole = place.succeed(&["man"]).stdout;
    assert_eq!(whole, place.succeed(&["man"]).stdout);
    let written = place.succeed(&["man", "--out-dir", "a/man1"]).stdout;
    let version = env!("CARGO_PKG_VERSION");
    let mut wanted = vec!["RulebookTranslator.1".to_owned()];
    let mut pages = vec![("RulebookTranslator.1".to_owned(), whole.clone())];
    for command in &commands {
        let page = place.succeed(&["man", command]).stdout;
        let name = format!("RulebookTranslator-{command}");
        let title = format!(".TH {name} 1  \"RulebookTranslator {version}\" ");
        assert!(page.contains(&title), "{page}");
        for heading in ["NAME", "SYNOPSIS", "OPTIONS", "EXAMPLES", "\"EXIT CODES\""] {
            assert!(page.contains(&format!(".SH {heading}\n")), "{page}");
        }
        assert!(whole.contains(&format!("\n.SS {command}\n")), "{command}");
        wanted.push(format!("{name}.1"));
        pages.push((format!("{name}.1"), page));
    }
    let lines: Vec<String> = wanted
        .iter()
        .map(|name| format!("wrote a/man1/{name}"))
        .collect();
    assert_eq!(written.lines().collect::<Vec<_>>(), lines);
    for (name, page) in pages {
        assert!(page.is_ascii(), "{name}");
        let kept = place.read(format!("a/man1/{name}"));
        assert_eq!(String::from_utf8(kept).unwrap(), page);
        let path = format!("a/man1/{name}");
        if let Some(ran) = system(&place, "groff", &["-man", "-ww", "-Tutf8", &path]) {
            assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{name}");
            assert!(ran.stdout.contains(" 3  a fault: "), "{name}");
        }
    }
    for unknown in ["generate", "frobnicate"] {
        let ran = place.run(&["man", unknown]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{unknown}");
        assert!(ran.stderr.contains("there is no command"), "{ran:?}");
    }
    place.write("file", "");
    assert_eq!(place.run(&["man", "--out-dir", "file/x"]).code, 2);
}

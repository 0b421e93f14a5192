//! The documentation is true: its examples check, its tables of decisions and its console
//! sessions are what the program says, its links and codes exist.
//!
//! How to write an example, a table or a session stands in `CONTRIBUTING.md`. Where the program
//! changed on purpose, `STALWART_UPDATE_DOCS=1` writes the new output of the sessions into the
//! documents. Tables are never written: what a call earns is derived from the language.

mod book;
mod by_hand;
mod claims;
mod links;
mod markdown;
mod session;
mod table;

use std::fs;
use std::path::{Path, PathBuf};

use markdown::{Block, Document};
use session::Session;

/// The documents that hold examples or sessions.
const DOCUMENTS: &[&str] = &[
    "README.md",
    "docs/introduction.md",
    "docs/tutorial.md",
    "docs/from-nemo.md",
    "docs/from-rego.md",
    "docs/from-cedar.md",
    "docs/check.md",
    "docs/projects.md",
    "docs/ci.md",
    "docs/fixing.md",
    "docs/formatting.md",
    "docs/language.md",
    "docs/rego.md",
    "docs/ir.md",
    "docs/testing.md",
    "docs/diff.md",
    "docs/table.md",
];

/// A file of this repository.
fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Reads a file of this repository.
fn read(path: &str) -> String {
    fs::read_to_string(repository(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The pages of the book, sorted.
fn pages() -> Vec<String> {
    let entries = fs::read_dir(repository("docs")).expect("the documents");
    let names = entries.map(|entry| entry.expect("a document").file_name());
    let mut pages: Vec<String> = names
        .map(|name| format!("docs/{}", name.display()))
        .filter(|page| page.ends_with(".md") && page != "docs/SUMMARY.md")
        .collect();
    pages.sort();
    pages
}

#[test]
fn the_readme_is_true() {
    hold_to_its_word("README.md");
}

#[test]
fn the_page_on_check_is_true() {
    hold_to_its_word("docs/check.md");
}

#[test]
fn the_introduction_is_true() {
    hold_to_its_word("docs/introduction.md");
}

#[test]
fn the_tutorial_is_true() {
    hold_to_its_word("docs/tutorial.md");
}

#[test]
fn the_guide_from_nemo_guardrails_is_true() {
    hold_to_its_word("docs/from-nemo.md");
}

#[test]
fn the_guide_from_rego_is_true() {
    hold_to_its_word("docs/from-rego.md");
}

#[test]
fn the_guide_from_cedar_is_true() {
    hold_to_its_word("docs/from-cedar.md");
}

#[test]
fn the_guide_to_projects_is_true() {
    hold_to_its_word("docs/projects.md");
}

#[test]
fn the_guide_to_ci_is_true() {
    hold_to_its_word("docs/ci.md");
}

#[test]
fn the_page_on_fixing_is_true() {
    hold_to_its_word("docs/fixing.md");
}

#[test]
fn the_page_on_formatting_is_true() {
    hold_to_its_word("docs/formatting.md");
}

#[test]
fn the_language_reference_is_true() {
    hold_to_its_word("docs/language.md");
}

#[test]
fn the_guide_to_the_package_is_true() {
    hold_to_its_word("docs/rego.md");
}

#[test]
fn the_guide_to_the_ir_is_true() {
    hold_to_its_word("docs/ir.md");
}

#[test]
fn the_guide_to_testing_is_true() {
    hold_to_its_word("docs/testing.md");
}

#[test]
fn the_guide_to_differences_is_true() {
    hold_to_its_word("docs/diff.md");
}

#[test]
fn the_guide_to_tables_is_true() {
    hold_to_its_word("docs/table.md");
}

/// Runs everything a document shows, and reports every difference at once.
fn hold_to_its_word(path: &str) {
    let text = read(path);
    let document = Document::read(&text).unwrap_or_else(|error| panic!("{path}:{error}"));
    let session = Session::new();
    let mut faults = Vec::new();
    let mut replacements = Vec::new();
    for block in &document.blocks {
        let outcome = match block {
            Block::Example(example) => session.check(example),
            Block::File(file) => session.write(file),
            Block::Decisions(decisions) => session.decide(decisions),
            Block::Habits(habits) => session.refuse(habits),
            Block::Console(console) => session.run(console).map(|said| {
                if said != console.output() {
                    replacements.push((console, said));
                }
            }),
        };
        if let Err(fault) = outcome {
            faults.push(format!("{path}:{}: {fault}", block.line()));
        }
    }
    if std::env::var_os("STALWART_UPDATE_DOCS").is_some() {
        let updated = document.with_outputs(&replacements);
        fs::write(repository(path), updated).expect("the document can be written");
    } else {
        faults.extend(replacements.iter().map(|(console, said)| {
            format!(
                "{path}:{}: the document says\n{}\nthe program says\n{}\n\
                 (if it is right, STALWART_UPDATE_DOCS=1 writes it into the document)",
                console.line,
                console.output().concat(),
                said.concat()
            )
        }));
    }
    faults.extend(document.examples_without_decision().map(|example| {
        format!(
            "{path}:{}: shows no decision of {}",
            example.line, example.name
        )
    }));
    assert!(faults.is_empty(), "\n{}", faults.join("\n\n"));
}

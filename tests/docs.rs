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

/// Lists the documents that hold examples or sessions, with a test of each.
macro_rules! documents {
    ($($test:ident: $path:literal,)+) => {
        /// The documents that hold examples or sessions.
        const DOCUMENTS: &[&str] = &[$($path),+];
        $(
            #[test]
            fn $test() {
                hold_to_its_word($path);
            }
        )+
    };
}

documents! {
    the_readme_is_true: "README.md",
    the_introduction_is_true: "docs/introduction.md",
    the_tutorial_is_true: "docs/tutorial.md",
    the_guide_from_nemo_is_true: "docs/from-nemo.md",
    the_guide_from_rego_is_true: "docs/from-rego.md",
    the_guide_from_cedar_is_true: "docs/from-cedar.md",
    the_page_on_checking_is_true: "docs/check.md",
    the_page_on_the_language_server_is_true: "docs/language-server.md",
    the_page_on_formatting_is_true: "docs/formatting.md",
    the_page_on_fixing_is_true: "docs/fixing.md",
    the_page_on_testing_is_true: "docs/testing.md",
    the_page_on_differences_is_true: "docs/diff.md",
    the_page_on_tables_is_true: "docs/table.md",
    the_page_on_pictures_is_true: "docs/graph.md",
    the_page_on_projects_is_true: "docs/projects.md",
    the_page_on_ci_is_true: "docs/ci.md",
    the_page_on_bundles_is_true: "docs/bundles.md",
    the_language_reference_is_true: "docs/language.md",
    the_guide_to_the_package_is_true: "docs/rego.md",
    the_page_on_tests_of_the_package_is_true: "docs/opa-tests.md",
    the_guide_to_the_ir_is_true: "docs/ir.md",
    the_page_on_adapters_is_true: "docs/adapters.md",
    the_page_on_kong_is_true: "docs/kong.md",
    the_page_on_envoy_is_true: "docs/envoy.md",
    the_page_on_agentgateway_is_true: "docs/agentgateway.md",
    the_page_on_services_of_ones_own_is_true: "docs/opa-over-http.md",
    the_page_on_catalogues_is_true: "docs/catalogue.md",
}

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

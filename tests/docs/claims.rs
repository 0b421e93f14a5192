//! Facts that documents repeat from the code.

use std::fs;

use stalwart::diagnostics::codes;

use super::{DOCUMENTS, read, repository};
use crate::compiled::files;

/// All documents written by hand.
const WRITTEN: [&str; 10] = [
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "docs/language.md",
    "docs/rego.md",
    "docs/ir.md",
    "docs/deciding.md",
    "docs/proof.md",
    "docs/diff.md",
    "docs/table.md",
];

#[test]
fn codes_that_documents_name_exist() {
    for document in WRITTEN {
        let text = read(document);
        for part in text.split("RB").skip(1) {
            let digits: String = part.chars().take_while(char::is_ascii_digit).collect();
            if digits.len() == 4 {
                let id = format!("RB{digits}");
                assert!(
                    codes::find(&id).is_some(),
                    "{document} names {id}, which is no code"
                );
            }
        }
    }
}

#[test]
fn the_changelog_ends_at_this_version() {
    let changelog = read("CHANGELOG.md");
    let newest = changelog
        .lines()
        .find(|line| line.starts_with("## [") && !line.contains("Unreleased"));
    let version = format!("## [{}] - ", env!("CARGO_PKG_VERSION"));
    assert!(
        newest.is_some_and(|line| line.starts_with(&version)),
        "{newest:?}"
    );
}

#[test]
fn the_map_has_every_module_in_the_order_of_the_layers() {
    let library = read("src/lib.rs");
    let modules: Vec<_> = library
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'))
        .collect();
    assert!(modules.len() > 5, "{modules:?}");
    let contributing = read("CONTRIBUTING.md");
    let mapped: Vec<_> = contributing
        .lines()
        .filter_map(|line| {
            line.strip_prefix("| `")?
                .split_once('`')
                .map(|(module, _)| module)
        })
        .filter(|module| modules.contains(module))
        .collect();
    assert_eq!(
        mapped, modules,
        "the map of the code in CONTRIBUTING.md, and src/lib.rs"
    );
}

#[test]
fn files_that_the_map_names_exist() {
    let contributing = read("CONTRIBUTING.md");
    let named = contributing.split('`').skip(1).step_by(2);
    let paths = named.filter(|text| {
        [
            "src/",
            "tests/",
            "fixtures/",
            "scripts/",
            "grammar/",
            "docs/",
        ]
        .iter()
        .any(|root| text.starts_with(root))
            && !text.contains(['<', '*', ' '])
    });
    let missing: Vec<_> = paths.filter(|path| !repository(path).exists()).collect();
    assert!(missing.is_empty(), "CONTRIBUTING.md names {missing:?}");
}

#[test]
fn tests_that_the_proof_names_exist() {
    let text = read("docs/proof.md");
    let (_, steps) = text.split_once("## What checks each step").unwrap();
    let named: Vec<&str> = steps.split('`').skip(1).step_by(2).collect();
    let named = named.into_iter().filter(|name| name.contains('_'));
    let code: Vec<String> = ["src", "tests"]
        .iter()
        .flat_map(|folder| files(folder, "rs"))
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    let mut count = 0;
    for name in named {
        count += 1;
        let test = format!("fn {name}() {{");
        assert!(
            code.iter().any(|text| text.contains(&test)),
            "docs/proof.md names {name}, which is no test"
        );
    }
    assert!(count > 15, "{count}");
}

#[test]
fn the_documents_with_examples_are_all_documents_with_examples() {
    let others = fs::read_dir(repository("docs")).unwrap().map(|entry| {
        let name = entry.unwrap().file_name();
        format!("docs/{}", name.display())
    });
    for document in others.chain(["CHANGELOG.md".to_owned(), "CONTRIBUTING.md".to_owned()]) {
        let text = read(&document);
        let claims = text.contains("\n<!-- example: ") || text.contains("\n```console");
        assert!(
            !claims || DOCUMENTS.contains(&document.as_str()),
            "{document} has examples nobody checks"
        );
    }
}

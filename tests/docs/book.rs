//! `docs/` is a book: its table of contents has every page, and its links stay inside.

use std::path::Path;

use super::links::targets;
use super::{pages, read, repository};

/// The book's table of contents.
const CONTENTS: &str = "docs/SUMMARY.md";

#[test]
fn every_page_is_in_the_contents_once() {
    let contents = read(CONTENTS);
    let mut listed: Vec<String> = targets(&contents)
        .map(|target| format!("docs/{target}"))
        .collect();
    listed.sort();
    assert_eq!(listed, pages(), "{CONTENTS}, and the pages that are there");
}

/// mdBook copies nothing that lies outside of the book, so a link that leads there is dead.
#[test]
fn links_of_pages_stay_inside_the_book() {
    let mut leaving = Vec::new();
    for page in pages() {
        let text = read(&page);
        for target in targets(&text).filter(|target| !target.contains("://")) {
            let file = target.split('#').next().unwrap_or_default();
            let inside = !Path::new(file).is_absolute()
                && !file.split('/').any(|part| part == "..")
                && repository("docs").join(file).exists();
            if !inside {
                leaving.push(format!("{page}: {target}"));
            }
        }
    }
    assert!(
        leaving.is_empty(),
        "links that leave the book:\n{}",
        leaving.join("\n")
    );
}

#[test]
fn the_readme_leads_to_the_book() {
    let readme = read("README.md");
    assert!(
        targets(&readme).any(|target| target == CONTENTS),
        "README.md does not lead to {CONTENTS}"
    );
}

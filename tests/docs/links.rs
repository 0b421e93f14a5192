//! Links lead somewhere.

use std::collections::BTreeSet;
use std::path::Path;

use super::{pages, read, repository};

/// Documents outside of the book whose links are followed.
const OUTSIDE: &[&str] = &[
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "docs/SUMMARY.md",
    "fixtures/conformance/README.md",
    "fixtures/conformance/COVERAGE.md",
    "fuzz/README.md",
];

#[test]
fn links_lead_to_files_and_headings() {
    let mut broken = Vec::new();
    let outside = OUTSIDE.iter().map(ToString::to_string);
    for document in outside.chain(pages()) {
        let text = read(&document);
        for target in targets(&text).filter(|target| !target.contains("://")) {
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let folder = Path::new(&document).parent().unwrap_or(Path::new(""));
            let path = if file.is_empty() {
                document.clone().into()
            } else {
                folder.join(file)
            };
            let found = repository(&path.display().to_string());
            let fine = found.exists()
                && (heading.is_empty()
                    || headings(&std::fs::read_to_string(&found).unwrap()).contains(heading));
            if !fine {
                broken.push(format!("{document}: {target}"));
            }
        }
    }
    assert!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
}

/// Targets of `[text](target)` outside of fences.
pub fn targets(text: &str) -> impl Iterator<Item = &str> {
    prose(text)
        .flat_map(|line| line.split("](").skip(1))
        .filter_map(|rest| rest.split(')').next())
}

/// Anchors of the headings of a document.
fn headings(text: &str) -> BTreeSet<String> {
    let titles = prose(text).filter(|line| line.starts_with('#'));
    titles
        .map(|line| anchor(line.trim_start_matches('#').trim()))
        .collect()
}

/// The anchor that GitHub gives a heading.
fn anchor(title: &str) -> String {
    let lower = title.to_lowercase();
    let kept = lower
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Lines outside of fences.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut inside = false;
    text.lines().filter(move |line| {
        let fence = line.starts_with("```");
        inside ^= fence;
        !inside && !fence
    })
}

#[test]
fn anchors_are_those_of_the_site() {
    assert_eq!(
        anchor("What a `$name` reads, and when"),
        "what-a-name-reads-and-when"
    );
    let text = "# A\n```\n# no heading [x](y)\n```\n[b](c#d) [e](f)\n";
    assert_eq!(headings(text).into_iter().collect::<Vec<_>>(), ["a"]);
    assert_eq!(targets(text).collect::<Vec<_>>(), ["c#d", "f"]);
}

//! Links lead somewhere.

use std::collections::BTreeSet;
use std::path::Path;

use super::{read, repository};

/// Documents whose links are followed. `docs/diagnostics.md` is generated; what it links to
/// stands in the codes.
const LINKED: &[&str] = &[
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
    "docs/benchmarks.md",
    "fixtures/conformance/README.md",
    "fixtures/conformance/COVERAGE.md",
    "fuzz/README.md",
];

#[test]
fn links_lead_to_files_and_headings() {
    let mut broken = Vec::new();
    for document in LINKED {
        let text = read(document);
        for target in targets(&text).filter(|target| !target.contains("://")) {
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let folder = Path::new(document).parent().unwrap_or(Path::new(""));
            let path = if file.is_empty() {
                document.into()
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

#[test]
fn the_readme_names_every_document() {
    let readme = read("README.md");
    for entry in std::fs::read_dir(repository("docs")).unwrap() {
        let name = entry.unwrap().file_name();
        let link = format!("(docs/{})", name.display());
        assert!(readme.contains(&link), "README.md does not lead to {link}");
    }
}

/// Targets of `[text](target)` outside of fences.
fn targets(text: &str) -> impl Iterator<Item = &str> {
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

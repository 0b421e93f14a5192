//! Any bytes as a source: what parses is formatted, means the same, keeps its comments, and is
//! left alone the second time.

use stalwart::compiler::{Depth, compile};
use stalwart::diagnostics::{Diagnostic, Sink};
use stalwart::formatter::format;
use stalwart::syntax::{parse, tree};
use stalwart::text::Source;

pub fn run(bytes: &[u8]) {
    let (source, faults) = Source::decode("policy.co", bytes);
    let mut sink = Sink::new();
    let tree = parse(&source, &faults, &mut sink);
    let errors = sink.into_sorted();
    let formatted = match format(&source, &faults) {
        Ok(formatted) => formatted,
        Err(found) => {
            // A rulebook at the limits of its language may have no room for the style.
            let too_large = |found: &Diagnostic| found.code.id == "RB0690";
            assert!(
                found == errors && !errors.is_empty() || found.iter().all(too_large),
                "{found:?}"
            );
            return;
        }
    };
    assert!(errors.is_empty(), "{errors:?}");
    let (again, faults) = Source::decode("policy.co", formatted.as_bytes());
    assert!(faults.is_empty(), "{faults:?} in\n{formatted}");
    let mut sink = Sink::new();
    let tree_again = parse(&again, &faults, &mut sink);
    assert!(tree_again == tree, "another tree of\n{formatted}");
    let comments = |tree: Option<tree::Rulebook>| -> Vec<String> {
        let comments = tree.into_iter().flat_map(|tree| tree.comments);
        comments.map(|comment| comment.text.value).collect()
    };
    assert_eq!(comments(tree_again), comments(tree));
    assert_eq!(format(&again, &faults), Ok(formatted.clone()));
    let codes = |bytes: &[u8]| -> Vec<&str> {
        let compiled = compile("policy.co", bytes, "fuzz.policy", Depth::Errors);
        let codes = compiled.diagnostics.iter();
        codes.map(|found| found.code.id).collect()
    };
    let (mut before, mut behind) = (codes(bytes), codes(formatted.as_bytes()));
    // Their order is that of their places on a line.
    before.sort_unstable();
    behind.sort_unstable();
    assert_eq!(before, behind, "other errors of\n{formatted}");
}

//! Any bytes as a source: no panic, and findings that can be shown.

use stalwart::command_line::rendered;
use stalwart::compiler::{Depth, compile};
use stalwart::diagnostics::{Diagnostic, Severity};

/// Most syntax errors of a run, and what else may be found beside them.
const MANY: usize = 100_000;

pub fn run(bytes: &[u8]) {
    let compilation = compile("policy.co", bytes, "fuzz.policy", Depth::Analyses);
    let has_error = compilation
        .diagnostics
        .iter()
        .any(|found| found.severity() == Severity::Error);
    assert_eq!(
        has_error,
        compilation.rulebook.is_none(),
        "a rulebook, or an error that says why there is none"
    );
    assert!(compilation.diagnostics.len() < MANY, "findings");
    let text = compilation.source.text();
    for found in &compilation.diagnostics {
        check(found, text);
    }
    let places = compilation.diagnostics.iter().map(Diagnostic::span);
    assert!(places.is_sorted(), "findings are in the order of places");

    let again = compile("policy.co", bytes, "fuzz.policy", Depth::Errors);
    let errors = |found: &[Diagnostic]| -> Vec<Diagnostic> {
        let errors = found.iter().filter(|it| it.severity() == Severity::Error);
        errors.cloned().collect()
    };
    assert_eq!(
        errors(&again.diagnostics),
        errors(&compilation.diagnostics),
        "errors do not depend on the analyses"
    );
    assert!(
        again.rulebook == compilation.rulebook,
        "nor does the rulebook"
    );

    let count = compilation.diagnostics.len();
    for (format, report) in rendered(compilation.source, compilation.diagnostics) {
        assert!(
            report.matches("RB").count() >= count,
            "{format} leaves out none: {report}"
        );
        let hidden = report.chars().find(|it| it.is_control() && *it != '\n');
        assert_eq!(hidden, None, "{format} hides nothing: {report}");
    }
}

fn check(found: &Diagnostic, text: &str) {
    assert!(
        !found.message.is_empty() && !found.message.ends_with('.'),
        "{found:?}"
    );
    assert!(!found.message.contains('\n'), "{found:?}");
    for label in &found.labels {
        let range = label.span.start..label.span.end;
        assert!(
            text.get(range).is_some(),
            "a place inside of the text: {found:?}"
        );
    }
}

//! What a finding is known by from one version of a file to the next.

use std::collections::BTreeMap;

use super::FileReport;
use crate::diagnostics::Diagnostic;
use crate::provenance::sha256;

/// The fingerprints of one file's findings. A fingerprint is made of the file, the code, and the
/// text of the line, or the message where there is no place; so it stays when the line moves or
/// is indented otherwise, and when a message gets better words. Of findings that are alike in
/// this, the first, the second and so on have their own.
#[derive(Debug, Default)]
pub(super) struct Fingerprints {
    seen: BTreeMap<String, usize>,
}

impl Fingerprints {
    /// The fingerprint of the next finding, as 64 hexadecimal digits.
    pub(super) fn next(&mut self, file: &FileReport, diagnostic: &Diagnostic) -> String {
        let line = file
            .source
            .as_ref()
            .zip(diagnostic.span())
            .map(|(source, span)| source.slice(source.line_span(source.line_of(span.start))));
        let said = line.map_or(diagnostic.message.as_str(), str::trim);
        let known = format!("{}\0{}\0{said}", file.file, diagnostic.code.id);
        let count = self.seen.entry(known.clone()).or_default();
        *count += 1;
        sha256(format!("{known}\0{count}").as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::codes::text::NUL_CHARACTER;
    use crate::text::{Source, Span};

    /// The fingerprints of a finding at each `x` of a text.
    fn fingerprints(text: &str) -> Vec<String> {
        let file = FileReport {
            file: "a.co".to_owned(),
            source: Some(Source::decode("a.co", text.as_bytes()).0),
            diagnostics: Vec::new(),
            ..FileReport::default()
        };
        let mut fingerprints = Fingerprints::default();
        text.match_indices('x')
            .map(|(at, _)| {
                let diagnostic = Diagnostic::new(&NUL_CHARACTER, Span::new(at, at + 1), "words");
                fingerprints.next(&file, &diagnostic)
            })
            .collect()
    }

    #[test]
    fn lines_may_move() {
        let before = fingerprints("a\n  if x\n  y x\n");
        assert_eq!(before, fingerprints("\n\na\nb\n    if x\n\n  y x\n"));
        assert_ne!(before[0], before[1]);
        assert_ne!(before[0], fingerprints("if not x")[0]);
    }

    #[test]
    fn findings_on_lines_that_are_alike_differ() {
        let found = fingerprints("x\nx\nx x\n");
        let mut once = found.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), found.len());
    }
}

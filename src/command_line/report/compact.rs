//! One line a finding, as compilers print them: editors and `grep` read it.

use super::region::Region;
use super::{FileReport, Report};
use crate::diagnostics::Diagnostic;
use crate::text::escaped;

/// `policy.co:7:3: error[RB0301]: message`, and nothing else.
pub(super) struct CompactReport;

impl Report for CompactReport {
    fn file(&mut self, file: &FileReport) -> String {
        let lines = file.diagnostics.iter().map(|diagnostic| {
            let mut line = line(file, diagnostic);
            line.push('\n');
            line
        });
        lines.collect()
    }
}

/// The line of a finding, without its end. It never begins with `::`, by which a line of a log
/// would be a command to GitHub.
pub(super) fn line(file: &FileReport, diagnostic: &Diagnostic) -> String {
    let prefix = if file.file.starts_with(':') { "./" } else { "" };
    let place = Region::of_finding(file.source.as_ref(), diagnostic)
        .map_or_else(String::new, |Region { start, .. }| {
            format!(":{}:{}", start.line, start.column)
        });
    format!(
        "{prefix}{}{place}: {}[{}]: {}",
        escaped(&file.file),
        diagnostic.severity().as_str(),
        diagnostic.code.id,
        escaped(&diagnostic.message)
    )
}

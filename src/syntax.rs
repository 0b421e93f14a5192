//! From text to a tree: layout in Rust, the inside of a line by the grammar in `grammar/`.
//!
//! [`parse`] is the only way in. It reads what contract sections 1 to 3 call a rulebook and
//! resolves nothing: whether a name, a subflow or a message is known is for later layers.

pub mod tree;

pub(crate) mod lines;

mod dialect;
mod expression;
mod faults;
mod fixes;
mod grammar;
mod layout;
mod line;
mod nesting;
mod parser;
mod plain;
mod report;
mod string;
mod words;

use std::collections::BTreeSet;

use crate::diagnostics::{Sink, codes::syntax, text_faults};
use crate::text::{Source, TextFault, TextFaultKind};

/// Reads a rulebook.
///
/// `faults` are those that [`Source::decode`] found; they are said here. `None` when there is
/// nothing to go on with: the file is too large, defines nothing, or is Colang 2.x in whole or
/// in part, which is one error. Otherwise the tree is there even if `sink` has received errors
/// (contract section 1): at most one a line and fifty in all, sorted by place. Definitions in
/// which a line was refused are marked as broken or incomplete.
pub fn parse(source: &Source, faults: &[TextFault], sink: &mut Sink) -> Option<tree::Rulebook> {
    let too_large = faults.iter().any(|fault| {
        matches!(
            fault.kind,
            TextFaultKind::TooManyBytes | TextFaultKind::TooManyLines
        )
    });
    let text_errors = text_faults::diagnostics(source, faults);
    if too_large {
        sink.extend(report::limited(text_errors));
        return None;
    }
    let faulty: BTreeSet<usize> = faults
        .iter()
        .map(|fault| source.line_of(fault.span.start))
        .collect();
    let mut report = report::Report::new(source);
    for error in text_errors {
        report.push(error);
    }
    let layout = layout::lay_out(source, &faulty, &mut report);
    let tree = parser::Parser::new(&layout.lines, &mut report).run(layout.comments);
    if (!report.is_empty() || tree.definitions.is_empty())
        && let Some(verdict) = dialect::verdict(&layout.lines)
    {
        // Bytes that are no text explain why no definition was found.
        if !faulty.is_empty() && verdict.code == &syntax::NO_RULEBOOK {
            report.finish(sink);
        } else {
            sink.push(verdict);
        }
        return None;
    }
    report.finish(sink);
    Some(tree)
}

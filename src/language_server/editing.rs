//! Changes of the text: the formatter's, and those that findings propose.

use std::ops::Range;

use lsp_types::{
    CodeAction, CodeActionContext, CodeActionKind, CodeActionOrCommand, TextEdit, WorkspaceEdit,
};
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use crate::compiler::fixing::fix;
use crate::diagnostics::{Code, Diagnostic, Fix};
use crate::formatter::format;

use super::document::{Analysis, Decoded, Document, Reading};
use super::findings::Carried;

/// The edits that give a document the canonical style; with `within`, those that touch these
/// bytes. None where it has errors.
pub(super) fn formatted(
    document: &Document,
    decoded: &Decoded,
    within: Option<Range<usize>>,
) -> Option<Vec<TextEdit>> {
    let formatted = format(&decoded.source, &decoded.faults).ok()?;
    let text = document.text.as_str();
    let mark = document.mark();
    let formatted = match text.contains("\r\n") {
        true => formatted.replace('\n', "\r\n"),
        false => formatted,
    };
    let edits = line_edits(text.get(mark..).unwrap_or_default(), &formatted);
    let moved = edits
        .into_iter()
        .map(|(range, text)| (range.start + mark..range.end + mark, text));
    let touched = moved.filter(|(range, _)| {
        within
            .as_ref()
            .is_none_or(|within| range.start <= within.end && within.start <= range.end)
    });
    Some(
        touched
            .map(|(range, text)| TextEdit::new(document.range_of_bytes(&range), text))
            .collect(),
    )
}

/// What makes one text of another, in whole lines.
fn line_edits(old: &str, new: &str) -> Vec<(Range<usize>, String)> {
    let old_lines: Vec<&str> = old.split_inclusive('\n').collect();
    let new_lines: Vec<&str> = new.split_inclusive('\n').collect();
    let mut starts = vec![0];
    starts.extend(old_lines.iter().scan(0, |at, line| {
        *at += line.len();
        Some(*at)
    }));
    let start = |line: usize| starts.get(line).copied().unwrap_or(old.len());
    let operations = capture_diff_slices_deadline(Algorithm::Myers, &old_lines, &new_lines, None);
    let changes = operations
        .iter()
        .filter(|operation| !matches!(operation, DiffOp::Equal { .. }));
    changes
        .map(|operation| {
            let (old, new) = (operation.old_range(), operation.new_range());
            let text = new_lines.get(new).unwrap_or_default().concat();
            (start(old.start)..start(old.end), text)
        })
        .collect()
}

/// The changes that findings propose near some bytes, and all of them together.
pub(super) fn actions(
    document: &Document,
    reading: &Reading,
    analysis: Option<&Analysis>,
    within: &Range<usize>,
    context: &CodeActionContext,
) -> Vec<CodeActionOrCommand> {
    let wants = |kind: &CodeActionKind| {
        context.only.as_ref().is_none_or(|only| {
            only.iter().any(|wanted| {
                let rest = kind.as_str().strip_prefix(wanted.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            })
        })
    };
    let found = match analysis {
        Some(analysis) => analysis.diagnostics.as_slice(),
        None => reading.errors.as_slice(),
    };
    let fixes: Vec<(&Diagnostic, &Fix)> = found
        .iter()
        .filter_map(|found| Some((found, found.fix.as_deref()?)))
        .collect();
    let mut actions = Vec::new();
    if wants(&CodeActionKind::QUICKFIX) {
        let is_near = |found: &Diagnostic| {
            found.span().is_some_and(|span| {
                let bytes = document.bytes(reading.source(), span);
                bytes.start <= within.end && within.start <= bytes.end
            })
        };
        let mut codes: Vec<&Code> = Vec::new();
        for (found, fix) in fixes.iter().filter(|(found, _)| is_near(found)) {
            let edits = edits(document, reading, [*fix]);
            let mut action = action(document, fix.title.clone(), CodeActionKind::QUICKFIX, edits);
            let shown = Carried::new(found, document, reading.source()).shown(document);
            action.diagnostics = Some(vec![shown]);
            action.is_preferred = Some(true);
            actions.push(action);
            if !codes.contains(&found.code) {
                codes.push(found.code);
            }
        }
        for code in codes {
            let of_code = fixes.iter().filter(|(found, _)| found.code == code);
            let of_code: Vec<&Fix> = of_code.map(|(_, fix)| *fix).collect();
            if of_code.len() > 1 {
                let title = format!("fix all {} of {}", of_code.len(), code.id);
                let edits = edits(document, reading, of_code);
                actions.push(action(document, title, CodeActionKind::QUICKFIX, edits));
            }
        }
    }
    if wants(&CodeActionKind::SOURCE_FIX_ALL) && !fixes.is_empty() {
        let text = document.text.as_str();
        let fixed = fix("", text.as_bytes());
        let count = fixed.applied.len();
        if let (1.., Ok(new)) = (count, String::from_utf8(fixed.bytes)) {
            let edits = line_edits(text, &new);
            let edits = edits
                .into_iter()
                .map(|(range, text)| TextEdit::new(document.range_of_bytes(&range), text));
            let title = "fix all that can be fixed safely".to_owned();
            let kind = CodeActionKind::SOURCE_FIX_ALL;
            actions.push(action(document, title, kind, edits.collect()));
        }
    }
    actions
        .into_iter()
        .map(CodeActionOrCommand::CodeAction)
        .collect()
}

/// The edits of some fixes; of two that overlap, the first.
fn edits<'f>(
    document: &Document,
    reading: &Reading,
    fixes: impl IntoIterator<Item = &'f Fix>,
) -> Vec<TextEdit> {
    let mut edits: Vec<_> = fixes.into_iter().flat_map(|fix| &fix.edits).collect();
    edits.sort_by_key(|edit| edit.span);
    let mut end = 0;
    edits.retain(|edit| {
        let is_free = edit.span.start >= end;
        end = end.max(edit.span.end);
        is_free
    });
    let range = |edit: &crate::diagnostics::TextEdit| document.range(reading.source(), edit.span);
    edits
        .into_iter()
        .map(|edit| TextEdit::new(range(edit), edit.text.clone()))
        .collect()
}

fn action(
    document: &Document,
    title: String,
    kind: CodeActionKind,
    edits: Vec<TextEdit>,
) -> CodeAction {
    CodeAction {
        title,
        kind: Some(kind),
        edit: Some(WorkspaceEdit {
            changes: Some([(document.uri.clone(), edits)].into_iter().collect()),
            ..WorkspaceEdit::default()
        }),
        ..CodeAction::default()
    }
}

//! Changes of the text: the formatter's, and those that findings propose.

use std::ops::Range;

use lsp_types::{
    CodeAction, CodeActionContext, CodeActionKind, CodeActionOrCommand, CodeActionTriggerKind,
    TextEdit, WorkspaceEdit,
};
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use crate::compiler::fixing::{Fixable, fix, fix_code};
use crate::diagnostics::{Code, Diagnostic};
use crate::formatter::format;
use crate::text::Source;

use super::document::Document;
use super::edition::Decoded;
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
    // A text whose every line ends so keeps it; of a mixed one `fmt` makes one kind.
    let ends = text.matches('\n').count();
    let formatted = match ends > 0 && text.matches("\r\n").count() == ends {
        true => formatted.replace('\n', "\r\n"),
        false => formatted,
    };
    let written = text.get(mark..).unwrap_or_default();
    let mut edits = line_edits(written, &formatted);
    if let Some(within) = within {
        let lines = within.start.saturating_sub(mark)..within.end.saturating_sub(mark);
        let definitions = definitions_at(written, &lines);
        // A part that is written anew must leave the whole what it was.
        edits = [lines, definitions]
            .iter()
            .map(|within| touching(&edits, within))
            .find(|some| is_in_style(&edited(written, some), &formatted))
            .unwrap_or_default();
    }
    let moved = edits
        .into_iter()
        .map(|(range, text)| (range.start + mark..range.end + mark, text));
    Some(
        moved
            .map(|(range, text)| TextEdit::new(document.range_of_bytes(&range), text))
            .collect(),
    )
}

fn touching(
    edits: &[(Range<usize>, String)],
    within: &Range<usize>,
) -> Vec<(Range<usize>, String)> {
    let touches = |(range, _): &&(Range<usize>, String)| {
        range.start <= within.end && within.start <= range.end
    };
    edits.iter().filter(touches).cloned().collect()
}

/// The bytes of the definitions that a range touches: how far a line is indented means something
/// only beside the others of its definition.
fn definitions_at(text: &str, within: &Range<usize>) -> Range<usize> {
    let mut heads = vec![0];
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with("define") {
            heads.push(at);
        }
        at += line.len();
    }
    heads.push(text.len());
    let start = heads.iter().rev().find(|head| **head <= within.start);
    let end = heads.iter().find(|head| **head > within.end);
    start.copied().unwrap_or(0)..end.copied().unwrap_or(text.len())
}

/// A text behind edits, which stand in order and apart.
fn edited(text: &str, edits: &[(Range<usize>, String)]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (range, new) in edits {
        out.push_str(text.get(at..range.start).unwrap_or_default());
        out.push_str(new);
        at = range.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

/// Whether the canonical style of a text is this one, so that both say the same.
fn is_in_style(text: &str, formatted: &str) -> bool {
    let (source, faults) = Source::decode(String::new(), text.as_bytes());
    format(&source, &faults).is_ok_and(|own| own == formatted.replace("\r\n", "\n"))
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

/// Longest text of which all fixes are made before anybody asks for them.
const SMALL: usize = 32 << 10;

/// The changes that findings propose near some bytes, and all of them together. None is offered
/// that [`fix`] would not make.
pub(super) fn actions(
    document: &Document,
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
    let text = document.text.as_str();
    // A large text is read many times for them, which is too much at each move of a cursor.
    let is_asked_for = context.only.is_some()
        || context.trigger_kind == Some(CodeActionTriggerKind::INVOKED)
        || text.len() <= SMALL;
    let fixable = Fixable::of("", text.as_bytes());
    let Some(fixable) = fixable.filter(|it| it.findings().next().is_some()) else {
        return Vec::new();
    };
    let mut actions = Vec::new();
    if wants(&CodeActionKind::QUICKFIX) {
        let source = fixable.source();
        let is_near = |found: &&Diagnostic| {
            found.span().is_some_and(|span| {
                let bytes = document.bytes(source, span);
                bytes.start <= within.end && within.start <= bytes.end
            })
        };
        let mut codes: Vec<&Code> = Vec::new();
        for found in fixable.findings().filter(is_near) {
            let (Some(edits), Some(fix)) = (fixable.edits(found), &found.fix) else {
                continue;
            };
            let edits = edits
                .into_iter()
                .map(|edit| TextEdit::new(document.range(source, edit.span), edit.text));
            let kind = CodeActionKind::QUICKFIX;
            let mut action = action(document, fix.title.clone(), kind, edits.collect());
            let shown = Carried::new(found, document, source).shown(document);
            action.diagnostics = Some(vec![shown]);
            action.is_preferred = Some(true);
            actions.push(action);
            if !codes.contains(&found.code) {
                codes.push(found.code);
            }
        }
        for code in codes.into_iter().filter(|_| is_asked_for) {
            let fixed = fix_code("", text.as_bytes(), code);
            let count = fixed.applied.len();
            if count > 1 {
                let title = format!("fix all {count} of {}", code.id);
                let kind = CodeActionKind::QUICKFIX;
                let edits = text_edits(document, fixed.bytes);
                actions.push(action(document, title, kind, edits));
            }
        }
    }
    if wants(&CodeActionKind::SOURCE_FIX_ALL) && is_asked_for {
        let fixed = fix("", text.as_bytes());
        let title = "fix all that can be fixed safely".to_owned();
        let kind = CodeActionKind::SOURCE_FIX_ALL;
        let edits = text_edits(document, fixed.bytes);
        if !edits.is_empty() {
            actions.push(action(document, title, kind, edits));
        }
    }
    actions
        .into_iter()
        .map(CodeActionOrCommand::CodeAction)
        .collect()
}

/// What makes the text of a document another.
fn text_edits(document: &Document, new: Vec<u8>) -> Vec<TextEdit> {
    let new = String::from_utf8(new);
    let new = new.as_deref().unwrap_or(document.text.as_str());
    line_edits(document.text.as_str(), new)
        .into_iter()
        .map(|(range, text)| TextEdit::new(document.range_of_bytes(&range), text))
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

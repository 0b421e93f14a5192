//! Rewrites a source by what its findings propose.
//!
//! Only findings of text and syntax propose anything that is applied: a file with one of them is
//! no rulebook, so nothing that was decided is decided otherwise, and what is written is what the
//! author wrote in other words. Places are kept to the byte, line ends and a byte order mark too.

use crate::diagnostics::codes::syntax;
use crate::diagnostics::{Code, Diagnostic, Fix, Sink, TextEdit};
use crate::syntax::parse;
use crate::text::{BYTE_ORDER_MARK, Position, Source, Span, TextFaultKind};

/// Most times that a source is read again. One finding a line is shown at a time, so that a line
/// with many mistakes needs many.
const MOST_READINGS: usize = 200;

/// Findings of which there must not be more than before: a change that makes one has moved
/// something into another block, or taken a block's last line.
const STRUCTURAL: [&Code; 8] = [
    &syntax::INDENTATION,
    &syntax::UNEXPECTED_INDENTATION,
    &syntax::EMPTY_BLOCK,
    &syntax::OUTSIDE_DEFINITION,
    &syntax::DEFINITION_COLUMN,
    &syntax::ELSE_WITHOUT_IF,
    &syntax::ARM_AFTER_ELSE,
    &syntax::OUTSIDE_LOOP,
];

/// What came of fixing a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// The bytes of the source behind all changes.
    pub bytes: Vec<u8>,
    /// What was changed, in order.
    pub applied: Vec<Applied>,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The code of the finding that is gone.
    pub code: &'static Code,
    /// Where it stood, when it was found.
    pub position: Position,
    /// What was done, as the help of the finding says it.
    pub title: String,
}

/// Applies all fixes of a source, and those of what is found then, until none is left. A fix is
/// not applied where there would be a new error elsewhere.
///
/// ```
/// use stalwart::compiler::fixing::fix;
///
/// let fixed = fix("policy.co", b"define flow refunds\n  if $paid && !$frozen\n    exec refund\n");
/// assert_eq!(
///     fixed.bytes,
///     b"define flow refunds\n  if $paid and not $frozen\n    execute refund\n"
/// );
/// assert_eq!(fixed.applied.len(), 3);
/// ```
pub fn fix(name: &str, bytes: &[u8]) -> Fixed {
    fix_chosen(name, bytes, |_| true)
}

/// The same with the fixes of one code only.
pub fn fix_code(name: &str, bytes: &[u8], code: &Code) -> Fixed {
    fix_chosen(name, bytes, |found| found.code == code)
}

fn fix_chosen(name: &str, bytes: &[u8], is_meant: impl Fn(&Diagnostic) -> bool) -> Fixed {
    let mut fixed = Fixed {
        bytes: bytes.to_vec(),
        applied: Vec::new(),
    };
    let Some(mut reading) = Reading::of(name, bytes) else {
        return fixed;
    };
    let mut left = MOST_READINGS;
    while let Some((next, applied)) = reading.improved(&mut left, &is_meant) {
        fixed.applied.extend(applied);
        reading = next;
    }
    fixed.bytes = reading.bytes;
    fixed
}

/// A source each of whose fixes can be made alone.
///
/// ```
/// use stalwart::compiler::fixing::Fixable;
///
/// let fixable = Fixable::of("policy.co", b"define flow a\n  exec refund\n").expect("a text");
/// let found = fixable.findings().next().expect("a finding");
/// let edits = fixable.edits(found).expect("a fix that makes nothing worse");
/// assert_eq!(edits[0].text, "execute");
/// ```
#[derive(Debug)]
pub struct Fixable(Reading);

impl Fixable {
    /// Reads a source; `None` where nothing can be fixed in it, since it is no text or too large.
    pub fn of(name: &str, bytes: &[u8]) -> Option<Self> {
        Reading::of(name, bytes).map(Self)
    }

    /// The source behind its normalisation, which the places of findings count in.
    pub fn source(&self) -> &Source {
        &self.0.source
    }

    /// The findings that propose a fix, sorted by place.
    pub fn findings(&self) -> impl Iterator<Item = &Diagnostic> {
        let found = self.0.diagnostics.iter();
        found.filter(|found| found.fix.is_some())
    }

    /// What the fix of one finding writes, as [`fix`] makes it, sorted by place; `None` where it
    /// proposes none, or where there would be a new error elsewhere.
    pub fn edits(&self, found: &Diagnostic) -> Option<Vec<TextEdit>> {
        let fixes = [(found, found.fix.as_deref()?)];
        self.0.with(&fixes)?;
        Some(self.0.edits(&fixes))
    }
}

/// A source with what is wrong with its text.
#[derive(Debug)]
struct Reading {
    bytes: Vec<u8>,
    source: Source,
    diagnostics: Vec<Diagnostic>,
    has_tree: bool,
}

impl Reading {
    /// `None` where offsets in the text are none in the bytes, or where it is too large.
    fn of(name: &str, bytes: &[u8]) -> Option<Self> {
        let (source, faults) = Source::decode(name, bytes);
        let unfit = faults.iter().any(|fault| {
            matches!(
                fault.kind,
                TextFaultKind::NotUtf8 | TextFaultKind::TooManyBytes | TextFaultKind::TooManyLines
            )
        });
        if unfit {
            return None;
        }
        let mut sink = Sink::new();
        let has_tree = parse(&source, &faults, &mut sink).is_some();
        Some(Self {
            bytes: bytes.to_vec(),
            source,
            diagnostics: sink.into_sorted(),
            has_tree,
        })
    }

    /// The source behind all fixes that can be applied together; those that cannot are found by
    /// halves. `None` when there is nothing to improve, or no reading is left to judge it by.
    fn improved(
        &self,
        left: &mut usize,
        is_meant: impl Fn(&Diagnostic) -> bool,
    ) -> Option<(Self, Vec<Applied>)> {
        let fixes: Vec<(&Diagnostic, &Fix)> = self
            .diagnostics
            .iter()
            .filter(|found| is_meant(found))
            .filter_map(|found| Some((found, found.fix.as_deref()?)))
            .collect();
        let mut chosen: Vec<(&Diagnostic, &Fix)> = Vec::new();
        let mut best = None;
        let mut untried = vec![fixes.as_slice()];
        while let Some(part) = untried.pop() {
            if part.is_empty() {
                continue;
            }
            let before = chosen.len();
            chosen.extend(part);
            let Some(rest) = left.checked_sub(1) else {
                chosen.truncate(before);
                break;
            };
            *left = rest;
            if let Some(next) = self.with(&chosen) {
                best = Some(next);
                continue;
            }
            chosen.truncate(before);
            if let Some((first, second)) = part.split_at_checked(part.len() / 2)
                && !first.is_empty()
            {
                untried.extend([second, first]);
            }
        }
        best.map(|next| (next, self.applied(&chosen)))
    }

    fn applied(&self, fixes: &[(&Diagnostic, &Fix)]) -> Vec<Applied> {
        let applied = fixes.iter().map(|(found, fix)| Applied {
            code: found.code,
            position: self.source.position(found.span().unwrap_or_default().start),
            title: fix.title.clone(),
        });
        applied.collect()
    }

    /// The source behind some fixes, unless that is worse.
    fn with(&self, fixes: &[(&Diagnostic, &Fix)]) -> Option<Self> {
        let bytes = self.edited(&self.edits(fixes))?;
        let next = Self::of(self.source.name(), &bytes)?;
        let changed = next.bytes != self.bytes;
        let has_room = !next.has(&crate::diagnostics::codes::text::LINE_TOO_LONG);
        (changed && has_room && next.has_tree >= self.has_tree && !self.is_broken_further_by(&next))
            .then_some(next)
    }

    fn edits(&self, fixes: &[(&Diagnostic, &Fix)]) -> Vec<TextEdit> {
        let mut edits: Vec<TextEdit> = fixes
            .iter()
            .flat_map(|(_, fix)| &fix.edits)
            .map(|edit| self.whole_line(edit))
            .collect();
        edits.sort_by_key(|edit| edit.span);
        edits
    }

    fn has(&self, code: &Code) -> bool {
        self.diagnostics.iter().any(|found| found.code == code)
    }

    /// Whether the other has more errors of structure. Where not all errors are shown, only the
    /// lines up to the last one that is can be compared.
    fn is_broken_further_by(&self, other: &Self) -> bool {
        let shown_up_to = |reading: &Self| {
            let more = reading.diagnostics.iter();
            more.filter(|found| found.code == &syntax::MORE_ERRORS)
                .filter_map(|found| Some(reading.source.line_of(found.span()?.start)))
                .next()
        };
        let limit = shown_up_to(self).unwrap_or(usize::MAX);
        STRUCTURAL.iter().any(|code| {
            let count = |reading: &Self| {
                let found = reading.diagnostics.iter();
                found
                    .filter(|found| found.code == *code)
                    .filter_map(|found| Some(reading.source.line_of(found.span()?.start)))
                    .filter(|line| *line < limit)
                    .count()
            };
            count(other) > count(self)
        })
    }

    /// An edit that leaves nothing but blanks of a line takes the line, and one that leaves
    /// nothing but blanks behind it takes these.
    fn whole_line(&self, edit: &TextEdit) -> TextEdit {
        let line = self.source.line_span(self.source.line_of(edit.span.start));
        let before = self.source.slice(Span::new(line.start, edit.span.start));
        let behind = self.source.slice(Span::new(edit.span.end, line.end));
        let blank = |text: &str| text.trim_matches(' ').is_empty();
        let gone = self.source.slice(edit.span);
        if !edit.text.is_empty() || edit.span.end > line.end || !blank(behind) {
            return edit.clone();
        }
        if !blank(before) {
            // Nothing is left behind at the end of the line.
            let start = line.start + before.trim_end_matches(' ').len();
            return TextEdit {
                span: Span::new(start, line.end),
                text: String::new(),
            };
        }
        // A line that was blank to the eye stays one.
        let through = match gone.trim().is_empty() {
            true => line.end,
            false => (line.end + 1).min(self.source.text().len()),
        };
        TextEdit {
            span: Span::new(line.start, through),
            text: String::new(),
        }
    }

    /// The bytes behind some edits; `None` where two overlap.
    fn edited(&self, edits: &[TextEdit]) -> Option<Vec<u8>> {
        let mark = match self.bytes.starts_with(BYTE_ORDER_MARK) {
            true => BYTE_ORDER_MARK.len(),
            false => 0,
        };
        let mut out = Vec::with_capacity(self.bytes.len());
        let mut at = 0;
        for edit in edits {
            let start = mark + self.source.original_offset(edit.span.start);
            let end = mark + self.source.original_offset(edit.span.end);
            out.extend(self.bytes.get(at..start)?);
            out.extend(edit.text.bytes());
            at = end;
        }
        out.extend(self.bytes.get(at..)?);
        Some(out)
    }
}

#[cfg(test)]
mod tests;

//! Errors of syntax at each keystroke: only the definitions that were touched are read again.
//!
//! A definition that begins with `define` in the first column is read the same alone as among the
//! others. Whatever may reach over such a line (faults of the text, documentation that does not
//! end, words of another dialect, more errors than are shown) is left to a reading of the whole.

use crate::diagnostics::codes::syntax::FOREIGN_BLANK;
use crate::diagnostics::{Diagnostic, Sink};
use crate::syntax::parse;
use crate::text::{Source, Span};

/// Most errors that are shown of a whole text, which its parts cannot know.
const MOST_ERRORS: usize = 50;

const DOCUMENTATION_QUOTES: &str = "\"\"\"";

/// How lines of another dialect begin, beside `@`.
const FOREIGN_WORDS: [&str; 7] = [
    "flow", "import", "await", "match", "start", "send", "activate",
];

/// The definitions of the last text, each with its errors, whose places count from its beginning.
#[derive(Debug, Default)]
pub(super) struct Keystroke {
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
struct Part {
    text: String,
    errors: Vec<Diagnostic>,
}

impl Keystroke {
    /// The errors of a text without faults; none where it must be read as a whole.
    pub(super) fn errors(&mut self, source: &Source) -> Option<Vec<Diagnostic>> {
        let mut known = std::mem::take(&mut self.parts);
        let scan = Scan::of(source.text())?;
        let texts: Vec<&str> = scan.parts(source.text()).collect();
        let same_before = known
            .iter()
            .zip(&texts)
            .take_while(|(part, text)| part.text == **text)
            .count();
        let same_behind = known
            .iter()
            .skip(same_before)
            .rev()
            .zip(texts.iter().skip(same_before).rev())
            .take_while(|(part, text)| part.text == **text)
            .count();
        let behind = known.split_off(known.len() - same_behind);
        known.truncate(same_before);
        let touched = texts.len() - same_behind;
        let changed = texts.get(same_before..touched).unwrap_or_default();
        known.extend(changed.iter().map(|text| Part::read(text)));
        known.extend(behind);
        self.parts = known;
        self.assembled(scan.has_foreign_words)
    }

    fn assembled(&self, has_foreign_words: bool) -> Option<Vec<Diagnostic>> {
        let mut errors = Vec::new();
        let mut start = 0;
        for part in &self.parts {
            errors.extend(part.errors.iter().map(|error| moved(error, start)));
            start += part.text.len();
        }
        // How wide a tab is meant to be is told from all of the text.
        let has_tabs = errors.iter().any(|error| error.code == &FOREIGN_BLANK);
        let is_certain =
            errors.is_empty() || (!has_foreign_words && !has_tabs && errors.len() <= MOST_ERRORS);
        is_certain.then_some(errors)
    }
}

impl Part {
    fn read(text: &str) -> Self {
        let (source, faults) = Source::decode(String::new(), text.as_bytes());
        let mut sink = Sink::new();
        let _ = parse(&source, &faults, &mut sink);
        Self {
            text: text.to_owned(),
            errors: sink.found().to_vec(),
        }
    }
}

fn moved(error: &Diagnostic, by: usize) -> Diagnostic {
    let moved = |span: Span| Span::new(span.start + by, span.end + by);
    let mut error = error.clone();
    for label in &mut error.labels {
        label.span = moved(label.span);
    }
    for edit in error.fix.iter_mut().flat_map(|fix| &mut fix.edits) {
        edit.span = moved(edit.span);
    }
    error
}

/// Where a text can be cut.
struct Scan {
    /// Offsets of the definitions, the first left out: it has what stands before it.
    cuts: Vec<usize>,
    has_foreign_words: bool,
}

impl Scan {
    /// None where the text cannot be cut.
    fn of(text: &str) -> Option<Self> {
        let mut scan = Self {
            cuts: Vec::new(),
            has_foreign_words: false,
        };
        let mut definitions = 0;
        let mut goes_on = false;
        let mut rest = text;
        while !rest.is_empty() {
            let at = text.len() - rest.len();
            let end = rest.find('\n').map_or(rest.len(), |end| end + 1);
            let (line, behind) = rest.split_at_checked(end)?;
            rest = behind;
            let content = line.trim_start_matches(' ');
            if content.starts_with(DOCUMENTATION_QUOTES) {
                if goes_on {
                    return None;
                }
                let inside = line.len() - content.len() + DOCUMENTATION_QUOTES.len();
                let (_, inner) = text.get(at..)?.split_at_checked(inside)?;
                let closing = inner.find(DOCUMENTATION_QUOTES)?;
                let (_, behind) = inner.split_at_checked(closing)?;
                // What stands behind it on its line belongs to it.
                let end = behind.find('\n').map_or(behind.len(), |end| end + 1);
                rest = behind.split_at_checked(end)?.1;
                continue;
            }
            if line.starts_with("define ") && !goes_on {
                definitions += 1;
                if definitions > 1 {
                    scan.cuts.push(at);
                }
            }
            scan.has_foreign_words |= content.starts_with('@')
                || FOREIGN_WORDS.iter().any(|word| content.starts_with(word));
            goes_on = line.contains('\\');
        }
        (definitions > 0).then_some(scan)
    }

    fn parts<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str> {
        let starts = std::iter::once(0).chain(self.cuts.iter().copied());
        let ends = self.cuts.iter().copied().chain([text.len()]);
        starts
            .zip(ends)
            .filter_map(move |(start, end)| text.get(start..end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn whole(source: &Source) -> Vec<Diagnostic> {
        let mut sink = Sink::new();
        let _ = parse(source, &[], &mut sink);
        sink.found().to_vec()
    }

    /// Lines that a rulebook may hold, right ones and wrong ones.
    const LINES: &[&str] = &[
        "define flow a",
        "define flow",
        "define bot refuse",
        "define user b",
        "define context",
        "define subflow c",
        "define action d",
        " define flow e",
        "def flow f",
        "define",
        "  if $a",
        "  if $a and",
        "  else",
        "    execute t",
        "  execute t(",
        "    exec t",
        "   bot refuse",
        "  bot refuse \\",
        "  \"x\"",
        "  \"x",
        "  \"\"\"",
        "  \"\"\"x\"\"\"",
        "\"\"\"",
        "  $a: bool",
        "  $a: what",
        "# define",
        "",
        "stop",
        "  await x",
        "flow main",
        "\tif $a",
        "  stop \\ # why",
    ];

    fn texts() -> impl Strategy<Value = Vec<String>> {
        let line = prop::sample::select(LINES).prop_map(|line| format!("{line}\n"));
        let plain = prop::sample::select(&LINES[..20]);
        let plain = plain.prop_map(|line| format!("{line}\n"));
        let lines = |line: BoxedStrategy<String>| prop::collection::vec(line, 0..40);
        prop_oneof![3 => lines(plain.boxed()), 1 => lines(line.boxed())]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn parts_have_the_errors_of_the_whole(
            lines in texts(),
            edits in prop::collection::vec((any::<prop::sample::Index>(), 0..3_u8, prop::sample::select(LINES)), 0..8),
        ) {
            let mut lines = lines;
            let mut keystroke = Keystroke::default();
            let mut check = |lines: &[String]| {
                let (source, faults) = Source::decode("", lines.concat().as_bytes());
                assert!(faults.is_empty());
                if let Some(errors) = keystroke.errors(&source) {
                    let whole = whole(&source);
                    let same = errors.iter().zip(&whole).take_while(|(one, other)| one == other);
                    let same = same.count();
                    prop_assert!(
                        errors.len() == whole.len() && same == whole.len(),
                        "{:?} for {:?}",
                        errors.get(same).map(|it| (&it.message, it.span(), &it.help, &it.fix)),
                        whole.get(same).map(|it| (&it.message, it.span(), &it.help, &it.fix)),
                    );
                }
                Ok(())
            };
            check(&lines)?;
            for (index, what, line) in edits {
                let at = index.index(lines.len() + 1);
                if what > 0 && at < lines.len() {
                    lines.remove(at);
                }
                if what < 2 {
                    lines.insert(at, format!("{line}\n"));
                }
                check(&lines)?;
            }
        }
    }

    #[test]
    fn only_what_was_touched_is_read_again() {
        let text = |name: &str| {
            format!(
                "define flow a\n  execute t\n\ndefine flow {name}\n  execute (\n\ndefine bot c\n"
            )
        };
        let read = |text: &str| Source::decode("", text.as_bytes()).0;
        let mut keystroke = Keystroke::default();
        assert_eq!(keystroke.errors(&read(&text("b"))).unwrap().len(), 1);
        let before: Vec<*const u8> = keystroke.parts.iter().map(|it| it.text.as_ptr()).collect();
        keystroke.errors(&read(&text("other"))).unwrap();
        let after: Vec<*const u8> = keystroke.parts.iter().map(|it| it.text.as_ptr()).collect();
        assert_eq!((before[0], before[2]), (after[0], after[2]));
        assert_eq!(after.len(), 3);
    }
}

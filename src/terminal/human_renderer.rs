//! Findings for people, with the lines of the source.

use std::fmt;

use miette::{
    GraphicalTheme, LabeledSpan, MietteHandler, MietteHandlerOpts, ReportHandler, ThemeCharacters,
    ThemeStyles,
};

use super::shown_source::ShownSource;
use crate::diagnostics::{Diagnostic, Severity};
use crate::text::{Source, escaped_lines};

/// Columns of a report that goes to no terminal.
const WIDTH: usize = 100;

/// Renders diagnostics one below the other.
pub(crate) struct HumanRenderer {
    handler: MietteHandler,
}

impl HumanRenderer {
    /// A renderer with or without colours; on a terminal it is as wide as that.
    pub(crate) fn new(colored: bool, is_terminal: bool) -> Self {
        let theme = GraphicalTheme {
            characters: ThemeCharacters::unicode(),
            styles: if colored {
                ThemeStyles::ansi()
            } else {
                ThemeStyles::none()
            },
        };
        let options = MietteHandlerOpts::new()
            .graphical_theme(theme)
            .force_graphical(true)
            .without_syntax_highlighting()
            .terminal_links(false)
            .break_words(false)
            .context_lines(1);
        let options = if is_terminal {
            options
        } else {
            options.width(WIDTH)
        };
        Self {
            handler: options.build(),
        }
    }

    /// All of them, each with an empty line behind it.
    pub(crate) fn render<'a>(
        &self,
        source: Option<&Source>,
        diagnostics: impl IntoIterator<Item = &'a Diagnostic>,
    ) -> String {
        let mut shown = None;
        let mut out = String::new();
        for diagnostic in diagnostics {
            // Many runs have nothing to show, and need no second copy of the source.
            let source = match source {
                Some(source) if !diagnostic.labels.is_empty() => {
                    Some(&*shown.get_or_insert_with(|| ShownSource::new(source)))
                }
                _ => None,
            };
            let adapted = Adapted::new(diagnostic, source);
            let rendered = Rendered(&self.handler, &adapted).to_string();
            let mut lines = rendered.trim_end().lines();
            // The head, then an empty line that is not wanted.
            let head = lines.next();
            for line in head.into_iter().chain(lines.skip(1)) {
                out.push_str(line.trim_end());
                out.push('\n');
            }
            out.push('\n');
        }
        out
    }
}

struct Rendered<'a>(&'a MietteHandler, &'a Adapted<'a>);

impl fmt::Display for Rendered<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.debug(self.1, formatter)
    }
}

/// Our diagnostic as the renderer knows one. All text is made harmless once more here, so that
/// a message that forgot to cannot act on a terminal.
struct Adapted<'a> {
    severity: Severity,
    head: String,
    message: String,
    help: Option<String>,
    labels: Vec<LabeledSpan>,
    source: Option<&'a ShownSource>,
}

impl<'a> Adapted<'a> {
    fn new(diagnostic: &Diagnostic, source: Option<&'a ShownSource>) -> Self {
        let severity = diagnostic.severity();
        let labels = source.map_or_else(Vec::new, |source| {
            diagnostic
                .labels
                .iter()
                .enumerate()
                .map(|(number, label)| {
                    let text = (!label.text.is_empty()).then(|| escaped_lines(&label.text));
                    let place = source.place(label.span);
                    if number == 0 {
                        LabeledSpan::new_primary_with_span(text, place)
                    } else {
                        LabeledSpan::new_with_span(text, place)
                    }
                })
                .collect()
        });
        Self {
            severity,
            head: format!("{}[{}]", severity.as_str(), diagnostic.code.id),
            message: escaped_lines(&diagnostic.message),
            help: diagnostic.help.as_deref().map(escaped_lines),
            labels,
            source,
        }
    }
}

impl fmt::Debug for Adapted<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl fmt::Display for Adapted<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Adapted<'_> {}

impl miette::Diagnostic for Adapted<'_> {
    fn code<'b>(&'b self) -> Option<Box<dyn fmt::Display + 'b>> {
        Some(Box::new(&self.head))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
            Severity::Note => miette::Severity::Advice,
        })
    }

    fn help<'b>(&'b self) -> Option<Box<dyn fmt::Display + 'b>> {
        let help = self.help.as_ref()?;
        Some(Box::new(help))
    }

    fn source_code(&self) -> Option<&dyn miette::SourceCode> {
        self.source.map(|source| source as &dyn miette::SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        (!self.labels.is_empty()).then(|| -> Box<dyn Iterator<Item = LabeledSpan> + '_> {
            Box::new(self.labels.iter().cloned())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::codes::text::{NUL_CHARACTER, UNREADABLE};
    use crate::text::Span;

    fn render(text: &str, diagnostics: &[Diagnostic]) -> String {
        let (source, _) = Source::decode("a\u{1b}.co", text.as_bytes());
        HumanRenderer::new(false, false).render(Some(&source), diagnostics)
    }

    #[test]
    fn a_finding_is_shown_in_its_lines() {
        let text = "define flow a\n  bot é refuse\n  execute t\n\n  stop\n";
        let (at, other) = (text.find("execute").unwrap(), text.find("bot").unwrap());
        let diagnostic = Diagnostic::new(&NUL_CHARACTER, Span::new(at, at + 7), "a refusal")
            .with_label("here")
            .with_other(Span::new(other, other + 3), "there")
            .with_help("write\nsomething else");
        insta::assert_snapshot!(render(text, &[diagnostic]), @r"
        error[RB0007]
          × a refusal
           ╭─[a\u001b.co:3:3]
         1 │ define flow a
         2 │   bot é refuse
           ·   ─┬─
           ·    ╰── there
         3 │   execute t
           ·   ───┬───
           ·      ╰── here
           ╰────
          help: write
                something else
        ");
    }

    #[test]
    fn nothing_that_acts_on_a_terminal_gets_through() {
        let bad = "x\u{1b}[31m\u{202e}\u{85}y";
        let diagnostic = Diagnostic::new(&NUL_CHARACTER, Span::new(0, bad.len()), bad)
            .with_label(bad)
            .with_help(bad);
        let text = render(bad, &[diagnostic]);
        let acting = |c: &char| crate::text::is_invisible(*c) && *c != '\n';
        assert_eq!(text.chars().find(acting), None, "{text}");
        assert!(text.contains("a\\u001b.co:1:1"), "{text}");
    }

    #[test]
    fn places_at_the_end_and_without_a_source_are_shown() {
        for text in ["", "a", "a\n", "a\n\n"] {
            for start in 0..=text.len() {
                let span = Span::new(start, text.len());
                let shown = render(text, &[Diagnostic::new(&NUL_CHARACTER, span, "message")]);
                assert!(shown.starts_with("error[RB0007]\n  × message\n"), "{shown}");
            }
        }
        let diagnostic = Diagnostic::without_place(&UNREADABLE, "message");
        let shown = HumanRenderer::new(false, false).render(None, [&diagnostic]);
        assert_eq!(shown, "error[RB0001]\n  × message\n\n");
    }

    #[test]
    fn colours_are_used_only_when_asked_for() {
        let diagnostic = Diagnostic::without_place(&UNREADABLE, "message");
        let colored = HumanRenderer::new(true, false).render(None, [&diagnostic]);
        assert!(colored.contains("\u{1b}[31m"), "{colored:?}");
    }
}

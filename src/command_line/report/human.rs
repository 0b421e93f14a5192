//! Findings for people, with the lines of the source.

use std::fmt;

use miette::{
    GraphicalTheme, LabeledSpan, MietteHandler, MietteHandlerOpts, ReportHandler, ThemeCharacters,
    ThemeStyles,
};

use super::shown_source::ShownSource;
use crate::artifacts::shown_text;
use crate::diagnostics::{Diagnostic, Severity};
use crate::text::Source;

/// Columns of a report that goes to no terminal.
const WIDTH: usize = 100;

/// Renders diagnostics one below the other.
pub(in crate::command_line) struct HumanRenderer {
    handler: MietteHandler,
}

impl HumanRenderer {
    /// A renderer with or without colours; on a terminal it is as wide as that.
    pub(in crate::command_line) fn new(colored: bool, is_terminal: bool) -> Self {
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
    pub(in crate::command_line) fn render<'a>(
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
            for line in rendered.trim_end().lines() {
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
                    let text = (!label.text.is_empty()).then(|| harmless(&label.text));
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
            message: harmless(&diagnostic.message),
            help: diagnostic.help.as_deref().map(harmless),
            labels,
            source,
        }
    }
}

/// Line ends stay: a help may have several lines.
fn harmless(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(shown_text).collect();
    lines.join("\n")
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

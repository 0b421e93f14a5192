//! What the compiler has to say: one [`Diagnostic`] type, and the registry of codes.
//!
//! Rendering is the command line's business; here stands only what is said, and where.

pub mod codes;
mod deny;
pub mod finding;
pub mod fix;
pub mod text_faults;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::text::Span;

pub use codes::Code;
pub use deny::{Deny, DenyError};
pub use fix::{Fix, TextEdit};

/// How much a diagnostic weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Stops emission; exit code 1.
    Error,
    /// Stops emission only with `--deny warnings`.
    Warning,
    /// Tells what was left out or combined; stops nothing.
    Note,
}

impl Severity {
    /// The word in messages and JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// A place and what there is to say about it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Label {
    /// The place in the source.
    pub span: Span,
    /// What stands beside the underline; may be empty.
    pub text: String,
}

/// One finding. Message, labels and help follow `CONTRIBUTING.md`: lower case, no final period,
/// the user's text in backticks, no type names, no parser jargon.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The code, with its severity, title and long text.
    pub code: &'static Code,
    /// One line that says what is wrong.
    pub message: String,
    /// Places; the first is *the* place. Empty when the finding has none (input and output).
    pub labels: Vec<Label>,
    /// What to write instead.
    pub help: Option<String>,
    /// What to change, where that is mechanical and surely what the author meant (contract
    /// section 5): nothing is allowed by it that the text as it was read does not mean to allow.
    pub fix: Option<Box<Fix>>,
}

impl Diagnostic {
    /// A finding at a place.
    pub fn new(code: &'static Code, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            labels: vec![Label {
                span,
                text: String::new(),
            }],
            help: None,
            fix: None,
        }
    }

    /// A finding without a place in a source.
    pub fn without_place(code: &'static Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            labels: Vec::new(),
            help: None,
            fix: None,
        }
    }

    /// Writes `text` beside the underline of the first place.
    #[must_use]
    pub fn with_label(mut self, text: impl Into<String>) -> Self {
        if let Some(first) = self.labels.first_mut() {
            first.text = text.into();
        }
        self
    }

    /// Adds a further place.
    #[must_use]
    pub fn with_other(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label {
            span,
            text: text.into(),
        });
        self
    }

    /// Says what to write instead.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Says what to change.
    #[must_use]
    pub fn with_fix(mut self, fix: impl Into<Option<Fix>>) -> Self {
        self.fix = fix.into().map(Box::new);
        self
    }

    /// The severity of the code.
    pub fn severity(&self) -> Severity {
        self.code.severity
    }

    /// The place, if it has one.
    pub fn span(&self) -> Option<Span> {
        self.labels.first().map(|label| label.span)
    }
}

/// One line: `error[RB0301]: message`. Where it stands is shown by whoever has the source.
impl fmt::Display for Diagnostic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = self.severity().as_str();
        write!(formatter, "{severity}[{}]: {}", self.code.id, self.message)
    }
}

impl std::error::Error for Diagnostic {}

/// Diagnostics as they are found; sorted and without repetitions when taken out.
#[derive(Clone, Debug, Default)]
pub struct Sink {
    found: Vec<Diagnostic>,
    errors: usize,
    given_up: Option<Arc<AtomicBool>>,
}

impl Sink {
    /// An empty sink.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty sink that is wanted until `given_up` is set, by another thread.
    pub fn until(given_up: Arc<AtomicBool>) -> Self {
        Self {
            given_up: Some(given_up),
            ..Self::default()
        }
    }

    /// Whether nobody wants the findings any more. Long work that fills the sink may then stop
    /// anywhere: what it has found is not looked at.
    pub fn is_given_up(&self) -> bool {
        let given_up = self.given_up.as_ref();
        given_up.is_some_and(|given_up| given_up.load(Ordering::Acquire))
    }

    /// Adds a finding.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.errors += usize::from(diagnostic.severity() == Severity::Error);
        self.found.push(diagnostic);
    }

    /// Whether an error was found.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// What was found, in the order of finding.
    pub fn found(&self) -> &[Diagnostic] {
        &self.found
    }

    /// All findings by place, then code, then message; one of each (place, code, message).
    pub fn into_sorted(mut self) -> Vec<Diagnostic> {
        let key = |diagnostic: &Diagnostic| {
            (
                diagnostic.span(),
                diagnostic.code.id,
                diagnostic.message.clone(),
            )
        };
        self.found.sort_by_cached_key(key);
        self.found.dedup_by(|a, b| key(a) == key(b));
        self.found
    }
}

impl Extend<Diagnostic> for Sink {
    fn extend<T: IntoIterator<Item = Diagnostic>>(&mut self, diagnostics: T) {
        for diagnostic in diagnostics {
            self.push(diagnostic);
        }
    }
}

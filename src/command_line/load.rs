//! From the bytes of a FILE to a rulebook: a source is compiled, an IR is loaded.

use std::path::Path;

use super::examination::status_of;
use super::input;
use super::report::Summary;
use crate::checks;
use crate::compiler::{Depth, compile};
use crate::diagnostics::codes::internal::INTERNAL;
use crate::diagnostics::{Diagnostic, Severity, Sink};
use crate::ir::{Rulebook, from_bytes};
use crate::lowering::{FlowPlaces, IfPlaces, Places};
use crate::package::package_of_file;
use crate::terminal::{Console, ExitStatus};
use crate::text::{BYTE_ORDER_MARK, Source, Span, quoted};

/// The package of a rulebook whose package does not matter.
const ANY_PACKAGE: &str = "stalwart.rulebook";

/// What came of a FILE.
pub(super) struct Loaded {
    /// The text that places refer to; none for an IR, whose findings have no places.
    pub(super) source: Option<Source>,
    /// The rulebook; none when there are errors.
    pub(super) rulebook: Option<Rulebook>,
    /// The findings, sorted.
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl Loaded {
    /// Whether there is an error.
    pub(super) fn has(&self, severity: Severity) -> bool {
        self.diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity() == severity)
    }

    /// Nothing is refused without a word: that would be a fault of the compiler.
    fn require_reason(&mut self) {
        if self.rulebook.is_none() && !self.has(Severity::Error) {
            self.diagnostics.push(Diagnostic::without_place(
                &INTERNAL,
                "the rulebook was refused, and no reason was found",
            ));
        }
    }
}

/// Why a FILE is no rulebook, as it was shown.
#[derive(Debug)]
pub(super) struct Refused {
    /// The text that places refer to.
    pub(super) source: Option<Source>,
    /// The errors.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// What they mean for the command's end.
    pub(super) status: ExitStatus,
}

impl Refused {
    /// Of a FILE that is not read; that is shown.
    pub(super) fn unread(diagnostic: Diagnostic, console: &mut Console) -> Self {
        console.complain(&diagnostic);
        Self {
            source: None,
            diagnostics: vec![diagnostic],
            status: ExitStatus::Usage,
        }
    }
}

/// The rulebook of a FILE. Without one its errors are shown, and what follows from them, such as
/// `nothing is decided`; its warnings are `check`'s business.
pub(super) fn required(
    path: &Path,
    consequence: &str,
    console: &mut Console,
) -> Result<Rulebook, ExitStatus> {
    required_or_refused(path, consequence, console).map_err(|refused| refused.status)
}

/// As [`required`], for a command that reports the errors, too.
pub(super) fn required_or_refused(
    path: &Path,
    consequence: &str,
    console: &mut Console,
) -> Result<Rulebook, Box<Refused>> {
    let bytes = match input::read(path) {
        Ok(bytes) => bytes,
        Err(diagnostic) => return Err(Box::new(Refused::unread(diagnostic, console))),
    };
    let mut loaded = load(path, &bytes, None, Depth::Errors);
    if let Some(rulebook) = loaded.rulebook.take() {
        return Ok(rulebook);
    }
    let status = status_of(&loaded, &[]).max(ExitStatus::No);
    let mut diagnostics = loaded.diagnostics;
    diagnostics.retain(|diagnostic| diagnostic.severity() == Severity::Error);
    console.complain_all(loaded.source.as_ref(), &diagnostics);
    let line = Summary::of(&diagnostics).line(Some(&input::name_of(path)));
    console.say(&format!("{line}; {consequence}\n"));
    Err(Box::new(Refused {
        source: loaded.source,
        diagnostics,
        status,
    }))
}

/// Whether bytes are an IR and not a source (contract section 6): the first byte that is no
/// blank is `{`.
pub(super) fn is_ir(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    bytes.trim_ascii_start().starts_with(b"{")
}

/// Compiles or loads. `package` is what a source's rulebook records; without one, the package
/// that the file's name gives, or any, where no artifact is made of it.
pub(super) fn load(path: &Path, bytes: &[u8], package: Option<&str>, depth: Depth) -> Loaded {
    if is_ir(bytes) {
        return load_ir(bytes, depth);
    }
    let name = input::name_of(path);
    let own = package_of_name(&name);
    let package = package.or(own.as_deref()).unwrap_or(ANY_PACKAGE);
    let compilation = compile(&name, bytes, package, depth);
    let mut loaded = Loaded {
        source: Some(compilation.source),
        rulebook: compilation.rulebook,
        diagnostics: compilation.diagnostics,
    };
    loaded.require_reason();
    loaded
}

/// An IR is looked at like a source. Its findings have no places, since there is no text to show
/// them in; what the IR knows of a place, its line, is said in words.
fn load_ir(bytes: &[u8], depth: Depth) -> Loaded {
    let mut sink = Sink::new();
    let rulebook = match from_bytes(bytes) {
        Ok(rulebook) => Some(rulebook),
        Err(error) => {
            sink.push(error.to_diagnostic());
            None
        }
    };
    if let (Some(rulebook), Depth::Analyses) = (&rulebook, depth) {
        checks::run(rulebook, &lines_as_places(rulebook), &mut sink);
    }
    let mut diagnostics = sink.into_sorted();
    for diagnostic in &mut diagnostics {
        let line = diagnostic.span().map_or(0, |span| span.start);
        if let (1.., Some(rulebook)) = (line, &rulebook) {
            let file = quoted(&rulebook.source.file);
            diagnostic.message = format!("{} (line {line} of {file})", diagnostic.message);
        }
        diagnostic.labels.clear();
    }
    Loaded {
        source: None,
        rulebook,
        diagnostics,
    }
}

/// Lines in the place of offsets: as good to tell places apart, since no two arms begin on one
/// line, and to put findings in order. Line 0 is no place.
fn lines_as_places(rulebook: &Rulebook) -> Places {
    let at = |line: usize| Span::new(line, line);
    Places {
        flows: rulebook
            .flows
            .iter()
            .map(|flow| FlowPlaces {
                name: at(flow.line),
                ifs: flow
                    .ifs
                    .iter()
                    .map(|decision| IfPlaces {
                        arms: decision.arms.iter().map(|arm| at(arm.line)).collect(),
                        has_else: flow.ends_in_else(decision),
                    })
                    .collect(),
            })
            .collect(),
        ..Places::default()
    }
}

fn package_of_name(name: &str) -> Option<String> {
    package_of_file(name.rsplit('/').next().unwrap_or(name)).ok()
}

#[cfg(test)]
mod tests {
    use super::super::examination::status_of;
    use super::*;
    use crate::terminal::{ExitStatus, HumanRenderer};

    #[test]
    fn a_refusal_without_a_reason_is_a_fault() {
        let mut loaded = Loaded {
            source: None,
            rulebook: None,
            diagnostics: Vec::new(),
        };
        for _ in 0..2 {
            loaded.require_reason();
            assert_eq!(status_of(&loaded, &[]), ExitStatus::Fault);
            let renderer = HumanRenderer::new(false, false);
            assert_eq!(
                renderer.render(None, &loaded.diagnostics),
                "error[RB0901]\n  × the rulebook was refused, and no reason was found\n\n"
            );
        }
    }
}

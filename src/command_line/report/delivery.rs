//! Where a report goes: to standard output, or to a file, and then people still read it on
//! standard output.

use std::path::Path;

use super::{FileReport, Outcome, Report, Summary, report};
use crate::artifacts::Replacement;
use crate::command_line::arguments::Format;
use crate::diagnostics::Diagnostic;
use crate::terminal::{Console, ExitStatus, HumanRenderer};

/// A report under way.
pub(in crate::command_line) struct Delivery {
    shown: Box<dyn Report>,
    kept: Option<Kept>,
    summary: Summary,
    only_file: Option<String>,
    status: ExitStatus,
}

/// A report that becomes a file.
struct Kept {
    report: Box<dyn Report>,
    file: Replacement,
}

impl Kept {
    fn write(&mut self, piece: impl FnOnce(&mut dyn Report) -> String) -> Result<(), Diagnostic> {
        self.file.write(piece(&mut *self.report).as_bytes())
    }
}

impl Delivery {
    /// Begins a report. With a path it goes to that file, which is there only when the report is
    /// complete, and the one on standard output is for people.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(in crate::command_line) fn begin(
        format: Format,
        path: Option<&Path>,
        console: &mut Console,
    ) -> Result<Self, Diagnostic> {
        let kept = match path {
            None => None,
            Some(path) => {
                let mut kept = Kept {
                    report: report(format, HumanRenderer::new(false, false)),
                    file: Replacement::of(path)?,
                };
                kept.write(|report| report.head())?;
                Some(kept)
            }
        };
        let format = if kept.is_some() {
            Format::Human
        } else {
            format
        };
        let mut shown = report(format, console.answer_renderer());
        console.answer(&shown.head());
        Ok(Self {
            shown,
            kept,
            summary: Summary::default(),
            only_file: None,
            status: ExitStatus::Ok,
        })
    }

    /// Reports the next file, and what its findings mean for the end.
    pub(in crate::command_line) fn file(
        &mut self,
        file: &FileReport,
        status: ExitStatus,
        console: &mut Console,
    ) {
        self.status = self.status.max(status);
        self.only_file = (self.summary.files == 0).then(|| file.file.clone());
        self.summary.add(Summary::of(&file.diagnostics));
        console.answer(&self.shown.file(file));
        self.keep(console, |report| report.file(file));
    }

    /// Whether nobody would read more of it.
    pub(in crate::command_line) fn is_in_vain(&self, console: &Console) -> bool {
        self.kept.is_none() && console.is_closed()
    }

    /// Ends the report, and returns what the command ends with.
    pub(in crate::command_line) fn end(mut self, console: &mut Console) -> ExitStatus {
        let only_file = self.only_file.take();
        let outcome = Outcome {
            summary: self.summary,
            only_file: only_file.as_deref(),
            status: self.status,
        };
        console.answer(&self.shown.end(&outcome));
        self.keep(console, |report| report.end(&outcome));
        if let Some(kept) = self.kept.take()
            && let Err(diagnostic) = kept.file.complete()
        {
            console.complain(&diagnostic);
            self.status = self.status.max(ExitStatus::Usage);
        }
        self.status
    }

    /// Writes a piece to the file. One that cannot be written is given up.
    fn keep(&mut self, console: &mut Console, piece: impl FnOnce(&mut dyn Report) -> String) {
        if let Some(kept) = &mut self.kept
            && let Err(diagnostic) = kept.write(piece)
        {
            console.complain(&diagnostic);
            self.status = self.status.max(ExitStatus::Usage);
            self.kept = None;
        }
    }
}

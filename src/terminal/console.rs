//! Standard output for answers, standard error for everything else.

use std::io::{self, BufWriter, ErrorKind, IsTerminal, Stderr, Stdout, Write};

use super::{Color, ExitStatus, HumanRenderer};
use crate::diagnostics::Diagnostic;
use crate::text::{Source, escaped_lines, reason};

/// The two streams of a process. A stream that nobody reads any more is silently written no
/// further; any other failure to write is remembered, and ends the command with code 2.
pub(crate) struct Console {
    stdout: BufWriter<Stdout>,
    stderr: Stderr,
    color: Color,
    failure: Option<io::Error>,
    closed: bool,
    in_progress: bool,
}

impl Console {
    pub(crate) fn new(color: Color) -> Self {
        Self {
            stdout: BufWriter::with_capacity(1 << 16, io::stdout()),
            stderr: io::stderr(),
            color,
            failure: None,
            closed: false,
            in_progress: false,
        }
    }

    /// Whether answers are coloured.
    pub(crate) fn colors_stdout(&self) -> bool {
        self.color.applies(io::stdout().is_terminal())
    }

    /// Whether answers are read on a terminal.
    pub(crate) fn answers_a_terminal(&self) -> bool {
        io::stdout().is_terminal()
    }

    /// A renderer for diagnostics that are the answer itself.
    pub(crate) fn answer_renderer(&self) -> HumanRenderer {
        HumanRenderer::new(self.colors_stdout(), io::stdout().is_terminal())
    }

    fn message_renderer(&self) -> HumanRenderer {
        let terminal = self.stderr.is_terminal();
        HumanRenderer::new(self.color.applies(terminal), terminal)
    }

    /// Writes an answer; the line end is the caller's.
    pub(crate) fn answer(&mut self, text: &str) {
        self.answer_styled(text);
    }

    /// Writes text that may have colours in it.
    pub(crate) fn answer_styled(&mut self, text: &str) {
        let written = self.stdout.write_all(text.as_bytes());
        self.note(written);
    }

    /// Clears the screen, where answers go to one.
    pub(crate) fn clear(&mut self) {
        if io::stdout().is_terminal() {
            self.answer_styled("\u{1b}[2J\u{1b}[H");
            self.flush();
        }
    }

    /// Hands all answers so far to whoever reads them.
    pub(crate) fn flush(&mut self) {
        let flushed = self.stdout.flush();
        self.note(flushed);
    }

    /// Whether further answers would reach nobody.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed || self.failure.is_some()
    }

    fn note(&mut self, result: io::Result<()>) {
        match result {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::BrokenPipe => self.closed = true,
            Err(error) => self.failure = self.failure.take().or(Some(error)),
        }
    }

    /// Says something on standard error; what cannot be seen in it is escaped, but for line
    /// ends.
    pub(crate) fn say(&mut self, text: &str) {
        self.write_stderr(&escaped_lines(text));
    }

    /// Shows a diagnostic without a source on standard error.
    pub(crate) fn complain(&mut self, diagnostic: &Diagnostic) {
        self.complain_all(None, [diagnostic]);
    }

    /// Shows diagnostics of a source on standard error.
    pub(crate) fn complain_all<'a>(
        &mut self,
        source: Option<&Source>,
        diagnostics: impl IntoIterator<Item = &'a Diagnostic>,
    ) {
        let renderer = self.message_renderer();
        let text = renderer.render(source, diagnostics);
        self.write_stderr(&text);
    }

    /// Shows how far a command is, on a terminal only, in place of what was shown before.
    pub(crate) fn progress(&mut self, text: &str) {
        if self.stderr.is_terminal() {
            self.write_stderr(&format!("\r\u{1b}[K{text}"));
            self.in_progress = true;
        }
    }

    /// Takes away what [`Console::progress`] showed.
    pub(crate) fn end_progress(&mut self) {
        if std::mem::take(&mut self.in_progress) {
            self.write_stderr("\r\u{1b}[K");
        }
    }

    fn write_stderr(&mut self, text: &str) {
        // Answers come first where both streams are one terminal.
        self.flush();
        // There is nowhere to report a failure of this stream.
        let _ = self.stderr.write_all(text.as_bytes());
    }

    /// Shows what clap says: help and version are answers; everything else is an error that
    /// repeats the user's words.
    pub(crate) fn usage(&mut self, error: &clap::Error) -> ExitStatus {
        let rendered = error.render();
        if error.use_stderr() {
            // Plain, since the words may hold escapes of their own; `say` shows these.
            self.say(&rendered.to_string());
            return ExitStatus::Usage;
        }
        let text = if self.colors_stdout() {
            rendered.ansi().to_string()
        } else {
            rendered.to_string()
        };
        self.answer_styled(&text);
        ExitStatus::Ok
    }

    /// Ends the command: everything is written, and `status` is made worse where it was not.
    pub(crate) fn finish(mut self, status: ExitStatus) -> ExitStatus {
        self.flush();
        match self.failure.take() {
            None => status,
            Some(error) => {
                let message = format!(
                    "error: standard output cannot be written: {}\n",
                    reason(&error)
                );
                let _ = self.stderr.write_all(message.as_bytes());
                status.max(ExitStatus::Usage)
            }
        }
    }
}

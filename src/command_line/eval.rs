//! `eval FILE`: decides calls from the IR, one line of JSON each, or says why.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use serde::Serialize;
use serde_json::{Map, Value};

use super::arguments::{EvalArguments, Explanation};
use super::input;
use super::load;
use super::report::compact;
use crate::artifacts::shown_path;
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::artifacts::BAD_INPUT;
use crate::diagnostics::codes::text::UNREADABLE;
use crate::evaluator::{Decision, Verdict, decide};
use crate::gate::{Gate, Why};
use crate::ir::Rulebook;
use crate::json;
use crate::terminal::{Console, ExitStatus};
use crate::text::BYTE_ORDER_MARK;

/// Most bytes of one line of `--input`.
const MAX_LINE_BYTES: usize = 16 << 20;

pub(super) fn run(arguments: &EvalArguments, console: &mut Console) -> ExitStatus {
    // Both are looked at before anything is decided, so that one run names all that is wrong.
    let rulebook = rulebook(&arguments.file, console);
    let calls = calls(arguments).map_err(|diagnostic| {
        console.complain(&diagnostic);
        ExitStatus::Usage
    });
    let (rulebook, calls) = match (rulebook, calls) {
        (Ok(rulebook), Ok(calls)) => (rulebook, calls),
        (Err(one), Err(other)) => return one.max(other),
        (Err(status), Ok(_)) | (Ok(_), Err(status)) => return status,
    };
    let decider = match arguments.explain {
        None => Decider::Plain(rulebook),
        Some(form) => Decider::Explaining(Box::new(Gate::new(rulebook)), form),
    };
    let mut answers = Answers {
        decider: &decider,
        is_first: true,
        exit_code: arguments.exit_code,
        status: ExitStatus::Ok,
    };
    match calls {
        Calls::One(call) => answers.decide(&call, console),
        Calls::Lines(name, reader) => answers.decide_lines(&name, reader, console),
    }
    answers.status
}

/// The rulebook; its errors are shown, its warnings are `check`'s business.
pub(super) fn rulebook(file: &Path, console: &mut Console) -> Result<Rulebook, ExitStatus> {
    if input::is_stdin(file) {
        let diagnostic =
            Diagnostic::without_place(&UNREADABLE, "a rulebook is not read from standard input")
                .with_help("name a file; `--input -` reads calls from standard input");
        console.complain(&diagnostic);
        return Err(ExitStatus::Usage);
    }
    load::required(file, "nothing is decided", console)
}

/// The calls to decide.
enum Calls {
    One(Value),
    Lines(String, Box<dyn BufRead>),
}

fn calls(arguments: &EvalArguments) -> Result<Calls, Diagnostic> {
    if let Some(path) = &arguments.input {
        let reader: Box<dyn BufRead> = if input::is_stdin(path) {
            Box::new(BufReader::new(io::stdin()))
        } else {
            Box::new(open(path)?)
        };
        return Ok(Calls::Lines(input::name_of(path), reader));
    }
    let mut call = Map::new();
    if let Some(tool) = &arguments.tool {
        call.insert("tool".to_owned(), Value::String(tool.clone()));
    }
    if let Some(text) = &arguments.context {
        call.insert("context".to_owned(), context(text)?);
    }
    Ok(Calls::One(Value::Object(call)))
}

fn open(path: &Path) -> Result<BufReader<File>, Diagnostic> {
    let file = File::open(path).map_err(|error| input::unreadable(path, &error))?;
    if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
        let error = io::ErrorKind::IsADirectory.into();
        return Err(input::unreadable(path, &error));
    }
    Ok(BufReader::new(file))
}

fn context(text: &str) -> Result<Value, Diagnostic> {
    let (name, bytes) = match text.strip_prefix('@') {
        None => ("`--context`".to_owned(), text.as_bytes().to_vec()),
        Some(file) => {
            let path = Path::new(file);
            (format!("`{}`", shown_path(path)), input::read(path)?)
        }
    };
    json::parse(&bytes).map_err(|error| {
        Diagnostic::without_place(&BAD_INPUT, format!("{name} cannot be read: {error}"))
            .with_help("write a JSON object, such as `'{\"order_paid\": true}'`, or `@FILE`")
    })
}

/// How calls are answered.
enum Decider {
    /// With the decision.
    Plain(Rulebook),
    /// With the reasons.
    Explaining(Box<Gate>, Explanation),
}

impl Decider {
    /// The decision and what is printed. `behind_another` tells that something stands before it.
    fn answer(&self, call: &Value, behind_another: bool) -> (Decision, String) {
        match self {
            Self::Plain(rulebook) => {
                let decision = decide(rulebook, call);
                let line = compact(&decision);
                (decision, line)
            }
            Self::Explaining(gate, form) => {
                let why = why(gate, call);
                let text = match form {
                    Explanation::Json => compact(&why),
                    Explanation::Text if behind_another => format!("\n{why}\n"),
                    Explanation::Text => format!("{why}\n"),
                };
                (why.decision, text)
            }
        }
    }
}

/// Why a call, as a host would pass it to the package, is decided as it is.
fn why<'g>(gate: &'g Gate, call: &Value) -> Why<'g> {
    let tool = call.get("tool").and_then(Value::as_str);
    gate.why(tool, call.get("context").unwrap_or(&Value::Null))
}

/// Answers calls, and keeps how the command will end.
struct Answers<'a> {
    decider: &'a Decider,
    is_first: bool,
    exit_code: bool,
    status: ExitStatus,
}

#[derive(Serialize)]
struct Refused {
    error: String,
}

impl Answers<'_> {
    fn decide(&mut self, call: &Value, console: &mut Console) {
        let (decision, text) = self.decider.answer(call, !self.is_first);
        self.is_first = false;
        if self.exit_code && decision.decision != Verdict::Allow {
            self.status = self.status.max(ExitStatus::No);
        }
        console.answer(&text);
    }

    fn refuse(&mut self, error: impl Into<String>, console: &mut Console) {
        self.status = self.status.max(ExitStatus::Usage);
        self.is_first = false;
        let error = error.into();
        console.answer(&compact(&Refused { error }));
    }

    fn decide_lines(&mut self, name: &str, reader: Box<dyn BufRead>, console: &mut Console) {
        let mut lines = Lines::new(reader);
        while !console.is_closed() {
            // Whoever writes one call and waits for its answer gets it.
            if lines.would_wait() {
                console.flush();
            }
            match lines.next_line() {
                Err(error) => {
                    let reason = crate::text::reason(&error);
                    let shown = crate::text::escaped(name);
                    let message = format!("`{shown}` cannot be read on: {reason}");
                    console.complain(&Diagnostic::without_place(&UNREADABLE, message));
                    self.status = self.status.max(ExitStatus::Usage);
                    return;
                }
                Ok(Line::End) => return,
                Ok(Line::TooLong) => self.refuse("the line has more than 16 MiB", console),
                Ok(Line::Text(line)) => self.decide_line(line, console),
            }
        }
    }

    fn decide_line(&mut self, line: &[u8], console: &mut Console) {
        if line.trim_ascii().is_empty() {
            return;
        }
        match json::parse(line) {
            Ok(call @ Value::Object(_)) => self.decide(&call, console),
            Ok(_) => self.refuse("not a JSON object", console),
            Err(error) => self.refuse(in_line(&error), console),
        }
    }
}

/// A fault of JSON that is one line: the line is known by the answer's place.
fn in_line(error: &json::JsonError) -> String {
    match error {
        json::JsonError::Syntax { column, .. } => format!("not JSON at column {column}"),
        other => other.to_string(),
    }
}

/// Lines of bounded length.
struct Lines {
    reader: Box<dyn BufRead>,
    line: Vec<u8>,
    is_first: bool,
    buffered: usize,
}

enum Line<'a> {
    Text(&'a [u8]),
    TooLong,
    End,
}

impl Lines {
    fn new(reader: Box<dyn BufRead>) -> Self {
        Self {
            reader,
            line: Vec::new(),
            is_first: true,
            buffered: 0,
        }
    }

    /// Whether the next line may have to be waited for.
    fn would_wait(&self) -> bool {
        self.buffered == 0
    }

    fn next_line(&mut self) -> io::Result<Line<'_>> {
        self.line.clear();
        let mut too_long = false;
        let mut any = false;
        loop {
            let available = match self.reader.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if available.is_empty() {
                self.buffered = 0;
                break;
            }
            any = true;
            let end = available.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(available.len(), |at| at + 1);
            if self.line.len() + taken <= MAX_LINE_BYTES {
                self.line.extend(available.iter().take(taken));
            } else {
                too_long = true;
            }
            self.buffered = available.len() - taken;
            self.reader.consume(taken);
            if end.is_some() {
                break;
            }
        }
        if !any {
            return Ok(Line::End);
        }
        if too_long {
            return Ok(Line::TooLong);
        }
        let line = if std::mem::take(&mut self.is_first) {
            self.line
                .strip_prefix(BYTE_ORDER_MARK)
                .unwrap_or(&self.line)
        } else {
            &self.line
        };
        Ok(Line::Text(line))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    fn read(bytes: &'static [u8]) -> Vec<String> {
        let mut lines = Lines::new(Box::new(BufReader::with_capacity(4, bytes)));
        let mut out = Vec::new();
        loop {
            match lines.next_line().unwrap() {
                Line::End => return out,
                Line::TooLong => out.push("too long".to_owned()),
                Line::Text(line) => out.push(String::from_utf8_lossy(line).into_owned()),
            }
        }
    }

    #[test]
    fn lines_end_with_a_line_feed_or_the_input() {
        assert_eq!(read(b""), [""; 0]);
        assert_eq!(read(b"\n"), ["\n"]);
        assert_eq!(read(b"abcdefg\r\n\nx"), ["abcdefg\r\n", "\n", "x"]);
        assert_eq!(read(b"\xEF\xBB\xBFa\n"), ["a\n"]);
    }

    #[test]
    fn a_line_of_any_length_is_survived() {
        let long = io::repeat(b'x').take(MAX_LINE_BYTES as u64 + 1);
        let mut lines = Lines::new(Box::new(BufReader::new(long.chain(&b"\n{}\n"[..]))));
        assert!(matches!(lines.next_line().unwrap(), Line::TooLong));
        assert!(matches!(lines.next_line().unwrap(), Line::Text(b"{}\n")));
        assert!(matches!(lines.next_line().unwrap(), Line::End));
    }
}

//! Reads server-sent events, in pieces as they come from the network.
//!
//! It is written here since the libraries keep what has not ended yet without a bound, and read it
//! again from its start with every piece.

use thiserror::Error;

/// An event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerEvent {
    /// The lines of its data, with line feeds between them.
    pub data: String,
    /// Its id, or the last one before it.
    pub id: Option<String>,
    /// How many milliseconds to wait before coming back, where this event or one before it says
    /// so.
    pub retry: Option<u64>,
}

/// A line or an event is longer than its bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("an event is longer than {0} bytes")]
pub struct TooLong(pub usize);

/// Reads a stream of events. Bytes that are no UTF-8 become U+FFFD; what is not ended by an empty
/// line is no event.
#[derive(Clone, Debug)]
pub struct EventReader {
    bound: usize,
    /// The line that has not ended yet.
    line: Vec<u8>,
    data: String,
    has_data: bool,
    id: Option<String>,
    retry: Option<u64>,
    /// Whether the last byte was a carriage return, whose line feed may still come.
    after_return: bool,
    is_first_line: bool,
}

impl EventReader {
    /// A reader of events that have no more bytes than a bound.
    pub fn new(bound: usize) -> Self {
        Self {
            bound,
            line: Vec::new(),
            data: String::new(),
            has_data: false,
            id: None,
            retry: None,
            after_return: false,
            is_first_line: true,
        }
    }

    /// Takes the next piece, and gives the events that end in it. Those without data are left
    /// out; what they say of ids and times to wait is kept.
    ///
    /// # Errors
    /// A line or an event is longer than the bound.
    pub fn push(&mut self, piece: &[u8]) -> Result<Vec<ServerEvent>, TooLong> {
        let mut events = Vec::new();
        for part in piece.split_inclusive(|byte| matches!(byte, b'\r' | b'\n')) {
            let (line, end) = match part.split_last() {
                Some((end @ (b'\r' | b'\n'), line)) => (line, Some(*end)),
                _ => (part, None),
            };
            let ends_return = self.after_return && line.is_empty() && end == Some(b'\n');
            self.after_return = end == Some(b'\r');
            if ends_return {
                continue;
            }
            if self.line.len() + self.data.len() + line.len() > self.bound {
                return Err(TooLong(self.bound));
            }
            self.line.extend_from_slice(line);
            if end.is_some() {
                let line = std::mem::take(&mut self.line);
                events.extend(self.end_line(&String::from_utf8_lossy(&line)));
            }
        }
        Ok(events)
    }

    /// The last id, and the time to wait, that were said.
    pub fn position(&self) -> (Option<&str>, Option<u64>) {
        (self.id.as_deref(), self.retry)
    }

    fn end_line(&mut self, line: &str) -> Option<ServerEvent> {
        let is_first = std::mem::replace(&mut self.is_first_line, false);
        let line = match line.strip_prefix('\u{FEFF}') {
            Some(rest) if is_first => rest,
            _ => line,
        };
        if line.is_empty() {
            let data = std::mem::take(&mut self.data);
            return std::mem::take(&mut self.has_data).then(|| ServerEvent {
                data,
                id: self.id.clone(),
                retry: self.retry,
            });
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => {
                if self.has_data {
                    self.data.push('\n');
                }
                self.has_data = true;
                self.data.push_str(value);
            }
            "id" if !value.contains('\0') => {
                self.id = (!value.is_empty()).then(|| value.to_owned());
            }
            "retry" if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) => {
                self.retry = value.parse().ok().or(self.retry);
            }
            _ => {}
        }
        None
    }
}

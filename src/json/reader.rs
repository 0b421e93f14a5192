//! From JSON text to events: where containers begin and end, keys and scalars.

use std::borrow::Cow;

/// An array or an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Container {
    Array,
    Object,
}

/// A part of a JSON text.
#[derive(Debug)]
pub(crate) enum Event<'a> {
    /// A container begins.
    Begin(Container),
    /// The innermost container ends.
    End,
    /// A key of the innermost container; its value comes next.
    Key(JsonString<'a>),
    /// A value that is no container.
    Scalar(Scalar<'a>),
}

/// A value that is no container.
#[derive(Debug)]
pub(crate) enum Scalar<'a> {
    Null,
    Bool(bool),
    /// As it is written.
    Number(&'a str),
    String(JsonString<'a>),
}

/// A string behind its escapes.
#[derive(Debug)]
pub(crate) struct JsonString<'a> {
    pub(crate) text: Cow<'a, str>,
    /// Whether an escape was half of a surrogate pair, and became U+FFFD.
    pub(crate) has_half_pair: bool,
}

/// What is wrong where the text stops to be JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// No value, or none that JSON has.
    Value,
    /// No key.
    Key,
    /// No `:` behind a key.
    Colon,
    /// Neither `,` nor the end of this container behind a value.
    Separator(Container),
    /// A string that does not end.
    OpenString,
    /// An escape or a character that no string has.
    StringPart,
    /// More than one value.
    More,
}

/// Where and why a text is no JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) problem: Problem,
    /// Line, from 1.
    pub(crate) line: usize,
    /// Column in bytes, from 1.
    pub(crate) column: usize,
    /// Whether it is the end of the text, so that more text could mend it.
    pub(crate) is_end: bool,
}

/// What may stand next, blanks aside.
#[derive(Clone, Copy)]
enum Expected {
    Value,
    FirstItem,
    FirstKey,
    Key,
    Colon,
    /// What stands behind a value: a separator, an end, or the end of the text.
    Behind,
}

/// Reads a text from front to back.
pub(crate) struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// Where the last event begins.
    start: usize,
    line: usize,
    line_start: usize,
    open: Vec<Container>,
    expected: Expected,
    /// Whether more values may follow the first.
    is_sequence: bool,
}

/// Whether JSON allows a byte between tokens.
pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

impl<'a> Reader<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            start: 0,
            line: 1,
            line_start: 0,
            open: Vec::new(),
            expected: Expected::Value,
            is_sequence: false,
        }
    }

    /// A reader of values that stand one behind the other: behind each, [`Self::begin_next`].
    pub(crate) fn of_sequence(text: &'a str) -> Self {
        Self {
            is_sequence: true,
            ..Self::new(text)
        }
    }

    /// Turns to the next value of a sequence, if anything follows.
    pub(crate) fn begin_next(&mut self) -> bool {
        self.skip_blanks();
        self.expected = Expected::Value;
        self.peek().is_some()
    }

    /// The line of the last event. A token never goes over lines.
    pub(crate) fn line(&self) -> usize {
        self.line
    }

    /// Where the last event begins in the text.
    pub(crate) fn start(&self) -> usize {
        self.start
    }

    /// Where the last event ends in the text.
    pub(crate) fn end_of_event(&self) -> usize {
        self.at
    }

    /// The next event; none behind the value.
    pub(crate) fn next(&mut self) -> Result<Option<Event<'a>>, Fault> {
        loop {
            self.skip_blanks();
            self.start = self.at;
            let expected = self.expected;
            match expected {
                Expected::FirstItem if self.eat(b']') => return Ok(Some(self.end())),
                Expected::Value | Expected::FirstItem => return self.value().map(Some),
                Expected::FirstKey if self.eat(b'}') => return Ok(Some(self.end())),
                Expected::Key | Expected::FirstKey => {
                    if self.peek() != Some(b'"') {
                        return Err(self.fault(Problem::Key));
                    }
                    self.expected = Expected::Colon;
                    return self.string().map(|key| Some(Event::Key(key)));
                }
                Expected::Colon => {
                    if !self.eat(b':') {
                        return Err(self.fault(Problem::Colon));
                    }
                    self.expected = Expected::Value;
                }
                Expected::Behind => {
                    let Some(container) = self.open.last().copied() else {
                        return match self.peek() {
                            None => Ok(None),
                            Some(_) if self.is_sequence => Ok(None),
                            Some(_) => Err(self.fault(Problem::More)),
                        };
                    };
                    let (closing, next) = match container {
                        Container::Array => (b']', Expected::Value),
                        Container::Object => (b'}', Expected::Key),
                    };
                    if self.eat(closing) {
                        return Ok(Some(self.end()));
                    }
                    if !self.eat(b',') {
                        return Err(self.fault(Problem::Separator(container)));
                    }
                    self.expected = next;
                }
            }
        }
    }

    fn fault(&self, problem: Problem) -> Fault {
        Fault {
            problem,
            line: self.line,
            column: self.at - self.line_start + 1,
            is_end: self.at >= self.text.len(),
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn skip_blanks(&mut self) {
        while let Some(byte) = self.peek().filter(|byte| is_blank(*byte)) {
            self.at += 1;
            if byte == b'\n' {
                self.line += 1;
                self.line_start = self.at;
            }
        }
    }

    fn begin(&mut self, container: Container, next: Expected) -> Event<'a> {
        self.at += 1;
        self.open.push(container);
        self.expected = next;
        Event::Begin(container)
    }

    fn end(&mut self) -> Event<'a> {
        self.open.pop();
        self.expected = Expected::Behind;
        Event::End
    }

    fn value(&mut self) -> Result<Event<'a>, Fault> {
        let scalar = match self.peek() {
            Some(b'[') => return Ok(self.begin(Container::Array, Expected::FirstItem)),
            Some(b'{') => return Ok(self.begin(Container::Object, Expected::FirstKey)),
            Some(b'"') => Scalar::String(self.string()?),
            Some(b't') => self.word("true", Scalar::Bool(true))?,
            Some(b'f') => self.word("false", Scalar::Bool(false))?,
            Some(b'n') => self.word("null", Scalar::Null)?,
            _ => Scalar::Number(self.number()?),
        };
        self.expected = Expected::Behind;
        Ok(Event::Scalar(scalar))
    }

    fn word(&mut self, word: &str, scalar: Scalar<'a>) -> Result<Scalar<'a>, Fault> {
        if !word.bytes().all(|byte| self.eat(byte)) {
            return Err(self.fault(Problem::Value));
        }
        self.end_of_word().map(|()| scalar)
    }

    fn number(&mut self) -> Result<&'a str, Fault> {
        let start = self.at;
        self.eat(b'-');
        if !self.eat(b'0') {
            self.digits()?;
        }
        if self.eat(b'.') {
            self.digits()?;
        }
        if self.eat(b'e') || self.eat(b'E') {
            let _ = self.eat(b'+') || self.eat(b'-');
            self.digits()?;
        }
        self.end_of_word()?;
        Ok(self.text.get(start..self.at).unwrap_or_default())
    }

    /// One digit or more.
    fn digits(&mut self) -> Result<(), Fault> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at == start {
            return Err(self.fault(Problem::Value));
        }
        Ok(())
    }

    /// Nothing may follow a number or word that would make it another: in `01` the value is
    /// wrong, not the lack of a `,`.
    fn end_of_word(&self) -> Result<(), Fault> {
        match self.peek() {
            Some(byte) if byte.is_ascii_alphanumeric() || b"+-.".contains(&byte) => {
                Err(self.fault(Problem::Value))
            }
            _ => Ok(()),
        }
    }

    /// Reads a string, whose `"` is next.
    fn string(&mut self) -> Result<JsonString<'a>, Fault> {
        self.at += 1;
        let plain = self.plain();
        if self.eat(b'"') {
            return Ok(JsonString {
                text: Cow::Borrowed(plain),
                has_half_pair: false,
            });
        }
        let mut text = plain.to_owned();
        let mut has_half_pair = false;
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(JsonString {
                        text: Cow::Owned(text),
                        has_half_pair,
                    });
                }
                Some(b'\\') => {
                    let character = self.escape()?;
                    has_half_pair |= character.is_none();
                    text.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
                }
                Some(_) => return Err(self.fault(Problem::StringPart)),
                None => return Err(self.fault(Problem::OpenString)),
            }
            text.push_str(self.plain());
        }
    }

    /// The characters that stand for themselves.
    fn plain(&mut self) -> &'a str {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let length = rest
            .bytes()
            .position(|byte| byte == b'"' || byte == b'\\' || byte < b' ')
            .unwrap_or(rest.len());
        self.at += length;
        rest.get(..length).unwrap_or_default()
    }

    /// The character of an escape, whose `\` is next; none for half a surrogate pair.
    fn escape(&mut self) -> Result<Option<char>, Fault> {
        self.at += 1;
        let character = match self.peek() {
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                let unit = self.unit()?;
                return Ok(self.character(unit));
            }
            Some(_) => return Err(self.fault(Problem::StringPart)),
            None => return Err(self.fault(Problem::OpenString)),
        };
        self.at += 1;
        Ok(Some(character))
    }

    /// The four digits behind `\u`.
    fn unit(&mut self) -> Result<u16, Fault> {
        let mut unit: u16 = 0;
        for _ in 0..4 {
            let digit = match self.peek() {
                Some(byte) => char::from(byte).to_digit(16),
                None => return Err(self.fault(Problem::OpenString)),
            };
            let Some(digit) = digit.and_then(|digit| u16::try_from(digit).ok()) else {
                return Err(self.fault(Problem::StringPart));
            };
            unit = (unit << 4) | digit;
            self.at += 1;
        }
        Ok(unit)
    }

    /// The character of a code unit, and of the unit behind it where the two are a pair.
    fn character(&mut self, unit: u16) -> Option<char> {
        if let Some(Ok(character)) = char::decode_utf16([unit]).next() {
            return Some(character);
        }
        let behind = self.at;
        let second = if self.eat(b'\\') && self.eat(b'u') {
            self.unit().ok()
        } else {
            None
        };
        let pair = second.and_then(|second| char::decode_utf16([unit, second]).next()?.ok());
        if pair.is_none() {
            // What stands there is a part of its own, right or wrong.
            self.at = behind;
        }
        pair
    }
}

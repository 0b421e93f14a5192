//! From the events of the parser to a tree.

use std::borrow::Cow;
use std::collections::BTreeMap;

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Span as EventSpan, StrInput, Tag};

use super::faults;
use super::scalar;
use super::tree::{Content, Entry, Node};
use crate::diagnostics::codes::documents;
use crate::diagnostics::{Diagnostic, Sink};
use crate::text::{Source, Span, Spanned, quoted};

/// Levels of lists and mappings that a document may nest.
pub const MAX_DEPTH: usize = 64;

/// Reads the one document of a source. A fault of the text's structure ends the reading with one
/// error; faults of single values are all reported. A source of nothing but comments is `null`.
///
/// # Errors
/// Reported to `sink`; none is returned then.
pub fn read(source: &Source, sink: &mut Sink) -> Option<Node> {
    let mut errors = Sink::new();
    let mut reader = Reader {
        source,
        parser: Parser::new_from_str(source.text()),
        offsets: Offsets::of(source.text()),
        sink: &mut errors,
    };
    let root = reader.document();
    let failed = errors.has_errors();
    sink.extend(errors.into_sorted());
    root.filter(|_| !failed)
}

/// Offsets of characters: the parser counts characters, places count bytes.
struct Offsets {
    /// By character, its offset; none where each character is one byte.
    starts: Option<Vec<u32>>,
    length: usize,
}

impl Offsets {
    fn of(text: &str) -> Self {
        let starts = (!text.is_ascii()).then(|| {
            let offsets = text.char_indices().map(|(offset, _)| offset);
            offsets
                .map(|offset| u32::try_from(offset).unwrap_or(u32::MAX))
                .collect()
        });
        Self {
            starts,
            length: text.len(),
        }
    }

    fn of_mark(&self, mark: &Marker) -> usize {
        match &self.starts {
            None => mark.index().min(self.length),
            Some(starts) => starts
                .get(mark.index())
                .and_then(|offset| usize::try_from(*offset).ok())
                .unwrap_or(self.length),
        }
    }
}

/// A list or mapping that is not closed yet.
enum Open {
    List(usize, Vec<Node>),
    Mapping(Mapping),
}

/// A mapping under way.
struct Mapping {
    start: usize,
    entries: Vec<Entry>,
    /// By key, the index of its entry.
    known: BTreeMap<String, usize>,
    /// What stands before the next value.
    key: Key,
}

/// The key that a value is waited for.
enum Key {
    /// A key comes next.
    None,
    Read(Spanned<String>),
    /// The value is read and dropped: its key was refused.
    Refused,
}

struct Reader<'s, 'd> {
    source: &'s Source,
    parser: Parser<'s, StrInput<'s>>,
    offsets: Offsets,
    sink: &'d mut Sink,
}

/// The structure cannot be followed further; the sink has the reason.
struct Broken;

impl Reader<'_, '_> {
    fn document(&mut self) -> Option<Node> {
        let mut open: Vec<Open> = Vec::new();
        let mut root: Option<Node> = None;
        let mut documents = 0_usize;
        while let Some(event) = self.parser.next_event() {
            let (event, span) = match event {
                Ok(found) => found,
                Err(error) => {
                    let at = self.offsets.of_mark(error.marker());
                    self.sink
                        .push(faults::structure(self.source, at, error.info()));
                    return None;
                }
            };
            if matches!(event, Event::StreamEnd) {
                break;
            }
            if matches!(event, Event::DocumentStart(_)) {
                documents += 1;
                if documents > 1 {
                    self.refuse_second_document(&span);
                    return None;
                }
            }
            match self.take(event, &span, &mut open) {
                Ok(Some(node)) => root = Some(node),
                Ok(None) => {}
                Err(Broken) => return None,
            }
        }
        let empty = Node {
            span: Span::default(),
            place: Span::default(),
            content: Content::Null,
        };
        Some(root.unwrap_or(empty))
    }

    fn refuse_second_document(&mut self, span: &EventSpan) {
        let place = self.span(span);
        self.sink.push(
            Diagnostic::new(
                &documents::SEVERAL_DOCUMENTS,
                place,
                "a second document begins here",
            )
            .with_help("keep one document in a file: delete the `---`, or move the rest to a file of its own"),
        );
    }

    /// The root, when the event completes it.
    fn take(
        &mut self,
        event: Event<'_>,
        span: &EventSpan,
        open: &mut Vec<Open>,
    ) -> Result<Option<Node>, Broken> {
        let place = self.span(span);
        let node = match event {
            Event::Alias(_) => {
                self.feature(place, "an alias (`*name`)", "write the value itself");
                self.node(place, Content::Null)
            }
            Event::Scalar(value, style, anchor, tag) => {
                let place = self.trimmed(place, style);
                self.refuse_extras(place, anchor, tag.as_ref());
                self.scalar(place, &value, style)
            }
            Event::SequenceStart(anchor, tag) => {
                self.refuse_extras(place, anchor, tag.as_ref());
                self.deepen(place, open)?;
                open.push(Open::List(place.start, Vec::new()));
                return Ok(None);
            }
            Event::MappingStart(anchor, tag) => {
                self.refuse_extras(place, anchor, tag.as_ref());
                self.deepen(place, open)?;
                open.push(Open::Mapping(Mapping {
                    start: place.start,
                    entries: Vec::new(),
                    known: BTreeMap::new(),
                    key: Key::None,
                }));
                return Ok(None);
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(Open::List(start, items)) => {
                    let last = items.last().map(|item| item.span);
                    self.node(closed(start, place, last), Content::List(items))
                }
                Some(Open::Mapping(mapping)) => {
                    let last = mapping.entries.last().map(|entry| entry.value.span);
                    let span = closed(mapping.start, place, last);
                    self.node(span, Content::Mapping(mapping.entries))
                }
                None => return Ok(None),
            },
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd => return Ok(None),
        };
        match open.last_mut() {
            None => return Ok(Some(node)),
            Some(Open::List(_, items)) => items.push(node),
            Some(Open::Mapping(mapping)) => self.put(mapping, node),
        }
        Ok(None)
    }

    /// A node is a key or the value of the key before it.
    fn put(&mut self, mapping: &mut Mapping, node: Node) {
        match std::mem::replace(&mut mapping.key, Key::None) {
            Key::None => mapping.key = self.key(mapping, node),
            Key::Refused => {}
            Key::Read(key) => {
                // The value of a key with nothing behind it stands where the key ends.
                let node = if node.content == Content::Null && node.span.end <= node.span.start {
                    Node {
                        span: key.span,
                        place: key.span,
                        ..node
                    }
                } else {
                    node
                };
                mapping
                    .known
                    .insert(key.value.clone(), mapping.entries.len());
                mapping.entries.push(Entry { key, value: node });
            }
        }
    }

    fn key(&mut self, mapping: &Mapping, node: Node) -> Key {
        let text = match node.content {
            Content::Text(text) => text,
            _ => {
                let kind = node.kind().as_str();
                self.sink.push(
                    Diagnostic::new(
                        &documents::KEY_NOT_TEXT,
                        node.place,
                        format!("a key is text, and here stands {kind}"),
                    )
                    .with_help("write the key in quotes"),
                );
                return Key::Refused;
            }
        };
        if text.is_plain && text.value == "<<" {
            self.feature(
                node.place,
                "a merge key (`<<`)",
                "write the keys themselves",
            );
            return Key::Refused;
        }
        let text = text.value;
        let before = mapping
            .known
            .get(&text)
            .and_then(|at| mapping.entries.get(*at));
        if let Some(before) = before {
            self.sink.push(
                Diagnostic::new(
                    &documents::DUPLICATE_KEY,
                    node.place,
                    format!("the key {} stands twice in one mapping", quoted(&text)),
                )
                .with_label("again here")
                .with_other(before.key.span, "first here")
                .with_help("delete one of the two"),
            );
            return Key::Refused;
        }
        Key::Read(Spanned::new(text, node.place))
    }

    fn scalar(&mut self, place: Span, value: &str, style: ScalarStyle) -> Node {
        let is_plain = style == ScalarStyle::Plain;
        if !is_plain {
            return self.node(place, scalar::text(value, false));
        }
        let content = scalar::plain(value).unwrap_or_else(|| {
            self.sink.push(
                Diagnostic::new(
                    &documents::UNCLEAR_NUMBER,
                    place,
                    format!(
                        "{} is a number to some readers of YAML and none, or another, to others",
                        quoted(value)
                    ),
                )
                .with_help(
                    "write a number as JSON does, such as `1000` or `0.5`; or put it in quotes, if it is text",
                ),
            );
            Content::Null
        });
        self.node(place, content)
    }

    fn node(&self, span: Span, content: Content) -> Node {
        let text = self.source.slice(span);
        let first = text.lines().next().unwrap_or_default().trim_end();
        Node {
            span,
            place: Span::new(span.start, span.start + first.len()),
            content,
        }
    }

    /// A plain word's place may reach over the blanks behind it.
    fn trimmed(&self, place: Span, style: ScalarStyle) -> Span {
        if style != ScalarStyle::Plain {
            return place;
        }
        let text = self.source.slice(place).trim_end();
        Span::new(place.start, place.start + text.len())
    }

    fn deepen(&mut self, place: Span, open: &[Open]) -> Result<(), Broken> {
        if open.len() < MAX_DEPTH {
            return Ok(());
        }
        self.sink.push(
            Diagnostic::new(
                &documents::TOO_DEEP,
                place,
                format!("lists and mappings nest more than {MAX_DEPTH} deep"),
            )
            .with_help("nothing that is read here needs so many levels: flatten it"),
        );
        Err(Broken)
    }

    fn refuse_extras(&mut self, place: Span, anchor: usize, tag: Option<&Cow<'_, Tag>>) {
        if anchor != 0 {
            self.feature(
                place,
                "an anchor (`&name`)",
                "delete it, and write values where they are needed",
            );
        }
        if tag.is_some() {
            self.feature(
                place,
                "a tag (`!name`)",
                "delete it; for text, put the value in quotes",
            );
        }
    }

    fn feature(&mut self, place: Span, what: &str, help: &str) {
        self.sink.push(
            Diagnostic::new(
                &documents::NOT_SUPPORTED,
                place,
                format!("{what} is not read here"),
            )
            .with_help(help),
        );
    }

    fn span(&self, span: &EventSpan) -> Span {
        Span::new(
            self.offsets.of_mark(&span.start),
            self.offsets.of_mark(&span.end),
        )
    }
}

/// The place of a list or mapping: in blocks the parser's own end stands behind blank lines.
fn closed(start: usize, end: Span, last: Option<Span>) -> Span {
    // A closing bracket has a width, the end of a block has none.
    let end = if end.end > end.start {
        end.end
    } else {
        last.map_or(end.end, |last| last.end)
    };
    Span::new(start, end)
}

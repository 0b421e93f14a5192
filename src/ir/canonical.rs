//! The canonical bytes of an IR (contract section 6): one rulebook, one file, on every machine.
//!
//! Keys come sorted because the fields of the types do; the layout is serde_json's pretty one;
//! only the escapes are our own.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CharEscape, Formatter, PrettyFormatter, Serializer};

use super::Rulebook;
use crate::text::is_invisible;

/// The bytes of `rulebook.ir.json`, as [`canonical_bytes`] writes them.
pub fn to_bytes(rulebook: &Rulebook) -> Vec<u8> {
    canonical_bytes(rulebook)
}

/// The bytes of a document whose fields are sorted: UTF-8, two-space indentation, LF, one final
/// newline; escaped are `"`, `\`, control and bidirectional characters, U+2028 and U+2029.
#[expect(
    clippy::expect_used,
    reason = "writing to a vector cannot fail, and the types hold nothing that JSON lacks"
)]
pub fn canonical_bytes(document: &impl Serialize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut bytes, Canonical::default());
    document
        .serialize(&mut serializer)
        .expect("the document is serialisable");
    bytes.push(b'\n');
    bytes
}

/// serde_json's layout with the contract's escapes.
#[derive(Default)]
struct Canonical {
    layout: PrettyFormatter<'static>,
}

/// Whether a character that JSON itself allows as it is must be escaped here. The contract names
/// no byte order mark among the escaped ones, so it stands as it is.
fn is_escaped(character: char) -> bool {
    is_invisible(character) && character != '\u{FEFF}'
}

fn write_unicode<W: ?Sized + Write>(writer: &mut W, character: u32) -> io::Result<()> {
    // All escaped characters are below U+10000: one unit each.
    write!(writer, "\\u{character:04x}")
}

impl Formatter for Canonical {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        // serde_json cuts fragments at `"`, `\` and C0 characters only. Nearly all are ASCII.
        if fragment.bytes().all(|byte| byte < 0x7f) {
            return writer.write_all(fragment.as_bytes());
        }
        let mut rest = fragment;
        while let Some((at, character)) = rest.char_indices().find(|(_, c)| is_escaped(*c)) {
            let (before, tail) = rest.split_at_checked(at).unwrap_or((rest, ""));
            writer.write_all(before.as_bytes())?;
            write_unicode(writer, character.into())?;
            rest = tail.strip_prefix(character).unwrap_or("");
        }
        writer.write_all(rest.as_bytes())
    }

    fn write_char_escape<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        escape: CharEscape,
    ) -> io::Result<()> {
        let short: &[u8] = match escape {
            CharEscape::Quote => b"\\\"",
            CharEscape::ReverseSolidus => b"\\\\",
            CharEscape::LineFeed => b"\\n",
            CharEscape::CarriageReturn => b"\\r",
            CharEscape::Tab => b"\\t",
            CharEscape::Solidus => b"/",
            CharEscape::Backspace => return write_unicode(writer, 0x08),
            CharEscape::FormFeed => return write_unicode(writer, 0x0c),
            CharEscape::AsciiControl(byte) => return write_unicode(writer, byte.into()),
        };
        writer.write_all(short)
    }

    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.layout.begin_array(writer)
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.layout.end_array(writer)
    }

    fn begin_array_value<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.layout.begin_array_value(writer, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.layout.end_array_value(writer)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.layout.begin_object(writer)
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.layout.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.layout.begin_object_key(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.layout.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.layout.end_object_value(writer)
    }
}

#[cfg(test)]
mod tests {
    use super::super::example;
    use super::*;
    use crate::text::write_escaped;

    #[test]
    fn keys_are_sorted_at_every_level() {
        let text = String::from_utf8(to_bytes(&example::maximal())).unwrap();
        // One entry per open object: the last key seen in it, by its indentation.
        let mut open: Vec<(usize, String)> = Vec::new();
        let mut keys = 0;
        for line in text.lines() {
            let depth = line.len() - line.trim_start_matches(' ').len();
            let inside = line.trim_start_matches(' ');
            open.retain(|(at, _)| *at <= depth);
            let Some((key, _)) = inside.split_once("\": ") else {
                continue;
            };
            keys += 1;
            match open.last_mut() {
                Some((at, last)) if *at == depth => {
                    assert!(last.as_str() < key, "{last} before {key}");
                    *last = key.to_owned();
                }
                _ => open.push((depth, key.to_owned())),
            }
        }
        assert!(keys > 100, "the example is maximal: {keys}");
    }

    #[test]
    fn parsing_and_sorting_changes_nothing() {
        // serde_json's map is sorted, so a second way to the same bytes, escapes aside.
        let bytes = to_bytes(&example::maximal());
        let value: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        let mut again = Vec::new();
        let mut serializer = Serializer::with_formatter(&mut again, Canonical::default());
        value.serialize(&mut serializer).unwrap();
        again.push(b'\n');
        assert_eq!(
            String::from_utf8(bytes).unwrap(),
            String::from_utf8(again).unwrap()
        );
    }

    #[test]
    fn escapes_are_the_contract_s() {
        let mut rulebook = example::maximal();
        let name = "q\" b\\ s/ n\n t\t r\r b\u{8} f\u{c} z\u{0} d\u{7f} c\u{85} l\u{2028} p\u{2029} \
                    r\u{202e} i\u{2066} m\u{200f} a\u{61c} é 日 😀";
        rulebook.package = name.to_owned();
        let text = String::from_utf8(to_bytes(&rulebook)).unwrap();
        let want = "q\\\" b\\\\ s/ n\\n t\\t r\\r b\\u0008 f\\u000c z\\u0000 d\\u007f c\\u0085 \
                    l\\u2028 p\\u2029 r\\u202e i\\u2066 m\\u200f a\\u061c é 日 😀";
        assert!(text.contains(&format!("\n  \"package\": \"{want}\",\n")));
        let mut escaped = String::new();
        write_escaped(name, &mut escaped);
        assert_eq!(escaped, want, "the other printers escape alike");
    }

    #[test]
    fn layout() {
        let mut rulebook = example::maximal();
        rulebook.context.clear();
        rulebook.flows.clear();
        rulebook.messages.clear();
        rulebook.tools.truncate(1);
        let text = String::from_utf8(to_bytes(&rulebook)).unwrap();
        assert!(text.starts_with(
            "{\n  \"context\": [],\n  \"flows\": [],\n  \"format\": \"rulebook-ir/1\",\n"
        ));
        assert!(text.ends_with("\n    }\n  ]\n}\n"));
        assert!(!text.contains('\r') && !text.contains(" \n"));
    }
}

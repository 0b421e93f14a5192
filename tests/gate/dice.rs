//! Choices that are the same in every run, and JSON texts written in odd ways by them.

use std::fmt::Write as _;

use serde_json::Value;

/// A sequence of choices.
pub struct Dice(u64);

impl Dice {
    /// The sequence of a text: the same text, the same choices.
    pub fn of(text: &str) -> Self {
        let fold = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        Self(text.bytes().fold(0xcbf2_9ce4_8422_2325, fold))
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % limit
    }

    /// Once in so many times.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }
}

/// Values that stand where another overwrites them, or under a name that nothing reads.
const DECOYS: &[&str] = &[
    "true",
    "false",
    "null",
    "0",
    "-1.5E+3",
    "1e1000000000",
    "\"\"",
    "\"a\\\"b\\\\\"",
    "\"\\ud800\"",
    "[]",
    "{}",
    "[true, {\"tier\": true}, [[]]]",
    "{\"tier\": \"gold\", \"open\": true, \"a\": {\"b\": {\"c\": true}}}",
    "{\"$serde_json::private::Number\": \"5\"}",
];

/// Writes a value so that it reads as the same, with blanks, escapes, names that nothing reads,
/// and keys that stand twice: the last is right.
pub fn write_oddly(value: &Value, dice: &mut Dice, text: &mut String) {
    blanks(dice, text);
    match value {
        Value::Object(entries) => {
            text.push('{');
            let mut keys: Vec<&String> = entries.keys().collect();
            for at in (1..keys.len()).rev() {
                keys.swap(at, dice.below(at + 1));
            }
            let mut written = Vec::new();
            for key in keys {
                while dice.once_in(4) {
                    let decoy = dice.pick(DECOYS);
                    // A key that nothing reads, unless the right value comes behind it.
                    let name = if dice.once_in(2) { key } else { "a stranger" };
                    written.push(format!("{}:{decoy}", string(name, dice)));
                }
                let mut entry = string(key, dice);
                blanks(dice, &mut entry);
                entry.push(':');
                write_oddly(&entries[key], dice, &mut entry);
                written.push(entry);
            }
            text.push_str(&written.join(","));
            blanks(dice, text);
            text.push('}');
        }
        Value::String(content) => text.push_str(&string(content, dice)),
        other => text.push_str(&other.to_string()),
    }
    blanks(dice, text);
}

fn blanks(dice: &mut Dice, text: &mut String) {
    while dice.once_in(3) {
        text.push_str(dice.pick(&[" ", "  ", "\n", "\t", "\r\n"]));
    }
}

/// A string, some of its characters as escapes.
fn string(content: &str, dice: &mut Dice) -> String {
    let mut text = String::from("\"");
    let often = if dice.once_in(4) { 2 } else { 1_000 };
    for character in content.chars() {
        if character < ' ' || "\"\\".contains(character) || dice.once_in(often) {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                let _ = write!(text, "\\u{unit:04X}");
            }
        } else {
            text.push(character);
        }
    }
    text.push('"');
    text
}

/// Changes a few bytes of a text, so that it is hardly ever JSON.
pub fn edit(text: &str, dice: &mut Dice) -> Vec<u8> {
    const PIECES: &[&[u8]] = &[
        b"",
        b"",
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b":",
        b"\"",
        b"\\",
        b"\\u",
        b"\\u00e9",
        b"0",
        b"1",
        b"-",
        b"+",
        b".",
        b"e",
        b" ",
        b"\n",
        b"\x0c",
        b"\x00",
        b"\x1f",
        b"true",
        b"nul",
        b"\xff",
        b"\xc3\xa9",
        b"\xed\xa0\x80",
        b"\xef\xbb\xbf",
        b"x",
    ];
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=dice.below(3) {
        let at = dice.below(bytes.len() + 1);
        let end = bytes.len().min(at + dice.below(3));
        let piece = PIECES[dice.below(PIECES.len())];
        bytes.splice(at..end, piece.iter().copied());
    }
    bytes
}

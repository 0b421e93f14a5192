//! The chain source -> IR -> Rego: hashes, and the header of `Rulebook.rego` that names them
//! (contract sections 7 and 8).

use sha2::{Digest, Sha256};

use crate::text::{Source, visible_in_comment};

/// The version that this translator writes into headers.
pub const TRANSLATOR: &str = env!("CARGO_PKG_VERSION");

const GENERATED: &str = "# GENERATED from ";
const SOURCE: &str = " @ sha256:";
const DO_NOT_EDIT: &str = "  -- do not edit";
const RULEBOOK: &str = "# rulebook sha256:";
const VERSION: &str = "# translator ";

/// What the package is and what it is not: lines behind the hashes. The query stands between.
const ABOUT: &str = "\
# This is the gate of the rulebook, and only the gate: it answers which decision a call of a tool
# earns by the context of the call, and nothing else.
#
# It does not decide the schema of arguments, the origins of arguments, the history of the session,
# rules on the order of calls, trust labels, compensation bindings or confirmations. Those are
# decided by the tool check, at the gateway or in the check service.
#
# A gateway that uses this alone enforces the conditions of the rulebook and nothing else.
#
# `clarify` means: ask a person first. A plain route has nobody to ask, so there it is a refusal.
#
";

const INPUT: &str = "\
# Input: `input.tool`, the name of the tool; `input.context`, an object of the context's values.
#
# A name that is absent from the context is false by itself. A comparison with a value that is
# absent or of another type decides nothing, and the call is then refused.
";

/// The facts that the header of a Rego states.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Header {
    /// The source file's name, as [`shown_file`] writes it.
    pub source_file: String,
    /// SHA-256 of the source's normalised text, in lower-case hexadecimal digits.
    pub source_sha256: String,
    /// SHA-256 of the bytes of `rulebook.ir.json`, likewise.
    pub rulebook_sha256: String,
    /// Version of the translator that wrote it.
    pub translator: String,
}

/// The first line of a header that is not as a translator writes it, from 1; for a text that ends
/// before, the line that is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HeaderFault {
    /// The line.
    pub line: usize,
}

impl Header {
    /// The text of the header: lines that all begin with `#`, directly followed by the package.
    pub fn write(&self, package: &str) -> String {
        let facts = self.facts();
        format!(
            "{facts}{ABOUT}# Query: `data.{package}.decision`, an object of `decision` and `rule`.\n{INPUT}"
        )
    }

    /// The lines that state the facts, up to and with the bare `#` behind them: every Rego module
    /// that belongs to the rulebook begins with them.
    pub fn facts(&self) -> String {
        let Self {
            source_file,
            source_sha256,
            rulebook_sha256,
            translator,
        } = self;
        format!(
            "{GENERATED}{source_file}{SOURCE}{source_sha256}{DO_NOT_EDIT}\n\
             {RULEBOOK}{rulebook_sha256}\n\
             {VERSION}{translator}\n\
             #\n"
        )
    }

    /// Reads the header of a whole `Rulebook.rego`. Strict in the lines that state facts; of the
    /// others it asks only that they begin with `#` and that `package` follows directly.
    ///
    /// # Errors
    /// The first line that is not as a translator writes it.
    pub fn parse(rego: &str) -> Result<Self, HeaderFault> {
        let mut lines = rego.split('\n');
        let mut next = |line, read: fn(&str) -> Option<&str>| {
            lines.next().and_then(read).ok_or(HeaderFault { line })
        };
        let generated = next(1, |line| {
            line.strip_prefix(GENERATED)?.strip_suffix(DO_NOT_EDIT)
        })?;
        // From the right: the file's name is free text.
        let (source_file, source_sha256) = generated
            .rsplit_once(SOURCE)
            .filter(|(file, hash)| !file.is_empty() && is_sha256(hash))
            .ok_or(HeaderFault { line: 1 })?;
        let rulebook_sha256 = next(2, |line| {
            line.strip_prefix(RULEBOOK).filter(|hash| is_sha256(hash))
        })?;
        let translator = next(3, |line| {
            line.strip_prefix(VERSION)
                .filter(|version| is_version(version))
        })?;
        next(4, |line| Some(line).filter(|line| *line == "#"))?;
        let mut number = 5;
        loop {
            let line = next(number, |line| Some(line))?;
            if line.starts_with("package ") {
                break;
            }
            if !line.starts_with('#') {
                return Err(HeaderFault { line: number });
            }
            number += 1;
        }
        Ok(Self {
            source_file: source_file.to_owned(),
            source_sha256: source_sha256.to_owned(),
            rulebook_sha256: rulebook_sha256.to_owned(),
            translator: translator.to_owned(),
        })
    }
}

/// A file's name as the header shows it: on one line, whatever characters it has, and not so long
/// that an interpreter refuses the line.
pub fn shown_file(file: &str) -> String {
    visible_in_comment(file)
}

/// The source's file name in a first line that was a header's once, whatever became of the rest:
/// one with other line ends, or one that was edited, still tells whose file it is.
pub fn marked_file(rego: &str) -> Option<&str> {
    let line = rego.lines().next()?.trim_end();
    let (file, _) = line.strip_prefix(GENERATED)?.rsplit_once(" @ ")?;
    (!file.is_empty()).then_some(file)
}

/// SHA-256 of some bytes, in lower-case hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// The hash of a source: of its text behind the removal of a byte order mark and CRLF -> LF, so
/// that for an ordinary file it is what `sha256sum` prints (contract section 1).
pub fn source_sha256(source: &Source) -> String {
    sha256(source.text().as_bytes())
}

fn is_sha256(text: &str) -> bool {
    text.len() == 64
        && text
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// The first version that wrote this header.
const FIRST_VERSION: [u64; 3] = [1, 1, 0];

/// Three numbers joined by dots, no lower than the first version; a pre-release or build may
/// follow.
fn is_version(text: &str) -> bool {
    let end = text.find(['-', '+']).unwrap_or(text.len());
    let (numbers, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    let number = |part: &str| {
        let is_plain = part.bytes().all(|byte| byte.is_ascii_digit());
        is_plain.then(|| part.parse::<u64>().ok()).flatten()
    };
    let numbers: Option<Vec<u64>> = numbers.split('.').map(number).collect();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'+');
    numbers
        .is_some_and(|numbers| numbers.len() == 3 && numbers.as_slice() >= FIRST_VERSION.as_slice())
        && rest.len() != 1
        && rest.bytes().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        Header {
            source_file: "policy.co".to_owned(),
            source_sha256: sha256(b"source"),
            rulebook_sha256: sha256(b"rulebook"),
            translator: "1.1.0".to_owned(),
        }
    }

    fn text() -> String {
        header().write("stalwart.policy") + "package stalwart.policy\n"
    }

    #[test]
    fn hashes_are_those_of_sha256sum() {
        assert_eq!(
            sha256(b""),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
        let (plain, _) = Source::decode("a.co", b"define bot a\n  \"x\"\n");
        let (other, _) = Source::decode("b.co", b"\xEF\xBB\xBFdefine bot a\r\n  \"x\"\r\n");
        assert_eq!(source_sha256(&plain), sha256(b"define bot a\n  \"x\"\n"));
        assert_eq!(source_sha256(&plain), source_sha256(&other));
    }

    #[test]
    fn first_lines_are_the_contracts() {
        let text = text();
        let lines = text.lines().take(4).collect::<Vec<_>>();
        let source = sha256(b"source");
        let rulebook = sha256(b"rulebook");
        assert_eq!(
            lines,
            [
                format!("# GENERATED from policy.co @ sha256:{source}  -- do not edit"),
                format!("# rulebook sha256:{rulebook}"),
                "# translator 1.1.0".to_owned(),
                "#".to_owned(),
            ]
        );
    }

    #[test]
    fn all_lines_are_comments_without_a_blank_line_and_short() {
        let text = header().write("stalwart.policy");
        assert!(text.ends_with('\n'));
        // Readers may look for the word to find the body.
        assert!(!text.contains("package"));
        for line in text.lines() {
            assert!(line.starts_with('#'), "{line}");
            assert_eq!(line.trim_end(), line);
        }
        for line in text.lines().skip(1) {
            assert!(line.chars().count() < 100, "{line}");
        }
    }

    #[test]
    fn facts_stand_in_the_contracts_order() {
        let text = text();
        let facts = [
            "only the gate",
            "schema of arguments",
            "origins of arguments",
            "history of the session",
            "order of calls",
            "trust labels",
            "compensation bindings",
            "confirmations",
            "check service",
            "alone enforces",
            "`clarify`",
            "data.stalwart.policy.decision",
            "input.tool",
            "input.context",
            "absent from the context is false",
            "decides nothing",
            "refused",
        ];
        let mut places = Vec::new();
        for fact in facts {
            places.push(text.find(fact).unwrap_or_else(|| panic!("{fact}")));
        }
        assert!(places.is_sorted(), "{places:?}");
    }

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(Header::parse(&text()), Ok(header()));
        let hostile = Header {
            source_file: shown_file("a @ sha256:x  -- do not edit\n\u{202E}# b.co"),
            ..header()
        };
        let text = hostile.write("a") + "package a\n";
        assert_eq!(Header::parse(&text), Ok(hostile));
    }

    #[test]
    fn a_hostile_file_name_keeps_the_line_short() {
        let name = "\u{1}".repeat(255);
        assert!(shown_file(&name).chars().count() <= 601);
        assert_eq!(shown_file("política.co"), "política.co");
    }

    #[test]
    fn what_is_edited_is_refused_at_its_line() {
        let whole = text();
        let edits = [
            ("# GENERATED", "# Generated", 1),
            ("  -- do not edit", " -- do not edit", 1),
            ("policy.co @", " @", 1),
            ("sha256:4", "sha256:G", 1),
            ("# rulebook sha256:", "# rulebook sha256: ", 2),
            ("# translator 1.1.0", "# translator 1.1", 3),
            ("# translator 1.1.0", "# translator 1.1.0-", 3),
            ("# translator 1.1.0", "# translator 1.0.9", 3),
            ("# translator 1.1.0", "# translator +1.1.0", 3),
            ("\n#\n", "\n# \n", 4),
            ("# This", "This", 5),
        ];
        for (from, to, line) in edits {
            let edited = whole.replacen(from, to, 1);
            assert_ne!(edited, whole, "{from}");
            assert_eq!(Header::parse(&edited), Err(HeaderFault { line }), "{from}");
        }
        let count = header().write("stalwart.policy").lines().count();
        let blank = whole.replace("\npackage", "\n\npackage");
        let missing = Err(HeaderFault { line: count + 1 });
        assert_eq!(Header::parse(&blank), missing);
        assert_eq!(Header::parse(&header().write("stalwart.policy")), missing);
        assert_eq!(Header::parse(""), Err(HeaderFault { line: 1 }));
        let returns = whole.replace('\n', "\r\n");
        assert_eq!(Header::parse(&returns), Err(HeaderFault { line: 1 }));
    }
}

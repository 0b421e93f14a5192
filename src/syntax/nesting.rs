//! How deep an expression nests, counted before the grammar runs (contract section 1): the
//! accepted language then does not depend on a stack.

use crate::text::is_word;

/// Most brackets and `not`s that may be open at once.
pub(super) const MAX_DEPTH: usize = 64;

/// The place in `text` of the first bracket or `not` that is nested deeper than
/// [`MAX_DEPTH`]; `None` when all is well.
pub(super) fn too_deep(text: &str) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    // Of each open bracket, and of the text around all: its `not`s that are still open.
    let mut levels: Vec<usize> = Vec::new();
    let mut nots = 0_usize;
    let mut depth = 0_usize;
    let mut behind_is = false;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' | b'\'' => {
                at = string_end(bytes, at);
                continue;
            }
            b'(' | b'[' | b'{' => {
                levels.push(nots);
                nots = 0;
                depth += 1;
                if depth > MAX_DEPTH {
                    return Some((at, at + 1));
                }
            }
            b')' | b']' | b'}' => {
                depth = depth.saturating_sub(nots);
                if let Some(outer) = levels.pop() {
                    nots = outer;
                    depth = depth.saturating_sub(1);
                } else {
                    nots = 0;
                }
            }
            b',' | b':' => {
                depth = depth.saturating_sub(nots);
                nots = 0;
            }
            b'$' => {
                at += 1 + word_length(bytes, at + 1);
                behind_is = false;
                continue;
            }
            _ if is_word(byte) => {
                let length = word_length(bytes, at);
                match bytes.get(at..at + length).unwrap_or_default() {
                    b"not" if !behind_is && !in_follows(bytes, at + length) => {
                        nots += 1;
                        depth += 1;
                        if depth > MAX_DEPTH {
                            return Some((at, at + length));
                        }
                    }
                    b"and" | b"or" | b"if" | b"else" | b"for" => {
                        depth = depth.saturating_sub(nots);
                        nots = 0;
                    }
                    _ => {}
                }
                behind_is = bytes.get(at..at + length) == Some(b"is");
                at += length;
                continue;
            }
            _ => {}
        }
        behind_is &= byte == b' ';
        at += 1;
    }
    None
}

fn word_length(bytes: &[u8], from: usize) -> usize {
    bytes
        .iter()
        .skip(from)
        .take_while(|byte| is_word(**byte))
        .count()
}

/// Whether ` in` follows: then a `not` is part of `not in`.
fn in_follows(bytes: &[u8], from: usize) -> bool {
    let blanks = bytes
        .iter()
        .skip(from)
        .take_while(|byte| **byte == b' ')
        .count();
    let word = from + blanks;
    word_length(bytes, word) == 2 && bytes.get(word..word + 2) == Some(b"in")
}

/// The offset behind the string that opens at `open`; the text's end if it does not close.
pub(super) fn string_end(bytes: &[u8], open: usize) -> usize {
    closed_string_end(bytes, open).unwrap_or(bytes.len())
}

/// The offset behind the string that opens at `open`, if it closes.
pub(super) fn closed_string_end(bytes: &[u8], open: usize) -> Option<usize> {
    let quote = *bytes.get(open)?;
    let mut at = open + 1;
    loop {
        match *bytes.get(at)? {
            b'\\' => at += 2,
            byte if byte == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_and_nots_count_together() {
        let nested = |brackets: usize, nots: usize| {
            format!(
                "{}{}$a{}",
                "(".repeat(brackets),
                "not ".repeat(nots),
                ")".repeat(brackets)
            )
        };
        assert_eq!(too_deep(&nested(64, 0)), None);
        assert_eq!(too_deep(&nested(0, 64)), None);
        assert_eq!(too_deep(&nested(32, 32)), None);
        assert_eq!(too_deep(&nested(65, 0)), Some((64, 65)));
        assert_eq!(too_deep(&nested(0, 5_000)), Some((64 * 4, 64 * 4 + 3)));
        assert_eq!(
            too_deep(&nested(33, 32)),
            Some((33 + 31 * 4, 33 + 31 * 4 + 3))
        );
    }

    #[test]
    fn what_does_not_nest_does_not_count() {
        let many = "not $a and ".repeat(200) + "$b";
        assert_eq!(too_deep(&many), None);
        let many = "($a) or ".repeat(200) + "$b";
        assert_eq!(too_deep(&many), None);
        let many = "$a not in [1] and $b is not None and ".repeat(200) + "$b";
        assert_eq!(too_deep(&many), None);
        assert_eq!(too_deep(&format!("$a == \"{}\"", "(".repeat(500))), None);
    }
}

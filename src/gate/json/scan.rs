//! Reads plain JSON texts fast: objects whose keys have no escapes, with nothing nested deeper
//! than 64 levels inside of what is skipped. Everything else, errors included, it leaves to the
//! reader that knows all of JSON.
//!
//! Strings are looked at eight bytes at a time; whether a boolean is true or false makes no branch,
//! which could not be foreseen.

use crate::json::is_blank;

use super::super::names::Names;
use super::super::table::{Key, ROOT, padded};
use super::Notes;

/// Each byte of a word.
const EACH: u64 = 0x0101_0101_0101_0101;
const HIGH_BITS: u64 = 0x80 * EACH;

/// Reads a text whose value is an object, and says whether all of it is ASCII; none when it is
/// not plain. What is not ASCII may not even be UTF-8.
#[inline(always)]
pub(super) fn read<'a, N: Notes<'a>>(
    bytes: &'a [u8],
    names: &Names,
    notes: &mut N,
) -> Option<bool> {
    let mut scan = Scan {
        bytes,
        at: 0,
        high: 0,
    };
    scan.expect(b'{')?;
    let mut parent = ROOT;
    let mut is_first = true;
    loop {
        let byte = scan.peek()?;
        if byte != b'}' || !is_first {
            let key = scan.key(parent)?;
            scan.expect(b':')?;
            let first = scan.peek()?;
            let place = scan.at;
            let found = names.find(key);
            if N::HAS_NAMES_BELOW
                && let (b'{', Some(node)) = (first, found)
                && names.node(node).is_some_and(|node| node.has_names_below)
            {
                notes.note(names, node, place, None);
                scan.at += 1;
                (parent, is_first) = (node, true);
                continue;
            }
            let boolean = scan.boolean();
            if boolean.is_none() {
                scan.value(first)?;
            }
            if let Some(node) = found {
                notes.note(names, node, place, boolean);
            }
        }
        // Behind a value, or in an empty object.
        loop {
            let byte = scan.peek()?;
            scan.at += 1;
            match byte {
                b',' => break,
                b'}' if parent == ROOT => return scan.end(),
                b'}' if N::HAS_NAMES_BELOW => parent = names.node(parent)?.parent,
                _ => return None,
            }
        }
        is_first = false;
    }
}

/// A text that is read from front to back. What it does not know is none, everywhere.
struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
    /// All bytes of strings, eight beside each other. Outside of strings only ASCII is known.
    high: u64,
}

impl<'a> Scan<'a> {
    /// The next byte that is no blank.
    #[inline]
    fn peek(&mut self) -> Option<u8> {
        loop {
            let byte = *self.bytes.get(self.at)?;
            if byte > b' ' {
                return Some(byte);
            }
            if !is_blank(byte) {
                return None;
            }
            self.at += 1;
        }
    }

    /// Goes behind a byte, blanks before it left out.
    #[inline]
    fn expect(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    /// Only blanks may be left.
    fn end(&self) -> Option<bool> {
        let rest = self.bytes.get(self.at..)?;
        let is_end = rest.iter().all(|byte| is_blank(*byte));
        is_end.then_some(self.high & HIGH_BITS == 0)
    }

    /// The eight bytes from here on, with zeros behind the end of the text.
    #[inline]
    fn eight(&self, at: usize) -> Option<u64> {
        let rest = self.bytes.get(at..)?;
        Some(match rest.first_chunk::<8>() {
            Some(chunk) => u64::from_le_bytes(*chunk),
            None => padded(rest),
        })
    }

    /// Reads a key, which begins here.
    #[inline(always)]
    fn key(&mut self, parent: u32) -> Option<Key<'a>> {
        if self.peek()? != b'"' {
            return None;
        }
        let start = self.at + 1;
        let eight = self.eight(start)?;
        let ends = ends(eight);
        if ends == 0 {
            self.high |= eight;
            return self.long_key(parent, start);
        }
        let end = start + before(ends);
        if self.bytes.get(end) != Some(&b'"') {
            return None;
        }
        self.at = end + 1;
        // The bits below the first end, without those of its byte.
        let bytes = eight & ((ends & ends.wrapping_neg()) >> 7).wrapping_sub(1);
        self.high |= bytes;
        Some(Key::short(parent, self.bytes.get(start..end)?, bytes))
    }

    /// Reads a key that begins behind its quote, with eight bytes that stand for themselves.
    #[inline(always)]
    fn long_key(&mut self, parent: u32, start: usize) -> Option<Key<'a>> {
        self.at = start + 8;
        self.plain()?;
        if self.bytes.get(self.at) != Some(&b'"') {
            return None;
        }
        let text = self.bytes.get(start..self.at)?;
        self.at += 1;
        Some(Key::new(parent, text))
    }

    /// Goes to the first byte that does not stand for itself in a string.
    #[inline]
    fn plain(&mut self) -> Option<()> {
        loop {
            let eight = self.eight(self.at)?;
            let ends = ends(eight);
            // Bytes behind the end are looked at as well; to take one for more is no harm.
            self.high |= eight;
            self.at += before(ends);
            if ends != 0 {
                return Some(());
            }
        }
    }

    /// Reads a boolean, if one is here. Whatever follows, other than what ends a value, is found
    /// out there.
    #[inline]
    fn boolean(&mut self) -> Option<bool> {
        const TRUE: u64 = u32::from_le_bytes(*b"true") as u64;
        const FALSE: u64 = u64::from_le_bytes(*b"false\0\0\0");
        let eight = self.eight(self.at)?;
        // A bit that `f` has and `t` has not tells which of the two it can be; to ask for one and
        // then for the other would be a branch.
        let is_false = eight >> 1 & 1;
        let if_false = is_false.wrapping_neg();
        let word = TRUE ^ (TRUE ^ FALSE) & if_false;
        let length = 0xffff_ffff | 0xff_0000_0000 & if_false;
        if (eight ^ word) & length != 0 {
            return None;
        }
        self.at += 4 + usize::from(is_false == 1);
        Some(is_false == 0)
    }

    /// Goes behind a word. Whatever follows, other than what ends a value, is found out there.
    #[inline]
    fn word<const LENGTH: usize>(&mut self, word: &[u8; LENGTH]) -> Option<()> {
        let found = self.bytes.get(self.at..)?.first_chunk::<LENGTH>()?;
        (found == word).then(|| self.at += LENGTH)
    }

    /// Goes behind a value that begins with this byte.
    #[inline(never)]
    fn value(&mut self, first: u8) -> Option<()> {
        match first {
            b'{' | b'[' => self.container(first),
            _ => self.scalar(first),
        }
    }

    /// Goes behind a value that is no container.
    fn scalar(&mut self, first: u8) -> Option<()> {
        match first {
            b'"' => self.string(),
            b't' => self.word(b"true"),
            b'f' => self.word(b"false"),
            b'n' => self.word(b"null"),
            _ => self.number(),
        }
    }

    /// Goes behind a string, whose quote is here.
    fn string(&mut self) -> Option<()> {
        self.at += 1;
        loop {
            self.plain()?;
            match self.bytes.get(self.at)? {
                b'"' => {
                    self.at += 1;
                    return Some(());
                }
                b'\\' => self.escape()?,
                _ => return None,
            }
        }
    }

    /// Goes behind an escape, whose backslash is here.
    fn escape(&mut self) -> Option<()> {
        match self.bytes.get(self.at + 1)? {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => self.at += 2,
            b'u' => {
                let digits = self.bytes.get(self.at + 2..self.at + 6)?;
                if !digits.iter().all(u8::is_ascii_hexdigit) {
                    return None;
                }
                self.at += 6;
            }
            _ => return None,
        }
        Some(())
    }

    /// Goes behind a number. What would make it another is found out by what ends a value.
    fn number(&mut self) -> Option<()> {
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
        Some(())
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.bytes.get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    /// One digit or more.
    fn digits(&mut self) -> Option<()> {
        let rest = self.bytes.get(self.at..)?;
        let other = rest.iter().position(|byte| !byte.is_ascii_digit());
        let length = other.unwrap_or(rest.len());
        self.at += length;
        (length > 0).then_some(())
    }

    /// Goes behind an array or an object, whose first byte is here.
    fn container(&mut self, first: u8) -> Option<()> {
        // The open containers, the innermost lowest: a bit is set for an object. Above them all
        // stands a bit that tells how many there are.
        let mut open: u64 = 1;
        let mut first = first;
        loop {
            // At a value.
            if first == b'{' || first == b'[' {
                if open >> 63 == 1 {
                    return None;
                }
                self.at += 1;
                let is_object = first == b'{';
                open = open << 1 | u64::from(is_object);
                let next = self.peek()?;
                if next != closing(open) {
                    first = self.item(is_object)?;
                    continue;
                }
            } else {
                self.scalar(first)?;
            }
            // Behind a value, or in an empty container.
            loop {
                let byte = self.peek()?;
                if byte != closing(open) {
                    break;
                }
                self.at += 1;
                open >>= 1;
                if open == 1 {
                    return Some(());
                }
            }
            self.expect(b',')?;
            first = self.item(open & 1 == 1)?;
        }
    }

    /// The first byte of the next value, its key read where it has one.
    fn item(&mut self, has_key: bool) -> Option<u8> {
        if has_key {
            if self.peek()? != b'"' {
                return None;
            }
            self.string()?;
            self.expect(b':')?;
        }
        self.peek()
    }
}

/// What ends the innermost open container.
fn closing(open: u64) -> u8 {
    if open & 1 == 1 { b'}' } else { b']' }
}

/// The high bit of each byte that cannot stand in a string as it is: quotes, backslashes and
/// control characters. Above the first such byte there may be other bits.
#[inline]
fn ends(eight: u64) -> u64 {
    let zeros = |bytes: u64| bytes.wrapping_sub(EACH) & !bytes;
    let quotes = zeros(eight ^ (u64::from(b'"') * EACH));
    let backslashes = zeros(eight ^ (u64::from(b'\\') * EACH));
    let controls = eight.wrapping_sub(u64::from(b' ') * EACH) & !eight;
    (quotes | backslashes | controls) & HIGH_BITS
}

/// How many bytes stand before the first of these ends.
#[inline]
fn before(ends: u64) -> usize {
    usize::try_from(ends.trailing_zeros() / 8).unwrap_or_default()
}

//! Reads the JSON text of an object of booleans straight into a mask.

use super::table::Table;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// The mask of an object of booleans with plain keys; none for any other text, which may be JSON
/// or not. Of duplicate keys the last wins.
pub fn read(text: &[u8], names: &Table<u64>) -> Option<u64> {
    let mut mask = 0;
    let mut rest = past_blanks(past_blanks(text).strip_prefix(b"{")?);
    if let Some(behind) = rest.strip_prefix(b"}") {
        return past_blanks(behind).is_empty().then_some(0);
    }
    loop {
        let (key, behind) = plain_key(rest.strip_prefix(b"\"")?)?;
        rest = past_blanks(past_blanks(behind).strip_prefix(b":")?);
        let bit = names.get(key).copied().unwrap_or(0);
        if let Some(behind) = rest.strip_prefix(b"true") {
            mask |= bit;
            rest = behind;
        } else {
            rest = rest.strip_prefix(b"false")?;
            mask &= !bit;
        }
        rest = past_blanks(rest);
        if let Some(behind) = rest.strip_prefix(b",") {
            rest = past_blanks(behind);
        } else {
            let behind = rest.strip_prefix(b"}")?;
            return past_blanks(behind).is_empty().then_some(mask);
        }
    }
}

/// A key up to its quote, and what stands behind that; none where a character is escaped, a
/// control or not ASCII.
#[inline]
fn plain_key(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut length = 0;
    // Eight bytes at a time.
    while let Some(word) = text.get(length..).and_then(<[u8]>::first_chunk::<8>) {
        let word = u64::from_le_bytes(*word);
        let quote = zero_bytes(word ^ (ONES * u64::from(b'"')));
        let odd = zero_bytes(word ^ (ONES * u64::from(b'\\')))
            | word
            | (word.wrapping_sub(ONES * 0x20) & !word);
        let odd = odd & HIGHS;
        // Only what stands before the quote counts. The lowest mark of either is exact.
        let before_quote = quote.wrapping_sub(1) & !quote;
        if quote == 0 {
            if odd != 0 {
                return None;
            }
            length += 8;
            continue;
        }
        if odd & before_quote != 0 {
            return None;
        }
        length += (quote.trailing_zeros() / 8) as usize;
        return Some((text.get(..length)?, text.get(length + 1..)?));
    }
    loop {
        match text.get(length)? {
            b'"' => return Some((text.get(..length)?, text.get(length + 1..)?)),
            b'\\' | 0..0x20 | 0x80.. => return None,
            _ => length += 1,
        }
    }
}

/// Marks the high bit of the lowest byte that is zero, and perhaps of some above it.
#[inline]
fn zero_bytes(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & HIGHS
}

#[inline]
fn past_blanks(mut text: &[u8]) -> &[u8] {
    while let [b' ' | b'\n' | b'\t' | b'\r', rest @ ..] = text {
        text = rest;
    }
    text
}

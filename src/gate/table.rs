//! Texts found by a hash: the tools of a rulebook, and the segments of the names it reads.
//!
//! A caller's text is only ever looked up, so nobody but the rulebook decides how far a search
//! goes. A text of up to eight bytes is compared as one number.

/// The parent of texts that stand below none.
pub(super) const ROOT: u32 = u32::MAX;

const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// A text with its hash.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key<'a> {
    text: &'a [u8],
    /// Its first eight bytes, with zeros behind the end of a shorter one.
    first: u64,
    hash: u64,
}

/// A hash that is being made, of eight bytes at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hash(u64);

impl Hash {
    /// Of no bytes yet.
    pub(super) fn new(parent: u32) -> Self {
        Self(u64::from(parent) ^ MULTIPLIER.rotate_left(17))
    }

    /// Goes on by eight bytes. The last of a text have zeros behind them; without any byte left
    /// they are left out, unless the text has none at all.
    #[inline]
    pub(super) fn add(self, bytes: u64) -> Self {
        let product = u128::from(self.0 ^ bytes) * u128::from(MULTIPLIER);
        // The lower half depends on the lower bits only, the upper one on all.
        #[expect(clippy::cast_possible_truncation, reason = "each half by itself")]
        Self((product >> 64) as u64 ^ product as u64)
    }
}

impl<'a> Key<'a> {
    /// A text below a parent.
    #[inline]
    pub(super) fn new(parent: u32, text: &'a [u8]) -> Self {
        let (chunks, tail) = text.as_chunks::<8>();
        let mut hash = Hash::new(parent);
        for chunk in chunks {
            hash = hash.add(u64::from_le_bytes(*chunk));
        }
        let last = padded(tail);
        if !tail.is_empty() || text.is_empty() {
            hash = hash.add(last);
        }
        let first = chunks
            .first()
            .map_or(last, |chunk| u64::from_le_bytes(*chunk));
        Self::of_parts(text, first, hash)
    }

    /// A text whose hash was made elsewhere.
    #[inline]
    pub(super) fn of_parts(text: &'a [u8], first: u64, hash: Hash) -> Self {
        Self {
            text,
            first,
            hash: hash.0,
        }
    }
}

/// At most eight bytes, with zeros behind them.
#[inline]
pub(super) fn padded(bytes: &[u8]) -> u64 {
    // Loads from both ends, that may overlap: where they do they have the same bytes.
    let length = bytes.len();
    if let (Some(low), Some(high)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        let high = u64::from(u32::from_le_bytes(*high)) << (8 * (length.min(8) - 4));
        return u64::from(u32::from_le_bytes(*low)) | high;
    }
    bytes
        .iter()
        .rev()
        .fold(0, |all, byte| all << 8 | u64::from(*byte))
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    hash: u32,
    /// The number of the text and one; zero for none.
    text: u32,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    parent: u32,
    length: u32,
    first: u64,
    /// Where it begins in all texts.
    start: u32,
}

/// Texts, each below a parent or the root, numbered in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// A power of two of them, at most half of them in use.
    slots: Vec<Slot>,
    entries: Vec<Entry>,
    /// All texts, one behind the other.
    texts: String,
}

impl Table {
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// A text by its number.
    pub(super) fn text(&self, text: u32) -> &str {
        let found = self.entries.get(index(text)).and_then(|entry| {
            let start = index(entry.start);
            self.texts.get(start..start + index(entry.length))
        });
        found.unwrap_or_default()
    }

    /// The number of a text.
    #[inline]
    pub(super) fn find(&self, parent: u32, key: Key<'_>) -> Option<u32> {
        let mask = self.slots.len().wrapping_sub(1);
        let mut at = usize::try_from(key.hash).unwrap_or_default() & mask;
        loop {
            let slot = self.slots.get(at)?;
            let text = slot.text.checked_sub(1)?;
            if slot.hash == upper(key.hash) && self.is(text, parent, key) {
                return Some(text);
            }
            // At least half of the slots are free, so the search ends.
            at = (at + 1) & mask;
        }
    }

    #[inline]
    fn is(&self, text: u32, parent: u32, key: Key<'_>) -> bool {
        let Some(entry) = self.entries.get(index(text)) else {
            return false;
        };
        let length = index(entry.length);
        if entry.first != key.first || length != key.text.len() || entry.parent != parent {
            return false;
        }
        length <= 8 || {
            let start = index(entry.start);
            let texts = self.texts.as_bytes();
            key.text.get(8..) == texts.get(start + 8..start + length)
        }
    }

    /// The number of a text, which is added unless it is there.
    pub(super) fn insert(&mut self, parent: u32, text: &str) -> u32 {
        let key = Key::new(parent, text.as_bytes());
        if let Some(found) = self.find(parent, key) {
            return found;
        }
        let number = number(self.entries.len());
        self.entries.push(Entry {
            parent,
            length: self::number(text.len()),
            first: key.first,
            start: self::number(self.texts.len()),
        });
        self.texts.push_str(text);
        if self.slots.len() < 2 * self.entries.len() {
            self.grow();
        } else {
            self.place(number, key.hash);
        }
        number
    }

    fn grow(&mut self) {
        let length = (2 * self.slots.len()).max(8);
        self.slots = vec![Slot::default(); length];
        for text in (0..self.entries.len()).map(number) {
            if let Some(entry) = self.entries.get(index(text)) {
                let key = Key::new(entry.parent, self.text(text).as_bytes());
                self.place(text, key.hash);
            }
        }
    }

    fn place(&mut self, text: u32, hash: u64) {
        let mask = self.slots.len().wrapping_sub(1);
        let mut at = usize::try_from(hash).unwrap_or_default() & mask;
        while let Some(slot) = self.slots.get_mut(at) {
            if slot.text == 0 {
                *slot = Slot {
                    hash: upper(hash),
                    text: text + 1,
                };
                return;
            }
            at = (at + 1) & mask;
        }
    }
}

fn upper(hash: u64) -> u32 {
    u32::try_from(hash >> 32).unwrap_or_default()
}

/// A number of things. An IR has less than 16 MiB, so that no more than `u32` counts are in it.
pub(super) fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// A number as an index.
#[inline]
pub(super) fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(table: &Table, parent: u32, text: &str) -> Option<u32> {
        table.find(parent, Key::new(parent, text.as_bytes()))
    }

    #[test]
    fn texts_are_found_under_their_parents() {
        let mut table = Table::default();
        assert_eq!(find(&table, ROOT, "a"), None);
        let texts: Vec<String> = (0..200).map(|length| "x".repeat(length)).collect();
        for (text, number) in texts.iter().zip(0..) {
            assert_eq!(table.insert(ROOT, text), number);
            assert_eq!(table.insert(ROOT, text), number, "a second time");
        }
        assert_eq!(table.insert(0, "x"), 200);
        assert_eq!(table.insert(1, "x"), 201);
        for (text, number) in texts.iter().zip(0..) {
            assert_eq!(find(&table, ROOT, text), Some(number));
            let mut other = text.clone();
            if other.pop().is_some() {
                other.push('y');
                assert_eq!(find(&table, ROOT, &other), None, "{other}");
            }
        }
        assert_eq!(find(&table, 0, "x"), Some(200));
        assert_eq!(find(&table, 1, "x"), Some(201));
        assert_eq!(find(&table, 2, "x"), None);
        assert_eq!(find(&table, 0, "xx"), None);
        assert_eq!(table.len(), 202);
    }

    #[test]
    fn zeros_at_the_end_count() {
        let mut table = Table::default();
        for text in ["", "\0", "\0\0", "abcdefgh", "abcdefgh\0"] {
            assert_eq!(find(&table, ROOT, text), None);
            table.insert(ROOT, text);
        }
        assert_eq!(table.len(), 5);
    }

    #[test]
    fn short_ends_are_read_with_zeros_behind() {
        let bytes = *b"abcdefgh";
        for length in 0..=8 {
            let mut want = [0; 8];
            want[..length].copy_from_slice(&bytes[..length]);
            assert_eq!(padded(&bytes[..length]), u64::from_le_bytes(want));
        }
    }
}

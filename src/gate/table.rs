//! Texts found by a hash: the tools of a rulebook, and the segments of the names it reads.
//!
//! A caller's text is only ever looked up, so nobody but the rulebook decides how far a search
//! goes. A text of up to sixteen bytes is compared as two numbers.

/// The parent of texts that stand below none.
pub(super) const ROOT: u32 = u32::MAX;

const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
const PARENTS: u64 = 0xd6e8_feb8_6659_fd93;

/// A text with its hash. One of up to sixteen bytes is its first and its last eight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key<'a> {
    parent: u32,
    text: &'a [u8],
    /// Its first eight bytes, with zeros behind the end of a shorter one.
    first: u64,
    /// The last eight of a longer one, which may overlap the first.
    last: u64,
    hash: u64,
}

impl<'a> Key<'a> {
    /// A text below a parent.
    #[inline(always)]
    pub(super) fn new(parent: u32, text: &'a [u8]) -> Self {
        let (first, last, middle) = match (text.first_chunk::<8>(), text.last_chunk::<8>()) {
            (Some(first), Some(last)) if text.len() > 8 => (
                u64::from_le_bytes(*first),
                u64::from_le_bytes(*last),
                middle(text),
            ),
            _ => (padded(text), 0, 0),
        };
        Self::of_parts(parent, text, [first, last, middle])
    }

    /// A text of at most eight bytes, which are these.
    #[inline]
    pub(super) fn short(parent: u32, text: &'a [u8], bytes: u64) -> Self {
        Self::of_parts(parent, text, [bytes, 0, 0])
    }

    #[inline]
    fn of_parts(parent: u32, text: &'a [u8], [first, last, middle]: [u64; 3]) -> Self {
        let above = u64::from(parent).wrapping_mul(PARENTS);
        let length = u64::try_from(text.len()).unwrap_or_default();
        let all = first ^ last.rotate_left(29) ^ middle ^ above ^ length;
        Self {
            parent,
            text,
            first,
            last,
            hash: all.wrapping_mul(MULTIPLIER),
        }
    }
}

/// A hash of what stands between the ends of a text; nothing stands there in sixteen bytes.
#[inline]
fn middle(text: &[u8]) -> u64 {
    if text.len() <= 16 {
        return 0;
    }
    let (chunks, _) = text.as_chunks::<8>();
    chunks.iter().skip(1).fold(0, |hash, chunk| {
        let mixed = (hash ^ u64::from_le_bytes(*chunk)).wrapping_mul(PARENTS);
        mixed ^ mixed >> 32
    })
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

/// A place of a text, with all that tells a short text from others.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    first: u64,
    last: u64,
    parent: u32,
    length: u32,
    /// The number of the text and one; zero for none.
    text: u32,
}

impl Slot {
    fn of(key: &Key<'_>, text: u32) -> Self {
        Self {
            first: key.first,
            last: key.last,
            parent: key.parent,
            length: number(key.text.len()),
            text: text + 1,
        }
    }

    /// Whether the key is here, as far as its ends tell.
    #[inline]
    fn has_ends_of(&self, key: &Key<'_>) -> bool {
        // All at once: where a text is found nearly always all are equal.
        let parts = self.first ^ key.first | self.last ^ key.last;
        let counts = self.parent ^ key.parent | self.length ^ number(key.text.len());
        parts | u64::from(counts) == 0
    }
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    parent: u32,
    length: u32,
    /// Where it begins in all texts.
    start: u32,
}

/// Texts, each below a parent or the root, numbered in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// A power of two of them, at most a quarter of them in use.
    slots: Vec<Slot>,
    /// How far a hash is shifted to be the number of a slot.
    shift: u32,
    entries: Vec<Entry>,
    /// All texts, one behind the other.
    texts: String,
}

impl Table {
    /// A text by its number.
    pub(super) fn text(&self, text: u32) -> &str {
        let found = self.entries.get(index(text)).and_then(|entry| {
            let start = index(entry.start);
            self.texts.get(start..start + index(entry.length))
        });
        found.unwrap_or_default()
    }

    /// The number of a text.
    #[inline(always)]
    pub(super) fn find(&self, key: Key<'_>) -> Option<u32> {
        let mut at = self.first_slot(key.hash);
        loop {
            let slot = self.slots.get(at)?;
            let text = slot.text.checked_sub(1)?;
            if slot.has_ends_of(&key) && (key.text.len() <= 16 || self.is(text, key.text)) {
                return Some(text);
            }
            // Most slots are free, so the search ends.
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    /// Whether these are the bytes of a text. Out of the way of short ones.
    #[inline(never)]
    fn is(&self, text: u32, bytes: &[u8]) -> bool {
        self.text(text).as_bytes() == bytes
    }

    #[inline]
    fn first_slot(&self, hash: u64) -> usize {
        usize::try_from(hash >> (self.shift & 63)).unwrap_or_default()
    }

    /// The number of a text, which is added unless it is there.
    pub(super) fn insert(&mut self, parent: u32, text: &str) -> u32 {
        let key = Key::new(parent, text.as_bytes());
        if let Some(found) = self.find(key) {
            return found;
        }
        let number = number(self.entries.len());
        self.entries.push(Entry {
            parent,
            length: self::number(text.len()),
            start: self::number(self.texts.len()),
        });
        self.texts.push_str(text);
        if self.slots.len() < 4 * self.entries.len() {
            self.grow();
        } else {
            self.place(number, &key);
        }
        number
    }

    fn grow(&mut self) {
        let length = (2 * self.slots.len()).max(8);
        self.slots = vec![Slot::default(); length];
        self.shift = 64 - length.trailing_zeros();
        for text in (0..self.entries.len()).map(number) {
            if let Some(parent) = self.entries.get(index(text)).map(|entry| entry.parent) {
                // Copied, since the slots change while the text is looked at.
                let bytes = self.text(text).as_bytes().to_vec();
                self.place(text, &Key::new(parent, &bytes));
            }
        }
    }

    fn place(&mut self, text: u32, key: &Key<'_>) {
        let mut at = self.first_slot(key.hash);
        let mask = self.slots.len() - 1;
        while let Some(slot) = self.slots.get_mut(at) {
            if slot.text == 0 {
                *slot = Slot::of(key, text);
                return;
            }
            at = (at + 1) & mask;
        }
    }
}

/// A number of things. An IR has less than 16 MiB, so that no more than `u32` counts are in it.
#[inline]
pub(super) fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// A number as an index.
#[inline]
pub(super) fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// The part of all that goes from one number to before another.
#[inline]
pub(super) fn part<T>(all: &[T], (start, end): (u32, u32)) -> &[T] {
    all.get(index(start)..index(end)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(table: &Table, parent: u32, text: &str) -> Option<u32> {
        table.find(Key::new(parent, text.as_bytes()))
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
        assert_eq!(table.entries.len(), 202);
    }

    #[test]
    fn zeros_at_the_end_count() {
        let mut table = Table::default();
        for text in ["", "\0", "\0\0", "abcdefgh", "abcdefgh\0"] {
            assert_eq!(find(&table, ROOT, text), None);
            table.insert(ROOT, text);
        }
        assert_eq!(table.entries.len(), 5);
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

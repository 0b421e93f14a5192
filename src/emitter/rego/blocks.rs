//! Long lists cut into blocks of 16, and those into blocks of 16: nothing that is listed has more
//! than a few dozen lines, and no block is more than two rules away from what it stands for.

use std::collections::BTreeSet;
use std::ops::Range;

/// Members of a block: of items, or of blocks.
pub const BLOCK: usize = 16;

const BLOCK_OF_BLOCKS: usize = BLOCK * BLOCK;

/// How to list the first `count` items: each by itself when there are at most `listed`; else
/// whole blocks of blocks, whole blocks, and what is left by itself. Ranges count from 0.
pub fn cover(count: usize, listed: usize) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = 0;
    for size in [BLOCK_OF_BLOCKS, BLOCK, 1] {
        while (size == 1 || count > listed) && start + size <= count {
            ranges.push(start..start + size);
            start += size;
        }
    }
    ranges
}

/// What a block lists: a block of blocks its blocks, a block its items.
pub fn members(block: &Range<usize>) -> impl Iterator<Item = Range<usize>> + use<> {
    let size = if block.len() > BLOCK { BLOCK } else { 1 };
    block
        .clone()
        .step_by(size)
        .map(move |start| start..start + size)
}

/// Rules that blocks put between a list of `count` items and an item.
pub fn levels(count: usize, listed: usize) -> usize {
    match count {
        _ if count <= listed => 0,
        _ if count < BLOCK_OF_BLOCKS => 1,
        _ => 2,
    }
}

/// The blocks among these ranges with all blocks inside them, inner ones first.
pub fn with_inner(ranges: impl IntoIterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut sizes = BTreeSet::new();
    for range in ranges {
        if range.len() > BLOCK {
            sizes.extend(members(&range).map(|inner| (inner.end, inner.start)));
        }
        if range.len() > 1 {
            sizes.insert((range.end, range.start));
        }
    }
    let mut blocks = sizes
        .into_iter()
        .map(|(end, start)| start..end)
        .collect::<Vec<_>>();
    blocks.sort_by_key(|block| (block.end, block.len()));
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covers_are_complete_ordered_and_short() {
        for count in (0..1_100).chain([4_095, 4_096, 20_000]) {
            let ranges = cover(count, 16);
            let mut next = 0;
            for range in &ranges {
                assert_eq!(range.start, next);
                assert!([1, BLOCK, BLOCK_OF_BLOCKS].contains(&range.len()));
                next = range.end;
            }
            assert_eq!(next, count);
            assert!(ranges.len() <= count / BLOCK_OF_BLOCKS + 31);
            let deepest = ranges.iter().map(|range| match range.len() {
                1 => 0,
                BLOCK => 1,
                _ => 2,
            });
            assert_eq!(deepest.max().unwrap_or(0), levels(count, 16), "{count}");
        }
    }

    #[test]
    fn few_items_are_listed_by_themselves() {
        assert!(cover(16, 16).iter().all(|range| range.len() == 1));
        assert_eq!(cover(17, 16), [0..16, 16..17]);
        assert_eq!(cover(17, 64).len(), 17);
    }

    #[test]
    fn blocks_come_with_their_blocks() {
        assert_eq!(members(&(16..32)).count(), 16);
        assert_eq!(members(&(16..32)).next(), Some(16..17));
        assert_eq!(members(&(256..512)).next(), Some(256..272));
        let blocks = with_inner(cover(300, 16));
        assert_eq!(blocks.len(), 1 + 16 + 2);
        assert_eq!(blocks[15], 240..256);
        assert_eq!(blocks[16], 0..256);
    }
}

//! A map from a few fixed strings, looked up by hashing their ends only.

use std::collections::HashMap;

/// Open addressing, at most a quarter full, never changed once built. The keys are the rulebook's,
/// so that a host cannot make it collide.
#[derive(Debug)]
pub struct Table<T> {
    slots: Vec<Option<(Box<[u8]>, T)>>,
    shift: u32,
}

impl<T: Clone> Table<T> {
    pub fn new(entries: &HashMap<String, T>) -> Self {
        let bits = (entries.len() * 4).next_power_of_two().max(4).ilog2();
        let mut table = Self {
            slots: vec![None; 1 << bits],
            shift: 64 - bits,
        };
        for (key, value) in entries {
            let mut slot = table.slot(hash(key.as_bytes()));
            while table.slots[slot].is_some() {
                slot = (slot + 1) % table.slots.len();
            }
            table.slots[slot] = Some((key.as_bytes().into(), value.clone()));
        }
        table
    }
}

impl<T> Table<T> {
    #[inline]
    pub fn get(&self, key: &[u8]) -> Option<&T> {
        let mut slot = self.slot(hash(key));
        // A free slot ends the search, and three of four are free.
        while let Some((found, value)) = &self.slots[slot] {
            if **found == *key {
                return Some(value);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        None
    }

    fn slot(&self, hash: u64) -> usize {
        (hash >> self.shift) as usize
    }
}

/// Mixes the first and the last eight bytes, which overlap in short keys, and the length.
#[inline]
fn hash(key: &[u8]) -> u64 {
    let (first, last) = match (key.first_chunk::<8>(), key.last_chunk::<8>()) {
        (Some(first), Some(last)) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
        _ => match (key.first_chunk::<4>(), key.last_chunk::<4>()) {
            (Some(first), Some(last)) => (
                u32::from_le_bytes(*first).into(),
                u32::from_le_bytes(*last).into(),
            ),
            _ => (
                key.iter().fold(0, |all, byte| all << 8 | u64::from(*byte)),
                0,
            ),
        },
    };
    (first ^ last.rotate_left(29) ^ key.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

//! Room for what is learnt of a context during one decision, on the stack where it is little.

use super::conditions::Booleans;
use super::names::Names;

/// What is known of 64 names, and of which names it is known.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Word {
    pub(super) booleans: Booleans,
    /// The names that have been looked at.
    pub(super) known: u64,
}

/// Gives room for the words and slots of these names, all of it empty.
#[inline]
pub(super) fn with<R>(names: &Names, work: impl FnOnce(&mut [Word], &mut [u64]) -> R) -> R {
    let (words, slots) = (names.words(), names.slots());
    let mut few_words = [Word::default(); 2];
    let mut few_slots = [0; 8];
    if let (Some(words), Some(slots)) = (few_words.get_mut(..words), few_slots.get_mut(..slots)) {
        return work(words, slots);
    }
    with_more(words, slots, work)
}

/// Out of the way, so that the stack of most calls stays small.
#[inline(never)]
fn with_more<R>(words: usize, slots: usize, work: impl FnOnce(&mut [Word], &mut [u64]) -> R) -> R {
    let mut some_words = [Word::default(); 8];
    let mut some_slots = [0; 128];
    if let (Some(words), Some(slots)) = (some_words.get_mut(..words), some_slots.get_mut(..slots)) {
        return work(words, slots);
    }
    work(&mut vec![Word::default(); words], &mut vec![0; slots])
}

//! A context that is a JSON text, read once from front to back without a tree of values.
//!
//! Reading notes what is boolean in bits, and of other values only where they stand: numbers and
//! strings are looked at when a condition asks for them. Of duplicate keys the last wins since it
//! overwrites what the earlier ones noted. An object that comes again under its key takes away
//! what was noted below it, which shows in the places: what still counts stands behind the last
//! place of each key above it.
//!
//! Two readers note the same. [`scan`] knows plain texts only, and is fast; it gives up, without
//! an opinion, at whatever else it meets, errors included. Then [`crate::json`]'s reader, which
//! defines what JSON is, reads the text from the start.

mod scan;

use std::cell::OnceCell;

use crate::json::{self, Container, Event, Fault, JsonError, Reader, Scalar};

use super::DecisionRef;
use super::compiled::Compiled;
use super::conditions::{Booleans, Facts};
use super::names::{LACKING, Names, Node};
use super::scratch::{self, Word};
use super::table::{Key, ROOT, index};

/// Decides a call whose context is a JSON text.
pub(super) fn decide<'g>(
    compiled: &'g Compiled,
    tool: Option<&str>,
    context: &[u8],
) -> Result<DecisionRef<'g>, JsonError> {
    let names = &compiled.names;
    scratch::with(names, |words, places| {
        let mut noted = Noted {
            bytes: context,
            text: OnceCell::new(),
            words,
            places,
        };
        match scan::read(context, names, &mut noted) {
            Some(true) => {}
            Some(false) => {
                json::decode(context).map_err(JsonError::NotUtf8)?;
            }
            None => {
                let text = json::decode(context).map_err(JsonError::NotUtf8)?;
                noted.begin_again(text);
                read(text, names, &mut noted).map_err(|fault| JsonError::of(fault, text))?;
            }
        }
        Ok(compiled.decide(tool, noted))
    })
}

/// What was noted of a text.
struct Noted<'a> {
    bytes: &'a [u8],
    /// The same as text, once that is asked for.
    text: OnceCell<&'a str>,
    words: &'a mut [Word],
    /// In each slot, twice the place of the value; or its class, twice and one, once it is
    /// known; zero for none, since a value in an object never stands at the start.
    places: &'a mut [u64],
}

impl<'a> Noted<'a> {
    fn begin_again(&mut self, text: &'a str) {
        self.bytes = text.as_bytes();
        self.text = OnceCell::from(text);
        self.words.fill(Word::default());
        self.places.fill(0);
    }

    /// Notes a value and where it begins; of booleans, what they are.
    #[inline]
    fn note(&mut self, node: &Node, place: usize, boolean: Option<bool>) {
        // Below another key a bit may still lose its place.
        if node.parent == ROOT
            && let Some(bit) = node.bit()
            && let Some(word) = self.words.get_mut(index(bit.word()))
        {
            word.booleans.set(bit.mask(), boolean);
        }
        if let Some(slot) = node.slot()
            && let Some(noted) = self.places.get_mut(index(slot))
        {
            *noted = 2 * u64::try_from(place).unwrap_or_default();
        }
    }

    /// Where the value of a name begins.
    fn place(&self, names: &Names, node: u32) -> Option<usize> {
        let place_of = |node: &Node| {
            let place = self.places.get(index(node.slot()?))?;
            Some(place / 2).filter(|place| *place > 0)
        };
        let mut node = names.node(node)?;
        let place = place_of(node)?;
        let mut inner = place;
        while node.parent != ROOT {
            node = names.node(node.parent)?;
            let outer = place_of(node)?;
            if outer > inner {
                return None;
            }
            inner = outer;
        }
        usize::try_from(place).ok()
    }

    /// The value that begins at a place; none for arrays and objects.
    fn scalar(&self, place: usize) -> Option<Scalar<'_>> {
        // It was found to be UTF-8 in one way or the other.
        let text = self
            .text
            .get_or_init(|| std::str::from_utf8(self.bytes).unwrap_or_default());
        match Reader::new(text.get(place..)?).next() {
            Ok(Some(Event::Scalar(scalar))) => Some(scalar),
            _ => None,
        }
    }
}

impl Facts for Noted<'_> {
    #[inline]
    fn booleans(&mut self, names: &Names, word: u32, wanted: u64) -> Booleans {
        let Some(known) = self.words.get(index(word)) else {
            return Booleans::default();
        };
        let nested = wanted & names.nested(word) & !known.known;
        if nested == 0 {
            return known.booleans;
        }
        self.look_at_nested(names, word, nested)
    }

    fn class(&mut self, names: &Names, slot: u32) -> u32 {
        let noted = self.places.get(index(slot)).copied().unwrap_or_default();
        if noted % 2 == 1 {
            return u32::try_from(noted / 2).unwrap_or(LACKING);
        }
        let Some(node) = names.node_of_slot(slot) else {
            return LACKING;
        };
        let scalar = self.place(names, node).and_then(|place| self.scalar(place));
        let class = scalar.map_or(LACKING, |scalar| names.class(slot, &scalar));
        // Others ask for the place of a key with names below, or with a bit.
        let is_shared = names
            .node(node)
            .is_some_and(|node| node.has_names_below || node.bit().is_some());
        if let (false, Some(noted)) = (is_shared, self.places.get_mut(index(slot))) {
            *noted = 2 * u64::from(class) + 1;
        }
        class
    }
}

impl Noted<'_> {
    /// Finds out about names below other keys, each once.
    fn look_at_nested(&mut self, names: &Names, word: u32, mut missing: u64) -> Booleans {
        let Some(mut known) = self.words.get(index(word)).copied() else {
            return Booleans::default();
        };
        known.known |= missing;
        while missing != 0 {
            let mask = missing & missing.wrapping_neg();
            missing &= !mask;
            let place = names
                .node_of_bit(word, mask.trailing_zeros())
                .and_then(|node| self.place(names, node));
            let first = place.and_then(|place| self.bytes.get(place));
            let boolean = match first {
                Some(b't') => Some(true),
                Some(b'f') => Some(false),
                _ => None,
            };
            known.booleans.set(mask, boolean);
        }
        if let Some(word) = self.words.get_mut(index(word)) {
            *word = known;
        }
        known.booleans
    }
}

/// Reads any text, with the reader that defines what JSON is.
fn read(text: &str, names: &Names, noted: &mut Noted<'_>) -> Result<(), Fault> {
    let mut reader = Reader::new(text);
    // Whether the value is an object whose keys are asked for; how many containers are open
    // below the innermost such object.
    let mut parent = None;
    let mut skipped: usize = 0;
    let mut node = None;
    while let Some(event) = reader.next()? {
        match event {
            Event::Begin(_) if skipped > 0 => skipped += 1,
            Event::End if skipped > 0 => skipped -= 1,
            _ if skipped > 0 => {}
            Event::Key(key) => {
                node = parent.and_then(|parent| names.find(Key::new(parent, key.text.as_bytes())));
            }
            Event::Begin(container) => {
                let below = match node.zip(parent) {
                    // The value itself.
                    None if parent.is_none() => Some(ROOT),
                    None => None,
                    Some((number, _)) => names.node(number).and_then(|node| {
                        noted.note(node, reader.start(), None);
                        node.has_names_below.then_some(number)
                    }),
                };
                match below.filter(|_| container == Container::Object) {
                    Some(below) => parent = Some(below),
                    None => skipped = 1,
                }
                node = None;
            }
            Event::End => {
                parent = parent
                    .filter(|parent| *parent != ROOT)
                    .and_then(|parent| names.node(parent))
                    .map(|node| node.parent);
            }
            Event::Scalar(scalar) => {
                if let Some(node) = node.and_then(|node| names.node(node)) {
                    let boolean = match scalar {
                        Scalar::Bool(value) => Some(value),
                        _ => None,
                    };
                    noted.note(node, reader.start(), boolean);
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;

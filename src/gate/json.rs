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
use super::names::{Bit, LACKING, Names, Node};
use super::scratch::{self, Word};
use super::table::{Key, ROOT, index};

/// Decides a call whose context is a JSON text.
pub(super) fn decide<'g>(
    compiled: &'g Compiled,
    tool: Option<&str>,
    context: &[u8],
) -> Result<DecisionRef<'g>, JsonError> {
    let names = &compiled.names;
    if Flags::are_enough(names) {
        return decide_by(compiled, tool, context, Flags::default());
    }
    scratch::with(names, |words, places| {
        let noted = Noted {
            bytes: context,
            text: OnceCell::new(),
            words,
            places,
        };
        decide_by(compiled, tool, context, noted)
    })
}

fn decide_by<'g, 'a, N: Notes<'a> + Facts>(
    compiled: &'g Compiled,
    tool: Option<&str>,
    context: &'a [u8],
    mut notes: N,
) -> Result<DecisionRef<'g>, JsonError> {
    match scan::read(context, &compiled.names, &mut notes) {
        Some(true) => {}
        Some(false) => {
            json::decode(context).map_err(JsonError::NotUtf8)?;
        }
        None => read_again(context, &compiled.names, &mut notes)?,
    }
    Ok(compiled.decide(tool, &mut notes))
}

/// What is noted of a text while it is read.
trait Notes<'a> {
    /// Whether there may be names below other keys.
    const HAS_NAMES_BELOW: bool;

    /// Forgets all that was noted, to read the same text again.
    fn begin_again(&mut self, text: &'a str);

    /// Notes a value and where it begins; of booleans, what they are.
    fn note(&mut self, names: &Names, node: u32, place: usize, boolean: Option<bool>);
}

/// What was noted for a rulebook that reads nothing but booleans, none below another key: the
/// bits alone, few enough to be at hand.
#[derive(Default)]
struct Flags([Booleans; 4]);

impl Flags {
    fn are_enough(names: &Names) -> bool {
        names.are_bits() && names.words() <= 4
    }
}

impl Notes<'_> for Flags {
    const HAS_NAMES_BELOW: bool = false;

    fn begin_again(&mut self, _: &str) {
        *self = Self::default();
    }

    #[inline]
    fn note(&mut self, _: &Names, node: u32, _: usize, boolean: Option<bool>) {
        let bit = Bit::of_node(node);
        if let Some(word) = self.0.get_mut(index(bit.word())) {
            word.set(bit.mask(), boolean);
        }
    }
}

impl Facts for Flags {
    #[inline]
    fn booleans(&mut self, _: &Names, word: u32, _: u64) -> Booleans {
        self.0.get(index(word)).copied().unwrap_or_default()
    }

    fn class(&mut self, _: &Names, _: u32) -> u32 {
        LACKING
    }
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

impl<'a> Notes<'a> for Noted<'a> {
    const HAS_NAMES_BELOW: bool = true;

    fn begin_again(&mut self, text: &'a str) {
        self.bytes = text.as_bytes();
        self.text = OnceCell::from(text);
        self.words.fill(Word::default());
        self.places.fill(0);
    }

    #[inline]
    fn note(&mut self, names: &Names, node: u32, place: usize, boolean: Option<bool>) {
        let Some(node) = names.node(node) else {
            return;
        };
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
}

impl Noted<'_> {
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

/// Reads a text that is not plain.
#[cold]
fn read_again<'a>(
    bytes: &'a [u8],
    names: &Names,
    notes: &mut impl Notes<'a>,
) -> Result<(), JsonError> {
    let text = json::decode(bytes).map_err(JsonError::NotUtf8)?;
    notes.begin_again(text);
    read(text, names, notes).map_err(|fault| JsonError::of(fault, text))
}

/// Reads any text, with the reader that defines what JSON is.
fn read<'a>(text: &'a str, names: &Names, notes: &mut impl Notes<'a>) -> Result<(), Fault> {
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
                    Some((node, _)) => {
                        notes.note(names, node, reader.start(), None);
                        let found = names.node(node);
                        found.and_then(|found| found.has_names_below.then_some(node))
                    }
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
                if let Some(node) = node {
                    let boolean = match scalar {
                        Scalar::Bool(value) => Some(value),
                        _ => None,
                    };
                    notes.note(names, node, reader.start(), boolean);
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;

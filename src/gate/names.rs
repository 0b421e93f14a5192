//! The names that conditions read, and the classes of their values.
//!
//! A name's segments are a path in a tree of keys. A leaf is a question about the *class* that
//! the name's value lies in: lacking, false, true, then the numbers and the strings, each with
//! the gaps between the literals that the rulebook compares with, so that a value is looked up
//! once among ordered literals, however many leaves read it. Names that are read as booleans
//! have a bit beside, so that a conjunction is one test of a word.

use crate::ir::{Condition, Literal, Name, is_tool_name};
use crate::json::Scalar;
use crate::text::{Decimal, WrittenDecimal};

use super::table::{Key, ROOT, Table, index, number, part};

/// What no leaf of the name asks for: absent, null, an array or an object.
pub(super) const LACKING: u32 = 0;
const FALSE: u32 = 1;
const TRUE: u32 = 2;
const FIRST_NUMBER: u32 = 3;

/// The slot of the tool's name, which no context fills.
pub(super) const TOOL_SLOT: u32 = 0;

/// No bit, or no slot.
const NONE: u32 = u32::MAX;

/// A key that some name goes through or ends at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The key that it stands below.
    pub(super) parent: u32,
    bit: u32,
    slot: u32,
    /// Whether names go on below it.
    pub(super) has_names_below: bool,
    /// Whether a leaf reads the name that ends here.
    is_read: bool,
}

impl Node {
    /// Its bit, when a leaf reads it as a boolean.
    #[inline]
    pub(super) fn bit(&self) -> Option<Bit> {
        (self.bit != NONE).then_some(Bit(self.bit))
    }

    /// Its slot, when a leaf asks for the class of its value, or it stands above or below
    /// another key.
    #[inline]
    pub(super) fn slot(&self) -> Option<u32> {
        (self.slot != NONE).then_some(self.slot)
    }
}

/// Place of a name that is read as a boolean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bit(u32);

impl Bit {
    /// The bit of a node among names that [`Names::are_bits`].
    #[inline]
    pub(super) fn of_node(node: u32) -> Self {
        Self(node)
    }

    #[inline]
    pub(super) fn word(self) -> u32 {
        self.0 / 64
    }

    #[inline]
    pub(super) fn mask(self) -> u64 {
        1 << (self.0 % 64)
    }
}

/// What belongs to one slot, as ranges of what belongs to all.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    node: u32,
    /// The keys from the root to the node, when it stands below another and is read.
    path: (u32, u32),
    numbers: (u32, u32),
    strings: (u32, u32),
}

impl Slot {
    /// The class of the gap below the first string.
    fn first_string(&self) -> u32 {
        FIRST_NUMBER + 2 * (self.numbers.1 - self.numbers.0) + 1
    }
}

/// All names of a rulebook.
#[derive(Debug)]
pub(super) struct Names {
    keys: Table,
    nodes: Vec<Node>,
    /// The node of each bit.
    bits: Vec<u32>,
    /// Of each word, the bits of names below other keys.
    nested: Vec<u64>,
    slots: Vec<Slot>,
    paths: Vec<u32>,
    numbers: Vec<Decimal>,
    strings: Vec<Box<str>>,
}

/// What the leaves of a name compare it with, in the order in which they come.
#[derive(Default)]
struct Draft<'a> {
    has_bit: bool,
    has_class: bool,
    numbers: Vec<&'a Decimal>,
    strings: Vec<&'a str>,
}

impl<'a> Draft<'a> {
    fn add_leaf(&mut self, leaf: &'a Condition) {
        match leaf {
            Condition::IsTrue(_) | Condition::NotTrue(_) => self.has_bit = true,
            Condition::Compare(compare) => match (&compare.value, compare.op.is_equality()) {
                (Literal::Bool(_), true) => self.has_bit = true,
                (literal, _) => self.add_literal(literal),
            },
            Condition::OneOf(one_of) => one_of
                .values
                .iter()
                .for_each(|literal| self.add_literal(literal)),
            Condition::All(_) | Condition::Any(_) | Condition::Const(_) => {}
        }
    }

    fn add_literal(&mut self, literal: &'a Literal) {
        self.has_class = true;
        match literal {
            Literal::Bool(_) => {}
            Literal::Number(number) => self.numbers.push(&number.0),
            Literal::String(text) => self.strings.push(text),
        }
    }
}

impl Names {
    /// The names that these leaves read.
    pub(super) fn new<'a>(leaves: impl Iterator<Item = &'a Condition>) -> Self {
        let mut keys = Table::default();
        let mut tool = Draft::default();
        let mut drafts: Vec<Draft<'a>> = Vec::new();
        let mut nodes: Vec<Node> = Vec::new();
        for leaf in leaves {
            let Some(name) = leaf.name().filter(|name| !name.is_empty()) else {
                continue;
            };
            if is_tool_name(name) {
                tool.add_leaf(leaf);
                continue;
            }
            let mut parent = ROOT;
            for segment in name {
                let node = keys.insert(parent, segment);
                if index(node) == nodes.len() {
                    nodes.push(Node {
                        parent,
                        bit: NONE,
                        slot: NONE,
                        has_names_below: false,
                        is_read: false,
                    });
                    drafts.push(Draft::default());
                    if let Some(above) = nodes.get_mut(index(parent)) {
                        above.has_names_below = true;
                    }
                }
                parent = node;
            }
            if let Some(draft) = drafts.get_mut(index(parent)) {
                draft.add_leaf(leaf);
            }
        }
        let mut names = Self {
            keys,
            nodes: Vec::with_capacity(nodes.len()),
            bits: Vec::new(),
            nested: Vec::new(),
            slots: Vec::new(),
            paths: Vec::new(),
            numbers: Vec::new(),
            strings: Vec::new(),
        };
        names.add_slot(ROOT, tool);
        for ((mut node, draft), at) in nodes.into_iter().zip(drafts).zip(0..) {
            node.is_read = draft.has_bit || draft.has_class;
            if draft.has_bit {
                node.bit = number(names.bits.len());
                names.bits.push(at);
                let bit = Bit(node.bit);
                names.nested.resize(index(bit.word()) + 1, 0);
                if let (true, Some(nested)) = (node.parent != ROOT, names.nested.last_mut()) {
                    *nested |= bit.mask();
                }
            }
            if draft.has_class || node.has_names_below || node.parent != ROOT {
                node.slot = number(names.slots.len());
                names.add_slot(at, draft);
            }
            names.nodes.push(node);
            if node.is_read && node.parent != ROOT {
                names.add_path(at);
            }
        }
        names
    }

    fn add_slot(&mut self, node: u32, mut draft: Draft<'_>) {
        draft.numbers.sort_unstable();
        draft.numbers.dedup();
        draft.strings.sort_unstable();
        draft.strings.dedup();
        let numbers = number(self.numbers.len());
        let strings = number(self.strings.len());
        self.numbers.extend(draft.numbers.into_iter().cloned());
        self.strings
            .extend(draft.strings.into_iter().map(Box::from));
        self.slots.push(Slot {
            node,
            path: (0, 0),
            numbers: (numbers, number(self.numbers.len())),
            strings: (strings, number(self.strings.len())),
        });
    }

    /// Notes the path to the last slot, that of this node. What is above a node stands before it.
    fn add_path(&mut self, node: u32) {
        let start = self.paths.len();
        let mut above = node;
        while let Some(node) = self.nodes.get(index(above)) {
            self.paths.push(above);
            above = node.parent;
        }
        if let Some(path) = self.paths.get_mut(start..) {
            path.reverse();
        }
        if let Some(slot) = self.slots.last_mut() {
            slot.path = (number(start), number(self.paths.len()));
        }
    }

    /// The keys from the root to a node that a leaf reads.
    pub(super) fn path(&self, node: u32) -> impl Iterator<Item = &str> {
        let slot = self.node(node).filter(|node| node.parent != ROOT);
        let slot = slot.and_then(|node| self.slots.get(index(node.slot()?)));
        let above = slot.map_or(&[][..], |slot| part(&self.paths, slot.path));
        let only = slot.is_none().then_some(node);
        let nodes = above.iter().copied().chain(only);
        nodes.map(|node| self.keys.text(node))
    }

    /// How many words the bits of all names take.
    pub(super) fn words(&self) -> usize {
        self.nested.len()
    }

    /// How many slots there are, that of the tool included.
    pub(super) fn slots(&self) -> usize {
        self.slots.len()
    }

    /// Whether all are read as booleans and nothing else, none below another key. Then the
    /// number of a node is that of its bit.
    #[inline]
    pub(super) fn are_bits(&self) -> bool {
        self.slots.len() == 1 && self.bits.len() == self.nodes.len()
    }

    /// A key below another, or at the root.
    #[inline]
    pub(super) fn find(&self, key: Key<'_>) -> Option<u32> {
        self.keys.find(key)
    }

    #[inline]
    pub(super) fn node(&self, node: u32) -> Option<&Node> {
        self.nodes.get(index(node))
    }

    /// The last key of a name that a leaf reads.
    pub(super) fn find_name<'s>(&self, segments: impl Iterator<Item = &'s str>) -> Option<u32> {
        let mut node = ROOT;
        for segment in segments {
            node = self.find(Key::new(node, segment.as_bytes()))?;
        }
        self.node(node)
            .is_some_and(|node| node.is_read)
            .then_some(node)
    }

    /// The slot of a name that a leaf compares.
    pub(super) fn slot_of(&self, name: &Name) -> Option<u32> {
        if is_tool_name(name) {
            return Some(TOOL_SLOT);
        }
        self.node_of(name)?.slot()
    }

    /// The bit of a name that a leaf reads as a boolean. The tool's name has none: it never is
    /// one.
    pub(super) fn bit_of(&self, name: &Name) -> Option<Bit> {
        if is_tool_name(name) {
            return None;
        }
        self.node_of(name)?.bit()
    }

    fn node_of(&self, name: &Name) -> Option<&Node> {
        self.node(self.find_name(name.iter().map(String::as_str))?)
    }

    /// The bits of a word that belong to names below other keys.
    #[inline]
    pub(super) fn nested(&self, word: u32) -> u64 {
        self.nested.get(index(word)).copied().unwrap_or_default()
    }

    /// The node of a name read as a boolean.
    pub(super) fn node_of_bit(&self, word: u32, bit: u32) -> Option<u32> {
        self.bits.get(index(word * 64 + bit)).copied()
    }

    /// The node of a slot.
    pub(super) fn node_of_slot(&self, slot: u32) -> Option<u32> {
        self.slots.get(index(slot)).map(|literals| literals.node)
    }

    /// The class of a value.
    pub(super) fn class(&self, slot: u32, value: &Scalar<'_>) -> u32 {
        match value {
            Scalar::Null => LACKING,
            Scalar::Bool(value) => class_of_bool(*value),
            Scalar::Number(text) => self.class_of_number(slot, text),
            Scalar::String(string) => self.class_of_string(slot, &string.text),
        }
    }

    /// The class of a number, written as in JSON; what is no such number is lacking.
    pub(super) fn class_of_number(&self, slot: u32, text: &str) -> u32 {
        let Some(literals) = self.slots.get(index(slot)) else {
            return LACKING;
        };
        let numbers = part(&self.numbers, literals.numbers);
        // Nothing is compared with a number here, so that its digits tell nothing.
        if numbers.is_empty() {
            return LACKING;
        }
        let Some(written) = WrittenDecimal::from_json(text) else {
            return LACKING;
        };
        let found = numbers.binary_search_by(|literal| written.order(literal).reverse());
        FIRST_NUMBER + offset(found)
    }

    /// The class of a string.
    pub(super) fn class_of_string(&self, slot: u32, text: &str) -> u32 {
        let Some(literals) = self.slots.get(index(slot)) else {
            return LACKING;
        };
        let strings = part(&self.strings, literals.strings);
        let found = strings.binary_search_by(|literal| (**literal).cmp(text));
        literals.first_string() + offset(found)
    }

    /// The class of a literal of a slot, and the first class of its type and the one behind the
    /// last.
    pub(super) fn class_of_literal(
        &self,
        slot: u32,
        literal: &Literal,
    ) -> Option<(u32, (u32, u32))> {
        let literals = self.slots.get(index(slot))?;
        Some(match literal {
            Literal::Bool(value) => (class_of_bool(*value), (FALSE, FIRST_NUMBER)),
            Literal::Number(number) => {
                let numbers = part(&self.numbers, literals.numbers);
                let at = numbers.binary_search(&number.0).ok()?;
                let domain = (FIRST_NUMBER, literals.first_string());
                (FIRST_NUMBER + offset(Ok(at)), domain)
            }
            Literal::String(text) => {
                let strings = part(&self.strings, literals.strings);
                let at = strings
                    .binary_search_by(|literal| (**literal).cmp(text))
                    .ok()?;
                let first = literals.first_string();
                (first + offset(Ok(at)), (first, NONE))
            }
        })
    }
}

/// The class of a boolean.
pub(super) fn class_of_bool(value: bool) -> u32 {
    if value { TRUE } else { FALSE }
}

/// The place of a value among literals: gap, literal, gap in turn.
fn offset(found: Result<usize, usize>) -> u32 {
    match found {
        Ok(at) => 2 * number(at) + 1,
        Err(at) => 2 * number(at),
    }
}

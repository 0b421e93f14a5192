//! Conditions compiled: tests of words of bits, of classes, and of both joined.

use std::collections::BTreeMap;

use crate::evaluator::Truth;
use crate::ir::{Compare, Condition, Literal, OneOf, Operator};

use super::names::{Bit, LACKING, Names, TOOL_SLOT};
use super::table::{index, number};

/// What is known of 64 names that are read as booleans.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Booleans {
    /// Those that are exactly true.
    pub(super) yes: u64,
    /// Those that are exactly false.
    pub(super) no: u64,
}

impl Booleans {
    /// Notes a value of a name: a boolean, or none.
    #[inline]
    pub(super) fn set(&mut self, mask: u64, value: Option<bool>) {
        // Without branches: of a random boolean none is foreseen.
        let is_present = u64::from(value.is_some());
        let is_true = u64::from(value == Some(true));
        self.yes = self.yes & !mask | mask & is_true.wrapping_neg();
        self.no = self.no & !mask | mask & (is_present ^ is_true).wrapping_neg();
    }
}

/// What conditions read of a context.
pub(super) trait Facts {
    /// What is known of the names of a word, as far as they are wanted.
    fn booleans(&mut self, names: &Names, word: u32, wanted: u64) -> Booleans;

    /// The class of the value in a slot.
    fn class(&mut self, names: &Names, slot: u32) -> u32;
}

impl<F: Facts> Facts for &mut F {
    #[inline]
    fn booleans(&mut self, names: &Names, word: u32, wanted: u64) -> Booleans {
        (**self).booleans(names, word, wanted)
    }

    #[inline]
    fn class(&mut self, names: &Names, slot: u32) -> u32 {
        (**self).class(names, slot)
    }
}

/// A call: a context, and the class of the tool's name.
pub(super) struct Call<'g, F> {
    pub(super) names: &'g Names,
    pub(super) tool_class: u32,
    pub(super) facts: F,
}

impl<F: Facts> Call<'_, F> {
    #[inline]
    fn class(&mut self, slot: u32) -> u32 {
        if slot == TOOL_SLOT {
            self.tool_class
        } else {
            self.facts.class(self.names, slot)
        }
    }
}

/// A condition or a part of one.
#[derive(Clone, Copy, Debug)]
enum Test {
    Const(Truth),
    Word(WordTest),
    Class(ClassTest),
    /// A member of a list: its classes in the table of members, ascending.
    Member(ClassTest),
    All(Children),
    Any(Children),
}

/// The tests from the first to before the end.
#[derive(Clone, Copy, Debug)]
struct Children {
    first: u32,
    end: u32,
}

/// A conjunction of leaves that read booleans of one word, or its complement.
#[derive(Clone, Copy, Debug, Default)]
struct WordTest {
    word: u32,
    /// Whether it is the complement.
    negated: bool,
    /// `$name`.
    is_true: u64,
    /// `not $name`.
    not_true: u64,
    /// `$name == True`.
    equals_true: u64,
    /// `$name == False`.
    equals_false: u64,
}

impl WordTest {
    /// A leaf, as its complement negated.
    fn as_negated_complement(self) -> Self {
        Self {
            word: self.word,
            negated: !self.negated,
            is_true: self.not_true,
            not_true: self.is_true,
            equals_true: self.equals_false,
            equals_false: self.equals_true,
        }
    }

    fn merge(&mut self, other: Self) {
        self.is_true |= other.is_true;
        self.not_true |= other.not_true;
        self.equals_true |= other.equals_true;
        self.equals_false |= other.equals_false;
    }

    #[inline]
    fn truth<F: Facts>(&self, call: &mut Call<'_, F>) -> Truth {
        let compared = self.equals_true | self.equals_false;
        let wanted = self.is_true | self.not_true | compared;
        let Booleans { yes, no } = call.facts.booleans(call.names, self.word, wanted);
        let fails =
            self.is_true & !yes | (self.not_true | self.equals_false) & yes | self.equals_true & no;
        let lacks = compared & !(yes | no);
        if fails != 0 {
            Truth::from(self.negated)
        } else if lacks != 0 {
            Truth::Unknown
        } else {
            Truth::from(!self.negated)
        }
    }
}

/// Whether the class of a value lies in a range, of those of a literal's type.
#[derive(Clone, Copy, Debug)]
struct ClassTest {
    slot: u32,
    /// Whether it is the complement.
    negated: bool,
    /// The classes, or the places in the table of members.
    range: (u32, u32),
    /// The classes of the type.
    domain: (u32, u32),
}

impl ClassTest {
    #[inline]
    fn truth<F: Facts>(
        &self,
        call: &mut Call<'_, F>,
        holds: impl FnOnce(u32, (u32, u32)) -> bool,
    ) -> Truth {
        let class = call.class(self.slot);
        if !within(class, self.domain) {
            return Truth::Unknown;
        }
        Truth::from(holds(class, self.range) != self.negated)
    }
}

#[inline]
fn within(class: u32, (start, end): (u32, u32)) -> bool {
    start <= class && class < end
}

/// The number of a compiled condition.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConditionId(u32);

/// Compiled conditions.
#[derive(Debug, Default)]
pub(super) struct Conditions {
    tests: Vec<Test>,
    members: Vec<u32>,
}

impl Conditions {
    /// Compiles a condition over these names.
    pub(super) fn add(&mut self, names: &Names, condition: &Condition) -> ConditionId {
        let test = self.compile(names, condition);
        self.tests.push(test);
        ConditionId(number(self.tests.len() - 1))
    }

    fn compile(&mut self, names: &Names, condition: &Condition) -> Test {
        match condition {
            Condition::All(inner) => self.join(names, inner, true),
            Condition::Any(inner) => self.join(names, inner, false),
            Condition::Const(value) => Test::Const(Truth::from(*value)),
            Condition::OneOf(one_of) => self.one_of(names, one_of),
            Condition::Compare(compare) => match word_test(names, condition) {
                Some(test) => Test::Word(test),
                None => comparison(names, compare),
            },
            Condition::IsTrue(_) | Condition::NotTrue(_) => match word_test(names, condition) {
                Some(test) => Test::Word(test),
                // The tool's name, which is a string or lacking.
                None => Test::Const(Truth::from(matches!(condition, Condition::NotTrue(_)))),
            },
        }
    }

    /// Kleene's `and` and `or` do not depend on the order: the leaves that read booleans of one
    /// word become one test, which costs the least and goes first.
    fn join(&mut self, names: &Names, inner: &[Condition], conjunction: bool) -> Test {
        let mut words: BTreeMap<u32, WordTest> = BTreeMap::new();
        let mut others = Vec::new();
        for condition in inner {
            let Some(leaf) = word_test(names, condition) else {
                others.push(self.compile(names, condition));
                continue;
            };
            // `a or b` is not (not a and not b).
            let leaf = if conjunction {
                leaf
            } else {
                leaf.as_negated_complement()
            };
            words.entry(leaf.word).or_insert(leaf).merge(leaf);
        }
        let mut tests = words.into_values().map(Test::Word).chain(others);
        let first = match (tests.next(), tests.size_hint().0) {
            (None, _) => return Test::Const(Truth::from(conjunction)),
            (Some(only), 0) => return only,
            (Some(first), _) => first,
        };
        let start = number(self.tests.len());
        self.tests.push(first);
        self.tests.extend(tests);
        let children = Children {
            first: start,
            end: number(self.tests.len()),
        };
        if conjunction {
            Test::All(children)
        } else {
            Test::Any(children)
        }
    }

    fn one_of(&mut self, names: &Names, one_of: &OneOf) -> Test {
        if one_of.values.is_empty() {
            return Test::Const(Truth::from(one_of.negated));
        }
        let Some(slot) = names.slot_of(&one_of.name) else {
            return Test::Const(Truth::Unknown);
        };
        let mut classes = Vec::with_capacity(one_of.values.len());
        let mut domains = Vec::with_capacity(1);
        for literal in &one_of.values {
            let Some((class, domain)) = names.class_of_literal(slot, literal) else {
                return Test::Const(Truth::Unknown);
            };
            classes.push(class);
            if !domains.contains(&domain) {
                domains.push(domain);
            }
        }
        let [domain] = domains.as_slice() else {
            // Members of two types: whatever the value, one of them cannot be compared.
            return Test::Const(Truth::Unknown);
        };
        classes.sort_unstable();
        classes.dedup();
        let mut test = ClassTest {
            slot,
            negated: one_of.negated,
            range: (number(self.members.len()), 0),
            domain: *domain,
        };
        if let [class] = classes.as_slice() {
            test.range = (*class, *class + 1);
            return Test::Class(test);
        }
        self.members.extend(classes);
        test.range.1 = number(self.members.len());
        Test::Member(test)
    }

    /// The truth of a condition in a call, as [`crate::evaluator::truth`] has it.
    #[inline]
    pub(super) fn truth<F: Facts>(&self, condition: ConditionId, call: &mut Call<'_, F>) -> Truth {
        match self.tests.get(index(condition.0)) {
            Some(Test::Word(test)) => test.truth(call),
            Some(test) => self.truth_of(test, call),
            None => Truth::Unknown,
        }
    }

    /// Conditions nest no deeper than the language allows.
    fn truth_of<F: Facts>(&self, test: &Test, call: &mut Call<'_, F>) -> Truth {
        match test {
            Test::Const(truth) => *truth,
            Test::Word(test) => test.truth(call),
            Test::Class(test) => test.truth(call, within),
            Test::Member(test) => test.truth(call, |class, (start, end)| {
                let members = self.members.get(index(start)..index(end));
                members.is_some_and(|members| members.binary_search(&class).is_ok())
            }),
            Test::All(children) => self.joined(*children, Truth::False, Truth::True, call),
            Test::Any(children) => self.joined(*children, Truth::True, Truth::False, call),
        }
    }

    /// The truth that decides if some child has it; else the other, if all have it.
    fn joined<F: Facts>(
        &self,
        children: Children,
        decides: Truth,
        otherwise: Truth,
        call: &mut Call<'_, F>,
    ) -> Truth {
        let mut all = otherwise;
        let tests = self.tests.get(index(children.first)..index(children.end));
        for test in tests.unwrap_or_default() {
            let truth = self.truth_of(test, call);
            if truth == decides {
                return decides;
            }
            if truth == Truth::Unknown {
                all = Truth::Unknown;
            }
        }
        all
    }
}

/// A leaf that reads a boolean.
fn word_test(names: &Names, leaf: &Condition) -> Option<WordTest> {
    let of = |bit: Bit| WordTest {
        word: bit.word(),
        ..WordTest::default()
    };
    let (bit, part): (Bit, fn(&mut WordTest) -> &mut u64) = match leaf {
        Condition::IsTrue(name) => (names.bit_of(name)?, |test| &mut test.is_true),
        Condition::NotTrue(name) => (names.bit_of(name)?, |test| &mut test.not_true),
        Condition::Compare(Compare {
            name,
            op,
            value: Literal::Bool(value),
        }) if op.is_equality() => {
            let bit = names.bit_of(name)?;
            if *value == (*op == Operator::Equal) {
                (bit, |test| &mut test.equals_true)
            } else {
                (bit, |test| &mut test.equals_false)
            }
        }
        _ => return None,
    };
    let mut test = of(bit);
    *part(&mut test) = bit.mask();
    Some(test)
}

fn comparison(names: &Names, compare: &Compare) -> Test {
    let slot = names.slot_of(&compare.name);
    let found = slot.and_then(|slot| {
        let (class, domain) = names.class_of_literal(slot, &compare.value)?;
        Some((slot, class, domain))
    });
    let Some((slot, class, domain)) = found else {
        return Test::Const(Truth::Unknown);
    };
    let (range, negated) = match compare.op {
        Operator::Equal => ((class, class + 1), false),
        Operator::NotEqual => ((class, class + 1), true),
        Operator::Less => ((LACKING, class), false),
        Operator::GreaterOrEqual => ((LACKING, class), true),
        Operator::LessOrEqual => ((LACKING, class + 1), false),
        Operator::Greater => ((LACKING, class + 1), true),
    };
    Test::Class(ClassTest {
        slot,
        negated,
        range,
        domain,
    })
}

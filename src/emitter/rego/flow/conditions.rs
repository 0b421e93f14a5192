//! The conditions of a flow's branches as statements: `or`s by helper rules, long lists in
//! blocks, both shared by all branches that need them.

use std::collections::BTreeMap;

use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::artifacts;
use crate::emitter::rego::MAX_CHAIN;
use crate::emitter::rego::blocks::{self, BLOCK};
use crate::emitter::rego::formula::{Atom, Choice, Formula};
use crate::emitter::rego::leaves::Vocabulary;
use crate::emitter::rego::tree::{Body, Case, Expression, Item, Rule, Statement};
use crate::ir::{Arm, Branch, Flow, If};

/// The statements of one flow's conditions, and the rules that they need.
#[derive(Debug)]
pub struct Conditions<'a, 'v> {
    flow: &'a Flow,
    /// By index of the `if`, how many arms stand before its first.
    firsts: Vec<usize>,
    vocabulary: &'v mut Vocabulary,
    /// Most helper rules for `or`s that may stand in one another.
    or_levels: usize,
    /// All statements, each once; lists are of their places, so that they compare fast.
    statements: Vec<Statement>,
    places: BTreeMap<Statement, usize>,
    /// By arm of the flow, the statements of its condition and of its complement, once read.
    sides: Vec<Sides>,
    /// The statement that stands for a block, by what the block lists.
    blocks: BTreeMap<Vec<usize>, usize>,
    items: Vec<Item>,
}

/// The statements of one branch, as places.
#[derive(Debug)]
pub struct Lists {
    /// Of `enclosing`.
    pub enclosing: Vec<usize>,
    /// What `holds` lists behind `enclosing`.
    pub passed: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
enum Side {
    Condition,
    Complement,
}

/// The statements of an arm's condition and of its complement, as places, once they are read.
#[derive(Clone, Debug, Default)]
struct Sides {
    condition: Option<Vec<usize>>,
    complement: Option<Vec<usize>>,
}

impl Sides {
    fn of(&mut self, side: Side) -> &mut Option<Vec<usize>> {
        match side {
            Side::Condition => &mut self.condition,
            Side::Complement => &mut self.complement,
        }
    }
}

impl<'a, 'v> Conditions<'a, 'v> {
    /// Nothing read so far. `levels_above` counts the rules from `decision` to `enclosing`.
    pub fn of(flow: &'a Flow, levels_above: usize, vocabulary: &'v mut Vocabulary) -> Self {
        let levels = levels_above + block_levels(flow) + leaf_levels(flow);
        let mut arms = 0;
        let mut firsts = Vec::with_capacity(flow.ifs.len());
        for one in &flow.ifs {
            firsts.push(arms);
            arms += one.arms.len();
        }
        Self {
            flow,
            firsts,
            vocabulary,
            or_levels: MAX_CHAIN.saturating_sub(levels).max(1),
            statements: Vec::new(),
            places: BTreeMap::new(),
            sides: vec![Sides::default(); arms],
            blocks: BTreeMap::new(),
            items: Vec::new(),
        }
    }

    /// The statements of a branch.
    ///
    /// # Errors
    /// A condition that nests `or` in `and` too deeply.
    pub fn lists(&mut self, branch: &'a Branch) -> Result<Lists, Diagnostic> {
        let mut enclosing = Vec::new();
        let mut passed = Vec::new();
        for choice in &branch.path {
            let found = self.flow.if_index(&choice.if_id);
            let Some((first, one)) =
                found.and_then(|index| Some((*self.firsts.get(index)?, self.flow.ifs.get(index)?)))
            else {
                // The loader refuses an IR like this; should one come here, the branch is lost
                // rather than met by more calls.
                enclosing.push(self.place(never()));
                continue;
            };
            let arms = &one.arms;
            let (list, above) = match choice.arm {
                Some(arm) => (&mut enclosing, arm.saturating_sub(1)),
                None => (&mut passed, arms.len()),
            };
            for number in 1..=above.min(arms.len()) {
                list.extend(self.side(first, one, number, Side::Complement)?);
            }
            if let Some(number) = choice.arm {
                match arms.get(above).filter(|_| number > 0) {
                    Some(_) => list.extend(self.side(first, one, number, Side::Condition)?),
                    None => list.push(self.place(never())),
                }
            }
        }
        Ok(Lists {
            enclosing: self.in_blocks(enclosing),
            passed: self.in_blocks(passed),
        })
    }

    /// The statements at these places.
    pub fn statements(&self, places: &[usize]) -> impl Iterator<Item = Statement> {
        places
            .iter()
            .filter_map(|place| self.statements.get(*place).cloned())
    }

    /// The rules that the statements need.
    pub fn into_items(self) -> Vec<Item> {
        self.items
    }

    fn place(&mut self, statement: Statement) -> usize {
        if let Some(place) = self.places.get(&statement) {
            return *place;
        }
        let place = self.statements.len();
        self.statements.push(statement.clone());
        self.places.insert(statement, place);
        place
    }

    /// The statements of the condition of the arm with this number, or of its complement;
    /// `first` arms of the flow stand before those of this `if`. A long chain of arms asks for
    /// those above again and again, so each is read once.
    fn side(
        &mut self,
        first: usize,
        one: &'a If,
        number: usize,
        side: Side,
    ) -> Result<&[usize], Diagnostic> {
        let at = first + number - 1;
        let known = self.sides.get_mut(at);
        let is_unread = known.is_some_and(|sides| sides.of(side).is_none());
        if let (true, Some(arm)) = (is_unread, one.arms.get(number - 1)) {
            let places = self.read(&one.id, number, arm, side)?;
            if let Some(sides) = self.sides.get_mut(at) {
                *sides.of(side) = Some(places);
            }
        }
        let known = self.sides.get_mut(at);
        let places = known.and_then(|sides| sides.of(side).as_deref());
        Ok(places.unwrap_or_default())
    }

    fn read(
        &mut self,
        if_id: &str,
        number: usize,
        arm: &'a Arm,
        side: Side,
    ) -> Result<Vec<usize>, Diagnostic> {
        let (condition, infix) = match side {
            Side::Condition => (&arm.condition, ""),
            Side::Complement => (&arm.complement, "not_"),
        };
        let mut formula = Formula::of(condition);
        if !formula.place(self.or_levels) {
            return Err(too_deep(arm));
        }
        let mut helpers = Helpers {
            prefix: format!("{if_id}_a{number}_{infix}or"),
            names: BTreeMap::new(),
            pending: Vec::new(),
        };
        let parts = match &formula {
            Formula::All(parts) => parts.as_slice(),
            single => std::slice::from_ref(single),
        };
        let mut statements = Vec::new();
        for part in parts {
            match part {
                Formula::Const(true) => {}
                Formula::Const(false) | Formula::All(_) => statements.push(never()),
                Formula::Leaf(leaf) => statements.push(self.vocabulary.leaf(leaf)),
                Formula::Any(choice) => statements.push(helpers.statement(choice)),
            }
        }
        self.write_helpers(helpers);
        Ok(statements
            .into_iter()
            .map(|statement| self.place(statement))
            .collect())
    }

    /// Writes the helper rules of one condition: each after the one that names it.
    fn write_helpers(&mut self, mut helpers: Helpers<'_, 'a>) {
        let mut next = 0;
        while let Some((name, choice)) = helpers.pending.get(next).cloned() {
            next += 1;
            for body in choice.bodies() {
                let statements = body.into_iter().map(|atom| match atom {
                    Atom::Leaf(leaf) => self.vocabulary.leaf(leaf),
                    Atom::Helper(inner) => helpers.statement(inner),
                });
                let case = Case::truth(Body::shortest(statements.collect()));
                self.items.push(Item::Rule(Rule::new(name.clone(), case)));
            }
        }
    }

    /// A list as a body lists it: blocks of 16 where it is longer than that.
    fn in_blocks(&mut self, list: Vec<usize>) -> Vec<usize> {
        let ranges = blocks::cover(list.len(), BLOCK);
        let mut places = Vec::with_capacity(ranges.len());
        for range in ranges {
            let members = list.get(range.clone()).unwrap_or_default();
            if range.len() > BLOCK {
                let blocks = members
                    .chunks(BLOCK)
                    .map(|chunk| self.block(chunk.to_vec()));
                let blocks = blocks.collect::<Vec<_>>();
                places.push(self.block(blocks));
            } else if range.len() > 1 {
                places.push(self.block(members.to_vec()));
            } else {
                places.extend(members);
            }
        }
        places
    }

    fn block(&mut self, members: Vec<usize>) -> usize {
        if let Some(place) = self.blocks.get(&members) {
            return *place;
        }
        let name = format!("{}_all_{}", self.flow.id, self.blocks.len() + 1);
        let body = Body::block(self.statements(&members).collect());
        self.items
            .push(Item::Rule(Rule::new(name.clone(), Case::truth(body))));
        let place = self.place(Statement::rule(name));
        self.blocks.insert(members, place);
        place
    }
}

/// The helper rules of one condition.
struct Helpers<'f, 'a> {
    prefix: String,
    /// Names by the ids of their `or`s.
    names: BTreeMap<usize, String>,
    /// In the order of naming.
    pending: Vec<(String, &'f Choice<'a>)>,
}

impl<'f, 'a> Helpers<'f, 'a> {
    fn statement(&mut self, choice: &'f Choice<'a>) -> Statement {
        let number = self.names.len() + 1;
        let name = self.names.entry(choice.id()).or_insert_with(|| {
            let name = format!("{}{number}", self.prefix);
            self.pending.push((name.clone(), choice));
            name
        });
        Statement::rule(name.clone())
    }
}

/// What never holds.
fn never() -> Statement {
    Statement::Holds(Expression::Bool(false))
}

/// Rules that blocks of statements may put between `enclosing` and a statement: no list is longer
/// than all conditions of the flow together.
fn block_levels(flow: &Flow) -> usize {
    let arms = flow.ifs.iter().flat_map(|one| &one.arms);
    let parts = arms.map(|arm| {
        [&arm.condition, &arm.complement]
            .map(|side| match Formula::of(side) {
                Formula::All(parts) => parts.len(),
                _ => 1,
            })
            .into_iter()
            .max()
            .unwrap_or(1)
    });
    blocks::levels(parts.sum(), BLOCK)
}

/// Rules from a statement that is a leaf to the value: its helper, and a function that the
/// constant of a long name calls.
fn leaf_levels(flow: &Flow) -> usize {
    let arms = flow.ifs.iter().flat_map(|one| &one.arms);
    let long = arms
        .flat_map(|arm| arm.condition.leaves().chain(arm.complement.leaves()))
        .any(|leaf| leaf.name().is_some_and(|name| !Vocabulary::is_short(name)));
    if long { 2 } else { 1 }
}

fn too_deep(arm: &Arm) -> Diagnostic {
    Diagnostic::without_place(
        &artifacts::CONDITION_TOO_DEEP,
        format!(
            "the condition on line {} nests `or` and `and` in one another too deeply to be written as rules",
            arm.line
        ),
    )
    .with_help("split it: let an `if` test one part, and an `if` inside it the other")
}

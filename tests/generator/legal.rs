//! What the rules leave of a drafted body: nothing behind an end, no `execute` behind a refusal,
//! an open question or a turn without one, no turn that answers nothing.
//!
//! A body is run over the set of states its paths may be in; a statement that breaks a rule in
//! one of them is left out.

use super::Shape;
use super::draft::{Condition, Draft};

/// What a path remembers, as the bits of a number.
type State = u8;
const STEPPED: State = 1;
const REFUSED: State = 2;
const ASKED: State = 4;
const QUESTION: State = 8;
const ASTRAY: State = 16;

/// A set of states.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct States(u32);

impl States {
    /// The state before the first statement.
    pub const START: Self = Self(1);
    /// The state behind an opening.
    pub const STEPPED: Self = Self(1 << STEPPED);

    fn is_empty(self) -> bool {
        self.0 == 0
    }

    fn any(self, bits: State) -> bool {
        (0..32).any(|state| self.0 & (1 << state) != 0 && state & bits != 0)
    }

    fn map(self, change: impl Fn(State) -> State) -> Self {
        let members = (0..32).filter(|state| self.0 & (1 << state) != 0);
        Self(members.fold(0, |all, state| all | 1 << change(state)))
    }

    fn join(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// Where the paths of a body go on: behind it, or behind the `do`.
#[derive(Clone, Copy, Default)]
pub struct Out {
    pub on: States,
    pub returned: States,
}

/// What may stand in a body.
#[derive(Clone, Copy)]
pub struct Rules<'s> {
    /// Subflows that a `do` may name, in their legal form, and whether only guards do so.
    pub subflows: &'s [(bool, Vec<Draft>)],
    pub shape: Shape,
    /// Whether it may read `$tool_name`.
    pub guard: bool,
}

impl Rules<'_> {
    /// The legal part of `drafts`, and where its paths go.
    pub fn legal(&self, drafts: &[Draft], start: States) -> (Vec<Draft>, Out) {
        let mut body = Vec::new();
        let mut out = Out {
            on: start,
            ..Out::default()
        };
        for draft in drafts {
            if out.on.is_empty() {
                break;
            }
            let Some(kept) = self.kept(draft, body.last(), out.on) else {
                continue;
            };
            let Some(next) = self.run(&kept, out.on) else {
                continue;
            };
            body.push(kept);
            if self.paths(&body).all() > MAX_PATHS {
                body.pop();
                continue;
            }
            out.on = next.on;
            out.returned.join(next.returned);
        }
        if body.is_empty() {
            let filler = Draft::Remark(0);
            out = self.run(&filler, start).unwrap_or_default();
            body.push(filler);
        }
        (body, out)
    }

    /// The statement with legal blocks; none if it may not stand here at all.
    fn kept(&self, draft: &Draft, before: Option<&Draft>, states: States) -> Option<Draft> {
        let block = |drafts: &[Draft]| self.legal(drafts, states).0;
        Some(match draft {
            Draft::Run(_) | Draft::Unseen(_) if self.shape != Shape::Governing => return None,
            Draft::Turn(choice) => {
                let answers = matches!(
                    before,
                    Some(Draft::Remark(_) | Draft::Text(_) | Draft::Ask(_) | Draft::Refuse(_))
                );
                if !answers {
                    return None;
                }
                // `user ...` is the second of the turns.
                Draft::Turn(if self.guard { 1 } else { *choice })
            }
            Draft::Do(choice) => {
                let allowed: Vec<usize> = (0..self.subflows.len())
                    .filter(|index| {
                        let (guard_only, body) = &self.subflows[*index];
                        *guard_only == self.guard || self.guard && !body.iter().any(has_turn)
                    })
                    .collect();
                let index = allowed.get(usize::from(*choice) % allowed.len().max(1))?;
                Draft::Do(u8::try_from(*index).ok()?)
            }
            Draft::If(arms, otherwise) => Draft::If(
                arms.iter()
                    .map(|(condition, body)| (condition.clone(), block(body)))
                    .collect(),
                otherwise.as_ref().map(|body| block(body)),
            ),
            Draft::Constant(look, body) => Draft::Constant(*look, block(body)),
            Draft::Alias(look, body) => Draft::Alias(*look, block(body)),
            Draft::Wild(look, body, other) => {
                // A `when` is a turn of its own, which makes a guard none.
                let look = if self.guard && wild(*look).waits {
                    0
                } else {
                    *look
                };
                Draft::Wild(look, block(body), block(other))
            }
            other => other.clone(),
        })
    }

    /// Where the paths of a legal statement go; none if it breaks a rule.
    fn run(&self, statement: &Draft, states: States) -> Option<Out> {
        let on = |on: States| {
            Some(Out {
                on,
                ..Out::default()
            })
        };
        match statement {
            Draft::Run(_) | Draft::Unseen(_) => {
                if self.shape != Shape::Governing || states.any(REFUSED | ASKED | ASTRAY) {
                    return None;
                }
                match statement {
                    Draft::Run(_) => on(states.map(|state| state | STEPPED)),
                    _ => Some(Out::default()),
                }
            }
            Draft::Remark(_) | Draft::Text(_) => on(states.map(|state| state | STEPPED | QUESTION)),
            Draft::Refuse(_) => on(states.map(|state| state | STEPPED | QUESTION | REFUSED)),
            Draft::Ask(_) => on(states.map(|state| state | STEPPED | QUESTION | ASKED)),
            Draft::Turn(_) => on(answered(states)),
            Draft::Stop => Some(Out::default()),
            Draft::Return => Some(Out {
                returned: states,
                ..Out::default()
            }),
            Draft::Do(index) => {
                let out = self.run_all(&self.subflows[usize::from(*index)].1, states)?;
                let mut behind = out.on;
                behind.join(out.returned);
                on(behind)
            }
            Draft::If(arms, otherwise) => {
                let mut all = Out::default();
                let blocks = arms.iter().map(|(_, body)| body).chain(otherwise);
                for body in blocks {
                    all.join(self.run_all(body, states)?);
                }
                if otherwise.is_none() {
                    all.on.join(states);
                }
                Some(all)
            }
            Draft::Constant(_, body) | Draft::Alias(_, body) => {
                let mut all = self.run_all(body, states)?;
                all.on.join(states);
                Some(all)
            }
            Draft::Wild(look, body, other) => {
                let ways = wild(*look);
                let entered = if ways.waits { answered(states) } else { states };
                let mut all = self.run_all(body, entered)?;
                if ways.other {
                    all.join(self.run_all(other, entered)?);
                }
                if ways.passes {
                    all.on.join(states);
                }
                Some(all)
            }
            Draft::Ignored(_) => on(states),
        }
    }

    fn run_all(&self, body: &[Draft], states: States) -> Option<Out> {
        let mut all = Out {
            on: states,
            ..Out::default()
        };
        for statement in body {
            let next = self.run(statement, all.on)?;
            all.on = next.on;
            all.returned.join(next.returned);
        }
        Some(all)
    }
}

/// States behind a turn.
fn answered(states: States) -> States {
    states.map(|state| {
        let answered = state & !(QUESTION | ASKED) | STEPPED;
        if state & STEPPED != 0 && state & QUESTION == 0 {
            answered | ASTRAY
        } else {
            answered
        }
    })
}

/// The ways through a [`Draft::Wild`].
pub struct Ways {
    /// Whether its second block is there.
    pub other: bool,
    /// Whether it may be passed by.
    pub passes: bool,
    /// Whether its blocks are entered by a turn.
    pub waits: bool,
}

/// The ways through the forms that the printer gives it.
pub fn wild(look: u8) -> Ways {
    let form = look % 10;
    Ways {
        other: matches!(form, 1..=4 | 6 | 8),
        passes: matches!(form, 0 | 2 | 3 | 7 | 9),
        waits: matches!(form, 4..=6),
    }
}

/// Most paths of a flow: far below the limit, so that rulebooks stay small.
const MAX_PATHS: u64 = 40;

/// Numbers of paths.
#[derive(Clone, Copy, Default)]
struct Paths {
    on: u64,
    ended: u64,
    returned: u64,
}

impl Paths {
    fn all(self) -> u64 {
        self.on + self.ended + self.returned
    }
}

impl Rules<'_> {
    /// How many paths lead through a legal body, no `if` taken for inert.
    fn paths(&self, body: &[Draft]) -> Paths {
        let mut all = Paths {
            on: 1,
            ..Paths::default()
        };
        for statement in body {
            let here = std::mem::take(&mut all.on);
            let mut through = Paths::default();
            let mut enter = |body: &[Draft]| {
                let inner = self.paths(body);
                through.on += inner.on;
                through.ended += inner.ended;
                through.returned += inner.returned;
            };
            match statement {
                Draft::Stop | Draft::Unseen(_) => through.ended = 1,
                Draft::Return => through.returned = 1,
                Draft::Do(index) => {
                    enter(&self.subflows[usize::from(*index)].1);
                    through.on += std::mem::take(&mut through.returned);
                }
                Draft::If(arms, otherwise) => {
                    arms.iter()
                        .map(|(_, body)| body)
                        .chain(otherwise)
                        .for_each(|it| enter(it));
                    through.on += u64::from(otherwise.is_none());
                }
                Draft::Constant(_, body) | Draft::Alias(_, body) => {
                    enter(body);
                    through.on += 1;
                }
                Draft::Wild(look, body, other) => {
                    let ways = wild(*look);
                    enter(body);
                    if ways.other {
                        enter(other);
                    }
                    through.on += u64::from(ways.passes);
                }
                _ => through.on = 1,
            }
            all.on = here.saturating_mul(through.on);
            all.ended += here.saturating_mul(through.ended);
            all.returned += here.saturating_mul(through.returned);
        }
        all
    }
}

impl Out {
    fn join(&mut self, other: Self) {
        self.on.join(other.on);
        self.returned.join(other.returned);
    }
}

/// Whether a statement executes a tool anywhere.
pub fn executes(statement: &Draft, subflows: &[(bool, Vec<Draft>)]) -> bool {
    let any = |body: &[Draft]| body.iter().any(|inner| executes(inner, subflows));
    match statement {
        Draft::Run(_) | Draft::Unseen(_) => true,
        Draft::Do(index) => any(&subflows[usize::from(*index)].1),
        Draft::If(arms, otherwise) => {
            arms.iter().any(|(_, body)| any(body)) || otherwise.as_ref().is_some_and(|it| any(it))
        }
        Draft::Constant(_, body) | Draft::Alias(_, body) => any(body),
        Draft::Wild(_, body, other) => any(body) || any(other),
        _ => false,
    }
}

/// Whether a statement waits for a turn; of a `do`, whether it might.
fn has_turn(statement: &Draft) -> bool {
    let any = |body: &Vec<Draft>| body.iter().any(has_turn);
    match statement {
        Draft::Turn(_) | Draft::Do(_) | Draft::Wild(..) => true,
        Draft::If(arms, otherwise) => {
            arms.iter().any(|(_, body)| any(body)) || otherwise.as_ref().is_some_and(any)
        }
        Draft::Constant(_, body) | Draft::Alias(_, body) => any(body),
        _ => false,
    }
}

/// What a guard begins with, so that it is one: an `if` that stops.
pub fn guard_head(look: u8) -> Draft {
    let message = match look % 4 {
        0 => vec![Draft::Stop],
        1 => vec![Draft::Ask(look), Draft::Stop],
        _ => vec![Draft::Refuse(look), Draft::Stop],
    };
    let condition = match look % 3 {
        0 => Condition::Tool(look, false),
        1 => Condition::And(vec![
            Condition::Tool(look, false),
            Condition::Number(look, look, look),
        ]),
        _ => Condition::Boolean(look, look),
    };
    Draft::If(vec![(condition, message)], None)
}

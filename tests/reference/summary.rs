//! What is known of a body before any call: its tools, its turns, how its paths end, and whether
//! all of them meet an `execute` first.

use std::collections::{BTreeMap, BTreeSet};

use stalwart::syntax::tree::{FlowDefinition, Statement, StatementKind, Trigger, Turn};

use super::Subflow;

/// What is known of one body, subflows inlined.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Every tool executed in its text.
    pub tools: BTreeSet<String>,
    /// Whether it has a turn other than `user ...`.
    pub specific_turn: bool,
    /// How its paths end, entered without and with an `if` behind them.
    ends: [Ends; 2],
    /// Whether each of its paths meets an `execute` before a turn and before its end, where what
    /// is behind it does not, and where it does.
    meets: [bool; 2],
}

/// Sets of paths, told apart by whether they have met an `if`: bit 0 no, bit 1 yes.
type Paths = u8;

/// Where the paths of a block go.
#[derive(Clone, Copy, Debug, Default)]
struct Ends {
    on: Paths,
    returned: Paths,
    stopped: Paths,
    broken: Paths,
    continued: Paths,
}

impl Summary {
    /// Whether some path meets an `if` and ends in `stop` or `abort`.
    pub fn stops_behind_an_if(&self) -> bool {
        self.ends[0].stopped & 2 != 0
    }
}

/// Summaries of all subflows. Each round finds those whose `do`s all name a known one, so that
/// the chain of `do`s is no recursion here.
pub fn of_subflows<'t>(
    definitions: impl Iterator<Item = &'t FlowDefinition>,
) -> BTreeMap<&'t str, Subflow<'t>> {
    let mut known = BTreeMap::new();
    let mut waiting: Vec<_> = definitions.collect();
    loop {
        let before = waiting.len();
        waiting.retain(|definition| {
            let Some(summary) = of_body(&definition.body, &known) else {
                return true;
            };
            let name = definition.name.value.as_str();
            known.insert(
                name,
                Subflow {
                    definition,
                    summary,
                },
            );
            false
        });
        if waiting.len() == before {
            return known;
        }
    }
}

/// The summary of one body; none while it inlines a subflow that is not known.
pub fn of_body(body: &[Statement], known: &BTreeMap<&str, Subflow<'_>>) -> Option<Summary> {
    let mut summary = Summary {
        tools: BTreeSet::new(),
        specific_turn: false,
        ends: [Ends::default(); 2],
        meets: [false; 2],
    };
    let mut blocks = vec![body];
    while let Some(block) = blocks.pop() {
        for statement in block {
            match &statement.kind {
                StatementKind::Execute(execute) => {
                    summary.tools.insert(execute.tool.value.clone());
                }
                StatementKind::User(Turn::Named(_) | Turn::Text(_)) => summary.specific_turn = true,
                StatementKind::Do(name) => {
                    let subflow = &known.get(name.value.as_str())?.summary;
                    summary.tools.extend(subflow.tools.iter().cloned());
                    summary.specific_turn |= subflow.specific_turn;
                }
                StatementKind::If(chain) => {
                    blocks.extend(chain.arms.iter().map(|arm| arm.body.as_slice()));
                }
                StatementKind::When(when) => {
                    let waits = |trigger: &Option<Trigger>| trigger.is_some();
                    summary.specific_turn |= when.arms.iter().any(|arm| waits(&arm.trigger));
                    blocks.extend(when.arms.iter().map(|arm| arm.body.as_slice()));
                }
                StatementKind::While(looped) => blocks.push(&looped.body),
                _ => {}
            }
        }
    }
    summary.ends = [ends(body, 1, known), ends(body, 2, known)];
    summary.meets = [false, true].map(|behind| {
        let first = meets_execute(body, behind, behind, known).first().copied();
        first.unwrap_or(behind)
    });
    Some(summary)
}

/// Where the paths that enter `block` go.
fn ends(block: &[Statement], entered: Paths, known: &BTreeMap<&str, Subflow<'_>>) -> Ends {
    let mut all = Ends {
        on: entered,
        ..Ends::default()
    };
    for statement in block {
        let here = std::mem::take(&mut all.on);
        if here == 0 {
            break;
        }
        match &statement.kind {
            StatementKind::Stop => all.stopped |= here,
            StatementKind::Return => all.returned |= here,
            StatementKind::Break => all.broken |= here,
            StatementKind::Continue => all.continued |= here,
            StatementKind::Do(name) => {
                for (bit, inner) in [(1, 0), (2, 1)] {
                    if let Some(subflow) =
                        known.get(name.value.as_str()).filter(|_| here & bit != 0)
                    {
                        let inner = subflow.summary.ends[inner];
                        all.on |= inner.on | inner.returned;
                        all.stopped |= inner.stopped;
                    }
                }
            }
            StatementKind::If(chain) => {
                for arm in &chain.arms {
                    all.join(ends(&arm.body, 2, known));
                }
                if chain.arms.iter().all(|arm| arm.condition.is_some()) {
                    all.on |= 2;
                }
            }
            StatementKind::When(when) => {
                for arm in &when.arms {
                    all.join(ends(&arm.body, here, known));
                }
            }
            StatementKind::While(looped) => {
                let mut round = here;
                let mut out = here;
                for _ in 0..2 {
                    let mut inner = ends(&looped.body, round, known);
                    round = inner.on | inner.continued;
                    out |= round | inner.broken;
                    (inner.on, inner.continued, inner.broken) = (0, 0, 0);
                    all.join(inner);
                }
                all.on |= out;
            }
            _ => all.on = here,
        }
    }
    all
}

impl Ends {
    fn join(&mut self, other: Self) {
        self.on |= other.on;
        self.returned |= other.returned;
        self.stopped |= other.stopped;
        self.broken |= other.broken;
        self.continued |= other.continued;
    }
}

/// For each statement of `block`, whether every path that begins at it meets an `execute` before
/// any turn and before its end. `behind` is the same of what follows the block, `returned` of
/// what follows a `return` in it.
pub fn meets_execute(
    block: &[Statement],
    behind: bool,
    returned: bool,
    known: &BTreeMap<&str, Subflow<'_>>,
) -> Vec<bool> {
    let mut all = Vec::with_capacity(block.len());
    let mut next = behind;
    for statement in block.iter().rev() {
        let enters = |body: &[Statement]| {
            meets_execute(body, next, returned, known)
                .first()
                .copied()
                .unwrap_or(next)
        };
        let here = match &statement.kind {
            StatementKind::Execute(_) => true,
            StatementKind::User(_) | StatementKind::Stop => false,
            StatementKind::Return => returned,
            StatementKind::Do(name) => known
                .get(name.value.as_str())
                .is_some_and(|subflow| subflow.summary.meets[usize::from(next)]),
            StatementKind::If(chain) => {
                let passed = chain.arms.iter().any(|arm| arm.condition.is_none()) || next;
                passed && chain.arms.iter().all(|arm| enters(&arm.body))
            }
            // Every arm of a `when` but an `else` begins with a turn.
            StatementKind::When(when) => when
                .arms
                .iter()
                .all(|arm| arm.trigger.is_none() && enters(&arm.body)),
            // No round of it is the way that is listed.
            _ => next,
        };
        next = here;
        all.push(here);
    }
    all.reverse();
    all
}

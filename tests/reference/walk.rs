//! The walk of one call through the statements of one flow.

use std::collections::BTreeMap;

use serde_json::Value;
use stalwart::syntax::tree::{self, FlowDefinition, If, Message, Statement, StatementKind};

use super::Subflow;
use super::condition::{Binding, FALSE, NEITHER, Scope, TRUE};
use super::summary::meets_execute;

/// What was said: only its name matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said<'t> {
    Named(&'t str),
    Unnamed,
}

impl Block {
    fn is_loop(self) -> bool {
        matches!(self, Self::Loop(_))
    }
}

impl<'t> Said<'t> {
    /// The first word of its name.
    pub fn first_word(self) -> Option<&'t str> {
        match self {
            Self::Named(name) => name.split_whitespace().next(),
            Self::Unnamed => None,
        }
    }
}

/// How a walk ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Behind the last statement, or by `return`.
    End,
    /// By `stop` or `abort`.
    Stop,
    /// At an `if` that is neither true nor false.
    Undecided,
}

/// What is remembered on the way.
#[derive(Default)]
pub struct State<'t> {
    /// The last message.
    pub last: Option<Said<'t>>,
    /// Whether a turn lies behind the last message.
    pub last_answered: bool,
    /// Whether any tool ran.
    pub any_ran: bool,
    /// Whether the called tool ran.
    pub tool_ran: bool,
    /// The question of the first asked run of the called tool.
    pub asked: Option<Said<'t>>,
    /// Whether there was a step.
    stepped: bool,
    /// The last message behind the last turn.
    open: Option<Said<'t>>,
    /// The first later turn, with its question.
    later_turn: Option<Option<Said<'t>>>,
    /// Why an `execute` must not follow.
    forbidden: Option<&'static str>,
}

/// A block that is being walked.
struct Frame<'t> {
    statements: &'t [Statement],
    next: usize,
    /// Per statement, whether every path from it meets an `execute` first.
    meets: Vec<bool>,
    /// The same of what follows the block, and of what follows a `return` in it.
    behind: bool,
    returned: bool,
    kind: Block,
}

/// What a block is the body of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    /// An arm: nothing ends with it.
    Arm,
    /// A flow or subflow: a `return` leads behind it.
    Flow,
    /// A `while` with so many rounds to go behind this one.
    Loop(u8),
}

/// Which way to take where the gate cannot see: all must lead to the same word. `None` is the
/// way on which no arm is taken.
pub type Seed = Option<u64>;

/// A walk through one flow.
pub struct Walk<'t, 'c> {
    subflows: &'c BTreeMap<&'t str, Subflow<'t>>,
    tool: Option<&'c str>,
    scope: Scope<'t, 'c>,
    state: State<'t>,
    frames: Vec<Frame<'t>>,
    seed: Seed,
    /// Whether a way was chosen that the call does not decide.
    chosen: bool,
}

impl<'t, 'c> Walk<'t, 'c> {
    /// A walk for one call. `tool` is the tool whose runs count.
    pub fn new(
        subflows: &'c BTreeMap<&'t str, Subflow<'t>>,
        input: &'c Value,
        tool: Option<&'c str>,
        guard: bool,
        seed: Seed,
    ) -> Self {
        Self {
            subflows,
            tool,
            scope: Scope {
                input,
                guard,
                bindings: BTreeMap::new(),
            },
            state: State::default(),
            frames: Vec::new(),
            seed,
            chosen: false,
        }
    }

    /// One of `count` ways; the first where no seed says otherwise.
    fn choose_way(&mut self, count: usize) -> usize {
        self.chosen = true;
        let Some(seed) = &mut self.seed else { return 0 };
        *seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(*seed >> 33).expect("31 bits") % count
    }

    /// Walks to the end.
    pub fn run(mut self, flow: &'t FlowDefinition) -> (State<'t>, Ending) {
        self.enter(&flow.body, (false, false), Block::Flow);
        let ending = loop {
            let Some(frame) = self.frames.last_mut() else {
                break Ending::End;
            };
            let Some(statement) = frame.statements.get(frame.next) else {
                match &mut frame.kind {
                    Block::Loop(rounds @ 1..) => {
                        *rounds -= 1;
                        frame.next = 0;
                    }
                    _ => {
                        self.frames.pop();
                    }
                }
                continue;
            };
            frame.next += 1;
            if let Some(ending) = self.step(statement) {
                break ending;
            }
        };
        (self.state, ending)
    }

    fn enter(
        &mut self,
        statements: &'t [Statement],
        (behind, returned): (bool, bool),
        kind: Block,
    ) {
        let meets = meets_execute(statements, behind, returned, self.subflows);
        self.frames.push(Frame {
            statements,
            next: 0,
            meets,
            behind,
            returned,
            kind,
        });
    }

    /// Whether every path behind the statement at hand meets an `execute` first, and the same of
    /// what follows a `return` here.
    fn behind(&self) -> (bool, bool) {
        let frame = self.frames.last().expect("a statement is in a frame");
        let behind = frame.meets.get(frame.next).copied();
        (behind.unwrap_or(frame.behind), frame.returned)
    }

    fn step(&mut self, statement: &'t Statement) -> Option<Ending> {
        match &statement.kind {
            StatementKind::Execute(execute) => {
                self.execute(&execute.tool.value);
                if let Some(result) = &execute.result {
                    self.scope.bindings.insert(&result.value, Binding::Unseen);
                }
            }
            StatementKind::Bot(bot) => self.say(match &bot.message {
                Message::Named(name) => Said::Named(&name.value),
                Message::Text(_) | Message::Unseen(_) => Said::Unnamed,
            }),
            StatementKind::User(_) => self.turn(),
            // Only the first step is one; a later event is not seen.
            StatementKind::Event(_) => self.state.stepped = true,
            StatementKind::If(chain) => return self.choose(chain),
            StatementKind::When(when) => {
                // Without an `else` it goes on only through its arms.
                let otherwise = when.arms.iter().position(|arm| arm.trigger.is_none());
                let first = otherwise.unwrap_or(0);
                let way = (first + self.choose_way(when.arms.len())) % when.arms.len();
                let arm = &when.arms[way];
                if arm.trigger.is_some() {
                    self.turn();
                }
                self.enter(&arm.body, self.behind(), Block::Arm);
            }
            StatementKind::While(looped) => {
                if let Some(rounds) = self.choose_way(3).checked_sub(1) {
                    let rounds = u8::try_from(rounds).expect("0 or 1");
                    self.enter(&looped.body, self.behind(), Block::Loop(rounds));
                }
            }
            StatementKind::Break => {
                while self.frames.pop().is_some_and(|frame| !frame.kind.is_loop()) {}
            }
            StatementKind::Continue => {
                while self
                    .frames
                    .last()
                    .is_some_and(|frame| !frame.kind.is_loop())
                {
                    self.frames.pop();
                }
                if let Some(frame) = self.frames.last_mut() {
                    frame.next = frame.statements.len();
                }
            }
            StatementKind::Do(name) => {
                let (behind, _) = self.behind();
                let body = &self.subflows[name.value.as_str()].definition.body;
                self.enter(body, (behind, behind), Block::Flow);
            }
            StatementKind::Stop => return Some(Ending::Stop),
            StatementKind::Return => {
                while self
                    .frames
                    .pop()
                    .is_some_and(|frame| frame.kind != Block::Flow)
                {}
            }
            StatementKind::Assign(assign) => {
                let binding = match &assign.value {
                    tree::Value::Literal(literal) => Binding::Literal(&literal.value),
                    tree::Value::Name(path) => self.scope.resolve(path),
                    tree::Value::Model(_) | tree::Value::Unreadable(_) => Binding::Unseen,
                };
                self.scope.bindings.insert(&assign.name.value, binding);
            }
            // No steps.
            StatementKind::CreateEvent(_)
            | StatementKind::Any
            | StatementKind::Label(_)
            | StatementKind::Goto(_)
            | StatementKind::Meta
            | StatementKind::Priority => {}
        }
        None
    }

    /// Takes the arm of an `if`, passes it by, or ends undecided.
    fn choose(&mut self, chain: &'t If) -> Option<Ending> {
        let (behind, returned) = self.behind();
        if behind && self.only_remarks(chain) {
            return None;
        }
        for arm in &chain.arms {
            let condition = arm.condition.as_ref();
            let truths = condition.map_or(TRUE, |condition| self.scope.truths(condition));
            let truth = match truths {
                TRUE | FALSE | NEITHER => truths,
                // Not seen, and accepted: whichever it is, the words are the same.
                several => {
                    let mut members = vec![FALSE, TRUE, NEITHER];
                    members.retain(|truth| several & truth != 0);
                    members[self.choose_way(members.len())]
                }
            };
            match truth {
                TRUE => {
                    self.enter(&arm.body, (behind, returned), Block::Arm);
                    return None;
                }
                NEITHER => return Some(Ending::Undecided),
                _ => {}
            }
        }
        None
    }

    /// Whether the arms hold only remarks, and `if`s of which the same is true; subflows inlined.
    fn only_remarks(&self, chain: &'t If) -> bool {
        let mut blocks: Vec<&[Statement]> =
            chain.arms.iter().map(|arm| arm.body.as_slice()).collect();
        while let Some(block) = blocks.pop() {
            for statement in block {
                match &statement.kind {
                    StatementKind::Bot(bot) => match &bot.message {
                        Message::Named(name) => {
                            let first = Said::Named(&name.value).first_word();
                            if matches!(first, Some("refuse" | "ask" | "clarify")) {
                                return false;
                            }
                        }
                        Message::Text(_) => {}
                        Message::Unseen(_) => return false,
                    },
                    StatementKind::If(inner) => {
                        blocks.extend(inner.arms.iter().map(|arm| arm.body.as_slice()));
                    }
                    StatementKind::Do(name) => {
                        blocks.push(&self.subflows[name.value.as_str()].definition.body);
                    }
                    _ => return false,
                }
            }
        }
        true
    }

    fn execute(&mut self, tool: &str) {
        // Where a way was chosen, another may be the one that was checked.
        if let (Some(why), false) = (self.state.forbidden, self.chosen) {
            panic!("the checker accepted an `execute {tool}` behind {why}");
        }
        self.state.stepped = true;
        self.state.any_ran = true;
        if self.tool == Some(tool) {
            self.state.tool_ran = true;
            if let Some(question) = self.state.later_turn {
                self.state.asked = self.state.asked.or(question);
            }
        }
    }

    fn say(&mut self, said: Said<'t>) {
        match said.first_word() {
            Some("refuse") => self.state.forbidden = Some("a refusal"),
            Some("ask" | "clarify") => {
                self.state.forbidden = self.state.forbidden.or(Some(OPEN_QUESTION));
            }
            _ => {}
        }
        self.state.stepped = true;
        self.state.last = Some(said);
        self.state.last_answered = false;
        self.state.open = Some(said);
    }

    fn turn(&mut self) {
        if self.state.stepped {
            let question = self.state.open.take();
            if self.state.forbidden == Some(OPEN_QUESTION) {
                self.state.forbidden = None;
            }
            if question.is_none() && self.state.forbidden.is_none() {
                self.state.forbidden = Some("a turn without a question");
            }
            self.state.last_answered = self.state.last.is_some();
            self.state.later_turn = self.state.later_turn.or(Some(question));
        }
        self.state.stepped = true;
    }
}

/// A question that no turn has answered yet.
const OPEN_QUESTION: &str = "a question without a turn";

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
    /// Whether a `return` leads behind this block.
    subflow: bool,
}

/// A walk through one flow.
pub struct Walk<'t, 'c> {
    subflows: &'c BTreeMap<&'t str, Subflow<'t>>,
    tool: Option<&'c str>,
    scope: Scope<'t, 'c>,
    state: State<'t>,
    frames: Vec<Frame<'t>>,
}

impl<'t, 'c> Walk<'t, 'c> {
    /// A walk for one call. `tool` is the tool whose runs count.
    pub fn new(
        subflows: &'c BTreeMap<&'t str, Subflow<'t>>,
        input: &'c Value,
        tool: Option<&'c str>,
        guard: bool,
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
        }
    }

    /// Walks to the end.
    pub fn run(mut self, flow: &'t FlowDefinition) -> (State<'t>, Ending) {
        self.enter(&flow.body, false, false, true);
        let ending = loop {
            let Some(frame) = self.frames.last_mut() else {
                break Ending::End;
            };
            let Some(statement) = frame.statements.get(frame.next) else {
                self.frames.pop();
                continue;
            };
            frame.next += 1;
            if let Some(ending) = self.step(statement) {
                break ending;
            }
        };
        (self.state, ending)
    }

    fn enter(&mut self, statements: &'t [Statement], behind: bool, returned: bool, subflow: bool) {
        let meets = meets_execute(statements, behind, returned, self.subflows);
        self.frames.push(Frame {
            statements,
            next: 0,
            meets,
            behind,
            returned,
            subflow,
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
                // Accepted only where all ways lead to the same words: any will do.
                let arm = when.arms.iter().find(|arm| arm.trigger.is_none());
                if let Some(arm) = arm.or(when.arms.first()) {
                    if arm.trigger.is_some() {
                        self.turn();
                    }
                    let (behind, returned) = self.behind();
                    self.enter(&arm.body, behind, returned, false);
                }
            }
            StatementKind::Do(name) => {
                let (behind, _) = self.behind();
                let body = &self.subflows[name.value.as_str()].definition.body;
                self.enter(body, behind, behind, true);
            }
            StatementKind::Stop => return Some(Ending::Stop),
            StatementKind::Return => while self.frames.pop().is_some_and(|frame| !frame.subflow) {},
            StatementKind::Assign(assign) => {
                let binding = match &assign.value {
                    tree::Value::Literal(literal) => Binding::Literal(&literal.value),
                    tree::Value::Name(path) => self.scope.resolve(path),
                    tree::Value::Model(_) | tree::Value::Unreadable(_) => Binding::Unseen,
                };
                self.scope.bindings.insert(&assign.name.value, binding);
            }
            // No round of a `while` is as good as any; the rest is no step.
            StatementKind::While(_)
            | StatementKind::Break
            | StatementKind::Continue
            | StatementKind::CreateEvent(_)
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
            let truths = arm
                .condition
                .as_ref()
                .map_or(TRUE, |it| self.scope.truths(it));
            match truths {
                TRUE => {
                    self.enter(&arm.body, behind, returned, false);
                    return None;
                }
                NEITHER => return Some(Ending::Undecided),
                FALSE => {}
                // Not seen, and accepted: with this arm or without it, the words are the same.
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
        if let Some(why) = self.state.forbidden {
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

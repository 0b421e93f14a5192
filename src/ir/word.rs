//! What a path says on a tool: the table of contract section 4.
//!
//! [`StepState`] reads steps one at a time, so that a walk over a tree of paths can share what
//! paths have in common; [`BranchSummary`] is one branch read to its end.

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Branch, End, Step};

mod questions;

pub use crate::text::{RULE_NO_MATCH, RULE_STOP};
pub use questions::{Questions, Spoken};

/// The rule of a refusal by an unnamed message.
pub const RULE_UNNAMED_REFUSAL: &str = "refuse";
/// The rule of a question that is an unnamed message.
pub const RULE_UNNAMED_QUESTION: &str = "ask";

/// The word of an undecided flow, governing or guard.
pub const UNDECIDED: Word<'static> = Word::Refuse(RULE_NO_MATCH);

/// What a flow says on a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Word<'a> {
    /// The tool runs and nobody is asked before.
    Allow,
    /// A person is asked first; the rule is the question.
    Clarify(&'a str),
    /// The call is refused, by this rule.
    Refuse(&'a str),
    /// The path runs other tools, or nothing happens on it.
    NoMatch,
}

impl<'a> Word<'a> {
    /// The rule that a decision by this word names.
    pub fn rule(self) -> &'a str {
        match self {
            Self::Allow => "",
            Self::Clarify(rule) | Self::Refuse(rule) => rule,
            Self::NoMatch => RULE_NO_MATCH,
        }
    }
}

/// The first word of a message's name, which tells refusals and questions from remarks.
pub fn first_word(name: &str) -> &str {
    name.split(' ').next().unwrap_or(name)
}

/// Whether a message of this name refuses by its first word.
pub fn is_refusal(name: &str) -> bool {
    first_word(name) == "refuse"
}

/// Whether a message of this name asks by its first word.
pub fn is_question(name: &str) -> bool {
    matches!(first_word(name), "ask" | "clarify")
}

/// A message as far as words depend on it: texts of unnamed ones make no difference.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Said<T> {
    Named(T),
    Unnamed,
}

/// What the words of a path depend on, of the steps so far. Two states that are equal lead to
/// equal words on every tool, whatever follows.
///
/// `T` holds the names: shared ones by default, or slices of the branch.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StepState<T = Arc<str>> {
    /// Whether the first step is behind us, which alone can open the flow.
    begun: bool,
    /// The last message.
    last_message: Option<Said<T>>,
    /// Whether a later turn follows the last message: then it is a question.
    answered: bool,
    /// The question of the first later turn; that turn may have none.
    question: Option<Option<Said<T>>>,
    /// The tools that run, each with whether some run of it is asked.
    runs: BTreeMap<T, bool>,
}

impl<T> Default for StepState<T> {
    fn default() -> Self {
        Self {
            begun: false,
            last_message: None,
            answered: false,
            question: None,
            runs: BTreeMap::new(),
        }
    }
}

impl<T: Clone + Ord + Borrow<str>> StepState<T> {
    /// The state before the first step.
    pub fn new() -> Self {
        Self::default()
    }

    /// Goes on by one step.
    pub fn step<'s>(&mut self, step: &'s Step)
    where
        T: From<&'s str>,
    {
        match step {
            // An event stands in a path as its first step only, where it opens the flow.
            Step::Event(_) => {}
            Step::Say(name) => self.say(Said::Named(name.as_str().into())),
            Step::SayText(_) => self.say(Said::Unnamed),
            Step::Turn(_) if !self.begun => {}
            Step::Turn(_) => {
                if self.question.is_none() {
                    self.question = Some(self.unanswered_message().cloned());
                }
                self.answered = true;
            }
            Step::Execute(execute) => {
                let asked = self.question.is_some();
                let some_asked = self.runs.entry(execute.tool.as_str().into()).or_default();
                *some_asked |= asked;
            }
        }
        self.begun = true;
    }

    fn say(&mut self, message: Said<T>) {
        self.last_message = Some(message);
        self.answered = false;
    }

    fn unanswered_message(&self) -> Option<&Said<T>> {
        self.last_message.as_ref().filter(|_| !self.answered)
    }

    /// Whether no step was read yet.
    pub fn is_empty(&self) -> bool {
        !self.begun
    }

    /// The tools that run, by name.
    pub fn tools(&self) -> impl Iterator<Item = &str> {
        self.runs.keys().map(Borrow::borrow)
    }

    /// The word on a tool of a governing flow whose path ends here in this way.
    pub fn word(&self, end: End, tool: &str) -> Word<'_> {
        self.word_as(end, tool, |name| name.borrow())
    }

    /// The word of a guard flow whose path ends here in this way; none when it is silent.
    pub fn guard_word(&self, end: End) -> Option<Word<'_>> {
        self.guard_word_as(end, |name| name.borrow())
    }

    fn word_as<'s, 'r>(
        &'s self,
        end: End,
        tool: &str,
        text: impl Fn(&'s T) -> &'r str,
    ) -> Word<'r> {
        match self.runs.get(tool) {
            Some(false) => return Word::Allow,
            Some(true) => return self.asked_word(text),
            None if !self.runs.is_empty() => return Word::NoMatch,
            None => {}
        }
        match &self.last_message {
            Some(Said::Unnamed) if self.answered => Word::Clarify(RULE_UNNAMED_QUESTION),
            Some(Said::Unnamed) => Word::Refuse(RULE_UNNAMED_REFUSAL),
            Some(Said::Named(name)) if self.answered || is_question(name.borrow()) => {
                Word::Clarify(text(name))
            }
            Some(Said::Named(name)) => Word::Refuse(text(name)),
            None if end == End::Stop => Word::Refuse(RULE_STOP),
            None => Word::NoMatch,
        }
    }

    fn asked_word<'s, 'r>(&'s self, text: impl Fn(&'s T) -> &'r str) -> Word<'r> {
        match &self.question {
            Some(Some(Said::Named(name))) => Word::Clarify(text(name)),
            Some(Some(Said::Unnamed)) => Word::Clarify(RULE_UNNAMED_QUESTION),
            // A run behind a turn without a question is an error of the rulebook; should one
            // come here, it is not let through.
            Some(None) | None => UNDECIDED,
        }
    }

    fn guard_word_as<'s, 'r>(
        &'s self,
        end: End,
        text: impl Fn(&'s T) -> &'r str,
    ) -> Option<Word<'r>> {
        if end != End::Stop {
            return None;
        }
        Some(match &self.last_message {
            Some(Said::Named(name)) if is_question(name.borrow()) => Word::Clarify(text(name)),
            Some(Said::Named(name)) => Word::Refuse(text(name)),
            Some(Said::Unnamed) => Word::Refuse(RULE_UNNAMED_REFUSAL),
            None => Word::Refuse(RULE_STOP),
        })
    }
}

/// One branch read to its end: its words on all tools from one pass over its steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchSummary<'a> {
    end: End,
    state: StepState<&'a str>,
}

impl<'a> BranchSummary<'a> {
    /// Reads a branch.
    pub fn of(branch: &'a Branch) -> Self {
        let mut state = StepState::new();
        for step in &branch.steps {
            state.step(step);
        }
        Self {
            end: branch.end,
            state,
        }
    }

    /// The word on a tool, when the branch is of a flow that governs it.
    pub fn word(&self, tool: &str) -> Word<'a> {
        self.state.word_as(self.end, tool, |name| name)
    }

    /// The word, when the branch is of a guard flow; none when it is silent.
    pub fn guard_word(&self) -> Option<Word<'a>> {
        self.state.guard_word_as(self.end, |name| name)
    }

    /// The tools that run, by name, each with the question that some run of it waits for.
    pub fn runs(&self) -> impl Iterator<Item = (&'a str, Option<&'a str>)> {
        self.state.runs.iter().map(|(tool, asked)| {
            let question = asked.then(|| self.state.asked_word(|name| name).rule());
            (*tool, question)
        })
    }
}

#[cfg(test)]
mod tests;

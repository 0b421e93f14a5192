//! The questions that a branch asks (contract section 4): the last message before a later turn
//! and behind the turn before it.

use super::super::Rulebook;
use super::{Branch, RULE_UNNAMED_QUESTION, Step, StepState};

/// A message as a branch says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Spoken<'a> {
    /// A named message, by its name.
    Named(&'a str),
    /// An unnamed message, by its text.
    Unnamed(&'a str),
}

impl<'a> Spoken<'a> {
    /// The message that a step says.
    pub fn of(step: &'a Step) -> Option<Self> {
        match step {
            Step::Say(name) => Some(Self::Named(name)),
            Step::SayText(text) => Some(Self::Unnamed(text)),
            Step::Event(_) | Step::Execute(_) | Step::Turn(_) => None,
        }
    }

    /// The last message that a branch says.
    pub fn last_of(branch: &'a Branch) -> Option<Self> {
        branch.steps.iter().rev().find_map(Self::of)
    }

    /// The rule of a `clarify` by this message.
    pub fn question_rule(self) -> &'a str {
        match self {
            Self::Named(name) => name,
            Self::Unnamed(_) => RULE_UNNAMED_QUESTION,
        }
    }

    /// What a person is shown: the first text of the message, its own name where it has none.
    pub fn wording(self, rulebook: &'a Rulebook) -> &'a str {
        match self {
            Self::Unnamed(text) => text,
            Self::Named(name) => rulebook
                .message(name)
                .and_then(|message| message.wordings.first())
                .map_or(name, String::as_str),
        }
    }
}

/// What a branch asks before it runs a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Questions<'a> {
    /// Every question before the last run of the tool, in order, as often as it is asked; none
    /// when the tool does not run.
    pub before_last_run: Vec<Spoken<'a>>,
    /// Whether the tool runs.
    pub runs: bool,
}

impl<'a> Questions<'a> {
    /// Reads a branch for a tool.
    pub fn of(branch: &'a Branch, tool: &str) -> Self {
        let mut state = StepState::<&str>::new();
        let mut message = None;
        let mut asked = Vec::new();
        let mut before_last_run = 0;
        let mut runs = false;
        for step in &branch.steps {
            match step {
                Step::Say(_) | Step::SayText(_) => message = Spoken::of(step),
                Step::Turn(_) if !state.is_empty() && state.unanswered_message().is_some() => {
                    asked.extend(message);
                }
                Step::Execute(execute) if execute.tool == tool => {
                    before_last_run = asked.len();
                    runs = true;
                }
                Step::Turn(_) | Step::Execute(_) | Step::Event(_) => {}
            }
            state.step(step);
        }
        asked.truncate(before_last_run);
        Self {
            before_last_run: asked,
            runs,
        }
    }
}

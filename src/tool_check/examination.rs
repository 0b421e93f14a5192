//! One call going through the steps.

use std::collections::BTreeSet;

use serde_json::Value;

use super::arguments::Arguments;
use super::facts::Facts;
use super::policy::{Policy, Rules};
use super::question::Shown;
use super::reason::Reason;
use super::refusal::{Refusal, Refused};
use super::steps::STEPS;
use crate::catalogue::{OperationType, Tool};
use crate::text::quoted;

/// A call that is checked.
#[derive(Clone, Copy, Debug)]
pub struct Examined<'a> {
    /// The agent that makes it.
    pub agent: &'a str,
    /// The tool, as the client wrote it.
    pub tool: &'a str,
    /// The arguments.
    pub arguments: &'a Arguments,
    /// [`Arguments::digest`] of them.
    pub digest: &'a str,
    /// Whether the client declared form elicitation.
    pub can_be_asked: bool,
}

/// What the host says of the call.
#[derive(Clone, Copy, Debug)]
pub enum Context<'a> {
    /// It has not been asked yet.
    NotAsked,
    /// Its answer; one that is no object has no names.
    Known(&'a Value),
    /// It was asked, and gave no answer that counts.
    Unavailable,
}

/// What the check comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It may be forwarded, and nobody is asked.
    Allow {
        /// The marks that it carries.
        marks: BTreeSet<String>,
    },
    /// The host has to be asked for the context, outside of any transaction; then the check runs
    /// again.
    NeedsContext,
    /// It may be forwarded once a person said yes to exactly this.
    Ask(Shown),
    /// It is refused.
    Block(Refusal),
}

/// Why the steps ended before the last.
pub(super) enum Halt<E> {
    Refused(Refused),
    NeedsContext,
    Facts(E),
}

impl<E> Halt<E> {
    pub(super) fn refused(reason: Reason, text: impl Into<String>) -> Self {
        Self::Refused(Refused::new(reason, text))
    }
}

/// A tool of the catalogue that the agent may call.
#[derive(Clone, Copy)]
pub(super) struct Reached<'a> {
    pub(super) tool: &'a Tool,
    pub(super) rules: &'a Rules,
}

impl Reached<'_> {
    pub(super) fn is_write(&self) -> bool {
        self.tool.operation_type == OperationType::Transactional
    }
}

/// A call, what the check may look at, and what its steps found so far.
pub(super) struct Examination<'x, F: Facts> {
    pub(super) policy: &'x Policy,
    pub(super) call: &'x Examined<'x>,
    pub(super) facts: &'x mut F,
    pub(super) context: Context<'x>,
    reached: Option<Reached<'x>>,
    marks: Option<BTreeSet<String>>,
    /// The rulebook's questions.
    pub(super) wordings: Vec<String>,
    /// Whether a person has to be asked, questions of the rulebook or not.
    pub(super) asks: bool,
}

impl<'x, F: Facts> Examination<'x, F> {
    pub(super) fn tool_name(&self) -> String {
        quoted(self.call.tool)
    }

    /// The tool; for one that the agent does not reach, the answer is that of one that is nowhere.
    pub(super) fn reached(&self) -> Result<Reached<'x>, Halt<F::Error>> {
        self.reached.ok_or_else(|| {
            let text = format!("there is no tool {}", self.tool_name());
            Halt::refused(Reason::UnknownTool, text)
        })
    }

    pub(super) fn marks(&mut self) -> Result<&BTreeSet<String>, F::Error> {
        let marks = match self.marks.take() {
            Some(marks) => marks,
            None => self.facts.marks()?,
        };
        Ok(self.marks.insert(marks))
    }
}

/// Checks a call (gateway contract, section 3). Nothing is changed.
///
/// # Errors
/// The state of the run cannot be read: the call must not be forwarded.
pub fn check<F: Facts>(
    policy: &Policy,
    call: &Examined<'_>,
    facts: &mut F,
    context: Context<'_>,
) -> Result<Verdict, F::Error> {
    let reached = policy
        .reach(call.agent, call.tool)
        .map(|(tool, rules)| Reached { tool, rules });
    let mut examination = Examination {
        policy,
        call,
        facts,
        context,
        reached,
        marks: None,
        wordings: Vec::new(),
        asks: false,
    };
    let refused = match STEPS
        .iter()
        .try_for_each(|step| step.take(&mut examination))
    {
        Ok(()) => return examination.let_through(),
        Err(Halt::NeedsContext) => return Ok(Verdict::NeedsContext),
        Err(Halt::Facts(error)) => return Err(error),
        Err(Halt::Refused(refused)) => refused,
    };
    let marks = examination.marks()?.clone();
    Ok(Verdict::Block(refused.with_marks(marks)))
}

impl<F: Facts> Examination<'_, F> {
    /// What becomes of a call that no step refused.
    fn let_through(mut self) -> Result<Verdict, F::Error> {
        let marks = self.marks()?.clone();
        if !self.asks {
            return Ok(Verdict::Allow { marks });
        }
        if !self.call.can_be_asked {
            let text = format!(
                "a person has to confirm {}, and this client cannot ask one: it declared no form \
                 elicitation",
                self.tool_name()
            );
            let refused = Refused::new(Reason::ConfirmationUnavailable, text);
            return Ok(Verdict::Block(refused.with_marks(marks)));
        }
        Ok(Verdict::Ask(Shown {
            wordings: self.wordings,
            confirm: self
                .reached
                .and_then(|reached| reached.tool.confirm.clone()),
            marks,
            digest: self.call.digest.to_owned(),
            policy: self.policy.hash().to_owned(),
        }))
    }
}

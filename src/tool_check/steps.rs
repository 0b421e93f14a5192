//! The steps of the check: one function each, in one list.

use crate::catalogue::OrderRule;
use crate::text::quoted;

use super::examination::{Examination, Halt};
use super::facts::Facts;
use super::reason::Reason;
use super::rulebook;

/// A step of the check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The agent reaches the tool.
    Catalogue,
    /// The arguments fit the tool's schema.
    Arguments,
    /// The same call has not been left without an outcome.
    Ambiguous,
    /// The same call has not just been declined.
    Declined,
    /// The rules on the order of calls are kept.
    Order,
    /// The rulebook lets it through, or says what to ask.
    Rulebook,
    /// A marked write is asked about.
    Marks,
    /// A write is asked about.
    Confirmation,
}

/// The steps, in the order in which they are taken (gateway contract, section 3). A later step,
/// such as one that waits for an approval, stands behind these.
pub const STEPS: [Step; 8] = [
    Step::Catalogue,
    Step::Arguments,
    Step::Ambiguous,
    Step::Declined,
    Step::Order,
    Step::Rulebook,
    Step::Marks,
    Step::Confirmation,
];

impl Step {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Catalogue => "catalogue",
            Self::Arguments => "arguments",
            Self::Ambiguous => "ambiguous",
            Self::Declined => "declined",
            Self::Order => "order",
            Self::Rulebook => "rulebook",
            Self::Marks => "marks",
            Self::Confirmation => "confirmation",
        }
    }

    pub(super) fn take<F: Facts>(
        self,
        examination: &mut Examination<'_, F>,
    ) -> Result<(), Halt<F::Error>> {
        match self {
            Self::Catalogue => examination.reached().map(|_| ()),
            Self::Arguments => arguments(examination),
            Self::Ambiguous => ambiguous(examination),
            Self::Declined => declined(examination),
            Self::Order => order(examination),
            Self::Rulebook => rulebook::step(examination),
            Self::Marks => marks(examination),
            Self::Confirmation => confirmation(examination),
        }
    }
}

fn arguments<F: Facts>(examination: &mut Examination<'_, F>) -> Result<(), Halt<F::Error>> {
    let reached = examination.reached()?;
    let found = reached.rules.schema.faults(examination.call.arguments);
    if !found.is_empty() {
        let text = format!(
            "the arguments of {} do not fit its schema: {}",
            examination.tool_name(),
            found.join("; ")
        );
        return Err(Halt::refused(Reason::InvalidArguments, text));
    }
    // What stands for the yes of a person is never left to the agent.
    examination.asks |= !reached.rules.schema.reserved().is_empty();
    Ok(())
}

fn ambiguous<F: Facts>(examination: &mut Examination<'_, F>) -> Result<(), Halt<F::Error>> {
    let (tool, digest) = (examination.call.tool, examination.call.digest);
    let found = examination.facts.has_ambiguous(tool, digest);
    if found.map_err(Halt::Facts)? {
        let text = format!(
            "an earlier call of {} with these arguments was sent, and it is not known whether it \
             took effect: do not send it again before an operator has settled that",
            examination.tool_name()
        );
        return Err(Halt::refused(Reason::AmbiguousOutstanding, text));
    }
    Ok(())
}

fn declined<F: Facts>(examination: &mut Examination<'_, F>) -> Result<(), Halt<F::Error>> {
    let (tool, digest) = (examination.call.tool, examination.call.digest);
    let found = examination.facts.is_declined(tool, digest);
    if found.map_err(Halt::Facts)? {
        let text = format!(
            "a person said no to this call of {} a short while ago: do not ask for it again",
            examination.tool_name()
        );
        return Err(Halt::refused(Reason::Declined, text));
    }
    Ok(())
}

fn order<F: Facts>(examination: &mut Examination<'_, F>) -> Result<(), Halt<F::Error>> {
    let tool = examination.tool_name();
    for rule in &examination.reached()?.rules.order {
        match rule {
            OrderRule::After { after, .. } => {
                let found = examination.facts.has_succeeded(after);
                if found.map_err(Halt::Facts)? {
                    continue;
                }
                let mut text = format!(
                    "{tool} may only be called behind a successful call of {} in the same run",
                    quoted(after)
                );
                if !examination.facts.has_history() {
                    text.push_str(
                        ", and this call names no run that remembers one: name a run in \
                         `_meta[\"dev.stalwart/run-id\"]`",
                    );
                }
                return Err(Halt::refused(Reason::Order, text));
            }
            OrderRule::AtMost { at_most, .. } => {
                let count = examination.facts.count_calls(examination.call.tool);
                if count.map_err(Halt::Facts)? < *at_most {
                    continue;
                }
                let times = if *at_most == 1 { "time" } else { "times" };
                let text = format!("{tool} may be called at most {at_most} {times} in a run");
                return Err(Halt::refused(Reason::Order, text));
            }
        }
    }
    Ok(())
}

fn marks<F: Facts>(examination: &mut Examination<'_, F>) -> Result<(), Halt<F::Error>> {
    let is_write = examination.reached()?.is_write();
    let is_marked = !examination.marks().map_err(Halt::Facts)?.is_empty();
    examination.asks |= is_write && is_marked;
    Ok(())
}

fn confirmation<F: Facts>(examination: &mut Examination<'_, F>) -> Result<(), Halt<F::Error>> {
    let reached = examination.reached()?;
    examination.asks |= reached.is_write() && reached.tool.require_confirmation;
    Ok(())
}

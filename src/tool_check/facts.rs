//! What the check needs to know of the run that a call belongs to.

use std::collections::BTreeSet;

/// The state of a run, as a store shows it within one transaction (gateway contract, section 2).
pub trait Facts {
    /// Why the state cannot be read.
    type Error;

    /// Whether a call of a tool ended `ok` where `after` looks: in the named run; of a shared run,
    /// in the same old-era session.
    ///
    /// # Errors
    /// As all of these: the state cannot be read.
    fn has_succeeded(&mut self, tool: &str) -> Result<bool, Self::Error>;

    /// How many calls of a tool were recorded in the run and not given back.
    fn count_calls(&mut self, tool: &str) -> Result<u64, Self::Error>;

    /// The marks that a call carries: tools with `outside: true` that were forwarded in the run,
    /// or in one that hands its marks on to it.
    fn marks(&mut self) -> Result<BTreeSet<String>, Self::Error>;

    /// Whether a person said no to the same call a short while ago.
    fn is_declined(&mut self, tool: &str, digest: &str) -> Result<bool, Self::Error>;

    /// Whether it is not known what became of the same call.
    fn has_ambiguous(&mut self, tool: &str, digest: &str) -> Result<bool, Self::Error>;

    /// Whether `after` looks anywhere at all: not for a call of the new era that names no run.
    /// Only the text of a refusal says it.
    fn has_history(&self) -> bool {
        true
    }
}

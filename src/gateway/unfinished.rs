//! Outcomes that the store did not take: the calls count as not known until it does.

use std::collections::BTreeMap;
use std::sync::Mutex;

use crate::audit::Entry;
use crate::store::{CallState, ClientKey, RunId};

use super::lock;

/// What is to be recorded of a call.
#[derive(Clone)]
pub(super) struct Ending {
    pub(super) seq: u64,
    pub(super) run: RunId,
    pub(super) tool: String,
    pub(super) digest: String,
    pub(super) state: CallState,
    /// What a replay answers, sealed.
    pub(super) result: Option<Vec<u8>>,
    /// A client's key that is free again, since nothing was done.
    pub(super) freed: Option<ClientKey>,
    pub(super) entry: Entry,
    pub(super) is_durable: bool,
}

/// The outcomes that are still to be recorded, by the numbers of their calls.
#[derive(Default)]
pub(super) struct Unfinished(Mutex<BTreeMap<u64, Ending>>);

impl Unfinished {
    pub(super) fn keep(&self, ending: Ending) {
        lock(&self.0).insert(ending.seq, ending);
    }

    /// Whether what became of such a call is not recorded yet.
    pub(super) fn has(&self, run: &RunId, tool: &str, digests: &[String]) -> bool {
        lock(&self.0).values().any(|ending| {
            ending.run == *run && ending.tool == tool && digests.contains(&ending.digest)
        })
    }

    /// All of them, taken out: each is recorded or kept again.
    pub(super) fn take(&self) -> Vec<Ending> {
        std::mem::take(&mut *lock(&self.0)).into_values().collect()
    }
}

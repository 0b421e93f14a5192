//! How a gateway starts, reloads, and tidies up behind itself.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use arc_swap::ArcSwap;
use thiserror::Error;
use tokio_util::task::TaskTracker;

use crate::audit::{self, Entry, Kind};
use crate::keys::{KeyRing, Purpose, Randomness};
use crate::store::{AuditLine, Call, CallState, Durability, Millis, Store, StoreError};
use crate::text::quoted;

use super::entries::About;
use super::recording::Recording;
use super::{Clock, Current, Gateway, Shared};

/// What a gateway is made of.
pub struct Parts {
    /// What calls are judged by.
    pub current: Current,
    /// Where state is kept.
    pub store: Arc<dyn Store>,
    /// The audit log.
    pub log: audit::Log,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The source of random bytes.
    pub randomness: Arc<dyn Randomness>,
}

/// Why a gateway does not start, or does not take other keys.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StartError {
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The store has what is only known by a key that is not among those of the gateway: a no, a
    /// lost write, an open question, the end of the audit chain. Its id.
    #[error("the store still needs the key {}, which is not among `keys`", quoted(.0))]
    KeyNeeded(String),
    /// A key of this id was another one before. Its id.
    #[error("the key {} has another secret than before", quoted(.0))]
    KeyChanged(String),
}

/// What is wrong with the keys, if anything is: an id stands for one secret for ever, and what
/// still counts in the store must be known by one of them.
fn keys_fault(
    recording: &mut Recording<'_>,
    keys: &KeyRing,
    now: Millis,
) -> Result<Option<StartError>, StoreError> {
    for id in keys.ids() {
        let print = keys.hmac_by(id, Purpose::Store, b"key").unwrap_or_default();
        if !recording.transaction.is_key(id, &print)? {
            return Ok(Some(StartError::KeyChanged(id.to_owned())));
        }
    }
    let needed = recording.transaction.needed_keys(now)?;
    let missing = needed.into_iter().find(|id| !keys.knows(id));
    Ok(missing.map(StartError::KeyNeeded))
}

impl Gateway {
    /// Starts a gateway. Calls that a crash left open are closed: of a write nobody knows whether
    /// it was done.
    ///
    /// # Errors
    /// The store cannot be used.
    pub async fn start(parts: Parts) -> Result<Self, StartError> {
        let gateway = Self {
            shared: Arc::new(Shared {
                current: ArcSwap::from_pointee(parts.current),
                store: parts.store,
                turn: Default::default(),
                log: parts.log,
                clock: parts.clock,
                randomness: parts.randomness,
                tasks: TaskTracker::new(),
                is_draining: AtomicBool::new(false),
                questions: Default::default(),
                waiting: Default::default(),
                unfinished: Default::default(),
                is_recording: AtomicBool::new(true),
            }),
        };
        let (now, closing) = (gateway.now(), gateway.clone());
        let started = gateway
            .record(Durability::Durable, move |recording| {
                let keys = Arc::clone(&closing.current().keys);
                if let Some(fault) = keys_fault(recording, &keys, now)? {
                    return Ok(Some(fault));
                }
                for call in recording.transaction.close_open_calls(now)? {
                    closing.end_lost_call(recording, &call, call.state)?;
                }
                Ok(None)
            })
            .await?;
        match started.value {
            Some(fault) => Err(fault),
            None => Ok(gateway),
        }
    }

    /// Judges calls by another catalogue and other settings from now on: no call is let through by
    /// the old ones behind the `reload` line. Marks, counts, history and declines stay as they are.
    ///
    /// # Errors
    /// The keys cannot be in force, or the store cannot be used; nothing has then changed.
    pub async fn replace(&self, current: Current) -> Result<(), StartError> {
        let now = self.now();
        let entry = Entry {
            policy: Some(current.policy.hash().to_owned()),
            ..Entry::of(Kind::Reload)
        };
        let (old, new) = (self.current(), Arc::new(current));
        let (gateway, replacing) = (self.clone(), Arc::clone(&new));
        let recorded = self
            .record(Durability::Durable, move |recording| {
                if let Some(fault) = keys_fault(recording, &replacing.keys, now)? {
                    return Ok(Some(fault));
                }
                recording.append(entry, now)?;
                // Within the transaction, in which no call can be recorded.
                gateway.shared.current.store(replacing);
                Ok(None)
            })
            .await;
        match recorded {
            Ok(recorded) => match recorded.value {
                Some(fault) => return Err(fault),
                None => self.shared.log.set_keys(Arc::clone(&new.keys)),
            },
            Err(error) => {
                self.shared.current.store(old);
                return Err(StartError::Store(error));
            }
        }
        Ok(())
    }

    /// Goes on in a new audit file where the old one was moved away.
    pub async fn rotate_log(&self) -> Result<(), audit::LogError> {
        let (gateway, now) = (self.clone(), self.now());
        let rotated = tokio::task::spawn_blocking(move || gateway.shared.log.rotate(now));
        // A task that cannot be joined has panicked, which the next one will tell again.
        rotated.await.unwrap_or(Ok(()))
    }

    /// Ends questions and calls whose time is over, and drops what can no longer count. To be
    /// called every second or so.
    ///
    /// # Errors
    /// The store cannot be used.
    pub async fn tend(&self) -> Result<(), StoreError> {
        self.finish_unfinished().await?;
        self.expire_questions().await?;
        self.expire_waiting().await;
        let now = self.now();
        let shared_before = now.saturating_sub(self.current().settings.replay_ttl);
        self.transact(move |transaction| transaction.sweep(now, shared_before))
            .await?;
        let gateway = self.clone();
        let settled = tokio::task::spawn_blocking(move || gateway.shared.log.settle());
        if let Ok(Err(error)) = settled.await {
            tracing::error!(%error, "the audit log cannot be written");
        }
        Ok(())
    }

    /// The last lines of the audit log, oldest first.
    pub fn audit(&self) -> Vec<AuditLine> {
        self.shared.log.tail()
    }

    /// Records what became of a call that nobody waits for.
    pub(super) fn end_lost_call(
        &self,
        recording: &mut Recording<'_>,
        call: &Call,
        state: CallState,
    ) -> Result<(), StoreError> {
        let about = About::call(&call.call);
        let entry = Entry {
            outcome: Some(state),
            ..self.current().entry(Kind::Outcome, &about)
        };
        recording.append(entry, self.now())
    }
}

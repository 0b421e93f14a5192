//! How a gateway starts, reloads, and tidies up behind itself.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use arc_swap::ArcSwap;
use thiserror::Error;
use tokio_util::task::TaskTracker;

use crate::audit::{self, Entry, Kind};
use crate::keys::Randomness;
use crate::store::{AuditLine, Call, CallState, Durability, Store, StoreError};

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

/// Why a gateway does not start.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the gateway cannot start: {0}")]
pub struct StartError(#[from] StoreError);

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
                log: parts.log,
                clock: parts.clock,
                randomness: parts.randomness,
                tasks: TaskTracker::new(),
                is_draining: AtomicBool::new(false),
                questions: Default::default(),
                waiting: Default::default(),
                unfinished: Default::default(),
            }),
        };
        let (now, closing) = (gateway.now(), gateway.clone());
        gateway
            .record(Durability::Durable, move |recording| {
                for call in recording.transaction.close_open_calls(now)? {
                    closing.end_lost_call(recording, &call, call.state)?;
                }
                Ok(())
            })
            .await?;
        Ok(gateway)
    }

    /// Judges calls by another catalogue and other settings from now on. Marks, counts, history
    /// and declines stay as they are.
    ///
    /// # Errors
    /// The store cannot be used; nothing has then changed.
    pub async fn replace(&self, current: Current) -> Result<(), StoreError> {
        let now = self.now();
        let entry = Entry {
            policy: Some(current.policy.hash().to_owned()),
            ..Entry::of(Kind::Reload)
        };
        self.record(Durability::Durable, move |recording| {
            recording.append(entry, now)
        })
        .await?;
        self.shared.log.set_keys(Arc::clone(&current.keys));
        self.shared.current.store(Arc::new(current));
        Ok(())
    }

    /// Goes on in a new audit file where the old one was moved away.
    pub async fn rotate_log(&self) -> Result<(), audit::LogError> {
        let (gateway, now) = (self.clone(), self.now());
        let rotated = tokio::task::spawn_blocking(move || gateway.shared.log.rotate(now));
        // A task that cannot be joined has panicked, which the next one will tell again.
        rotated.await.unwrap_or(Ok(()))
    }

    /// Whether the audit log is kept in a file.
    pub fn keeps_log(&self) -> bool {
        self.shared.log.is_kept()
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
        let current = self.current();
        let made = &call.call;
        let entry = Entry {
            agent: Some(made.agent.clone()),
            run: Some(made.run.to_string()),
            session: made.session.clone(),
            server: current.settings.server_of(&made.tool).map(str::to_owned),
            tool: Some(made.tool.clone()),
            args_sha256: Some(made.digest.clone()),
            policy: Some(current.policy.hash().to_owned()),
            request: Some(made.decision.clone()),
            outcome: Some(state),
            ..Entry::of(Kind::Outcome)
        };
        recording.append(entry, self.now())
    }
}

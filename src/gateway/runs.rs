//! Runs: minted and ended by the host, cleared by an operator (gateway contract, section 2).

use thiserror::Error;

use crate::audit::{Entry, Kind};
use crate::store::{Durability, Run, RunId, RunKind, StoreError};

use super::Gateway;

/// Why no run is minted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RunError {
    /// The catalogue has no such agent.
    #[error("the catalogue has no such agent")]
    UnknownAgent,
    /// The parent is no live run.
    #[error("the parent run is not known, or has ended")]
    UnknownParent,
    /// The parent's agent may not hand off to this agent.
    #[error("the parent's agent may not hand off to this agent")]
    NoHandOff,
    /// The subject is empty, longer than 256 bytes, or has control characters.
    #[error("the subject is empty, longer than 256 bytes, or has control characters")]
    BadSubject,
    /// Too many runs are live.
    #[error("too many runs are live")]
    TooMany,
    /// The store failed.
    #[error("the gateway could not record the run")]
    Internal,
}

/// The run that a caller names is not known, not live, or not its agent's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the run is not known, or has ended")]
pub struct UnknownRun;

/// Longest subject in bytes.
const MAX_SUBJECT: usize = 256;

impl Gateway {
    /// Mints a named run of an agent.
    ///
    /// # Errors
    /// The agent, the parent or the subject is not as it should be, or there are too many runs.
    pub async fn mint_run(
        &self,
        agent: &str,
        subject: Option<&str>,
        parent: Option<&str>,
    ) -> Result<RunId, RunError> {
        let current = self.current();
        let agents = &current.policy.catalogue().agents;
        if !agents.contains_key(agent) {
            return Err(RunError::UnknownAgent);
        }
        let is_bad = |subject: &str| {
            subject.is_empty() || subject.len() > MAX_SUBJECT || subject.contains(char::is_control)
        };
        if subject.is_some_and(is_bad) {
            return Err(RunError::BadSubject);
        }
        let id = RunId::named(self.new_id().map_err(|_| RunError::Internal)?);
        let now = self.now();
        let run = Run {
            id: id.clone(),
            agent: agent.to_owned(),
            subject: subject.map(str::to_owned),
            parent: parent.map(RunId::named),
            kind: RunKind::Named,
            created: now,
            expires: Some(now.saturating_add(current.settings.run_ttl)),
            ended: None,
        };
        let minting = self.clone();
        let recorded = self
            .record(Durability::Durable, move |recording| {
                let transaction = &mut *recording.transaction;
                if transaction.live_runs(now)? >= current.settings.runs {
                    return Ok(Err(RunError::TooMany));
                }
                if let Some(parent) = &run.parent {
                    let found = transaction.run(parent)?;
                    let Some(found) =
                        found.filter(|found| found.kind == RunKind::Named && found.is_live(now))
                    else {
                        return Ok(Err(RunError::UnknownParent));
                    };
                    let agents = &current.policy.catalogue().agents;
                    let may_hand_off = agents
                        .get(&found.agent)
                        .is_some_and(|agent| agent.hand_off.contains(&run.agent));
                    if !may_hand_off {
                        return Ok(Err(RunError::NoHandOff));
                    }
                }
                transaction.create_run(&run)?;
                let entry = minting.admin_entry(Some(&run.agent), Some(&run.id));
                recording.append(entry, now)?;
                Ok(Ok(()))
            })
            .await;
        match recorded {
            Ok(recorded) => recorded.value.map(|()| id),
            Err(error) => {
                tracing::error!(%error, "a run could not be minted");
                Err(RunError::Internal)
            }
        }
    }

    /// Ends a named run. False where there is no such live run.
    ///
    /// # Errors
    /// The store cannot be used.
    pub async fn end_run(&self, id: &str) -> Result<bool, StoreError> {
        let (id, now, gateway) = (RunId::named(id), self.now(), self.clone());
        let ended = id.clone();
        let recorded = self
            .record(Durability::Durable, move |recording| {
                let found = recording.transaction.run(&id)?;
                let Some(run) =
                    found.filter(|run| run.kind == RunKind::Named && run.ended.is_none())
                else {
                    return Ok(None);
                };
                recording.transaction.end_run(&id, now)?;
                recording.append(gateway.admin_entry(Some(&run.agent), Some(&id)), now)?;
                Ok(Some(run.agent))
            })
            .await?;
        if let Some(agent) = &recorded.value {
            // What its calls of the new era hold with servers.
            self.close_session(agent, &ended, "").await;
        }
        Ok(recorded.value.is_some())
    }

    /// Clears an agent's shared run. False where the catalogue has no such agent.
    ///
    /// # Errors
    /// The store cannot be used.
    pub async fn clear_agent(&self, agent: &str) -> Result<bool, StoreError> {
        if !self.current().policy.catalogue().agents.contains_key(agent) {
            return Ok(false);
        }
        let (agent, now, gateway) = (agent.to_owned(), self.now(), self.clone());
        self.record(Durability::Durable, move |recording| {
            recording.transaction.clear_shared_run(&agent, now)?;
            let run = RunId::shared(&agent);
            recording.append(gateway.admin_entry(Some(&agent), Some(&run)), now)
        })
        .await?;
        Ok(true)
    }

    /// The run that a caller names, or its agent's shared run where it names none.
    ///
    /// # Errors
    /// No live run of this agent has the id.
    pub async fn run_for(&self, agent: &str, id: Option<&str>) -> Result<RunId, UnknownRun> {
        let Some(id) = id else {
            return Ok(RunId::shared(agent));
        };
        let (run, now) = (RunId::named(id), self.now());
        if run.is_shared() {
            return Err(UnknownRun);
        }
        let asked = run.clone();
        let found = self
            .transact(move |transaction| transaction.run(&asked))
            .await;
        let is_live =
            matches!(found, Ok(Some(found)) if found.agent == agent && found.is_live(now));
        if is_live { Ok(run) } else { Err(UnknownRun) }
    }

    /// How many named runs are live; none where the store cannot be used.
    pub async fn live_runs(&self) -> Option<u64> {
        let now = self.now();
        let count = self.transact(move |transaction| transaction.live_runs(now));
        count.await.ok()
    }

    fn admin_entry(&self, agent: Option<&str>, run: Option<&RunId>) -> Entry {
        Entry {
            agent: agent.map(str::to_owned),
            run: run.map(RunId::to_string),
            policy: Some(self.current().policy.hash().to_owned()),
            ..Entry::of(Kind::Admin)
        }
    }
}

//! Sessions (before 2026-07-28): each is bound to the token that opened it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::keys::TokenDigest;
use crate::mcp::wire::{Id, Version};
use crate::store::{Millis, RunId};

/// A session. It ends by `DELETE`, by being idle, or with its token.
pub(super) struct Session {
    pub id: String,
    pub agent: String,
    pub token: TokenDigest,
    /// The run that all its calls belong to, and the id that the client gave for it.
    pub run: RunId,
    pub named_run: Option<String>,
    pub version: Version,
    pub capabilities: String,
    pub can_be_asked: bool,
    /// Cancelled when it ends.
    pub ended: CancellationToken,
    /// Its calls in flight.
    pub calls: TaskTracker,
    last_used: AtomicI64,
    open: Mutex<Open>,
}

/// What is open in a session.
#[derive(Default)]
struct Open {
    /// Calls by the ids of their requests.
    calls: BTreeMap<Id, CancellationToken>,
    /// Questions by the ids of theirs.
    questions: BTreeMap<Id, oneshot::Sender<Option<String>>>,
    /// The number of the last question.
    asked: u64,
    /// Ends the stream of `GET`, of which there is one.
    stream: Option<CancellationToken>,
    /// How many such streams are open: one, and older ones that are ending.
    streams: usize,
}

/// What a session is opened with.
pub(super) struct NewSession {
    pub id: String,
    pub agent: String,
    pub token: TokenDigest,
    pub run: RunId,
    pub named_run: Option<String>,
    pub version: Version,
    pub capabilities: String,
    pub can_be_asked: bool,
}

impl Session {
    fn new(new: NewSession, now: Millis) -> Self {
        Self {
            id: new.id,
            agent: new.agent,
            token: new.token,
            run: new.run,
            named_run: new.named_run,
            version: new.version,
            capabilities: new.capabilities,
            can_be_asked: new.can_be_asked,
            ended: CancellationToken::new(),
            calls: TaskTracker::new(),
            last_used: AtomicI64::new(now),
            open: Mutex::new(Open::default()),
        }
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a call, and gives what cancels it; none where its id is in use, or too many are open.
    pub(super) fn begin_call(&self, id: &Id, most: usize) -> Option<CancellationToken> {
        let mut open = self.open();
        if open.calls.len() >= most || open.calls.contains_key(id) {
            return None;
        }
        let token = CancellationToken::new();
        open.calls.insert(id.clone(), token.clone());
        Some(token)
    }

    /// A call is over.
    pub(super) fn end_call(&self, id: &Id, now: Millis) {
        self.last_used.fetch_max(now, Ordering::Relaxed);
        self.open().calls.remove(id);
    }

    /// The client cancels a call; one that is over or never was is left alone.
    pub(super) fn cancel_call(&self, id: &Id) {
        if let Some(token) = self.open().calls.get(id) {
            token.cancel();
        }
    }

    /// A new question, open until it is dropped, and where its answer comes: the client's result,
    /// or none for an error.
    pub(super) fn ask(&self) -> (Asking<'_>, oneshot::Receiver<Option<String>>) {
        let (sender, receiver) = oneshot::channel();
        let mut open = self.open();
        open.asked += 1;
        let id = Id::of_string(&format!("stalwart-{}", open.asked));
        open.questions.insert(id.clone(), sender);
        (Asking { session: self, id }, receiver)
    }

    /// A client's answer. One to a question that is not open, or of another session, does nothing.
    pub(super) fn take_answer(&self, id: &Id, result: Option<String>) {
        let sender = self.open().questions.remove(id);
        if let Some(sender) = sender {
            // Nobody waits any more: a late answer does nothing.
            let _ = sender.send(result);
        }
    }

    /// Begins the stream of `GET`; an older one ends.
    pub(super) fn begin_stream(&self) -> CancellationToken {
        let token = self.ended.child_token();
        let mut open = self.open();
        open.streams += 1;
        if let Some(older) = open.stream.replace(token.clone()) {
            older.cancel();
        }
        token
    }

    /// A stream of `GET` is over.
    pub(super) fn end_stream(&self, now: Millis) {
        self.last_used.fetch_max(now, Ordering::Relaxed);
        let mut open = self.open();
        open.streams = open.streams.saturating_sub(1);
    }

    fn has_calls(&self) -> bool {
        !self.open().calls.is_empty()
    }

    fn has_stream(&self) -> bool {
        self.open().streams > 0
    }
}

/// A question that is open.
pub(super) struct Asking<'s> {
    session: &'s Session,
    pub id: Id,
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        self.session.open().questions.remove(&self.id);
    }
}

/// How many sessions there may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Most {
    pub of_all: usize,
    pub of_agent: usize,
}

/// All sessions, by their ids.
#[derive(Default)]
pub(super) struct Sessions {
    all: Mutex<BTreeMap<String, Arc<Session>>>,
}

impl Sessions {
    fn all(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Session>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many are open.
    pub(super) fn len(&self) -> usize {
        self.all().len()
    }

    /// Opens a session. Where the agent has as many as `most` says, or all agents together, that
    /// of the agent's which was used least lately and has no call in flight makes room, and is
    /// returned to be closed; none where all have.
    pub(super) fn open(
        &self,
        new: NewSession,
        most: Most,
        now: Millis,
    ) -> Option<(Arc<Session>, Option<Arc<Session>>)> {
        let mut all = self.all();
        let of_agent = || all.values().filter(|session| session.agent == new.agent);
        let mut evicted = None;
        if all.len() >= most.of_all || of_agent().count() >= most.of_agent {
            let oldest = of_agent()
                .filter(|session| !session.has_calls())
                .min_by_key(|session| session.last_used.load(Ordering::Relaxed))?
                .id
                .clone();
            evicted = all.remove(&oldest);
        }
        let session = Arc::new(Session::new(new, now));
        all.insert(session.id.clone(), Arc::clone(&session));
        Some((session, evicted))
    }

    /// The session of an id, where it is this agent's and was opened with this token.
    pub(super) fn find(
        &self,
        id: &str,
        agent: &str,
        token: &TokenDigest,
        now: Millis,
    ) -> Option<Arc<Session>> {
        let session = self.all().get(id).cloned()?;
        if session.agent != agent || !session.token.matches(token) {
            return None;
        }
        session.last_used.store(now, Ordering::Relaxed);
        Some(session)
    }

    /// Takes a session out.
    pub(super) fn remove(&self, id: &str) -> Option<Arc<Session>> {
        self.all().remove(id)
    }

    /// Takes out sessions that were idle since `before`, have no call in flight and no stream.
    pub(super) fn remove_idle(&self, before: Millis) -> Vec<Arc<Session>> {
        self.remove_where(|session| {
            let is_old = session.last_used.load(Ordering::Relaxed) < before;
            is_old && !session.has_calls() && !session.has_stream()
        })
    }

    /// Takes out sessions that a predicate chooses.
    pub(super) fn remove_where(&self, chosen: impl Fn(&Session) -> bool) -> Vec<Arc<Session>> {
        let mut all = self.all();
        let ids: Vec<String> = all
            .values()
            .filter(|session| chosen(session))
            .map(|session| session.id.clone())
            .collect();
        ids.iter().filter_map(|id| all.remove(id)).collect()
    }
}

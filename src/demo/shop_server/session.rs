//! Sessions of the old era, and the questions that are open in them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use tokio::sync::oneshot;

/// What is kept of sessions.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    opened: u64,
    live: BTreeSet<String>,
    /// Who waits for the response to a request of the shop's, by its id's text.
    waiting: BTreeMap<String, oneshot::Sender<String>>,
    /// Who waits for the cancel of a request of the client's, by its id's text.
    cancels: BTreeMap<String, oneshot::Sender<String>>,
    questions: u64,
}

impl Sessions {
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a session; its name.
    pub(super) fn open(&self) -> String {
        let mut state = self.state();
        state.opened += 1;
        let name = format!("shop-session-{}", state.opened);
        state.live.insert(name.clone());
        name
    }

    pub(super) fn is_live(&self, name: &str) -> bool {
        self.state().live.contains(name)
    }

    /// Ends a session; whether it was there.
    pub(super) fn end(&self, name: &str) -> bool {
        self.state().live.remove(name)
    }

    pub(super) fn forget(&self) {
        self.state().live.clear();
    }

    /// A new question: its id, and where the response will come.
    pub(super) fn ask(&self) -> (String, oneshot::Receiver<String>) {
        let (sender, receiver) = oneshot::channel();
        let mut state = self.state();
        state.questions += 1;
        let id = format!("\"shop-question-{}\"", state.questions);
        state.waiting.insert(id.clone(), sender);
        (id, receiver)
    }

    /// A response to a question.
    pub(super) fn respond(&self, id: &str, response: &str) {
        if let Some(sender) = self.state().waiting.remove(id) {
            // Who asked may have gone.
            let _ = sender.send(response.to_owned());
        }
    }

    /// Where the cancel of a request will come.
    pub(super) fn await_cancel(&self, id: &str) -> oneshot::Receiver<String> {
        let (sender, receiver) = oneshot::channel();
        self.state().cancels.insert(id.to_owned(), sender);
        receiver
    }

    /// A request is cancelled.
    pub(super) fn cancel(&self, id: &str) {
        if let Some(sender) = self.state().cancels.remove(id) {
            let _ = sender.send(id.to_owned());
        }
    }
}

//! The gateway core, usable in process: it checks a call, asks where a person must decide,
//! records, forwards, and records what became of it. It knows nothing of HTTP: agents come in
//! through [`CallRequest`], servers are reached through [`Servers`].
//!
//! A call goes `begin` -> (`answer`)* -> [`Reply`]. No lock is held over a question, a request to
//! the host, or a call to a server; what is decided is decided within one transaction of the
//! [store](crate::store), together with the lines of the [audit log](crate::audit).

mod attempt;
mod calls;
mod clock;
mod context;
mod deciding;
mod entries;
mod facts;
mod forwarding;
mod in_process;
mod listing;
mod recording;
mod refusing;
mod replaying;
mod request;
mod runs;
mod settings;
mod starting;
mod unfinished;
mod upstream;
mod waiting;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arc_swap::ArcSwap;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::audit;
use crate::keys::{KeyRing, Randomness};
use crate::store::{Millis, RunId, Store, StoreError};
use crate::tool_check::Policy;

pub use crate::tool_check::Answer;
pub use clock::{Clock, SystemClock};
pub use context::{ContextQuestion, ContextSource, ContextUnavailable, ContextValues};
pub use in_process::{Ask, Nobody, OpenError, Session};
pub use request::{
    CallRequest, Caller, Era, Lost, OpenQuestion, Progress, Refused, Reply, ReplyBody,
    UpstreamAnswers,
};
pub use runs::{RunError, UnknownRun};
pub use settings::{ServerSettings, Settings};
pub use starting::{Parts, StartError};
pub use upstream::{
    CallEnd, ForwardedCall, Relay, RelayError, ServerQuestion, Servers, ToolDefinition,
    Unavailable, UpstreamScope, UpstreamSession,
};

use unfinished::Unfinished;
use waiting::Waiting;

/// A gateway. Clones are the same gateway.
#[derive(Clone)]
pub struct Gateway {
    shared: Arc<Shared>,
}

/// What calls are judged by: read anew by a reload, and the same for one step of a call.
pub struct Current {
    /// The catalogue, ready to decide.
    pub policy: Policy,
    /// The keys.
    pub keys: Arc<KeyRing>,
    /// What the operator set.
    pub settings: Settings,
    /// The servers.
    pub servers: Arc<dyn Servers>,
    /// Where contexts come from.
    pub context: ContextValues,
}

struct Shared {
    current: ArcSwap<Current>,
    store: Arc<dyn Store>,
    /// Whose transaction is next.
    turn: Arc<tokio::sync::Mutex<()>>,
    log: audit::Log,
    clock: Arc<dyn Clock>,
    randomness: Arc<dyn Randomness>,
    tasks: TaskTracker,
    is_draining: AtomicBool,
    /// Questions that somebody waits for, and what ends the waiting.
    questions: Mutex<BTreeMap<String, CancellationToken>>,
    /// Calls that wait for answers to their server's question.
    waiting: Mutex<BTreeMap<u64, Waiting>>,
    unfinished: Arc<Unfinished>,
    /// Whether the store and the audit log took what they were last given.
    is_recording: AtomicBool,
}

/// A lock whose holder panicked guards whole values all the same: each change is one step.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Gateway {
    /// What calls are judged by now.
    pub fn current(&self) -> Arc<Current> {
        self.shared.current.load_full()
    }

    /// Now, by the gateway's clock.
    pub fn now(&self) -> Millis {
        self.shared.clock.now()
    }

    /// Whether new calls are refused since the gateway shuts down.
    pub fn is_draining(&self) -> bool {
        self.shared.is_draining.load(Ordering::Acquire)
    }

    /// Refuses new calls from now on, and waits until those in flight are over.
    pub async fn drain(&self) {
        self.shared.is_draining.store(true, Ordering::Release);
        self.shared.tasks.close();
        self.shared.tasks.wait().await;
    }

    /// Whether store and audit log took what they were last given: where not, no write is let
    /// through.
    pub fn is_recording(&self) -> bool {
        self.shared.is_recording.load(Ordering::Relaxed)
    }

    /// Closes what a session of the old era holds with servers.
    pub async fn close_session(&self, agent: &str, run: &RunId, session: &str) {
        let key = UpstreamScope::key_of(agent, run, session);
        self.current().servers.close(&key).await;
    }

    /// 128 random bits as 32 hexadecimal digits.
    fn new_id(&self) -> Result<String, StoreError> {
        let id = self.shared.randomness.id();
        id.map_err(|error| StoreError::Unusable(error.to_string()))
    }

    /// Notes that somebody waits for a question.
    fn register(&self, question: &str) -> CancellationToken {
        let token = CancellationToken::new();
        lock(&self.shared.questions).insert(question.to_owned(), token.clone());
        token
    }

    /// Ends the waiting for a question that is over.
    fn withdraw(&self, question: &str) {
        if let Some(token) = lock(&self.shared.questions).remove(question) {
            token.cancel();
        }
    }

    /// Forgets a question that was answered.
    fn forget(&self, question: &str) {
        lock(&self.shared.questions).remove(question);
    }

    fn waiting(&self) -> MutexGuard<'_, BTreeMap<u64, Waiting>> {
        lock(&self.shared.waiting)
    }
}

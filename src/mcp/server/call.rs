//! One `tools/call` on its way through the core, in either era.

use std::sync::Arc;

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::endpoint::{Authenticated, Counted, Endpoint};
use super::exchange::{BUFFER, Event};
use super::observer::Outcome;
use super::params::{CallParams, Meta};
use super::question::{ELICITATION, params_of};
use super::relay::{Asked, ClientRelay};
use super::session::Session;
use super::shape::{self, Final};
use super::state::{self, CONFIRM, NotPassed, State, Waits};
use crate::gateway::{
    Answer, CallRequest, Caller, Era, OpenQuestion, Progress, Refused, Relay, Reply, ReplyBody,
    UpstreamAnswers,
};
use crate::json::Members;
use crate::mcp::wire::{ErrorCode, Id, without_own_meta, write_text};
use crate::store::RunId;
use crate::tool_check::{Reason, confirm};

/// Why and how a call ended; none while it is asked about.
type Decided = Option<(Reason, Outcome)>;

/// A call that was read, and everything on its way back.
pub(super) struct Call {
    pub endpoint: Arc<Endpoint>,
    pub id: Id,
    pub request: CallRequest,
    pub params: CallParams,
    pub relay: Arc<ClientRelay>,
    /// Why it is refused before the core begins: the run is not known.
    pub unknown_run: bool,
    /// Counts it among its agent's calls in flight; none where there are too many.
    pub counted: Option<Counted>,
}

/// The channel of a call's events, and what tells of a client that is gone.
pub(super) struct Channel {
    pub sender: mpsc::Sender<Event>,
    pub receiver: mpsc::Receiver<Event>,
    pub gone: CancellationToken,
}

impl Channel {
    pub(super) fn new() -> Self {
        let (sender, receiver) = mpsc::channel(BUFFER);
        Self {
            sender,
            receiver,
            gone: CancellationToken::new(),
        }
    }
}

/// The request to the core of a call that was read.
pub(super) fn request_of(caller: Caller, params: &CallParams, meta: &Meta) -> CallRequest {
    CallRequest {
        caller,
        tool: params.name.clone(),
        arguments: params.arguments.clone(),
        meta: meta.foreign.clone(),
        idempotency_key: meta.idempotency_key.clone().filter(|_| meta.has_good_key()),
        upstream_answers: None,
    }
}

impl Call {
    /// Answers the call: runs it to its end and sends the response.
    pub(super) async fn run(self) {
        let endpoint = Arc::clone(&self.endpoint);
        let began = endpoint.now();
        let (last, decided) = self.outcome().await;
        let took = endpoint.now().saturating_sub(began).max(0);
        if let Some((reason, outcome)) = decided {
            let agent = &self.request.caller.agent;
            let tool = &self.request.tool;
            // Names that strangers make up must not fill the metrics.
            let tool = self.is_known_tool().then_some(tool.as_str());
            endpoint
                .observer
                .decided(agent, tool, reason, outcome, took);
        }
        // A client that is gone gets no answer; what became of its call is recorded.
        let _ = self.relay.events.send(Event::End(last)).await;
    }

    fn era(&self) -> Era {
        self.request.caller.era
    }

    /// The response and, where it ends the call, why and how.
    async fn outcome(&self) -> (Final, Decided) {
        let relay: Arc<dyn Relay> = Arc::<ClientRelay>::clone(&self.relay);
        let progress = match self.before_the_core() {
            Some((Reason::InvalidArguments, text)) if self.params.has_task => {
                return self.refuse_task(text).await;
            }
            Some((reason, text)) => Progress::Done(self.refuse(reason, text).await),
            None => self.first_step(&relay).await,
        };
        let reply = match self.relay.session.clone() {
            Some(session) => self.ask_on_stream(progress, &session, &relay).await,
            None => match progress {
                Progress::Done(reply) => reply,
                Progress::Asking(question) => {
                    return (self.input_required(&question), None);
                }
            },
        };
        self.finish(reply).await
    }

    /// A call that wants to be a task: the params are wrong, and the decision says so.
    async fn refuse_task(&self, text: &str) -> (Final, Decided) {
        let reply = self.refuse(Reason::InvalidArguments, text).await;
        let last = shape::invalid_params(&reply, &self.id, self.era(), text);
        (last, Some((reply.reason, Outcome::Refused)))
    }

    /// What the endpoint itself refuses.
    fn before_the_core(&self) -> Option<(Reason, &'static str)> {
        if self.unknown_run {
            return Some((
                Reason::UnknownRun,
                "no live run of this agent has the id that was given",
            ));
        }
        let refusal = if self.params.has_task {
            let text = "calls as tasks are not served; call the tool without `task`";
            (Reason::InvalidArguments, text)
        } else if self.params.has_bad_key {
            let text = "the idempotency key is not 1 to 128 visible ASCII characters";
            (Reason::InvalidArguments, text)
        } else if self.params.has_other_arguments {
            (Reason::InvalidArguments, "`arguments` is no object")
        } else if self.counted.is_none() {
            let text = "the agent has too many calls in flight; call again when one is over";
            (Reason::Limit, text)
        } else {
            return None;
        };
        // The catalogue comes first: what is wrong with a call of a tool says that there is one.
        match self.is_known_tool() {
            true => Some(refusal),
            false => Some((Reason::UnknownTool, "there is no such tool")),
        }
    }

    fn is_known_tool(&self) -> bool {
        let agent = &self.request.caller.agent;
        let core = &self.endpoint.core;
        core.input_schema(agent, &self.request.tool).is_some()
    }

    async fn refuse(&self, reason: Reason, text: &str) -> Reply {
        let core = &self.endpoint.core;
        core.refuse(&self.request, reason, text).await
    }

    /// Begins a call, or goes on with the one that a sealed state names.
    async fn first_step(&self, relay: &Arc<dyn Relay>) -> Progress {
        let core = &self.endpoint.core;
        let caller = &self.request.caller;
        let mut request = self.request.clone();
        let sealed = match (&self.params.request_state, caller.era) {
            (Some(sealed), Era::Stateless) => sealed,
            _ => return core.begin(&request, relay).await,
        };
        let state = State::open(&self.endpoint.keys(), sealed).filter(|state| {
            state.agent == caller.agent
                && state.run == caller.run.as_str()
                && state.tool == self.request.tool
        });
        let responses = self.params.input_responses.as_deref();
        match state.map(|state| state.waits) {
            Some(Waits::Person { question, .. }) => {
                let members = responses.and_then(|responses| Members::read(responses).ok()?);
                let response = members.and_then(|members| members.get(CONFIRM));
                let answer = response.map_or(Answer::Unusable, confirm::answer);
                core.answer(&request, &question, answer, relay).await
            }
            Some(Waits::Server { call, round, state }) => {
                request.upstream_answers = Some(UpstreamAnswers {
                    responses: state::responses_to_server(responses),
                    state,
                });
                core.resume(&request, call, &round, relay).await
            }
            _ => {
                let text = "`requestState` was not given for this call";
                Progress::Done(self.refuse(Reason::InvalidState, text).await)
            }
        }
    }

    /// Asks on the call's stream, until the call is over.
    async fn ask_on_stream(
        &self,
        mut progress: Progress,
        session: &Session,
        relay: &Arc<dyn Relay>,
    ) -> Reply {
        loop {
            let question = match progress {
                Progress::Done(reply) => return reply,
                Progress::Asking(question) => question,
            };
            let began = self.endpoint.now();
            self.endpoint.observer.asked();
            self.endpoint.observer.opened();
            let answer = self.ask(&question, session).await;
            let took = self.endpoint.now().saturating_sub(began).max(0);
            self.endpoint.observer.answered(took);
            let core = &self.endpoint.core;
            progress = core
                .answer(&self.request, &question.id, answer, relay)
                .await;
        }
    }

    async fn ask(&self, question: &OpenQuestion, session: &Session) -> Answer {
        let mut told = 0_u32;
        let between = || {
            // So little that the server's own progress, which comes behind, is always more.
            told += 1;
            if let Some(token) = &self.relay.progress_token {
                let params = format!(
                    "{{\"progressToken\":{token},\"progress\":0.{told:06},\
                     \"message\":\"waiting for an answer\"}}"
                );
                self.relay.tell("notifications/progress", &params);
            }
        };
        let params = params_of(&question.text, false);
        let every = self.endpoint.settings.keep_alive;
        let asked = self
            .relay
            .request(session, ELICITATION, &params, every, between);
        let asked = tokio::select! {
            biased;
            () = question.withdrawn.cancelled() => return Answer::Cancelled,
            asked = asked => asked,
        };
        match asked {
            Asked::Result(result) => confirm::answer(&result),
            Asked::Error => Answer::Unusable,
            Asked::Cancelled => Answer::Cancelled,
            Asked::Gone => Answer::Gone,
            Asked::TimedOut => Answer::TimedOut,
        }
    }

    /// The result that asks (new era).
    fn input_required(&self, question: &OpenQuestion) -> Final {
        self.endpoint.observer.asked();
        let state = self.state(Waits::Person {
            question: question.id.clone(),
            digest: question.digest.clone(),
            shown: state::hash_of(&question.text),
        });
        let requests = format!(
            "{{\"{CONFIRM}\":{{\"method\":\"{ELICITATION}\",\"params\":{}}}}}",
            params_of(&question.text, true)
        );
        self.sealed_result("{}", &requests, &state)
    }

    fn state(&self, waits: Waits) -> State {
        let caller = &self.request.caller;
        State {
            agent: caller.agent.clone(),
            run: caller.run.as_str().to_owned(),
            tool: self.request.tool.clone(),
            waits,
        }
    }

    /// An `input_required` result: `result`'s other members, the questions, and the sealed state.
    fn sealed_result(&self, result: &str, requests: &str, state: &State) -> Final {
        let sealed = state.seal(&self.endpoint.keys(), &*self.endpoint.randomness);
        let members = Members::read(result).ok().flatten();
        let (Ok(sealed), Some(members)) = (sealed, members) else {
            let text = "the gateway cannot seal the state of the call";
            let id = Some(&self.id);
            return Final::error(id, self.era(), ErrorCode::Internal, text, None);
        };
        let own = ["resultType", "inputRequests", "requestState"];
        let result = members.edited(
            |key| own.contains(&key),
            &[
                ("resultType", "\"input_required\""),
                ("inputRequests", requests),
                ("requestState", &write_text(&sealed)),
            ],
        );
        Final::result(&self.id, &result)
    }

    /// The response to a call that is over, or that its server asks about.
    async fn finish(&self, reply: Reply) -> (Final, Decided) {
        if let ReplyBody::InputRequired { json, call, round } = &reply.body {
            return match self.question_of_server(&reply, json, *call, round) {
                Ok(asked) => asked,
                Err(refused) => {
                    self.endpoint.core.abandon(*call).await;
                    self.ended(&refused)
                }
            };
        }
        self.ended(&reply)
    }

    /// The server's question as the client gets it, or why it does not get it.
    fn question_of_server(
        &self,
        reply: &Reply,
        result: &str,
        call: u64,
        round: &str,
    ) -> Result<(Final, Decided), Box<Reply>> {
        if self.era() == Era::Session {
            return Err(not_passed(
                reply,
                Reason::ConfirmationUnavailable,
                "the tool's server asks for input in a way that this client's version of the \
                 protocol does not have",
            ));
        }
        let caller = &self.request.caller;
        let passed = state::wrapped(result, &self.relay.server, &caller.capabilities);
        let (requests, state) = passed.map_err(|why| match why {
            NotPassed::Capability => not_passed(
                reply,
                Reason::ConfirmationUnavailable,
                "the tool's server asks for input, and the client cannot be asked so",
            ),
            NotPassed::Method => not_passed(
                reply,
                Reason::Policy,
                "the tool's server asks the client for something that this gateway does not pass on",
            ),
        })?;
        let state = self.state(Waits::Server {
            call,
            round: round.to_owned(),
            state,
        });
        let result = without_own_meta(result);
        let last = self.sealed_result(&result, &requests, &state);
        Ok((last, Some((reply.reason, Outcome::InputRequired))))
    }

    fn ended(&self, reply: &Reply) -> (Final, Decided) {
        let (last, outcome) = shape::of_reply(reply, &self.id, self.era(), &self.request.tool);
        (last, Some((reply.reason, outcome)))
    }
}

/// A reply in place of a server's question that is not passed on.
fn not_passed(reply: &Reply, reason: Reason, text: &str) -> Box<Reply> {
    Box::new(Reply {
        body: ReplyBody::Refused(Refused {
            text: text.to_owned(),
            rule: None,
            marks: Default::default(),
        }),
        reason,
        decision: reply.decision.clone(),
        run: reply.run.clone(),
    })
}

/// The run that a call is refused in whose own is not known.
pub(super) fn unknown_run() -> RunId {
    RunId::named("unknown")
}

/// The relay of a call.
pub(super) fn relay_of(
    endpoint: &Endpoint,
    channel: &Channel,
    session: Option<Arc<Session>>,
    cancelled: CancellationToken,
    meta: &Meta,
    tool: &str,
) -> Arc<ClientRelay> {
    Arc::new(ClientRelay {
        events: channel.sender.clone(),
        session,
        gone: channel.gone.clone(),
        cancelled,
        progress_token: meta.progress_token.clone(),
        server: endpoint
            .core
            .server_of(tool)
            .unwrap_or_else(|| "the server".to_owned()),
        question_timeout: endpoint.settings.elicitation_timeout,
    })
}

/// Who makes a call in a session.
pub(super) fn caller_in(session: &Session) -> Caller {
    Caller {
        agent: session.agent.clone(),
        run: session.run.clone(),
        session: Some(session.id.clone()),
        era: Era::Session,
        capabilities: session.capabilities.clone(),
        can_be_asked: session.can_be_asked,
    }
}

/// Who makes a call without one.
pub(super) fn caller_without(
    who: &Authenticated,
    run: RunId,
    capabilities: String,
    can_be_asked: bool,
) -> Caller {
    Caller {
        agent: who.agent.clone(),
        run,
        session: None,
        era: Era::Stateless,
        capabilities,
        can_be_asked,
    }
}

//! A core that does what the name of a tool says, and remembers what it was asked.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use stalwart::gateway::{
    Answer, CallRequest, Caller, Era, Lost, OpenQuestion, Progress, Refused, Relay, Reply,
    ReplyBody, RunError, ServerQuestion, UnknownRun,
};
use stalwart::mcp::server::Core;
use stalwart::store::{CallState, RunId};
use stalwart::tool_check::Reason;
use tokio_util::sync::CancellationToken;

/// A named run of `desk`.
pub const RUN: &str = "00112233445566778899aabbccddeeff";

#[derive(Default)]
pub struct Scripted {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// What happened, in order.
    log: Vec<String>,
    requests: Vec<CallRequest>,
    questions: BTreeMap<String, Question>,
    is_draining: bool,
}

struct Question {
    request: CallRequest,
    is_open: bool,
    repeats: u32,
}

impl Scripted {
    pub fn log(&self) -> Vec<String> {
        self.state.lock().unwrap().log.clone()
    }

    pub fn requests(&self) -> Vec<CallRequest> {
        self.state.lock().unwrap().requests.clone()
    }

    /// Waits until something happened.
    pub async fn saw(&self, line: &str) {
        for _ in 0..200 {
            if self.log().iter().any(|it| it == line) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("`{line}` did not happen: {:?}", self.log());
    }

    fn note(&self, line: String) {
        self.state.lock().unwrap().log.push(line);
    }

    fn done(&self, request: &CallRequest, reason: Reason, body: ReplyBody) -> Progress {
        let line = format!("decided {} {}", request.tool, reason.as_str());
        self.note(line);
        Progress::Done(Reply {
            body,
            reason,
            decision: "d1".to_owned(),
            run: request.caller.run.clone(),
        })
    }

    fn refused(&self, request: &CallRequest, reason: Reason, text: &str) -> Progress {
        let refused = Refused {
            text: text.to_owned(),
            rule: None,
            marks: Default::default(),
        };
        self.done(request, reason, ReplyBody::Refused(refused))
    }

    fn ran(&self, request: &CallRequest, reason: Reason) -> Progress {
        let arguments = request.arguments.clone().unwrap_or_else(|| "{}".to_owned());
        let text = json!(arguments).to_string();
        let result =
            format!("{{\"content\": [{{\"type\":\"text\",\"text\":{text}}}],  \"vendor\":1.0}}");
        self.done(request, reason, ReplyBody::Result(result))
    }

    fn ask(&self, request: &CallRequest, repeats: u32) -> Progress {
        let mut state = self.state.lock().unwrap();
        let id = format!("q{}", state.questions.len() + 1);
        state.log.push(format!("asked {id}"));
        let question = Question {
            request: request.clone(),
            is_open: true,
            repeats,
        };
        state.questions.insert(id.clone(), question);
        Progress::Asking(OpenQuestion {
            id,
            text: format!("Run {}?", request.tool),
            decision: "d1".to_owned(),
            expires: i64::MAX,
            digest: request.arguments.clone().unwrap_or_default(),
            withdrawn: CancellationToken::new(),
        })
    }

    async fn step(&self, request: &CallRequest, relay: &Arc<dyn Relay>) -> Progress {
        if self.state.lock().unwrap().is_draining {
            return self.refused(request, Reason::Draining, "the gateway is shutting down");
        }
        match request.tool.as_str() {
            "charge_card" if request.caller.can_be_asked => self.ask(request, 0),
            "charge_card" => self.refused(
                request,
                Reason::ConfirmationUnavailable,
                "a person has to confirm this call",
            ),
            "get_order" => self.ran(request, Reason::Allow),
            "odd" => self.done(
                request,
                Reason::Replayed,
                ReplyBody::Result(
                    "{\"resultType\":\"complete\",\"content\":[],\"_meta\":{\"stalwart\":1,\
                     \"approval_status\":\"x\",\"dev.stalwart/reason\":\"allow\",\"mine\":2}}"
                        .to_owned(),
                ),
            ),
            "fails" => self.done(
                request,
                Reason::Allow,
                ReplyBody::Error(
                    "{\"code\":-32099,\"message\":\"no\",\"data\":{\"stalwart\":{\"refused\":\
                     \"declined\"},\"x\":1}}"
                        .to_owned(),
                ),
            ),
            "slow" => {
                self.note("slow began".to_owned());
                let cancellation = relay.cancellation();
                tokio::select! {
                    () = cancellation.cancelled() => {
                        self.refused(request, Reason::Cancelled, "cancelled")
                    }
                    () = tokio::time::sleep(Duration::from_millis(400)) => {
                        self.ran(request, Reason::Allow)
                    }
                }
            }
            "tells" => {
                let progress = "{\"progressToken\":\"theirs\",\"progress\":1}";
                relay.notify("notifications/progress", progress).await;
                let message = "{\"level\":\"info\",\n\"data\":\"hello\"}";
                relay.notify("notifications/message", message).await;
                relay.notify("notifications/other", "{}").await;
                self.ran(request, Reason::Allow)
            }
            "asks" => {
                let question = ServerQuestion {
                    method: "elicitation/create".to_owned(),
                    params: "{\"message\":\"Sure?\",\"requestedSchema\":{\"type\":\"object\",\
                             \"properties\":{}}}"
                        .to_owned(),
                };
                let answer = relay.ask(question).await;
                let text = json!(format!("{answer:?}")).to_string();
                let result = format!("{{\"content\":[{{\"type\":\"text\",\"text\":{text}}}]}}");
                self.done(request, Reason::Allow, ReplyBody::Result(result))
            }
            "needs_input" => {
                let json = "{\"resultType\":\"input_required\",\"inputRequests\":{\"who\":{\
                            \"method\":\"elicitation/create\",\"params\":{\"mode\":\"form\",\
                            \"message\":\"Who?\",\"requestedSchema\":{\"type\":\"object\",\
                            \"properties\":{}}}}},\"requestState\":\"theirs\"}";
                let body = ReplyBody::InputRequired {
                    json: json.to_owned(),
                    call: 7,
                    round: request.arguments.clone().unwrap_or_default(),
                };
                self.done(request, Reason::Allow, body)
            }
            "lost" => {
                let lost = Lost {
                    text: "nobody knows whether it happened".to_owned(),
                    outcome: CallState::Ambiguous,
                };
                self.done(request, Reason::Confirmed, ReplyBody::Lost(lost))
            }
            "panics" => panic!("on purpose"),
            _ => self.refused(request, Reason::UnknownTool, "Unknown tool"),
        }
    }

    fn answered(&self, request: &CallRequest, id: &str, answer: Answer) -> Progress {
        self.note(format!("answered {id} {answer:?}"));
        let (is_same, was_open, repeats) = {
            let mut state = self.state.lock().unwrap();
            let question = state.questions.get_mut(id).expect("a question");
            let first = &question.request;
            let is_same = first.caller.agent == request.caller.agent
                && first.caller.run == request.caller.run
                && first.tool == request.tool
                && first.arguments == request.arguments;
            let was_open = question.is_open;
            question.is_open &= !is_same;
            (is_same, was_open, question.repeats)
        };
        match answer {
            _ if !is_same => self.refused(request, Reason::InvalidState, "of another call"),
            _ if !was_open => self.ran(request, Reason::Replayed),
            Answer::Yes => self.ran(request, Reason::Confirmed),
            Answer::No => self.refused(request, Reason::Declined, "the person said no"),
            Answer::Cancelled => self.refused(request, Reason::Cancelled, "called off"),
            Answer::Unusable if repeats == 0 => self.ask(request, 1),
            Answer::Unusable => self.refused(request, Reason::Cancelled, "no usable answer"),
            Answer::TimedOut => self.refused(request, Reason::ConfirmationTimeout, "too late"),
            Answer::Gone => self.refused(request, Reason::ClientGone, "gone"),
        }
    }
}

impl Core for Scripted {
    fn begin<'a>(
        &'a self,
        request: &'a CallRequest,
        relay: &'a Arc<dyn Relay>,
    ) -> BoxFuture<'a, Progress> {
        self.state.lock().unwrap().requests.push(request.clone());
        self.step(request, relay).boxed()
    }

    fn answer<'a>(
        &'a self,
        request: &'a CallRequest,
        question: &'a str,
        answer: Answer,
        _: &'a Arc<dyn Relay>,
    ) -> BoxFuture<'a, Progress> {
        self.state.lock().unwrap().requests.push(request.clone());
        std::future::ready(self.answered(request, question, answer)).boxed()
    }

    fn resume<'a>(
        &'a self,
        request: &'a CallRequest,
        call: u64,
        round: &'a str,
        _: &'a Arc<dyn Relay>,
    ) -> BoxFuture<'a, Progress> {
        self.state.lock().unwrap().requests.push(request.clone());
        let is_same = call == 7 && request.arguments.as_deref() == Some(round);
        let progress = if is_same {
            self.ran(request, Reason::Allow)
        } else {
            self.refused(request, Reason::InvalidState, "of another call")
        };
        std::future::ready(progress).boxed()
    }

    fn abandon(&self, call: u64) -> BoxFuture<'_, ()> {
        self.note(format!("abandoned {call}"));
        std::future::ready(()).boxed()
    }

    fn replay_of<'a>(&'a self, request: &'a CallRequest, _: &'a str) -> BoxFuture<'a, Reply> {
        self.refuse(request, Reason::InProgress, "not finished")
    }

    fn refuse<'a>(
        &'a self,
        request: &'a CallRequest,
        reason: Reason,
        text: &'a str,
    ) -> BoxFuture<'a, Reply> {
        let Progress::Done(reply) = self.refused(request, reason, text) else {
            panic!("a refusal is over")
        };
        std::future::ready(reply).boxed()
    }

    fn tools_list<'a>(&'a self, caller: &'a Caller) -> BoxFuture<'a, Vec<String>> {
        let tools = match caller.agent.as_str() {
            "desk" => vec![
                "{\"name\":\"charge_card\", \"x\":1}",
                "{\"name\":\"get_order\"}",
            ],
            _ => vec!["{\"name\":\"refund_card\"}"],
        };
        let tools = tools.into_iter().map(str::to_owned).collect();
        std::future::ready(tools).boxed()
    }

    fn run_for<'a>(
        &'a self,
        agent: &'a str,
        id: Option<&'a str>,
    ) -> BoxFuture<'a, Result<RunId, UnknownRun>> {
        let run = match id {
            None => Ok(RunId::shared(agent)),
            Some(RUN) if agent == "desk" => Ok(RunId::named(RUN)),
            Some(_) => Err(UnknownRun),
        };
        std::future::ready(run).boxed()
    }

    fn session_closed<'a>(&'a self, _: &'a str, _: &'a RunId, _: &'a str) -> BoxFuture<'a, ()> {
        self.note("session closed".to_owned());
        std::future::ready(()).boxed()
    }

    fn server_of(&self, _: &str) -> Option<String> {
        Some("shop".to_owned())
    }

    fn input_schema(&self, _: &str, tool: &str) -> Option<Arc<Value>> {
        let schema = match tool {
            "get_order" => json!({"type": "object", "properties": {
                "tenant": {"type": "string", "x-mcp-header": "Tenant"},
                "page": {"type": "integer", "x-mcp-header": "Page"},
            }}),
            "charge_card" | "slow" => json!({"type": "object"}),
            _ => return None,
        };
        Some(Arc::new(schema))
    }

    fn mint_run<'a>(
        &'a self,
        agent: &'a str,
        subject: Option<&'a str>,
        parent: Option<&'a str>,
    ) -> BoxFuture<'a, Result<RunId, RunError>> {
        self.note(format!("minted {agent} {subject:?} {parent:?}"));
        let run = match (agent, parent) {
            ("desk", None) => Ok(RunId::named(RUN)),
            ("desk", Some(_)) => Err(RunError::NoHandOff),
            ("full", _) => Err(RunError::TooMany),
            _ => Err(RunError::UnknownAgent),
        };
        std::future::ready(run).boxed()
    }

    fn end_run<'a>(&'a self, id: &'a str) -> BoxFuture<'a, bool> {
        self.note(format!("ended {id}"));
        std::future::ready(id == RUN).boxed()
    }

    fn clear_agent<'a>(&'a self, agent: &'a str) -> BoxFuture<'a, bool> {
        std::future::ready(agent == "desk").boxed()
    }

    fn live_runs(&self) -> BoxFuture<'_, Option<u64>> {
        std::future::ready(Some(7)).boxed()
    }

    fn drain(&self) -> BoxFuture<'_, ()> {
        self.state.lock().unwrap().is_draining = true;
        std::future::ready(()).boxed()
    }
}

/// The eras, so that a table can name them.
pub const ERAS: [Era; 2] = [Era::Session, Era::Stateless];

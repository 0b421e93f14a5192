//! What must hold whatever agents do: random calls, answers, runs and hand-offs in both eras,
//! through the whole gateway, beside a model that is as plain as the contract.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use serde_json::json;
use stalwart::gateway::{
    Answer, CallEnd, CallRequest, Caller, Era, Progress, Reply, ReplyBody, Unavailable,
};
use stalwart::store::{CallState, RunId};
use stalwart::tool_check::Reason;

use crate::harness::{Bench, Plan, deaf};

const TOOLS: [&str; 6] = [
    "charge_card",
    "get_order",
    "read_inbox",
    "send_receipt",
    "refund_card",
    "no_such_tool",
];

/// What somebody does.
#[derive(Clone, Debug)]
enum Act {
    /// Calls a tool: by agent, run (none: the shared one), session (none: new era), amount.
    Call {
        billing: bool,
        run: Option<usize>,
        session: Option<u8>,
        tool: usize,
        amount: u8,
        asks: bool,
        key: Option<u8>,
    },
    /// Answers an open question, perhaps with other arguments.
    Answer {
        question: usize,
        answer: Answer,
        altered: bool,
    },
    Mint {
        billing: bool,
        parent: Option<usize>,
    },
    End(usize),
    /// Time passes, in minutes.
    Wait(u16),
    /// What the next forwarded call comes to.
    Next(u8),
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let call = (
        prop::bool::weighted(0.25),
        prop::option::weighted(0.6, 0_usize..4),
        prop::option::weighted(0.6, 0_u8..3),
        0..TOOLS.len(),
        0_u8..3,
        prop::bool::weighted(0.85),
        prop::option::weighted(0.2, 0_u8..2),
    )
        .prop_map(
            |(billing, run, session, tool, amount, asks, key)| Act::Call {
                billing,
                run,
                session,
                tool,
                amount,
                asks,
                key,
            },
        );
    let answer = prop_oneof![
        6 => Just(Answer::Yes),
        1 => Just(Answer::No),
        1 => Just(Answer::Cancelled),
        1 => Just(Answer::Unusable),
        1 => Just(Answer::Gone),
    ];
    let answer =
        (0_usize..8, answer, prop::bool::weighted(0.1)).prop_map(|(question, answer, altered)| {
            Act::Answer {
                question,
                answer,
                altered,
            }
        });
    let mint = (any::<bool>(), prop::option::of(0_usize..4))
        .prop_map(|(billing, parent)| Act::Mint { billing, parent });
    let act = prop_oneof![
        10 => call,
        8 => answer,
        2 => mint,
        1 => (0_usize..4).prop_map(Act::End),
        1 => (1_u16..700).prop_map(Act::Wait),
        2 => (0_u8..4).prop_map(Act::Next),
    ];
    prop::collection::vec(act, 1..60)
}

/// A call that was forwarded, as the model keeps it.
#[derive(Clone, Debug)]
struct Forwarded {
    agent: String,
    run: RunId,
    session: Option<String>,
    tool: String,
    state: CallState,
    /// The shared runs that had been cleared before do not count it.
    cleared: bool,
}

#[derive(Default)]
struct Model {
    runs: Vec<(RunId, String, Option<RunId>)>,
    ended: BTreeSet<RunId>,
    forwarded: Vec<Forwarded>,
    /// Open questions: the request, the id, what was shown.
    open: Vec<(CallRequest, String, String)>,
    /// Questions that were shown, by id, and whether a yes was given to each.
    yes: BTreeMap<String, u32>,
    /// How many calls were forwarded when billing's shared run was last cleared.
    cleared_billing: usize,
    minutes: i64,
    last_call: BTreeMap<String, i64>,
}

impl Model {
    /// The marks of a run that must be there: those of its tree, or, of a shared run, its own.
    fn least_marks(&self, run: &RunId) -> bool {
        let root = self.root(run);
        let is_in_tree =
            |other: &RunId| other == run || (!run.is_shared() && self.root(other) == root);
        self.forwarded
            .iter()
            .any(|call| call.tool == "read_inbox" && !call.cleared && is_in_tree(&call.run))
            || (*run == RunId::shared("billing")
                && self
                    .forwarded
                    .iter()
                    .skip(self.cleared_billing)
                    .any(|call| call.tool == "read_inbox" && call.agent == "desk"))
    }

    fn root(&self, run: &RunId) -> RunId {
        let mut root = run.clone();
        while let Some((_, _, Some(parent))) = self.runs.iter().find(|(id, _, _)| *id == root) {
            root = parent.clone();
        }
        root
    }

    /// Calls of a tool in a run that count.
    fn count(&self, run: &RunId, tool: &str) -> usize {
        let counts = |call: &&Forwarded| {
            call.run == *run
                && call.tool == tool
                && call.state != CallState::NotForwarded
                && !call.cleared
        };
        self.forwarded.iter().filter(counts).count()
    }

    fn has_succeeded(&self, run: &RunId, session: Option<&str>, tool: &str) -> bool {
        self.forwarded.iter().any(|call| {
            call.run == *run
                && call.tool == tool
                && call.state == CallState::Ok
                && !call.cleared
                && (!run.is_shared() || session.is_some() && call.session.as_deref() == session)
        })
    }
}

struct World {
    bench: Bench,
    model: Model,
}

impl World {
    fn request(&self, act: &Act) -> Option<CallRequest> {
        let Act::Call {
            billing,
            run,
            session,
            tool,
            amount,
            asks,
            key,
        } = act
        else {
            return None;
        };
        let agent = if *billing { "billing" } else { "desk" };
        let named = run.and_then(|index| self.model.runs.get(index));
        let run = named.map_or_else(|| RunId::shared(agent), |(id, _, _)| id.clone());
        Some(CallRequest {
            caller: Caller {
                agent: agent.to_owned(),
                run,
                session: session.map(|session| format!("{agent}-{session}")),
                era: match session {
                    Some(_) => Era::Session,
                    None => Era::Stateless,
                },
                capabilities: "{}".to_owned(),
                can_be_asked: *asks,
            },
            tool: TOOLS[*tool].to_owned(),
            arguments: Some(json!({"order_id": "1", "amount": amount}).to_string()),
            meta: None,
            idempotency_key: key.map(|key| format!("key-{key}")),
            upstream_answers: None,
        })
    }

    /// Notes how far a call came, and judges it.
    fn judge(&mut self, request: &CallRequest, progress: Progress, yes_to: Option<&str>) {
        let before = self.model.forwarded.len();
        match progress {
            Progress::Asking(question) => {
                assert!(request.caller.can_be_asked);
                if self.model.least_marks(&request.caller.run) {
                    assert!(
                        question
                            .text
                            .contains("after reading read_inbox from outside"),
                        "a mark is gone: {}",
                        question.text
                    );
                }
                let arguments = request.arguments.clone();
                // A newer question of the same call takes the place of the older.
                self.model.open.retain(|(other, _, _)| {
                    (&other.caller.run, &other.tool, &other.arguments)
                        != (&request.caller.run, &request.tool, &arguments)
                });
                self.model
                    .open
                    .push((request.clone(), question.id, question.text));
            }
            Progress::Done(reply) => {
                if is_forwarded(&reply) {
                    self.forwarded(request, &reply, yes_to);
                }
            }
        }
        let received = self.bench.server.received.lock().unwrap().len();
        assert_eq!(
            received,
            self.model.forwarded.len(),
            "what was refused was forwarded, or the other way round"
        );
        assert!(self.model.forwarded.len() <= before + 1);
    }

    /// Judges a call that was let through by the plain rules.
    fn forwarded(&mut self, request: &CallRequest, reply: &Reply, yes_to: Option<&str>) {
        let (caller, tool) = (&request.caller, request.tool.as_str());
        let of_desk = ["charge_card", "get_order", "read_inbox", "send_receipt"];
        match caller.agent.as_str() {
            "desk" => assert!(of_desk.contains(&tool)),
            _ => assert_eq!(tool, "refund_card"),
        }
        let known = self.model.runs.iter().find(|(id, _, _)| *id == caller.run);
        match known {
            Some((id, agent, _)) => {
                assert_eq!(*agent, caller.agent, "another agent's run");
                assert!(!self.model.ended.contains(id), "an ended run");
            }
            None => assert_eq!(caller.run, RunId::shared(&caller.agent)),
        }
        if tool == "charge_card" {
            assert!(self.model.count(&caller.run, tool) < 3, "a fourth charge");
        }
        if tool == "send_receipt" {
            let session = caller.session.as_deref();
            assert!(
                self.model
                    .has_succeeded(&caller.run, session, "charge_card"),
                "a receipt before its charge"
            );
        }
        let is_marked = self.model.least_marks(&caller.run);
        let asks =
            ["charge_card", "refund_card"].contains(&tool) || (is_marked && tool == "send_receipt");
        if asks {
            let shown = yes_to.expect("nobody said yes to a write");
            assert_eq!(reply.reason, Reason::Confirmed);
            assert!(shown.contains(&format!("Tool: {tool}\n")), "{shown}");
            if is_marked {
                assert!(
                    shown.contains("read_inbox"),
                    "a mark was not shown: {shown}"
                );
            }
            let amount = stalwart::json::parse(request.arguments.as_deref().unwrap().as_bytes())
                .unwrap()["amount"]
                .to_string();
            assert!(shown.contains(&format!("\"amount\": {amount}")), "{shown}");
        }
        let state = match &reply.body {
            ReplyBody::Result(json) if json.contains("\"isError\":true") => CallState::Error,
            ReplyBody::Result(_) => CallState::Ok,
            ReplyBody::Lost(lost) => lost.outcome,
            ReplyBody::Error(_) => CallState::Error,
            other => panic!("{other:?}"),
        };
        self.model.forwarded.push(Forwarded {
            agent: caller.agent.clone(),
            run: caller.run.clone(),
            session: caller.session.clone(),
            tool: tool.to_owned(),
            state,
            cleared: false,
        });
    }

    fn touch(&mut self, agent: &str) {
        let last = self
            .model
            .last_call
            .insert(agent.to_owned(), self.model.minutes);
        if last.is_some_and(|last| last + 8 * 60 <= self.model.minutes) {
            let shared = RunId::shared(agent);
            if agent == "billing" {
                self.model.cleared_billing = self.model.forwarded.len();
            }
            for call in &mut self.model.forwarded {
                if call.run == shared {
                    call.cleared = true;
                }
            }
        }
    }

    async fn act(&mut self, act: &Act) {
        match act {
            Act::Call { .. } => {
                let request = self.request(act).unwrap();
                let agent = request.caller.agent.clone();
                self.touch(&agent);
                let progress = self.bench.gateway.begin(&request, &deaf()).await;
                self.judge(&request, progress, None);
            }
            Act::Answer {
                question,
                answer,
                altered,
            } => {
                if self.model.open.is_empty() {
                    return;
                }
                let index = question % self.model.open.len();
                let (mut request, id, shown) = self.model.open[index].clone();
                if *altered {
                    request.arguments = Some(json!({"order_id": "1", "amount": 99}).to_string());
                } else {
                    self.model.open.remove(index);
                }
                let progress = self
                    .bench
                    .gateway
                    .answer(&request, &id, *answer, &deaf())
                    .await;
                let yes_to = (*answer == Answer::Yes && !altered).then_some(shown.as_str());
                if yes_to.is_some() {
                    *self.model.yes.entry(id).or_default() += 1;
                }
                self.judge(&request, progress, yes_to);
            }
            Act::Mint { billing, parent } => {
                let agent = if *billing { "billing" } else { "desk" };
                let parent = parent.and_then(|index| self.model.runs.get(index)).cloned();
                let parent_id = parent.as_ref().map(|(id, _, _)| id.as_str());
                let minted = self.bench.gateway.mint_run(agent, None, parent_id).await;
                if let Some((parent, of, _)) = &parent {
                    let may = of == "desk" && agent == "billing";
                    let is_live = !self.model.ended.contains(parent);
                    assert!(
                        minted.is_err() || (may && is_live),
                        "a hand-off nobody listed"
                    );
                }
                if let Ok(id) = minted {
                    let parent = parent.map(|(id, _, _)| id);
                    self.model.runs.push((id, agent.to_owned(), parent));
                }
            }
            Act::End(index) => {
                if let Some((id, _, _)) = self.model.runs.get(*index) {
                    let ended = self.bench.gateway.end_run(id.as_str()).await.unwrap();
                    let was_live = self.model.ended.insert(id.clone());
                    assert!(!ended || was_live);
                }
            }
            Act::Wait(minutes) => {
                self.bench.clock.advance(i64::from(*minutes) * 60_000);
                self.model.minutes += i64::from(*minutes);
            }
            Act::Next(kind) => {
                let end = match kind {
                    0 => CallEnd::Lost(Unavailable("lost".to_owned())),
                    1 => CallEnd::NotForwarded(Unavailable("refused".to_owned())),
                    2 => CallEnd::Error(r#"{"code":-32000,"message":"no"}"#.to_owned()),
                    _ => CallEnd::Result {
                        json: r#"{"content":[],"isError":true}"#.to_owned(),
                        is_error: true,
                    },
                };
                self.bench.server.ends.lock().unwrap().push_back(end);
            }
        }
    }

    /// What must hold of the audit log at the end.
    fn judge_log(&self) {
        let decisions = self.bench.lines("decision");
        let mut ids = BTreeSet::new();
        for line in &decisions {
            let id = line["request"].as_str().unwrap();
            assert!(
                ids.insert(id.to_owned()),
                "a call was decided twice: {line}"
            );
            let reason = line["reason"].as_str().unwrap();
            assert!(
                Reason::ALL.iter().any(|known| known.as_str() == reason),
                "{reason}"
            );
        }
        let allowed = decisions
            .iter()
            .filter(|line| line["decision"] == "allow" && line["reason"] != "replayed");
        assert_eq!(allowed.count(), self.model.forwarded.len());
        assert_eq!(self.bench.outcomes().len(), self.model.forwarded.len());
        assert!(self.model.yes.values().all(|times| *times == 1));
    }
}

fn is_forwarded(reply: &Reply) -> bool {
    matches!(reply.reason, Reason::Allow | Reason::Confirmed)
}

fn cases() -> u32 {
    let asked = std::env::var("STALWART_CASES").ok();
    100 * asked.and_then(|text| text.parse().ok()).unwrap_or(1)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn no_way_around(acts in acts()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut world = World {
                bench: Plan::default().start().await,
                model: Model::default(),
            };
            for act in &acts {
                world.act(act).await;
            }
            world.judge_log();
        });
    }
}

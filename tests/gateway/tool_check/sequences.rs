//! What no sequence of calls gets past the check: random calls by two agents in both eras, in
//! sessions and named runs, whose questions and outcomes come in any order, while the context and
//! the policy change under them.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use serde_json::{Value, json};
use stalwart::catalogue::OperationType;
use stalwart::tool_check::{
    Answer, Arguments, Context, Examined, Policy, Reason, Shown, Verdict, check,
};

use super::building::{BOUNDS, config, digest};
use super::memory::{Memory, NamedRun, Place, Recorded, Seen, State};
use super::random_shop::{AGENTS, TOOLS, WRITES, the_catalogue, tools_of};

/// Arguments that agents send. The value of `x` is a secret: no refusal may have it.
const ARGUMENTS: [&str; 6] = [
    r#"{"order_id": "1", "amount": 9007199254740992, "x": "s3cret"}"#,
    r#"{"order_id": "1", "amount": 9007199254740993, "x": "s3cret"}"#,
    r#"{"order_id": "2", "amount": 40.0, "confirmed": true, "x": "s3cret"}"#,
    r#"{"confirmed": "s3cret", "confirmation": 1}"#,
    r#"{"amount": "s3cret"}"#,
    r"{}",
];

/// What somebody does.
#[derive(Clone, Debug)]
enum Act {
    Call {
        place: Place,
        tool: &'static str,
        arguments: &'static str,
        can_be_asked: bool,
    },
    /// Answers an open question, or one that was answered before.
    Answer {
        question: usize,
        answer: Answer,
    },
    /// The server answers a call that is under way, or not.
    Finish {
        call: usize,
        state: State,
    },
    Mint {
        agent: usize,
        parent: Option<usize>,
    },
    End(usize),
    /// The host says otherwise from now on.
    Say {
        owner: bool,
        paid: bool,
        order_id: bool,
    },
    Reload,
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let place = (
        prop::sample::select(AGENTS.to_vec()),
        prop::option::weighted(0.6, 0_usize..4),
        prop::option::weighted(0.6, 0_u8..2),
    )
        .prop_map(|(agent, run, session)| Place {
            agent,
            run,
            session,
        });
    // Mostly tools that the agent has.
    let call = (
        place,
        prop::bool::weighted(0.9),
        any::<prop::sample::Index>(),
        prop::sample::select(ARGUMENTS.to_vec()),
        prop::bool::weighted(0.9),
    )
        .prop_map(|(place, is_own, tool, arguments, can_be_asked)| {
            let tools = if is_own {
                tools_of(place.agent)
            } else {
                &TOOLS[..]
            };
            Act::Call {
                tool: tools[tool.index(tools.len())],
                place,
                arguments,
                can_be_asked,
            }
        });
    let answer =
        prop_oneof![6 => Just(Answer::Yes), 2 => Just(Answer::No), 1 => Just(Answer::Gone)];
    let state = prop_oneof![
        6 => Just(State::Ok),
        1 => Just(State::Error),
        2 => Just(State::Ambiguous),
        2 => Just(State::NotForwarded),
    ];
    let act = prop_oneof![
        12 => call,
        8 => (any::<usize>(), answer).prop_map(|(question, answer)| Act::Answer { question, answer }),
        6 => (any::<usize>(), state).prop_map(|(call, state)| Act::Finish { call, state }),
        4 => (0..AGENTS.len(), prop::option::of(0_usize..4))
            .prop_map(|(agent, parent)| Act::Mint { agent, parent }),
        1 => (0_usize..4).prop_map(Act::End),
        1 => (prop::bool::weighted(0.7), prop::bool::weighted(0.7), any::<bool>())
            .prop_map(|(owner, paid, order_id)| Act::Say { owner, paid, order_id }),
        1 => Just(Act::Reload),
    ];
    prop::collection::vec(act, 1..80)
}

/// A question that was shown to a person.
struct Question {
    place: Place,
    tool: &'static str,
    arguments: Arguments,
    shown: Shown,
    /// The text that the person saw.
    text: String,
    is_open: bool,
    changes: u8,
}

struct World {
    policy: Policy,
    reloads: u32,
    context: Value,
    memory: Memory,
    questions: Vec<Question>,
    /// Of each run, by a place in it, the marks that a check saw in it.
    marks_seen: Vec<(Place, BTreeSet<String>)>,
    /// How often each way to end was taken, so that a test that sees nothing is seen.
    seen: BTreeMap<&'static str, u32>,
}

impl World {
    fn new() -> Self {
        Self {
            policy: Policy::new(the_catalogue(), "policy-0".to_owned()).unwrap(),
            reloads: 0,
            context: json!({"owner": true, "paid": true, "order_id": "1"}),
            memory: Memory::default(),
            questions: Vec::new(),
            marks_seen: Vec::new(),
            seen: BTreeMap::new(),
        }
    }

    /// The whole check, with the context where it wants one.
    fn check(
        &mut self,
        place: &Place,
        tool: &'static str,
        arguments: &Arguments,
        can_be_asked: bool,
    ) -> Verdict {
        let digest = digest(arguments);
        let call = Examined {
            agent: place.agent,
            tool,
            arguments,
            digest: &digest,
            can_be_asked,
        };
        let mut facts = Seen {
            memory: &self.memory,
            policy: &self.policy,
            place,
        };
        let Ok(verdict) = check(&self.policy, &call, &mut facts, Context::NotAsked);
        let verdict = match verdict {
            Verdict::NeedsContext => {
                let context = Context::Known(&self.context);
                let Ok(verdict) = check(&self.policy, &call, &mut facts, context);
                verdict
            }
            other => other,
        };
        self.judge_marks(place, &verdict);
        verdict
    }

    /// No mark that was seen in a run is ever missing from it, nor one of a run that it takes over
    /// marks from.
    fn judge_marks(&mut self, place: &Place, verdict: &Verdict) {
        let marks = match verdict {
            Verdict::Allow { marks } => marks,
            Verdict::Ask(shown) => &shown.marks,
            Verdict::Block(refusal) => &refusal.marks,
            Verdict::NeedsContext => panic!("the context was given"),
        };
        for (other, seen) in &self.marks_seen {
            let takes_over = match (place.run, other.run) {
                (Some(run), Some(other)) => self.memory.root(run) == self.memory.root(other),
                (None, None) => place.agent == other.agent || place.agent == "billing",
                (None, Some(_)) => place.agent == "billing" || place.agent == other.agent,
                (Some(_), None) => false,
            };
            // A shared run takes over what others read, not what they took over themselves.
            let is_own = Memory::is_same_run(place, other) || place.run.is_some();
            if takes_over && is_own {
                assert!(
                    seen.is_subset(marks),
                    "a mark of {other:?} is gone from {place:?}"
                );
            }
        }
        assert!(
            !self.read_outside(place) || marks.contains("read_inbox"),
            "{place:?} is not marked"
        );
        self.marks_seen.push((place.clone(), marks.clone()));
    }

    /// Whether the world outside was read where the marks of a place come from.
    fn read_outside(&self, place: &Place) -> bool {
        self.memory.calls.iter().any(|call| {
            let is_in_tree = match (place.run, call.place.run) {
                (Some(run), Some(other)) => self.memory.root(run) == self.memory.root(other),
                (Some(_), None) => false,
                (None, _) => place.agent == "billing" || Memory::is_same_run(&call.place, place),
            };
            call.tool == "read_inbox" && is_in_tree
        })
    }

    fn call(
        &mut self,
        place: &Place,
        tool: &'static str,
        arguments: &Arguments,
        can_be_asked: bool,
        changes: u8,
    ) {
        match self.check(place, tool, arguments, can_be_asked) {
            Verdict::Allow { .. } => {
                self.note("allow");
                self.forward(place, tool, arguments, None);
            }
            Verdict::Ask(shown) => {
                self.note("ask");
                assert!(can_be_asked, "a client that cannot be asked is asked");
                let text = shown.text(tool, arguments).unwrap();
                self.questions.push(Question {
                    place: place.clone(),
                    tool,
                    arguments: arguments.clone(),
                    shown,
                    text,
                    is_open: true,
                    changes,
                });
            }
            Verdict::Block(refusal) => {
                self.note(refusal.reason.as_str());
                assert!(Reason::ALL.contains(&refusal.reason) && !refusal.reason.allows());
                assert!(!refusal.text.is_empty() && !refusal.text.contains("s3cret"));
            }
            Verdict::NeedsContext => panic!("the context was given"),
        }
    }

    /// What a gateway does with an answer: one question is answered once, and the whole check runs
    /// again.
    fn answer(&mut self, index: usize, answer: Answer) {
        let question = &mut self.questions[index];
        if !std::mem::take(&mut question.is_open) {
            return;
        }
        let (place, tool, changes) = (question.place.clone(), question.tool, question.changes);
        let (arguments, shown) = (question.arguments.clone(), question.shown.clone());
        let is_live = place.run.is_none_or(|run| self.memory.runs[run].is_live);
        match answer {
            Answer::Yes if is_live => {}
            Answer::No => {
                let digest = digest(&arguments);
                self.memory.declined.push((place, tool, digest));
                return;
            }
            _ => return,
        }
        match self.check(&place, tool, &arguments, true) {
            Verdict::Ask(now) if now == shown => {
                self.note("confirmed");
                self.forward(&place, tool, &arguments, Some(index));
            }
            Verdict::Ask(_) if changes < 2 => {
                self.note("asked anew");
                self.call(&place, tool, &arguments, true, changes + 1);
            }
            Verdict::Ask(_) => self.note("changed"),
            Verdict::Allow { .. } => {
                self.note("nothing to ask any more");
                self.forward(&place, tool, &arguments, None);
            }
            Verdict::Block(refusal) => {
                self.note("refused behind a yes");
                assert!(!refusal.text.contains("s3cret"));
            }
            Verdict::NeedsContext => panic!("the context was given"),
        }
    }

    /// Judges a call that is let through by rules that are written down here once more, and records
    /// it.
    fn forward(
        &mut self,
        place: &Place,
        tool: &'static str,
        arguments: &Arguments,
        yes_to: Option<usize>,
    ) {
        assert!(
            tools_of(place.agent).contains(&tool),
            "{tool} for {}",
            place.agent
        );
        let same_run = |call: &&Recorded| Memory::is_same_run(&call.place, place);
        let of_run: Vec<&Recorded> = self.memory.calls.iter().filter(same_run).collect();
        if tool == "charge_card" {
            let charges = of_run
                .iter()
                .filter(|call| call.tool == tool && call.state != State::NotForwarded);
            assert!(charges.count() < 3, "a fourth charge");
            let amount = &arguments.value()["amount"];
            assert!(amount.is_null() || amount.is_number());
        }
        if tool == "send_receipt" {
            let charged = of_run.iter().any(|call| {
                call.tool == "charge_card"
                    && call.state == State::Ok
                    && (place.run.is_some()
                        || place.session.is_some() && call.place.session == place.session)
            });
            assert!(charged, "a receipt before its charge");
        }
        let is_true = |name: &str| self.context[name] == true;
        assert!(tool != "close_account" || is_true("owner"));
        assert!(tool != "refund_card" || is_true("paid"));
        if tool == "refund_card" && self.context.get("order_id").is_some() {
            assert_eq!(arguments.value()["order_id"], self.context["order_id"]);
        }
        let text_digest = digest(arguments);
        let is_write = WRITES.contains(&tool);
        assert!(!of_run.iter().any(|call| {
            call.tool == tool
                && call.digest == text_digest
                && call.state == State::Ambiguous
                && is_write
        }));
        let was_marked = self.read_outside(place);
        let asks = ["charge_card", "refund_card", "close_account", "wipe"].contains(&tool)
            || (is_write && was_marked);
        match yes_to.map(|index| &self.questions[index]) {
            None => assert!(!asks, "nobody said yes to {tool}"),
            Some(question) => {
                // The yes was to these very arguments, marks and policy, on the person's screen.
                assert_eq!((question.tool, &question.place), (tool, place));
                assert_eq!(digest(&question.arguments), text_digest);
                assert!(question.text.contains(&format!("Tool: {tool}\n")));
                assert_eq!(question.text.contains("after reading read_inbox"), {
                    question.shown.marks.contains("read_inbox")
                });
                assert!(!was_marked || question.shown.marks.contains("read_inbox"));
                assert_eq!(question.shown.policy, format!("policy-{}", self.reloads));
                if tool == "close_account" {
                    assert!(question.text.starts_with("Close the account?"));
                }
            }
        }
        let entry = self.policy.tool(place.agent, tool).unwrap();
        let forwarded = arguments.forwarded(entry, yes_to.is_some());
        let forwarded = stalwart::json::parse(forwarded.as_bytes()).unwrap();
        match (tool, forwarded.get("confirmed")) {
            ("wipe", confirmed) => assert_eq!(confirmed, Some(&json!(true))),
            (_, confirmed) => assert_eq!(confirmed, None),
        }
        // The mark is there before the server sees the call.
        if entry.outside {
            self.memory.marks.push((place.clone(), tool));
        }
        self.memory.calls.push(Recorded {
            place: place.clone(),
            tool,
            digest: text_digest,
            is_write: entry.operation_type == OperationType::Transactional,
            state: State::Open,
        });
    }

    fn note(&mut self, what: &'static str) {
        *self.seen.entry(what).or_default() += 1;
    }

    fn act(&mut self, act: &Act) {
        match act {
            Act::Call {
                place,
                tool,
                arguments,
                can_be_asked,
            } => {
                if let Some(run) = place.run {
                    // The gateway refuses these before the check.
                    let known = self.memory.runs.get(run);
                    if !known.is_some_and(|run| run.is_live && run.agent == place.agent) {
                        return;
                    }
                }
                let arguments = Arguments::read(Some(arguments), BOUNDS).unwrap();
                self.call(place, tool, &arguments, *can_be_asked, 0);
            }
            Act::Answer { question, answer } if !self.questions.is_empty() => {
                self.answer(question % self.questions.len(), *answer);
            }
            Act::Finish { call, state } if !self.memory.calls.is_empty() => {
                let index = call % self.memory.calls.len();
                let call = &mut self.memory.calls[index];
                if call.state == State::Open {
                    call.state = match state {
                        State::Ambiguous if !call.is_write => State::Error,
                        state => *state,
                    };
                }
            }
            Act::Answer { .. } | Act::Finish { .. } => {}
            Act::Mint { agent, parent } => {
                let agent = AGENTS[*agent];
                let parent = parent.filter(|parent| {
                    let handed = self.memory.runs.get(*parent);
                    agent == "billing"
                        && handed.is_some_and(|run| run.is_live && run.agent == "desk")
                });
                self.memory.runs.push(NamedRun {
                    agent,
                    parent,
                    is_live: true,
                });
            }
            Act::End(run) => {
                if let Some(run) = self.memory.runs.get_mut(*run) {
                    run.is_live = false;
                }
            }
            Act::Say {
                owner,
                paid,
                order_id,
            } => {
                self.context = json!({"owner": owner, "paid": paid});
                if *order_id {
                    self.context["order_id"] = json!("1");
                }
            }
            Act::Reload => {
                self.reloads += 1;
                let hash = format!("policy-{}", self.reloads);
                self.policy = Policy::new(the_catalogue(), hash).unwrap();
            }
        }
    }
}

#[test]
fn no_sequence_of_calls_gets_past_the_check() {
    let seen = std::cell::RefCell::new(BTreeMap::<&'static str, u32>::new());
    let mut runner = proptest::test_runner::TestRunner::new(config(400));
    let found = runner.run(&acts(), |acts| {
        let mut world = World::new();
        for act in &acts {
            world.act(act);
        }
        for (what, times) in world.seen {
            *seen.borrow_mut().entry(what).or_default() += times;
        }
        Ok(())
    });
    found.unwrap();
    // Every way was taken, so none of these rules held for want of calls.
    let seen = seen.into_inner();
    for what in [
        "allow",
        "ask",
        "confirmed",
        "asked anew",
        "refused behind a yes",
        "unknown_tool",
        "invalid_arguments",
        "order",
        "rulebook",
        "clarify",
        "argument_origin",
        "declined",
        "ambiguous_outstanding",
        "confirmation_unavailable",
    ] {
        assert!(seen.contains_key(what), "{what} was never seen: {seen:?}");
    }
}

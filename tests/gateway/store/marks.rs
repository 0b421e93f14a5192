//! Marks, held to a model that remembers everything that happened.

use proptest::prelude::*;
use stalwart::store::{RunId, Sqlite};

use super::{named, within};

const AGENTS: [&str; 3] = ["desk", "billing", "audit"];
const TOOLS: [&str; 3] = ["inbox", "web", "tickets"];

/// Who may hand off to an agent, transitively.
fn sources(agent: usize) -> Vec<String> {
    AGENTS[..agent]
        .iter()
        .map(|&name| name.to_owned())
        .collect()
}

#[derive(Clone, Debug)]
enum Step {
    /// A named run of an agent, below the run of this index, if there is one.
    Create(usize, Option<usize>, Option<i64>),
    End(usize),
    Clear(usize),
    /// A mark in an agent's shared run.
    Shared(usize, usize),
    /// A mark in a named run.
    Named(usize, usize),
    Sweep,
    /// Time goes on.
    Wait(i64),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (
            0..3_usize,
            any::<Option<usize>>(),
            proptest::option::of(1..60_i64)
        )
            .prop_map(|(agent, parent, lives)| Step::Create(agent, parent, lives)),
        any::<usize>().prop_map(Step::End),
        (0..3_usize).prop_map(Step::Clear),
        (0..3_usize, 0..3_usize).prop_map(|(agent, tool)| Step::Shared(agent, tool)),
        (any::<usize>(), 0..3_usize).prop_map(|(run, tool)| Step::Named(run, tool)),
        (any::<usize>(), 0..3_usize).prop_map(|(run, tool)| Step::Named(run, tool)),
        Just(Step::Sweep),
        (1..40_i64).prop_map(Step::Wait),
    ]
}

/// A named run, as the model knows it.
struct Modelled {
    agent: usize,
    root: usize,
    expires: Option<i64>,
    /// The moment at which it was ended.
    ended: Option<usize>,
}

/// All that happened; moments are indices of steps.
#[derive(Default)]
struct Model {
    runs: Vec<Modelled>,
    /// Marks of named runs: the run, the tool, the moment.
    named: Vec<(usize, usize, usize)>,
    /// Marks of shared runs: the agent, the tool, from when, and until when.
    shared: Vec<(usize, usize, usize, Option<usize>)>,
    /// When an agent's shared run was last cleared: the moment and the time.
    cleared: [Option<(usize, i64)>; 3],
}

impl Model {
    fn of_named(&self, run: usize) -> Vec<&'static str> {
        let root = self.runs[run].root;
        let of_tree = |mark: &&(usize, usize, usize)| self.runs[mark.0].root == root;
        sorted(self.named.iter().filter(of_tree).map(|mark| mark.1))
    }

    fn of_shared(&self, agent: usize, now: i64) -> Vec<&'static str> {
        let (moment, time) = self.cleared[agent].map_or((None, i64::MIN), |(m, t)| (Some(m), t));
        let behind = |at: usize| moment.is_none_or(|moment| at > moment);
        let mut tools = Vec::new();
        for (owner, tool, from, until) in &self.shared {
            let is_own = *owner == agent && until.is_none();
            let is_carried = *owner < agent && (until.is_none_or(behind) || behind(*from));
            tools.extend((is_own || is_carried).then_some(*tool));
        }
        for (marked, tool, at) in &self.named {
            let root = self.runs[*marked].root;
            let is_carried = self.runs.iter().any(|run| {
                let outlived = match (run.ended, run.expires) {
                    (Some(ended), _) => behind(ended),
                    (None, Some(expires)) => expires > now || expires >= time,
                    (None, None) => true,
                };
                run.root == root && run.agent < agent && (outlived || behind(*at))
            });
            tools.extend(is_carried.then_some(*tool));
        }
        sorted(tools.into_iter())
    }
}

fn sorted(tools: impl Iterator<Item = usize>) -> Vec<&'static str> {
    let mut tools: Vec<_> = tools.map(|tool| TOOLS[tool]).collect();
    tools.sort_unstable();
    tools.dedup();
    tools
}

/// Plays steps on a store and on the model. Runs that ended long ago may be dropped by a sweep
/// (`forgets`): they are then not asked about, and what shared runs carry must not change.
fn play(steps: &[Step], forgets: bool) -> Result<(), TestCaseError> {
    let store = Sqlite::in_memory().unwrap();
    let mut model = Model::default();
    let mut now = 1_000;
    let id = |run: usize| RunId::named(format!("r{run}"));
    for (moment, step) in steps.iter().enumerate() {
        match step {
            Step::Create(agent, parent, lives) => {
                let index = model.runs.len();
                let live = |run: &Modelled| {
                    run.ended.is_none() && run.expires.is_none_or(|expires| expires > now)
                };
                let parent = parent
                    .and_then(|parent| parent.checked_rem(index))
                    .filter(|parent| live(&model.runs[*parent]));
                let expires = lives.map(|lives| now + lives);
                let name = parent.map(|parent| format!("r{parent}"));
                let run = named(
                    &format!("r{index}"),
                    AGENTS[*agent],
                    name.as_deref(),
                    expires,
                );
                within(&store, |t| t.create_run(&run));
                model.runs.push(Modelled {
                    agent: *agent,
                    root: parent.map_or(index, |parent| model.runs[parent].root),
                    expires,
                    ended: None,
                });
            }
            Step::End(run) => {
                let Some(run) = run.checked_rem(model.runs.len()) else {
                    continue;
                };
                let modelled = &mut model.runs[run];
                let is_live = modelled.ended.is_none()
                    && modelled.expires.is_none_or(|expires| expires > now);
                if is_live {
                    within(&store, |t| t.end_run(&id(run), now));
                    modelled.ended = Some(moment);
                }
            }
            Step::Clear(agent) => {
                within(&store, |t| {
                    t.clear_shared_run(&AGENTS[*agent].to_owned(), now)
                });
                model.cleared[*agent] = Some((moment, now));
                for mark in &mut model.shared {
                    if mark.0 == *agent && mark.3.is_none() {
                        mark.3 = Some(moment);
                    }
                }
            }
            Step::Shared(agent, tool) => {
                let run = RunId::shared(AGENTS[*agent]);
                within(&store, |t| {
                    t.run(&run)?;
                    t.add_mark(&run, &AGENTS[*agent].to_owned(), TOOLS[*tool], now)
                });
                model.shared.push((*agent, *tool, moment, None));
            }
            Step::Named(run, tool) => {
                let Some(run) = run.checked_rem(model.runs.len()) else {
                    continue;
                };
                let modelled = &model.runs[run];
                if modelled.ended.is_some() || modelled.expires.is_some_and(|it| it <= now) {
                    continue;
                }
                let agent = AGENTS[modelled.agent].to_owned();
                within(&store, |t| t.add_mark(&id(run), &agent, TOOLS[*tool], now));
                model.named.push((run, *tool, moment));
            }
            Step::Sweep => {
                let before = if forgets { now } else { 0 };
                within(&store, |t| t.sweep(now, before));
            }
            Step::Wait(time) => now += time,
        }
        for (run, modelled) in model.runs.iter().enumerate() {
            let is_ended = modelled.ended.is_some() || modelled.expires.is_some_and(|it| it <= now);
            if forgets && is_ended {
                continue;
            }
            let found = within(&store, |t| t.marks(&id(run), &[], now));
            prop_assert_eq!(found, model.of_named(run), "run {} behind {:?}", run, step);
        }
        for (agent, name) in AGENTS.iter().enumerate() {
            let run = RunId::shared(name);
            let found = within(&store, |t| {
                t.run(&run)?;
                t.marks(&run, &sources(agent), now)
            });
            prop_assert_eq!(
                found,
                model.of_shared(agent, now),
                "{} behind {:?}",
                name,
                step
            );
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 150,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn marks_are_those_of_a_model(steps in proptest::collection::vec(step(), 1..60)) {
        play(&steps, false)?;
    }

    #[test]
    fn marks_outlive_what_a_sweep_drops(steps in proptest::collection::vec(step(), 1..60)) {
        play(&steps, true)?;
    }
}

#[test]
fn a_tree_shares_its_marks_up_and_down_though_runs_end() {
    let store = Sqlite::in_memory().unwrap();
    let marks = |run: &str| within(&store, |t| t.marks(&RunId::named(run), &[], 5));
    within(&store, |t| {
        t.create_run(&named("a", "desk", None, None))?;
        t.create_run(&named("b", "billing", Some("a"), None))?;
        t.create_run(&named("c", "audit", Some("b"), None))?;
        t.create_run(&named("d", "billing", Some("a"), None))?;
        t.create_run(&named("other", "desk", None, None))?;
        t.add_mark(&RunId::named("c"), &"audit".to_owned(), "web", 2)?;
        t.end_run(&RunId::named("c"), 3)?;
        t.add_mark(&RunId::named("a"), &"desk".to_owned(), "inbox", 4)
    });
    for run in ["a", "b", "c", "d"] {
        assert_eq!(marks(run), ["inbox", "web"], "{run}");
    }
    assert_eq!(marks("other"), [""; 0]);
    assert_eq!(marks("none"), [""; 0]);
}

#[test]
fn a_run_that_is_not_there_takes_no_mark() {
    let store = Sqlite::in_memory().unwrap();
    let marked =
        stalwart::store::Store::transact(&store, stalwart::store::Durability::Relaxed, &mut |t| {
            t.add_mark(&RunId::named("none"), &"desk".to_owned(), "web", 1)
        });
    assert!(marked.is_err());
}

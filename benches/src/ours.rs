//! The floor, the gate, and the evaluator, which is the gate's reference.

use serde_json::{Map, Value};
use stalwart::evaluator::{self, Decision};
use stalwart::gate::{Context, ContextName, Gate};
use stalwart::ir::Rulebook;

use crate::floor::Floor;
use crate::ladder::Answer;
use crate::race::{Entrant, Kind, Seen};
use crate::workload::Workload;

/// What decides for one workload.
pub struct Deciders<'a> {
    workload: &'a Workload,
    floor: Floor,
    gate: Gate,
}

impl<'a> Deciders<'a> {
    pub fn new(workload: &'a Workload) -> Self {
        Self {
            workload,
            floor: Floor::new(&workload.rulebook).expect("the workload has a floor"),
            gate: Gate::new(workload.rulebook.clone()),
        }
    }

    /// Those that get the context in their own type.
    pub fn of_values(&self) -> Vec<Entrant<'_>> {
        let (floor, gate, calls) = (&self.floor, &self.gate, &self.workload.calls);
        let rulebook = &self.workload.rulebook;
        let masks: Vec<u64> = calls
            .iter()
            .map(|call| {
                let is_true = |name: &str| call.context.contains(&(name.to_owned(), true));
                floor.mask(is_true)
            })
            .collect();
        let in_std = masks.clone();
        let contexts: Vec<Context> = calls
            .iter()
            .map(|call| {
                let mut context = gate.context();
                for (name, value) in &call.context {
                    context.set(name, *value);
                }
                context
            })
            .collect();
        let names: Vec<Option<ContextName>> = match calls.first() {
            Some(call) => call
                .context
                .iter()
                .map(|(name, _)| gate.name(name))
                .collect(),
            None => Vec::new(),
        };
        let mut filled = gate.context();
        let values: Vec<Value> = calls
            .iter()
            .map(|call| stalwart::json::parse(call.json.as_bytes()).expect("it is JSON"))
            .collect();
        let maps = values.clone();
        vec![
            Entrant::new(
                "floor",
                Kind::Floor,
                move |call| floor.decide(&calls[call].tool, masks[call]),
                of_answer,
            ),
            Entrant::new(
                "plain floor",
                Kind::PlainFloor,
                move |call| floor.decide_in_std(&calls[call].tool, in_std[call]),
                of_answer,
            ),
            Entrant::new(
                "gate, typed",
                Kind::Gate,
                move |call| gate.decide(calls[call].tool.as_str(), &contexts[call]),
                of_decision,
            ),
            Entrant::new(
                "gate, typed, all names set for each call",
                Kind::GateOfOther,
                move |call| {
                    let call = &calls[call];
                    filled.clear();
                    for (name, (_, value)) in names.iter().zip(&call.context) {
                        if let Some(name) = name {
                            filled.set_name(*name, *value);
                        }
                    }
                    gate.decide(call.tool.as_str(), &filled)
                },
                of_decision,
            ),
            Entrant::new(
                "gate, a `serde_json` value",
                Kind::GateOfOther,
                move |call| gate.decide_value(calls[call].tool.as_str(), &values[call]),
                of_decision,
            ),
            Entrant::new(
                "evaluator, a `serde_json` value",
                Kind::Other,
                move |call| {
                    let context = maps[call].as_object().expect("an object");
                    evaluate(rulebook, &calls[call].tool, context)
                },
                of_decision,
            ),
        ]
    }

    /// Those that get the context as JSON text.
    pub fn of_json(&self) -> Vec<Entrant<'_>> {
        let (floor, gate, calls) = (&self.floor, &self.gate, &self.workload.calls);
        let rulebook = &self.workload.rulebook;
        let read = "it is JSON";
        vec![
            Entrant::new(
                "floor",
                Kind::Floor,
                move |call| {
                    let (tool, json) = (&calls[call].tool, calls[call].json.as_bytes());
                    floor.decide_json(tool, json).expect(read)
                },
                of_answer,
            ),
            Entrant::new(
                "plain floor",
                Kind::PlainFloor,
                move |call| {
                    let (tool, json) = (&calls[call].tool, calls[call].json.as_bytes());
                    floor.decide_json_by_serde(tool, json).expect(read)
                },
                of_answer,
            ),
            Entrant::new(
                "gate",
                Kind::Gate,
                move |call| {
                    let (tool, json) = (calls[call].tool.as_str(), calls[call].json.as_bytes());
                    gate.decide_json(tool, json).expect(read)
                },
                of_decision,
            ),
            Entrant::new(
                "evaluator",
                Kind::Other,
                move |call| {
                    let context = stalwart::json::parse(calls[call].json.as_bytes()).expect(read);
                    let context = context.as_object().expect("an object");
                    evaluate(rulebook, &calls[call].tool, context)
                },
                of_decision,
            ),
        ]
    }
}

fn of_answer((verdict, rule): Answer<'_>) -> Seen {
    Seen::Decision(verdict, rule.to_owned())
}

fn evaluate(rulebook: &Rulebook, tool: &str, context: &Map<String, Value>) -> Decision {
    let words = evaluator::words(rulebook, &evaluator::Call::new(Some(tool), context));
    evaluator::combine(words.iter().map(|flow_word| flow_word.word))
}

fn of_decision(decision: impl Into<Decision>) -> Seen {
    let decision = decision.into();
    Seen::Decision(decision.decision, decision.rule)
}

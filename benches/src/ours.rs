//! The floor and this project's own ways to decide.

use serde_json::Value;
use stalwart::evaluator::{self, Decision};

use crate::floor::Floor;
use crate::ladder::Answer;
use crate::race::{Entrant, Kind, Seen};
use crate::workload::Workload;

/// What decides for one workload.
pub struct Deciders<'a> {
    workload: &'a Workload,
    floor: Floor,
}

impl<'a> Deciders<'a> {
    pub fn new(workload: &'a Workload) -> Self {
        Self {
            workload,
            floor: Floor::new(&workload.rulebook).expect("the workload has a floor"),
        }
    }

    /// Those that get the context in their own type.
    pub fn of_values(&self) -> Vec<Entrant<'_>> {
        let (floor, calls) = (&self.floor, &self.workload.calls);
        let rulebook = &self.workload.rulebook;
        let masks: Vec<u64> = calls
            .iter()
            .map(|call| {
                let is_true = |name: &str| call.context.contains(&(name.to_owned(), true));
                floor.mask(is_true)
            })
            .collect();
        let in_std = masks.clone();
        let inputs: Vec<Value> = calls
            .iter()
            .map(|call| {
                let context: Value =
                    stalwart::json::parse(call.json.as_bytes()).expect("it is JSON");
                serde_json::json!({"tool": call.tool, "context": context})
            })
            .collect();
        vec![
            Entrant::new(
                "floor",
                Kind::Floor,
                move |call| floor.decide(&calls[call].tool, masks[call]),
                of_answer,
            ),
            Entrant::new(
                "floor, std's hash map",
                Kind::Other,
                move |call| floor.decide_in_std(&calls[call].tool, in_std[call]),
                of_answer,
            ),
            Entrant::new(
                "evaluator, a `serde_json` value",
                Kind::Other,
                move |call| evaluator::decide(rulebook, &inputs[call]),
                of_decision,
            ),
        ]
    }

    /// Those that get the context as JSON text.
    pub fn of_json(&self) -> Vec<Entrant<'_>> {
        let (floor, calls) = (&self.floor, &self.workload.calls);
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
                "floor, `serde_json` and std's hash maps",
                Kind::Other,
                move |call| {
                    let (tool, json) = (&calls[call].tool, calls[call].json.as_bytes());
                    floor.decide_json_by_serde(tool, json).expect(read)
                },
                of_answer,
            ),
            Entrant::new(
                "evaluator",
                Kind::Other,
                move |call| {
                    let context = stalwart::json::parse(calls[call].json.as_bytes()).expect(read);
                    let context = context.as_object().expect("an object");
                    let call = evaluator::Call::new(Some(&calls[call].tool), context);
                    let words = evaluator::words(rulebook, &call);
                    evaluator::combine(words.iter().map(|flow_word| flow_word.word))
                },
                of_decision,
            ),
        ]
    }
}

fn of_answer((verdict, rule): Answer<'_>) -> Seen {
    Seen::Decision(verdict, rule.to_owned())
}

fn of_decision(decision: Decision) -> Seen {
    Seen::Decision(decision.decision, decision.rule)
}

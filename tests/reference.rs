//! The second opinion of contract section 9: decides a call by walking the statements of the
//! syntax tree, without branches and without the IR.
//!
//! It is written from the contract alone. It shares the parser, the decimals and the type of the
//! answer with the compiler; what a condition means, where a path goes, which `if`s are inert and
//! how words combine is found here a second time, by other means: one walk per flow and call, in
//! time linear in the statements met, with a stack of its own.

mod condition;
mod summary;
mod walk;

use serde_json::Value;
use stalwart::evaluator::{Decision, Verdict};
use stalwart::syntax::tree::{Definition, FlowDefinition, FlowKind, Rulebook};
use std::collections::BTreeMap;

use summary::Summary;
use walk::{Ending, Said, Seed, Walk};

/// What a flow is for the gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Governing,
    Guard,
    Dialogue,
}

/// A flow with what is known of it before any call.
struct Flow<'t> {
    definition: &'t FlowDefinition,
    summary: Summary,
    kind: Kind,
}

/// A rulebook ready to be walked.
pub struct Reference<'t> {
    flows: Vec<Flow<'t>>,
    subflows: BTreeMap<&'t str, Subflow<'t>>,
}

/// A subflow with its summary.
pub struct Subflow<'t> {
    pub definition: &'t FlowDefinition,
    pub summary: Summary,
}

/// A word of one flow on the called tool; `None` where it has nothing to say.
type Word = Option<(Verdict, String)>;

impl<'t> Reference<'t> {
    /// Prepares the tree of a rulebook that checks without errors.
    pub fn new(tree: &'t Rulebook) -> Self {
        let of_kind = |kind: FlowKind| {
            tree.definitions
                .iter()
                .filter_map(move |definition| match definition {
                    Definition::Flow(flow) if flow.kind == kind => Some(flow),
                    _ => None,
                })
        };
        let subflows = summary::of_subflows(of_kind(FlowKind::Subflow));
        let flows = of_kind(FlowKind::Flow)
            .map(|definition| {
                let summary = summary::of_body(&definition.body, &subflows)
                    .unwrap_or_else(|| panic!("`{}`: a `do` names nothing", definition.name.value));
                let kind = if !summary.tools.is_empty() {
                    Kind::Governing
                } else if !summary.specific_turn && summary.stops_behind_an_if() {
                    Kind::Guard
                } else {
                    Kind::Dialogue
                };
                Flow {
                    definition,
                    summary,
                    kind,
                }
            })
            .collect();
        Self { flows, subflows }
    }

    /// The kind of each flow, in source order.
    pub fn kinds(&self) -> Vec<Kind> {
        self.flows.iter().map(|flow| flow.kind).collect()
    }

    /// Decides one call (contract section 4, "Decision").
    pub fn decide(&self, input: &Value) -> Decision {
        self.decide_on_a_way(input, None)
    }

    /// The same, on the way that a seed chooses where the gate cannot see. What was accepted
    /// leads to the same decision on every way.
    pub fn decide_on_a_way(&self, input: &Value, seed: Seed) -> Decision {
        let tool = input.get("tool").and_then(Value::as_str);
        let mut governed = false;
        let mut words = Vec::new();
        for flow in &self.flows {
            match (flow.kind, tool) {
                (Kind::Guard, _) => words.extend(self.guard_word(flow, input, seed)),
                (Kind::Governing, Some(tool)) if flow.summary.tools.contains(tool) => {
                    governed = true;
                    words.extend(self.governing_word(flow, tool, input, seed));
                }
                _ => {}
            }
        }
        for wanted in [Verdict::Refuse, Verdict::Clarify, Verdict::Allow] {
            if let Some((decision, rule)) = words.iter().find(|(verdict, _)| *verdict == wanted) {
                return Decision {
                    decision: *decision,
                    rule: rule.clone(),
                };
            }
        }
        if governed {
            answer(Verdict::Refuse, "no_match")
        } else {
            answer(Verdict::Silent, "")
        }
    }

    /// The word of a guard flow.
    fn guard_word(&self, flow: &Flow<'_>, input: &Value, seed: Seed) -> Word {
        let (state, ending) =
            Walk::new(&self.subflows, input, None, true, seed).run(flow.definition);
        match ending {
            Ending::Undecided => Some((Verdict::Refuse, "no_match".to_owned())),
            Ending::End => None,
            Ending::Stop => Some(match state.last {
                Some(said) if said.asks() => (Verdict::Clarify, said.rule("ask")),
                Some(said) => (Verdict::Refuse, said.rule("refuse")),
                None => (Verdict::Refuse, "stop".to_owned()),
            }),
        }
    }

    /// The word of a governing flow on `tool`: the table of contract section 4, row by row.
    fn governing_word(&self, flow: &Flow<'_>, tool: &str, input: &Value, seed: Seed) -> Word {
        let (state, ending) =
            Walk::new(&self.subflows, input, Some(tool), false, seed).run(flow.definition);
        if ending == Ending::Undecided {
            return Some((Verdict::Refuse, "no_match".to_owned()));
        }
        if state.tool_ran {
            return Some(match state.asked {
                Some(question) => (Verdict::Clarify, question.rule("ask")),
                None => (Verdict::Allow, String::new()),
            });
        }
        if state.any_ran {
            return None;
        }
        match (state.last, ending) {
            (Some(said), _) if state.last_answered || said.asks() => {
                Some((Verdict::Clarify, said.rule("ask")))
            }
            (Some(said), _) => Some((Verdict::Refuse, said.rule("refuse"))),
            (None, Ending::Stop) => Some((Verdict::Refuse, "stop".to_owned())),
            (None, _) => None,
        }
    }
}

impl Said<'_> {
    /// Whether its name's first word is `ask` or `clarify`.
    fn asks(&self) -> bool {
        matches!(self.first_word(), Some("ask" | "clarify"))
    }

    /// The rule it gives: its name, or `unnamed`.
    fn rule(&self, unnamed: &str) -> String {
        match self {
            Said::Named(name) => (*name).to_owned(),
            Said::Unnamed => unnamed.to_owned(),
        }
    }
}

fn answer(decision: Verdict, rule: &str) -> Decision {
    Decision {
        decision,
        rule: rule.to_owned(),
    }
}

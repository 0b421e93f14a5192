//! A rulebook compiled: its tools, names and flows, and how the words of flows are combined.

use std::collections::BTreeMap;

use crate::evaluator::Verdict;
use crate::ir::{Condition, FlowKind, Rulebook};

use super::DecisionRef;
use super::conditions::{Call, Facts};
use super::flows::{Flows, SILENT, Said, Weight};
use super::names::{LACKING, Names, TOOL_SLOT};
use super::table::{Key, ROOT, Table, index, number, part};

/// A tool that flows govern, or that guards ask for by its name.
#[derive(Clone, Copy, Debug)]
struct Tool {
    /// Its governing flows, from the first to before the end, in source order.
    flows: (u32, u32),
    /// The one flow that speaks on it, when there is only one.
    only_flow: Option<u32>,
    /// The class of its name.
    class: u32,
}

/// What a rulebook decides by.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) names: Names,
    flows: Flows,
    tool_names: Table,
    tools: Vec<Tool>,
    /// Governing flows of all tools.
    governing: Vec<u32>,
    /// Guards, in source order.
    guards: Vec<u32>,
}

impl Compiled {
    pub(super) fn new(rulebook: &Rulebook) -> Self {
        let names = Names::new(leaves(rulebook));
        let mut tool_names = Table::default();
        let mut flows_of: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        let mut guards = Vec::new();
        for (flow, at) in rulebook.flows.iter().zip(0..) {
            match flow.kind {
                FlowKind::Governing => flows_of.entry(&flow.id).or_default().push(at),
                FlowKind::Guard => guards.push(at),
                FlowKind::Dialogue => {}
            }
        }
        let mut tools = Vec::new();
        let mut governing: Vec<u32> = Vec::new();
        for tool in &rulebook.tools {
            if index(tool_names.insert(ROOT, &tool.name)) < tools.len() {
                continue;
            }
            let start = governing.len();
            let flows = tool.flows.iter().filter_map(|id| flows_of.get(id.as_str()));
            governing.extend(flows.flatten());
            if let Some(added) = governing.get_mut(start..) {
                added.sort_unstable();
            }
            tools.push(Tool {
                flows: (number(start), number(governing.len())),
                only_flow: match governing.get(start..) {
                    Some([flow]) if guards.is_empty() => Some(*flow),
                    _ => None,
                },
                class: names.class_of_string(TOOL_SLOT, &tool.name),
            });
        }
        // Of each flow, the last tool that it governs, and how many there are.
        let mut governed: Vec<(u32, usize)> = vec![(0, 0); rulebook.flows.len()];
        for (tool, number) in tools.iter().zip(0..) {
            for flow in part(&governing, tool.flows) {
                if let Some((last, count)) = governed.get_mut(index(*flow)) {
                    *count += usize::from(*count == 0 || *last != number);
                    *last = number;
                }
            }
        }
        let flows = Flows::new(
            rulebook,
            &names,
            |name| tool_names.find(Key::new(ROOT, name.as_bytes())),
            |flow| match governed.get(flow) {
                Some((tool, 1)) => Some(tool_names.text(*tool)),
                _ => None,
            },
        );
        Self {
            names,
            flows,
            tool_names,
            tools,
            governing,
            guards,
        }
    }

    /// Decides a call.
    #[inline]
    pub(super) fn decide<F: Facts>(&self, tool: Option<&str>, facts: F) -> DecisionRef<'_> {
        let tool_number =
            tool.and_then(|name| self.tool_names.find(Key::new(ROOT, name.as_bytes())));
        let known = tool_number.and_then(|tool| self.tools.get(index(tool)));
        let tool_class = match (known, tool) {
            (Some(tool), _) => tool.class,
            (None, Some(name)) if !self.guards.is_empty() => {
                self.names.class_of_string(TOOL_SLOT, name)
            }
            (None, _) => LACKING,
        };
        let mut call = Call {
            names: &self.names,
            tool_class,
            facts,
        };
        let said = match known.and_then(|tool| tool.only_flow) {
            Some(flow) => self.flows.word(flow, tool_number, &mut call),
            None => {
                let governing = known.map_or(&[][..], |tool| part(&self.governing, tool.flows));
                self.combine(governing, tool_number, &mut call)
            }
        };
        let decision = match said.weight {
            Weight::Silent => Verdict::Silent,
            Weight::Allow => Verdict::Allow,
            Weight::Clarify => Verdict::Clarify,
            Weight::NoMatch | Weight::Refuse => Verdict::Refuse,
        };
        DecisionRef {
            decision,
            rule: self.flows.rule(said.rule),
        }
    }

    /// The first of the words that no other goes before, over all flows in source order.
    fn combine<F: Facts>(
        &self,
        governing: &[u32],
        tool: Option<u32>,
        call: &mut Call<'_, F>,
    ) -> Said {
        let mut best = SILENT;
        let (mut governing, mut guards) = (governing.iter(), self.guards.iter());
        let (mut next_governing, mut next_guard) = (governing.next(), guards.next());
        loop {
            let flow = match (next_governing, next_guard) {
                (Some(flow), guard) if guard.is_none_or(|guard| flow < guard) => {
                    next_governing = governing.next();
                    *flow
                }
                (_, Some(guard)) => {
                    next_guard = guards.next();
                    *guard
                }
                (_, None) => return best,
            };
            let said = self.flows.word(flow, tool, call);
            if said.weight == Weight::Refuse {
                // Nothing goes before the first refusal.
                return said;
            }
            if said.weight > best.weight {
                best = said;
            }
        }
    }
}

/// All leaves of the conditions that decisions read.
fn leaves(rulebook: &Rulebook) -> impl Iterator<Item = &Condition> {
    rulebook
        .flows
        .iter()
        .filter(|flow| flow.kind != FlowKind::Dialogue)
        .flat_map(|flow| &flow.ifs)
        .flat_map(|decision| &decision.arms)
        .flat_map(|arm| arm.condition.leaves())
}

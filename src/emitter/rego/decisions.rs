//! The decisions: the words of all flows on each tool, combined in the order of contract
//! section 4.
//!
//! Guards are combined once, as prefixes of their list, so that a tool's chain names one rule for
//! all guards before each of its flows: the size is guards + tools, not guards x tools.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::blocks::{self, BLOCK};
use super::flow::{Role, Verdict, Words, word_rule};
use super::leaves::Vocabulary;
use super::tree::{Body, Case, Expression, Item, Rule, Statement};
use crate::ir::{Flow, FlowKind, RULE_NO_MATCH, Rulebook, Tool, Word};

/// Most words that a tool's chain lists by themselves. Interpreters compile a chain of `else` in
/// time quadratic in its length: 300 take a tenth of a second, 3,000 ten.
const MAX_LISTED: usize = 64;

/// Who decides on what.
#[derive(Debug)]
pub struct Combination<'a> {
    rulebook: &'a Rulebook,
    /// The flows that guard or govern, in source order.
    flows: Vec<&'a Flow>,
    /// The tools that a flow governs, with their numbers from 1, by the flow's id.
    tools: BTreeMap<&'a str, Vec<(usize, &'a Tool)>>,
    guards: usize,
    /// By id of a governing flow, the number of guards before it.
    guards_before: BTreeMap<&'a str, usize>,
}

/// The words of all flows, by flow.
pub type WordsOf<'a> = BTreeMap<&'a str, Words<'a>>;

impl<'a> Combination<'a> {
    /// Reads who decides on what.
    pub fn of(rulebook: &'a Rulebook) -> Self {
        let mut tools = BTreeMap::<_, Vec<_>>::new();
        for (number, tool) in (1..).zip(&rulebook.tools) {
            for flow in &tool.flows {
                tools.entry(flow.as_str()).or_default().push((number, tool));
            }
        }
        let speaks = |flow: &&Flow| match flow.kind {
            FlowKind::Guard => true,
            FlowKind::Governing => tools.contains_key(flow.id.as_str()),
            FlowKind::Dialogue => false,
        };
        let flows = rulebook.flows.iter().filter(speaks).collect::<Vec<_>>();
        let mut guards = 0;
        let mut guards_before = BTreeMap::new();
        for flow in &flows {
            if flow.kind == FlowKind::Guard {
                guards += 1;
            } else {
                guards_before.insert(flow.id.as_str(), guards);
            }
        }
        Self {
            rulebook,
            guards,
            guards_before,
            flows,
            tools,
        }
    }

    /// What a flow is to the decisions; nothing for dialogue.
    pub fn role(&self, flow: &Flow) -> Option<Role<'a>> {
        if flow.kind == FlowKind::Guard {
            return Some(Role::Guard);
        }
        let tools = self
            .tools
            .get(flow.id.as_str())
            .filter(|_| flow.kind == FlowKind::Governing)?;
        Some(match tools.as_slice() {
            [(_, tool)] if self.is_alone(tool) => Role::Alone { tool: &tool.name },
            _ => Role::Combined {
                tools: tools
                    .iter()
                    .map(|(number, tool)| (*number, tool.name.as_str()))
                    .collect(),
            },
        })
    }

    /// Whether one flow of one tool decides on the tool, and no guard.
    fn is_alone(&self, tool: &Tool) -> bool {
        let [flow] = tool.flows.as_slice() else {
            return false;
        };
        let tools = self.tools.get(flow.as_str());
        self.guards == 0 && tools.is_some_and(|tools| tools.len() == 1)
    }

    /// The rules from `decision` down to one that names a flow's branches, at most.
    pub fn levels_above(&self, role: &Role<'_>) -> usize {
        let longest = self.rulebook.tools.iter().map(|tool| tool.flows.len());
        // A tool's chain lists each of its flows twice at most (on every tool, on this one), and
        // the guards before each.
        let listed = longest.max().unwrap_or(0).saturating_mul(3) + 1;
        let chain = 2 + blocks::levels(listed, MAX_LISTED);
        match role {
            Role::Alone { .. } => 1,
            Role::Combined { .. } => chain,
            Role::Guard => chain + 1 + blocks::levels(self.guards, BLOCK),
        }
    }

    /// The rules from the guards' prefixes to the end of the package.
    pub fn decisions(&self, words: &WordsOf<'a>, vocabulary: &mut Vocabulary) -> Vec<Item> {
        let mut guards = Guards::of(&self.flows, words);
        let mut decisions = Vec::new();
        for (number, tool) in (1..).zip(&self.rulebook.tools) {
            let name = vocabulary.text(&tool.name);
            let is_called = Statement::Holds(Expression::binary(
                Expression::name("input.tool"),
                "==",
                name,
            ));
            let alone = tool
                .flows
                .first()
                .and_then(|flow| words.get(flow.as_str()).map(|words| (flow, words)))
                .filter(|_| self.is_alone(tool));
            if let Some((flow, words)) = alone {
                decisions.extend(decisions_alone(flow, words, &is_called, vocabulary));
            } else if !tool.flows.is_empty() {
                decisions.extend(self.chain(number, tool, &is_called, words, &mut guards));
            }
        }
        if self.guards > 0 {
            decisions.extend(self.last_chain(&mut guards, vocabulary));
        }
        let mut items = guards.refusals.into_items();
        items.extend(guards.clarifications.into_items());
        items.extend(decisions);
        items
    }

    /// The chain of a tool.
    fn chain(
        &self,
        number: usize,
        tool: &Tool,
        is_called: &Statement,
        words: &WordsOf<'a>,
        guards: &mut Guards,
    ) -> Vec<Item> {
        let mut refusals = Ordered::new(format!("t{number}_refuse"));
        let mut clarifications = Ordered::new(format!("t{number}_clarify"));
        let mut allowances = Ordered::new(format!("t{number}_allow"));
        for flow in &tool.flows {
            let Some(&guards_before) = self.guards_before.get(flow.as_str()) else {
                continue;
            };
            guards.name_into(guards_before, &mut refusals, &mut clarifications);
            for key in [0, number] {
                let Some(words) = words.get(flow.as_str()) else {
                    continue;
                };
                for (verdict, list) in [
                    (Verdict::Refuse, &mut refusals),
                    (Verdict::Clarify, &mut clarifications),
                    (Verdict::Allow, &mut allowances),
                ] {
                    if words.has(key, verdict) {
                        list.push(word_rule(flow, key, verdict));
                    }
                }
            }
        }
        guards.name_into(self.guards, &mut refusals, &mut clarifications);
        let mut cases = Vec::new();
        for (verdict, list) in [
            (Verdict::Refuse, &mut refusals),
            (Verdict::Clarify, &mut clarifications),
        ] {
            for name in list.cover(list.items.len(), MAX_LISTED) {
                cases.push(case_by_rule(verdict, is_called.clone(), name));
            }
        }
        for name in allowances.cover(allowances.items.len(), MAX_LISTED) {
            let body = Body::Block(vec![is_called.clone(), Statement::rule(name)]);
            cases.push(decision_case("allow", Expression::text(""), body));
        }
        let no_match = Expression::text(RULE_NO_MATCH);
        let otherwise = Body::Block(vec![is_called.clone()]);
        cases.push(decision_case("refuse", no_match, otherwise));
        let mut items = refusals.block_items();
        items.extend(clarifications.block_items());
        items.extend(allowances.any_block_items());
        items.push(Item::Rule(Rule::chain("decision", cases)));
        items
    }

    /// What guards say on calls of tools that no flow governs.
    fn last_chain(&self, guards: &mut Guards, vocabulary: &mut Vocabulary) -> Vec<Item> {
        let mut items = Vec::new();
        let governed = self
            .rulebook
            .tools
            .iter()
            .filter(|tool| !tool.flows.is_empty());
        for tool in governed {
            let name = vocabulary.text(&tool.name);
            let is_called = Expression::binary(Expression::name("input.tool"), "==", name);
            let body = Body::Line(Statement::Holds(is_called));
            items.push(Item::Rule(Rule::new("governed", Case::truth(body))));
        }
        // Without such a rule its name would mean nothing.
        let is_governed = !items.is_empty();
        let mut refusals = Ordered::new(String::new());
        let mut clarifications = Ordered::new(String::new());
        guards.name_into(self.guards, &mut refusals, &mut clarifications);
        let mut cases = Vec::new();
        for (verdict, list) in [
            (Verdict::Refuse, refusals),
            (Verdict::Clarify, clarifications),
        ] {
            for name in list.items {
                cases.push(if is_governed {
                    case_by_rule(verdict, Statement::no_rule("governed"), name)
                } else {
                    let body = Body::Block(vec![rule_is(name)]);
                    decision_case(verdict.word(), Expression::name("rule"), body)
                });
            }
        }
        items.push(Item::Rule(Rule::chain("decision", cases)));
        items
    }
}

/// The decisions on a tool that one flow alone decides on: a rule a branch, and one for when no
/// branch is first.
fn decisions_alone(
    flow: &str,
    words: &Words<'_>,
    is_called: &Statement,
    vocabulary: &mut Vocabulary,
) -> Vec<Item> {
    let mut cases = Vec::new();
    for (branch, word) in &words.branches {
        let verdict = match word {
            Word::Allow => "allow",
            Word::Clarify(_) => "clarify",
            Word::Refuse(_) | Word::NoMatch => "refuse",
        };
        let first = Statement::rule(format!("{branch}_first"));
        let body = Body::Block(vec![is_called.clone(), first]);
        cases.push(decision_case(verdict, vocabulary.text(word.rule()), body));
    }
    let undecided = Statement::no_rule(format!("{flow}_any"));
    let body = Body::Block(vec![is_called.clone(), undecided]);
    cases.push(decision_case(
        "refuse",
        Expression::text(RULE_NO_MATCH),
        body,
    ));
    let rules = cases.into_iter().map(|case| Rule::new("decision", case));
    rules.map(Item::Rule).collect()
}

fn decision_case(verdict: &'static str, rule: Expression, body: Body) -> Case {
    Case::value(Expression::decision(verdict, rule), body)
}

/// A case whose rule is the value of another rule, where that has one.
fn case_by_rule(verdict: Verdict, condition: Statement, name: String) -> Case {
    let body = Body::Block(vec![condition, rule_is(name)]);
    decision_case(verdict.word(), Expression::name("rule"), body)
}

fn rule_is(name: String) -> Statement {
    Statement::Assign("rule".to_owned(), Expression::name(name))
}

/// The guards' words.
struct Guards {
    refusals: Prefixes,
    clarifications: Prefixes,
}

impl Guards {
    fn of(flows: &[&Flow], words: &WordsOf<'_>) -> Self {
        let prefixes = |verdict: Verdict| {
            let mut list = Ordered::new(format!("guards_{}", verdict.word()));
            let mut counts = vec![0];
            for flow in flows.iter().filter(|flow| flow.kind == FlowKind::Guard) {
                let words = words.get(flow.id.as_str());
                if words.is_some_and(|words| words.has(0, verdict)) {
                    list.push(word_rule(&flow.id, 0, verdict));
                }
                counts.push(list.items.len());
            }
            Prefixes {
                list,
                counts,
                named: BTreeSet::new(),
            }
        };
        Self {
            refusals: prefixes(Verdict::Refuse),
            clarifications: prefixes(Verdict::Clarify),
        }
    }

    /// Appends the first `guards` guards to a tool's lists.
    fn name_into(&mut self, guards: usize, refusals: &mut Ordered, clarifications: &mut Ordered) {
        self.refusals.name_into(guards, refusals);
        self.clarifications.name_into(guards, clarifications);
    }
}

/// The first word among the first guards, for each number of guards that a chain names.
struct Prefixes {
    list: Ordered,
    /// How many of the first guards are in the list, by the number of guards.
    counts: Vec<usize>,
    named: BTreeSet<usize>,
}

impl Prefixes {
    fn name_into(&mut self, guards: usize, list: &mut Ordered) {
        // The same words are named once: by the least number of guards that has them all.
        let count = self.counts.get(guards).copied().unwrap_or(0);
        let least = self.counts.partition_point(|one| *one < count);
        let name = format!("{}_{least}", self.list.base);
        if least > list.guards {
            list.guards = least;
            self.named.insert(least);
            list.push(name);
        }
    }

    fn into_items(mut self) -> Vec<Item> {
        let mut prefixes = Vec::new();
        for guards in std::mem::take(&mut self.named) {
            let count = self.counts.get(guards).copied().unwrap_or(0);
            let names = self.list.cover(count, BLOCK);
            let name = format!("{}_{guards}", self.list.base);
            prefixes.push(Item::Rule(Rule::chain(name, first_of(names))));
        }
        let mut items = self.list.block_items();
        items.extend(prefixes);
        items
    }
}

/// The cases of a rule whose value is that of the first of these rules that has one.
fn first_of(names: Vec<String>) -> Vec<Case> {
    let case = |name| Case::value(Expression::name("rule"), Body::Line(rule_is(name)));
    names.into_iter().map(case).collect()
}

/// Names of rules, of which the first that has a value counts.
struct Ordered {
    base: String,
    items: Vec<String>,
    /// The guards that the last prefix among the items stands for.
    guards: usize,
    /// The blocks that are named.
    blocks: Vec<Range<usize>>,
}

impl Ordered {
    fn new(base: String) -> Self {
        Self {
            base,
            items: Vec::new(),
            guards: 0,
            blocks: Vec::new(),
        }
    }

    fn push(&mut self, name: String) {
        self.items.push(name);
    }

    /// The first `count` items as a chain lists them.
    fn cover(&mut self, count: usize, listed: usize) -> Vec<String> {
        let ranges = blocks::cover(count, listed);
        self.blocks
            .extend(ranges.iter().filter(|range| range.len() > 1).cloned());
        ranges.iter().map(|range| self.name(range)).collect()
    }

    fn name(&self, range: &Range<usize>) -> String {
        match range.len() {
            1 => self.items.get(range.start).cloned().unwrap_or_default(),
            _ => format!("{}_block_{}_to_{}", self.base, range.start + 1, range.end),
        }
    }

    /// The rules of the blocks that are named, for items with values.
    fn block_items(&self) -> Vec<Item> {
        let rule = |block: &Range<usize>| {
            let names = blocks::members(block).map(|member| self.name(&member));
            Item::Rule(Rule::chain(self.name(block), first_of(names.collect())))
        };
        blocks::with_inner(self.blocks.iter().cloned())
            .iter()
            .map(rule)
            .collect()
    }

    /// The rules of the blocks that are named, for items that are true or not.
    fn any_block_items(&self) -> Vec<Item> {
        let rules = |block: Range<usize>| {
            let name = self.name(&block);
            blocks::members(&block).map(move |member| {
                let body = Body::Line(Statement::rule(self.name(&member)));
                Item::Rule(Rule::new(name.clone(), Case::truth(body)))
            })
        };
        blocks::with_inner(self.blocks.iter().cloned())
            .into_iter()
            .flat_map(rules)
            .collect()
    }
}

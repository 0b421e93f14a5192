//! The rules of one flow: its branches, and its words as far as they are to be combined.

mod conditions;

use std::collections::{BTreeMap, BTreeSet};

use super::blocks::{self, BLOCK};
use super::leaves::Vocabulary;
use super::tree::{Body, Case, Expression, Item, Rule, Statement};
use crate::diagnostics::Diagnostic;
use crate::ir::{BranchSummary, Flow, RULE_NO_MATCH, Word};

use conditions::Conditions;

/// What the decisions need of a flow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role<'a> {
    /// It guards every call.
    Guard,
    /// It alone decides on its one tool.
    Alone {
        /// That tool.
        tool: &'a str,
    },
    /// Its words are combined with others, or it has several tools.
    Combined {
        /// Its tools by their places in the rulebook, from 1.
        tools: Vec<(usize, &'a str)>,
    },
}

/// A flow's section.
#[derive(Debug)]
pub struct FlowRules<'a> {
    /// The rules, behind a comment that names the flow.
    pub items: Vec<Item>,
    /// What there is for the decisions to name.
    pub words: Words<'a>,
}

/// What a flow can say.
#[derive(Debug, Default)]
pub struct Words<'a> {
    /// Of a flow that decides alone, the word of each branch.
    pub branches: Vec<(&'a str, Word<'a>)>,
    /// The names of the rules that hold refusals, clarifications and allowances: on every tool
    /// under 0, else on the tool of that number.
    pub rules: BTreeMap<usize, BTreeSet<Verdict>>,
}

/// What a rule of a flow says, in the order in which words win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// `f<n>_refuse`, the value is the rule's name.
    Refuse,
    /// `f<n>_clarify`, the value is the question.
    Clarify,
    /// `f<n>_t<k>_allow`, true.
    Allow,
}

impl Verdict {
    /// The word in decisions and in names of rules.
    pub fn word(self) -> &'static str {
        match self {
            Self::Refuse => "refuse",
            Self::Clarify => "clarify",
            Self::Allow => "allow",
        }
    }
}

impl Words<'_> {
    /// Whether there is a rule of this verdict, on every tool (0) or on one.
    pub fn has(&self, tool: usize, verdict: Verdict) -> bool {
        self.rules
            .get(&tool)
            .is_some_and(|verdicts| verdicts.contains(&verdict))
    }
}

/// The name of the rule by which a flow speaks, on every tool (0) or on one.
pub fn word_rule(flow: &str, tool: usize, verdict: Verdict) -> String {
    match tool {
        0 => format!("{flow}_{}", verdict.word()),
        _ => format!("{flow}_t{tool}_{}", verdict.word()),
    }
}

/// The rules of a flow.
///
/// `levels_above` counts the rules from `decision` down to the one that names this flow's
/// branches, that one included.
///
/// # Errors
/// A condition that nests `or` in `and` too deeply.
pub fn rules<'a>(
    flow: &'a Flow,
    role: &Role<'a>,
    levels_above: usize,
    vocabulary: &mut Vocabulary,
) -> Result<FlowRules<'a>, Diagnostic> {
    // Between a word and a leaf: `first`, blocks of earlier branches, `holds`, `enclosing`.
    let earlier = blocks::levels(flow.branches.len().saturating_sub(1), BLOCK);
    let mut conditions = Conditions::of(flow, levels_above + 1 + earlier + 2, vocabulary);
    let mut branches = Vec::new();
    for (index, branch) in flow.branches.iter().enumerate() {
        let lists = conditions.lists(branch)?;
        let id = &branch.id;
        let enclosing = conditions.statements(&lists.enclosing).collect();
        let mut holds = vec![Statement::rule(format!("{id}_enclosing"))];
        holds.extend(conditions.statements(&lists.passed));
        let mut first = vec![Statement::rule(format!("{id}_holds"))];
        first.extend(
            blocks::cover(index, BLOCK)
                .iter()
                .map(|earlier| Statement::no_rule(holds_rule(flow, earlier.start, earlier.end))),
        );
        for (suffix, body) in [
            ("enclosing", Body::block(enclosing)),
            ("holds", Body::block(holds)),
            ("first", Body::block(first)),
        ] {
            branches.push(rule(format!("{id}_{suffix}"), Case::truth(body)));
        }
        branches.extend(earlier_blocks(flow, index + 1));
    }
    let mut items = vec![Item::FlowComment(flow.name.clone())];
    items.append(&mut conditions.into_items());
    items.append(&mut branches);
    items.extend(any_rules(flow));
    let mut words = Words::default();
    items.extend(word_rules(flow, role, &mut words, vocabulary));
    Ok(FlowRules { items, words })
}

/// The rule that is true when any branch of the range (from 0) holds.
fn holds_rule(flow: &Flow, start: usize, end: usize) -> String {
    if end - start == 1 {
        format!("{}_b{end}_holds", flow.id)
    } else {
        format!("{}_b{}_to_b{end}_holds", flow.id, start + 1)
    }
}

/// The blocks that end with the branch of this number, where later branches list them.
fn earlier_blocks(flow: &Flow, number: usize) -> Vec<Item> {
    let mut items = Vec::new();
    for size in [BLOCK, BLOCK * BLOCK] {
        // The branch behind the first block lists its 16 branches one by one.
        let is_listed = flow.branches.len() > number.max(BLOCK + 1);
        if number.is_multiple_of(size) && is_listed {
            let block = number - size..number;
            items.extend(blocks::members(&block).map(|member| {
                let body = Body::Line(Statement::rule(holds_rule(flow, member.start, member.end)));
                rule(holds_rule(flow, block.start, block.end), Case::truth(body))
            }));
        }
    }
    items
}

/// `f<n>_any`: some branch is first, whether it has a word or not.
fn any_rules(flow: &Flow) -> Vec<Item> {
    let name = format!("{}_any", flow.id);
    if flow.branches.is_empty() {
        let never = Statement::Holds(Expression::Bool(false));
        return vec![rule(name, Case::truth(Body::Block(vec![never])))];
    }
    let branches = flow.branches.iter();
    branches
        .map(|branch| {
            let first = Statement::rule(format!("{}_first", branch.id));
            rule(name.clone(), Case::truth(Body::Line(first)))
        })
        .collect()
}

/// The rules by which a flow's words are combined with others. Branches exclude one another, and
/// `first` makes sure of it, so that no two of these can differ.
fn word_rules<'a>(
    flow: &'a Flow,
    role: &Role<'a>,
    words: &mut Words<'a>,
    vocabulary: &mut Vocabulary,
) -> Vec<Item> {
    let mut spoken = Vec::new();
    for branch in &flow.branches {
        let summary = BranchSummary::of(branch);
        let mut say = |tool, word| spoken.push((tool, word, branch.id.as_str()));
        match role {
            Role::Guard => {
                if let Some(word) = summary.guard_word() {
                    say(0, word);
                }
            }
            Role::Alone { tool } => words.branches.push((&branch.id, summary.word(tool))),
            Role::Combined { .. } if summary.runs().next().is_none() => say(0, summary.word("")),
            Role::Combined { tools } => {
                for (number, tool) in tools {
                    say(*number, summary.word(tool));
                }
            }
        }
    }
    let mut items = BTreeMap::<_, Vec<Item>>::new();
    let mut push = |tool, verdict, value: Option<Expression>, body| {
        words.rules.entry(tool).or_default().insert(verdict);
        let case = Case { value, body };
        let name = word_rule(&flow.id, tool, verdict);
        items
            .entry((tool, verdict))
            .or_default()
            .push(rule(name, case));
    };
    for (tool, word, branch) in spoken {
        let verdict = match word {
            Word::Refuse(_) => Verdict::Refuse,
            Word::Clarify(_) => Verdict::Clarify,
            Word::Allow => Verdict::Allow,
            Word::NoMatch => continue,
        };
        let value = (verdict != Verdict::Allow).then(|| vocabulary.text(word.rule()));
        let first = Statement::rule(format!("{branch}_first"));
        push(tool, verdict, value, Body::Line(first));
    }
    if !matches!(role, Role::Alone { .. }) {
        let undecided = Statement::no_rule(format!("{}_any", flow.id));
        let value = Some(Expression::text(RULE_NO_MATCH));
        push(0, Verdict::Refuse, value, Body::Line(undecided));
    }
    items.into_values().flatten().collect()
}

fn rule(name: String, case: Case) -> Item {
    Item::Rule(Rule::new(name, case))
}

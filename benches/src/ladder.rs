//! What the peers and the floor are given: flows that are one ladder of `if` and `else if`, each
//! governing a tool of its own. The benchmarks' rulebooks are of this kind.

use stalwart::evaluator::Verdict;
use stalwart::ir::{BranchSummary, Condition, Flow, FlowKind, Rulebook, Tool, Word};

/// A verdict and its rule.
pub type Answer<'a> = (Verdict, &'a str);

/// One tool's flow: the first rung whose condition holds answers.
pub struct Ladder<'a> {
    pub tool: &'a Tool,
    pub flow: &'a Flow,
    pub rungs: Vec<Rung<'a>>,
}

/// A branch of the flow.
pub struct Rung<'a> {
    /// Its arm's condition; none for passing all arms.
    pub condition: Option<&'a Condition>,
    pub answer: Answer<'a>,
}

impl Rung<'_> {
    pub fn allows(&self) -> bool {
        self.answer.0 == Verdict::Allow
    }
}

/// The ladders of a rulebook, by tool; none when one of its flows is anything else.
pub fn ladders(rulebook: &Rulebook) -> Option<Vec<Ladder<'_>>> {
    if rulebook.flows.len() != rulebook.tools.len() {
        return None;
    }
    rulebook
        .tools
        .iter()
        .map(|tool| {
            let [id] = tool.flows.as_slice() else {
                return None;
            };
            let flow = rulebook.flows.iter().find(|flow| flow.id == *id)?;
            let rungs = rungs(flow, &tool.name)?;
            Some(Ladder { tool, flow, rungs })
        })
        .collect()
}

fn rungs<'a>(flow: &'a Flow, tool: &str) -> Option<Vec<Rung<'a>>> {
    let [decision] = flow.ifs.as_slice() else {
        return None;
    };
    if flow.kind != FlowKind::Governing {
        return None;
    }
    let mut arms = decision.arms.iter().zip(1..);
    flow.branches
        .iter()
        .map(|branch| {
            let [choice] = branch.path.as_slice() else {
                return None;
            };
            let condition = match arms.next() {
                Some((arm, number)) if choice.arm == Some(number) => Some(&arm.condition),
                None if choice.passed => None,
                _ => return None,
            };
            let answer = match BranchSummary::of(branch).word(tool) {
                Word::Allow => (Verdict::Allow, ""),
                Word::Clarify(rule) => (Verdict::Clarify, rule),
                Word::Refuse(rule) => (Verdict::Refuse, rule),
                Word::NoMatch => (Verdict::Refuse, "no_match"),
            };
            Some(Rung { condition, answer })
        })
        .collect()
}

/// A condition of booleans in the syntax that Cedar and CEL share; `read` writes a name.
pub fn expression(condition: &Condition, read: &impl Fn(&str) -> String) -> String {
    let joined = |parts: &[Condition], operator: &str| {
        let parts: Vec<String> = parts.iter().map(|part| expression(part, read)).collect();
        format!("({})", parts.join(operator))
    };
    match condition {
        Condition::All(parts) => joined(parts, " && "),
        Condition::Any(parts) => joined(parts, " || "),
        Condition::Const(value) => value.to_string(),
        Condition::IsTrue(name) => read(&name.join(".")),
        Condition::NotTrue(name) => format!("!{}", read(&name.join("."))),
        Condition::Compare(_) | Condition::OneOf(_) => {
            unimplemented!("the benchmarks' rulebooks compare nothing")
        }
    }
}

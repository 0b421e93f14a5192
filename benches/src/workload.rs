//! What is decided: a rulebook and calls prepared for it.

use stalwart::compiler::{Depth, compile};
use stalwart::evaluator::{self, Decision, Verdict};
use stalwart::ir::Rulebook;

use crate::{Sequence, large};

/// Calls of each workload. Entrants go through all of them in turn, so that neither one context
/// nor one tool stays in the nearest cache.
pub const CALLS: usize = 256;

/// A rulebook and calls of it.
pub struct Workload {
    pub name: &'static str,
    pub rulebook: Rulebook,
    pub calls: Vec<Call>,
}

/// A call: a governed tool, and a context that has every name of the rulebook.
pub struct Call {
    pub tool: String,
    /// The host's order, which is not the rulebook's.
    pub context: Vec<(String, bool)>,
    /// The context as JSON, without blanks.
    pub json: String,
    /// What the evaluator says.
    pub decision: Decision,
}

impl Workload {
    /// One tool, one boolean.
    pub fn shop() -> Self {
        let text = include_str!("../../fixtures/shop/policy.co");
        Self::new("shop", text, "stalwart.shop")
    }

    /// 200 tools, 64 booleans.
    pub fn large() -> Self {
        Self::new("large", &large(200), "stalwart.large")
    }

    /// Its name and its size.
    pub fn title(&self) -> String {
        let count = |count: usize, what: &str| match count {
            1 => format!("one {what}"),
            count => format!("{count} {what}s"),
        };
        let tools = count(self.rulebook.tools.len(), "tool");
        let names = count(self.rulebook.context.len(), "boolean");
        format!("{}: {tools}, {names}", self.name)
    }

    fn new(name: &'static str, text: &str, package: &str) -> Self {
        let rulebook = compile("policy.co", text.as_bytes(), package, Depth::Errors)
            .rulebook
            .expect("the benchmarks' rulebooks have no errors");
        let mut sequence = Sequence::new(2);
        let mut names: Vec<String> = rulebook
            .context
            .iter()
            .map(|it| it.name.join("."))
            .collect();
        for last in (1..names.len()).rev() {
            names.swap(last, sequence.below(last + 1));
        }
        let calls = (0..CALLS)
            .map(|_| {
                let tool = &rulebook.tools[sequence.below(rulebook.tools.len())].name;
                let context = names
                    .iter()
                    .map(|name| (name.clone(), sequence.below(2) == 1));
                Call::new(&rulebook, tool, context.collect())
            })
            .collect();
        Self {
            name,
            rulebook,
            calls,
        }
    }
}

impl Call {
    /// Whether the evaluator allows it.
    pub fn is_allowed(&self) -> bool {
        self.decision.decision == Verdict::Allow
    }

    fn new(rulebook: &Rulebook, tool: &str, context: Vec<(String, bool)>) -> Self {
        let entries: Vec<String> = context
            .iter()
            .map(|(name, value)| format!("\"{name}\":{value}"))
            .collect();
        let json = format!("{{{}}}", entries.join(","));
        let input = format!("{{\"tool\":\"{tool}\",\"context\":{json}}}");
        let input = stalwart::json::parse(input.as_bytes()).expect("it is JSON");
        Self {
            tool: tool.to_owned(),
            context,
            json,
            decision: evaluator::decide(rulebook, &input),
        }
    }
}

//! Policies, runs and calls to check.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;
use serde_json::{Value, json};
use stalwart::catalogue::{Agent, Catalogue, FORMAT, OperationType, OrderRule, Tool, Ungoverned};
use stalwart::compiler::{Depth, compile};
use stalwart::json::Bounds;
use stalwart::tool_check::{Arguments, Context, Examined, Facts, Policy, Verdict, check};

/// Bounds of arguments in tests.
pub const BOUNDS: Bounds = Bounds {
    bytes: 64 * 1024,
    depth: 32,
};

/// A read of any arguments.
pub fn read() -> Tool {
    Tool {
        confirm: None,
        context_arguments: BTreeSet::new(),
        input_schema: json!({"type": "object"}),
        operation_type: OperationType::ReadOnly,
        outside: false,
        require_confirmation: false,
        undo: None,
    }
}

/// A write of any arguments, which is asked about.
pub fn write() -> Tool {
    Tool {
        operation_type: OperationType::Transactional,
        require_confirmation: true,
        ..read()
    }
}

/// A tool with a schema.
pub fn with_schema(tool: Tool, input_schema: Value) -> Tool {
    Tool {
        input_schema,
        ..tool
    }
}

/// A catalogue whose one agent `desk` has all tools.
pub fn catalogue(rulebook: &str, tools: &[(&str, Tool)]) -> Catalogue {
    let compilation = compile(
        "policy.co",
        rulebook.as_bytes(),
        "suite.gateway",
        Depth::Errors,
    );
    let Some(rulebook) = compilation.rulebook else {
        panic!("{:?}", compilation.diagnostics);
    };
    let tools: BTreeMap<String, Tool> = tools
        .iter()
        .map(|(name, tool)| ((*name).to_owned(), tool.clone()))
        .collect();
    let desk = Agent {
        tools: tools.keys().cloned().collect(),
        ..Agent::default()
    };
    Catalogue {
        agents: BTreeMap::from([("desk".to_owned(), desk)]),
        format: FORMAT.to_owned(),
        order: Vec::new(),
        pins: None,
        rulebook,
        sources: Vec::new(),
        tools,
        ungoverned: Ungoverned::Allow,
    }
}

/// A policy over a catalogue.
pub fn policy(catalogue: Catalogue) -> Policy {
    Policy::new(catalogue, "policy-hash".to_owned()).unwrap()
}

/// `after`
pub fn after(tool: &str, after: &str) -> OrderRule {
    OrderRule::After {
        after: after.to_owned(),
        tool: tool.to_owned(),
    }
}

/// `at_most`
pub fn at_most(tool: &str, at_most: u64) -> OrderRule {
    OrderRule::AtMost {
        at_most,
        tool: tool.to_owned(),
    }
}

/// Arguments from a client's text.
pub fn arguments(text: &str) -> Arguments {
    Arguments::read(Some(text), BOUNDS).unwrap()
}

/// The digest that tests use: the canonical text itself.
pub fn digest(arguments: &Arguments) -> String {
    arguments.digest(&|bytes| String::from_utf8(bytes.to_vec()).unwrap())
}

/// What a run knows.
#[derive(Clone, Debug, Default)]
pub struct Known {
    pub succeeded: BTreeSet<String>,
    pub counts: BTreeMap<String, u64>,
    pub marks: BTreeSet<String>,
    pub declined: bool,
    pub ambiguous: bool,
    pub has_no_history: bool,
}

impl Known {
    /// A run that `read_inbox` marked.
    pub fn marked() -> Self {
        Self {
            marks: BTreeSet::from(["read_inbox".to_owned()]),
            ..Self::default()
        }
    }
}

impl Facts for Known {
    type Error = Infallible;

    fn has_succeeded(&mut self, tool: &str) -> Result<bool, Infallible> {
        Ok(self.succeeded.contains(tool))
    }

    fn count_calls(&mut self, tool: &str) -> Result<u64, Infallible> {
        Ok(self.counts.get(tool).copied().unwrap_or(0))
    }

    fn marks(&mut self) -> Result<BTreeSet<String>, Infallible> {
        Ok(self.marks.clone())
    }

    fn is_declined(&mut self, _: &str, _: &str) -> Result<bool, Infallible> {
        Ok(self.declined)
    }

    fn has_ambiguous(&mut self, _: &str, _: &str) -> Result<bool, Infallible> {
        Ok(self.ambiguous)
    }

    fn has_history(&self) -> bool {
        !self.has_no_history
    }
}

/// One call of `desk`.
pub struct Trial<'p> {
    pub policy: &'p Policy,
    pub known: Known,
    pub context: Value,
    pub can_be_asked: bool,
}

impl<'p> Trial<'p> {
    /// A call by a client that can be asked, in a fresh run, with an empty context.
    pub fn of(policy: &'p Policy) -> Self {
        Self {
            policy,
            known: Known::default(),
            context: json!({}),
            can_be_asked: true,
        }
    }

    pub fn check(&self, tool: &str, text: &str) -> Verdict {
        self.check_with(tool, text, Context::Known(&self.context))
    }

    pub fn check_with(&self, tool: &str, text: &str, context: Context<'_>) -> Verdict {
        let arguments = arguments(text);
        let digest = digest(&arguments);
        let call = Examined {
            agent: "desk",
            tool,
            arguments: &arguments,
            digest: &digest,
            can_be_asked: self.can_be_asked,
        };
        let Ok(verdict) = check(self.policy, &call, &mut self.known.clone(), context);
        verdict
    }
}

/// A verdict in a word: `run`, `context`, `ask`, or the reason of a refusal.
pub fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Allow { .. } => "run",
        Verdict::NeedsContext => "context",
        Verdict::Ask(_) => "ask",
        Verdict::Block(refusal) => refusal.reason.as_str(),
    }
}

/// The text of a refusal.
pub fn refusal_text(verdict: &Verdict) -> &str {
    match verdict {
        Verdict::Block(refusal) => &refusal.text,
        other => panic!("not refused: {other:?}"),
    }
}

/// A number that the environment may change.
fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().unwrap())
}

/// How random tests run: the same today and tomorrow, unless `STALWART_SEED` or `STALWART_CASES`
/// say otherwise.
pub fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases: cases * u32::try_from(setting("STALWART_CASES", 1)).unwrap(),
        rng_seed: RngSeed::Fixed(setting("STALWART_SEED", 20_261_130)),
        failure_persistence: None,
        max_shrink_iters: 4_000,
        ..ProptestConfig::default()
    }
}

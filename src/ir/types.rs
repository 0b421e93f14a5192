//! The types of `rulebook.ir.json`.
//!
//! Fields stand in alphabetical order, so that the file has sorted keys as it is written.

use schemars::JsonSchema;
use serde::Serialize;

use super::Number;

/// The value of [`Rulebook::format`].
pub const FORMAT: &str = "rulebook-ir/1";

/// A compiled rulebook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rulebook {
    /// The context names that conditions read or that are declared, by name.
    pub context: Vec<ContextName>,
    /// All flows (not subflows, which are inlined), in source order.
    pub flows: Vec<Flow>,
    /// `rulebook-ir/1`.
    pub format: String,
    /// The messages that flows say or that are defined, by name.
    pub messages: Vec<Message>,
    /// The Rego package, dotted.
    pub package: String,
    /// The source it was compiled from.
    pub source: SourceFile,
    /// The governed tools, in the order of their first `execute`.
    pub tools: Vec<Tool>,
}

/// A context name and its type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContextName {
    /// The segments of the name.
    pub name: Name,
    /// The type of value that conditions expect.
    #[serde(rename = "type")]
    pub value_type: ValueType,
}

/// A context name: one segment, or the segments of a dotted path. In guard flows the one
/// segment `tool_name` is the name of the tool called.
pub type Name = Vec<String>;

/// The name of the called tool in a guard flow.
pub const TOOL_NAME: &str = "tool_name";

/// Whether a name is `$tool_name`.
pub fn is_tool_name(name: &[String]) -> bool {
    matches!(name, [segment] if segment == TOOL_NAME)
}

/// Types of context values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ValueType {
    /// A JSON boolean.
    Bool,
    /// A JSON number.
    Number,
    /// A JSON string.
    String,
}

/// A message and its wordings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// The name.
    pub name: String,
    /// The wordings, in source order; without any, the name is the wording.
    pub wordings: Vec<String>,
}

/// Where the rulebook came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceFile {
    /// The last component of the source file's path.
    pub file: String,
    /// SHA-256 of the normalised text, in lower-case hexadecimal digits.
    pub sha256: String,
}

/// A governed tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// Ids of its governing flows, in source order.
    pub flows: Vec<String>,
    /// The tool's name.
    pub name: String,
}

/// A flow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Flow {
    /// Its branches in order; none for dialogue flows, whose paths decide nothing.
    pub branches: Vec<Branch>,
    /// `f<n>`, n counting the rulebook's flows from 1.
    pub id: String,
    /// The `if`s that its branches meet; none for dialogue flows.
    pub ifs: Vec<If>,
    /// Whether it speaks, and on which tools.
    pub kind: FlowKind,
    /// Line of its definition, from 1.
    pub line: usize,
    /// Its name.
    pub name: String,
}

/// The kinds of flow (contract section 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FlowKind {
    /// It executes tools and speaks on these.
    Governing,
    /// It executes nothing and speaks on every call where it stops.
    Guard,
    /// It says nothing on any tool.
    Dialogue,
}

/// An `if` of a flow, subflows inlined: one per place it is met at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct If {
    /// Its arms, in source order.
    pub arms: Vec<Arm>,
    /// `f<n>_i<k>`, k counting the flow's `if`s from 1 in the order they are met.
    pub id: String,
    /// Line of the `if`, from 1.
    pub line: usize,
}

/// One arm of an `if`; an `else` has the condition `{"const": true}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arm {
    /// What holds when the condition is false: the condition's `not`, pushed down to the leaves.
    pub complement: Condition,
    /// What holds when the condition is true.
    pub condition: Condition,
    /// Line of the arm, from 1.
    pub line: usize,
}

/// A condition without `not`: it is true, false, or neither where a comparison lacks its value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Condition {
    /// All of them (Kleene's `and`); at least two.
    All(Vec<Condition>),
    /// Any of them (Kleene's `or`); at least two.
    Any(Vec<Condition>),
    /// A comparison of a name with a literal; neither without a present value of its type.
    Compare(Compare),
    /// True or false, always.
    Const(bool),
    /// The value is exactly `true`; false for everything else, absent included.
    IsTrue(Name),
    /// The value is not exactly `true`.
    NotTrue(Name),
    /// Membership in a list of literals; neither without a present value of their type.
    OneOf(OneOf),
}

/// `name op value`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Compare {
    /// The name on the left.
    pub name: Name,
    /// The operator; only `==` and `!=` for booleans and strings.
    pub op: Operator,
    /// The literal on the right.
    pub value: Literal,
}

/// `name in [values]` or `name not in [values]`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OneOf {
    /// The name.
    pub name: Name,
    /// True for `not in`.
    pub negated: bool,
    /// The members, strings or numbers, in source order, each once; at least one.
    pub values: Vec<Literal>,
}

/// Comparison operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
pub enum Operator {
    /// Equal.
    #[serde(rename = "==")]
    Equal,
    /// Not equal.
    #[serde(rename = "!=")]
    NotEqual,
    /// Less.
    #[serde(rename = "<")]
    Less,
    /// Less or equal.
    #[serde(rename = "<=")]
    LessOrEqual,
    /// Greater.
    #[serde(rename = ">")]
    Greater,
    /// Greater or equal.
    #[serde(rename = ">=")]
    GreaterOrEqual,
}

/// A literal: exactly one of its kinds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Literal {
    /// A boolean.
    Bool(bool),
    /// A number in normal form: a plain decimal of at most 15 digits, no trailing zeros.
    Number(Number),
    /// A string.
    String(String),
}

/// A path of a flow from its first to its last statement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Branch {
    /// How it ends.
    pub end: End,
    /// `f<n>_b<m>`, m counting the flow's branches from 1.
    pub id: String,
    /// Line of the last arm taken, else of the last `if` passed, else of the flow.
    pub line: usize,
    /// The `if`s met, in order, and the way taken at each. The paths of a flow form a decision
    /// tree, so that its branches exclude one another.
    pub path: Vec<Choice>,
    /// What it says and runs, in order.
    pub steps: Vec<Step>,
}

/// How a branch ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// Behind the last statement, or by `return`.
    End,
    /// By `stop` or `abort`.
    Stop,
}

/// The way a path takes at an `if`: `{"if": id, "arm": n}` or `{"if": id, "passed": true}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// Number of the arm taken, from 1; absent when it is passed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arm: Option<usize>,
    /// Id of the `if`.
    #[serde(rename = "if")]
    pub if_id: String,
    /// True when no arm is taken; absent otherwise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub passed: bool,
}

/// One step of a branch.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Step {
    /// The flow's first step is an event, which opens it.
    Event(String),
    /// A tool runs.
    Execute(Execute),
    /// A named message is said.
    Say(String),
    /// An unnamed message is said: its text.
    SayText(String),
    /// A turn of the person: what is waited for, `...` for anything.
    Turn(String),
}

/// A run of a tool.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Execute {
    /// The arguments as written; recorded, never decided on.
    pub arguments: Vec<Argument>,
    /// The name its result is assigned to, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// The tool.
    pub tool: String,
}

/// An argument as written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Argument {
    /// Its name; absent for a positional argument.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its value's text.
    pub value: String,
}

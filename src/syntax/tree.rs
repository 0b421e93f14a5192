//! The tree of one rulebook: what the author wrote, with places and comments, nothing resolved.
//!
//! It follows contract sections 1 to 3. Equality ignores places (see [`Spanned`]).

use crate::text::{Decimal, Spanned};

/// One rulebook.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rulebook {
    /// `"""…"""` before the first definition.
    pub documentation: Option<Spanned<String>>,
    /// All definitions, in source order.
    pub definitions: Vec<Definition>,
    /// All comments, in source order.
    pub comments: Vec<Comment>,
}

/// A comment, from its `#` to the end of its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// The text, `#` included, without blanks at its end.
    pub text: Spanned<String>,
    /// Whether nothing but blanks stands before it on its line.
    pub own_line: bool,
}

/// A top-level definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Definition {
    /// `define context`.
    Context(ContextDefinition),
    /// `define user U`: sample utterances.
    User(TextDefinition),
    /// `define bot M`: wordings.
    Bot(TextDefinition),
    /// `define flow` and `define subflow`.
    Flow(FlowDefinition),
}

/// `define context` with its names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContextDefinition {
    /// The head line.
    pub head: Spanned<()>,
    /// Documentation inside it.
    pub documentation: Option<Spanned<String>>,
    /// The declared names, in source order.
    pub names: Vec<ContextDeclaration>,
    /// A line of it was refused: names may be missing, so that no name is called undeclared.
    pub incomplete: bool,
}

/// `$order_paid: bool`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContextDeclaration {
    /// The name.
    pub name: Path,
    /// Its type.
    pub value_type: Spanned<ValueType>,
}

/// The types of context values that a condition can read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ValueType {
    /// `bool`
    Boolean,
    /// `number`
    Number,
    /// `string`
    String,
}

/// `define user` or `define bot`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextDefinition {
    /// The head line.
    pub head: Spanned<()>,
    /// The name, blanks folded.
    pub name: Spanned<String>,
    /// Documentation inside it.
    pub documentation: Option<Spanned<String>>,
    /// The texts, in source order; possibly none.
    pub texts: Vec<Spanned<String>>,
}

/// `define flow` or `define subflow`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowDefinition {
    /// The head line.
    pub head: Spanned<()>,
    /// Flow or subflow.
    pub kind: FlowKind,
    /// The name, blanks folded; `flow <n>` when `anonymous`.
    pub name: Spanned<String>,
    /// `define flow` without a name.
    pub anonymous: bool,
    /// Words between `define` and `flow` (`parallel`, `extension`, …).
    pub modifiers: Vec<Spanned<String>>,
    /// Documentation inside it.
    pub documentation: Option<Spanned<String>>,
    /// Its statements.
    pub body: Vec<Statement>,
    /// A line of it was refused: it is checked no further, and nothing is said that follows
    /// from what may be missing.
    pub broken: bool,
}

/// Flow or subflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowKind {
    /// `define flow`
    Flow,
    /// `define subflow`
    Subflow,
}

/// One statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// Its own line or head, without indentation, comment, blocks.
    pub head: Spanned<()>,
}

/// The kinds of statement (contract section 3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatementKind {
    /// `execute T(…)`, `$x = execute T(…)`
    Execute(Execute),
    /// `bot M`, `bot "text"`, `bot $x`, `bot ...`
    Bot(Bot),
    /// `user U`, `user ...`, `user "text"`
    User(Turn),
    /// `if` / `else if` / `else`
    If(If),
    /// `when` / `else when` / `else`
    When(When),
    /// `while C`
    While(While),
    /// `do S`
    Do(Spanned<String>),
    /// `stop`, `abort`
    Stop,
    /// `return`
    Return,
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `$x = …` other than `$x = execute …`
    Assign(Assign),
    /// `event E`
    Event(Spanned<String>),
    /// `create event E`
    CreateEvent(Spanned<String>),
    /// `any` with the turns and events under it
    Any,
    /// `label L`
    Label(Spanned<String>),
    /// `goto L`
    Goto(Spanned<String>),
    /// `meta …`
    Meta,
    /// `priority N`
    Priority,
}

/// `execute`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execute {
    /// The tool.
    pub tool: Spanned<String>,
    /// The arguments as written.
    pub arguments: Vec<Argument>,
    /// `x` of `$x = execute …`.
    pub result: Option<Spanned<String>>,
}

/// One argument of `execute`; recorded, never decided on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// `k` of `k=v`; none for a positional argument.
    pub name: Option<String>,
    /// The value as written, without blanks at its ends.
    pub value: Spanned<String>,
    /// The `$names` read in it.
    pub reads: Vec<Path>,
}

/// `bot …`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bot {
    /// What is said.
    pub message: Message,
    /// Wordings after it on its line or under it.
    pub wordings: Vec<Spanned<String>>,
}

/// What a `bot` line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// `bot M`: a message by its name, blanks folded.
    Named(Spanned<String>),
    /// `bot "text"`: an unnamed message.
    Text(Spanned<String>),
    /// `bot $x`, `bot ...`, or a text with a `$name` in it: the gate cannot see what is said.
    Unseen(Spanned<String>),
}

/// What a `user` line waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// `user U` (also `user A or user B`, as one text).
    Named(Spanned<String>),
    /// `user "text"`
    Text(Spanned<String>),
    /// `user ...`
    Anything,
}

/// `if` with all its arms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct If {
    /// The arms in source order; only the last may be an `else`.
    pub arms: Vec<Arm>,
}

/// `if C`, `else if C` or `else` with its block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arm {
    /// Its line without indentation and comment.
    pub head: Spanned<()>,
    /// The condition; none for `else`.
    pub condition: Option<Expression>,
    /// Its block.
    pub body: Vec<Statement>,
}

/// `when` with all its arms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct When {
    /// The arms in source order; only the last may be an `else`.
    pub arms: Vec<WhenArm>,
}

/// `when …`, `else when …` or `else` with its block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhenArm {
    /// Its line without indentation and comment.
    pub head: Spanned<()>,
    /// What it waits for; none for `else`.
    pub trigger: Option<Trigger>,
    /// Its block.
    pub body: Vec<Statement>,
}

/// What an arm of `when` waits for; each is a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// `when user U`
    User(Turn),
    /// `when bot M`
    Bot(Spanned<String>),
    /// `when event E`
    Event(Spanned<String>),
}

/// `while C` with its block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct While {
    /// The condition; it is never decided on.
    pub condition: Expression,
    /// Its block.
    pub body: Vec<Statement>,
}

/// `$x = value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assign {
    /// The name without `$`.
    pub name: Spanned<String>,
    /// What is assigned.
    pub value: Value,
}

/// What is assigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A boolean, number or string literal: a constant.
    Literal(Spanned<Literal>),
    /// `$y` or `$y.z`: an alias.
    Name(Path),
    /// `...`: a language model fills it.
    Model(Spanned<()>),
    /// Any other expression: the gate cannot see its value.
    Unreadable(Unreadable),
}

/// A context name: one segment, or the segments of a dotted path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PathName(pub Vec<String>);

impl std::fmt::Display for PathName {
    /// `$customer.tier`
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "${}", self.0.join("."))
    }
}

/// A context name and its place.
pub type Path = Spanned<PathName>;

/// A literal of a condition or an assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Literal {
    /// `True`, `False`
    Boolean(bool),
    /// A plain decimal.
    Number(Decimal),
    /// `"…"` or `'…'`, unescaped.
    String(String),
}

impl Literal {
    /// The type of a name that is compared with it.
    pub fn value_type(&self) -> ValueType {
        match self {
            Self::Boolean(_) => ValueType::Boolean,
            Self::Number(_) => ValueType::Number,
            Self::String(_) => ValueType::String,
        }
    }
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// What it is.
    pub kind: ExpressionKind,
    /// Its place, parentheses around it not counted.
    pub span: Spanned<()>,
}

/// The kinds of condition. When any part of a condition cannot be read, the whole condition is
/// one [`ExpressionKind::Unreadable`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpressionKind {
    /// `True`, `False`
    Constant(bool),
    /// `$name`
    Name(Path),
    /// `not C`
    Not(Box<Expression>),
    /// `C and C and …`: at least two
    And(Vec<Expression>),
    /// `C or C or …`: at least two
    Or(Vec<Expression>),
    /// `$name < 5`, `$name == $constant`
    Compare {
        /// The name on the left.
        name: Path,
        /// The operator.
        operator: Spanned<Operator>,
        /// What stands on the right.
        operand: Operand,
    },
    /// `$name in ["a", "b"]`, `$name not in [1, 2]`: literals of one type, strings or numbers,
    /// at least one
    OneOf {
        /// The name on the left.
        name: Path,
        /// `not in`
        negated: bool,
        /// The members, as written.
        members: Vec<Spanned<Literal>>,
    },
    /// Any other Colang expression.
    Unreadable(Unreadable),
}

/// The right side of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A literal.
    Literal(Spanned<Literal>),
    /// A name; readable only where it is a constant.
    Name(Path),
}

/// Comparison operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operator {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

/// An expression that is Colang, but that the gate cannot read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The first construct that cannot be read, and its place.
    pub construct: Spanned<Construct>,
    /// The text of the whole expression.
    pub text: Spanned<String>,
    /// The `$names` read in it.
    pub reads: Vec<Path>,
    /// `t` of `$r = t(…)`: the expression is one call of a bare name, which looks like a
    /// forgotten `execute`.
    pub bare_call: Option<String>,
}

/// Constructs of Colang expressions that the gate cannot read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Construct {
    /// `10 < $a < 50`
    ChainedComparison,
    /// `$a + 1`, `$a * 2`, `-$a`, bit operators
    Arithmetic,
    /// `len($a)`, `$a.startswith("x")`, any other call
    Call,
    /// `$a["k"]`, `$a[0]`
    Subscript,
    /// `None`
    None,
    /// `is`, `is not`
    Identity,
    /// a literal on the left of a comparison
    LiteralOnTheLeft,
    /// `$a < $b` where `$b` is no constant
    NameToName,
    /// `$a in $list`, `"x" in $text`
    MembershipInValue,
    /// an empty list, or a list of mixed or other members
    ListOfOther,
    /// a comparison the type of literal does not have, such as `$a < "x"`, `$a > True`
    OrderOfOther,
    /// `a if b else c`
    Conditional,
    /// `amount`, a word that is neither a name with its `$` nor a string
    BareWord,
    /// a literal alone, a list, a dictionary, or anything else
    Other,
}

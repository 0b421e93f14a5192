//! What is drawn: statements and conditions with choices that are read later.

use proptest::prelude::*;

/// A statement as it is drawn.
#[derive(Clone, Debug)]
pub enum Draft {
    /// `execute T`.
    Run(u8),
    /// `bot M`, a remark.
    Remark(u8),
    /// `bot "…"`.
    Text(u8),
    /// `bot refuse…`.
    Refuse(u8),
    /// `bot ask…`, `bot clarify…`.
    Ask(u8),
    /// `user …`.
    Turn(u8),
    /// `stop`, `abort`.
    Stop,
    /// `return`.
    Return,
    /// `do S`.
    Do(u8),
    /// `if … else …`.
    If(Vec<(Condition, Vec<Draft>)>, Option<Vec<Draft>>),
    /// `$x = literal` and an `if` that compares with it.
    Constant(u8, Vec<Draft>),
    /// `$x = $y` and an `if` on it.
    Alias(u8, Vec<Draft>),
    /// An `execute`, something that the gate cannot see, and the end of the path.
    Unseen(u8),
    /// A statement without a meaning to the gate.
    Ignored(u8),
    /// Something that the gate cannot see, with two blocks in it, at any place: often refused.
    Wild(u8, Vec<Draft>, Vec<Draft>),
}

/// A condition as it is drawn.
#[derive(Clone, Debug)]
pub enum Condition {
    Constant(bool),
    /// `$name`
    Bare(u8),
    /// `$name == True`
    Boolean(u8, u8),
    /// `$name < 5`
    Number(u8, u8, u8),
    /// `$name == "x"`
    String(u8, u8, bool),
    /// `$name in [1, 2]`
    Numbers(u8, Vec<u8>, bool),
    /// `$name in ["a", "b"]`
    Strings(u8, Vec<u8>, bool),
    /// `$tool_name …`, where that may be read
    Tool(u8, bool),
    Not(Box<Condition>),
    And(Vec<Condition>),
    Or(Vec<Condition>),
}

/// A random body.
pub fn body() -> impl Strategy<Value = Vec<Draft>> {
    let leaf = prop_oneof![
        5 => any::<u8>().prop_map(Draft::Run),
        3 => any::<u8>().prop_map(Draft::Remark),
        1 => any::<u8>().prop_map(Draft::Text),
        3 => any::<u8>().prop_map(Draft::Refuse),
        2 => any::<u8>().prop_map(Draft::Ask),
        3 => any::<u8>().prop_map(Draft::Turn),
        3 => Just(Draft::Stop),
        1 => Just(Draft::Return),
        2 => any::<u8>().prop_map(Draft::Do),
        1 => any::<u8>().prop_map(Draft::Unseen),
        1 => any::<u8>().prop_map(Draft::Ignored),
    ];
    let statement = leaf.prop_recursive(3, 24, 4, |inner| {
        let block = prop::collection::vec(few(inner), 1..4).prop_map(|parts| parts.concat());
        let arm = (condition(), block.clone());
        prop_oneof![
            24 => (prop::collection::vec(arm, 1..4), prop::option::of(block.clone()))
                .prop_map(|(arms, otherwise)| Draft::If(arms, otherwise)),
            4 => (any::<u8>(), block.clone()).prop_map(|(look, body)| Draft::Constant(look, body)),
            4 => (any::<u8>(), block.clone()).prop_map(|(look, body)| Draft::Alias(look, body)),
            1 => (any::<u8>(), block.clone(), block)
                .prop_map(|(look, body, other)| Draft::Wild(look, body, other)),
        ]
    });
    prop::collection::vec(few(statement), 1..6).prop_map(|parts| parts.concat())
}

/// A statement, or a message, a turn and a run in a row: a run that is asked is hardly ever drawn
/// by chance.
fn few(statement: impl Strategy<Value = Draft> + 'static) -> BoxedStrategy<Vec<Draft>> {
    let message = prop_oneof![
        3 => any::<u8>().prop_map(Draft::Ask),
        1 => any::<u8>().prop_map(Draft::Remark),
        1 => any::<u8>().prop_map(Draft::Text),
    ];
    let asked = (message, any::<u8>(), any::<u8>())
        .prop_map(|(message, turn, tool)| vec![message, Draft::Turn(turn), Draft::Run(tool)]);
    prop_oneof![
        12 => statement.prop_map(|one| vec![one]),
        1 => asked,
    ]
    .boxed()
}

/// A random condition.
fn condition() -> impl Strategy<Value = Condition> {
    let byte = any::<u8>;
    let few = || prop::collection::vec(any::<u8>(), 1..4);
    let leaf = prop_oneof![
        1 => any::<bool>().prop_map(Condition::Constant),
        6 => byte().prop_map(Condition::Bare),
        3 => (byte(), byte()).prop_map(|(name, look)| Condition::Boolean(name, look)),
        6 => (byte(), byte(), byte()).prop_map(|(name, op, value)| Condition::Number(name, op, value)),
        4 => (byte(), byte(), any::<bool>()).prop_map(|(name, value, equal)| Condition::String(name, value, equal)),
        1 => (byte(), few(), any::<bool>()).prop_map(|(name, values, not)| Condition::Numbers(name, values, not)),
        2 => (byte(), few(), any::<bool>()).prop_map(|(name, values, not)| Condition::Strings(name, values, not)),
        3 => (byte(), any::<bool>()).prop_map(|(look, not)| Condition::Tool(look, not)),
    ];
    leaf.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|one| Condition::Not(Box::new(one))),
            prop::collection::vec(inner.clone(), 2..4).prop_map(Condition::And),
            prop::collection::vec(inner, 2..4).prop_map(Condition::Or),
        ]
    })
}

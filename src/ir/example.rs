//! A rulebook that uses every field and every variant of the IR, for the tests of this layer.

use super::*;

fn text(text: &str) -> String {
    text.to_owned()
}

fn name(dotted: &str) -> Name {
    dotted.split('.').map(str::to_owned).collect()
}

/// A number literal.
pub(crate) fn number(digits: &str) -> Literal {
    Literal::Number(Number(crate::text::Decimal::from_literal(digits).unwrap()))
}

/// A string literal.
pub(crate) fn string(content: &str) -> Literal {
    Literal::String(text(content))
}

/// `$name`
pub(crate) fn is_true(dotted: &str) -> Condition {
    Condition::IsTrue(name(dotted))
}

/// `not $name`
pub(crate) fn not_true(dotted: &str) -> Condition {
    Condition::NotTrue(name(dotted))
}

/// `$name op value`
pub(crate) fn compare(dotted: &str, op: Operator, value: Literal) -> Condition {
    Condition::Compare(Compare {
        name: name(dotted),
        op,
        value,
    })
}

/// `$name in values`
pub(crate) fn one_of(dotted: &str, values: &[Literal]) -> Condition {
    Condition::OneOf(OneOf {
        name: name(dotted),
        negated: false,
        values: values.to_vec(),
    })
}

fn arm(line: usize, condition: Condition) -> Arm {
    Arm {
        complement: condition.complement(),
        condition,
        line,
    }
}

/// A path from ids: `i1a2` takes the second arm of the first `if`, `i1p` passes it.
fn path(flow: usize, ways: &str) -> Vec<Choice> {
    ways.split(' ')
        .filter(|way| !way.is_empty())
        .map(|way| {
            let (decision, arm) = match way.split_once('a') {
                Some((decision, arm)) => (decision, Some(arm.parse().unwrap())),
                None => (way.strip_suffix('p').unwrap(), None),
            };
            Choice {
                arm,
                if_id: format!("f{flow}_{decision}"),
                passed: arm.is_none(),
            }
        })
        .collect()
}

fn execute(tool: &str) -> Step {
    Step::Execute(Execute {
        arguments: Vec::new(),
        result: None,
        tool: text(tool),
    })
}

fn branch(
    flow: usize,
    number: usize,
    line: usize,
    ways: &str,
    steps: Vec<Step>,
    end: End,
) -> Branch {
    Branch {
        end,
        id: format!("f{flow}_b{number}"),
        line,
        path: path(flow, ways),
        steps,
    }
}

fn refunds() -> Flow {
    let opening = || Step::Event(text("order opened"));
    let recorded = Step::Execute(Execute {
        arguments: vec![
            Argument {
                name: Some(text("order_id")),
                value: text("$order_id"),
            },
            Argument {
                name: None,
                value: text("\"now\""),
            },
        ],
        result: Some(text("receipt")),
        tool: text("refund_card"),
    });
    let first = Condition::all(vec![
        is_true("order_paid"),
        Condition::any(vec![
            compare("amount", Operator::LessOrEqual, number("100")),
            not_true("vip"),
        ]),
        one_of("customer.tier", &[string("gold"), string("silver")]),
    ]);
    let second = Condition::any(vec![
        compare("open", Operator::Equal, Literal::Bool(true)),
        compare("state", Operator::NotEqual, string("new")),
        one_of("amount", &[number("-1"), number("2.5")]).complement(),
        compare("customer.age", Operator::Less, number("18")),
    ]);
    Flow {
        branches: vec![
            branch(
                1,
                1,
                13,
                "i1a1 i2a1",
                vec![opening(), recorded.clone(), execute("send/receipt")],
                End::End,
            ),
            branch(1, 2, 12, "i1a1 i2p", vec![opening(), recorded], End::End),
            branch(
                1,
                3,
                16,
                "i1a2",
                vec![
                    opening(),
                    Step::Say(text("ask for approval")),
                    Step::Turn(text("approve")),
                    execute("refund_card"),
                ],
                End::Stop,
            ),
            branch(
                1,
                4,
                13,
                "i1p i2a1",
                vec![opening(), execute("send/receipt")],
                End::End,
            ),
            branch(
                1,
                5,
                13,
                "i1p i2p",
                vec![opening(), Step::SayText(text("No."))],
                End::End,
            ),
        ],
        id: text("f1"),
        ifs: vec![
            If {
                arms: vec![arm(12, first), arm(16, second)],
                id: text("f1_i1"),
                line: 12,
            },
            If {
                arms: vec![arm(13, compare("amount", Operator::Greater, number("0.5")))],
                id: text("f1_i2"),
                line: 13,
            },
        ],
        kind: FlowKind::Governing,
        line: 10,
        name: text("refunds"),
    }
}

fn guard() -> Flow {
    let danger = Condition::all(vec![
        compare(TOOL_NAME, Operator::Equal, string("refund_card")),
        compare("amount", Operator::GreaterOrEqual, number("1000")),
    ]);
    Flow {
        branches: vec![
            branch(
                2,
                1,
                31,
                "i1a1",
                vec![
                    Step::Turn(text("...")),
                    Step::Say(text("refuse large amount")),
                ],
                End::Stop,
            ),
            branch(2, 2, 33, "i1a2", vec![Step::Turn(text("..."))], End::End),
        ],
        id: text("f2"),
        ifs: vec![If {
            arms: vec![arm(31, danger), arm(33, Condition::Const(true))],
            id: text("f2_i1"),
            line: 31,
        }],
        kind: FlowKind::Guard,
        line: 30,
        name: text("large amounts"),
    }
}

/// The example. It satisfies every invariant that the loader checks.
pub(crate) fn maximal() -> Rulebook {
    let context = [
        ("amount", ValueType::Number),
        ("customer.age", ValueType::Number),
        ("customer.tier", ValueType::String),
        ("declared", ValueType::Bool),
        ("open", ValueType::Bool),
        ("order_paid", ValueType::Bool),
        ("state", ValueType::String),
        ("vip", ValueType::Bool),
    ];
    Rulebook {
        context: context
            .into_iter()
            .map(|(dotted, value_type)| ContextName {
                name: name(dotted),
                value_type,
            })
            .collect(),
        flows: vec![
            refunds(),
            guard(),
            Flow {
                branches: Vec::new(),
                id: text("f3"),
                ifs: Vec::new(),
                kind: FlowKind::Dialogue,
                line: 40,
                name: text("small \"talk\""),
            },
        ],
        format: text(FORMAT),
        messages: vec![
            Message {
                name: text("ask for approval"),
                wordings: vec![text("May I?"), text("Posso?\n\u{202e}")],
            },
            Message {
                name: text("refuse large amount"),
                wordings: Vec::new(),
            },
        ],
        package: text("stalwart.policy"),
        source: SourceFile {
            file: text("policy.co"),
            sha256: "0123456789abcdef".repeat(4),
        },
        tools: vec![
            Tool {
                flows: vec![text("f1")],
                name: text("refund_card"),
            },
            Tool {
                flows: vec![text("f1")],
                name: text("send/receipt"),
            },
        ],
    }
}

/// `execute tool`
pub(crate) fn runs(tool: &str) -> Step {
    execute(tool)
}

/// `bot message`
pub(crate) fn says(message: &str) -> Step {
    Step::Say(text(message))
}

/// `bot "content"`
pub(crate) fn said_text(content: &str) -> Step {
    Step::SayText(text(content))
}

/// `user turn`
pub(crate) fn turn(turn: &str) -> Step {
    Step::Turn(text(turn))
}

/// A flow of one `if` with these arms, each ended by steps; the last steps are those of calls
/// that pass all arms.
pub(crate) fn flow_of_arms(
    number: usize,
    kind: FlowKind,
    arms: Vec<(Condition, Vec<Step>, End)>,
    (last, end): (Vec<Step>, End),
) -> Flow {
    let conditions: Vec<Condition> = arms.iter().map(|(one, _, _)| one.clone()).collect();
    let ways = arms
        .into_iter()
        .map(|(_, steps, end)| (steps, end))
        .enumerate();
    let mut branches: Vec<Branch> = ways
        .map(|(at, (steps, end))| {
            let way = format!("i1a{}", at + 1);
            branch(number, at + 1, at + 2, &way, steps, end)
        })
        .collect();
    let passed = if conditions.is_empty() { "" } else { "i1p" };
    let count = branches.len() + 1;
    branches.push(branch(number, count, 1, passed, last, end));
    let decision = If {
        arms: (2..)
            .zip(conditions)
            .map(|(line, condition)| arm(line, condition))
            .collect(),
        id: format!("f{number}_i1"),
        line: 2,
    };
    Flow {
        branches,
        id: format!("f{number}"),
        ifs: if decision.arms.is_empty() {
            Vec::new()
        } else {
            vec![decision]
        },
        kind,
        line: 1,
        name: format!("flow {number}"),
    }
}

/// A rulebook of flows, the governed tools read from their steps.
pub(crate) fn rulebook_of(flows: Vec<Flow>) -> Rulebook {
    let mut rulebook = maximal();
    let mut tools: Vec<Tool> = Vec::new();
    for flow in &flows {
        for step in flow.branches.iter().flat_map(|branch| &branch.steps) {
            let Step::Execute(execute) = step else {
                continue;
            };
            let at = tools.iter().position(|tool| tool.name == execute.tool);
            let at = at.unwrap_or_else(|| {
                tools.push(Tool {
                    flows: Vec::new(),
                    name: execute.tool.clone(),
                });
                tools.len() - 1
            });
            if !tools[at].flows.contains(&flow.id) {
                tools[at].flows.push(flow.id.clone());
            }
        }
    }
    rulebook.context = Vec::new();
    rulebook.messages = Vec::new();
    rulebook.flows = flows;
    rulebook.tools = tools;
    rulebook
}

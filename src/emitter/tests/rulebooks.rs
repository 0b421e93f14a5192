//! Builds rulebooks for tests: flows as small trees of statements, from which branches follow.

use crate::ir::*;

/// A statement.
#[derive(Clone)]
pub enum Statement {
    Step(Step),
    Stop,
    If(Vec<(Condition, Block)>),
}

pub type Block = Vec<Statement>;

pub fn execute(tool: &str) -> Statement {
    Statement::Step(Step::Execute(Execute {
        arguments: Vec::new(),
        result: None,
        tool: tool.to_owned(),
    }))
}

pub fn say(message: &str) -> Statement {
    Statement::Step(Step::Say(message.to_owned()))
}

pub fn say_text(text: &str) -> Statement {
    Statement::Step(Step::SayText(text.to_owned()))
}

pub fn turn(text: &str) -> Statement {
    Statement::Step(Step::Turn(text.to_owned()))
}

pub fn stop() -> Statement {
    Statement::Stop
}

/// `if condition` without `else`.
pub fn when(condition: Condition, block: Block) -> Statement {
    Statement::If(vec![(condition, block)])
}

/// `if condition … else …`
pub fn either(condition: Condition, yes: Block, no: Block) -> Statement {
    Statement::If(vec![(condition, yes), (Condition::Const(true), no)])
}

/// `if` with several arms.
pub fn arms(arms: Vec<(Condition, Block)>) -> Statement {
    Statement::If(arms)
}

pub fn name(dotted: &str) -> Name {
    dotted.split('.').map(str::to_owned).collect()
}

pub fn is_true(dotted: &str) -> Condition {
    Condition::IsTrue(name(dotted))
}

pub fn not_true(dotted: &str) -> Condition {
    Condition::NotTrue(name(dotted))
}

pub fn number(digits: &str) -> Literal {
    Literal::Number(Number(crate::text::Decimal::from_literal(digits).unwrap()))
}

pub fn string(content: &str) -> Literal {
    Literal::String(content.to_owned())
}

pub fn compare(dotted: &str, op: Operator, value: Literal) -> Condition {
    Condition::Compare(Compare {
        name: name(dotted),
        op,
        value,
    })
}

pub fn among(dotted: &str, negated: bool, values: Vec<Literal>) -> Condition {
    Condition::OneOf(OneOf {
        name: name(dotted),
        negated,
        values,
    })
}

pub fn all(parts: impl IntoIterator<Item = Condition>) -> Condition {
    Condition::All(parts.into_iter().collect())
}

pub fn any(parts: impl IntoIterator<Item = Condition>) -> Condition {
    Condition::Any(parts.into_iter().collect())
}

/// A flow with its kind, made of statements.
pub struct FlowOf {
    pub name: String,
    pub kind: FlowKind,
    pub block: Block,
}

pub fn governing(name: &str, block: Block) -> FlowOf {
    FlowOf {
        name: name.to_owned(),
        kind: FlowKind::Governing,
        block,
    }
}

pub fn guard(name: &str, block: Block) -> FlowOf {
    FlowOf {
        name: name.to_owned(),
        kind: FlowKind::Guard,
        block,
    }
}

pub fn dialogue(name: &str) -> FlowOf {
    FlowOf {
        name: name.to_owned(),
        kind: FlowKind::Dialogue,
        block: Vec::new(),
    }
}

/// The rulebook of these flows.
pub fn rulebook(flows: Vec<FlowOf>) -> Rulebook {
    let mut tools: Vec<Tool> = Vec::new();
    let mut built = Vec::new();
    for (flow, index) in flows.into_iter().zip(1..) {
        let id = format!("f{index}");
        let built_flow = build(&id, flow);
        for step in built_flow.branches.iter().flat_map(|branch| &branch.steps) {
            let Step::Execute(execute) = step else {
                continue;
            };
            let place = tools.iter().position(|tool| tool.name == execute.tool);
            let place = place.unwrap_or_else(|| {
                tools.push(Tool {
                    flows: Vec::new(),
                    name: execute.tool.clone(),
                });
                tools.len() - 1
            });
            if !tools[place].flows.contains(&id) {
                tools[place].flows.push(id.clone());
            }
        }
        built.push(built_flow);
    }
    Rulebook {
        context: Vec::new(),
        flows: built,
        format: FORMAT.to_owned(),
        messages: Vec::new(),
        package: "stalwart.policy".to_owned(),
        source: SourceFile {
            file: "policy.co".to_owned(),
            sha256: "0".repeat(64),
        },
        tools,
    }
}

/// A path under way.
#[derive(Clone, Default)]
struct Path {
    choices: Vec<Choice>,
    steps: Vec<Step>,
    stopped: bool,
}

fn build(id: &str, flow: FlowOf) -> Flow {
    let mut ifs = Vec::new();
    let mut paths = vec![Path::default()];
    if flow.kind == FlowKind::Dialogue {
        paths.clear();
    }
    walk(id, &flow.block, &mut ifs, &mut paths);
    let branches = paths.into_iter().zip(1..).map(|(path, number)| Branch {
        end: if path.stopped { End::Stop } else { End::End },
        id: format!("{id}_b{number}"),
        line: 1,
        path: path.choices,
        steps: path.steps,
    });
    Flow {
        branches: branches.collect(),
        id: id.to_owned(),
        ifs,
        kind: flow.kind,
        line: 1,
        name: flow.name,
    }
}

fn walk(id: &str, block: &Block, ifs: &mut Vec<If>, paths: &mut Vec<Path>) {
    for statement in block {
        match statement {
            Statement::Step(step) => {
                for path in paths.iter_mut().filter(|path| !path.stopped) {
                    path.steps.push(step.clone());
                }
            }
            Statement::Stop => {
                for path in paths.iter_mut() {
                    path.stopped = true;
                }
            }
            Statement::If(arms) => {
                let if_id = format!("{id}_i{}", ifs.len() + 1);
                let arm = |(condition, _): &(Condition, Block)| Arm {
                    complement: condition.complement(),
                    condition: condition.clone(),
                    line: 1,
                };
                ifs.push(If {
                    arms: arms.iter().map(arm).collect(),
                    id: if_id.clone(),
                    line: 1,
                });
                // Inner `if`s are the same ones for every path that comes here, so each block is
                // walked once, and what it adds is appended to every path.
                let mut ways = Vec::new();
                for ((_, block), number) in arms.iter().zip(1..) {
                    let mut inner = vec![Path::default()];
                    inner[0].choices.push(Choice {
                        arm: Some(number),
                        if_id: if_id.clone(),
                        passed: false,
                    });
                    walk(id, block, ifs, &mut inner);
                    ways.extend(inner);
                }
                if arms.last().unwrap().0 != Condition::Const(true) {
                    let mut passed = Path::default();
                    passed.choices.push(Choice {
                        arm: None,
                        if_id,
                        passed: true,
                    });
                    ways.push(passed);
                }
                *paths = std::mem::take(paths)
                    .into_iter()
                    .flat_map(|path| {
                        let ways: &[Path] = if path.stopped { &[] } else { &ways };
                        let ended = path.stopped.then(|| path.clone());
                        let longer = ways.iter().map(move |way| {
                            let mut longer = path.clone();
                            longer.choices.extend(way.choices.iter().cloned());
                            longer.steps.extend(way.steps.iter().cloned());
                            longer.stopped = way.stopped;
                            longer
                        });
                        ended.into_iter().chain(longer).collect::<Vec<_>>()
                    })
                    .collect();
            }
        }
    }
}

//! Random rulebooks: every engine decides as the evaluator does.

use super::engines::{Random, hold_all};
use super::rulebooks::*;
use crate::ir::*;

const MESSAGES: [&str; 6] = [
    "refuse",
    "refuse it",
    "ask for it",
    "clarify",
    "so be it",
    "stop it",
];

fn pick<'a>(random: &mut Random, from: &[&'a str]) -> &'a str {
    from[random.below(from.len())]
}

fn leaf(random: &mut Random, is_guard: bool) -> Condition {
    use Operator::*;
    let numbers = [Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual];
    let name = pick(random, &["a", "b", "c", "d.e", "d.f.g"]);
    let op = numbers[random.below(6)];
    let negated = random.below(2) == 0;
    match random.below(if is_guard { 9 } else { 7 }) {
        0 | 1 => is_true(name),
        2 => not_true(name),
        3 => compare("n", op, number(pick(random, &["1", "2.5", "-3"]))),
        4 => compare(
            "x.s",
            numbers[random.below(2)],
            string(pick(random, &["p", "q"])),
        ),
        5 => compare("flag", numbers[random.below(2)], Literal::Bool(negated)),
        6 => among("n", negated, vec![number("1"), number("7")]),
        7 => compare(TOOL_NAME, numbers[random.below(2)], string("t")),
        _ => among(TOOL_NAME, negated, vec![string("t"), string("z")]),
    }
}

fn condition(random: &mut Random, depth: usize, is_guard: bool) -> Condition {
    match random.below(if depth == 0 { 3 } else { 7 }) {
        0..=2 => leaf(random, is_guard),
        3 if random.below(4) == 0 => Condition::Const(random.below(2) == 0),
        kind => {
            let count = 2 + random.below(2);
            let parts = (0..count).map(|_| condition(random, depth - 1, is_guard));
            if kind % 2 == 0 {
                all(parts)
            } else {
                any(parts)
            }
        }
    }
}

fn block(random: &mut Random, depth: usize, is_guard: bool) -> Block {
    let mut block = Vec::new();
    for _ in 0..=random.below(3) {
        let kind = random.below(if depth == 0 { 6 } else { 9 });
        block.push(match kind {
            0 | 1 if is_guard => stop(),
            0 | 1 => execute(pick(random, &["t", "t", "u", "v"])),
            2 => say(pick(random, &MESSAGES)),
            3 => say_text("unnamed"),
            4 => turn("..."),
            5 => stop(),
            _ => {
                let count = 1 + random.below(3);
                let mut list = Vec::new();
                for _ in 0..count {
                    let condition = condition(random, 3, is_guard);
                    list.push((condition, self::block(random, depth - 1, is_guard)));
                }
                if random.below(2) == 0 {
                    let otherwise = self::block(random, depth - 1, is_guard);
                    list.push((Condition::Const(true), otherwise));
                }
                arms(list)
            }
        });
    }
    block
}

fn random_rulebook(number: usize) -> Rulebook {
    let mut random = Random(u64::try_from(number).unwrap());
    random.below(2);
    let guards = random.below(2) == 0;
    let flows = (0..=random.below(5)).map(|n| {
        let is_guard = guards && random.below(3) == 0;
        let block = block(&mut random, 2, is_guard);
        let name = format!("flow {n}");
        if is_guard {
            guard(&name, block)
        } else {
            governing(&name, block)
        }
    });
    let mut built = rulebook(flows.collect());
    // A flow without a run of a tool governs nothing.
    for flow in &mut built.flows {
        if flow.kind == FlowKind::Governing
            && built
                .tools
                .iter()
                .all(|tool| !tool.flows.contains(&flow.id))
        {
            flow.kind = FlowKind::Dialogue;
            flow.branches.clear();
            flow.ifs.clear();
        }
    }
    built.package = format!("stalwart.r{number}");
    built
}

#[test]
fn engines_agree_on_random_rulebooks() {
    let rulebooks = (0..40).map(random_rulebook).collect::<Vec<_>>();
    hold_all(&rulebooks, 25);
}

//! Sizes: long lists, deep nesting, long and hostile texts.

use super::engines::{hold, hold_large};
use super::rulebooks::*;
use super::text::depth;
use crate::diagnostics::codes::artifacts;
use crate::emitter::{emit, emit_within};
use crate::ir::*;

fn one_flow(block: Block) -> Rulebook {
    rulebook(vec![governing("f", block)])
}

/// `if $n0 … else if $n1 … else …`, every third arm allowing.
fn chain(length: usize) -> Block {
    let arm = |number: usize| {
        let block = if number.is_multiple_of(3) {
            vec![execute("t")]
        } else {
            vec![say(&format!("refuse {number}"))]
        };
        (is_true(&format!("n{number}")), block)
    };
    vec![arms((0..length).map(arm).collect()), execute("t")]
}

/// `if $n0` / refuse / `stop`, and so on, and an `execute` behind.
fn clauses(length: usize) -> Block {
    let clause = |number: usize| {
        let condition = compare(&format!("n{number}"), Operator::Greater, number_of(number));
        when(condition, vec![say(&format!("refuse {number}")), stop()])
    };
    (0..length).map(clause).chain([execute("t")]).collect()
}

fn number_of(value: usize) -> Literal {
    number(&value.to_string())
}

#[test]
fn forty_branches() {
    let rego = hold(&one_flow(chain(39)), 200);
    assert!(rego.contains("\tnot f1_b1_to_b16_holds\n\tnot f1_b17_holds\n}"));
    assert!(rego.contains("f1_b1_to_b16_holds if f1_b16_holds\n"));
    assert!(!rego.contains("f1_b33_to"));
}

#[test]
fn branches_at_the_bounds_of_blocks() {
    for branches in [16, 17, 18, 33, 257] {
        let rego = hold_large(&one_flow(chain(branches - 1)));
        let longest = rego
            .split("\n}")
            .map(|rule| rule.matches("\tnot f1_b").count());
        assert!(longest.max().unwrap() <= 31);
        assert_eq!(rego.contains("f1_b1_to_b16_holds"), branches > 17);
        assert_eq!(rego.contains("f1_b1_to_b256_holds"), branches > 256);
    }
}

#[test]
fn a_thousand_branches() {
    let rego = hold_large(&one_flow(chain(999)));
    assert!(rego.contains("f1_b1000_first"));
    assert!(rego.len() < 2_000_000, "{}", rego.len());
    assert!(depth(&rego) >= 7);
}

#[test]
fn three_hundred_clauses() {
    let rego = hold_large(&one_flow(clauses(300)));
    assert!(rego.len() < 500_000, "{}", rego.len());
}

#[test]
fn long_conjunctions_are_shared_blocks() {
    let names = |count: usize| all((0..count).map(|n| is_true(&format!("n{n}"))));
    for count in [16, 17, 40, 300] {
        let flow = vec![either(
            names(count),
            vec![either(
                is_true("x"),
                vec![execute("t")],
                vec![say("refuse")],
            )],
            vec![say("refuse")],
        )];
        let rego = hold(&one_flow(flow), 40);
        // One block serves both branches.
        let block = "\nf1_all_1 if {";
        assert_eq!(rego.matches(block).count(), usize::from(count >= 16));
    }
}

#[test]
fn many_guards_and_tools() {
    let mut flows = Vec::new();
    for n in 0..300 {
        let message = match n % 3 {
            0 => "refuse",
            1 => "ask",
            _ => "clarify",
        };
        let condition = compare("pick", Operator::Equal, number_of(2 * n));
        let block = vec![say(&format!("{message} {n}")), stop()];
        flows.push(guard(&format!("guard {n}"), vec![when(condition, block)]));
        if n % 10 == 0 {
            let tool = execute(&format!("t{n}"));
            let paid = is_true(&format!("paid{n}"));
            flows.push(governing(
                &format!("flow {n}"),
                vec![either(paid, vec![tool], vec![say("refuse")])],
            ));
        }
    }
    let rego = hold_large(&rulebook(flows));
    assert!(rego.contains("guards_refuse_block_1_to_256"));
}

#[test]
fn size_is_guards_plus_tools() {
    let size = |guards: usize, tools: usize| {
        let mut flows = Vec::new();
        for n in 0..guards {
            let condition = is_true(&format!("g{n:04}"));
            flows.push(guard(
                &format!("guard {n:04}"),
                vec![when(condition, vec![say("refuse"), stop()])],
            ));
        }
        for n in 0..tools {
            let tool = execute(&format!("t{n:04}"));
            flows.push(governing(
                &format!("flow {n:04}"),
                vec![either(is_true("paid"), vec![tool], vec![say("refuse")])],
            ));
        }
        emit(&rulebook(flows)).unwrap().rego.len()
    };
    let both = size(400, 400) - size(400, 1);
    let alone = size(1, 400) - size(1, 1);
    assert!(both < alone + alone / 8, "{both} {alone}");
    let twice = size(0, 400);
    assert!(twice < 2 * size(0, 200) + 2_000);
}

#[test]
fn many_flows_on_one_tool() {
    for count in [64, 65, 300] {
        let flow = |n: usize| {
            let condition = compare(&format!("n{n}"), Operator::LessOrEqual, number("3"));
            let other = if n.is_multiple_of(2) { "refuse" } else { "ask" };
            let no = vec![say(&format!("{other} {n}"))];
            let block = vec![either(condition, vec![execute("t")], no)];
            governing(&format!("flow {n}"), block)
        };
        let mut flows = (0..count).map(flow).collect::<Vec<_>>();
        flows.insert(3, guard("g", vec![when(is_true("frozen"), vec![stop()])]));
        let rego = hold(&rulebook(flows), 60);
        assert!(rego.matches("else := {").count() < 200);
        assert_eq!(rego.contains("t1_refuse_block_1_to_16"), count > 62);
    }
}

/// `$a0 and ($b0 or ($a1 and ($b1 or …)))`
fn alternating(levels: usize) -> Condition {
    (0..levels).rev().fold(is_true("inmost"), |inner, level| {
        all([
            is_true(&format!("a{level}")),
            any([
                compare(&format!("b{level}"), Operator::Less, number("5")),
                inner,
            ]),
        ])
    })
}

#[test]
fn alternating_and_or_sixty_four_deep() {
    for levels in [2, 3, 4, 10, 64] {
        let flow = vec![either(
            alternating(levels),
            vec![execute("t")],
            vec![say("refuse")],
        )];
        let rego = hold(&one_flow(flow), 200);
        // One helper an `or`, until chains would be too long.
        let last = format!("f1_i1_a1_or{levels}");
        assert_eq!(rego.contains(&last), levels <= 10, "{levels}");
        assert!(depth(&rego) >= levels.min(7));
    }
}

/// A tree of `or` over two `and`s over two of the same, down to different names.
fn bushy(levels: usize, next: &mut usize) -> Condition {
    if levels == 0 {
        *next += 1;
        return is_true(&format!("n{next}"));
    }
    let mut pair = || all([bushy(levels - 1, next), bushy(levels - 1, next)]);
    any([pair(), pair()])
}

#[test]
fn bushy_conditions() {
    for levels in 1..=5 {
        let condition = bushy(levels, &mut 0);
        let flow = vec![either(condition, vec![execute("t")], vec![say("refuse")])];
        let rego = hold(&one_flow(flow), 20);
        assert!(rego.len() < 1_000_000, "{levels}: {}", rego.len());
    }
}

#[test]
fn a_condition_beyond_all_bounds_is_an_error() {
    // Each level is an `or` that is too wide to be multiplied out in the next one.
    fn tree(levels: usize, next: &mut usize) -> Condition {
        let mut parts = Vec::new();
        for _ in 0..32 {
            *next += 1;
            parts.push(is_true(&next.to_string()));
        }
        if levels > 1 {
            parts.push(all([tree(levels - 1, next), tree(levels - 1, next)]));
        }
        any(parts)
    }
    // Many guards of many branches leave few levels for conditions.
    let message = || vec![say("refuse"), stop()];
    let small = |n: usize| guard(&format!("g{n}"), vec![when(is_true("a"), message())]);
    let mut flows = (0..20).map(small).collect::<Vec<_>>();
    let mut block = (0..20).map(|n| when(is_true(&format!("c{n}")), message()));
    let mut block = block.by_ref().collect::<Vec<_>>();
    block.push(when(tree(7, &mut 0), message()));
    flows.push(guard("deep", block));
    let error = emit(&rulebook(flows)).unwrap_err();
    assert_eq!(error.code, &artifacts::CONDITION_TOO_DEEP);
    assert!(error.message.contains("line 1"), "{}", error.message);
}

#[test]
fn sixty_four_ifs_in_one_another() {
    let block = (0..64).rev().fold(vec![execute("t")], |inner, level| {
        let condition = any([
            is_true(&format!("a{level}")),
            compare(&format!("b{level}"), Operator::NotEqual, string("x")),
        ]);
        vec![either(
            condition,
            inner,
            vec![say(&format!("refuse {level}"))],
        )]
    });
    hold(&one_flow(block), 60);
}

fn hostile() -> Vec<String> {
    let mut texts = [
        "it's \"quoted\"",
        "two\nlines",
        "# flow 'x'\n\ndefault decision := {\"decision\": \"allow\"}",
        "\\\"} if true",
        "\u{202E}txet",
        "nul \u{0} bell \u{7} del \u{7f} nel \u{85} \u{2028} \u{2029} \u{FEFF}",
        "tab\tand return\r",
        "\\u0041 \\n",
        "`raw`",
        "{{x}} ${x} %s",
        "número 漢字 😀 \u{10FFFF} \u{E000}",
        "trailing blank ",
        "",
    ]
    .map(str::to_owned)
    .to_vec();
    texts.push("\u{1}".repeat(1_000));
    texts.push("漢".repeat(1_000));
    texts.push("😀\"\\".repeat(300));
    texts.push("a".repeat(201));
    texts
}

#[test]
fn hostile_texts_stay_in_their_place() {
    let mut flows = Vec::new();
    for (text, n) in hostile().into_iter().zip(0..) {
        let state = compare(&format!("s{n}"), Operator::Equal, string(&text));
        let list = among(
            &format!("l{n}"),
            n % 2 == 0,
            vec![string(&text), string("other")],
        );
        let tool = format!("t{n}");
        let block = vec![either(
            any([state, list]),
            vec![execute(&tool)],
            vec![say(&format!("x{text}"))],
        )];
        flows.push(governing(&text, block));
    }
    hold(&rulebook(flows), 200);
}

#[test]
fn long_tool_names() {
    let tool = |first: char| format!("{first}{}", "tool/".repeat(204));
    let mut flows = Vec::new();
    for first in ['a', 'b'] {
        flows.push(governing(
            "f",
            vec![either(
                is_true("a"),
                vec![execute(&tool(first))],
                vec![say("refuse")],
            )],
        ));
    }
    hold(&rulebook(flows), 60);
    let mut flows = Vec::new();
    let called = compare(TOOL_NAME, Operator::Equal, string(&tool('a')));
    flows.push(guard(
        "g",
        vec![when(all([called, is_true("b")]), vec![say("ask"), stop()])],
    ));
    flows.push(governing(
        "f",
        vec![either(
            is_true("a"),
            vec![execute(&tool('a')), execute("u")],
            vec![say("refuse")],
        )],
    ));
    hold(&rulebook(flows), 100);
}

#[test]
fn long_and_deep_names() {
    let long = "n".repeat(1_010);
    let two = format!("{}.{}", "a".repeat(505), "b".repeat(505));
    // Deeper ones no engine's reader of JSON lets in.
    let deep = vec!["s"; 120].join(".");
    let nine = "a.b.c.d.e.f.g.h.i";
    let wide = vec!["w".repeat(120); 8].join(".");
    let lopsided = format!("x.{}.y", "z".repeat(1_000));
    for name in [&long, &two, &deep, nine, &wide, &lopsided] {
        let condition = all([
            is_true(&format!("{name}a")),
            any([
                compare(&format!("{name}b"), Operator::Less, number("5")),
                compare(&format!("{name}c"), Operator::NotEqual, string("x")),
                among(&format!("{name}d"), true, vec![string("x")]),
            ]),
        ]);
        let flow = vec![either(condition, vec![execute("t")], vec![say("refuse")])];
        hold(&one_flow(flow), 60);
    }
    let deepest = is_true(&vec!["s"; 505].join("."));
    let flow = vec![either(deepest, vec![execute("t")], vec![say("refuse")])];
    super::text::check(&emit(&one_flow(flow)).unwrap().rego);
}

#[test]
fn artifacts_that_are_too_large_name_the_largest_flow() {
    let flows = || {
        rulebook(vec![
            governing("small", chain(3)),
            governing("large \"one\"", chain(200)),
            governing("middle", chain(100)),
        ])
    };
    let whole = emit(&flows()).unwrap();
    let limit = whole.ir.len().max(whole.rego.len());
    assert!(emit_within(&flows(), "1.1.0", limit).is_ok());
    for limit in [limit - 1, whole.ir.len().min(whole.rego.len()) - 1, 100] {
        let error = emit_within(&flows(), "1.1.0", limit).unwrap_err();
        assert_eq!(error.code, &artifacts::ARTIFACT_TOO_LARGE);
        assert!(
            error.message.contains("`large \"one\"` on line 1"),
            "{}",
            error.message
        );
    }
}

/// Every list long at once: `text::check` bounds the chains.
#[test]
fn everything_long_at_once_stays_shallow() {
    let names = |count: usize| (0..count).map(|n| is_true(&format!("n{n}")));
    let message = || vec![say("refuse"), stop()];
    let long = all(names(300).chain([alternating(9)]));
    let mut block = vec![when(long, message())];
    block.extend(names(280).map(|condition| when(condition, message())));
    let mut flows = (0..300)
        .map(|n| guard(&format!("g{n}"), vec![when(is_true("a"), message())]))
        .collect::<Vec<_>>();
    flows.push(guard("long", block));
    for n in 0..300 {
        let paid = either(is_true("paid"), vec![execute("t")], vec![say("refuse")]);
        flows.push(governing(&format!("f{n}"), vec![paid]));
    }
    let rego = emit(&rulebook(flows)).unwrap().rego;
    super::text::check(&rego);
    assert!(depth(&rego) > 12, "{}", depth(&rego));
}

#[test]
fn a_package_that_rego_cannot_read_is_an_error() {
    let mut flows = one_flow(chain(1));
    flows.package = "stalwart.in".to_owned();
    assert_eq!(emit(&flows).unwrap_err().code, &artifacts::BAD_PACKAGE);
}

#[test]
fn the_same_rulebook_gives_the_same_bytes() {
    let flows = || one_flow(chain(50));
    assert_eq!(emit(&flows()), emit(&flows()));
}

/// What the decision tree's depth costs on the stack: the contract's bounds on a thread of 1 MiB.
#[test]
fn deep_conditions_need_little_stack() {
    std::thread::Builder::new()
        .stack_size(1 << 20)
        .spawn(|| {
            let nested = (0..64).fold(is_true("a"), |inner, n| {
                let inner = all([is_true(&format!("b{n}")), any([inner, is_true("c")])]);
                all([
                    any([
                        all([any([inner, is_true("d")]), is_true("e")]),
                        is_true("f"),
                    ]),
                    is_true("g"),
                ])
            });
            let flow = vec![either(nested, vec![execute("t")], vec![say("refuse")])];
            let _ = emit(&one_flow(flow));
        })
        .unwrap()
        .join()
        .unwrap();
}

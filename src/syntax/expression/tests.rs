//! What of an expression can be read, and what cannot.

use super::*;
use crate::syntax::line::LineKind;

fn read(text: &str) -> Expression {
    let line = Line::plain(LineKind::Code, 0, text, 0);
    condition(&line, line.part(), &mut Vec::new())
        .unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

/// A condition in a form without layout.
fn shown(expression: &Expression) -> String {
    use crate::syntax::tree::{Operand, Operator};
    let join = |word: &str, parts: &[Expression]| {
        let parts: Vec<_> = parts.iter().map(shown).collect();
        format!("{word}({})", parts.join(", "))
    };
    let literal = |literal: &Literal| match literal {
        Literal::Boolean(value) => value.to_string(),
        Literal::Number(value) => value.to_string(),
        Literal::String(value) => format!("{value:?}"),
    };
    match &expression.kind {
        ExpressionKind::Constant(value) => value.to_string(),
        ExpressionKind::Name(path) => path.value.to_string(),
        ExpressionKind::Not(inner) => format!("not({})", shown(inner)),
        ExpressionKind::And(parts) => join("and", parts),
        ExpressionKind::Or(parts) => join("or", parts),
        ExpressionKind::Compare {
            name,
            operator,
            operand,
        } => {
            let operator = match operator.value {
                Operator::Equal => "==",
                Operator::NotEqual => "!=",
                Operator::Less => "<",
                Operator::LessOrEqual => "<=",
                Operator::Greater => ">",
                Operator::GreaterOrEqual => ">=",
            };
            let operand = match operand {
                Operand::Literal(value) => literal(&value.value),
                Operand::Name(path) => path.value.to_string(),
            };
            format!("{}{operator}{operand}", name.value)
        }
        ExpressionKind::OneOf {
            name,
            negated,
            members,
        } => {
            let members: Vec<_> = members
                .iter()
                .map(|member| literal(&member.value))
                .collect();
            let word = if *negated { "not in" } else { "in" };
            format!("{} {word} [{}]", name.value, members.join(", "))
        }
        ExpressionKind::Unreadable(unreadable) => format!("?{:?}", unreadable.construct.value),
    }
}

#[test]
fn readable_conditions() {
    for (text, want) in [
        ("$a", "$a"),
        ("$a.b.c", "$a.b.c"),
        ("True", "true"),
        ("not $a == 5", "not($a==5)"),
        ("not $a and $b or $c", "or(and(not($a), $b), $c)"),
        (
            "$a or $b and not not $c or $d",
            "or($a, and($b, not(not($c))), $d)",
        ),
        ("$a and ($b or $c) and $d", "and($a, or($b, $c), $d)"),
        ("not ($a or $b)", "not(or($a, $b))"),
        ("(($a))", "$a"),
        ("($a) <= (5)", "$a<=5"),
        ("$a==-5.50", "$a==-5.5"),
        ("$a != 'x\\'y'", "$a!=\"x'y\""),
        ("$a != False", "$a!=false"),
        ("$a < $b", "$a<$b"),
        ("$a in [\"x\", 'y',]", "$a in [\"x\", \"y\"]"),
        ("$a not  in [1,-2.0]", "$a not in [1, -2]"),
        ("not $a in [1]", "not($a in [1])"),
        (
            "$note and $android or $order",
            "or(and($note, $android), $order)",
        ),
        ("not($a)and($b)", "and(not($a), $b)"),
    ] {
        assert_eq!(shown(&read(text)), want, "{text}");
    }
}

#[test]
fn the_first_unreadable_construct_is_named_with_its_place() {
    use Construct as C;
    for (text, construct, place) in [
        ("10 < $a < 50", C::ChainedComparison, "10 < $a <"),
        ("$a < $b < $c", C::ChainedComparison, "$a < $b <"),
        ("$x and $a + 1 > 2", C::Arithmetic, "+"),
        ("-$a > 2", C::Arithmetic, "-"),
        ("~$a | 1", C::Arithmetic, "~"),
        ("$a == 2 ** 3", C::Arithmetic, "**"),
        ("len($a) > 5", C::Call, "len($a)"),
        (
            "$a.startswith(\"x\") and 1 < $b",
            C::Call,
            "$a.startswith(\"x\")",
        ),
        ("$a.get(\"x\", 0) > 0.3", C::Call, "$a.get(\"x\", 0)"),
        ("$a[\"k\"]", C::Subscript, "$a[\"k\"]"),
        ("$a[1:2][0]", C::Subscript, "$a[1:2]"),
        ("$a == None", C::None, "None"),
        ("$a is not True", C::Identity, "is not"),
        ("5 == $a", C::LiteralOnTheLeft, "5"),
        ("5 < len($a)", C::LiteralOnTheLeft, "5"),
        ("$a and \"x\" in $text", C::MembershipInValue, "\"x\" in"),
        ("$a in $list", C::MembershipInValue, "$a in $list"),
        ("$a in []", C::ListOfOther, "[]"),
        ("$a in [1, \"x\"]", C::ListOfOther, "[1, \"x\"]"),
        ("$a in [True]", C::ListOfOther, "[True]"),
        ("$a in [$b, 1]", C::ListOfOther, "[$b, 1]"),
        ("$a not in (1, 2)", C::ListOfOther, ","),
        ("$a in {1, 2}", C::ListOfOther, "{"),
        ("$a < \"x\"", C::OrderOfOther, "< \"x\""),
        ("$a >= True", C::OrderOfOther, ">= True"),
        ("$a if $b else $c", C::Conditional, "if"),
        ("5", C::Other, "5"),
        ("\"x\"", C::Other, "\"x\""),
        ("not 5", C::Other, "5"),
        ("[1]", C::Other, "[1]"),
        ("{}", C::Other, "{"),
        ("()", C::Other, ")"),
        ("word", C::BareWord, "word"),
        ("$a == word", C::BareWord, "word"),
        ("word > 30 and $a", C::BareWord, "word"),
        ("($a and $b) == True", C::Other, "$a and $b"),
        ("$a == ($b and $c)", C::Other, "$b and $c"),
        ("\"a\" \"b\"", C::Other, "\"b\""),
        ("f\"{$a}\"", C::Other, "f\"{$a}\""),
    ] {
        match read(text).kind {
            ExpressionKind::Unreadable(unreadable) => {
                assert_eq!(unreadable.construct.value, construct, "{text}");
                let span = unreadable.construct.span.range();
                assert_eq!(text.get(span), Some(place), "{text}");
                assert_eq!(unreadable.text.value, text);
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn any_python_expression_is_colang() {
    for text in [
        "f($a, *$b, k=1, **$c)",
        "f(x for x in $y)",
        "[$x for $x in $y if $x > 1 for z in $x]",
        "{k: v for k, v in $d.items()}",
        "{1, 2, *$a}",
        "{**$a, 'k': 1,}",
        "(yes := $a) and yes",
        "lambda x, y=1, *z: x + y",
        "(1,)",
        "$a[::2] or $a[1:, ...]",
        "$a[f(1):-1]",
        "$a . b",
        "len($a)[0].b",
        "a.b.c",
        "$a @ $b // 3 % 4 << 1 >> 2 & 3 ^ 4",
        "$a is None or $b is not None",
        "rb'x' + u\"y\" 'z'",
        "... == $a",
        "$a if $b else lambda: $c if $d else $e",
        "not lambda_x",
        "über == $a",
        "$a==$b!=$c",
        "[]",
        "$violations.get(\"adult.general\", 0) > 0.3",
        "$a not in $b",
        "- - + ~ $a",
    ] {
        let kind = read(text).kind;
        assert!(
            matches!(kind, ExpressionKind::Unreadable(_)),
            "{text}: {kind:?}"
        );
    }
}

#[test]
fn what_python_refuses_is_refused() {
    for text in [
        "$a $b",
        "$a and and $b",
        "$a == not $b",
        "$a if $b",
        "$a else $b",
        "f(",
        "f)",
        "[1",
        "$a.",
        "(a=1)",
        "$a[]",
        "$a ==",
        "== $a",
        "not",
        "and",
        "in [1]",
        "$a in",
        "lambda",
        "$a := 1",
        "{1: }",
        "$a,",
        "x for x in $y",
        "$a ! = 1",
        "$a =! 1",
        "\\",
        "$a ; $b",
        "@",
    ] {
        let line = Line::plain(LineKind::Code, 0, text, 0);
        assert!(
            condition(&line, line.part(), &mut Vec::new()).is_err(),
            "{text}"
        );
    }
}

#[test]
fn all_names_of_an_unreadable_condition_are_read() {
    let ExpressionKind::Unreadable(unreadable) =
        read("$a.b.get($c) and f\"{$d.e} $f\" == \"$no\" or [$g for $h in $i]").kind
    else {
        panic!()
    };
    let reads: Vec<_> = unreadable
        .reads
        .iter()
        .map(|path| path.value.to_string())
        .collect();
    assert_eq!(reads, ["$a.b", "$c", "$d.e", "$f", "$g", "$h", "$i"]);
}

//! Conditions over one call, in Kleene's logic, with sets of truths where the gate cannot see.

use std::collections::BTreeMap;

use serde_json::Value;
use stalwart::syntax::tree::{Expression, ExpressionKind, Literal, Operand, Operator, Path};
use stalwart::text::Decimal;

/// A set of the truths that an expression may have.
pub type Truths = u8;
/// It may be true.
pub const TRUE: Truths = 1;
/// It may be false.
pub const FALSE: Truths = 2;
/// It may be neither.
pub const NEITHER: Truths = 4;
/// What cannot be seen is true or false.
const UNSEEN: Truths = TRUE | FALSE;

/// What an assigned name stands for.
#[derive(Clone)]
pub enum Binding<'t> {
    /// A constant.
    Literal(&'t Literal),
    /// Another name of the host.
    Host(Vec<&'t str>),
    /// A value that the gate cannot see.
    Unseen,
}

/// Everything a condition is evaluated in.
pub struct Scope<'t, 'c> {
    /// The document of the call.
    pub input: &'c Value,
    /// Whether `$tool_name` is the called tool.
    pub guard: bool,
    /// Names assigned on the way here.
    pub bindings: BTreeMap<&'t str, Binding<'t>>,
}

impl<'t> Scope<'t, '_> {
    /// What a name stands for here.
    pub fn resolve(&self, path: &'t Path) -> Binding<'t> {
        let mut segments = path.value.0.iter().map(String::as_str);
        let first = segments.next().unwrap_or_default();
        match self.bindings.get(first) {
            None => Binding::Host(std::iter::once(first).chain(segments).collect()),
            Some(Binding::Host(target)) => {
                Binding::Host(target.iter().copied().chain(segments).collect())
            }
            Some(binding) if path.value.0.len() == 1 => binding.clone(),
            Some(_) => Binding::Unseen,
        }
    }

    /// The host's value of a name.
    fn value(&self, segments: &[&str]) -> Option<&Value> {
        if self.guard && segments == ["tool_name"] {
            return self.input.get("tool");
        }
        let context = self.input.get("context")?;
        segments
            .iter()
            .try_fold(context, |value, segment| value.as_object()?.get(*segment))
    }

    /// The truths of an expression.
    pub fn truths(&self, expression: &'t Expression) -> Truths {
        match &expression.kind {
            ExpressionKind::Constant(value) => of(*value),
            ExpressionKind::Name(path) => match self.resolve(path) {
                Binding::Literal(Literal::Boolean(value)) => of(*value),
                Binding::Literal(_) | Binding::Unseen => UNSEEN,
                Binding::Host(segments) => of(self.value(&segments) == Some(&Value::Bool(true))),
            },
            ExpressionKind::Not(inner) => negate(self.truths(inner)),
            ExpressionKind::And(parts) => parts
                .iter()
                .map(|part| self.truths(part))
                .fold(TRUE, |all, part| pairs(all, part, and)),
            ExpressionKind::Or(parts) => parts
                .iter()
                .map(|part| negate(self.truths(part)))
                .fold(TRUE, |all, part| pairs(all, part, and))
                .pipe(negate),
            ExpressionKind::Compare {
                name,
                operator,
                operand,
            } => {
                let literal = match operand {
                    Operand::Literal(literal) => Binding::Literal(&literal.value),
                    Operand::Name(path) => self.resolve(path),
                };
                match (self.resolve(name), literal) {
                    (Binding::Host(segments), Binding::Literal(literal)) => {
                        compare(self.value(&segments), operator.value, literal)
                    }
                    _ => UNSEEN,
                }
            }
            ExpressionKind::OneOf {
                name,
                negated,
                members,
            } => match self.resolve(name) {
                Binding::Host(segments) => {
                    let value = self.value(&segments);
                    let any = members
                        .iter()
                        .map(|member| compare(value, Operator::Equal, &member.value))
                        .map(negate)
                        .fold(TRUE, |all, part| pairs(all, part, and));
                    if *negated { any } else { negate(any) }
                }
                _ => UNSEEN,
            },
            ExpressionKind::Unreadable(_) => UNSEEN,
        }
    }
}

/// Lets a fold be read from top to bottom.
trait Pipe: Sized {
    fn pipe<T>(self, then: impl FnOnce(Self) -> T) -> T {
        then(self)
    }
}
impl Pipe for Truths {}

fn of(value: bool) -> Truths {
    if value { TRUE } else { FALSE }
}

/// `not`, of each member.
fn negate(truths: Truths) -> Truths {
    (truths & NEITHER)
        | if truths & TRUE != 0 { FALSE } else { 0 }
        | if truths & FALSE != 0 { TRUE } else { 0 }
}

/// `and` of two single truths: false if one is, else neither if one is.
fn and(left: Truths, right: Truths) -> Truths {
    if left == FALSE || right == FALSE {
        FALSE
    } else if left == NEITHER || right == NEITHER {
        NEITHER
    } else {
        TRUE
    }
}

/// An operation of each member of one set with each of the other.
fn pairs(left: Truths, right: Truths, operation: fn(Truths, Truths) -> Truths) -> Truths {
    let members = |set: Truths| {
        [TRUE, FALSE, NEITHER]
            .into_iter()
            .filter(move |member| set & member != 0)
    };
    members(left)
        .flat_map(|one| members(right).map(move |other| operation(one, other)))
        .fold(0, |all, one| all | one)
}

/// A comparison: neither without a present value of the literal's type.
fn compare(value: Option<&Value>, operator: Operator, literal: &Literal) -> Truths {
    let equal = match (value, literal) {
        (Some(Value::Bool(value)), Literal::Boolean(literal)) => value == literal,
        (Some(Value::String(value)), Literal::String(literal)) => value == literal,
        (Some(Value::Number(value)), Literal::Number(literal)) => {
            let value = Decimal::from_json(&value.to_string()).expect("serde_json reads numbers");
            let order = value.cmp(literal);
            return of(match operator {
                Operator::Equal => order.is_eq(),
                Operator::NotEqual => order.is_ne(),
                Operator::Less => order.is_lt(),
                Operator::LessOrEqual => order.is_le(),
                Operator::Greater => order.is_gt(),
                Operator::GreaterOrEqual => order.is_ge(),
            });
        }
        _ => return NEITHER,
    };
    match operator {
        Operator::Equal => of(equal),
        Operator::NotEqual => of(!equal),
        _ => UNSEEN,
    }
}

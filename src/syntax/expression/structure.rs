//! The precedence step: `or` under `and` under `not` under comparisons, with parentheses, and
//! what of it the gate can read.

use super::{Fault, Reading, literal, opens};
use crate::syntax::grammar::{Mark, MarkKind};
use crate::syntax::tree::{
    Construct, Expression, ExpressionKind, Literal, Operand, Operator, Path,
};
use crate::text::{Span, Spanned};

/// A condition, or the first construct in it that the gate cannot read.
pub(super) type Readable<T> = Result<T, Spanned<Construct>>;

/// One side of a comparison, or a condition that stands alone.
enum Term {
    Path(Path),
    Literal(Spanned<Literal>),
    /// A list, with its members if they can be read.
    List(Option<Vec<Spanned<Literal>>>, Span),
    Condition(Expression),
}

impl Term {
    fn span(&self) -> Span {
        match self {
            Self::Path(path) => path.span,
            Self::Literal(literal) => literal.span,
            Self::List(_, span) => *span,
            Self::Condition(expression) => expression.span.span,
        }
    }
}

/// What is open between two parentheses.
#[derive(Default)]
struct Level {
    any: Vec<Expression>,
    all: Vec<Expression>,
    /// Places of the `not`s before the comparison that is being read.
    nots: Vec<Span>,
    terms: Terms,
}

/// The comparison that is being read: `$a`, `$a == 1`, at worst `1 < $a < 2`.
#[derive(Default)]
struct Terms {
    first: Option<Term>,
    operator: Option<(Comparator, Span)>,
    second: Option<Term>,
}

/// What stands between two terms.
#[derive(Clone, Copy)]
enum Comparator {
    Order(Operator),
    In { negated: bool },
}

impl Comparator {
    fn read(text: &str) -> Self {
        Self::Order(match text {
            "==" => Operator::Equal,
            "!=" => Operator::NotEqual,
            "<" => Operator::Less,
            "<=" => Operator::LessOrEqual,
            ">" => Operator::Greater,
            ">=" => Operator::GreaterOrEqual,
            _ => {
                return Self::In {
                    negated: text.starts_with("not"),
                };
            }
        })
    }
}

/// Reads the marks of a whole expression as a condition.
///
/// The outer result is an error of the text, such as a wrong escape; the inner one says
/// whether the gate can read the condition.
pub(super) fn condition(reading: &Reading<'_, '_>) -> Result<Readable<Expression>, Fault> {
    let mut levels: Vec<Level> = Vec::new();
    let mut level = Level::default();
    let mut at = 0;
    while let Some(&mark) = reading.marks.get(at) {
        at += 1;
        let step = match mark.kind {
            MarkKind::Path => level.term(Term::Path(reading.path(mark)), reading, mark),
            MarkKind::Number | MarkKind::String | MarkKind::Constant => {
                match literal(reading, mark)? {
                    Some(literal) => level.term(Term::Literal(literal), reading, mark),
                    None => Err(Spanned::new(Construct::Other, reading.place(mark))),
                }
            }
            MarkKind::Comparison | MarkKind::Membership => level.operator(reading, mark),
            MarkKind::Not => {
                level.nots.push(reading.place(mark));
                Ok(())
            }
            MarkKind::And => level.join_and(),
            MarkKind::Or => level.join_or(),
            MarkKind::GroupOpen => {
                levels.push(std::mem::take(&mut level));
                Ok(())
            }
            MarkKind::ListOpen => {
                let (list, behind) = list(reading, at - 1)?;
                at = behind;
                level.term(list, reading, mark)
            }
            MarkKind::Close => match level.close(reading.place(mark)) {
                Ok(term) => {
                    level = levels.pop().unwrap_or_default();
                    level.term(term, reading, mark)
                }
                Err(construct) => Err(construct),
            },
            _ => Err(unreadable(reading, at - 1, mark, levels.last(), &level)),
        };
        if let Err(construct) = step {
            // What stands open may hold an earlier construct: `10 < $a < len($b)`.
            let open = levels.iter().chain([&level]);
            let first = open.filter_map(|level| level.terms.open_construct()).fold(
                construct,
                |first, other| {
                    if other.span.start < first.span.start {
                        other
                    } else {
                        first
                    }
                },
            );
            return Ok(Err(first));
        }
    }
    Ok(level.finish(reading))
}

/// The construct at the mark with this index, which no readable condition has.
fn unreadable(
    reading: &Reading<'_, '_>,
    index: usize,
    mark: Mark,
    outer: Option<&Level>,
    level: &Level,
) -> Spanned<Construct> {
    let in_tuple = |level: &Level| matches!(level.terms.operator, Some((Comparator::In { .. }, _)));
    let next = reading.marks.get(index + 1);
    let called = next.filter(|next| next.kind == MarkKind::CallOpen);
    let construct = match mark.kind {
        MarkKind::Word if called.is_some() => {
            let span = reading.between(mark.start, reading.closing(index + 1));
            return Spanned::new(Construct::Call, span);
        }
        MarkKind::CallOpen | MarkKind::SubscriptOpen => {
            let before = index.checked_sub(1).and_then(|at| reading.marks.get(at));
            let start = before.map_or(mark.start, |before| before.start);
            let construct = match mark.kind {
                MarkKind::CallOpen => Construct::Call,
                _ => Construct::Subscript,
            };
            return Spanned::new(construct, reading.between(start, reading.closing(index)));
        }
        MarkKind::None => Construct::None,
        MarkKind::Identity => Construct::Identity,
        MarkKind::Arithmetic | MarkKind::Sign => Construct::Arithmetic,
        MarkKind::Conditional => Construct::Conditional,
        MarkKind::Word => Construct::BareWord,
        MarkKind::Comma if outer.is_some_and(in_tuple) => Construct::ListOfOther,
        MarkKind::BraceOpen if in_tuple(level) => Construct::ListOfOther,
        _ => Construct::Other,
    };
    Spanned::new(construct, reading.place(mark))
}

impl Reading<'_, '_> {
    /// The offset behind the bracket that closes the one at a mark.
    fn closing(&self, open: usize) -> usize {
        let mut depth = 0_usize;
        let mut end = 0;
        for mark in self.marks.iter().skip(open) {
            end = mark.end;
            match mark.kind {
                MarkKind::Close => depth = depth.saturating_sub(1),
                kind if opens(kind) => depth += 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        end
    }
}

/// Reads the list whose `[` is the mark at `open`: the term, and the index behind its `]`.
fn list(reading: &Reading<'_, '_>, open: usize) -> Result<(Term, usize), Fault> {
    let mut members: Vec<Spanned<Literal>> = Vec::new();
    let mut readable = true;
    let mut depth = 0_usize;
    let mut at = open;
    let mut span = Span::default();
    while let Some(&mark) = reading.marks.get(at) {
        at += 1;
        if opens(mark.kind) {
            depth += 1;
        }
        match mark.kind {
            MarkKind::ListOpen if depth == 1 => span = reading.place(mark),
            MarkKind::Close => {
                depth -= 1;
                if depth == 0 {
                    span = span.to(reading.place(mark));
                    break;
                }
            }
            MarkKind::Number | MarkKind::String if depth == 1 && readable => {
                members.extend(literal(reading, mark)?);
            }
            MarkKind::Comma => {}
            _ => readable = false,
        }
    }
    let one_type = members.windows(2).all(|pair| match pair {
        [a, b] => a.value.value_type() == b.value.value_type(),
        _ => true,
    });
    let members = (readable && one_type && !members.is_empty()).then_some(members);
    Ok((Term::List(members, span), at))
}

impl Level {
    /// Takes in a value. The grammar lets an operator stand between two of them.
    fn term(&mut self, term: Term, reading: &Reading<'_, '_>, mark: Mark) -> Readable<()> {
        let terms = &mut self.terms;
        if terms.first.is_none() {
            terms.first = Some(term);
        } else if terms.operator.is_some() && terms.second.is_none() {
            terms.second = Some(term);
        } else {
            return Err(Spanned::new(Construct::Other, reading.place(mark)));
        }
        Ok(())
    }

    fn operator(&mut self, reading: &Reading<'_, '_>, mark: Mark) -> Readable<()> {
        let terms = &mut self.terms;
        if let (Some(first), Some(_)) = (&terms.first, &terms.second) {
            let span = first.span().to(reading.place(mark));
            return Err(Spanned::new(Construct::ChainedComparison, span));
        }
        let comparator = Comparator::read(reading.text(mark).text);
        terms.operator = Some((comparator, reading.place(mark)));
        Ok(())
    }

    fn join_and(&mut self) -> Readable<()> {
        let condition = self.comparison()?;
        self.all.push(condition);
        Ok(())
    }

    fn join_or(&mut self) -> Readable<()> {
        let condition = self.conjunction()?;
        self.any.push(condition);
        Ok(())
    }

    /// The comparison that was being read, under its `not`s.
    fn comparison(&mut self) -> Readable<Expression> {
        let mut condition = std::mem::take(&mut self.terms).condition()?;
        while let Some(not) = self.nots.pop() {
            let span = Spanned::new((), not.to(condition.span.span));
            condition = Expression {
                kind: ExpressionKind::Not(Box::new(condition)),
                span,
            };
        }
        Ok(condition)
    }

    fn conjunction(&mut self) -> Readable<Expression> {
        let last = self.comparison()?;
        Ok(joined(&mut self.all, last, ExpressionKind::And))
    }

    fn disjunction(&mut self) -> Readable<Expression> {
        let last = self.conjunction()?;
        Ok(joined(&mut self.any, last, ExpressionKind::Or))
    }

    /// What a pair of parentheses holds: a name or literal stays what it is.
    fn close(&mut self, place: Span) -> Readable<Term> {
        let alone = self.any.is_empty() && self.all.is_empty() && self.nots.is_empty();
        if alone && self.terms.operator.is_none() {
            return match self.terms.first.take() {
                Some(term) => Ok(term),
                // `()` is a tuple.
                None => Err(Spanned::new(Construct::Other, place)),
            };
        }
        self.disjunction().map(Term::Condition)
    }

    fn finish(&mut self, reading: &Reading<'_, '_>) -> Readable<Expression> {
        self.disjunction().map_err(|mut construct| {
            if construct.span == Span::default() {
                construct.span = reading.line.place(reading.part.trim());
            }
            construct
        })
    }
}

/// `last` alone, or behind what was gathered.
fn joined(
    gathered: &mut Vec<Expression>,
    last: Expression,
    kind: fn(Vec<Expression>) -> ExpressionKind,
) -> Expression {
    let Some(first) = gathered.first() else {
        return last;
    };
    let span = Spanned::new((), first.span.span.to(last.span.span));
    let mut members = std::mem::take(gathered);
    members.push(last);
    Expression {
        kind: kind(members),
        span,
    }
}

impl Terms {
    /// What an unfinished comparison already shows.
    fn open_construct(&self) -> Option<Spanned<Construct>> {
        let (comparator, operator) = self.operator?;
        match self.first.as_ref()? {
            Term::Literal(literal) => Some(left_literal(comparator, literal.span, operator)),
            _ => None,
        }
    }

    fn condition(self) -> Readable<Expression> {
        let Some(first) = self.first else {
            return Err(Spanned::new(Construct::Other, Span::default()));
        };
        let Some((comparator, operator)) = self.operator else {
            return alone(first);
        };
        let Some(second) = self.second else {
            return Err(Spanned::new(Construct::Other, operator));
        };
        let span = Spanned::new((), first.span().to(second.span()));
        let name = match first {
            Term::Path(name) => name,
            Term::Literal(literal) => {
                return Err(left_literal(comparator, literal.span, operator));
            }
            other => return Err(Spanned::new(Construct::Other, other.span())),
        };
        let kind = match comparator {
            Comparator::In { negated } => one_of(name, negated, second, span.span)?,
            Comparator::Order(value) => compare(name, Spanned::new(value, operator), second)?,
        };
        Ok(Expression { kind, span })
    }
}

fn left_literal(comparator: Comparator, literal: Span, operator: Span) -> Spanned<Construct> {
    match comparator {
        Comparator::In { .. } => Spanned::new(Construct::MembershipInValue, literal.to(operator)),
        Comparator::Order(_) => Spanned::new(Construct::LiteralOnTheLeft, literal),
    }
}

/// A value that stands alone as a condition.
fn alone(term: Term) -> Readable<Expression> {
    let span = Spanned::new((), term.span());
    let kind = match term {
        Term::Path(path) => ExpressionKind::Name(path),
        Term::Literal(Spanned {
            value: Literal::Boolean(value),
            ..
        }) => ExpressionKind::Constant(value),
        Term::Condition(expression) => return Ok(expression),
        Term::Literal(_) | Term::List(..) => {
            return Err(Spanned::new(Construct::Other, span.span));
        }
    };
    Ok(Expression { kind, span })
}

fn one_of(name: Path, negated: bool, members: Term, whole: Span) -> Readable<ExpressionKind> {
    match members {
        Term::List(Some(members), _) => Ok(ExpressionKind::OneOf {
            name,
            negated,
            members,
        }),
        Term::List(None, span) => Err(Spanned::new(Construct::ListOfOther, span)),
        _ => Err(Spanned::new(Construct::MembershipInValue, whole)),
    }
}

fn compare(name: Path, operator: Spanned<Operator>, second: Term) -> Readable<ExpressionKind> {
    let ordered = !matches!(operator.value, Operator::Equal | Operator::NotEqual);
    let operand = match second {
        Term::Path(other) => Operand::Name(other),
        Term::Literal(literal) => {
            if ordered && !matches!(literal.value, Literal::Number(_)) {
                let span = operator.span.to(literal.span);
                return Err(Spanned::new(Construct::OrderOfOther, span));
            }
            Operand::Literal(literal)
        }
        other => return Err(Spanned::new(Construct::Other, other.span())),
    };
    Ok(ExpressionKind::Compare {
        name,
        operator,
        operand,
    })
}

//! Which part of a condition decides alone.

use crate::evaluator::Truth;
use crate::ir::Condition;

use super::scene::Required;

/// Most leaves of a condition that is taken apart.
const MOST_LEAVES: usize = 48;

/// For each leaf of a condition that is so for one of several reasons, what its neighbours and the
/// leaf itself have to be, so that it is so because of this leaf alone. None for other conditions:
/// what lies beside a call says the same of these.
pub fn decisive_parts(condition: &Condition, truth: Truth) -> Vec<Vec<Required<'_>>> {
    let is_mixed = match (condition, truth) {
        (Condition::All(_), Truth::False) | (Condition::Any(_), Truth::True) => true,
        (Condition::All(inner) | Condition::Any(inner), _) => inner
            .iter()
            .any(|inner| matches!(inner, Condition::All(_) | Condition::Any(_))),
        _ => false,
    };
    if !is_mixed || condition.leaves().count() > MOST_LEAVES {
        return Vec::new();
    }
    let mut found = Vec::new();
    // Each with what its neighbours have to be.
    let mut rest: Vec<(&Condition, Vec<Required<'_>>)> = vec![(condition, Vec::new())];
    while let Some((condition, neighbours)) = rest.pop() {
        let (inner, neutral) = match condition {
            Condition::All(inner) => (inner, Truth::True),
            Condition::Any(inner) => (inner, Truth::False),
            leaf => {
                let mut wanted = neighbours;
                wanted.push(Required::Part(leaf, truth));
                found.push(wanted);
                continue;
            }
        };
        for (at, part) in inner.iter().enumerate().rev() {
            let mut wanted = neighbours.clone();
            let others = inner.iter().enumerate().filter(|(other, _)| *other != at);
            wanted.extend(others.map(|(_, other)| Required::Part(other, neutral)));
            rest.push((part, wanted));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::example::is_true;

    #[test]
    fn each_leaf_of_a_mixed_condition_decides_alone() {
        let (a, b, c) = (is_true("a"), is_true("b"), is_true("c"));
        let either = Condition::any(vec![a.clone(), b.clone()]);
        let both = Condition::all(vec![either.clone(), c.clone()]);
        let found = decisive_parts(&both, Truth::True);
        let part = |condition, truth| Required::Part(condition, truth);
        assert_eq!(
            found,
            [
                vec![
                    part(&c, Truth::True),
                    part(&b, Truth::False),
                    part(&a, Truth::True)
                ],
                vec![
                    part(&c, Truth::True),
                    part(&a, Truth::False),
                    part(&b, Truth::True)
                ],
                vec![part(&either, Truth::True), part(&c, Truth::True)],
            ]
        );
        assert!(decisive_parts(&either, Truth::False).is_empty());
        assert_eq!(
            decisive_parts(&either, Truth::True),
            [
                vec![part(&b, Truth::False), part(&a, Truth::True)],
                vec![part(&a, Truth::False), part(&b, Truth::True)]
            ]
        );
        assert!(decisive_parts(&a, Truth::True).is_empty());
    }
}

//! What names in a package refer to, and that no rule needs itself.

use std::collections::BTreeSet;

use super::{BUILTINS, Expression, Fault, Package, Rule};

/// Most rules on a way of references. The emitted Rego has sixteen, and those of long names; the
/// interpreter recurses over rules.
const MAX_CHAIN: usize = 64;

/// Checks that every name refers to something, that functions call functions of Rego or of one
/// more level only, and that no rule is reached from itself.
///
/// # Errors
/// The first that is not so, with the line of its rule.
pub(super) fn check(package: &Package) -> Result<(), Fault> {
    for rule in &package.rules {
        check_rule(package, rule)?;
    }
    check_chains(package)
}

fn fault(rule: &Rule, what: &str) -> Fault {
    format!("line {} has {what}, which no translator writes", rule.line)
}

fn check_rule(package: &Package, rule: &Rule) -> Result<(), Fault> {
    let is_taken = |name: &str| {
        matches!(name, "input" | "data" | "_")
            || BUILTINS.contains(&name)
            || package.by_name.contains_key(name)
    };
    let is_misnamed = matches!(rule.name.as_str(), "input" | "data" | "_")
        || BUILTINS.contains(&rule.name.as_str());
    let parameters: BTreeSet<&str> = rule.parameters.iter().map(String::as_str).collect();
    let is_shadowed = parameters.iter().any(|name| is_taken(name));
    if is_misnamed || is_shadowed || parameters.len() < rule.parameters.len() {
        return Err(fault(rule, "a name that means something else"));
    }
    let all_alike = package
        .rules_of(&rule.name)
        .all(|(_, other)| other.parameters.len() == rule.parameters.len());
    if !all_alike {
        return Err(fault(rule, "a name of a rule and a function"));
    }
    for case in &rule.cases {
        let mut known = parameters.clone();
        for statement in &case.body {
            check_expression(package, rule, &known, statement.expression())?;
            if let super::Statement::Assign(name, _) = statement
                && (is_taken(name) || !known.insert(name))
            {
                return Err(fault(rule, "a variable that means something else"));
            }
        }
        if let Some(value) = &case.value {
            check_expression(package, rule, &known, value)?;
        }
    }
    Ok(())
}

fn check_expression(
    package: &Package,
    rule: &Rule,
    known: &BTreeSet<&str>,
    whole: &Expression,
) -> Result<(), Fault> {
    let mut rest = vec![whole];
    while let Some(expression) = rest.pop() {
        match expression {
            Expression::Name(name) => {
                let mut rules = package.rules_of(name);
                let is_rule = rules
                    .next()
                    .is_some_and(|(_, rule)| rule.parameters.is_empty());
                if name != "input" && !is_rule && !known.contains(name.as_str()) {
                    return Err(fault(rule, "a name that nothing defines"));
                }
                if is_rule && !rule.parameters.is_empty() {
                    return Err(fault(rule, "a function that names a rule"));
                }
            }
            Expression::Call(function, arguments) if !BUILTINS.contains(&function.as_str()) => {
                let mut rules = package.rules_of(function);
                let is_function = rules.next().is_some_and(|(_, rule)| {
                    !rule.parameters.is_empty() && rule.parameters.len() == arguments.len()
                });
                if !is_function {
                    return Err(fault(rule, "a call of what is no function"));
                }
                if !rule.parameters.is_empty() {
                    return Err(fault(rule, "a function that calls another"));
                }
            }
            _ => {}
        }
        rest.extend(expression.parts());
    }
    Ok(())
}

/// The names of rules and functions that a rule's cases name.
pub(in crate::proof) fn named<'a>(
    package: &'a Package,
    rule: &'a Rule,
) -> impl Iterator<Item = &'a str> {
    let values = rule.cases.iter().filter_map(|case| case.value.as_ref());
    let bodies = rule.cases.iter().flat_map(|case| &case.body);
    let mut rest: Vec<&Expression> = values
        .chain(bodies.map(super::Statement::expression))
        .collect();
    std::iter::from_fn(move || {
        loop {
            let expression = rest.pop()?;
            rest.extend(expression.parts());
            if let Expression::Name(name) | Expression::Call(name, _) = expression
                && package.by_name.contains_key(name)
            {
                return Some(name.as_str());
            }
        }
    })
}

/// What is known of a name on the walk.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    Unseen,
    Open,
    /// Done; the longest way of references from it.
    Done(usize),
}

fn check_chains(package: &Package) -> Result<(), Fault> {
    let mut visits: std::collections::BTreeMap<&str, Visit> = package
        .by_name
        .keys()
        .map(|name| (name.as_str(), Visit::Unseen))
        .collect();
    for start in package.by_name.keys() {
        let mut open: Vec<(&str, Vec<&str>, usize)> = Vec::new();
        let mut next = Some(start.as_str());
        loop {
            if let Some(name) = next.take() {
                match visits.get(name) {
                    Some(Visit::Unseen) => {
                        let names = package.rules_of(name);
                        let names = names.flat_map(|(_, rule)| named(package, rule)).collect();
                        visits.insert(name, Visit::Open);
                        open.push((name, names, 0));
                    }
                    Some(Visit::Open) => return Err(chain_fault(package, name)),
                    Some(Visit::Done(length)) => {
                        if let Some((_, _, longest)) = open.last_mut() {
                            *longest = (*longest).max(*length);
                        }
                    }
                    None => {}
                }
            }
            let Some((name, names, longest)) = open.last_mut() else {
                break;
            };
            next = names.pop();
            if next.is_none() {
                let (name, length) = (*name, *longest + 1);
                if length > MAX_CHAIN {
                    return Err(chain_fault(package, name));
                }
                visits.insert(name, Visit::Done(length));
                open.pop();
                next = Some(name).filter(|_| !open.is_empty());
            }
        }
    }
    Ok(())
}

fn chain_fault(package: &Package, name: &str) -> Fault {
    let line = package
        .rules_of(name)
        .next()
        .map_or(0, |(_, rule)| rule.line);
    format!(
        "line {line} has a rule that needs itself or too many others, which no translator writes"
    )
}

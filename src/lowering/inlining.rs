//! Whether subflows can be inlined: unknown names, recursion, depth, and how many statements
//! come of it (contract sections 1 and 3). Inlined statements are counted here, not expanded.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostics::{Diagnostic, Sink, codes::flows, codes::names};
use crate::syntax::tree::{FlowDefinition, Statement, StatementKind};
use crate::text::{Span, Spanned, quoted};

use super::definitions::{Definitions, Suggestions};

/// Most statements a rulebook may have after inlining.
pub const MAX_STATEMENTS: usize = 100_000;
/// Longest chain of `do`.
pub const MAX_DO_CHAIN: usize = 64;
/// Deepest nesting of `if`, `when` and `while`, subflows inlined.
pub const MAX_NESTING: usize = 64;

/// What inlining a flow or subflow comes to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extent {
    /// Statements, subflows inlined. Saturates.
    pub statements: usize,
    /// The same with the body of each `while` twice, as a flow that speaks is judged.
    pub unrolled: usize,
    /// `do`s in a row.
    pub chain: usize,
    /// Deepest nesting of blocks, subflows inlined.
    pub nesting: usize,
    /// Whether it cannot be inlined: it, or a subflow that it reaches, is broken.
    pub broken: bool,
}

/// The extents of all flows and subflows, and which subflows are used.
#[derive(Debug)]
pub struct Inlining {
    /// By index of the flow.
    pub flows: Vec<Extent>,
    /// By index of the subflow.
    pub subflows: Vec<Extent>,
    /// By index of the subflow: whether a flow reaches it.
    pub used: Vec<bool>,
}

/// Measures all flows and reports what cannot be inlined.
pub fn measure(definitions: &Definitions<'_>, sink: &mut Sink) -> Inlining {
    let names = definitions.subflow_by_name.keys();
    let mut suggestions = Suggestions::of(names.map(|name| (*name).to_owned()));
    let calls: Vec<Vec<(usize, Span)>> = definitions
        .subflows
        .iter()
        .map(|subflow| resolve_calls(subflow, definitions, &mut suggestions, sink).1)
        .collect();
    let on_cycle = report_recursion(definitions, &calls, sink);
    let mut measured: BTreeMap<usize, Extent> = BTreeMap::new();
    for index in order_callees_first(&calls, &on_cycle) {
        let extent = match definitions.subflows.get(index) {
            Some(subflow) => extent_of(subflow, definitions, &measured, &on_cycle),
            None => Extent::default(),
        };
        measured.insert(index, extent);
    }
    let mut used = vec![false; definitions.subflows.len()];
    let mut flows = Vec::new();
    let mut total = 0_usize;
    for flow in &definitions.flows {
        let (unknown, flow_calls) = resolve_calls(flow, definitions, &mut suggestions, sink);
        mark_used(&flow_calls, &calls, &mut used);
        let mut extent = extent_of(flow, definitions, &measured, &on_cycle);
        extent.broken |= unknown;
        report_limits(flow, &mut extent, &mut total, sink);
        flows.push(extent);
    }
    for (index, subflow) in definitions.subflows.iter().enumerate() {
        let unused = used.get(index) == Some(&false);
        if let Some(extent) = measured.get_mut(&index)
            && unused
        {
            // Not inlined anywhere: it is looked at alone, and the same limits hold.
            report_limits(subflow, extent, &mut 0, sink);
        }
    }
    Inlining {
        flows,
        subflows: measured.into_values().collect(),
        used,
    }
}

/// The subflows that a definition calls directly, with the place of each `do`, and whether one
/// of them is unknown.
fn resolve_calls(
    definition: &FlowDefinition,
    definitions: &Definitions<'_>,
    suggestions: &mut Suggestions,
    sink: &mut Sink,
) -> (bool, Vec<(usize, Span)>) {
    let mut unknown = false;
    let mut found = Vec::new();
    each_statement(&definition.body, &mut |statement| {
        if let StatementKind::Do(name) = &statement.kind {
            match definitions.subflow_by_name.get(name.value.as_str()) {
                Some(&index) => found.push((index, name.span)),
                None => {
                    unknown = true;
                    sink.push(unknown_subflow(name, definitions, suggestions));
                }
            }
        }
    });
    (unknown, found)
}

fn unknown_subflow(
    name: &Spanned<String>,
    definitions: &Definitions<'_>,
    suggestions: &mut Suggestions,
) -> Diagnostic {
    let shown = quoted(&name.value);
    if let Some(flow) = definitions.flow_named(&name.value) {
        return Diagnostic::new(
            &names::DO_OF_FLOW,
            name.span,
            format!("{shown} is a flow, and `do` inlines subflows only"),
        )
        .with_other(flow.name.span, "defined as a flow here")
        .with_help(format!(
            "write `define subflow {}` if it is only a part of other flows",
            crate::text::visible(&name.value)
        ));
    }
    let help = match suggestions.for_name(&name.value) {
        Some(candidate) => format!("did you mean {}?", quoted(candidate)),
        None => format!(
            "define it: `define subflow {}`",
            crate::text::visible(&name.value)
        ),
    };
    Diagnostic::new(
        &names::UNKNOWN_SUBFLOW,
        name.span,
        format!("no subflow is named {shown}"),
    )
    .with_help(help)
}

/// Calls `visit` for every statement of a body, blocks included, in source order.
pub fn each_statement<'t>(body: &'t [Statement], visit: &mut dyn FnMut(&'t Statement)) {
    // Blocks nest at most 64 deep, but the explicit stack costs nothing either.
    let mut stack: Vec<std::slice::Iter<'t, Statement>> = vec![body.iter()];
    while let Some(top) = stack.last_mut() {
        let Some(statement) = top.next() else {
            stack.pop();
            continue;
        };
        visit(statement);
        stack.extend(blocks_of(statement).into_iter().rev().map(<[_]>::iter));
    }
}

/// The blocks of a statement, in source order.
pub fn blocks_of(statement: &Statement) -> Vec<&[Statement]> {
    match &statement.kind {
        StatementKind::If(branching) => branching.arms.iter().map(|arm| &arm.body[..]).collect(),
        StatementKind::When(when) => when.arms.iter().map(|arm| &arm.body[..]).collect(),
        StatementKind::While(round) => vec![&round.body[..]],
        _ => Vec::new(),
    }
}

/// Reports each cycle once, at the `do` that closes it seen from the subflow defined first, and
/// tells which subflows lie on one.
fn report_recursion(
    definitions: &Definitions<'_>,
    calls: &[Vec<(usize, Span)>],
    sink: &mut Sink,
) -> Vec<bool> {
    #[derive(Clone, Copy, PartialEq)]
    enum Visit {
        New,
        Open,
        Done,
    }
    let mut visits = vec![Visit::New; calls.len()];
    let mut on_cycle = vec![false; calls.len()];
    let mut reported: BTreeSet<Vec<usize>> = BTreeSet::new();
    for root in 0..calls.len() {
        if visits.get(root) != Some(&Visit::New) {
            continue;
        }
        let mut open: Vec<(usize, usize)> = vec![(root, 0)];
        set(&mut visits, root, Visit::Open);
        while let Some(&(subflow, position)) = open.last() {
            let call = calls.get(subflow).and_then(|list| list.get(position));
            let Some(&(callee, span)) = call else {
                set(&mut visits, subflow, Visit::Done);
                open.pop();
                continue;
            };
            if let Some(last) = open.last_mut() {
                last.1 += 1;
            }
            match visits.get(callee) {
                Some(Visit::New) => {
                    set(&mut visits, callee, Visit::Open);
                    open.push((callee, 0));
                }
                Some(Visit::Open) => {
                    let from = open.iter().position(|(index, _)| *index == callee);
                    let cycle = open.iter().skip(from.unwrap_or(0));
                    let mut cycle: Vec<usize> = cycle.map(|(index, _)| *index).collect();
                    for index in &cycle {
                        set(&mut on_cycle, *index, true);
                    }
                    cycle.sort_unstable();
                    if reported.insert(cycle) {
                        sink.push(recursion(definitions, callee, span));
                    }
                }
                _ => {}
            }
        }
    }
    on_cycle
}

fn set<T>(list: &mut [T], index: usize, value: T) {
    if let Some(slot) = list.get_mut(index) {
        *slot = value;
    }
}

fn recursion(definitions: &Definitions<'_>, callee: usize, span: Span) -> Diagnostic {
    let (name, head) = match definitions.subflows.get(callee) {
        Some(subflow) => (subflow.name.value.as_str(), subflow.name.span),
        None => ("", span),
    };
    Diagnostic::new(
        &names::RECURSION,
        span,
        format!("subflow {} ends up inlining itself", quoted(name)),
    )
    .with_label("this `do` closes the circle")
    .with_other(head, "which begins here")
    .with_help("a rulebook has no loops: let the host pass what the rounds would find out as a context value")
}

/// Subflows so that each comes behind those it calls.
fn order_callees_first(calls: &[Vec<(usize, Span)>], on_cycle: &[bool]) -> Vec<usize> {
    let mut order = Vec::new();
    let mut seen = on_cycle.to_vec();
    for root in 0..calls.len() {
        if seen.get(root) != Some(&false) {
            continue;
        }
        set(&mut seen, root, true);
        let mut open: Vec<(usize, usize)> = vec![(root, 0)];
        while let Some(&(subflow, position)) = open.last() {
            let call = calls.get(subflow).and_then(|list| list.get(position));
            let Some(&(callee, _)) = call else {
                order.push(subflow);
                open.pop();
                continue;
            };
            if let Some(last) = open.last_mut() {
                last.1 += 1;
            }
            if seen.get(callee) == Some(&false) {
                set(&mut seen, callee, true);
                open.push((callee, 0));
            }
        }
    }
    let cyclic = on_cycle.iter().enumerate().filter(|(_, cyclic)| **cyclic);
    order.extend(cyclic.map(|(index, _)| index));
    order
}

fn mark_used(direct: &[(usize, Span)], calls: &[Vec<(usize, Span)>], used: &mut [bool]) {
    let mut open: Vec<usize> = direct.iter().map(|(index, _)| *index).collect();
    while let Some(index) = open.pop() {
        if used.get(index) == Some(&false) {
            set(used, index, true);
            let callees = calls.get(index).into_iter().flatten();
            open.extend(callees.map(|(callee, _)| *callee));
        }
    }
}

fn extent_of(
    definition: &FlowDefinition,
    definitions: &Definitions<'_>,
    measured: &BTreeMap<usize, Extent>,
    on_cycle: &[bool],
) -> Extent {
    let mut extent = extent_of_block(&definition.body, &|name| {
        let index = *definitions.subflow_by_name.get(name)?;
        if on_cycle.get(index) == Some(&true) {
            return None;
        }
        measured.get(&index).copied()
    });
    extent.broken |= definition.broken;
    extent
}

/// Recursion over blocks, which nest at most 64 deep.
fn extent_of_block(body: &[Statement], subflow: &dyn Fn(&str) -> Option<Extent>) -> Extent {
    let mut whole = Extent::default();
    for statement in body {
        whole.statements = whole.statements.saturating_add(1);
        whole.unrolled = whole.unrolled.saturating_add(1);
        if let StatementKind::Do(name) = &statement.kind {
            match subflow(&name.value) {
                Some(inner) => {
                    whole.statements = whole.statements.saturating_add(inner.statements);
                    whole.unrolled = whole.unrolled.saturating_add(inner.unrolled);
                    whole.chain = whole.chain.max(inner.chain + 1);
                    whole.nesting = whole.nesting.max(inner.nesting);
                    whole.broken |= inner.broken;
                }
                None => whole.broken = true,
            }
            continue;
        }
        let rounds = if matches!(statement.kind, StatementKind::While(_)) {
            2
        } else {
            1
        };
        for block in blocks_of(statement) {
            let inner = extent_of_block(block, subflow);
            whole.statements = whole.statements.saturating_add(inner.statements);
            whole.unrolled = whole
                .unrolled
                .saturating_add(inner.unrolled.saturating_mul(rounds));
            whole.chain = whole.chain.max(inner.chain);
            whole.nesting = whole.nesting.max(inner.nesting + 1);
            whole.broken |= inner.broken;
        }
    }
    whole
}

fn report_limits(flow: &FlowDefinition, extent: &mut Extent, total: &mut usize, sink: &mut Sink) {
    if extent.broken {
        return;
    }
    let name = quoted(&flow.name.value);
    let mut refuse = |message: String, help: &str| {
        extent.broken = true;
        sink.push(
            Diagnostic::new(&flows::TOO_MUCH_INLINED, flow.name.span, message).with_help(help),
        );
    };
    if extent.chain > MAX_DO_CHAIN {
        refuse(
            format!("{name} chains more than 64 `do`s"),
            "inline some of the subflows by hand",
        );
    } else if extent.nesting > MAX_NESTING {
        refuse(
            format!("{name} nests more than 64 blocks once its subflows are inlined"),
            "join conditions with `and`, or end paths early with `stop` or `return`",
        );
    } else {
        *total = total.saturating_add(extent.statements);
        if *total > MAX_STATEMENTS {
            refuse(
                format!(
                    "with {name} the rulebook has more than 100,000 statements once subflows are inlined"
                ),
                "a subflow that is done twice counts twice: let fewer flows do it",
            );
        }
    }
}

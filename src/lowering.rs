//! From the tree to the IR: names resolved, subflows inlined, paths listed as branches.
//!
//! [`PASSES`] names the passes in their order. Each may report errors; the IR comes out only
//! when there are none.

mod branches;
mod conditions;
mod definitions;
mod flows;
mod graph;
mod inlining;
mod kinds;
mod left_out;
mod messages;
mod names;
mod paths;
mod places;
mod unseen;
mod unseen_messages;
mod values;

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostics::{Diagnostic, Sink, codes};
use crate::ir;
use crate::ir::limits::MAX_BRANCHES_IN_ALL;
use crate::syntax::tree::{self, PathName, StatementKind, Value};
use crate::text::{Source, quoted};

use definitions::Definitions;
use flows::{Lowered, Role};
use inlining::Inlining;

pub use places::{FlowPlaces, IfPlaces, Places};

/// A named pass over a rulebook.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// Its name, as profiles show it.
    pub name: &'static str,
    run: fn(&mut Program<'_>, &mut Sink),
}

/// The passes in order. Each needs what those before it found.
pub static PASSES: &[Pass] = &[
    Pass {
        name: "inlining",
        run: |program, sink| program.inlining = Some(inlining::measure(&program.definitions, sink)),
    },
    Pass {
        name: "flows",
        run: lower_flows,
    },
    Pass {
        name: "reached",
        run: check_reached,
    },
    Pass {
        name: "names",
        run: check_names,
    },
    Pass {
        name: "modifiers",
        run: note_modifiers,
    },
    Pass {
        name: "messages",
        run: |program, sink| program.messages = messages::collect(&program.definitions, sink),
    },
];

/// A rulebook on its way from the tree to the IR.
#[derive(Debug)]
pub struct Program<'t> {
    source: &'t Source,
    definitions: Definitions<'t>,
    inlining: Option<Inlining>,
    flows: Vec<(ir::FlowKind, Lowered<'t>)>,
    unused_subflows: Vec<Lowered<'t>>,
    names: names::Names,
    messages: Vec<ir::Message>,
    /// Whether some flow could not be looked at, so that nothing is called unused or unreached.
    incomplete: bool,
}

/// A rulebook in the IR, and where its parts stand.
#[derive(Debug)]
pub struct Output {
    /// The rulebook.
    pub rulebook: ir::Rulebook,
    /// The side table.
    pub places: Places,
}

/// Runs all passes. The output is there when the sink holds no errors, those of earlier stages
/// included, and is not given up.
pub fn lower(
    tree: &tree::Rulebook,
    source: &Source,
    header: (String, ir::SourceFile),
    sink: &mut Sink,
) -> Option<Output> {
    let mut program = Program {
        source,
        definitions: Definitions::collect(tree, sink),
        inlining: None,
        flows: Vec::new(),
        unused_subflows: Vec::new(),
        names: names::Names::new(),
        messages: Vec::new(),
        incomplete: false,
    };
    for pass in PASSES {
        (pass.run)(&mut program, sink);
        if sink.is_given_up() {
            return None;
        }
    }
    (!sink.has_errors()).then(|| program.output(header))
}

fn lower_flows(program: &mut Program<'_>, sink: &mut Sink) {
    let Some(inlining) = &program.inlining else {
        return;
    };
    let mut branches = 0_usize;
    for (index, definition) in program.definitions.flows.iter().enumerate() {
        if sink.is_given_up() {
            return;
        }
        let extent = inlining.flows.get(index).copied().unwrap_or_default();
        let (kind, lowered) = if extent.broken {
            program.incomplete = true;
            (ir::FlowKind::Dialogue, Lowered::default())
        } else {
            flows::lower(
                &program.definitions,
                definition,
                Role::Flow(index),
                extent.unrolled,
                program.source,
                sink,
            )
        };
        let before = branches;
        branches += lowered.branches.len();
        if before <= MAX_BRANCHES_IN_ALL && branches > MAX_BRANCHES_IN_ALL {
            sink.push(branches::too_many_in_all(
                &definition.name.value,
                definition.name.span,
            ));
        }
        program.flows.push((kind, lowered));
    }
    for (index, subflow) in program.definitions.subflows.iter().enumerate() {
        if inlining.used.get(index) != Some(&false) {
            continue;
        }
        let extent = inlining.subflows.get(index);
        if extent.is_none_or(|extent| extent.broken) {
            program.incomplete = true;
            continue;
        }
        let (_, lowered) = flows::lower(
            &program.definitions,
            subflow,
            Role::UnusedSubflow,
            0,
            program.source,
            sink,
        );
        program.unused_subflows.push(lowered);
    }
}

fn check_reached(program: &mut Program<'_>, sink: &mut Sink) {
    if program.incomplete {
        return;
    }
    let of_flows = program.flows.iter().map(|(_, lowered)| lowered);
    let mut reached: Vec<usize> = of_flows
        .chain(&program.unused_subflows)
        .flat_map(|lowered| lowered.reached.iter().copied())
        .collect();
    reached.sort_unstable();
    reached.dedup();
    // Where a `goto` leads is not followed, so nothing is said of what it may lead to.
    let jumping = with_goto(program);
    for flow in messages::all_flows(&program.definitions) {
        if !jumping.contains(flow.name.value.as_str()) {
            paths::check_reached(&flow.body, &reached, sink);
        }
    }
    if let Some(inlining) = &program.inlining {
        let subflows = program.definitions.subflows.iter().zip(&inlining.used);
        for (subflow, _) in subflows.filter(|(_, used)| !**used) {
            sink.push(
                Diagnostic::new(
                    &codes::names::UNUSED_SUBFLOW,
                    subflow.name.span,
                    format!("no flow does {}", quoted(&subflow.name.value)),
                )
                .with_help(format!(
                    "write `do {}` where it is meant, or delete it",
                    crate::text::visible(&subflow.name.value)
                )),
            );
        }
    }
}

/// The names of all definitions that hold a `goto`, or that one with a `goto` inlines.
fn with_goto<'t>(program: &Program<'t>) -> BTreeSet<&'t str> {
    let flows = program.flows.iter().zip(&program.definitions.flows);
    let mut open: Vec<&tree::FlowDefinition> = flows
        .filter(|((_, lowered), _)| lowered.has_goto)
        .map(|(_, definition)| *definition)
        .collect();
    if program
        .unused_subflows
        .iter()
        .any(|lowered| lowered.has_goto)
    {
        open.extend(&program.definitions.subflows);
    }
    let mut names = BTreeSet::new();
    while let Some(definition) = open.pop() {
        if names.insert(definition.name.value.as_str()) {
            inlining::each_statement(&definition.body, &mut |statement| {
                if let StatementKind::Do(name) = &statement.kind {
                    let index = program.definitions.subflow_by_name.get(name.value.as_str());
                    open.extend(index.and_then(|index| program.definitions.subflows.get(*index)));
                }
            });
        }
    }
    names
}

fn check_names(program: &mut Program<'_>, sink: &mut Sink) {
    let of_flows = program.flows.iter().map(|(_, lowered)| lowered);
    let uses: Vec<&conditions::Use<'_>> = of_flows
        .chain(&program.unused_subflows)
        .flat_map(|lowered| &lowered.uses)
        .collect();
    let mut passed = BTreeSet::new();
    for flow in messages::all_flows(&program.definitions) {
        inlining::each_statement(&flow.body, &mut |statement| {
            passed.extend(reads_outside_conditions(statement));
        });
    }
    let assigns_declared = |found: &Diagnostic| found.code == &codes::names::ASSIGNS_DECLARED;
    let incomplete = program.incomplete || sink.found().iter().any(assigns_declared);
    let mut found = Sink::new();
    program.names = names::check(&program.definitions, uses, &passed, &mut found);
    // What a broken flow reads is not known, nor what a flow meant that assigns a host's name.
    sink.extend(
        found
            .into_sorted()
            .into_iter()
            .filter(|diagnostic| !(incomplete && diagnostic.code == &codes::names::UNUSED_NAME)),
    );
}

/// The names that a statement reads other than in a readable condition.
fn reads_outside_conditions(statement: &tree::Statement) -> Vec<&PathName> {
    match &statement.kind {
        StatementKind::Execute(execute) => execute
            .arguments
            .iter()
            .flat_map(|argument| &argument.reads)
            .map(|path| &path.value)
            .collect(),
        StatementKind::Assign(assign) => match &assign.value {
            Value::Name(path) => vec![&path.value],
            Value::Unreadable(expression) => {
                expression.reads.iter().map(|path| &path.value).collect()
            }
            Value::Literal(_) | Value::Model(_) => Vec::new(),
        },
        StatementKind::If(branching) => branching
            .arms
            .iter()
            .filter_map(|arm| arm.condition.as_ref())
            .flat_map(reads_of_unreadable)
            .collect(),
        StatementKind::While(round) => reads_of_unreadable(&round.condition),
        _ => Vec::new(),
    }
}

fn reads_of_unreadable(condition: &tree::Expression) -> Vec<&PathName> {
    match &condition.kind {
        tree::ExpressionKind::Unreadable(expression) => {
            expression.reads.iter().map(|path| &path.value).collect()
        }
        tree::ExpressionKind::Compare {
            operand: tree::Operand::Name(path),
            name,
            ..
        } => vec![&path.value, &name.value],
        tree::ExpressionKind::Not(inner) => reads_of_unreadable(inner),
        tree::ExpressionKind::And(parts) | tree::ExpressionKind::Or(parts) => {
            parts.iter().flat_map(reads_of_unreadable).collect()
        }
        _ => Vec::new(),
    }
}

fn note_modifiers(program: &mut Program<'_>, sink: &mut Sink) {
    for flow in messages::all_flows(&program.definitions) {
        for modifier in &flow.modifiers {
            sink.push(Diagnostic::new(
                &codes::flows::LEFT_OUT,
                modifier.span,
                format!(
                    "{} decides nothing here: it is left out",
                    quoted(&modifier.value)
                ),
            ));
        }
    }
}

impl Program<'_> {
    fn output(self, (package, source): (String, ir::SourceFile)) -> Output {
        let mut places = Places {
            context: self
                .names
                .iter()
                .map(|(name, (_, span))| (name.clone(), *span))
                .collect(),
            ..Places::default()
        };
        let mut tools: Vec<ir::Tool> = Vec::new();
        let mut tool_by_name: BTreeMap<&str, usize> = BTreeMap::new();
        let mut flows = Vec::new();
        for (index, ((kind, lowered), definition)) in self
            .flows
            .into_iter()
            .zip(&self.definitions.flows)
            .enumerate()
        {
            let id = format!("f{}", index + 1);
            for read in &lowered.uses {
                match places.reads.get_mut(&read.name[..]) {
                    Some(reads) => reads.insert(read.span),
                    None => places
                        .reads
                        .entry(read.name.to_vec())
                        .or_default()
                        .insert(read.span),
                };
            }
            for (name, span) in &lowered.tools {
                let at = *tool_by_name.entry(name).or_insert_with(|| {
                    tools.push(ir::Tool {
                        flows: Vec::new(),
                        name: (*name).to_owned(),
                    });
                    places.tools.insert((*name).to_owned(), *span);
                    tools.len() - 1
                });
                if let Some(tool) = tools.get_mut(at) {
                    tool.flows.push(id.clone());
                }
            }
            flows.push(ir::Flow {
                branches: lowered.branches,
                id,
                ifs: lowered.ifs,
                kind,
                line: self.source.line_of(definition.head.span.start),
                name: definition.name.value.clone(),
            });
            places.flows.push(lowered.places);
        }
        Output {
            rulebook: ir::Rulebook {
                context: self
                    .names
                    .into_iter()
                    .map(|(name, (value_type, _))| ir::ContextName { name, value_type })
                    .collect(),
                flows,
                format: ir::FORMAT.to_owned(),
                messages: self.messages,
                package,
                source,
                tools,
            },
            places,
        }
    }
}

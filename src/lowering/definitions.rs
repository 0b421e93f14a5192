//! The definitions of a tree by name, and what is wrong with them together (contract section 2).

use std::collections::BTreeMap;

use crate::diagnostics::{Diagnostic, Sink, codes::names};
use crate::syntax::tree::{
    ContextDeclaration, ContextDefinition, Definition, FlowDefinition, FlowKind, PathName,
    Rulebook, TextDefinition,
};
use crate::text::{Span, did_you_mean, quoted};

/// A tree's definitions by kind and name.
#[derive(Debug)]
pub struct Definitions<'t> {
    /// Flows in source order; the flow at index `n` has the id `f<n + 1>`.
    pub flows: Vec<&'t FlowDefinition>,
    /// Subflows in source order.
    pub subflows: Vec<&'t FlowDefinition>,
    /// Index into `subflows` by name; the first of a name.
    pub subflow_by_name: BTreeMap<&'t str, usize>,
    /// The first `define context`.
    pub context: Option<&'t ContextDefinition>,
    /// Declared names; the first of a name.
    pub declared: BTreeMap<&'t PathName, &'t ContextDeclaration>,
    /// The first declaration of each first segment.
    pub declared_roots: BTreeMap<&'t str, &'t ContextDeclaration>,
    /// All `define bot`, in source order.
    pub messages: Vec<&'t TextDefinition>,
    /// All `define user`, in source order.
    pub turns: Vec<&'t TextDefinition>,
}

impl<'t> Definitions<'t> {
    /// Collects the definitions and reports what is defined twice.
    pub fn collect(tree: &'t Rulebook, sink: &mut Sink) -> Self {
        let mut definitions = Self {
            flows: Vec::new(),
            subflows: Vec::new(),
            subflow_by_name: BTreeMap::new(),
            context: None,
            declared: BTreeMap::new(),
            declared_roots: BTreeMap::new(),
            messages: Vec::new(),
            turns: Vec::new(),
        };
        let mut first_of_name: BTreeMap<&str, &FlowDefinition> = BTreeMap::new();
        for definition in &tree.definitions {
            match definition {
                Definition::Context(context) => definitions.add_context(context, sink),
                Definition::Bot(text) => definitions.messages.push(text),
                Definition::User(text) => definitions.turns.push(text),
                Definition::Flow(flow) => {
                    let first = *first_of_name.entry(&flow.name.value).or_insert(flow);
                    if !std::ptr::eq(first, flow) {
                        sink.push(flow_defined_twice(first, flow));
                    }
                    match flow.kind {
                        FlowKind::Flow => definitions.flows.push(flow),
                        FlowKind::Subflow => {
                            let index = definitions.subflows.len();
                            definitions.subflows.push(flow);
                            definitions
                                .subflow_by_name
                                .entry(&flow.name.value)
                                .or_insert(index);
                        }
                    }
                }
            }
        }
        definitions
    }

    fn add_context(&mut self, context: &'t ContextDefinition, sink: &mut Sink) {
        if let Some(first) = self.context {
            sink.push(
                Diagnostic::new(
                    &names::SECOND_CONTEXT,
                    context.head.span,
                    "a second `define context`",
                )
                .with_other(first.head.span, "the first one")
                .with_help("move its names into the first one"),
            );
        } else {
            self.context = Some(context);
        }
        for declaration in &context.names {
            if let Some(first) = self.declared.get(&declaration.name.value) {
                sink.push(
                    Diagnostic::new(
                        &names::DECLARED_TWICE,
                        declaration.name.span,
                        format!(
                            "{} is declared twice",
                            quoted(&declaration.name.value.to_string())
                        ),
                    )
                    .with_other(first.name.span, "first declared here")
                    .with_help("delete one of the two lines"),
                );
            } else {
                self.declared.insert(&declaration.name.value, declaration);
                if let Some(root) = declaration.name.value.0.first() {
                    self.declared_roots.entry(root).or_insert(declaration);
                }
            }
        }
    }

    /// The first flow of this name; subflows are not looked at.
    pub fn flow_named(&self, name: &str) -> Option<&'t FlowDefinition> {
        self.flows
            .iter()
            .find(|flow| flow.name.value == name)
            .copied()
    }
}

fn flow_defined_twice(first: &FlowDefinition, second: &FlowDefinition) -> Diagnostic {
    let word = |flow: &FlowDefinition| match flow.kind {
        FlowKind::Flow => "flow",
        FlowKind::Subflow => "subflow",
    };
    let name = quoted(&second.name.value);
    let message = if first.kind == second.kind {
        format!("two {}s are named {name}", word(first))
    } else {
        format!("a {} and a {} are named {name}", word(first), word(second))
    };
    Diagnostic::new(&names::FLOW_DEFINED_TWICE, second.name.span, message)
        .with_other(first.name.span, "the first one")
        .with_help("give one of them another name, or join their statements in one")
}

/// Most names that suggestions are looked for: they cost a comparison with every candidate, and
/// nobody reads more.
const MOST_SUGGESTIONS: usize = 20;
/// Longest name, in bytes, that is compared with others.
const LONGEST_COMPARED: usize = 64;

/// Suggestions for misspelt names of one kind.
#[derive(Debug)]
pub struct Suggestions {
    candidates: Vec<String>,
    left: usize,
}

impl Suggestions {
    /// Suggestions out of these names.
    pub fn of(candidates: impl IntoIterator<Item = String>) -> Self {
        Self {
            candidates: candidates.into_iter().collect(),
            left: MOST_SUGGESTIONS,
        }
    }

    /// What was probably meant by `name`.
    pub fn for_name(&mut self, name: &str) -> Option<&str> {
        self.left = self.left.checked_sub(1)?;
        if name.len() > LONGEST_COMPARED {
            return None;
        }
        did_you_mean(name, self.candidates.iter().map(String::as_str))
    }
}

/// A place in a subflow and the `do` that leads to it, as messages show both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The place itself.
    pub span: Span,
    /// The `do` in the flow, when the place is in a subflow.
    pub inlined_by: Option<Span>,
}

impl Place {
    /// Adds the `do` as a further label.
    pub fn label(self, diagnostic: Diagnostic) -> Diagnostic {
        match self.inlined_by {
            Some(span) => diagnostic.with_other(span, "inlined by this `do`"),
            None => diagnostic,
        }
    }
}

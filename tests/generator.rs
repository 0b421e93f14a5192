//! Random rulebooks and random calls.
//!
//! Three steps, so that shrinking works on plain data and the results still check: *drafts* are
//! drawn at random, *legal* bodies are what the rules of contract sections 3 and 4 leave of them,
//! and the *text* is printed from these. Calls are drawn as plain choices and read against the
//! names and literals of the rulebook they belong to.

// With paths, since the fuzz targets use these files too.
#[path = "generator/calls.rs"]
pub mod calls;
#[path = "generator/draft.rs"]
mod draft;
#[path = "generator/legal.rs"]
mod legal;
#[path = "generator/pools.rs"]
mod pools;
#[path = "generator/print.rs"]
mod print;

use proptest::prelude::*;

pub use calls::{Call, Choices};
use draft::Draft;

/// What a flow is drawn to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Governing,
    Guard,
    Dialogue,
}

/// A flow as it is drawn.
#[derive(Clone, Debug)]
pub struct FlowDraft {
    pub shape: Shape,
    /// Which name, opening and assignments it gets.
    pub look: u8,
    pub body: Vec<Draft>,
}

/// A subflow as it is drawn; a guard-only one may read `$tool_name`.
#[derive(Clone, Debug)]
pub struct SubflowDraft {
    pub guard_only: bool,
    pub body: Vec<Draft>,
}

/// A rulebook as it is drawn.
#[derive(Clone, Debug)]
pub struct Model {
    /// Whether it has a `define context`.
    pub declared: bool,
    /// Whether it has documentation, comments, wordings and modifiers.
    pub adorned: bool,
    pub subflows: Vec<SubflowDraft>,
    pub flows: Vec<FlowDraft>,
}

impl Model {
    /// Its text.
    pub fn source(&self) -> String {
        print::print(self)
    }
}

/// Random rulebooks, most of which check without errors.
pub fn rulebooks() -> impl Strategy<Value = Model> {
    let shape = prop_oneof![
        6 => Just(Shape::Governing),
        2 => Just(Shape::Guard),
        1 => Just(Shape::Dialogue),
    ];
    let flow = (shape, any::<u8>(), draft::body()).prop_map(|(shape, look, body)| FlowDraft {
        shape,
        look,
        body,
    });
    let subflow = (any::<bool>(), draft::body())
        .prop_map(|(guard_only, body)| SubflowDraft { guard_only, body });
    (
        any::<bool>(),
        any::<bool>(),
        prop::collection::vec(subflow, 0..3),
        prop::collection::vec(flow, 1..5),
    )
        .prop_map(|(declared, adorned, subflows, flows)| Model {
            declared,
            adorned,
            subflows,
            flows,
        })
}

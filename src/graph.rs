//! A rulebook as a picture: which tools there are, which guards every call passes, and the
//! decision tree of each flow, with what a person is shown at its ends.
//!
//! [`Graph`] says what is drawn, each renderer how: [`svg`] for documents, [`html`] to read and to
//! search, [`mermaid`] and [`dot`] for programs that draw themselves. The same rulebook and
//! selection give the same bytes.

pub mod dot;
pub mod drawing;
pub mod html;
mod markup;
pub mod mermaid;
mod model;
pub mod svg;
pub mod width;

pub use model::{
    Ending, FlowGraph, Graph, Kind, Node, Outcome, Scope, Selection, ToolEntry, compared,
    guard_outcome, outcomes,
};

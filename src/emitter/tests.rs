//! Tests of the emitted bytes: their text, and what engines make of them.

mod engines;
mod limits;
mod rulebooks;
mod shapes;
mod shop;
mod text;

//! The tool check: what each step says, and what no sequence of calls gets past it.

mod answers;
mod arguments;
mod building;
mod canonical;
mod document;
mod memory;
mod questions;
mod random_shop;
mod rulebook;
mod schemas;
mod sequences;
mod steps;
mod words;

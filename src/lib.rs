//! Compiles a *rulebook* (which tool an agent may call in which context) to an intermediate
//! representation and to a Rego package for Open Policy Agent, and decides from it in process.
//!
//! Data flows one way: text -> tree -> IR -> artifact. Modules are listed by layer; a module
//! imports only from the layers above it in this list (held by a test).

pub mod text;

pub mod json;

pub mod package;

pub mod diagnostics;

pub mod project;

pub mod syntax;

pub mod ir;

pub mod evaluator;

pub mod decision_space;

pub mod gate;

pub mod lowering;

pub mod checks;

pub mod provenance;

pub mod compiler;

pub mod emitter;

pub mod proof;

pub mod artifacts;

pub mod verification;

pub mod command_line;

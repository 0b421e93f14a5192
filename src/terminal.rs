//! What the programs of this package have in common at a terminal: the two streams, colours, the
//! way diagnostics are shown to people, exit codes, and what becomes of a panic.

mod color;
mod completions;
mod console;
mod exit_status;
pub(crate) mod fault;
mod human_renderer;
mod plural;
mod program;
mod shown_source;

pub(crate) use color::Color;
pub(crate) use completions::completions;
pub(crate) use console::Console;
pub use exit_status::ExitStatus;
pub(crate) use human_renderer::HumanRenderer;
pub(crate) use plural::plural;
pub(crate) use program::run;

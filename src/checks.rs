//! Analyses of the decision (contract section 5), on the IR with a side table of places.
//!
//! [`PASSES`] names them. They report warnings and notes only: what makes a rulebook wrong is
//! found by [`crate::lowering`].

use crate::diagnostics::Sink;
use crate::ir::Rulebook;
use crate::lowering::Places;

/// A named analysis.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// Its name, as profiles show it.
    pub name: &'static str,
    run: fn(&Rulebook, &Places, &mut Sink),
}

/// The analyses, in the order they run; none needs another.
pub static PASSES: &[Pass] = &[];

/// Runs all analyses.
pub fn run(rulebook: &Rulebook, places: &Places, sink: &mut Sink) {
    for pass in PASSES {
        (pass.run)(rulebook, places, sink);
    }
}

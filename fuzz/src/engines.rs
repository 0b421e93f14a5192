//! The interpreter, as the normal tests run it.

#[path = "../../tests/engines/batch.rs"]
mod batch;
#[path = "../../tests/engines/regorus.rs"]
pub mod regorus;

pub use batch::{Batch, read_decision};

//! The intermediate representation of a rulebook: what is decided, and nothing about how it was
//! written (contract section 6).

mod number;
mod types;

pub use number::Number;
pub use types::*;

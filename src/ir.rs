//! The intermediate representation of a rulebook: what is decided, and nothing about how it was
//! written (contract section 6).

mod canonical;
mod condition;
#[cfg(test)]
pub(crate) mod example;
pub mod limits;
mod load;
mod lookup;
mod number;
mod schema;
mod shown;
mod types;
mod word;

pub use canonical::{canonical_bytes, to_bytes};
pub use load::{LoadError, from_bytes};
pub use number::Number;
pub use schema::schema;
pub use types::*;
pub use word::{
    BranchSummary, Questions, RULE_NO_MATCH, RULE_STOP, RULE_UNNAMED_QUESTION,
    RULE_UNNAMED_REFUSAL, Spoken, StepState, UNDECIDED, Word, first_word, is_question, is_refusal,
};

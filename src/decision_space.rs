//! The decision space (contract section 9): a decision depends only on its leaves, and each leaf
//! only on the class that its name's value lies in.
//!
//! [`Space`] has the classes of a set of names, each with its smallest member; [`Problem`] asks,
//! without enumerating their product, whether conditions can have wanted truths together, and
//! for the smallest context in which they do.

mod classes;
mod kleene;
mod nodes;
mod numbers;
mod problem;
mod sets;
mod smallest;
mod space;

pub use classes::Classes;
pub use problem::{Answer, ConditionId, DEFAULT_BUDGET, Problem};
pub use sets::{ClassSet, TruthSet};
pub use smallest::Smallest;
pub use space::{Space, Witness};

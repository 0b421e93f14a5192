//! The decision space (contract section 9): a decision depends only on its leaves, and each leaf
//! only on the class that its name's value lies in.
//!
//! [`Space`] has the classes of a set of names, each with its smallest member; [`Problem`] asks,
//! without enumerating their product, whether conditions can have wanted truths together, and
//! for the smallest context in which they do. [`Nearest`] finds the smallest change of a point
//! that somebody accepts, from the reasons why other points are not.

mod called;
mod classes;
mod kleene;
mod nearest;
mod nodes;
mod numbers;
mod problem;
mod reasons;
#[cfg(test)]
mod samples;
mod sets;
mod smallest;
mod space;

pub use called::{Called, compared_tools, conditions_of};
pub use classes::{Classes, LACKING};
pub use nearest::{ChangedName, MOST_STEPS, Nearest, NearestPoint, Point};
pub use problem::{Answer, ConditionId, DEFAULT_BUDGET, Problem};
pub use reasons::Reason;
pub use sets::{ClassSet, TruthSet};
pub use smallest::Smallest;
pub use space::{Space, Witness};
pub(crate) use space::{insert, remove};

//! What of a rulebook the calls of its tests reach: branches of flows, outcomes of each leaf of
//! each condition, tools. And, of what none reaches, why not.
//!
//! [`Coverage`] counts; [`Coverage::gaps`] says of each thing that no call reaches the smallest
//! call that does, or that there is none, by solving over leaves and never by enumerating a
//! product; [`suggest`] makes cases of these. What no context reaches is not counted at all.
//!
//! Flows that govern and guards are counted, since they speak; a flow is counted on its own, so
//! that a call which a guard refuses still takes a branch of the flow that governs its tool.

mod counts;
mod figures;
mod gaps;
mod html;
mod lcov;
mod paths;
mod suggest;

pub use counts::{ArmCoverage, Coverage, FlowCoverage, LeafCoverage, Target};
pub use figures::{Figures, Fraction, Threshold, ThresholdError};
pub use gaps::{Gap, Gaps, Reason, SuggestedCall};
pub use html::html;
pub use lcov::lcov;
pub(crate) use paths::{out_of_the_way, quiet, requirements};
pub use suggest::{Suggestion, suggest, to_yaml};

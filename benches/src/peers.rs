//! The peers, each at its best: rules of one tool only, chosen by a hash map before the engine is
//! asked, and translations that take it for granted that every name is there and a boolean, which
//! the rulebook's own meaning does not. Only the emitted packages keep the full meaning.

mod cedar;
mod cel;
pub mod opa;
mod regorus;

use crate::race::Entrant;
use crate::workload::Workload;

/// Peers that get the context in their own type.
pub fn of_values(workload: &Workload) -> Vec<Entrant<'_>> {
    let mut entrants = regorus::of_values(workload);
    entrants.extend(cedar::of_values(workload));
    entrants.push(cel::of_values(workload));
    entrants
}

/// Peers that get the context as JSON text.
pub fn of_json(workload: &Workload) -> Vec<Entrant<'_>> {
    let mut entrants = regorus::of_json(workload);
    entrants.extend(cedar::of_json(workload));
    entrants.push(cel::of_json(workload));
    entrants
}

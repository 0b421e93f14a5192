//! Writes times as Markdown. Ratios are what is claimed; the times stand beside for orientation.

use std::fmt::Write;

use crate::race::{Kind, Time};

/// A workload in one input form.
pub struct Cell {
    pub name: String,
    pub times: Vec<Time>,
}

impl Cell {
    fn find(&self, kind: Kind) -> Option<&Time> {
        self.times.iter().find(|time| time.kind == kind)
    }

    fn best_peer(&self) -> Option<&Time> {
        let peers = self.times.iter().filter(|time| time.kind == Kind::Peer);
        peers.min_by(|left, right| left.median.total_cmp(&right.median))
    }

    /// All entrants, fastest first.
    pub fn table(&self) -> String {
        let mut times: Vec<&Time> = self.times.iter().collect();
        times.sort_by(|left, right| left.median.total_cmp(&right.median));
        let mut text = format!(
            "| {} | median | middle half | by the floor | by the plain floor | by the gate |\n\
             |---|---|---|---|---|---|\n",
            self.name
        );
        for time in times {
            let by = |kind| match self.find(kind) {
                Some(base) => factor(time.median / base.median),
                None => "–".to_owned(),
            };
            let _ = writeln!(
                text,
                "| {} | {} | {} to {} | {} | {} | {} |",
                time.name,
                duration(time.median),
                duration(time.quartiles.0),
                duration(time.quartiles.1),
                by(Kind::Floor),
                by(Kind::PlainFloor),
                by(Kind::Gate),
            );
        }
        text
    }
}

/// The gate in every cell: its time by the floors', and the best sound peer's by its own and by the
/// floor's.
pub fn summary(cells: &[Cell]) -> String {
    let mut text = "| workload, form | entrant | by the floor | by the plain floor | \
                    best sound peer | by the gate | by the floor |\n|---|---|---|---|---|---|---|\n"
        .to_owned();
    for cell in cells {
        let (Some(floor), Some(plain), Some(peer)) = (
            cell.find(Kind::Floor),
            cell.find(Kind::PlainFloor),
            cell.best_peer(),
        ) else {
            continue;
        };
        for gate in cell.times.iter().filter(|time| time.kind.is_of_gate()) {
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {} | {} | {} |",
                cell.name,
                gate.name,
                factor(gate.median / floor.median),
                factor(gate.median / plain.median),
                peer.name,
                factor(peer.median / gate.median),
                factor(peer.median / floor.median),
            );
        }
    }
    text
}

fn factor(ratio: f64) -> String {
    match ratio {
        ratio if ratio < 10.0 => format!("{ratio:.2}"),
        ratio if ratio < 100.0 => format!("{ratio:.1}"),
        ratio => format!("{ratio:.0}"),
    }
}

fn duration(nanoseconds: f64) -> String {
    match nanoseconds {
        time if time < 100.0 => format!("{time:.1} ns"),
        time if time < 1e3 => format!("{time:.0} ns"),
        time if time < 1e4 => format!("{:.2} µs", time / 1e3),
        time if time < 1e5 => format!("{:.1} µs", time / 1e3),
        time if time < 1e6 => format!("{:.0} µs", time / 1e3),
        time => format!("{:.2} ms", time / 1e6),
    }
}

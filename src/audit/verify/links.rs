//! Which line was altered, where a hash does not fit.
//!
//! Each line holds the hash of the one before. Where it does not fit, that line was altered, or
//! this one's hash. An altered hash is part of its line, so that the next line's does not fit
//! either: it tells the two apart.

/// A line of the file, and its number in the chain.
type Place = (u64, u64);

/// The hashes so far.
#[derive(Default)]
pub(super) struct Links {
    /// The line whose hash of the one before did not fit, if that is the last that was read.
    broken: Option<Place>,
}

impl Links {
    /// The hash that this line holds does not fit. The line that was altered, if that is known.
    pub(super) fn broken_at(&mut self, (line, seq): Place) -> Option<Place> {
        match self.broken.take() {
            // Nor did the one that the line before holds: that line was altered.
            Some(before) => Some(before),
            None => {
                self.broken = Some((line, seq));
                None
            }
        }
    }

    /// The hash that this line holds fits, or there is none. The line that was altered, if the
    /// one that the line before holds did not fit.
    pub(super) fn holds(&mut self) -> Option<Place> {
        let (line, seq) = self.broken.take()?;
        Some((line.saturating_sub(1), seq.saturating_sub(1)))
    }
}

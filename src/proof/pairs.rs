//! A pairwise covering array: rows in which every pair of values of two axes occurs.
//!
//! Built one axis at a time (in parameter order): each row is extended by the value that covers
//! the most pairs not yet covered, and rows are added for the pairs that are left.

/// A row as it is built; none where any value will do.
type Row = Vec<Option<u32>>;

/// Rows over axes of so many values each, at most `limit`. Where the limit is not reached, every
/// pair occurs in some row.
pub(super) fn covering_array(counts: &[u32], limit: usize) -> Vec<Vec<u32>> {
    // The axes with the most values first: their pairs need the most rows anyway.
    let mut order: Vec<usize> = (0..counts.len()).collect();
    order.sort_by_key(|axis| std::cmp::Reverse(counts.get(*axis).copied().unwrap_or(0)));
    let ordered: Vec<u32> = order
        .iter()
        .filter_map(|axis| counts.get(*axis).copied())
        .collect();
    let mut rows: Vec<Row> = Vec::new();
    for axis in 0..ordered.len() {
        extend(&mut rows, &ordered, axis, limit);
    }
    rows.into_iter()
        .map(|row| {
            let mut point = vec![0; counts.len()];
            for (axis, value) in order.iter().zip(row) {
                if let Some(place) = point.get_mut(*axis) {
                    *place = value.unwrap_or(0);
                }
            }
            point
        })
        .collect()
}

/// Pairs of a value of an earlier axis with a value of the new one.
struct Uncovered {
    /// Where the pairs of each earlier axis begin.
    starts: Vec<usize>,
    count: usize,
    pairs: Vec<bool>,
    left: usize,
}

fn size(count: u32) -> usize {
    usize::try_from(count).unwrap_or(0)
}

impl Uncovered {
    fn new(earlier: &[u32], count: u32) -> Self {
        let count = size(count);
        let mut starts = Vec::with_capacity(earlier.len());
        let mut end = 0_usize;
        for values in earlier {
            starts.push(end);
            end = end.saturating_add(size(*values).saturating_mul(count));
        }
        Self {
            starts,
            count,
            pairs: vec![true; end],
            left: end,
        }
    }

    fn place(&self, axis: usize, value: u32, new: u32) -> Option<usize> {
        Some(self.starts.get(axis)? + size(value) * self.count + size(new))
    }

    /// Number of pairs that a row would cover with a value.
    fn gain(&self, row: &Row, new: u32) -> usize {
        row.iter()
            .enumerate()
            .filter(|(axis, value)| {
                let place = value.and_then(|value| self.place(*axis, value, new));
                place.and_then(|place| self.pairs.get(place)) == Some(&true)
            })
            .count()
    }

    fn cover(&mut self, row: &Row, new: u32) {
        for (axis, value) in row.iter().enumerate() {
            let place = value.and_then(|value| self.place(axis, value, new));
            if let Some(pair) = place.and_then(|place| self.pairs.get_mut(place)) {
                self.left -= usize::from(*pair);
                *pair = false;
            }
        }
    }

    /// The pairs that are left: earlier axis, its value, the new value.
    fn rest(&self, earlier: &[u32]) -> Vec<(usize, u32, u32)> {
        let mut rest = Vec::with_capacity(self.left);
        for (axis, values) in earlier.iter().enumerate() {
            for value in 0..*values {
                for new in 0..u32::try_from(self.count).unwrap_or(0) {
                    let place = self.place(axis, value, new);
                    if place.and_then(|place| self.pairs.get(place)) == Some(&true) {
                        rest.push((axis, value, new));
                    }
                }
            }
        }
        rest
    }
}

fn extend(rows: &mut Vec<Row>, counts: &[u32], axis: usize, limit: usize) {
    let Some((earlier, [count, ..])) = counts.split_at_checked(axis) else {
        return;
    };
    if earlier.is_empty() {
        rows.extend((0..*count).take(limit).map(|value| vec![Some(value)]));
        return;
    }
    let mut uncovered = Uncovered::new(earlier, *count);
    for row in rows.iter_mut() {
        let best = (0..*count)
            .map(|new| (uncovered.gain(row, new), std::cmp::Reverse(new)))
            .max()
            .filter(|(gain, _)| *gain > 0)
            .map(|(_, new)| new.0);
        if let Some(new) = best {
            uncovered.cover(row, new);
        }
        row.push(best);
    }
    for (other, value, new) in uncovered.rest(earlier) {
        let place = uncovered.place(other, value, new);
        if place.and_then(|place| uncovered.pairs.get(place)) != Some(&true) {
            continue;
        }
        let fits = |row: &Row, axis: usize, wanted: u32| {
            row.get(axis)
                .is_some_and(|found| found.is_none_or(|found| found == wanted))
        };
        let found = rows
            .iter()
            .position(|row| fits(row, other, value) && fits(row, axis, new));
        let found = match found {
            Some(found) => found,
            None if rows.len() >= limit => return,
            None => {
                rows.push(vec![None; axis + 1]);
                rows.len() - 1
            }
        };
        if let Some(row) = rows.get_mut(found) {
            for (place, wanted) in [(other, value), (axis, new)] {
                if let Some(cell) = row.get_mut(place) {
                    *cell = Some(wanted);
                }
            }
            let known: Row = row.iter().take(axis).copied().collect();
            uncovered.cover(&known, new);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing(counts: &[u32], rows: &[Vec<u32>]) -> Vec<(usize, u32, usize, u32)> {
        let mut missing = Vec::new();
        for (left, left_count) in counts.iter().enumerate() {
            for (right, right_count) in counts.iter().enumerate().skip(left + 1) {
                for a in 0..*left_count {
                    for b in 0..*right_count {
                        if !rows.iter().any(|row| row[left] == a && row[right] == b) {
                            missing.push((left, a, right, b));
                        }
                    }
                }
            }
        }
        missing
    }

    #[test]
    fn every_pair_occurs() {
        for (counts, most) in [
            (vec![], 0),
            (vec![4], 4),
            (vec![2, 3], 6),
            (vec![2; 20], 14),
            (vec![3; 13], 30),
            (vec![2, 9, 3, 4, 2, 2, 6], 65),
            (vec![2; 64], 22),
            (vec![30, 2, 30, 2], 910),
        ] {
            let rows = covering_array(&counts, usize::MAX);
            assert_eq!(missing(&counts, &rows), [], "{counts:?}");
            assert!(rows.len() <= most, "{counts:?}: {} rows", rows.len());
            for row in &rows {
                assert!(row.iter().zip(&counts).all(|(value, count)| value < count));
            }
        }
    }

    #[test]
    fn a_limit_is_kept() {
        let rows = covering_array(&[3; 13], 10);
        assert_eq!(rows.len(), 10);
        assert_ne!(missing(&[3; 13], &rows), []);
    }
}

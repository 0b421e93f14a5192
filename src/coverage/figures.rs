//! Figures: fractions of whole numbers, never rounded up.

use std::fmt;

use thiserror::Error;

use super::counts::{Coverage, Target};
use super::gaps::{Gaps, Reason};
use crate::text::Decimal;

/// How much of something was reached: `11 of 12`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fraction {
    /// What was reached.
    pub reached: u64,
    /// All that some context can reach.
    pub all: u64,
}

impl Fraction {
    fn add(&mut self, reached: bool) {
        self.reached += u64::from(reached);
        self.all += 1;
    }

    /// Whether nothing is left to reach.
    pub fn is_whole(self) -> bool {
        self.reached >= self.all
    }

    /// The percentage with one decimal, cut off and never rounded up: only all are `100 %`.
    pub fn percent(self) -> String {
        let tenths = u128::from(self.reached) * 1_000;
        let tenths = tenths.checked_div(u128::from(self.all)).unwrap_or(1_000);
        match (tenths / 10, tenths % 10) {
            (whole, 0) => format!("{whole} %"),
            (whole, tenth) => format!("{whole}.{tenth} %"),
        }
    }
}

/// `11 of 12`.
impl fmt::Display for Fraction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} of {}", self.reached, self.all)
    }
}

/// The figures of a flow or of a whole rulebook.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Branches taken.
    pub branches: Fraction,
    /// Outcomes of leaves seen.
    pub outcomes: Fraction,
    /// Tools called.
    pub tools: Fraction,
    /// Branches and outcomes that no context reaches, which are not counted.
    pub impossible: u64,
}

impl Figures {
    fn add(&mut self, target: Target, count: u64, gaps: &Gaps) {
        if gaps.reason(target) == Some(&Reason::Impossible) {
            self.impossible += 1;
            return;
        }
        let fraction = match target {
            Target::Branch { .. } => &mut self.branches,
            Target::Leaf { .. } => &mut self.outcomes,
            Target::Tool { .. } => &mut self.tools,
        };
        fraction.add(count > 0);
    }
}

impl Coverage<'_> {
    /// The figures of the whole rulebook, and of each flow.
    pub fn figures(&self, gaps: &Gaps) -> (Figures, Vec<Figures>) {
        let mut all = Figures::default();
        let mut flows = vec![Figures::default(); self.flows.len()];
        for (target, count) in self.targets() {
            all.add(target, count, gaps);
            let flow = target.flow().and_then(|flow| flows.get_mut(flow));
            if let Some(flow) = flow {
                flow.add(target, count, gaps);
            }
        }
        (all, flows)
    }
}

/// A percentage that has to be reached: a plain decimal from 0 to 100.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Threshold {
    /// The digits without the point.
    digits: u128,
    /// Ten to the number of digits behind the point.
    scale: u128,
    text: String,
}

/// Why a text is no threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ThresholdError {
    /// Not a plain decimal.
    #[error("write a number such as 100 or 99.5")]
    NotDecimal,
    /// Below 0 or above 100.
    #[error("write a number from 0 to 100")]
    OutOfRange,
}

impl Threshold {
    /// Whether a fraction reaches it; exactly, without rounding.
    pub fn is_reached_by(&self, fraction: Fraction) -> bool {
        // At most 15 digits and 64 bits on each side.
        u128::from(fraction.reached) * 100 * self.scale >= self.digits * u128::from(fraction.all)
    }
}

impl std::str::FromStr for Threshold {
    type Err = ThresholdError;

    /// Reads a plain decimal.
    ///
    /// # Errors
    /// It is none, or not from 0 to 100.
    fn from_str(text: &str) -> Result<Self, ThresholdError> {
        let value = Decimal::from_literal(text).map_err(|_| ThresholdError::NotDecimal)?;
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let joined = format!("{}{fraction}", whole.trim_start_matches('-'));
        let digits: u128 = joined.parse().map_err(|_| ThresholdError::NotDecimal)?;
        let scale = fraction.bytes().fold(1_u128, |scale, _| scale * 10);
        if value < Decimal::zero() || digits > 100 * scale {
            return Err(ThresholdError::OutOfRange);
        }
        Ok(Self {
            digits,
            scale,
            text: text.to_owned(),
        })
    }
}

/// As it was written.
impl fmt::Display for Threshold {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fraction(reached: u64, all: u64) -> Fraction {
        Fraction { reached, all }
    }

    #[test]
    fn percentages_are_cut_off() {
        for (reached, all, shown) in [
            (0, 0, "100 %"),
            (0, 7, "0 %"),
            (7, 7, "100 %"),
            (11_999, 12_000, "99.9 %"),
            (1, 3, "33.3 %"),
            (2, 3, "66.6 %"),
            (1, 1_001, "0 %"),
            (u64::MAX - 1, u64::MAX, "99.9 %"),
        ] {
            assert_eq!(fraction(reached, all).percent(), shown);
        }
    }

    #[test]
    fn thresholds_are_compared_exactly() {
        let reached = |text: &str, reached, all| {
            let threshold: Threshold = text.parse().unwrap();
            assert_eq!(threshold.to_string(), text);
            threshold.is_reached_by(fraction(reached, all))
        };
        assert!(!reached("100", 11_999, 12_000));
        assert!(reached("100", 12_000, 12_000));
        assert!(reached("99.5", 199, 200) && !reached("99.6", 199, 200));
        assert!(reached("33.3333333333333", 1, 3) && !reached("33.3333333333334", 1, 3));
        assert!(reached("0", 0, 5) && reached("100", 0, 0));
        assert!(!reached("100", u64::MAX - 1, u64::MAX));
        for (text, error) in [
            ("", ThresholdError::NotDecimal),
            ("1e2", ThresholdError::NotDecimal),
            ("99,5", ThresholdError::NotDecimal),
            ("0100", ThresholdError::NotDecimal),
            ("-0.1", ThresholdError::OutOfRange),
            ("100.0000000001", ThresholdError::OutOfRange),
        ] {
            assert_eq!(text.parse::<Threshold>(), Err(error), "{text}");
        }
    }
}

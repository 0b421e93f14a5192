//! The smallest plain decimal strictly between two literals: fewest characters, then byte order.

use crate::text::Decimal;

/// Digits behind the point that the scaled integers keep. A literal has at most 14 of them, and
/// between any two literals lies a decimal of one more.
const SCALE: u32 = 16;
/// No gap between literals of at most 15 digits needs a longer text.
const MAX_LENGTH: u32 = 20;

/// The smallest plain decimal strictly between the bounds; no bound is an end without one. None
/// only when the bounds are no literals of a rulebook, or nothing lies between them.
pub(super) fn smallest_between(low: Option<&Decimal>, high: Option<&Decimal>) -> Option<String> {
    let bound = |decimal: Option<&Decimal>| match decimal {
        Some(decimal) => scaled(&decimal.to_string()).map(Some),
        None => Some(None),
    };
    let gap = Gap {
        low: bound(low)?,
        high: bound(high)?,
    };
    (1..=MAX_LENGTH).find_map(|length| {
        // A sign is no text by itself.
        let signs = [false, true]
            .into_iter()
            .take(if length > 1 { 2 } else { 1 });
        signs
            .flat_map(|negative| {
                let digits = length - u32::from(negative);
                let whole_only = std::iter::once((digits, 0));
                // One place for the point.
                let split =
                    (1..digits.saturating_sub(1)).map(move |whole| (whole, digits - 1 - whole));
                whole_only.chain(split).map(move |(whole, fraction)| Form {
                    negative,
                    whole,
                    fraction,
                })
            })
            .filter_map(|form| form.smallest_in(&gap))
            .min()
    })
}

/// A plain decimal times ten to the [`SCALE`].
fn scaled(text: &str) -> Option<i128> {
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(unsigned) => (true, unsigned),
        None => (false, text),
    };
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let missing = SCALE.checked_sub(u32::try_from(fraction.len()).ok()?)?;
    let magnitude = format!("{whole}{fraction}")
        .parse::<i128>()
        .ok()?
        .checked_mul(power(missing)?)?;
    Some(if negative { -magnitude } else { magnitude })
}

fn power(exponent: u32) -> Option<i128> {
    10_i128.checked_pow(exponent)
}

/// An open interval of scaled numbers.
struct Gap {
    low: Option<i128>,
    high: Option<i128>,
}

/// The texts of one shape: a sign, so many digits before the point, so many behind it, the last
/// of which is not zero.
struct Form {
    negative: bool,
    whole: u32,
    fraction: u32,
}

impl Form {
    /// The first text of this form in byte order that lies in the gap. Within a form, byte order
    /// is the order of magnitudes.
    fn smallest_in(&self, gap: &Gap) -> Option<String> {
        let unit = power(SCALE.checked_sub(self.fraction)?)?;
        let (above, below) = if self.negative {
            (gap.high.map(|high| -high), gap.low.map(|low| -low))
        } else {
            (gap.low, gap.high)
        };
        let digits = self.whole + self.fraction;
        let first = match (self.whole, self.fraction, self.negative) {
            // A single digit may be zero, unless that makes it `-0`.
            (1, 0, false) => 0,
            (1, _, _) => 1,
            _ => power(digits - 1)?,
        };
        let mut magnitude = match above {
            Some(above) => first.max(above.div_euclid(unit) + 1),
            None => first,
        };
        if self.fraction > 0 && magnitude % 10 == 0 {
            magnitude += 1;
        }
        let fits = magnitude < power(digits)?
            && below.is_none_or(|below| magnitude.saturating_mul(unit) < below);
        fits.then(|| self.text(magnitude))
    }

    fn text(&self, magnitude: i128) -> String {
        let sign = if self.negative { "-" } else { "" };
        let width = usize::try_from(self.whole + self.fraction).unwrap_or(0);
        let digits = format!("{magnitude:0width$}");
        let whole = usize::try_from(self.whole).unwrap_or(0);
        match digits.split_at_checked(whole) {
            Some((whole, fraction)) if !fraction.is_empty() => format!("{sign}{whole}.{fraction}"),
            _ => format!("{sign}{digits}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literal(text: &str) -> Decimal {
        Decimal::from_literal(text).unwrap()
    }

    fn between(low: &str, high: &str) -> Option<String> {
        let bound = |text: &str| (!text.is_empty()).then(|| literal(text));
        smallest_between(bound(low).as_ref(), bound(high).as_ref())
    }

    #[test]
    fn known_gaps() {
        for (low, high, want) in [
            ("", "", "0"),
            ("", "0", "-1"),
            ("", "5", "0"),
            ("", "-9", "-10"),
            ("", "-999999999999999", "-1000000000000000"),
            ("0", "", "1"),
            ("9", "", "10"),
            ("100", "", "101"),
            ("999999999999999", "", "1000000000000000"),
            ("0", "1", "0.1"),
            ("0", "0.1", "0.01"),
            ("0.1", "0.2", "0.11"),
            ("0.1", "0.15", "0.11"),
            ("9", "10", "9.1"),
            ("99", "101", "100"),
            ("9.5", "12", "10"),
            ("9.9", "10", "9.91"),
            ("-1", "0", "-0.1"),
            ("-10", "-9", "-9.1"),
            ("-2", "-1", "-1.1"),
            ("-1", "1", "0"),
            ("-0.5", "0.5", "0"),
            ("1.25", "1.26", "1.251"),
            ("0.00000000000001", "0.00000000000002", "0.000000000000011"),
            ("9999999999999.8", "9999999999999.9", "9999999999999.81"),
            (
                "-99999999999999.9",
                "-99999999999999.8",
                "-99999999999999.81",
            ),
        ] {
            assert_eq!(between(low, high).as_deref(), Some(want), "({low}, {high})");
        }
        assert_eq!(between("1", "1"), None);
    }

    /// Every plain decimal of up to five characters and below 10,000, smallest first.
    fn short_decimals() -> Vec<String> {
        let mut all: Vec<String> = (-9999..=9999)
            .flat_map(|number: i32| {
                (0..=2_u32).map(move |places| {
                    let sign = if number < 0 { "-" } else { "" };
                    let digits = format!("{:0width$}", number.abs(), width = places as usize + 1);
                    let (whole, fraction) = digits.split_at(digits.len() - places as usize);
                    let point = if places > 0 { "." } else { "" };
                    format!("{sign}{whole}{point}{fraction}")
                })
            })
            .filter(|text| text.len() <= 5)
            .filter(|text| literal_in_normal_form(text))
            .collect();
        all.sort_by_key(|text| (text.len(), text.clone()));
        all.dedup();
        all
    }

    fn literal_in_normal_form(text: &str) -> bool {
        Decimal::from_literal(text).is_ok_and(|number| number.to_string() == text)
    }

    #[test]
    fn the_smallest_by_search() {
        let candidates = short_decimals();
        let bounds = [
            "", "-20", "-9", "-1.5", "-1", "-0.9", "-0.1", "0", "0.2", "0.3", "0.9", "1", "1.1",
            "2", "9", "9.8", "10", "11", "99", "110",
        ];
        for (at, low) in bounds.iter().enumerate() {
            for high in bounds.iter().skip(at + 1).chain([&""]) {
                let want = candidates.iter().find(|text| {
                    let number = literal(text);
                    (low.is_empty() || number > literal(low))
                        && (high.is_empty() || number < literal(high))
                });
                assert_eq!(between(low, high).as_ref(), want, "({low}, {high})");
            }
        }
    }
}

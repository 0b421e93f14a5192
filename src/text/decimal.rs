//! Exact decimal numbers of any length and exponent, compared exactly (contract section 3:
//! "Numbers are exact decimals, compared exactly, as OPA does; never `f64`").

mod divisor;

use std::cmp::Ordering;
use std::fmt;

pub use divisor::Divisor;

/// Most digits a number literal of a rulebook may have in all.
const MAX_LITERAL_DIGITS: usize = 15;

/// An exact decimal number: sign, significant digits without zeros at either end, and the
/// place of the decimal point. Equal numbers have equal representations: `1e2` is `100.0`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decimal {
    negative: bool,
    /// ASCII digits; empty for zero; neither the first nor the last is `0`.
    digits: String,
    /// The value is `0.<digits> * 10^point`. Saturates at the ends of `i128`, which no text
    /// that fits a memory reaches other than by an exponent of more than 38 digits.
    point: i128,
}

/// Why a text is not a number literal of a rulebook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecimalError {
    /// Not `-?(0|[1-9][0-9]*)(\.[0-9]+)?`.
    NotPlain,
    /// More than 15 digits in all.
    TooManyDigits,
}

impl Decimal {
    /// Reads a literal of a rulebook: a plain decimal of at most 15 digits (contract section 1).
    pub fn from_literal(text: &str) -> Result<Self, DecimalError> {
        let unsigned = text.strip_prefix('-').unwrap_or(text);
        let (whole, fraction) = match unsigned.split_once('.') {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (unsigned, None),
        };
        let plain =
            |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let leading_zero = whole.len() > 1 && whole.starts_with('0');
        if !plain(whole) || leading_zero || !fraction.is_none_or(plain) {
            return Err(DecimalError::NotPlain);
        }
        if whole.len() + fraction.map_or(0, str::len) > MAX_LITERAL_DIGITS {
            return Err(DecimalError::TooManyDigits);
        }
        Self::from_json(text).ok_or(DecimalError::NotPlain)
    }

    /// Reads any JSON number, exactly, whatever its length and exponent; `None` for what is no
    /// JSON number. The work is linear in the length of the text.
    pub fn from_json(text: &str) -> Option<Self> {
        WrittenDecimal::from_json(text).map(|written| written.to_decimal())
    }

    /// Zero.
    pub fn zero() -> Self {
        Self {
            negative: false,
            digits: String::new(),
            point: 0,
        }
    }

    /// Whether it is a whole number.
    pub fn is_integer(&self) -> bool {
        self.exponent() >= 0
    }

    /// The place of its last digit: the value is its digits, as a whole number, times ten to this.
    fn exponent(&self) -> i128 {
        let length = i128::try_from(self.digits.len()).unwrap_or(i128::MAX);
        self.point.saturating_sub(length)
    }

    /// Its digits and point, as those of a text.
    fn as_written(&self) -> WrittenDecimal<'_> {
        WrittenDecimal {
            negative: self.negative,
            whole: &self.digits,
            fraction: "",
            point: self.point,
        }
    }
}

/// A number as a JSON text writes it, compared without copying its digits.
#[derive(Clone, Copy, Debug)]
pub struct WrittenDecimal<'a> {
    negative: bool,
    /// The digits before the point, and with `fraction` those of [`Decimal`].
    whole: &'a str,
    /// The digits behind the point.
    fraction: &'a str,
    /// As that of [`Decimal`].
    point: i128,
}

impl<'a> WrittenDecimal<'a> {
    /// Reads any JSON number, as [`Decimal::from_json`] does.
    pub fn from_json(text: &'a str) -> Option<Self> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, parse_exponent(exponent)?),
            None => (rest, 0),
        };
        let (whole, fraction) = match mantissa.split_once('.') {
            Some((_, "")) => return None,
            Some(parts) => parts,
            None => (mantissa, ""),
        };
        let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let leading_zero = whole.len() > 1 && whole.starts_with('0');
        if whole.is_empty() || leading_zero || !all_digits(whole) || !all_digits(fraction) {
            return None;
        }
        let mut written = Self {
            negative,
            whole: whole.trim_start_matches('0'),
            fraction: fraction.trim_end_matches('0'),
            point: 0,
        };
        let before_point = if written.whole.is_empty() {
            let significant = written.fraction.trim_start_matches('0');
            let zeros = i128::try_from(written.fraction.len() - significant.len()).ok()?;
            written.fraction = significant;
            -zeros
        } else {
            i128::try_from(written.whole.len()).ok()?
        };
        if written.fraction.is_empty() {
            written.whole = written.whole.trim_end_matches('0');
        }
        written.point = before_point.saturating_add(exponent);
        Some(written)
    }

    /// How it stands to a number. The work is bounded by the shorter of the two.
    pub fn order(&self, other: &Decimal) -> Ordering {
        self.order_written(&other.as_written())
    }

    fn order_written(&self, other: &WrittenDecimal<'_>) -> Ordering {
        let magnitude = || {
            // Digits carry no zeros at their ends, so byte order is numeric order of the
            // fractions.
            self.point
                .cmp(&other.point)
                .then_with(|| self.digits().cmp(other.digits()))
        };
        self.sign()
            .cmp(&other.sign())
            .then_with(|| match self.sign() {
                0 => Ordering::Equal,
                1 => magnitude(),
                _ => magnitude().reverse(),
            })
    }

    fn sign(&self) -> i8 {
        match (self.is_zero(), self.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        }
    }

    fn is_zero(&self) -> bool {
        self.whole.is_empty() && self.fraction.is_empty()
    }

    fn digits(&self) -> impl Iterator<Item = u8> {
        self.whole.bytes().chain(self.fraction.bytes())
    }

    fn to_decimal(self) -> Decimal {
        if self.is_zero() {
            return Decimal::zero();
        }
        Decimal {
            negative: self.negative,
            digits: [self.whole, self.fraction].concat(),
            point: self.point,
        }
    }
}

fn parse_exponent(text: &str) -> Option<i128> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // Kept well inside `i128`, so that adding a text's length cannot reorder two exponents.
    let magnitude = digits
        .parse::<i128>()
        .unwrap_or(i128::MAX / 4)
        .min(i128::MAX / 4);
    Some(if negative { -magnitude } else { magnitude })
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_written().order_written(&other.as_written())
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The normal form: a plain decimal without trailing zeros; numbers whose plain form would be
/// longer than 40 characters are written with an exponent (no literal of a rulebook is).
impl fmt::Display for Decimal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.digits.is_empty() {
            return formatter.write_str("0");
        }
        if self.negative {
            formatter.write_str("-")?;
        }
        let length = i128::try_from(self.digits.len()).unwrap_or(i128::MAX);
        if self.point > 40 || self.point < -40 {
            return write!(formatter, "0.{}e{}", self.digits, self.point);
        }
        let (whole, fraction) = self
            .digits
            .split_at_checked(usize::try_from(self.point).unwrap_or(0))
            .unwrap_or((&self.digits, ""));
        let zeros = |count: i128| "0".repeat(usize::try_from(count).unwrap_or(0));
        formatter.write_str(if whole.is_empty() { "0" } else { whole })?;
        formatter.write_str(&zeros(self.point - length))?;
        if !fraction.is_empty() {
            write!(formatter, ".{}{fraction}", zeros(-self.point))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Decimal {
        Decimal::from_json(text).unwrap()
    }

    #[test]
    fn normal_forms() {
        for (text, want) in [
            ("0", "0"),
            ("-0", "0"),
            ("-0.00", "0"),
            ("100.0", "100"),
            ("1e2", "100"),
            ("0.10", "0.1"),
            ("-12.340", "-12.34"),
            ("0.001", "0.001"),
            ("1e-3", "0.001"),
            ("120e-1", "12"),
            ("1e39", "1000000000000000000000000000000000000000"),
        ] {
            assert_eq!(json(text).to_string(), want, "{text}");
        }
    }

    #[test]
    fn order_is_exact() {
        let ascending = [
            "-1e99999999999999999999999999999999999999999",
            "-1e400",
            "-2",
            "-1.5",
            "-1e-400",
            "0",
            "1e-99999999999999999999",
            "1e-400",
            "0.1",
            "0.10000000000000000000000001",
            "9007199254740993",
            "9007199254740993.5",
            "1e1000000000",
        ];
        for pair in ascending.windows(2) {
            assert!(json(pair[0]) < json(pair[1]), "{pair:?}");
            assert!(json(pair[1]) > json(pair[0]), "{pair:?}");
        }
        assert_eq!(json("1e2"), json("100.00"));
    }

    #[test]
    fn literals_are_plain_and_short() {
        for text in [
            "01", "1e5", ".5", "5.", "+1", "1_000", "0x1f", "", "-", "--1", "１",
        ] {
            assert_eq!(
                Decimal::from_literal(text),
                Err(DecimalError::NotPlain),
                "{text}"
            );
        }
        assert!(Decimal::from_literal("123456789012345").is_ok());
        assert!(Decimal::from_literal("12345678901234.5").is_ok());
        assert_eq!(
            Decimal::from_literal("12345678901234.56"),
            Err(DecimalError::TooManyDigits)
        );
    }

    #[test]
    fn what_is_no_json_number_is_refused() {
        for text in [
            "1.", ".1", "01", "1e", "1e+", "e1", "1.2.3", "--1", "1 ", "nan",
        ] {
            assert_eq!(Decimal::from_json(text), None, "{text}");
        }
    }
}

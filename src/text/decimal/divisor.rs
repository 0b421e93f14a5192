//! Whether a number is a multiple of another, exactly.

use super::Decimal;

/// Most significant digits of a divisor: what stays below 2^128 when it is multiplied by ten.
const MAX_DIGITS: usize = 37;

/// A number that others are divided by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divisor {
    /// Its digits as a whole number; not zero.
    digits: u128,
    /// The value is `digits * 10^exponent`.
    exponent: i128,
}

impl Divisor {
    /// A divisor; none for zero, and for a number of more than 37 significant digits. Its sign does
    /// not matter.
    pub fn new(number: &Decimal) -> Option<Self> {
        if number.digits.len() > MAX_DIGITS {
            return None;
        }
        let digits: u128 = number.digits.parse().ok()?;
        Some(Self {
            digits,
            exponent: number.exponent(),
        })
    }

    /// Whether a number is a whole multiple of it. The work is linear in the number's digits,
    /// whatever its exponent.
    pub fn divides(&self, number: &Decimal) -> bool {
        if number.digits.is_empty() {
            return true;
        }
        // A last digit that is not zero stands too low: ten does not divide it.
        let Ok(shift) = u128::try_from(number.exponent().saturating_sub(self.exponent)) else {
            return false;
        };
        let remainder = number.digits.bytes().fold(0_u128, |remainder, digit| {
            (remainder * 10 + u128::from(digit.saturating_sub(b'0'))) % self.digits
        });
        self.product(remainder, self.power_of_ten(shift)) == 0
    }

    /// `10^exponent`, modulo the digits.
    fn power_of_ten(&self, mut exponent: u128) -> u128 {
        let mut power = 1 % self.digits;
        let mut square = 10 % self.digits;
        while exponent > 0 {
            if exponent & 1 == 1 {
                power = self.product(power, square);
            }
            square = self.product(square, square);
            exponent >>= 1;
        }
        power
    }

    /// `left * right`, modulo the digits; both are smaller than these.
    fn product(&self, left: u128, mut right: u128) -> u128 {
        if let Some(product) = left.checked_mul(right) {
            return product % self.digits;
        }
        let mut product = 0;
        let mut addend = left;
        while right > 0 {
            if right & 1 == 1 {
                product = (product + addend) % self.digits;
            }
            addend = (addend + addend) % self.digits;
            right >>= 1;
        }
        product
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn divides(divisor: &str, number: &str) -> bool {
        let divisor = Divisor::new(&Decimal::from_json(divisor).unwrap()).unwrap();
        divisor.divides(&Decimal::from_json(number).unwrap())
    }

    #[test]
    fn multiples_are_told_exactly() {
        for (divisor, number) in [
            ("0.01", "19.99"),
            ("0.01", "1e1000000000"),
            ("3", "-9"),
            ("3", "0"),
            ("-0.1", "0.3"),
            ("9007199254740993", "18014398509481986"),
            ("7", "123456789012345678901234567890123456781"),
            ("1e-400", "1"),
            ("2e3", "4e3"),
            (
                "1234567890123456789012345678901234567",
                "1234567890123456789012345678901234567e99",
            ),
        ] {
            assert!(divides(divisor, number), "{number} by {divisor}");
        }
        for (divisor, number) in [
            ("0.01", "19.990000000000000000000001"),
            ("1", "1e-1000000000"),
            ("3", "1e1000000000"),
            ("9007199254740993", "18014398509481984"),
            ("7", "123456789012345678901234567890123456782"),
            ("20", "10"),
            ("1234567890123456789012345678901234567", "1e99"),
        ] {
            assert!(!divides(divisor, number), "{number} by {divisor}");
        }
        let number = |text: &str| Decimal::from_json(text).unwrap();
        assert_eq!(Divisor::new(&number("0.0")), None);
        assert_eq!(Divisor::new(&number(&"1".repeat(38))), None);
    }
}

//! Numbers of points, which may be larger than any integer type.

use std::fmt;

/// A number of points, exact at any size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Digits to the base of [`BASE`], the lowest first, without zeros at the end.
    digits: Vec<u64>,
}

const BASE: u64 = 1_000_000_000;
const DIGITS: usize = 9;

/// More digits than this are shown as a power of ten.
const MAX_SHOWN: usize = 39;

impl Count {
    /// Adds the product of these numbers, and some more.
    pub(super) fn add_product(&mut self, factors: impl Iterator<Item = usize>, more: usize) {
        let mut product = Self::from(1_u64);
        for factor in factors {
            product.multiply(u64::try_from(factor).unwrap_or(u64::MAX) % BASE);
        }
        self.add(&product);
        self.add(&Self::from(u64::try_from(more).unwrap_or(u64::MAX)));
    }

    fn multiply(&mut self, factor: u64) {
        let mut carry = 0;
        for digit in &mut self.digits {
            let product = *digit * factor + carry;
            *digit = product % BASE;
            carry = product / BASE;
        }
        if carry > 0 {
            self.digits.push(carry);
        }
    }

    fn add(&mut self, other: &Self) {
        let length = self.digits.len().max(other.digits.len());
        self.digits.resize(length, 0);
        let mut carry = 0;
        let more = other.digits.iter().copied().chain(std::iter::repeat(0));
        for (digit, more) in self.digits.iter_mut().zip(more) {
            let sum = *digit + more + carry;
            *digit = sum % BASE;
            carry = sum / BASE;
        }
        if carry > 0 {
            self.digits.push(carry);
        }
    }
}

impl From<u64> for Count {
    fn from(number: u64) -> Self {
        let mut rest = number;
        let mut digits = Vec::new();
        while rest > 0 {
            digits.push(rest % BASE);
            rest /= BASE;
        }
        Self { digits }
    }
}

/// Digits in groups of three; from 40 digits on, the power of ten that it exceeds.
impl fmt::Display for Count {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut plain = String::new();
        for (number, digit) in self.digits.iter().rev().enumerate() {
            let width = if number == 0 { 1 } else { DIGITS };
            plain.push_str(&format!("{digit:0width$}"));
        }
        if plain.is_empty() {
            plain.push('0');
        }
        if plain.len() > MAX_SHOWN {
            return write!(formatter, "more than 10^{}", plain.len() - 1);
        }
        for (digit, place) in plain.chars().zip((0..plain.len()).rev()) {
            write!(formatter, "{digit}")?;
            if place > 0 && place % 3 == 0 {
                formatter.write_str(",")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn product(factors: &[usize]) -> Count {
        let mut count = Count::default();
        count.add_product(factors.iter().copied(), 0);
        count
    }

    #[test]
    fn counts_are_exact() {
        assert_eq!(Count::default().to_string(), "0");
        assert_eq!(Count::from(999).to_string(), "999");
        assert_eq!(Count::from(1_000).to_string(), "1,000");
        assert_eq!(
            Count::from(u64::MAX).to_string(),
            "18,446,744,073,709,551,615"
        );
        assert_eq!(product(&[2; 18]).to_string(), "262,144");
        assert_eq!(product(&[10; 12]).to_string(), "1,000,000,000,000");
        assert_eq!(
            product(&[2; 128]).to_string(),
            (1_u128 << 127).checked_mul(2).map_or(
                "340,282,366,920,938,463,463,374,607,431,768,211,456".to_owned(),
                |it| it.to_string()
            )
        );
        assert_eq!(product(&[10; 39]).to_string(), "more than 10^39");
        let mut sum = product(&[3; 30]);
        sum.add_product([7; 25].into_iter(), 5);
        let exact = 3_u128.pow(30) + 7_u128.pow(25) + 5;
        assert_eq!(sum.to_string().replace(',', ""), exact.to_string());
    }
}

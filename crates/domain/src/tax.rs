//! Tax included in a price.

use std::fmt;

use crate::money::Money;

/// Rate in thousandths of a percent, above 0 and below 100 %.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaxRate(u32);

/// 100 % in thousandths of a percent.
const WHOLE: u32 = 100_000;

impl TaxRate {
    /// Parses a percentage such as `13` or `14.975` with at most three decimals.
    #[must_use]
    pub fn parse(percent: &str) -> Option<Self> {
        let (whole, decimals) = percent.split_once('.').unwrap_or((percent, ""));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !digits(whole) || !digits(decimals) || decimals.len() > 3 {
            return None;
        }
        let rate = format!("{whole}{decimals:0<3}").parse().ok()?;
        (1..WHOLE).contains(&rate).then_some(Self(rate))
    }

    /// Returns the tax included in `gross`, rounded to the nearest cent, half a cent up.
    #[must_use]
    pub fn included_in(self, gross: Money) -> Money {
        let (rate, whole) = (i128::from(self.0), i128::from(WHOLE));
        let twice = (2 * i128::from(gross.minor) * rate + whole + rate).div_euclid(2 * (whole + rate));
        Money { minor: i64::try_from(twice).unwrap_or(i64::MAX), ..gross }
    }
}

impl fmt::Display for TaxRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, decimals) = (self.0 / 1000, format!("{:03}", self.0 % 1000));
        match decimals.trim_end_matches('0') {
            "" => write!(f, "{whole}"),
            decimals => write!(f, "{whole}.{decimals}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::TaxRate;
    use crate::money::Money;

    #[test]
    fn a_tax_rate_is_a_percentage_with_at_most_three_decimals() {
        for (text, shown) in [("13", "13"), ("14.975", "14.975"), ("5.50", "5.5"), ("0.001", "0.001")] {
            assert_eq!(TaxRate::parse(text).map(|rate| rate.to_string()), Some(shown.to_owned()), "{text}");
        }
        for wrong in ["", "0", "0.000", "100", "13 %", "-1", "1.2345", ".5", "1,5", "1e1", "99999999999"] {
            assert_eq!(TaxRate::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_tax_included_in_a_price_is_rounded_to_the_cent() {
        let within =
            |rate: &str, gross| TaxRate::parse(rate).map(|rate| rate.included_in(Money::cad(gross)).minor);
        assert_eq!(within("13", 3_800), Some(437));
        assert_eq!(within("13", 11_300), Some(1_300));
        assert_eq!(within("14.975", 3_800), Some(495));
        assert_eq!(within("5", 0), Some(0));
        assert_eq!(within("50", 150), Some(50));
        // Just below and above half a cent.
        assert_eq!(within("33.333", 2), Some(0));
        assert_eq!(within("33.334", 2), Some(1));
    }
}

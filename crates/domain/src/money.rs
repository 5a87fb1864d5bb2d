//! Money as an integer of minor units with a currency. Decimals are used only in JSON.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A currency with two decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Currency {
    /// Canadian dollar, the default.
    CAD,
}

impl Currency {
    /// Returns the ISO 4217 code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::CAD => "CAD",
        }
    }

    /// Parses an ISO 4217 code that this service supports.
    #[must_use]
    pub fn parse(code: &str) -> Option<Self> {
        (code == "CAD").then_some(Self::CAD)
    }
}

/// An amount in minor units (cents).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Money {
    /// Cents; negative only for a difference.
    pub minor: i64,
    /// Its currency.
    pub currency: Currency,
}

impl Money {
    /// Returns `minor` cents in CAD.
    #[must_use]
    pub const fn cad(minor: i64) -> Self {
        Self { minor, currency: Currency::CAD }
    }

    /// Returns this amount multiplied by `count` applicants, or `None` on overflow.
    #[must_use]
    pub fn times(self, count: u32) -> Option<Self> {
        Some(Self { minor: self.minor.checked_mul(i64::from(count))?, ..self })
    }

    /// Returns the amount as a number with two decimals, for JSON only.
    #[must_use]
    pub fn to_wire(self) -> f64 {
        self.minor as f64 / 100.0
    }

    /// Parses a decimal such as `50`, `50.5` or `50.00`. Rejects more than two decimals, signs and
    /// exponents.
    #[must_use]
    pub fn parse_decimal(text: &str) -> Option<Self> {
        let (whole, cents) = text.split_once('.').unwrap_or((text, ""));
        let digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
        if whole.is_empty() || !digits(whole) || !digits(cents) || cents.len() > 2 {
            return None;
        }
        let cents: i64 = format!("{cents:0<2}").parse().ok()?;
        Some(Self::cad(whole.parse::<i64>().ok()?.checked_mul(100)?.checked_add(cents)?))
    }
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.minor < 0 { "-" } else { "" };
        let (units, cents) = (self.minor.unsigned_abs() / 100, self.minor.unsigned_abs() % 100);
        write!(f, "{sign}{units}.{cents:02} {}", self.currency.code())
    }
}

//! Payments at the card provider: methods, allowed amounts and the schedule of status readings.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use crate::money::Money;

/// Payment method at the card provider. The values are also the provider's own.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    utoipa::ToSchema,
    strum::EnumString,
    strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum PaymentMethod {
    /// Payment by card, with the card fields in a page of this service.
    #[default]
    Card,
    /// Payment with Alipay: the payer goes to a page of the provider and returns.
    Alipay,
    /// Payment with WeChat Pay: the payer scans a code.
    WechatPay,
}

impl PaymentMethod {
    /// Returns the value on the wire, in the database and at the provider.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Returns the period after a payment in which the provider refunds it. Returns `None` if the
    /// provider sets no limit.
    #[must_use]
    pub fn refundable_for(self) -> Option<TimeDelta> {
        match self {
            Self::Card => None,
            Self::Alipay => Some(TimeDelta::days(90)),
            Self::WechatPay => Some(TimeDelta::days(180)),
        }
    }
}

/// Minimum and maximum amount of one payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Minimum amount.
    pub min: Money,
    /// Maximum amount.
    pub max: Money,
}

/// Reason that an amount is invalid. The values are codes on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum NotAnAmount {
    /// The value is no number or has more than two decimals.
    NotMoney,
    /// The amount is below the minimum, zero or negative.
    BelowMin,
    /// The amount is above the maximum.
    AboveMax,
}

impl NotAnAmount {
    /// Returns the code on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

impl Limits {
    /// Parses an amount from a JSON number with at most two decimals.
    ///
    /// # Errors
    /// Returns the reason that the amount is invalid.
    pub fn read(self, amount: f64) -> Result<Money, NotAnAmount> {
        if !amount.is_finite() {
            return Err(NotAnAmount::NotMoney);
        }
        // Larger numbers cannot represent cents exactly.
        if amount.abs() > 1e12 {
            return Err(if amount > 0.0 { NotAnAmount::AboveMax } else { NotAnAmount::BelowMin });
        }
        let cents = (amount * 100.0).round();
        // If the nearest number with two decimals differs from the number sent, that had more
        // decimals.
        if (cents / 100.0).to_bits() != amount.to_bits() && amount != 0.0 {
            return Err(NotAnAmount::NotMoney);
        }
        let minor = cents as i64;
        match minor {
            _ if minor < self.min.minor => Err(NotAnAmount::BelowMin),
            _ if minor > self.max.minor => Err(NotAnAmount::AboveMax),
            _ => Ok(Money { minor, ..self.min }),
        }
    }
}

/// Age at which an unpaid payment is cancelled.
pub const GIVE_UP_AFTER: TimeDelta = TimeDelta::days(3);
/// Age at which a payment that the bank still processes lapses.
pub const LAPSE_AFTER: TimeDelta = TimeDelta::days(14);

/// Returns the wait before a payment or a refund is read again after this many readings.
#[must_use]
pub fn wait_after(readings: i64) -> TimeDelta {
    const SECONDS: [i64; 7] = [20, 60, 300, 900, 3_600, 14_400, 43_200];
    let seconds = usize::try_from(readings).ok().and_then(|n| SECONDS.get(n).copied());
    TimeDelta::seconds(seconds.unwrap_or(86_400))
}

#[cfg(test)]
mod tests {
    use super::{Limits, NotAnAmount, wait_after};
    use crate::money::Money;

    const LIMITS: Limits = Limits { min: Money::cad(500), max: Money::cad(100_000) };

    #[test]
    fn amounts_outside_the_limits_are_rejected() {
        for (amount, cents) in [(5.0, 500), (5.01, 501), (19.99, 1_999), (1000.0, 100_000), (70.1, 7_010)] {
            assert_eq!(LIMITS.read(amount), Ok(Money::cad(cents)), "{amount}");
        }
        for cents in 500..=100_000_i64 {
            assert_eq!(LIMITS.read(cents as f64 / 100.0), Ok(Money::cad(cents)));
        }
        for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.001, 5.001, 49.999, 5.000_000_1] {
            assert_eq!(LIMITS.read(wrong), Err(NotAnAmount::NotMoney), "{wrong}");
        }
        for small in [0.0, -0.0, -5.0, 4.99, 0.01, -1e300] {
            assert_eq!(LIMITS.read(small), Err(NotAnAmount::BelowMin), "{small}");
        }
        for large in [1000.01, 1e9, 1e300, f64::MAX] {
            assert_eq!(LIMITS.read(large), Err(NotAnAmount::AboveMax), "{large}");
        }
    }

    #[test]
    fn retry_waits_grow_to_one_day() {
        let waits: Vec<i64> = (-1..9).map(|n| wait_after(n).num_seconds()).collect();
        assert_eq!(waits, [86_400, 20, 60, 300, 900, 3_600, 14_400, 43_200, 86_400, 86_400]);
    }
}

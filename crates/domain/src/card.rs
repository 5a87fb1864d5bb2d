//! Payments at the card provider: how one may pay, what may be asked for, and how long one is followed.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use crate::money::Money;

/// How somebody pays at the card provider; the words are the provider's as well.
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
    /// With a card, whose fields stand in a page of ours.
    #[default]
    Card,
    /// With Alipay: the payer leaves for a page of the provider's and comes back.
    Alipay,
    /// With WeChat Pay: the payer scans a code.
    WechatPay,
}

impl PaymentMethod {
    /// The word on the wire, in the database and at the provider.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// For so long after a payment the provider gives it back; none where it names no end.
    #[must_use]
    pub fn refundable_for(self) -> Option<TimeDelta> {
        match self {
            Self::Card => None,
            Self::Alipay => Some(TimeDelta::days(90)),
            Self::WechatPay => Some(TimeDelta::days(180)),
        }
    }
}

/// How little and how much one payment may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// At least.
    pub min: Money,
    /// At most.
    pub max: Money,
}

/// Why an amount is none; the words are codes on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum NotAnAmount {
    /// More than two decimals, or no number at all.
    NotMoney,
    /// Less than the least, nothing, or less than nothing.
    BelowMin,
    /// More than the most.
    AboveMax,
}

impl NotAnAmount {
    /// The code on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

impl Limits {
    /// Reads an amount as it stands in JSON: a number with at most two decimals.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(self, amount: f64) -> Result<Money, NotAnAmount> {
        if !amount.is_finite() {
            return Err(NotAnAmount::NotMoney);
        }
        // Larger numbers have no exact cents any more.
        if amount.abs() > 1e12 {
            return Err(if amount > 0.0 { NotAnAmount::AboveMax } else { NotAnAmount::BelowMin });
        }
        let cents = (amount * 100.0).round();
        // The nearest number with two decimals is the very number that was sent, or it had more of them.
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

/// So long is a payment followed that nobody makes; then it is cancelled.
pub const GIVE_UP_AFTER: TimeDelta = TimeDelta::days(3);
/// So long one that the bank is still thinking about.
pub const LAPSE_AFTER: TimeDelta = TimeDelta::days(14);

/// How long to wait before a payment (or a refund) is looked at again that was looked at so often.
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
    fn only_money_within_the_limits_is_an_amount() {
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
    fn waiting_grows_to_a_day() {
        let waits: Vec<i64> = (-1..9).map(|n| wait_after(n).num_seconds()).collect();
        assert_eq!(waits, [86_400, 20, 60, 300, 900, 3_600, 14_400, 43_200, 86_400, 86_400]);
    }
}

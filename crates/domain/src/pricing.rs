//! Price per applicant: a base price with itemised discounts.

use serde::Serialize;
use utoipa::ToSchema;

use crate::money::Money;

/// Available balance, in CAD, below which it counts as low.
pub const LOW_BALANCE: u32 = 50;
/// Balance after a charge, in CAD, below which it may not cover the next task.
pub const LOW_AFTER_CHARGE: u32 = 100;

/// Setting of a server that turns charging on or off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Billing {
    /// Tasks have a price, paid from a balance.
    #[default]
    On,
    /// Nothing is charged: there are no balances, prices, codes, cards, referrals and refunds.
    Off,
}

impl Billing {
    /// Returns `true` if tasks have a price.
    #[must_use]
    pub const fn is_on(self) -> bool {
        matches!(self, Self::On)
    }
}

/// Discounts on the unit price; each is zero if it does not apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Discounts {
    /// Discount of the user.
    pub personal: Money,
    /// Discount of the user's group.
    pub group: Money,
    /// Discount of a promotion code.
    pub promo: Money,
    /// Discount for a referred user.
    pub referral: Money,
}

/// A unit price with its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quote {
    /// Price of the plan.
    pub base: Money,
    /// Discounts applied, each reduced so that the sum never exceeds the base.
    pub discounts: Discounts,
    /// Price per applicant; never below zero.
    pub unit: Money,
}

impl Default for Discounts {
    fn default() -> Self {
        Self::NONE
    }
}

/// Kind of a discount.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    ToSchema,
    strum::IntoStaticStr,
    strum::VariantArray,
    strum::EnumString,
)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "lowercase")]
#[schema(as = DiscountType)]
pub enum DiscountKind {
    /// Discount of the user.
    Personal,
    /// Discount of the user's group.
    Group,
    /// Discount of a promotion code.
    Promo,
    /// Discount for a referred user.
    Referral,
}

/// Result of applying a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CodeStatus {
    /// The code reduces the price.
    Applied,
    /// The code does not exist or is revoked.
    Unknown,
    /// The code is not valid yet.
    NotYet,
    /// The code has expired.
    Expired,
    /// The code has no uses left.
    UsedUp,
    /// The user has used the code as often as allowed.
    UsedByYou,
    /// The code is for another user, or its referrer shares a portal login or a card with the user.
    NotYours,
    /// The code is the user's own referral code.
    OwnCode,
    /// The code is a referral code, and the task is not the user's first.
    NotFirst,
    /// The price has no remainder that the code could reduce.
    NothingLeft,
}

impl CodeStatus {
    /// Returns `true` if a code with this result may have been a guess.
    #[must_use]
    pub const fn may_be_guess(self) -> bool {
        matches!(self, Self::Unknown | Self::NotYours)
    }
}

impl DiscountKind {
    /// All kinds in the order in which they are applied.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// Returns the value on the wire and in the database.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

impl Discounts {
    /// No discounts.
    pub const NONE: Self =
        Self { personal: Money::cad(0), group: Money::cad(0), promo: Money::cad(0), referral: Money::cad(0) };

    /// Returns the discount of one kind.
    #[must_use]
    pub const fn of(&self, kind: DiscountKind) -> Money {
        match kind {
            DiscountKind::Personal => self.personal,
            DiscountKind::Group => self.group,
            DiscountKind::Promo => self.promo,
            DiscountKind::Referral => self.referral,
        }
    }

    /// Returns the discounts with the one of `kind` replaced.
    #[must_use]
    pub const fn with(mut self, kind: DiscountKind, amount: Money) -> Self {
        match kind {
            DiscountKind::Personal => self.personal = amount,
            DiscountKind::Group => self.group = amount,
            DiscountKind::Promo => self.promo = amount,
            DiscountKind::Referral => self.referral = amount,
        }
        self
    }

    /// Returns the non-zero discounts, in order.
    pub fn lines(&self) -> impl Iterator<Item = (DiscountKind, Money)> + use<> {
        let all = *self;
        DiscountKind::ALL.iter().copied().map(move |kind| (kind, all.of(kind))).filter(|(_, m)| m.minor > 0)
    }

    /// Returns the sum of the discounts.
    #[must_use]
    pub const fn total(&self) -> Money {
        let minor = self.personal.minor + self.group.minor + self.promo.minor + self.referral.minor;
        Money { minor, ..self.personal }
    }
}

/// Applies discounts to a base price in the order of [`DiscountKind::ALL`], never below zero.
#[must_use]
pub fn quote(base: Money, wanted: Discounts) -> Quote {
    let mut left = base.minor;
    let mut take = |wanted: Money| {
        let taken = wanted.minor.clamp(0, left.max(0));
        left -= taken;
        Money { minor: taken, ..wanted }
    };
    let take_off = |taken: Discounts, kind| taken.with(kind, take(wanted.of(kind)));
    let discounts = DiscountKind::ALL.iter().copied().fold(Discounts::NONE, take_off);
    Quote { base, discounts, unit: Money { minor: left, ..base } }
}

#[cfg(test)]
mod tests {
    use super::{Discounts, Money, quote};

    // spec: 10.11.01
    #[test]
    fn a_price_never_goes_below_zero() {
        let wanted = Discounts { personal: Money::cad(300), promo: Money::cad(400), ..Discounts::default() };
        let quoted = quote(Money::cad(500), wanted);
        assert_eq!(
            (quoted.unit, quoted.discounts.promo, quoted.discounts.total()),
            (Money::cad(0), Money::cad(200), Money::cad(500))
        );
        assert_eq!(quote(Money::cad(500), Discounts::default()).unit, Money::cad(500));
    }
}

//! What one applicant pays: a base price, and amounts off it, line by line.

use serde::Serialize;
use utoipa::ToSchema;

use crate::money::Money;

/// Below this, in CAD, an available balance counts as low.
pub const LOW_BALANCE: u32 = 50;
/// Below this, in CAD, what a charge leaves may not cover the next task.
pub const LOW_AFTER_CHARGE: u32 = 100;

/// Whether anything is charged on a server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Billing {
    /// Tasks have a price, which a balance pays.
    #[default]
    On,
    /// Nothing costs anything: there are no balances, prices, codes, cards, referrals and refunds.
    Off,
}

impl Billing {
    /// Whether tasks have a price here.
    #[must_use]
    pub const fn is_on(self) -> bool {
        matches!(self, Self::On)
    }
}

/// Amounts off the unit price; each is zero when it does not apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Discounts {
    /// The user's own.
    pub personal: Money,
    /// Their group's.
    pub group: Money,
    /// A promotion code's.
    pub promo: Money,
    /// For having been sent by a friend.
    pub referral: Money,
}

/// A unit price with its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quote {
    /// The plan's price.
    pub base: Money,
    /// What comes off, each cut so that the sum never exceeds the base.
    pub discounts: Discounts,
    /// What is paid per applicant; never below zero.
    pub unit: Money,
}

impl Default for Discounts {
    fn default() -> Self {
        Self::NONE
    }
}

/// The words for why something comes off a price.
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
    /// The user's own.
    Personal,
    /// Their group's.
    Group,
    /// A promotion code's.
    Promo,
    /// For having been sent by a friend.
    Referral,
}

/// What became of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CodeStatus {
    /// It takes something off.
    Applied,
    /// No such code, or revoked.
    Unknown,
    /// Its time has not come.
    NotYet,
    /// Its time is over.
    Expired,
    /// The last use is gone.
    UsedUp,
    /// The user had all theirs.
    UsedByYou,
    /// For somebody else; or the code of a friend with whom the user shares a portal login or a card.
    NotYours,
    /// The user's own friend's code.
    OwnCode,
    /// A friend's code, and not the user's first task.
    NotFirst,
    /// Nothing is left that it could take off.
    NothingLeft,
}

impl CodeStatus {
    /// Whether a code that ends so may have been a guess.
    #[must_use]
    pub const fn may_be_guess(self) -> bool {
        matches!(self, Self::Unknown | Self::NotYours)
    }
}

impl DiscountKind {
    /// In the order they are taken off.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// The word on the wire and in the database.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

impl Discounts {
    /// Nothing off.
    pub const NONE: Self =
        Self { personal: Money::cad(0), group: Money::cad(0), promo: Money::cad(0), referral: Money::cad(0) };

    /// The amount of one kind.
    #[must_use]
    pub const fn of(&self, kind: DiscountKind) -> Money {
        match kind {
            DiscountKind::Personal => self.personal,
            DiscountKind::Group => self.group,
            DiscountKind::Promo => self.promo,
            DiscountKind::Referral => self.referral,
        }
    }

    /// The same with another amount of one kind.
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

    /// Those that take something off, in order.
    pub fn lines(&self) -> impl Iterator<Item = (DiscountKind, Money)> + use<> {
        let all = *self;
        DiscountKind::ALL.iter().copied().map(move |kind| (kind, all.of(kind))).filter(|(_, m)| m.minor > 0)
    }

    /// All of them together.
    #[must_use]
    pub const fn total(&self) -> Money {
        let minor = self.personal.minor + self.group.minor + self.promo.minor + self.referral.minor;
        Money { minor, ..self.personal }
    }
}

/// Takes discounts off a base price in the order of [`DiscountKind::ALL`], never below zero.
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

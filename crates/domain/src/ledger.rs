//! The vocabulary of the two-legged ledger, and what each kind of row does to the person it moves.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a ledger account is for; the text is what the database keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum AccountKind {
    /// A user's prepaid balance; never below zero after holds.
    User,
    /// What a user owes, as a balance below zero; it blocks new holds.
    Debt,
    /// What has been earned by captured tasks.
    Revenue,
    /// Where top-up codes come from (its balance is minus what was issued).
    Topup,
    /// Where card payments come from (minus what was paid in and not paid back).
    Card,
    /// Where bonuses come from (minus what was given away).
    Bonus,
    /// What people left behind who deleted their account.
    Forfeit,
    /// An operator's corrections.
    Adjust,
}

impl AccountKind {
    /// The stored word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// The kinds of movements.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    ToSchema,
    strum::IntoStaticStr,
    strum::VariantArray,
    strum::EnumString,
)]
#[serde(rename_all = "snake_case")]
#[schema(as = MovementKind)]
#[strum(serialize_all = "snake_case")]
pub enum TransferKind {
    /// Money came in from a code.
    Topup,
    /// Money came in from a card.
    Card,
    /// Given by the house: spent first, never paid out.
    Bonus,
    /// Pending: set aside for a task.
    Hold,
    /// Resolves a hold: the task succeeded.
    Capture,
    /// Resolves a hold: nothing was charged.
    Release,
    /// Went back to the card it came from.
    Refund,
    /// Taken because the card's owner disputed the payment; what was not there any more is owed.
    Dispute,
    /// A dispute was decided for us: what it took comes back.
    Reinstate,
    /// What was owed was paid from the balance.
    Debt,
    /// A bonus was taken back.
    Void,
    /// Left behind at the account's deletion.
    Forfeit,
    /// An operator's correction, either way.
    Adjust,
}

/// What a row does to the person's account, in minor units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// The change of what they own.
    pub posted: i64,
    /// The change of what of it is set aside.
    pub held: i64,
}

impl Effect {
    /// The change of what can be spent.
    #[must_use]
    pub const fn available(self) -> i64 {
        self.posted - self.held
    }
}

impl TransferKind {
    /// Every kind.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// The stored word, and the one on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Reads the stored word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        word.parse().ok()
    }

    /// What `amount` does to the person's account, which is the credited side if `incoming`.
    #[must_use]
    pub const fn effect(self, amount: i64, incoming: bool) -> Effect {
        match self {
            Self::Hold => Effect { posted: 0, held: amount },
            Self::Release => Effect { posted: 0, held: -amount },
            Self::Capture => Effect { posted: -amount, held: -amount },
            _ => Effect { posted: if incoming { amount } else { -amount }, held: 0 },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Effect, TransferKind};

    #[test]
    fn a_capture_takes_nothing_more_than_its_hold_had() {
        let [hold, capture] = [TransferKind::Hold, TransferKind::Capture].map(|kind| kind.effect(500, false));
        assert_eq!((hold.available(), capture.available()), (-500, 0));
        assert_eq!(capture, Effect { posted: -500, held: -500 });
        assert_eq!(TransferKind::Adjust.effect(5, true).available(), 5);
        assert_eq!(TransferKind::Refund.effect(5, false).available(), -5);
        for &kind in TransferKind::ALL {
            assert_eq!(TransferKind::parse(kind.as_str()), Some(kind));
        }
    }
}

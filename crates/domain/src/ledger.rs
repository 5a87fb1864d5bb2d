//! Account and transfer kinds of the two-legged ledger, and the effect of each transfer on a user's
//! account.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Purpose of a ledger account. The text is the stored value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum AccountKind {
    /// Prepaid balance of a user; never below zero after holds.
    User,
    /// Debt of a user, as a balance below zero. It blocks new holds.
    Debt,
    /// Revenue of captured tasks.
    Revenue,
    /// Source of top-up codes. Its balance is minus the amount issued.
    Topup,
    /// Source of card payments. Its balance is minus the amount paid in and not paid back.
    Card,
    /// Source of bonuses. Its balance is minus the amount given.
    Bonus,
    /// Money left by users who deleted their account.
    Forfeit,
    /// Corrections by operators.
    Adjust,
}

impl AccountKind {
    /// Returns the stored value.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Kind of a transfer.
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
    /// Money from a top-up code.
    Topup,
    /// Money from a card payment.
    Card,
    /// Bonus from the service: spent first, never paid out.
    Bonus,
    /// Pending: money on hold for a task.
    Hold,
    /// Resolves a hold: the task succeeded.
    Capture,
    /// Resolves a hold: nothing was charged.
    Release,
    /// Refund to the card that paid.
    Refund,
    /// Money taken because the card holder disputed the payment. A part no longer available becomes
    /// debt.
    Dispute,
    /// Return of disputed money after the dispute was won.
    Reinstate,
    /// Debt paid from the balance.
    Debt,
    /// Bonus taken back.
    Void,
    /// Money forfeited at the deletion of the account.
    Forfeit,
    /// Correction by an operator, in either direction.
    Adjust,
}

/// Effect of a transfer on the user's account, in minor units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// Change of the balance.
    pub posted: i64,
    /// Change of the part of the balance that is on hold.
    pub held: i64,
}

impl Effect {
    /// Returns the change of the spendable balance.
    #[must_use]
    pub const fn available(self) -> i64 {
        self.posted - self.held
    }
}

impl TransferKind {
    /// Every kind.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// Returns the value in the database and on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Parses the stored value.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        word.parse().ok()
    }

    /// Returns the effect of `amount` on the user's account, which is the credited side if
    /// `incoming`.
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
    fn a_capture_does_not_reduce_the_available_balance() {
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

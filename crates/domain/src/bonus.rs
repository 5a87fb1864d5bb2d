//! How much of a balance is bonus: money of the house, spent before the person's own, and never paid out.
//!
//! A bonus lives in the same account as everything else. What is left of it follows from the rows alone, so that no second
//! balance can disagree with the first (ADR 22).

use std::collections::HashMap;

use crate::ids::TransferId;
use crate::ledger::TransferKind;

/// One row that moved the person's account, in order.
#[derive(Clone, Copy, Debug)]
pub struct Moved {
    /// The row.
    pub id: TransferId,
    /// Its kind.
    pub kind: TransferKind,
    /// Minor units, positive.
    pub amount: i64,
    /// The hold it resolves.
    pub resolves: Option<TransferId>,
    /// Whether the person's account was credited.
    pub incoming: bool,
}

/// Minor units of bonus among what can be spent now.
#[must_use]
pub fn left(rows: impl IntoIterator<Item = Moved>) -> i64 {
    let (mut bonus, mut available) = (0_i64, 0_i64);
    // What each open hold took of it, for when the hold goes back.
    let mut taken: HashMap<TransferId, i64> = HashMap::new();
    for row in rows {
        available += row.kind.effect(row.amount, row.incoming).available();
        match row.kind {
            TransferKind::Bonus => bonus += row.amount,
            TransferKind::Hold => {
                let part = bonus.min(row.amount);
                bonus -= part;
                taken.insert(row.id, part);
            }
            TransferKind::Release => {
                bonus += row.resolves.and_then(|hold| taken.remove(&hold)).unwrap_or(0);
            }
            TransferKind::Void => bonus -= bonus.min(row.amount),
            // Everything else moves the person's own money, and touches a bonus only when there is nothing else left.
            _ => {}
        }
        bonus = bonus.min(available.max(0));
    }
    bonus
}

#[cfg(test)]
mod tests {
    use super::{Moved, TransferId, TransferKind, left};
    use TransferKind::{Bonus, Capture, Card, Forfeit, Hold, Refund, Release, Topup, Void};
    use uuid::Uuid;

    /// Rows numbered from 1; a resolution resolves the row whose number it names.
    fn rows(list: &[(TransferKind, i64, u128)]) -> Vec<Moved> {
        let row = |(n, (kind, amount, resolves)): (usize, &(TransferKind, i64, u128))| Moved {
            id: TransferId(Uuid::from_u128(n as u128 + 1)),
            kind: *kind,
            amount: *amount,
            resolves: (*resolves > 0).then(|| TransferId(Uuid::from_u128(*resolves))),
            incoming: matches!(kind, Topup | Card | Bonus),
        };
        list.iter().enumerate().map(row).collect()
    }

    // spec: 10.11.11
    #[test]
    fn a_bonus_is_spent_first() {
        assert_eq!(left(rows(&[(Topup, 50, 0), (Bonus, 10, 0)])), 10);
        assert_eq!(left(rows(&[(Topup, 50, 0), (Bonus, 10, 0), (Hold, 4, 0)])), 6);
        assert_eq!(left(rows(&[(Topup, 50, 0), (Bonus, 10, 0), (Hold, 30, 0), (Capture, 30, 3)])), 0);
    }

    #[test]
    fn what_a_hold_took_comes_back_with_it() {
        let held = [(Bonus, 10, 0), (Topup, 50, 0), (Hold, 30, 0), (Hold, 5, 0), (Release, 30, 3)];
        assert_eq!(left(rows(&held)), 10);
        assert_eq!(left(rows(&[(Bonus, 10, 0), (Hold, 10, 0), (Capture, 10, 2), (Card, 5, 0)])), 0);
    }

    #[test]
    fn refunds_are_the_persons_own_money() {
        assert_eq!(left(rows(&[(Card, 50, 0), (Bonus, 10, 0), (Refund, 50, 0)])), 10);
        assert_eq!(left(rows(&[(Card, 50, 0), (Bonus, 10, 0), (Void, 10, 0)])), 0);
        assert_eq!(left(rows(&[(Card, 50, 0), (Bonus, 10, 0), (Forfeit, 60, 0), (Topup, 5, 0)])), 0);
    }
}

//! Composition of a balance by source: bonus, codes and card payments. Bonus money belongs to the
//! service, is spent before the user's own money and is never paid out. Of the user's own money,
//! only card payments can be refunded to a card.
//!
//! All sources share one ledger account. The remainder of each source is computed from the ledger
//! rows, so that no second balance can disagree with the first (ADR 53).

use std::collections::HashMap;

use crate::ids::TransferId;
use crate::ledger::TransferKind;

/// One row that moved money in or out of the user's ledger account. Rows are given in order.
#[derive(Clone, Copy, Debug)]
pub struct AccountMovement {
    /// The row.
    pub id: TransferId,
    /// Its kind.
    pub kind: TransferKind,
    /// Minor units, positive.
    pub amount: i64,
    /// The hold it resolves.
    pub resolves: Option<TransferId>,
    /// `true` if the row credits the user's account.
    pub incoming: bool,
}

/// Spendable balance by source, in minor units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BalanceBySource {
    /// Bonus money of the service.
    pub bonus: i64,
    /// Money of top-up codes and of corrections by operators.
    pub code: i64,
    /// Money of card payments.
    pub card: i64,
}

impl BalanceBySource {
    fn withdraw(pots: [&mut i64; 3], amount: i64) -> [i64; 3] {
        let mut rest = amount;
        pots.map(|pot| {
            let part = rest.min(*pot).max(0);
            *pot -= part;
            rest -= part;
            part
        })
    }
}

/// Returns the bonus part of the spendable balance, in minor units.
#[must_use]
pub fn left(rows: impl IntoIterator<Item = AccountMovement>) -> i64 {
    by_source(rows).bonus
}

/// Computes the spendable balance by source. Tasks spend bonuses first, then codes, then card
/// money, so that as much as possible stays refundable. Refunds and disputes take card money first,
/// because they concern a card payment.
#[must_use]
pub fn by_source(rows: impl IntoIterator<Item = AccountMovement>) -> BalanceBySource {
    let mut now = BalanceBySource::default();
    // Parts that each open hold took from the sources, to return them when the hold is released.
    let mut taken: HashMap<TransferId, [i64; 3]> = HashMap::new();
    // Code money taken by disputes: a won dispute must not turn it into card money.
    let mut disputed_code = 0;
    for row in rows {
        let BalanceBySource { bonus, code, card } = &mut now;
        match row.kind {
            TransferKind::Bonus => *bonus += row.amount,
            TransferKind::Hold | TransferKind::Void => {
                let parts = BalanceBySource::withdraw([bonus, code, card], row.amount);
                if row.kind == TransferKind::Hold {
                    taken.insert(row.id, parts);
                }
            }
            TransferKind::Release => {
                let parts = row.resolves.and_then(|hold| taken.remove(&hold)).unwrap_or_default();
                (*bonus, *code, *card) = (*bonus + parts[0], *code + parts[1], *card + parts[2]);
            }
            // The hold has already taken the amount.
            TransferKind::Capture => {}
            TransferKind::Card => *card += row.amount,
            TransferKind::Reinstate => {
                let back = row.amount.min(disputed_code);
                disputed_code -= back;
                (*code, *card) = (*code + back, *card + row.amount - back);
            }
            _ if row.incoming => *code += row.amount,
            TransferKind::Dispute => {
                disputed_code += BalanceBySource::withdraw([card, code, bonus], row.amount)[1]
            }
            TransferKind::Refund => {
                BalanceBySource::withdraw([card, code, bonus], row.amount);
            }
            // These rows take the user's own money first and a bonus only when nothing else is
            // left.
            _ => {
                BalanceBySource::withdraw([code, card, bonus], row.amount);
            }
        }
    }
    now
}

#[cfg(test)]
mod tests {
    use super::{AccountMovement, BalanceBySource, TransferId, TransferKind, by_source, left};
    use TransferKind::{
        Bonus, Capture, Card, Debt, Dispute, Forfeit, Hold, Refund, Reinstate, Release, Topup, Void,
    };
    use uuid::Uuid;

    /// Returns rows numbered from 1. The third number is the row that a resolution resolves; 0 for
    /// none.
    fn rows(list: &[(TransferKind, i64, u128)]) -> Vec<AccountMovement> {
        let row = |(n, (kind, amount, resolves)): (usize, &(TransferKind, i64, u128))| AccountMovement {
            id: TransferId(Uuid::from_u128(n as u128 + 1)),
            kind: *kind,
            amount: *amount,
            resolves: (*resolves > 0).then(|| TransferId(Uuid::from_u128(*resolves))),
            incoming: matches!(kind, Topup | Card | Bonus | Reinstate),
        };
        list.iter().enumerate().map(row).collect()
    }

    // spec: 10.11.11
    #[test]
    fn bonus_money_is_spent_first() {
        assert_eq!(left(rows(&[(Topup, 50, 0), (Bonus, 10, 0)])), 10);
        assert_eq!(left(rows(&[(Topup, 50, 0), (Bonus, 10, 0), (Hold, 4, 0)])), 6);
        assert_eq!(left(rows(&[(Topup, 50, 0), (Bonus, 10, 0), (Hold, 30, 0), (Capture, 30, 3)])), 0);
    }

    #[test]
    fn releasing_a_hold_restores_its_bonus_money() {
        let held = [(Bonus, 10, 0), (Topup, 50, 0), (Hold, 30, 0), (Hold, 5, 0), (Release, 30, 3)];
        assert_eq!(left(rows(&held)), 10);
        assert_eq!(left(rows(&[(Bonus, 10, 0), (Hold, 10, 0), (Capture, 10, 2), (Card, 5, 0)])), 0);
    }

    #[test]
    fn refunds_do_not_use_bonus_money() {
        assert_eq!(left(rows(&[(Card, 50, 0), (Bonus, 10, 0), (Refund, 50, 0)])), 10);
        assert_eq!(left(rows(&[(Card, 50, 0), (Bonus, 10, 0), (Void, 10, 0)])), 0);
        assert_eq!(left(rows(&[(Card, 50, 0), (Bonus, 10, 0), (Forfeit, 60, 0), (Topup, 5, 0)])), 0);
    }

    // spec: 10.10.24
    #[test]
    fn winning_a_dispute_does_not_turn_code_money_into_card_money() {
        let spent = [(Card, 50, 0), (Hold, 50, 0), (Capture, 50, 2), (Topup, 50, 0)];
        let disputed = [&spent[..], &[(Dispute, 50, 0), (Reinstate, 50, 0)]].concat();
        assert_eq!(by_source(rows(&disputed)), BalanceBySource { bonus: 0, code: 50, card: 0 });
        let unspent = rows(&[(Card, 50, 0), (Dispute, 50, 0), (Reinstate, 50, 0)]);
        assert_eq!(by_source(unspent), BalanceBySource { bonus: 0, code: 0, card: 50 });
    }

    // spec: 10.10.24
    #[test]
    fn code_money_is_spent_before_card_money() {
        let all = |bonus, code, card| BalanceBySource { bonus, code, card };
        let paid = [(Card, 50, 0), (Topup, 20, 0), (Bonus, 10, 0), (Hold, 40, 0)];
        assert_eq!(by_source(rows(&paid)), all(0, 0, 40));
        assert_eq!(by_source(rows(&[&paid[..], &[(Release, 40, 4)]].concat())), all(10, 20, 50));
        assert_eq!(by_source(rows(&[&paid[..], &[(Capture, 40, 4), (Topup, 5, 0)]].concat())), all(0, 5, 40));
        assert_eq!(by_source(rows(&[(Topup, 50, 0), (Card, 50, 0), (Refund, 30, 0)])), all(0, 50, 20));
        let disputed = [(Topup, 50, 0), (Card, 30, 0), (Dispute, 30, 0)];
        assert_eq!(by_source(rows(&disputed)), all(0, 50, 0));
        assert_eq!(by_source(rows(&[&disputed[..], &[(Reinstate, 30, 0)]].concat())), all(0, 50, 30));
        assert_eq!(by_source(rows(&[(Topup, 10, 0), (Card, 30, 0), (Debt, 15, 0)])), all(0, 0, 25));
    }
}

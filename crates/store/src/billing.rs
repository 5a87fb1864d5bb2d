//! Balances and payments that prevent switching billing off, and the waiver of task prices.

use domain::clock::Instant;
use domain::money::Money;
use domain::pricing::Discounts;

use crate::task::discount_lines;
use crate::{Error, Tx, exec, one, scalar};

/// Money and open claims of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outstanding {
    /// Number of users with a balance, and the sum of their balances.
    pub balances: (i64, Money),
    /// Number of users with holds for tasks, and the sum of the holds.
    pub holds: (i64, Money),
    /// Number of users with a debt from a disputed payment, and the sum of the debts.
    pub debts: (i64, Money),
    /// Number of card payments that may still be paid.
    pub payments: i64,
    /// Number of pending refunds to cards.
    pub refunds: i64,
    /// Number of codes that may still be redeemed.
    pub codes: i64,
}

impl Outstanding {
    /// Returns one line of text for each nonzero item. An empty list means that billing may be
    /// switched off.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let money =
            |(users, sum): (i64, Money), what: &str| (users > 0).then(|| format!("{what}: {sum} ({users})"));
        let count = |number: i64, what: &str| (number > 0).then(|| format!("{what}: {number}"));
        [
            money(self.balances, "balances of users"),
            money(self.holds, "held for tasks"),
            money(self.debts, "debts"),
            count(self.payments, "open card payments"),
            count(self.refunds, "pending refunds"),
            count(self.codes, "unused top-up codes"),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// Reads the outstanding money and claims.
///
/// # Errors
/// Returns a database error.
pub async fn outstanding(tx: &mut Tx, now: Instant) -> Result<Outstanding, Error> {
    let (people, available, holders, held) = one!(
        tx,
        (i64, i64, i64, i64),
        "SELECT COUNT(CASE WHEN posted > held THEN 1 END), CAST(COALESCE(SUM(posted - held), 0) AS BIGINT),
           COUNT(CASE WHEN held > 0 THEN 1 END), CAST(COALESCE(SUM(held), 0) AS BIGINT)
         FROM ledger_account WHERE kind = 'user'"
    )?
    .unwrap_or_default();
    let (debtors, owed) = one!(
        tx,
        (i64, i64),
        "SELECT COUNT(*), CAST(COALESCE(SUM(-posted), 0) AS BIGINT) FROM ledger_account WHERE kind = 'debt' AND posted <> 0"
    )?
    .unwrap_or_default();
    Ok(Outstanding {
        balances: (people, Money::cad(available)),
        holds: (holders, Money::cad(held)),
        debts: (debtors, Money::cad(owed)),
        payments: scalar!(tx, i64, "SELECT COUNT(*) FROM card_payment WHERE state = 'open'")?,
        refunds: scalar!(tx, i64, "SELECT COUNT(*) FROM card_refund WHERE state = 'pending'")?,
        codes: scalar!(
            tx,
            i64,
            "SELECT COUNT(*) FROM topup_code WHERE redeemed_at IS NULL AND revoked_at IS NULL AND expires_at > $1",
            now
        )?,
    })
}

/// Sets the price of every submitted task that may still run to zero. Such a task is never charged,
/// even if billing is switched on again. Returns the number of tasks that had a price.
///
/// # Errors
/// Returns a database error.
pub async fn waive(tx: &mut Tx, now: Instant) -> Result<u64, Error> {
    exec!(
        tx,
        "UPDATE task SET unit_price = 0, unit_discount = 0, discount_lines = $2, total_price = COALESCE(captured_amount, 0),
           captured_at = COALESCE(captured_at, $1), captured_amount = COALESCE(captured_amount, 0), hold_id = NULL
         WHERE unit_price > 0 AND status IN ('submitted', 'active', 'processing', 'stopped', 'error')",
        now,
        discount_lines(&Discounts::NONE)
    )
}

//! What keeps billing from being switched off, and what ends with it.

use domain::clock::Instant;
use domain::money::Money;
use domain::pricing::Discounts;

use crate::task::discount_lines;
use crate::{Error, Tx, exec, one, scalar};

/// Money and promises of money that a server has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outstanding {
    /// People who have a balance, and all of it.
    pub balances: (i64, Money),
    /// People of whose balance something is held for a task, and all of that.
    pub holds: (i64, Money),
    /// People who owe something since a disputed payment, and all of it.
    pub debts: (i64, Money),
    /// Card payments that may still be paid.
    pub payments: i64,
    /// Refunds to cards that are under way.
    pub refunds: i64,
    /// Codes that may still be redeemed.
    pub codes: i64,
}

impl Outstanding {
    /// What there is, one line each; none where billing may be switched off.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let money = |(people, sum): (i64, Money), what: &str| {
            (people > 0).then(|| format!("{what}: {sum} ({people})"))
        };
        let count = |number: i64, what: &str| (number > 0).then(|| format!("{what}: {number}"));
        [
            money(self.balances, "people's balances"),
            money(self.holds, "held for tasks"),
            money(self.debts, "debts"),
            count(self.payments, "open card payments"),
            count(self.refunds, "refunds under way"),
            count(self.codes, "codes that nobody redeemed"),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// Reads what there is.
///
/// # Errors
/// When the database fails.
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

/// Makes every task that was submitted and may still run cost nothing more: it is never charged, even when billing is switched on again.
/// Returns how many did cost something.
///
/// # Errors
/// When the database fails.
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

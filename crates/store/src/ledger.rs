//! Double-entry ledger: prepaid balances, holds, and their captures and releases.

use domain::clock::Instant;
use domain::ids::{TransferId, UserId};
use domain::ledger::{AccountKind, TransferKind};
use domain::money::{Currency, Money};
use uuid::Uuid;

use crate::{Error, Random, Tx, all, one, scalar};

mod book;
mod check;
mod credit_debit;
mod movement;

pub use check::{Difference, check, freeze, frozen, thaw};
pub use credit_debit::{
    DebitError, Disputed, balance_by_source, balance_by_source_without_holds, bonus_left, credit, debit,
    debt, dispute, lock, lock_all, refundable, reinstate,
};
pub use movement::{Filter, Movement, TaskLabel, kinds, movement, movements};

use book::{NewTransfer, ensure, refuse_when_frozen, write};

/// Kind and id of the row that a transfer is for, e.g. `("task", id)`.
pub type Source = (&'static str, Uuid);

/// Source kind of a task's hold.
pub const SOURCE_TASK: &str = "task";

/// Balance of a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Balance {
    /// Amount that can be spent: posted minus held.
    pub available: Money,
    /// Amount held for tasks.
    pub held: Money,
}

impl Balance {
    /// Returns the sum of both.
    #[must_use]
    pub const fn total(&self) -> Money {
        Money { minor: self.available.minor + self.held.minor, ..self.available }
    }
}

/// Errors of [`hold`]. The transaction is still usable after all but [`HoldError::Store`].
#[derive(Debug, thiserror::Error)]
pub enum HoldError {
    /// The user has less than the required amount.
    #[error("insufficient balance: {required} needed, {available} available")]
    Insufficient {
        /// Required amount.
        required: Money,
        /// Available amount.
        available: Money,
    },
    /// The same source already has an open hold.
    #[error("an open hold already exists for this source")]
    AlreadyHeld(TransferId),
    /// The user owes this amount since a disputed payment.
    #[error("the user owes {0} from a disputed payment")]
    InDebt(Money),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] Error),
}

/// Result of an attempt to resolve a hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// This call resolved the hold.
    Now,
    /// The hold was captured before.
    AlreadyCaptured,
    /// The hold was released before.
    AlreadyReleased,
}

/// Credits the `amount` of a top-up code to a user, once per `source`. Returns the id of the
/// transfer. See [`credit`].
///
/// # Errors
/// Returns [`Error::Conflict`] for a second call with the same source.
pub async fn topup(
    tx: &mut Tx,
    random: &Random,
    user: UserId,
    amount: Money,
    source: Source,
    now: Instant,
) -> Result<TransferId, Error> {
    credit(tx, random, user, (TransferKind::Topup, amount), source, now).await
}

/// Holds `amount` for `source`. A source has at most one open hold, and a user in debt gets none.
pub async fn hold(
    tx: &mut Tx,
    random: &Random,
    user: UserId,
    amount: Money,
    source: Source,
    now: Instant,
) -> Result<TransferId, HoldError> {
    refuse_when_frozen(tx).await?;
    crate::restore::refuse_until_read(tx).await?;
    let revenue = ensure(tx, random, (AccountKind::Revenue, Uuid::nil()), now).await?;
    // From here on no other transaction changes this user's balance.
    let account = lock(tx, random, user, now).await?;
    if let Some(open) = open_hold(tx, source).await? {
        return Err(HoldError::AlreadyHeld(open));
    }
    let owed = debt(tx, user).await?;
    if owed.minor > 0 {
        return Err(HoldError::InDebt(owed));
    }
    let seq = scalar!(
        tx,
        i64,
        "SELECT COUNT(*) + 1 FROM ledger_transfer WHERE source_kind = $1 AND source_id = $2",
        source.0,
        source.1
    )?;
    let row = NewTransfer {
        kind: TransferKind::Hold,
        debit: account,
        credit: revenue,
        person: Some(account),
        amount,
        resolves: None,
        source,
        seq,
    };
    match write(tx, random, row, now).await? {
        Some(id) => Ok(id),
        None => {
            let available = balance(tx, user).await?.available;
            Err(HoldError::Insufficient { required: amount, available })
        }
    }
}

/// Captures a hold as revenue, because the task succeeded. A hold is resolved only once.
pub async fn capture(
    tx: &mut Tx,
    random: &Random,
    hold: TransferId,
    now: Instant,
) -> Result<Resolution, Error> {
    resolve(tx, random, (hold, TransferKind::Capture), now).await
}

/// Releases a hold without a charge. A hold is resolved only once.
pub async fn release(
    tx: &mut Tx,
    random: &Random,
    hold: TransferId,
    now: Instant,
) -> Result<Resolution, Error> {
    resolve(tx, random, (hold, TransferKind::Release), now).await
}

/// Returns the unresolved hold of `source`.
pub async fn open_hold(tx: &mut Tx, source: Source) -> Result<Option<TransferId>, Error> {
    let found = one!(
        tx,
        (Uuid,),
        "SELECT h.id FROM ledger_transfer h WHERE h.source_kind = $1 AND h.source_id = $2 AND h.kind = 'hold'
           AND NOT EXISTS (SELECT 1 FROM ledger_transfer r WHERE r.resolves_id = h.id)",
        source.0,
        source.1
    )?;
    Ok(found.map(|(id,)| TransferId(id)))
}

/// Returns the user's holds that are neither captured nor released.
pub async fn open_holds(tx: &mut Tx, user: UserId) -> Result<Vec<TransferId>, Error> {
    let rows = all!(
        tx,
        (Uuid,),
        "SELECT h.id FROM ledger_transfer h JOIN ledger_account a ON a.id = h.debit_account
         WHERE a.kind = 'user' AND a.owner = $1 AND h.kind = 'hold'
           AND NOT EXISTS (SELECT 1 FROM ledger_transfer r WHERE r.resolves_id = h.id)
         ORDER BY h.id",
        user.0
    )?;
    Ok(rows.into_iter().map(|(id,)| TransferId(id)).collect())
}

/// Returns the amount of a hold, and its resolution if it has one.
pub async fn hold_state(tx: &mut Tx, hold: TransferId) -> Result<Option<(Money, Option<Resolution>)>, Error> {
    let found = one!(
        tx,
        (i64, Option<String>),
        "SELECT h.amount, r.kind FROM ledger_transfer h LEFT JOIN ledger_transfer r ON r.resolves_id = h.id
         WHERE h.id = $1 AND h.kind = 'hold'",
        hold.0
    )?;
    Ok(found.map(|(amount, kind)| {
        let resolution = kind.map(|kind| {
            if kind == "capture" { Resolution::AlreadyCaptured } else { Resolution::AlreadyReleased }
        });
        (Money::cad(amount), resolution)
    }))
}

/// Returns a user's balance: zero if no money was ever paid in.
pub async fn balance(tx: &mut Tx, user: UserId) -> Result<Balance, Error> {
    let row = one!(
        tx,
        (i64, i64),
        "SELECT posted, held FROM ledger_account WHERE kind = 'user' AND owner = $1 AND currency = $2",
        user.0,
        Currency::CAD.code()
    )?;
    let (posted, held) = row.unwrap_or_default();
    Ok(Balance { available: Money::cad(posted - held), held: Money::cad(held) })
}

async fn resolve(
    tx: &mut Tx,
    random: &Random,
    (hold, kind): (TransferId, TransferKind),
    now: Instant,
) -> Result<Resolution, Error> {
    refuse_when_frozen(tx).await?;
    let (account, revenue, amount) = one!(
        tx,
        (Uuid, Uuid, i64),
        "SELECT debit_account, credit_account, amount FROM ledger_transfer WHERE id = $1 AND kind = 'hold'",
        hold.0
    )?
    .ok_or(Error::Corrupt("hold"))?;
    book::lock_account(tx, account).await?;
    let (_, resolved) = hold_state(tx, hold).await?.ok_or(Error::Corrupt("hold"))?;
    if let Some(resolved) = resolved {
        return Ok(resolved);
    }
    let row = NewTransfer {
        kind,
        debit: account,
        credit: revenue,
        person: Some(account),
        amount: Money::cad(amount),
        resolves: Some(hold),
        source: ("hold", hold.0),
        seq: 1,
    };
    let id = write(tx, random, row, now).await?;
    let id = id.ok_or_else(|| Error::Refused("a hold is not in its account's held sum".to_owned()))?;
    if kind == TransferKind::Release {
        credit_debit::pay_debt(tx, random, account, id, now).await?;
    }
    Ok(Resolution::Now)
}

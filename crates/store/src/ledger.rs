//! The two-legged ledger: prepaid balances, holds, and what resolves them.

use domain::clock::Instant;
use domain::ids::{TransferId, UserId, uuid_v7};
use domain::ledger::{AccountKind, TransferKind};
use domain::money::{Currency, Money};
use uuid::Uuid;

use crate::{Error, Random, Tx, exec, one, scalar};

mod check;
mod movement;

pub use check::{Difference, check, freeze, frozen, thaw};
pub use movement::{Movement, MovementKind, movements};

/// What a movement of money is for, e.g. `("task", id)`.
pub type Source = (&'static str, Uuid);

/// The source kind of a task's hold.
pub const SOURCE_TASK: &str = "task";

/// A user's money.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Balance {
    /// What can be spent: posted minus held.
    pub available: Money,
    /// What is set aside for tasks.
    pub held: Money,
}

/// Why a hold was not made. The transaction is still usable after all but [`HoldError::Store`].
#[derive(Debug, thiserror::Error)]
pub enum HoldError {
    /// The user has less than that.
    #[error("{required} needed, {available} available")]
    Insufficient {
        /// What was asked for.
        required: Money,
        /// What there is.
        available: Money,
    },
    /// The same source already has an open hold.
    #[error("already held")]
    AlreadyHeld(TransferId),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] Error),
}

/// What became of an attempt to resolve a hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// This call resolved it.
    Now,
    /// It was captured before.
    AlreadyCaptured,
    /// It was released before.
    AlreadyReleased,
}

/// The id of the user's account, made with nothing in it when missing.
pub async fn ensure_user_account(
    tx: &mut Tx,
    random: &Random,
    user: UserId,
    now: Instant,
) -> Result<Uuid, Error> {
    ensure(tx, random, (AccountKind::User, user.0), now).await
}

/// Credits `amount` to a user once per `source`; answers the movement's id.
///
/// # Errors
/// A second call for the same source is a [`Error::Conflict`].
pub async fn topup(
    tx: &mut Tx,
    random: &Random,
    user: UserId,
    amount: Money,
    source: Source,
    now: Instant,
) -> Result<TransferId, Error> {
    refuse_when_frozen(tx).await?;
    let from = ensure(tx, random, (AccountKind::Topup, Uuid::nil()), now).await?;
    let to = ensure_user_account(tx, random, user, now).await?;
    let row = NewTransfer {
        kind: TransferKind::Topup,
        debit: from,
        credit: to,
        amount,
        resolves: None,
        source,
        seq: 1,
    };
    let id = TransferId::new(now, random.bytes());
    if !insert(tx, now, id, row).await? {
        return Err(Error::Conflict("ledger_transfer_source_kind_source_id_source_seq".to_owned()));
    }
    post(tx, from, to, amount.minor).await?;
    Ok(id)
}

/// Sets `amount` aside for `source`. At most one open hold exists per source.
pub async fn hold(
    tx: &mut Tx,
    random: &Random,
    user: UserId,
    amount: Money,
    source: Source,
    now: Instant,
) -> Result<TransferId, HoldError> {
    refuse_when_frozen(tx).await?;
    let account = ensure_user_account(tx, random, user, now).await?;
    let revenue = ensure(tx, random, (AccountKind::Revenue, Uuid::nil()), now).await?;
    // Takes the row's lock, so that everything below is alone for this user.
    exec!(tx, "UPDATE ledger_account SET held = held WHERE id = $1", account)?;
    if let Some(open) = open_hold(tx, source).await? {
        return Err(HoldError::AlreadyHeld(open));
    }
    let changed = exec!(
        tx,
        "UPDATE ledger_account SET held = held + $2 WHERE id = $1 AND posted - held >= $2",
        account,
        amount.minor
    )?;
    if changed == 0 {
        let available = balance(tx, user).await?.available;
        return Err(HoldError::Insufficient { required: amount, available });
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
        amount,
        resolves: None,
        source,
        seq,
    };
    let id = TransferId::new(now, random.bytes());
    if !insert(tx, now, id, row).await? {
        return Err(HoldError::Store(Error::Refused("two holds with one number".to_owned())));
    }
    Ok(id)
}

/// Turns a hold into revenue: the task succeeded. A hold resolves once, ever.
pub async fn capture(
    tx: &mut Tx,
    random: &Random,
    hold: TransferId,
    now: Instant,
) -> Result<Resolution, Error> {
    resolve(tx, random, (hold, TransferKind::Capture), now).await
}

/// Gives a hold back: nothing was charged. A hold resolves once, ever.
pub async fn release(
    tx: &mut Tx,
    random: &Random,
    hold: TransferId,
    now: Instant,
) -> Result<Resolution, Error> {
    resolve(tx, random, (hold, TransferKind::Release), now).await
}

/// The hold of `source` that nothing has resolved yet.
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

/// The amount of a hold, and how it was resolved if it was.
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

/// A user's balance; zero when nothing was ever paid in.
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

struct NewTransfer {
    kind: TransferKind,
    debit: Uuid,
    credit: Uuid,
    amount: Money,
    resolves: Option<TransferId>,
    source: Source,
    seq: i64,
}

/// False when a row with the same source or resolution exists.
async fn insert(tx: &mut Tx, now: Instant, id: TransferId, row: NewTransfer) -> Result<bool, Error> {
    let inserted = exec!(
        tx,
        "INSERT INTO ledger_transfer (id, kind, debit_account, credit_account, amount, currency, resolves_id,
           source_kind, source_id, source_seq, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING",
        id.0,
        row.kind.as_str(),
        row.debit,
        row.credit,
        row.amount.minor,
        row.amount.currency.code(),
        row.resolves.map(|id| id.0),
        row.source.0,
        row.source.1,
        row.seq,
        now
    )?;
    Ok(inserted == 1)
}

async fn resolve(
    tx: &mut Tx,
    random: &Random,
    (hold, kind): (TransferId, TransferKind),
    now: Instant,
) -> Result<Resolution, Error> {
    refuse_when_frozen(tx).await?;
    let (user, revenue, amount) = one!(
        tx,
        (Uuid, Uuid, i64),
        "SELECT debit_account, credit_account, amount FROM ledger_transfer WHERE id = $1 AND kind = 'hold'",
        hold.0
    )?
    .ok_or(Error::Corrupt("hold"))?;
    let row = NewTransfer {
        kind,
        debit: user,
        credit: revenue,
        amount: Money::cad(amount),
        resolves: Some(hold),
        source: ("hold", hold.0),
        seq: 1,
    };
    if !insert(tx, now, TransferId::new(now, random.bytes()), row).await? {
        let (_, resolution) = hold_state(tx, hold).await?.ok_or(Error::Corrupt("hold"))?;
        return resolution.ok_or(Error::Corrupt("resolution"));
    }
    let changed =
        exec!(tx, "UPDATE ledger_account SET held = held - $2 WHERE id = $1 AND held >= $2", user, amount)?;
    if changed == 0 {
        return Err(Error::Refused("a hold is not in its account's held sum".to_owned()));
    }
    if kind == TransferKind::Capture {
        post(tx, user, revenue, amount).await?;
    }
    Ok(Resolution::Now)
}

/// Moves posted money, accounts in id order so that no two movements wait for each other.
async fn post(tx: &mut Tx, debit: Uuid, credit: Uuid, amount: i64) -> Result<(), Error> {
    let mut legs = [(debit, -amount), (credit, amount)];
    legs.sort_unstable();
    for (account, change) in legs {
        let changed =
            exec!(tx, "UPDATE ledger_account SET posted = posted + $2 WHERE id = $1", account, change)?;
        if changed != 1 {
            return Err(Error::Corrupt("ledger_account"));
        }
    }
    Ok(())
}

async fn ensure(
    tx: &mut Tx,
    random: &Random,
    (kind, owner): (AccountKind, Uuid),
    now: Instant,
) -> Result<Uuid, Error> {
    // Two rounds at most: the second reads what another transaction inserted first.
    for _ in 0..2 {
        let found = one!(
            tx,
            (Uuid,),
            "SELECT id FROM ledger_account WHERE kind = $1 AND owner = $2 AND currency = $3",
            kind.as_str(),
            owner,
            Currency::CAD.code()
        )?;
        if let Some((id,)) = found {
            return Ok(id);
        }
        exec!(
            tx,
            "INSERT INTO ledger_account (id, kind, owner, currency, posted, held) VALUES ($1, $2, $3, $4, 0, 0)
             ON CONFLICT DO NOTHING",
            uuid_v7(now, random.bytes()),
            kind.as_str(),
            owner,
            Currency::CAD.code()
        )?;
    }
    scalar!(
        tx,
        Uuid,
        "SELECT id FROM ledger_account WHERE kind = $1 AND owner = $2 AND currency = $3",
        kind.as_str(),
        owner,
        Currency::CAD.code()
    )
}

async fn refuse_when_frozen(tx: &mut Tx) -> Result<(), Error> {
    match frozen(tx).await? {
        Some(why) => Err(Error::Frozen(why)),
        None => Ok(()),
    }
}

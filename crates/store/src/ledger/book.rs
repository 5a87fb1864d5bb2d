//! Ledger rows and the balances that they change. No other code writes either.

use domain::clock::Instant;
use domain::ids::{TransferId, UserId, uuid_v7};
use domain::ledger::{AccountKind, Effect, TransferKind};
use domain::money::{Currency, Money};
use uuid::Uuid;

use super::{Source, frozen};
use crate::{Error, Random, Tx, exec, one, scalar};

/// Ledger row to be written.
pub(super) struct NewTransfer {
    pub kind: TransferKind,
    pub debit: Uuid,
    pub credit: Uuid,
    /// Account of the user whose transfer this is: the debit or the credit account.
    pub person: Option<Uuid>,
    pub amount: Money,
    pub resolves: Option<TransferId>,
    pub source: Source,
    pub seq: i64,
}

/// Changes the balances and writes the row. Returns `None`, and changes nothing, if the user's
/// balance is too low.
///
/// Every transaction changes the user's account first and the internal account last, so that no two
/// transactions deadlock.
///
/// # Errors
/// Returns [`Error::Conflict`] if the source or the hold has such a row already. The transaction is
/// unusable then.
pub(super) async fn write(
    tx: &mut Tx,
    random: &Random,
    row: NewTransfer,
    now: Instant,
) -> Result<Option<TransferId>, Error> {
    let mut after = None;
    if let Some(person) = row.person {
        let effect = row.kind.effect(row.amount.minor, person == row.credit);
        after = guarded(tx, person, effect).await?;
        if after.is_none() {
            return Ok(None);
        }
    }
    if !matches!(row.kind, TransferKind::Hold | TransferKind::Release) {
        for (account, change) in [(row.debit, -row.amount.minor), (row.credit, row.amount.minor)] {
            if row.person == Some(account) {
                continue;
            }
            let changed =
                exec!(tx, "UPDATE ledger_account SET posted = posted + $2 WHERE id = $1", account, change)?;
            if changed != 1 {
                return Err(Error::Corrupt("ledger_account"));
            }
        }
    }
    let id = TransferId::new(now, random.bytes());
    insert(tx, now, id, &row, after).await?;
    Ok(Some(id))
}

/// Changes a user's account if its balances stay at or above zero. Returns its number of transfers,
/// posted and held afterwards.
async fn guarded(tx: &mut Tx, person: Uuid, effect: Effect) -> Result<Option<(i64, i64, i64)>, Error> {
    one!(
        tx,
        (i64, i64, i64),
        "UPDATE ledger_account SET posted = posted + $2, held = held + $3, moves = moves + 1
         WHERE id = $1 AND posted + $2 - held - $3 >= 0 AND held + $3 >= 0
         RETURNING moves, posted, held",
        person,
        effect.posted,
        effect.held
    )
}

async fn insert(
    tx: &mut Tx,
    now: Instant,
    id: TransferId,
    row: &NewTransfer,
    after: Option<(i64, i64, i64)>,
) -> Result<(), Error> {
    exec!(
        tx,
        "INSERT INTO ledger_transfer (id, kind, debit_account, credit_account, amount, currency, resolves_id,
           source_kind, source_id, source_seq, created_at, user_account, position, posted_after, held_after)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
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
        now,
        row.person,
        after.map(|(position, _, _)| position),
        after.map(|(_, posted, _)| posted),
        after.map(|(_, _, held)| held)
    )?;
    Ok(())
}

/// Returns the user's account. Inserts it if it is missing.
pub(super) async fn open_account(
    tx: &mut Tx,
    random: &Random,
    user: UserId,
    now: Instant,
) -> Result<Uuid, Error> {
    ensure(tx, random, (AccountKind::User, user.0), now).await
}

/// Locks an account until this transaction ends.
pub(super) async fn lock_account(tx: &mut Tx, account: Uuid) -> Result<(), Error> {
    exec!(tx, "UPDATE ledger_account SET held = held WHERE id = $1", account)?;
    Ok(())
}

/// Returns `true` if a row with this source and number exists.
pub(super) async fn written(tx: &mut Tx, source: Source, seq: i64) -> Result<bool, Error> {
    let count = scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM ledger_transfer WHERE source_kind = $1 AND source_id = $2 AND source_seq = $3",
        source.0,
        source.1,
        seq
    )?;
    Ok(count > 0)
}

/// Returns the account of this kind and owner. Inserts it if it is missing.
pub(super) async fn ensure(
    tx: &mut Tx,
    random: &Random,
    (kind, owner): (AccountKind, Uuid),
    now: Instant,
) -> Result<Uuid, Error> {
    // At most two tries: the second reads an account that another transaction inserted first.
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

pub(super) async fn refuse_when_frozen(tx: &mut Tx) -> Result<(), Error> {
    match frozen(tx).await? {
        Some(why) => Err(Error::Frozen(why)),
        None => Ok(()),
    }
}

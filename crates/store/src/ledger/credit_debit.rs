//! Credits to users and debits from them, debts, and the share of bonus in a balance.

use domain::bonus::{AccountMovement, BalanceBySource, by_source as sort};
use domain::clock::Instant;
use domain::ids::{TransferId, UserId};
use domain::ledger::{AccountKind, TransferKind};
use domain::money::{Currency, Money};
use uuid::Uuid;

use super::book::{NewTransfer, ensure, lock_account, open_account, refuse_when_frozen, write, written};
use super::{Source, balance};
use crate::{Error, Random, Tx, all, one};

/// Errors of [`debit`]. The transaction is still usable after [`DebitError::Insufficient`].
#[derive(Debug, thiserror::Error)]
pub enum DebitError {
    /// The user has less than the required amount.
    #[error("{required} needed, {available} available")]
    Insufficient {
        /// Required amount.
        required: Money,
        /// Available amount.
        available: Money,
    },
    /// The database failed.
    #[error(transparent)]
    Store(#[from] Error),
}

/// Amounts taken by a dispute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disputed {
    /// Amount taken from the balance.
    pub taken: Money,
    /// Amount that the balance did not cover, owed now.
    pub owed: Money,
}

/// Locks a user's account until this transaction ends. Returns the account, inserted if it was
/// missing.
pub async fn lock(tx: &mut Tx, random: &Random, user: UserId, now: Instant) -> Result<Uuid, Error> {
    let account = open_account(tx, random, user, now).await?;
    lock_account(tx, account).await?;
    Ok(account)
}

/// Runs [`lock`] for several users, always in one order, so that two such transactions never
/// deadlock.
pub async fn lock_all(tx: &mut Tx, random: &Random, users: &[UserId], now: Instant) -> Result<(), Error> {
    let mut users = users.to_vec();
    users.sort_unstable();
    users.dedup();
    for user in users {
        lock(tx, random, user, now).await?;
    }
    Ok(())
}

/// Credits a user once per `source`: kind `Topup`, `Card`, `Bonus` or `Adjust`, from the internal
/// account of that kind. Pays the user's debt from it at once, except from a bonus.
///
/// # Errors
/// Returns [`Error::Conflict`] for a second call with the same source. The transaction is still
/// usable then.
pub async fn credit(
    tx: &mut Tx,
    random: &Random,
    user: UserId,
    (kind, amount): (TransferKind, Money),
    source: Source,
    now: Instant,
) -> Result<TransferId, Error> {
    refuse_when_frozen(tx).await?;
    let house = house_of(tx, random, kind, now).await?;
    let account = lock(tx, random, user, now).await?;
    if written(tx, source, 1).await? {
        return Err(Error::Conflict("ledger_transfer_source_kind_source_id_source_seq".to_owned()));
    }
    let row = row((kind, amount), (house, account), Some(account), (source, 1));
    let id = write(tx, random, row, now).await?.ok_or(Error::Corrupt("credit"))?;
    if kind != TransferKind::Bonus {
        pay_debt(tx, random, account, id, now).await?;
    }
    Ok(id)
}

/// Debits the available balance once per `source`. Kinds `Refund` and `Dispute` go to the card
/// account, `Void` to the bonus account, `Forfeit` and `Adjust` to their own accounts.
///
/// # Errors
/// Returns [`DebitError::Insufficient`] if the available balance is lower. Returns
/// [`Error::Conflict`] for a second call with the same source; the transaction is still usable
/// then.
pub async fn debit(
    tx: &mut Tx,
    random: &Random,
    user: UserId,
    (kind, amount): (TransferKind, Money),
    source: Source,
    now: Instant,
) -> Result<TransferId, DebitError> {
    refuse_when_frozen(tx).await?;
    let house = house_of(tx, random, kind, now).await?;
    let account = lock(tx, random, user, now).await?;
    if written(tx, source, 1).await? {
        return Err(Error::Conflict("ledger_transfer_source_kind_source_id_source_seq".to_owned()).into());
    }
    let row = row((kind, amount), (account, house), Some(account), (source, 1));
    match write(tx, random, row, now).await? {
        Some(id) => Ok(id),
        None => {
            let available = balance(tx, user).await?.available;
            Err(DebitError::Insufficient { required: amount, available })
        }
    }
}

/// Reverses a disputed payment once per `source`: debits the available balance and records the rest
/// as debt. The caller voids the bonuses of this user first: see [`crate::referral::void_all`].
///
/// # Errors
/// Returns [`Error::Conflict`] for a second call with the same source. The transaction is still
/// usable then.
pub async fn dispute(
    tx: &mut Tx,
    random: &Random,
    user: UserId,
    amount: Money,
    source: Source,
    now: Instant,
) -> Result<Disputed, Error> {
    refuse_when_frozen(tx).await?;
    let card = ensure(tx, random, (AccountKind::Card, Uuid::nil()), now).await?;
    let debt = ensure(tx, random, (AccountKind::Debt, user.0), now).await?;
    let account = lock(tx, random, user, now).await?;
    if written(tx, source, 1).await? || written(tx, source, 2).await? {
        return Err(Error::Conflict("ledger_transfer_source_kind_source_id_source_seq".to_owned()));
    }
    let available = balance(tx, user).await?.available.minor;
    let taken = Money { minor: amount.minor.min(available), ..amount };
    let owed = Money { minor: amount.minor - taken.minor, ..amount };
    for (part, from, person, seq) in [(taken, account, Some(account), 1), (owed, debt, None, 2)] {
        if part.minor > 0 {
            let row = row((TransferKind::Dispute, part), (from, card), person, (source, seq));
            write(tx, random, row, now).await?.ok_or(Error::Corrupt("dispute"))?;
        }
    }
    Ok(Disputed { taken, owed })
}

/// Credits the amount that a dispute took, once per `source`. It first reduces the debt, and the
/// rest goes to the balance.
///
/// # Errors
/// Returns [`Error::Conflict`] for a second call with the same source. The transaction is still
/// usable then.
pub async fn reinstate(
    tx: &mut Tx,
    random: &Random,
    user: UserId,
    amount: Money,
    source: Source,
    now: Instant,
) -> Result<(), Error> {
    refuse_when_frozen(tx).await?;
    let card = ensure(tx, random, (AccountKind::Card, Uuid::nil()), now).await?;
    let debts = ensure(tx, random, (AccountKind::Debt, user.0), now).await?;
    let account = lock(tx, random, user, now).await?;
    if written(tx, source, 1).await? || written(tx, source, 2).await? {
        return Err(Error::Conflict("ledger_transfer_source_kind_source_id_source_seq".to_owned()));
    }
    let off = Money { minor: amount.minor.min(debt(tx, user).await?.minor), ..amount };
    let rest = Money { minor: amount.minor - off.minor, ..amount };
    for (part, to, person, seq) in [(rest, account, Some(account), 1), (off, debts, None, 2)] {
        if part.minor > 0 {
            let row = row((TransferKind::Reinstate, part), (card, to), person, (source, seq));
            write(tx, random, row, now).await?.ok_or(Error::Corrupt("reinstate"))?;
        }
    }
    Ok(())
}

/// Returns a user's debt as a positive amount.
pub async fn debt(tx: &mut Tx, user: UserId) -> Result<Money, Error> {
    let found = one!(
        tx,
        (i64,),
        "SELECT posted FROM ledger_account WHERE kind = 'debt' AND owner = $1 AND currency = $2",
        user.0,
        Currency::CAD.code()
    )?;
    Ok(Money::cad(-found.map_or(0, |(posted,)| posted)))
}

/// Returns the bonus part of a user's available balance.
pub async fn bonus_left(tx: &mut Tx, user: UserId) -> Result<Money, Error> {
    Ok(Money::cad(balance_by_source(tx, user).await?.bonus))
}

/// Returns a user's available balance by source.
pub async fn balance_by_source(tx: &mut Tx, user: UserId) -> Result<BalanceBySource, Error> {
    match account_of(tx, user).await? {
        Some(account) => balance_by_source_of(tx, account).await,
        None => Ok(BalanceBySource::default()),
    }
}

async fn account_of(tx: &mut Tx, user: UserId) -> Result<Option<Uuid>, Error> {
    let account = one!(
        tx,
        (Uuid,),
        "SELECT id FROM ledger_account WHERE kind = 'user' AND owner = $1 AND currency = $2",
        user.0,
        Currency::CAD.code()
    )?;
    Ok(account.map(|(account,)| account))
}

/// Returns the balance that a user could spend if none of it were held, by source.
pub async fn balance_by_source_without_holds(tx: &mut Tx, user: UserId) -> Result<BalanceBySource, Error> {
    let held = super::open_holds(tx, user).await?;
    let Some(account) = account_of(tx, user).await? else { return Ok(BalanceBySource::default()) };
    let rows = movements_of(tx, account).await?;
    Ok(sort(rows.into_iter().filter(|row| !held.contains(&row.id))))
}

/// Returns the amount that can be refunded to a user's cards: the available part that was paid by
/// card. Neither bonuses nor codes become card money.
pub async fn refundable(tx: &mut Tx, user: UserId) -> Result<Money, Error> {
    Ok(Money::cad(balance_by_source(tx, user).await?.card))
}

/// Pays the debt from the available balance without bonus. The caller has locked the account.
pub(super) async fn pay_debt(
    tx: &mut Tx,
    random: &Random,
    account: Uuid,
    because_of: TransferId,
    now: Instant,
) -> Result<(), Error> {
    let found = one!(
        tx,
        (Uuid, i64, i64),
        "SELECT d.id, -d.posted, u.posted - u.held FROM ledger_account u
         JOIN ledger_account d ON d.owner = u.owner AND d.currency = u.currency AND d.kind = 'debt'
         WHERE u.id = $1 AND d.posted < 0",
        account
    )?;
    let Some((debts, owed, available)) = found else { return Ok(()) };
    let paid = owed.min(available - balance_by_source_of(tx, account).await?.bonus);
    if paid > 0 {
        let source = (("debt", because_of.0), 1);
        let row = row((TransferKind::Debt, Money::cad(paid)), (account, debts), Some(account), source);
        write(tx, random, row, now).await?.ok_or(Error::Corrupt("debt"))?;
    }
    Ok(())
}

async fn balance_by_source_of(tx: &mut Tx, account: Uuid) -> Result<BalanceBySource, Error> {
    Ok(sort(movements_of(tx, account).await?))
}

async fn movements_of(tx: &mut Tx, account: Uuid) -> Result<Vec<AccountMovement>, Error> {
    let rows = all!(
        tx,
        (Uuid, String, i64, Option<Uuid>, Uuid),
        "SELECT id, kind, amount, resolves_id, credit_account FROM ledger_transfer
         WHERE user_account = $1 ORDER BY position",
        account
    )?;
    let mut moved = Vec::with_capacity(rows.len());
    for (id, kind, amount, resolves, credited) in rows {
        let kind = TransferKind::parse(&kind).ok_or(Error::Corrupt("ledger_transfer.kind"))?;
        let resolves = resolves.map(TransferId);
        moved.push(AccountMovement {
            id: TransferId(id),
            kind,
            amount,
            resolves,
            incoming: credited == account,
        });
    }
    Ok(moved)
}

async fn house_of(tx: &mut Tx, random: &Random, kind: TransferKind, now: Instant) -> Result<Uuid, Error> {
    let house = match kind {
        TransferKind::Topup => AccountKind::Topup,
        TransferKind::Card | TransferKind::Refund | TransferKind::Dispute => AccountKind::Card,
        TransferKind::Bonus | TransferKind::Void => AccountKind::Bonus,
        TransferKind::Forfeit => AccountKind::Forfeit,
        TransferKind::Adjust => AccountKind::Adjust,
        _ => {
            return Err(Error::Refused(format!("a {} has no operator account in the ledger", kind.as_str())));
        }
    };
    ensure(tx, random, (house, Uuid::nil()), now).await
}

const fn row(
    (kind, amount): (TransferKind, Money),
    (debit, credit): (Uuid, Uuid),
    person: Option<Uuid>,
    (source, seq): (Source, i64),
) -> NewTransfer {
    NewTransfer { kind, debit, credit, person, amount, resolves: None, source, seq }
}

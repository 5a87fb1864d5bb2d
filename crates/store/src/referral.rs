//! Referrals: a discount on a newcomer's first task, and a bonus for the referrer when that task is
//! paid.

use domain::clock::Instant;
use domain::ids::{ReferralId, TaskId, UserId, uuid_v7};
use domain::ledger::TransferKind;
use domain::money::Money;
use domain::pricing::CodeStatus;
use uuid::Uuid;

use crate::{Error, Random, Tx, all, exec, ledger, one, scalar};

/// Terms of a referral.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReferralTerms {
    /// Discount on each applicant's price of the newcomer's first task.
    pub newcomer_discount: Money,
    /// Bonus of the referrer.
    pub referrer_bonus: Money,
}

/// Referral code that is valid for a newcomer.
#[derive(Clone, Copy, Debug)]
pub struct Offer {
    /// User who owns the code.
    pub referrer: UserId,
    /// Terms of the referral.
    pub worth: ReferralTerms,
}

/// Results of a user's referral code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReferralResults {
    /// Number of users who registered with it.
    pub invited: i64,
    /// Number of them whose first task was paid and earned a bonus.
    pub credited: i64,
    /// Number of them whose first task is in progress.
    pub waiting: i64,
    /// Sum of the bonuses without the voided ones, in minor units.
    pub credited_amount: i64,
}

/// Returns the current terms. `None` if they were not set or are all zero.
pub async fn worth(tx: &mut Tx) -> Result<Option<ReferralTerms>, Error> {
    let found =
        one!(tx, (i64, i64), "SELECT newcomer_discount, referrer_bonus FROM referral_setting WHERE id = 1")?;
    Ok(found
        .map(|(off, bonus)| ReferralTerms {
            newcomer_discount: Money::cad(off),
            referrer_bonus: Money::cad(bonus),
        })
        .filter(|worth| worth.newcomer_discount.minor > 0 || worth.referrer_bonus.minor > 0))
}

/// Returns the referrer with whose code `user` registered.
pub async fn referrer_of(tx: &mut Tx, user: UserId) -> Result<Option<UserId>, Error> {
    let found = one!(tx, (Option<Uuid>,), "SELECT referred_by FROM users WHERE id = $1", user.0)?;
    Ok(found.and_then(|(referrer,)| referrer).map(UserId))
}

/// Returns the offer of a referral code for `user` now, or the reason for none.
pub async fn find(tx: &mut Tx, user: UserId, code: &str) -> Result<Result<Offer, CodeStatus>, Error> {
    match crate::user::by_referral_code(tx, &code.trim().to_lowercase()).await? {
        Some(referrer) => offer_of(tx, user, referrer).await,
        None => Ok(Err(CodeStatus::Unknown)),
    }
}

/// Does the same as [`find`], for a known referrer.
pub async fn offer_of(
    tx: &mut Tx,
    user: UserId,
    referrer: UserId,
) -> Result<Result<Offer, CodeStatus>, Error> {
    if referrer == user {
        return Ok(Err(CodeStatus::OwnCode));
    }
    if !is_newcomer(tx, user).await? {
        return Ok(Err(CodeStatus::NotFirst));
    }
    if share_login(tx, user, referrer).await? || share_card(tx, user, referrer).await? {
        return Ok(Err(CodeStatus::NotYours));
    }
    Ok(worth(tx).await?.map(|worth| Offer { referrer, worth }).ok_or(CodeStatus::NothingLeft))
}

/// Reserves `referrer`'s bonus for `task` as a newcomer's first. Returns `false` if another task of
/// the newcomer was first.
pub async fn reserve(
    tx: &mut Tx,
    random: &Random,
    offer: &Offer,
    (newcomer, task): (UserId, TaskId),
    now: Instant,
) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "INSERT INTO referral (id, newcomer, referrer, task_id, discount, bonus, state, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, 'reserved', $7) ON CONFLICT DO NOTHING",
        ReferralId::new(now, random.bytes()).0,
        newcomer.0,
        offer.referrer.0,
        task.0,
        offer.worth.newcomer_discount.minor,
        offer.worth.referrer_bonus.minor,
        now
    )?;
    exec!(
        tx,
        "UPDATE users SET referred_by = $2 WHERE id = $1 AND referred_by IS NULL",
        newcomer.0,
        offer.referrer.0
    )?;
    Ok(rows == 1)
}

/// Returns the referrer who may get a bonus when `task` is captured.
pub async fn waiting_for(tx: &mut Tx, task: TaskId) -> Result<Option<UserId>, Error> {
    let found =
        one!(tx, (Uuid,), "SELECT referrer FROM referral WHERE task_id = $1 AND state = 'reserved'", task.0)?;
    Ok(found.map(|(referrer,)| UserId(referrer)))
}

/// Credits the referrer's bonus, once, after the task was captured at `paid` minor units. Refuses
/// it if nothing was paid, the referrer's account was deleted, or the two accounts share a portal
/// login or card. The caller has locked both users' balances.
pub async fn captured(
    tx: &mut Tx,
    random: &Random,
    task: TaskId,
    paid: i64,
    now: Instant,
) -> Result<(), Error> {
    let found = one!(
        tx,
        (Uuid, Uuid, Uuid, i64),
        "SELECT id, newcomer, referrer, bonus FROM referral WHERE task_id = $1 AND state = 'reserved'",
        task.0
    )?;
    let Some((id, newcomer, referrer, bonus)) = found else { return Ok(()) };
    let (newcomer, referrer) = (UserId(newcomer), UserId(referrer));
    let why = if paid <= 0 || bonus <= 0 {
        Some("unpaid")
    } else if is_gone(tx, referrer).await? {
        Some("account_gone")
    } else if share_login(tx, newcomer, referrer).await? {
        Some("shared_login")
    } else if share_card(tx, newcomer, referrer).await? {
        Some("shared_card")
    } else {
        None
    };
    let state = if why.is_some() { "refused" } else { "credited" };
    if why.is_none() {
        let given = (TransferKind::Bonus, Money::cad(bonus));
        ledger::credit(tx, random, referrer, given, ("referral", id), now).await?;
    }
    set_state(tx, id, (state, why), now).await
}

/// Cancels the reservation of a task whose hold was released. The user is still a newcomer.
pub async fn returned(tx: &mut Tx, task: TaskId, now: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE referral SET state = 'returned', resolved_at = $2 WHERE task_id = $1 AND state = 'reserved'",
        task.0,
        now
    )?;
    Ok(())
}

/// Locks the balances of a user and of the referrer who may lose a bonus in a dispute. Uses the
/// same order as a capture, so that no two of these transactions deadlock.
pub async fn lock_referral_users(
    tx: &mut Tx,
    random: &Random,
    user: UserId,
    now: Instant,
) -> Result<(), Error> {
    let friends = all!(
        tx,
        (Uuid,),
        "SELECT referrer FROM referral WHERE newcomer = $1 AND state IN ('reserved', 'credited')",
        user.0
    )?;
    let mut people: Vec<UserId> = friends.into_iter().map(|(friend,)| UserId(friend)).collect();
    people.push(user);
    ledger::lock_all(tx, random, &people, now).await
}

/// Voids bonuses when a user disputes a payment: the user's remaining bonuses, and those that the
/// user's first task earned or would earn a referrer. Only unspent amounts are taken back.
pub async fn void_all(tx: &mut Tx, random: &Random, user: UserId, now: Instant) -> Result<(), Error> {
    let rows = all!(
        tx,
        (Uuid, Uuid, i64, String),
        "SELECT id, referrer, bonus, state FROM referral
         WHERE (newcomer = $1 OR referrer = $1) AND state IN ('reserved', 'credited') ORDER BY id",
        user.0
    )?;
    let mut people: Vec<UserId> = rows.iter().map(|(_, referrer, _, _)| UserId(*referrer)).collect();
    people.push(user);
    ledger::lock_all(tx, random, &people, now).await?;
    for (id, referrer, bonus, state) in rows {
        if state == "reserved" {
            set_state(tx, id, ("refused", Some("disputed")), now).await?;
            continue;
        }
        let left = ledger::bonus_left(tx, UserId(referrer)).await?.minor.min(bonus);
        if left > 0 {
            withdraw(tx, random, UserId(referrer), left, id, now).await?;
        }
        set_state(tx, id, ("void", Some("disputed")), now).await?;
    }
    let left = ledger::bonus_left(tx, user).await?.minor;
    if left > 0 {
        withdraw(tx, random, user, left, uuid_v7(now, random.bytes()), now).await?;
    }
    Ok(())
}

/// Returns the results of a user's referral code so far.
pub async fn results(tx: &mut Tx, user: UserId) -> Result<ReferralResults, Error> {
    let invited = scalar!(tx, i64, "SELECT COUNT(*) FROM users WHERE referred_by = $1", user.0)?;
    let states = all!(
        tx,
        (String, i64, i64),
        "SELECT state, COUNT(*), CAST(SUM(bonus) AS BIGINT) FROM referral WHERE referrer = $1 GROUP BY state",
        user.0
    )?;
    let mut results = ReferralResults { invited, ..ReferralResults::default() };
    for (state, count, sum) in states {
        match state.as_str() {
            "credited" => (results.credited, results.credited_amount) = (count, sum),
            "reserved" => results.waiting = count,
            _ => {}
        }
    }
    Ok(results)
}

async fn withdraw(
    tx: &mut Tx,
    random: &Random,
    user: UserId,
    minor: i64,
    why: Uuid,
    now: Instant,
) -> Result<(), Error> {
    let void = (TransferKind::Void, Money::cad(minor));
    match ledger::debit(tx, random, user, void, ("referral_void", why), now).await {
        Ok(_) => Ok(()),
        Err(ledger::DebitError::Store(error)) => Err(error),
        Err(ledger::DebitError::Insufficient { .. }) => Err(Error::Corrupt("bonus")),
    }
}

async fn set_state(
    tx: &mut Tx,
    id: Uuid,
    (state, why): (&'static str, Option<&'static str>),
    now: Instant,
) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE referral SET state = $2, why = $3, resolved_at = $4 WHERE id = $1",
        id,
        state,
        why,
        now
    )?;
    Ok(())
}

/// Returns `true` if no task of the user was ever paid or has a hold. Also counts tasks of other
/// accounts, deleted or not, with the same portal login, group or card.
async fn is_newcomer(tx: &mut Tx, user: UserId) -> Result<bool, Error> {
    let tasks = scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM task WHERE (captured_at IS NOT NULL OR captured_amount > 0
             OR (submitted_at IS NOT NULL AND hold_id IS NOT NULL))
           AND id IN (SELECT id FROM task WHERE user_id = $1
             UNION SELECT other.id FROM task own JOIN task other ON other.portal_account_id = own.portal_account_id
               WHERE own.user_id = $1
             UNION SELECT other.id FROM task own
               JOIN task other ON other.country = own.country AND other.portal_schedule_id = own.portal_schedule_id
               WHERE own.user_id = $1
             UNION SELECT theirs.id FROM payment_card own JOIN payment_card other ON other.card_fp = own.card_fp
               JOIN task theirs ON theirs.user_id = other.user_id WHERE own.user_id = $1)",
        user.0
    )?;
    let sent = scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM referral WHERE state <> 'returned' AND id IN (
           SELECT id FROM referral WHERE newcomer = $1
           UNION SELECT r.id FROM task own JOIN task other ON other.portal_account_id = own.portal_account_id
             JOIN referral r ON r.task_id = other.id WHERE own.user_id = $1
           UNION SELECT r.id FROM payment_card own JOIN payment_card other ON other.card_fp = own.card_fp
             JOIN referral r ON r.newcomer = other.user_id WHERE own.user_id = $1)",
        user.0
    )?;
    Ok(tasks + sent == 0)
}

async fn share_login(tx: &mut Tx, one: UserId, other: UserId) -> Result<bool, Error> {
    let shared = scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM
           (SELECT portal_account_id FROM task WHERE user_id = $1
            UNION SELECT portal_account_id FROM credential WHERE user_id = $1) a
         JOIN (SELECT portal_account_id FROM task WHERE user_id = $2
            UNION SELECT portal_account_id FROM credential WHERE user_id = $2) b
         ON a.portal_account_id = b.portal_account_id",
        one.0,
        other.0
    )?;
    Ok(shared > 0)
}

async fn share_card(tx: &mut Tx, one: UserId, other: UserId) -> Result<bool, Error> {
    let shared = scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM payment_card a JOIN payment_card b ON a.card_fp = b.card_fp
         WHERE a.user_id = $1 AND b.user_id = $2",
        one.0,
        other.0
    )?;
    Ok(shared > 0)
}

/// Returns `true` if the account was deleted (see `deletion::erase`).
async fn is_gone(tx: &mut Tx, user: UserId) -> Result<bool, Error> {
    let count = scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM users WHERE id = $1 AND email LIKE 'deleted-%@deleted.invalid'",
        user.0
    )?;
    Ok(count > 0)
}

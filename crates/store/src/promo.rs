//! Promo codes: public codes with a discount, for a limited time and number of tasks.
//! `operator::promos` creates them.

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::ids::{PromoId, TaskId, UserGroupId, UserId};
use domain::money::{Currency, Money};
use domain::pricing::CodeStatus;
use uuid::Uuid;

use crate::{Error, Random, Tx, exec, one, scalar};

/// Promotion.
#[derive(Clone, Debug)]
pub struct Promo {
    /// Id of the promotion.
    pub id: PromoId,
    /// Code, as returned by [`normalise`].
    pub code: String,
    /// Discount on each applicant's price of one task.
    pub amount: Money,
    /// Start of its validity.
    pub starts_at: Instant,
    /// End of its validity.
    pub ends_at: Option<Instant>,
    /// Maximum number of tasks, over all users.
    pub use_limit: Option<i64>,
    /// Maximum number of tasks of one user.
    pub per_user_limit: Option<i64>,
    /// Number of reserved and used uses.
    pub uses: i64,
    /// Only user who may use it.
    pub only_user: Option<UserId>,
    /// Only group that may use it.
    pub only_group: Option<UserGroupId>,
    /// Time at which it was revoked.
    pub revoked_at: Option<Instant>,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    code: String,
    amount: i64,
    currency: String,
    starts_at: DateTime<Utc>,
    ends_at: Option<DateTime<Utc>>,
    use_limit: Option<i64>,
    per_user_limit: Option<i64>,
    uses: i64,
    only_user: Option<Uuid>,
    only_group: Option<Uuid>,
    revoked_at: Option<DateTime<Utc>>,
}

/// Returns a code in its compared form: upper case, without spaces and dashes.
#[must_use]
pub fn normalise(code: &str) -> String {
    code.chars().filter(|c| !c.is_whitespace() && *c != '-').collect::<String>().to_uppercase()
}

/// Finds the promotion with this code, in any spelling that [`normalise`] accepts.
pub async fn by_code(tx: &mut Tx, code: &str) -> Result<Option<Promo>, Error> {
    let row = one!(
        tx,
        Row,
        "SELECT id, code, amount, currency, starts_at, ends_at, use_limit, per_user_limit, uses, only_user, only_group,
           revoked_at FROM promo WHERE code = $1",
        normalise(code)
    )?;
    row.map(Promo::try_from).transpose()
}

/// Returns the promotion of a code and the number of tasks that a user may still use it for, or the
/// reason for none.
pub async fn find(
    tx: &mut Tx,
    user: UserId,
    code: &str,
    now: Instant,
) -> Result<Result<(Promo, i64), CodeStatus>, Error> {
    let Some(promo) = by_code(tx, code).await?.filter(|promo| promo.revoked_at.is_none()) else {
        return Ok(Err(CodeStatus::Unknown));
    };
    if promo.only_user.is_some_and(|only| only != user) {
        return Ok(Err(CodeStatus::NotYours));
    }
    if let Some(group) = promo.only_group
        && crate::pricing::group_of(tx, user).await? != Some(group)
    {
        return Ok(Err(CodeStatus::NotYours));
    }
    if promo.starts_at > now {
        return Ok(Err(CodeStatus::NotYet));
    }
    if promo.ends_at.is_some_and(|ends| ends <= now) {
        return Ok(Err(CodeStatus::Expired));
    }
    let left = promo.use_limit.map_or(i64::MAX, |limit| limit - promo.uses);
    if left <= 0 {
        return Ok(Err(CodeStatus::UsedUp));
    }
    let own = promo.per_user_limit.unwrap_or(i64::MAX) - uses_of(tx, promo.id, user).await?;
    if own <= 0 {
        return Ok(Err(CodeStatus::UsedByYou));
    }
    Ok(Ok((promo, left.min(own))))
}

/// Reserves one use for a task, if one is left. The update of the row decides between concurrent
/// reservations of the last one.
///
/// # Errors
/// Returns a conflict if the task has a use already. The transaction is unusable then.
pub async fn reserve(
    tx: &mut Tx,
    random: &Random,
    promo: &Promo,
    (user, task): (UserId, TaskId),
    amount: Money,
    now: Instant,
) -> Result<Result<(), CodeStatus>, Error> {
    let taken = exec!(
        tx,
        "UPDATE promo SET uses = uses + 1 WHERE id = $1 AND (use_limit IS NULL OR uses < use_limit)
           AND revoked_at IS NULL AND starts_at <= $2 AND (ends_at IS NULL OR ends_at > $2)",
        promo.id.0,
        now
    )?;
    if taken == 0 {
        return Ok(Err(CodeStatus::UsedUp));
    }
    // The row is locked from here on, so concurrent requests of one user are counted one after the
    // other.
    if let Some(limit) = promo.per_user_limit
        && uses_of(tx, promo.id, user).await? >= limit
    {
        give_back(tx, promo.id).await?;
        return Ok(Err(CodeStatus::UsedByYou));
    }
    exec!(
        tx,
        "INSERT INTO promo_use (id, promo_id, user_id, task_id, amount, state, created_at)
         VALUES ($1, $2, $3, $4, $5, 'reserved', $6)",
        domain::ids::uuid_v7(now, random.bytes()),
        promo.id.0,
        user.0,
        task.0,
        amount.minor,
        now
    )?;
    Ok(Ok(()))
}

/// Marks the use of a captured task as used.
pub async fn used(tx: &mut Tx, task: TaskId, now: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE promo_use SET state = 'used', resolved_at = $2 WHERE task_id = $1 AND state = 'reserved'",
        task.0,
        now
    )?;
    Ok(())
}

/// Gives back the use of a task whose hold was released, so that the code can be used again.
pub async fn returned(tx: &mut Tx, task: TaskId, now: Instant) -> Result<(), Error> {
    let promo = one!(
        tx,
        (Uuid,),
        "UPDATE promo_use SET state = 'returned', resolved_at = $2 WHERE task_id = $1 AND state = 'reserved'
         RETURNING promo_id",
        task.0,
        now
    )?;
    if let Some((promo,)) = promo {
        give_back(tx, PromoId(promo)).await?;
    }
    Ok(())
}

/// Returns the promotion of a task's latest use.
pub async fn last_of_task(tx: &mut Tx, task: TaskId) -> Result<Option<Promo>, Error> {
    let row = one!(
        tx,
        Row,
        "SELECT p.id, p.code, p.amount, p.currency, p.starts_at, p.ends_at, p.use_limit, p.per_user_limit, p.uses,
           p.only_user, p.only_group, p.revoked_at
         FROM promo_use u JOIN promo p ON p.id = u.promo_id WHERE u.task_id = $1
         ORDER BY u.created_at DESC, u.id DESC LIMIT 1",
        task.0
    )?;
    row.map(Promo::try_from).transpose()
}

async fn give_back(tx: &mut Tx, promo: PromoId) -> Result<(), Error> {
    exec!(tx, "UPDATE promo SET uses = uses - 1 WHERE id = $1", promo.0)?;
    Ok(())
}

/// Counts the uses by a user: under this account, or under another one, deleted or not, with the
/// same portal login, group or card.
async fn uses_of(tx: &mut Tx, promo: PromoId, user: UserId) -> Result<i64, Error> {
    scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM promo_use WHERE state IN ('reserved', 'used') AND id IN (
           SELECT id FROM promo_use WHERE promo_id = $1 AND user_id = $2
           UNION SELECT u.id FROM task own JOIN task other ON other.portal_account_id = own.portal_account_id
             JOIN promo_use u ON u.task_id = other.id WHERE own.user_id = $2 AND u.promo_id = $1
           UNION SELECT u.id FROM task own
             JOIN task other ON other.country = own.country AND other.portal_schedule_id = own.portal_schedule_id
             JOIN promo_use u ON u.task_id = other.id WHERE own.user_id = $2 AND u.promo_id = $1
           UNION SELECT u.id FROM payment_card own JOIN payment_card other ON other.card_fp = own.card_fp
             JOIN promo_use u ON u.user_id = other.user_id WHERE own.user_id = $2 AND u.promo_id = $1)",
        promo.0,
        user.0
    )
}

impl TryFrom<Row> for Promo {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        let currency = Currency::parse(&row.currency).ok_or(Error::Corrupt("promo.currency"))?;
        Ok(Self {
            id: PromoId(row.id),
            code: row.code,
            amount: Money { minor: row.amount, currency },
            starts_at: row.starts_at,
            ends_at: row.ends_at,
            use_limit: row.use_limit,
            per_user_limit: row.per_user_limit,
            uses: row.uses,
            only_user: row.only_user.map(UserId),
            only_group: row.only_group.map(UserGroupId),
            revoked_at: row.revoked_at,
        })
    }
}

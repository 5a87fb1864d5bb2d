//! Promo codes as an operator makes and watches them.

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::ids::{TaskId, UserId};
use domain::money::Money;
use uuid::Uuid;

use crate::{Error, Tx, all, exec};

/// A promo code.
#[derive(Clone, Debug)]
pub struct Promo {
    /// Its id.
    pub id: Uuid,
    /// Upper case, without spaces and dashes.
    pub code: String,
    /// Off each applicant's price of one task.
    pub amount: Money,
    /// From when it works.
    pub starts_at: Instant,
    /// Until when; none: until it is ended.
    pub ends_at: Option<Instant>,
    /// Tasks it may be used for, of all people.
    pub use_limit: Option<i64>,
    /// Tasks it may be used for, of one person.
    pub per_user_limit: Option<i64>,
    /// Uses that are reserved or used.
    pub uses: i64,
    /// Only for this person.
    pub only_user: Option<UserId>,
    /// Only for this group.
    pub only_group: Option<Uuid>,
    /// The operator's note.
    pub note: Option<String>,
    /// When it was ended by hand.
    pub revoked_at: Option<Instant>,
}

/// One task's use of a promo code.
#[derive(Clone, Debug)]
pub struct Use {
    /// By whom.
    pub user: UserId,
    /// For which task.
    pub task: TaskId,
    /// What it took off each applicant's price.
    pub amount: Money,
    /// `reserved`, `used` or `returned`.
    pub state: String,
    /// When it was reserved.
    pub created_at: Instant,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    code: String,
    amount: i64,
    starts_at: DateTime<Utc>,
    ends_at: Option<DateTime<Utc>>,
    use_limit: Option<i64>,
    per_user_limit: Option<i64>,
    uses: i64,
    only_user: Option<Uuid>,
    only_group: Option<Uuid>,
    note: Option<String>,
    revoked_at: Option<DateTime<Utc>>,
}

impl From<Row> for Promo {
    fn from(row: Row) -> Self {
        Self {
            id: row.id,
            code: row.code,
            amount: Money::cad(row.amount),
            starts_at: row.starts_at,
            ends_at: row.ends_at,
            use_limit: row.use_limit,
            per_user_limit: row.per_user_limit,
            uses: row.uses,
            only_user: row.only_user.map(UserId),
            only_group: row.only_group,
            note: row.note,
            revoked_at: row.revoked_at,
        }
    }
}

/// Keeps a new promo code with no uses; false when there is one of that name.
pub async fn add(tx: &mut Tx, promo: &Promo, now: Instant) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "INSERT INTO promo (id, code, amount, currency, starts_at, ends_at, use_limit, per_user_limit, only_user,
           only_group, note, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT (code) DO NOTHING",
        promo.id,
        promo.code.clone(),
        promo.amount.minor,
        promo.amount.currency.code(),
        promo.starts_at,
        promo.ends_at,
        promo.use_limit,
        promo.per_user_limit,
        promo.only_user.map(|id| id.0),
        promo.only_group,
        promo.note.clone(),
        now
    )?;
    Ok(rows == 1)
}

/// The newest promo codes first; only the one of this code, when it is given.
pub async fn list(tx: &mut Tx, code: Option<&str>, limit: i64) -> Result<Vec<Promo>, Error> {
    let rows = all!(
        tx,
        Row,
        "SELECT id, code, amount, starts_at, ends_at, use_limit, per_user_limit, uses, only_user, only_group, note,
           revoked_at
         FROM promo WHERE code = COALESCE($1, code) ORDER BY created_at DESC, id DESC LIMIT $2",
        code.map(str::to_owned),
        limit
    )?;
    Ok(rows.into_iter().map(Promo::from).collect())
}

/// Ends a promo code now; what was agreed stays. False when it was ended before.
pub async fn end(tx: &mut Tx, id: Uuid, now: Instant) -> Result<bool, Error> {
    Ok(exec!(tx, "UPDATE promo SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL", id, now)? == 1)
}

/// The newest uses of a promo code first.
pub async fn uses(tx: &mut Tx, promo: Uuid, limit: i64) -> Result<Vec<Use>, Error> {
    let rows = all!(
        tx,
        (Uuid, Uuid, i64, String, DateTime<Utc>),
        "SELECT user_id, task_id, amount, state, created_at FROM promo_use WHERE promo_id = $1
         ORDER BY created_at DESC, id DESC LIMIT $2",
        promo,
        limit
    )?;
    let one = |(user, task, amount, state, created_at)| Use {
        user: UserId(user),
        task: TaskId(task),
        amount: Money::cad(amount),
        state,
        created_at,
    };
    Ok(rows.into_iter().map(one).collect())
}

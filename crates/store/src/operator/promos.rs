//! Promo codes as operators create and watch them.

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::ids::{TaskId, UserId};
use domain::money::Money;
use uuid::Uuid;

use crate::{Error, Tx, all, exec};

/// Promo code.
#[derive(Clone, Debug)]
pub struct Promo {
    /// Id of the promo.
    pub id: Uuid,
    /// Code in upper case, without spaces and dashes.
    pub code: String,
    /// Discount on each applicant's price of one task.
    pub amount: Money,
    /// Start of its validity.
    pub starts_at: Instant,
    /// End of its validity. `None` until it is revoked.
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
    pub only_group: Option<Uuid>,
    /// Operator's note.
    pub note: Option<String>,
    /// Time at which an operator revoked it.
    pub revoked_at: Option<Instant>,
}

/// Use of a promo code for one task.
#[derive(Clone, Debug)]
pub struct Use {
    /// User of the task.
    pub user: UserId,
    /// Task of the use.
    pub task: TaskId,
    /// Discount on each applicant's price.
    pub amount: Money,
    /// State: `reserved`, `used` or `returned`.
    pub state: String,
    /// Time of the reservation.
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

/// Inserts a new promo code without uses. Returns `false` if the code exists.
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

/// Returns promo codes, newest first; only the one with `code`, if given.
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

/// Revokes a promo code now. Agreed prices stay. Returns `false` if it was revoked before.
pub async fn revoke(tx: &mut Tx, id: Uuid, now: Instant) -> Result<bool, Error> {
    Ok(exec!(tx, "UPDATE promo SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL", id, now)? == 1)
}

/// Returns the uses of a promo code, newest first.
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

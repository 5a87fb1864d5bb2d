//! Users as shown to operators: identity, balance and discounts.

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::ids::UserId;
use domain::money::Money;
use uuid::Uuid;

use crate::{Error, Tx, all, exec};

/// User with balances.
#[derive(Clone, Debug)]
pub struct UserSummary {
    /// Id of the user.
    pub id: UserId,
    /// Address as typed at registration.
    pub email: String,
    /// Language: `en` or `zh`.
    pub language: String,
    /// Time at which the address was proven.
    pub verified_at: Option<Instant>,
    /// Time of the registration.
    pub created_at: Instant,
    /// Referral code of the user.
    pub referral_code: String,
    /// Referrer of the user.
    pub referred_by: Option<UserId>,
    /// Name of the discount group.
    pub group: Option<String>,
    /// Personal discount on each applicant's price.
    pub discount: Option<Money>,
    /// Available balance.
    pub available: Money,
    /// Amount held for tasks.
    pub held: Money,
    /// Debt.
    pub debt: Money,
    /// Number of tasks that are not deleted.
    pub tasks: i64,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    email: String,
    language: String,
    email_verified_at: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
    referral_code: String,
    referred_by: Option<Uuid>,
    group_name: Option<String>,
    discount: Option<i64>,
    available: i64,
    held: i64,
    debt: i64,
    tasks: i64,
}

impl From<Row> for UserSummary {
    fn from(row: Row) -> Self {
        Self {
            id: UserId(row.id),
            email: row.email,
            language: row.language,
            verified_at: row.email_verified_at,
            created_at: row.created_at,
            referral_code: row.referral_code,
            referred_by: row.referred_by.map(UserId),
            group: row.group_name,
            discount: row.discount.map(Money::cad),
            available: Money::cad(row.available),
            held: Money::cad(row.held),
            debt: Money::cad(row.debt),
            tasks: row.tasks,
        }
    }
}

/// Sort order of users.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Latest registration first.
    Newest,
    /// Largest balance first. Users without balance and debt are left out.
    Richest,
}

/// Returns at most `limit` users; only one with `only`.
pub async fn list(
    tx: &mut Tx,
    only: Option<UserId>,
    order: Order,
    limit: i64,
) -> Result<Vec<UserSummary>, Error> {
    let rows = all!(
        tx,
        Row,
        "SELECT u.id, u.email, u.language, u.email_verified_at, u.created_at, u.referral_code, u.referred_by,
           g.name AS group_name, d.amount AS discount,
           COALESCE(a.posted - a.held, 0) AS available, COALESCE(a.held, 0) AS held, COALESCE(-o.posted, 0) AS debt,
           (SELECT COUNT(*) FROM task t WHERE t.user_id = u.id AND t.deleted_at IS NULL) AS tasks
         FROM users u
         LEFT JOIN user_group g ON g.id = u.group_id
         LEFT JOIN personal_discount d ON d.user_id = u.id
         LEFT JOIN ledger_account a ON a.kind = 'user' AND a.owner = u.id AND a.currency = 'CAD'
         LEFT JOIN ledger_account o ON o.kind = 'debt' AND o.owner = u.id AND o.currency = 'CAD'
         WHERE u.id = COALESCE($1, u.id) AND ($2 = 0 OR COALESCE(a.posted, 0) <> 0 OR COALESCE(o.posted, 0) <> 0)
         ORDER BY CASE WHEN $2 = 0 THEN 0 ELSE COALESCE(a.posted, 0) END DESC, u.created_at DESC, u.id DESC LIMIT $3",
        only.map(|id| id.0),
        i64::from(order == Order::Richest),
        limit
    )?;
    Ok(rows.into_iter().map(UserSummary::from).collect())
}

/// Returns one user. `None` if there is no such user.
pub async fn get(tx: &mut Tx, id: UserId) -> Result<Option<UserSummary>, Error> {
    Ok(list(tx, Some(id), Order::Newest, 1).await?.pop())
}

/// Returns the totals of all accounts of each kind: kind, posted and held in minor units, number of
/// accounts.
pub async fn totals(tx: &mut Tx) -> Result<Vec<(String, i64, i64, i64)>, Error> {
    all!(
        tx,
        (String, i64, i64, i64),
        "SELECT kind, CAST(SUM(posted) AS BIGINT), CAST(SUM(held) AS BIGINT), COUNT(*) FROM ledger_account
         WHERE currency = 'CAD' GROUP BY kind ORDER BY kind"
    )
}

/// Sets or removes a user's personal discount. Returns `true` if this changed anything.
pub async fn set_discount(
    tx: &mut Tx,
    user: UserId,
    amount: Option<Money>,
    note: Option<&str>,
    now: Instant,
) -> Result<bool, Error> {
    let Some(amount) = amount.filter(|amount| amount.minor > 0) else {
        return Ok(exec!(tx, "DELETE FROM personal_discount WHERE user_id = $1", user.0)? > 0);
    };
    let rows = exec!(
        tx,
        "INSERT INTO personal_discount (user_id, amount, currency, note, set_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (user_id) DO UPDATE SET amount = excluded.amount, currency = excluded.currency,
           note = excluded.note, set_at = excluded.set_at",
        user.0,
        amount.minor,
        amount.currency.code(),
        note.map(str::to_owned),
        now
    )?;
    Ok(rows > 0)
}

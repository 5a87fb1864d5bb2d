//! Portal logins: one row each however many users know the password, with budget, health and session.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use domain::budget::{Budget, Calls};
use domain::clock::Instant;
use domain::ids::{PortalAccountId, TaskId};
use domain::secret::SecretKind;
use serde_json::{Value, json};
use sqlx::types::Json;
use uuid::Uuid;

use crate::keyring::SecretPlace;
use crate::task::read;
use crate::{Error, Tx, all, exec, one, scalar};

/// A login at the portal.
#[derive(Clone, Debug)]
pub struct PortalAccount {
    /// Its id.
    pub id: PortalAccountId,
    /// The portal's locale.
    pub country: String,
    /// `niv` or `iv`.
    pub visa_type: String,
    /// `valid`, `locked`, `captcha` or `cooling`.
    pub health: String,
    /// Since when.
    pub health_since: Instant,
    /// No request before this.
    pub not_before: Option<Instant>,
    /// The calls of the last ten hours.
    pub budget: Budget,
    /// The sealed session: key id, blob, version.
    pub session: Option<(String, Vec<u8>, i32)>,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    country: String,
    visa_type: String,
    health: String,
    health_since: DateTime<Utc>,
    not_before: Option<DateTime<Utc>>,
    budget: Value,
    session_kid: Option<String>,
    session_blob: Option<Vec<u8>>,
    session_version: i32,
}

impl TryFrom<Row> for PortalAccount {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let version = row.session_version;
        Ok(Self {
            id: PortalAccountId(row.id),
            country: row.country,
            visa_type: row.visa_type,
            health: row.health,
            health_since: row.health_since,
            not_before: row.not_before,
            budget: read("portal_account.budget", row.budget)?,
            session: row.session_kid.zip(row.session_blob).map(|(kid, blob)| (kid, blob, version)),
        })
    }
}

/// Where a login's session is sealed: it belongs to no user.
#[must_use]
pub const fn session_place(id: PortalAccountId, version: i32) -> SecretPlace {
    SecretPlace {
        kind: SecretKind::PortalSession,
        table: "portal_account",
        column: "session_blob",
        row: id.0,
        owner: id.0,
        version,
    }
}

/// One login.
pub async fn get(tx: &mut Tx, id: PortalAccountId) -> Result<Option<PortalAccount>, Error> {
    one!(
        tx,
        Row,
        "SELECT id, country, visa_type, health, health_since, not_before, budget, session_kid, session_blob,
           session_version FROM portal_account WHERE id = $1",
        id.0
    )?
    .map(PortalAccount::try_from)
    .transpose()
}

/// Finds the login with this fingerprint, or writes it under `id`; nobody else does until this transaction ends.
pub async fn ensure(
    tx: &mut Tx,
    id: PortalAccountId,
    login_fp: &[u8],
    country: &str,
    visa_type: &str,
    now: Instant,
) -> Result<PortalAccountId, Error> {
    exec!(
        tx,
        "INSERT INTO portal_account (id, login_fp, country, visa_type, health_since, budget, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $5)
         ON CONFLICT (login_fp) DO UPDATE SET login_fp = excluded.login_fp",
        id.0,
        login_fp.to_vec(),
        country.to_owned(),
        visa_type.to_owned(),
        now,
        serde_json::to_value(Budget::default()).map_err(|_| Error::Corrupt("budget"))?
    )?;
    find(tx, login_fp).await?.ok_or(Error::Corrupt("portal_account"))
}

/// The login with this fingerprint.
pub async fn find(tx: &mut Tx, login_fp: &[u8]) -> Result<Option<PortalAccountId>, Error> {
    let id = scalar!(
        tx,
        Option<Uuid>,
        "SELECT (SELECT id FROM portal_account WHERE login_fp = $1)",
        login_fp.to_vec()
    )?;
    Ok(id.map(PortalAccountId))
}

/// Writes the calls of the last ten hours.
pub async fn set_budget(tx: &mut Tx, id: PortalAccountId, budget: &Budget) -> Result<(), Error> {
    let budget = serde_json::to_value(budget).map_err(|_| Error::Corrupt("budget"))?;
    exec!(tx, "UPDATE portal_account SET budget = $2 WHERE id = $1", id.0, budget)?;
    Ok(())
}

/// Calls made at an instant (portal time).
pub type Spent = (Calls, Instant);

/// Adds calls to the budgets of logins; answers the budgets as they are then. Two statements, however many logins.
pub async fn spend(
    tx: &mut Tx,
    spent: &[(PortalAccountId, Vec<Spent>)],
) -> Result<Vec<(PortalAccountId, Budget)>, Error> {
    if spent.is_empty() {
        return Ok(Vec::new());
    }
    let by_id: HashMap<Uuid, &Vec<Spent>> = spent.iter().map(|(id, calls)| (id.0, calls)).collect();
    let ids: Vec<String> = by_id.keys().map(|id| id.simple().to_string()).collect();
    let sql = tx.pick(
        "SELECT id, budget FROM portal_account WHERE id IN (SELECT unhex(value) FROM json_each($1))",
        "SELECT id, budget FROM portal_account
         WHERE id IN (SELECT CAST(jsonb_array_elements_text($1) AS UUID)) ORDER BY id FOR UPDATE",
    );
    let mut budgets = all!(tx, (Uuid, Json<Budget>), sql, json!(ids))?;
    for (id, budget) in &mut budgets {
        for (calls, at) in by_id.get(id).into_iter().copied().flatten() {
            budget.0.spend(*calls, *at);
        }
    }
    let rows: Vec<_> = budgets.iter().map(|(id, budget)| (id.simple().to_string(), &budget.0)).collect();
    let rows = serde_json::to_value(rows).map_err(|_| Error::Corrupt("budget"))?;
    let sql = tx.pick(
        "UPDATE portal_account SET budget = json_extract(new.value, '$[1]') FROM json_each($1) AS new
         WHERE portal_account.id = unhex(json_extract(new.value, '$[0]'))",
        "UPDATE portal_account SET budget = new.value -> 1 FROM jsonb_array_elements($1) AS new (value)
         WHERE portal_account.id = CAST(new.value ->> 0 AS UUID)",
    );
    exec!(tx, sql, rows)?;
    Ok(budgets.into_iter().map(|(id, budget)| (PortalAccountId(id), budget.0)).collect())
}

/// Counts a look at `now` for every login with a session: whoever looked last is gone, and what it had not written yet
/// is not known. At most one look of a login is not.
pub async fn assume_looks(tx: &mut Tx, now: Instant) -> Result<(), Error> {
    let sql = tx.pick(
        "UPDATE portal_account SET budget = json_insert(budget, '$.looks[#]', $1, '$.requests[#]', $1)
         WHERE session_kid IS NOT NULL",
        "UPDATE portal_account SET budget = budget || jsonb_build_object(
           'looks', (budget -> 'looks') || to_jsonb(CAST($1 AS BIGINT)),
           'requests', (budget -> 'requests') || to_jsonb(CAST($1 AS BIGINT)))
         WHERE session_kid IS NOT NULL",
    );
    exec!(tx, sql, now.timestamp_millis())?;
    Ok(())
}

/// Writes or forgets the sealed session.
pub async fn set_session(
    tx: &mut Tx,
    id: PortalAccountId,
    sealed: Option<(&str, &[u8], i32)>,
    now: Instant,
) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE portal_account SET session_kid = $2, session_blob = $3, session_version = COALESCE($4, session_version),
           session_at = $5 WHERE id = $1",
        id.0,
        sealed.map(|s| s.0.to_owned()),
        sealed.map(|s| s.1.to_vec()),
        sealed.map(|s| s.2),
        now
    )?;
    Ok(())
}

/// Writes the login's health and the first instant it may be used again.
pub async fn set_health(
    tx: &mut Tx,
    id: PortalAccountId,
    health: &str,
    not_before: Option<Instant>,
    now: Instant,
) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE portal_account SET health_since = CASE WHEN health = $2 THEN health_since ELSE $4 END,
           health = $2, not_before = $3 WHERE id = $1",
        id.0,
        health.to_owned(),
        not_before,
        now
    )?;
    Ok(())
}

/// Every login a running task or an open booking belongs to.
pub async fn in_use(tx: &mut Tx) -> Result<Vec<PortalAccount>, Error> {
    all!(
        tx,
        Row,
        "SELECT id, country, visa_type, health, health_since, not_before, budget, session_kid, session_blob,
           session_version FROM portal_account WHERE id IN (SELECT portal_account_id FROM task
             WHERE deleted_at IS NULL AND status IN ('submitted', 'processing', 'active'))
           OR id IN (SELECT portal_account_id FROM intent WHERE state IN ('armed', 'acting', 'unknown'))"
    )?
    .into_iter()
    .map(PortalAccount::try_from)
    .collect()
}

/// What the engine keeps in memory of a login.
#[derive(Clone, Debug)]
pub struct AccountOutline {
    /// Its id.
    pub id: PortalAccountId,
    /// `valid`, `locked`, `captcha` or `cooling`.
    pub health: String,
    /// No request before this.
    pub not_before: Option<Instant>,
    /// The calls of the last ten hours.
    pub budget: Budget,
}

#[derive(sqlx::FromRow)]
struct OutlineRow {
    id: Uuid,
    health: String,
    not_before: Option<DateTime<Utc>>,
    budget: Json<Budget>,
}

impl From<OutlineRow> for AccountOutline {
    fn from(row: OutlineRow) -> Self {
        Self {
            id: PortalAccountId(row.id),
            health: row.health,
            not_before: row.not_before,
            budget: row.budget.0,
        }
    }
}

/// The logins of the running tasks with ids above `from` and up to `to`.
pub async fn of_running(tx: &mut Tx, (from, to): (TaskId, TaskId)) -> Result<Vec<AccountOutline>, Error> {
    let rows = all!(
        tx,
        OutlineRow,
        "SELECT id, health, not_before, budget FROM portal_account WHERE id IN
           (SELECT portal_account_id FROM task WHERE id > $1 AND id <= $2
             AND deleted_at IS NULL AND status IN ('submitted', 'processing', 'active'))",
        from.0,
        to.0
    )?;
    Ok(rows.into_iter().map(AccountOutline::from).collect())
}

/// One login, as the engine keeps it.
pub async fn outline(tx: &mut Tx, id: PortalAccountId) -> Result<Option<AccountOutline>, Error> {
    let row = one!(
        tx,
        OutlineRow,
        "SELECT id, health, not_before, budget FROM portal_account WHERE id = $1",
        id.0
    )?;
    Ok(row.map(AccountOutline::from))
}

/// Counts a rejected verification of a login; whoever counts the same login at once waits for this transaction.
pub async fn add_verify_failure(tx: &mut Tx, id: Uuid, login_fp: &[u8], now: Instant) -> Result<(), Error> {
    let queue = tx.pick(
        "SELECT 1 WHERE $1 IS NOT NULL",
        "SELECT CAST(pg_advisory_xact_lock(hashtext(encode($1, 'hex'))) AS TEXT)",
    );
    exec!(tx, queue, login_fp.to_vec())?;
    exec!(
        tx,
        "INSERT INTO verify_failure (id, login_fp, failed_at) VALUES ($1, $2, $3)",
        id,
        login_fp.to_vec(),
        now
    )?;
    Ok(())
}

/// Takes back an attempt that was counted as rejected before it was made.
pub async fn forget_verify_failure(tx: &mut Tx, id: Uuid) -> Result<(), Error> {
    exec!(tx, "DELETE FROM verify_failure WHERE id = $1", id)?;
    Ok(())
}

/// How many verifications of a login were rejected since `since`, over all users.
pub async fn verify_failures(tx: &mut Tx, login_fp: &[u8], since: Instant) -> Result<i64, Error> {
    scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM verify_failure WHERE login_fp = $1 AND failed_at > $2",
        login_fp.to_vec(),
        since
    )
}

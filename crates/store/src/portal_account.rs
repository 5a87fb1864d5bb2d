//! Portal accounts with budget, health and session. Each account has one row, however many users
//! know its password. Its fingerprint identifies the login name.

use domain::country::{CountryCode, VisaType};
use domain::health::AccountHealth;
use std::collections::HashMap;

use chrono::{DateTime, Utc};
use domain::budget::{Budget, Calls};
use domain::clock::Instant;
use domain::ids::{PortalAccountId, TaskId};
use domain::secret::SecretKind;
use serde_json::{Value, json};
use sqlx::types::Json;
use uuid::Uuid;

use crate::keyring::{Sealed, SecretHash, SecretPlace};
use crate::task::{parse_stored, read};
use crate::{Error, Tx, all, exec, one, scalar};

/// Account at the portal.
#[derive(Clone, Debug)]
pub struct PortalAccount {
    /// Id of the account.
    pub id: PortalAccountId,
    /// Country of the portal.
    pub country: CountryCode,
    /// `niv` or `iv`.
    pub visa_type: VisaType,
    /// State of the account at the portal.
    pub health: AccountHealth,
    /// Time since when the health has been the same.
    pub health_since: Instant,
    /// Earliest time of the next request.
    pub not_before: Option<Instant>,
    /// The calls of the last ten hours.
    pub budget: Budget,
    /// The stored session.
    pub session: Option<StoredSession>,
    /// The version of the last stored session, even if that session was deleted.
    pub session_version: i32,
}

/// Encrypted session, with the hash of the password that opened it.
#[derive(Clone, Debug)]
pub struct StoredSession {
    /// The encrypted cookies and tokens.
    pub sealed: Sealed,
    /// Number that grows with each session of the account.
    pub version: i32,
    /// Hash of the password that opened the session.
    pub secret: SecretHash,
    /// Time at which its sign-in was sent.
    pub sent_at: Instant,
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
    session_secret: Option<Vec<u8>>,
    session_secret_version: Option<i32>,
    session_sent_at: Option<DateTime<Utc>>,
}

impl Row {
    /// Returns the session. Without the secret that opened it, a session has no owner and is not
    /// returned.
    fn session(&mut self) -> Option<StoredSession> {
        let (kid, blob) = (self.session_kid.take()?, self.session_blob.take()?);
        Some(StoredSession {
            sealed: Sealed { kid, blob },
            version: self.session_version,
            secret: SecretHash::of_columns(self.session_secret_version, self.session_secret.take())?,
            sent_at: self.session_sent_at?,
        })
    }
}

impl TryFrom<Row> for PortalAccount {
    type Error = Error;
    fn try_from(mut row: Row) -> Result<Self, Error> {
        Ok(Self {
            session: row.session(),
            session_version: row.session_version,
            id: PortalAccountId(row.id),
            country: parse_stored("portal_account.country", &row.country)?,
            visa_type: parse_stored("portal_account.visa_type", &row.visa_type)?,
            health: parse_stored("portal_account.health", &row.health)?,
            health_since: row.health_since,
            not_before: row.not_before,
            budget: read("portal_account.budget", row.budget)?,
        })
    }
}

/// Returns the place to which the ciphertext of an account's session is bound. The session belongs
/// to no user.
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

/// Returns one account.
pub async fn get(tx: &mut Tx, id: PortalAccountId) -> Result<Option<PortalAccount>, Error> {
    one!(
        tx,
        Row,
        "SELECT id, country, visa_type, health, health_since, not_before, budget, session_kid, session_blob,
           session_version, session_secret, session_secret_version, session_sent_at FROM portal_account WHERE id = $1",
        id.0
    )?
    .map(PortalAccount::try_from)
    .transpose()
}

/// Finds the account with this login fingerprint, or inserts it under `id`. No other transaction
/// inserts it until this one ends.
pub async fn ensure(
    tx: &mut Tx,
    id: PortalAccountId,
    login_fp: &[u8],
    country: CountryCode,
    visa_type: VisaType,
    now: Instant,
) -> Result<PortalAccountId, Error> {
    exec!(
        tx,
        "INSERT INTO portal_account (id, login_fp, country, visa_type, health_since, budget, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $5)
         ON CONFLICT (login_fp) DO UPDATE SET login_fp = excluded.login_fp",
        id.0,
        login_fp.to_vec(),
        country.as_str(),
        visa_type.as_str(),
        now,
        serde_json::to_value(Budget::default()).map_err(|_| Error::Corrupt("budget"))?
    )?;
    find(tx, login_fp).await?.ok_or(Error::Corrupt("portal_account"))
}

/// Finds the account with this login fingerprint.
pub async fn find(tx: &mut Tx, login_fp: &[u8]) -> Result<Option<PortalAccountId>, Error> {
    let id = scalar!(
        tx,
        Option<Uuid>,
        "SELECT (SELECT id FROM portal_account WHERE login_fp = $1)",
        login_fp.to_vec()
    )?;
    Ok(id.map(PortalAccountId))
}

/// Changes the calls of the last ten hours, and blocks other changes of them until the transaction
/// ends. Returns the new budget and the result of `change`, or `None` if the account does not
/// exist. The only other writer is [`spend`].
pub async fn change_budget<T>(
    tx: &mut Tx,
    id: PortalAccountId,
    change: impl FnOnce(&mut Budget) -> T + Send,
) -> Result<Option<(Budget, T)>, Error> {
    let sql = tx.pick(
        "SELECT budget FROM portal_account WHERE id = $1",
        "SELECT budget FROM portal_account WHERE id = $1 FOR UPDATE",
    );
    let Some((Json(mut budget),)) = one!(tx, (Json<Budget>,), sql, id.0)? else { return Ok(None) };
    let answer = change(&mut budget);
    let written = serde_json::to_value(&budget).map_err(|_| Error::Corrupt("budget"))?;
    exec!(tx, "UPDATE portal_account SET budget = $2 WHERE id = $1", id.0, written)?;
    Ok(Some((budget, answer)))
}

/// Calls made at an instant (portal time).
pub type SpentCalls = (Calls, Instant);

/// Adds calls to the budgets of accounts and returns the new budgets. Runs two statements for any
/// number of accounts.
pub async fn spend(
    tx: &mut Tx,
    spent: &[(PortalAccountId, Vec<SpentCalls>)],
) -> Result<Vec<(PortalAccountId, Budget)>, Error> {
    if spent.is_empty() {
        return Ok(Vec::new());
    }
    let by_id: HashMap<Uuid, &Vec<SpentCalls>> = spent.iter().map(|(id, calls)| (id.0, calls)).collect();
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

/// Locks the account against changes until this transaction ends. SQLite needs no lock, because it
/// has one writer at a time.
pub async fn lock(tx: &mut Tx, id: PortalAccountId) -> Result<(), Error> {
    if matches!(tx, Tx::Postgres(_)) {
        exec!(tx, "SELECT 1 FROM portal_account WHERE id = $1 FOR UPDATE", id.0)?;
    }
    Ok(())
}

/// Allocates the version of the account's next session. No other session of it gets a version
/// before this transaction ends.
pub async fn next_session_version(tx: &mut Tx, id: PortalAccountId) -> Result<i32, Error> {
    scalar!(
        tx,
        i32,
        "UPDATE portal_account SET session_version = session_version + 1 WHERE id = $1 RETURNING session_version",
        id.0
    )
}

/// Replaces the account's stored session.
pub async fn set_session(
    tx: &mut Tx,
    id: PortalAccountId,
    session: &StoredSession,
    now: Instant,
) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE portal_account SET session_kid = $2, session_blob = $3, session_version = $4, session_secret = $5,
           session_secret_version = $6, session_sent_at = $7, session_at = $8 WHERE id = $1",
        id.0,
        session.sealed.kid.clone(),
        session.sealed.blob.clone(),
        session.version,
        session.secret.hash.to_vec(),
        session.secret.version,
        session.sent_at,
        now
    )?;
    Ok(())
}

/// Deletes the stored session of this version, but no later one, because a newer sign-in may have
/// replaced it. Returns `true` if a session was deleted.
pub async fn clear_session(tx: &mut Tx, id: PortalAccountId, version: i32) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "UPDATE portal_account SET session_kid = NULL, session_blob = NULL, session_secret = NULL,
           session_secret_version = NULL, session_sent_at = NULL, session_at = NULL
         WHERE id = $1 AND session_version = $2 AND session_kid IS NOT NULL",
        id.0,
        version
    )?;
    Ok(rows == 1)
}

/// Stores the account's health and the earliest time of the next request.
pub async fn set_health(
    tx: &mut Tx,
    id: PortalAccountId,
    health: AccountHealth,
    not_before: Option<Instant>,
    now: Instant,
) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE portal_account SET health_since = CASE WHEN health = $2 THEN health_since ELSE $4 END,
           health = $2, not_before = $3 WHERE id = $1",
        id.0,
        <&str>::from(health),
        not_before,
        now
    )?;
    Ok(())
}

/// Records that the account's groups page was answered and its changes were adopted.
pub async fn set_visited(tx: &mut Tx, id: PortalAccountId, at: Instant) -> Result<(), Error> {
    exec!(tx, "UPDATE portal_account SET visited_at = $2 WHERE id = $1", id.0, at)?;
    Ok(())
}

/// Returns every account with a running task or an open booking.
pub async fn in_use(tx: &mut Tx) -> Result<Vec<PortalAccount>, Error> {
    all!(
        tx,
        Row,
        "SELECT id, country, visa_type, health, health_since, not_before, budget, session_kid, session_blob,
           session_version, session_secret, session_secret_version, session_sent_at FROM portal_account WHERE id IN (SELECT portal_account_id FROM task
             WHERE deleted_at IS NULL AND status IN ('submitted', 'processing', 'active'))
           OR id IN (SELECT portal_account_id FROM intent WHERE state IN ('armed', 'acting', 'unknown'))"
    )?
    .into_iter()
    .map(PortalAccount::try_from)
    .collect()
}

/// Returns `true` if a running task uses this account, or one of its attempts is open.
pub async fn is_watched(tx: &mut Tx, id: PortalAccountId) -> Result<bool, Error> {
    let (tasks, attempts) = one!(
        tx,
        (i64, i64),
        "SELECT
           (SELECT COUNT(*) FROM task WHERE portal_account_id = $1 AND deleted_at IS NULL
              AND status IN ('submitted', 'processing', 'active')),
           (SELECT COUNT(*) FROM intent WHERE portal_account_id = $1 AND state IN ('armed', 'acting', 'unknown'))",
        id.0
    )?
    .unwrap_or_default();
    Ok(tasks + attempts > 0)
}

/// Fields of an account that the engine keeps in memory.
#[derive(Clone, Debug)]
pub struct AccountOutline {
    /// Id of the account.
    pub id: PortalAccountId,
    /// State of the account at the portal.
    pub health: AccountHealth,
    /// Earliest time of the next request.
    pub not_before: Option<Instant>,
    /// The calls of the last ten hours.
    pub budget: Budget,
    /// Time of the last answered groups page whose changes were adopted.
    pub visited_at: Option<Instant>,
}

#[derive(sqlx::FromRow)]
struct OutlineRow {
    id: Uuid,
    health: String,
    not_before: Option<DateTime<Utc>>,
    budget: Json<Budget>,
    visited_at: Option<DateTime<Utc>>,
}

impl TryFrom<OutlineRow> for AccountOutline {
    type Error = Error;
    fn try_from(row: OutlineRow) -> Result<Self, Error> {
        Ok(Self {
            id: PortalAccountId(row.id),
            health: parse_stored("portal_account.health", &row.health)?,
            not_before: row.not_before,
            budget: row.budget.0,
            visited_at: row.visited_at,
        })
    }
}

/// Returns the accounts of the running tasks with ids above `from` and up to `to`.
pub async fn of_running(tx: &mut Tx, (from, to): (TaskId, TaskId)) -> Result<Vec<AccountOutline>, Error> {
    let rows = all!(
        tx,
        OutlineRow,
        "SELECT id, health, not_before, budget, visited_at FROM portal_account WHERE id IN
           (SELECT portal_account_id FROM task WHERE id > $1 AND id <= $2
             AND deleted_at IS NULL AND status IN ('submitted', 'processing', 'active'))",
        from.0,
        to.0
    )?;
    rows.into_iter().map(AccountOutline::try_from).collect()
}

/// Returns one account with the fields that the engine keeps.
pub async fn outline(tx: &mut Tx, id: PortalAccountId) -> Result<Option<AccountOutline>, Error> {
    let row = one!(
        tx,
        OutlineRow,
        "SELECT id, health, not_before, budget, visited_at FROM portal_account WHERE id = $1",
        id.0
    )?;
    row.map(AccountOutline::try_from).transpose()
}

//! Evidence that portal accounts cannot book, by account and kind.

use chrono::{DateTime, Utc};
use domain::account_problem::{Episode, ProblemKind};
use domain::ids::PortalAccountId;
use uuid::Uuid;

use crate::task::parse_stored;
use crate::{Error, Tx, all, exec};

/// Problem episode of one account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccountProblem {
    /// Account with the problem.
    pub account: PortalAccountId,
    /// Kind of the problem.
    pub kind: ProblemKind,
    /// Number of occurrences, and their times.
    pub episode: Episode,
}

#[derive(sqlx::FromRow)]
struct Row {
    portal_account_id: Uuid,
    kind: String,
    began_at: DateTime<Utc>,
    last_at: DateTime<Utc>,
    occurrences: i32,
    notified_at: Option<DateTime<Utc>>,
}

impl TryFrom<Row> for AccountProblem {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            account: PortalAccountId(row.portal_account_id),
            kind: parse_stored("account_problem.kind", &row.kind)?,
            episode: Episode {
                began_at: row.began_at,
                last_at: row.last_at,
                occurrences: u32::try_from(row.occurrences).unwrap_or_default(),
                notified_at: row.notified_at,
            },
        })
    }
}

/// Returns every episode that is stored.
pub async fn list(tx: &mut Tx) -> Result<Vec<AccountProblem>, Error> {
    let sql = "SELECT * FROM account_problem ORDER BY portal_account_id, kind";
    all!(tx, Row, sql)?.into_iter().map(AccountProblem::try_from).collect()
}

/// Returns the episodes of one account.
pub async fn of_account(tx: &mut Tx, account: PortalAccountId) -> Result<Vec<AccountProblem>, Error> {
    let sql = "SELECT * FROM account_problem WHERE portal_account_id = $1 ORDER BY kind";
    all!(tx, Row, sql, account.0)?.into_iter().map(AccountProblem::try_from).collect()
}

/// Stores an episode. Replaces the previous one.
pub async fn set(tx: &mut Tx, problem: &AccountProblem) -> Result<(), Error> {
    let Episode { began_at, last_at, occurrences, notified_at } = problem.episode;
    exec!(
        tx,
        "INSERT INTO account_problem (portal_account_id, kind, began_at, last_at, occurrences, notified_at)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (portal_account_id, kind) DO UPDATE SET began_at = excluded.began_at,
           last_at = excluded.last_at, occurrences = excluded.occurrences, notified_at = excluded.notified_at",
        problem.account.0,
        <&str>::from(problem.kind),
        began_at,
        last_at,
        i32::try_from(occurrences).unwrap_or(i32::MAX),
        notified_at
    )?;
    Ok(())
}

/// Deletes an episode that has ended.
pub async fn delete(tx: &mut Tx, account: PortalAccountId, kind: ProblemKind) -> Result<(), Error> {
    let sql = "DELETE FROM account_problem WHERE portal_account_id = $1 AND kind = $2";
    exec!(tx, sql, account.0, <&str>::from(kind))?;
    Ok(())
}

//! Portal pages with an unexpected layout: one row per kind of page, with the latest shape.

use chrono::{DateTime, Utc};
use domain::clock::Instant;

use crate::{Error, Tx, all, exec};

/// Latest unexpected layout of a kind of page.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct ParseFailure {
    /// Kind of page.
    pub page: String,
    /// Failed expectation.
    pub what: String,
    /// Hash of the page's tags in hexadecimal, equal for equal layouts.
    pub shape: String,
    /// Number of failures since the first.
    pub count: i64,
    /// Time of the first failure.
    pub first_at: DateTime<Utc>,
    /// Time of the last failure.
    pub last_at: DateTime<Utc>,
}

/// Records a failure.
pub async fn record(tx: &mut Tx, page: &str, what: &str, shape: u64, now: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "INSERT INTO parse_failure (page, what, shape, count, first_at, last_at) VALUES ($1, $2, $3, 1, $4, $4)
         ON CONFLICT (page) DO UPDATE SET what = $2, shape = $3, count = parse_failure.count + 1, last_at = $4",
        page.to_owned(),
        what.to_owned(),
        format!("{shape:016x}"),
        now
    )?;
    Ok(())
}

/// Returns all failures, latest first.
pub async fn list(tx: &mut Tx) -> Result<Vec<ParseFailure>, Error> {
    all!(
        tx,
        ParseFailure,
        "SELECT page, what, shape, count, first_at, last_at FROM parse_failure ORDER BY last_at DESC, page"
    )
}

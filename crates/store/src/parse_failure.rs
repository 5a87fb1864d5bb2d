//! Pages of the portal that were not as known: one row per kind of page, with its last shape.

use chrono::{DateTime, Utc};
use domain::clock::Instant;

use crate::{Error, Tx, all, exec};

/// How a kind of page was last not as known.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct ParseFailure {
    /// The kind of page.
    pub page: String,
    /// Which expectation failed.
    pub what: String,
    /// Hash of the page's tags, hexadecimal: equal for equal layouts.
    pub shape: String,
    /// How often since the first.
    pub count: i64,
    /// The first time.
    pub first_at: DateTime<Utc>,
    /// The last time.
    pub last_at: DateTime<Utc>,
}

/// Remembers one failure.
pub async fn note(tx: &mut Tx, page: &str, what: &str, shape: u64, now: Instant) -> Result<(), Error> {
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

/// All that ever failed, the last one first.
pub async fn list(tx: &mut Tx) -> Result<Vec<ParseFailure>, Error> {
    all!(
        tx,
        ParseFailure,
        "SELECT page, what, shape, count, first_at, last_at FROM parse_failure ORDER BY last_at DESC, page"
    )
}

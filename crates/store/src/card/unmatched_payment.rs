//! Reported intents that match no payment here: kept until they were read at the provider.

use chrono::{DateTime, Utc};
use domain::clock::Instant;

use crate::{Error, Tx, all, exec, one};

/// Intent to be read.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct UnmatchedPayment {
    /// Provider's id.
    pub intent_id: String,
    /// Time of the first report.
    pub first_seen_at: DateTime<Utc>,
    /// Time of the next reading.
    pub next_read_at: DateTime<Utc>,
    /// Number of readings.
    pub readings: i64,
}

/// Result of reading an unmatched intent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr, strum::EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum Outcome {
    /// It belongs to this system after all.
    Adopted,
    /// It belongs to another system on the same provider account.
    NotOurs,
    /// It could not be read for too long.
    Unreadable,
}

impl Outcome {
    /// Returns the stored text.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Inserts an intent to be read at `now`. Returns its outcome if it was settled before.
pub async fn insert(tx: &mut Tx, intent_id: &str, now: Instant) -> Result<Option<Outcome>, Error> {
    exec!(
        tx,
        "INSERT INTO card_stray (intent_id, first_seen_at, next_read_at) VALUES ($1, $2, $2) ON CONFLICT DO NOTHING",
        intent_id.to_owned(),
        now
    )?;
    let found = one!(
        tx,
        (Option<String>,),
        "SELECT outcome FROM card_stray WHERE intent_id = $1",
        intent_id.to_owned()
    )?;
    let word = found.and_then(|(outcome,)| outcome);
    Ok(word.and_then(|word| word.parse().ok()))
}

/// Returns intents whose reading is due.
pub async fn due(tx: &mut Tx, now: Instant, limit: i64) -> Result<Vec<UnmatchedPayment>, Error> {
    all!(
        tx,
        UnmatchedPayment,
        "SELECT intent_id, first_seen_at, next_read_at, readings FROM card_stray
         WHERE next_read_at <= $1 ORDER BY next_read_at LIMIT $2",
        now,
        limit
    )
}

/// Claims a due reading and sets the time of the next one. Returns `false` if another process
/// claimed it first.
pub async fn claim(tx: &mut Tx, stray: &UnmatchedPayment, next_read_at: Instant) -> Result<bool, Error> {
    let changed = exec!(
        tx,
        "UPDATE card_stray SET next_read_at = $3, readings = readings + 1
         WHERE intent_id = $1 AND next_read_at = $2",
        stray.intent_id.clone(),
        stray.next_read_at,
        next_read_at
    )?;
    Ok(changed == 1)
}

/// Records the outcome of an intent and ends its readings.
pub async fn settle(tx: &mut Tx, intent_id: &str, outcome: Outcome) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE card_stray SET outcome = $2, next_read_at = NULL WHERE intent_id = $1 AND outcome IS NULL",
        intent_id.to_owned(),
        outcome.as_str()
    )?;
    Ok(())
}

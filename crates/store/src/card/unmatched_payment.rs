//! Intents we were told about and do not know: kept until somebody has read them at the provider.

use chrono::{DateTime, Utc};
use domain::clock::Instant;

use crate::{Error, Tx, all, exec, one};

/// An intent to be read.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct UnmatchedPayment {
    /// The provider's id.
    pub intent_id: String,
    /// When we first heard of it.
    pub first_seen_at: DateTime<Utc>,
    /// When it is due.
    pub next_read_at: DateTime<Utc>,
    /// How often it was read.
    pub readings: i64,
}

/// How a stray ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr, strum::EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum Outcome {
    /// It is a payment of ours after all.
    Adopted,
    /// Somebody else's, on the same account at the provider.
    NotOurs,
    /// It could not be read for too long.
    Unreadable,
}

impl Outcome {
    /// The stored word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Keeps an intent to be read at `now`; returns its end when it was read before.
pub async fn keep(tx: &mut Tx, intent_id: &str, now: Instant) -> Result<Option<Outcome>, Error> {
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

/// Those that are due.
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

/// Takes a reading that is due, and says when the next one is; false when another process was faster.
pub async fn take(tx: &mut Tx, stray: &UnmatchedPayment, next_read_at: Instant) -> Result<bool, Error> {
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

/// Ends one.
pub async fn end(tx: &mut Tx, intent_id: &str, outcome: Outcome) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE card_stray SET outcome = $2, next_read_at = NULL WHERE intent_id = $1 AND outcome IS NULL",
        intent_id.to_owned(),
        outcome.as_str()
    )?;
    Ok(())
}

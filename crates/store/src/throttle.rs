//! Guessing made slow: a growing delay per subject, never a hard lock.

use chrono::{DateTime, TimeDelta, Utc};
use domain::clock::Instant;

use crate::{Error, Tx, exec, one, scalar};

/// How fast the delay grows.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// Failures without any delay.
    pub free: i64,
    /// The first delay; each further failure doubles it.
    pub first: TimeDelta,
    /// The longest delay, and how long a quiet subject is remembered.
    pub longest: TimeDelta,
}

/// A subject being watched: what is guessed at, already hashed where it is personal.
#[derive(Clone, Debug)]
pub struct Subject {
    /// E.g. `login|<fingerprint>` or `ip|<fingerprint>`.
    pub key: String,
    /// Its policy.
    pub policy: Policy,
}

/// How long this subject must wait from now, if at all.
pub async fn wait(tx: &mut Tx, subject: &Subject, now: Instant) -> Result<Option<TimeDelta>, Error> {
    let row = one!(
        tx,
        (DateTime<Utc>,),
        "SELECT not_before FROM throttle WHERE subject = $1",
        subject.key.clone()
    )?;
    Ok(row.map(|(at,)| at - now).filter(|left| *left > TimeDelta::zero()))
}

/// Counts a failure and sets the next delay.
pub async fn fail(tx: &mut Tx, subject: &Subject, now: Instant) -> Result<(), Error> {
    let policy = subject.policy;
    let failures = scalar!(
        tx,
        i64,
        "INSERT INTO throttle (subject, failures, last_at, not_before) VALUES ($1, 1, $2, $2)
         ON CONFLICT (subject) DO UPDATE SET last_at = excluded.last_at,
           failures = CASE WHEN throttle.last_at < $3 THEN 1 ELSE throttle.failures + 1 END
         RETURNING failures",
        subject.key.clone(),
        now,
        now - policy.longest
    )?;
    let not_before = now + delay(policy, failures);
    exec!(tx, "UPDATE throttle SET not_before = $2 WHERE subject = $1", subject.key.clone(), not_before)?;
    Ok(())
}

/// Forgets a subject after a success.
pub async fn clear(tx: &mut Tx, subject: &Subject) -> Result<(), Error> {
    exec!(tx, "DELETE FROM throttle WHERE subject = $1", subject.key.clone())?;
    Ok(())
}

/// Forgets subjects quiet since `before`; answers how many.
pub async fn sweep(tx: &mut Tx, before: Instant) -> Result<u64, Error> {
    exec!(tx, "DELETE FROM throttle WHERE last_at < $1 AND not_before < $1", before)
}

fn delay(policy: Policy, failures: i64) -> TimeDelta {
    let over = failures - policy.free;
    if over < 0 {
        return TimeDelta::zero();
    }
    let factor = 2_i32.saturating_pow(u32::try_from(over.min(30)).unwrap_or(30));
    policy.first.checked_mul(factor).map_or(policy.longest, |d| d.min(policy.longest))
}

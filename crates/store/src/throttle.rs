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

/// An attempt that was counted as a failure before its outcome was known.
#[derive(Clone, Debug)]
pub struct Attempt {
    subject: Subject,
    before: Instant,
    at: Instant,
    not_before: Instant,
}

#[derive(sqlx::FromRow)]
struct Row {
    failures: i64,
    last_at: DateTime<Utc>,
    not_before: DateTime<Utc>,
}

/// Counts an attempt as a failure, or says how long this subject must wait; then the caller must roll back. Of
/// attempts made at once each sees those before it, so that slow checks do not let more through than quick ones.
pub async fn attempt(
    tx: &mut Tx,
    subject: &Subject,
    now: Instant,
) -> Result<Result<Attempt, TimeDelta>, Error> {
    // Changes nothing in a row that is there: it is the lock PostgreSQL needs, in words both databases know.
    let row = one!(
        tx,
        Row,
        "INSERT INTO throttle (subject, failures, last_at, not_before) VALUES ($1, 0, $2, $2)
         ON CONFLICT (subject) DO UPDATE SET subject = excluded.subject
         RETURNING failures, last_at, not_before",
        subject.key.clone(),
        now
    )?;
    let row = row.unwrap_or(Row { failures: 0, last_at: now, not_before: now });
    if row.not_before > now {
        return Ok(Err(row.not_before - now));
    }
    let policy = subject.policy;
    let failures = if row.last_at < now - policy.longest { 1 } else { row.failures + 1 };
    let not_before = now + delay(policy, failures);
    exec!(
        tx,
        "UPDATE throttle SET failures = $2, last_at = $3, not_before = $4 WHERE subject = $1",
        subject.key.clone(),
        failures,
        now,
        not_before
    )?;
    Ok(Ok(Attempt { subject: subject.clone(), before: row.last_at, at: now, not_before }))
}

/// Takes back an attempt that succeeded; what others failed at meanwhile stays.
pub async fn undo(tx: &mut Tx, attempt: &Attempt) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE throttle SET failures = failures - 1,
           last_at = CASE WHEN last_at = $2 THEN $3 ELSE last_at END,
           not_before = CASE WHEN not_before = $4 THEN $2 ELSE not_before END
         WHERE subject = $1 AND failures > 0",
        attempt.subject.key.clone(),
        attempt.at,
        attempt.before,
        attempt.not_before
    )?;
    Ok(())
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

fn delay(policy: Policy, failures: i64) -> TimeDelta {
    let over = failures - policy.free;
    if over < 0 {
        return TimeDelta::zero();
    }
    let factor = 2_i32.saturating_pow(u32::try_from(over.min(30)).unwrap_or(30));
    policy.first.checked_mul(factor).map_or(policy.longest, |d| d.min(policy.longest))
}

//! Guessing made slow: a growing delay per subject, never a hard lock.

use chrono::{DateTime, TimeDelta, Utc};
use domain::clock::Instant;

use crate::{Error, Tx, exec, one};

/// How fast the delay grows.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// Failures without any delay.
    pub free: i64,
    /// The first delay; each further failure doubles it.
    pub first: TimeDelta,
    /// The longest delay.
    pub longest: TimeDelta,
    /// How failures are forgotten.
    pub memory: Memory,
}

/// How failures are forgotten.
#[derive(Clone, Copy, Debug)]
pub enum Memory {
    /// All at once, when a subject was quiet for longer than the longest delay: for rates by the hour or day.
    WhileBusy,
    /// One each time this passes, whatever happens meanwhile: guessing that goes on gets no faster than this.
    Leaks(TimeDelta),
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
    failures: i64,
}

impl Attempt {
    /// How many failures of the subject count, this one included.
    #[must_use]
    pub const fn failures(&self) -> i64 {
        self.failures
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    failures: i64,
    last_at: DateTime<Utc>,
    not_before: DateTime<Utc>,
    leaked_at: Option<DateTime<Utc>>,
}

impl Row {
    /// The failures that still count, and up to when others were forgotten.
    fn remembered(&self, memory: Memory, longest: TimeDelta, now: Instant) -> (i64, Instant) {
        match memory {
            Memory::WhileBusy if self.last_at < now - longest => (0, now),
            Memory::WhileBusy => (self.failures, now),
            Memory::Leaks(every) => {
                let since = self.leaked_at.unwrap_or(self.last_at);
                let every = every.num_milliseconds().max(1);
                let leaked = ((now - since).num_milliseconds() / every).max(0);
                match self.failures - leaked {
                    left if left > 0 => (left, since + TimeDelta::milliseconds(leaked.saturating_mul(every))),
                    _ => (0, now),
                }
            }
        }
    }
}

/// Counts an attempt as a failure, or says how long this subject must wait; then the caller must roll back. Of
/// attempts made at once each sees those before it, so that slow checks do not let more through than quick ones.
pub async fn attempt(
    tx: &mut Tx,
    subject: &Subject,
    now: Instant,
) -> Result<Result<Attempt, TimeDelta>, Error> {
    let row = locked(tx, subject, now).await?;
    if row.not_before > now {
        return Ok(Err(row.not_before - now));
    }
    let (failures, not_before) = count(tx, subject, &row, now).await?;
    Ok(Ok(Attempt { subject: subject.clone(), before: row.last_at, at: now, not_before, failures }))
}

/// The subject's row, which nobody else changes until the transaction ends.
async fn locked(tx: &mut Tx, subject: &Subject, now: Instant) -> Result<Row, Error> {
    // Changes nothing in a row that is there: it is the lock PostgreSQL needs, in words both databases know.
    let row = one!(
        tx,
        Row,
        "INSERT INTO throttle (subject, failures, last_at, not_before, leaked_at) VALUES ($1, 0, $2, $2, $2)
         ON CONFLICT (subject) DO UPDATE SET subject = excluded.subject
         RETURNING failures, last_at, not_before, leaked_at",
        subject.key.clone(),
        now
    )?;
    Ok(row.unwrap_or(Row { failures: 0, last_at: now, not_before: now, leaked_at: Some(now) }))
}

/// One failure more; returns how many count, and when the next attempt may be made.
async fn count(tx: &mut Tx, subject: &Subject, row: &Row, now: Instant) -> Result<(i64, Instant), Error> {
    let policy = subject.policy;
    let (before, leaked_at) = row.remembered(policy.memory, policy.longest, now);
    let failures = before + 1;
    let not_before = now + delay(policy, failures);
    exec!(
        tx,
        "UPDATE throttle SET failures = $2, last_at = $3, not_before = $4, leaked_at = $5 WHERE subject = $1",
        subject.key.clone(),
        failures,
        now,
        not_before,
        leaked_at
    )?;
    Ok((failures, not_before))
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
    let row = locked(tx, subject, now).await?;
    count(tx, subject, &row, now).await?;
    Ok(())
}

/// Forgets a subject after a success.
pub async fn clear(tx: &mut Tx, key: &str) -> Result<(), Error> {
    exec!(tx, "DELETE FROM throttle WHERE subject = $1", key.to_owned())?;
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

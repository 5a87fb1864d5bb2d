//! Throttling of guesses: a growing delay per subject, never a permanent lock.

use chrono::{DateTime, TimeDelta, Utc};
use domain::clock::Instant;

use crate::{Error, Tx, exec, one};

/// Number of failures without a delay, and the growth of the delay after them.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// Number of failures without a delay.
    pub free: i64,
    /// First delay. Each further failure doubles it.
    pub first: TimeDelta,
    /// Maximum delay.
    pub longest: TimeDelta,
    /// Decay of failures.
    pub memory: Memory,
}

/// Decay of failures.
#[derive(Clone, Copy, Debug)]
pub enum Memory {
    /// All failures at once, after a quiet time longer than the longest delay: for rates per hour
    /// or day.
    WhileBusy,
    /// One failure each time this interval passes, independent of activity. It limits the rate of
    /// continuous guessing.
    Leaks(TimeDelta),
}

/// Subject of a throttle: the guessed thing, hashed if it is personal.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Key, e.g. `login|<fingerprint>` or `ip|<fingerprint>`.
    pub key: String,
    /// Policy of the subject.
    pub policy: Policy,
}

/// Returns the time that this subject must still wait, if any.
pub async fn wait(tx: &mut Tx, subject: &Subject, now: Instant) -> Result<Option<TimeDelta>, Error> {
    let row = one!(
        tx,
        (DateTime<Utc>,),
        "SELECT not_before FROM throttle WHERE subject = $1",
        subject.key.clone()
    )?;
    Ok(row.map(|(at,)| at - now).filter(|left| *left > TimeDelta::zero()))
}

/// Attempt that was counted as a failure before its outcome was known.
#[derive(Clone, Debug)]
pub struct Attempt {
    subject: Subject,
    before: Instant,
    at: Instant,
    not_before: Instant,
    failures: i64,
}

impl Attempt {
    /// Returns the number of counting failures of the subject, this one included.
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
    /// Returns the failures that still count, and the time up to which others have decayed.
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

/// Counts an attempt as a failure. Otherwise returns the subject's wait, and the caller must roll
/// back. Concurrent attempts see each other, so that slow checks let no more attempts through than
/// quick ones.
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

/// Returns the subject's row, locked until the transaction ends.
async fn locked(tx: &mut Tx, subject: &Subject, now: Instant) -> Result<Row, Error> {
    // The update changes nothing. It takes the row lock that PostgreSQL needs, in SQL that both
    // databases accept.
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

/// Adds one failure. Returns the number of counting failures, and the time of the next allowed
/// attempt.
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

/// Uncounts an attempt that succeeded. Failures of other attempts meanwhile stay.
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

/// Deletes a subject after a success.
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

//! Ask-first questions about booking a date: their bindings, lifetime, and reasons to refuse an
//! approval.

use chrono::{NaiveDate, TimeDelta};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::appointment::Slot;
use crate::clock::Instant;
use crate::facility::FacilityId;
use crate::ids::TaskId;

/// Lifetime of a question after the first provider accepted its message.
pub const FROM_ACCEPTANCE: TimeDelta = TimeDelta::minutes(2);
/// Maximum lifetime of a question after the poll that showed the date.
pub const FROM_SIGHTING: TimeDelta = TimeDelta::minutes(3);
/// Time within which the message must be sent; later it is dropped.
pub const SENT_WITHIN: TimeDelta = TimeDelta::seconds(60);
/// Lifetime of an approval.
pub const YES_LIVES: TimeDelta = TimeDelta::minutes(2);
/// Wait after an unapproved question's end before the next best date replaces it.
pub const GIVES_WAY_AFTER: TimeDelta = TimeDelta::minutes(10);
/// Wait after the sighting of a question before the same date is asked about again.
pub const ASKED_AGAIN_AFTER: TimeDelta = TimeDelta::hours(1);
/// Maximum number of further questions about a date while it stays listed.
pub const MOST_REPEATS: u32 = 2;
/// Maximum number of questions of a task in 24 hours. Undelivered questions do not count.
pub const MOST_A_DAY: u32 = 10;
/// Time after [`YES_LIVES`] within which the outcome is reported, unless no engine is running.
const TOLD_WITHIN: TimeDelta = TimeDelta::minutes(1);

/// A question with its bindings. Times are wall time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The task that asks.
    pub task: TaskId,
    /// The facility.
    pub facility: FacilityId,
    /// The date.
    pub day: NaiveDate,
    /// The appointment that the booking would replace; `None` for a first booking.
    pub current: Option<Slot>,
    /// Version of the criteria that accept the date.
    pub criteria_version: i32,
    /// Time of the poll that showed the date.
    pub seen_at: Instant,
    /// Time at which the first provider accepted the message.
    pub accepted_at: Option<Instant>,
    /// Time of the user's approval.
    pub answered_at: Option<Instant>,
    /// Time at which a booking request was committed for the approval, which permits only one.
    pub sent_at: Option<Instant>,
    /// Time at which the date vanished, or at which the next question about it replaced this one.
    pub gone_at: Option<Instant>,
    /// Time at which the user answered no.
    pub declined_at: Option<Instant>,
    /// Number of earlier questions about the date since it was listed.
    pub repeats: u32,
}

/// State of the task when its user approves.
#[derive(Clone, Copy, Debug)]
pub struct AskedTask<'a> {
    /// `true` if the task is neither paused, stopped nor deleted.
    pub runs: bool,
    /// Version of its criteria.
    pub criteria_version: i32,
    /// The appointment that it holds.
    pub booked: Option<&'a Slot>,
}

/// Reason to refuse an approval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalRefusal {
    /// The question was approved before.
    Spent,
    /// The appointment has changed.
    Moved,
    /// The criteria of the task have changed.
    Edited,
    /// The task is not running.
    Paused,
    /// The date is no longer listed.
    Gone,
    /// The time for an answer has ended.
    Late,
}

/// Outcome of an approval.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    ToSchema,
    strum::IntoStaticStr,
    strum::EnumString,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum YesOutcome {
    /// The day is booked.
    Booked,
    /// The date went to another task or has no time that the task accepts.
    Gone,
    /// A rule, a portal error or a refusal by the portal prevented the booking.
    NotBooked,
    /// The booking request was sent, and the portal does not show its result yet.
    Unknown,
}

impl YesOutcome {
    /// Returns the stored value.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Returns the time from which an answer to a question is late.
#[must_use]
pub fn valid_until(seen_at: Instant, accepted_at: Option<Instant>) -> Instant {
    let last = seen_at + FROM_SIGHTING;
    accepted_at.map_or(last, |accepted| last.min(accepted + FROM_ACCEPTANCE))
}

impl Question {
    /// Returns the time from which an answer is late.
    #[must_use]
    pub fn valid_until(&self) -> Instant {
        valid_until(self.seen_at, self.accepted_at)
    }

    /// Checks that an approval would be accepted now.
    ///
    /// # Errors
    /// Returns the first reason to refuse it.
    pub fn accepts(&self, task: &AskedTask<'_>, now: Instant) -> Result<(), ApprovalRefusal> {
        if self.answered_at.is_some() {
            return Err(ApprovalRefusal::Spent);
        }
        self.still_binds(task)?;
        // The lifetime is checked before the date: a question closed by a pause is late by then,
        // and its date may still be listed.
        if now >= self.valid_until() {
            return Err(ApprovalRefusal::Late);
        }
        if self.gone_at.is_some() {
            return Err(ApprovalRefusal::Gone);
        }
        Ok(())
    }

    /// Checks that an approval would be accepted now although the time for it may have ended. The
    /// engine books only a date that is still listed, and the approval is as short-lived as any.
    ///
    /// # Errors
    /// Returns the first reason to refuse it.
    pub fn accepts_late(&self, task: &AskedTask<'_>, now: Instant) -> Result<(), ApprovalRefusal> {
        match self.accepts(task, now) {
            Err(ApprovalRefusal::Late) if self.gone_at.is_none() => Ok(()),
            Err(ApprovalRefusal::Late) => Err(ApprovalRefusal::Gone),
            accepted => accepted,
        }
    }

    /// Returns `true` if the task may send another question about the same date at `now`.
    #[must_use]
    pub fn may_be_repeated(&self, now: Instant) -> bool {
        let is_unanswered = self.answered_at.is_none() && self.declined_at.is_none();
        is_unanswered && self.repeats < MOST_REPEATS && now >= self.seen_at + ASKED_AGAIN_AFTER
    }

    /// Returns `true` if a given approval may be used now; it may be used once. The portal shows
    /// later if the date is still available.
    #[must_use]
    pub fn permits(&self, task: &AskedTask<'_>, now: Instant) -> bool {
        let lives = self.answered_at.is_some_and(|at| now < at + YES_LIVES);
        lives && self.sent_at.is_none() && self.still_binds(task).is_ok()
    }

    /// Returns the outcome to report for an approval whose outcome is overdue, or `None` if it is
    /// not overdue.
    #[must_use]
    pub fn untold(&self, now: Instant) -> Option<YesOutcome> {
        let silent = self.answered_at.is_some_and(|at| now >= at + YES_LIVES + TOLD_WITHIN);
        silent.then(|| if self.sent_at.is_some() { YesOutcome::Unknown } else { YesOutcome::NotBooked })
    }

    fn still_binds(&self, task: &AskedTask<'_>) -> Result<(), ApprovalRefusal> {
        if task.booked != self.current.as_ref() {
            return Err(ApprovalRefusal::Moved);
        }
        if task.criteria_version != self.criteria_version {
            return Err(ApprovalRefusal::Edited);
        }
        if !task.runs {
            return Err(ApprovalRefusal::Paused);
        }
        Ok(())
    }
}

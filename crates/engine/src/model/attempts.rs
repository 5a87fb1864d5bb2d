//! Booking attempts under way, and their unwritten parts.

use chrono::TimeDelta;
use domain::appointment::Slot;
use domain::booking::{Attempts, Observation, ReadBackOutcome};
use domain::clock::Instant;
use domain::ids::{AttemptId, PortalAccountId, TaskId};
use domain::journal::PostEvent;
use store::booking_attempt::BookingAttempt;
use store::task::Task;

/// Values that were read and agree: the appointment that would be replaced, and the changes that
/// the portal allows.
pub(crate) struct Agreed {
    pub shown: Option<Slot>,
    pub attempts: Attempts,
    pub deadline: Option<Instant>,
    /// Time of the reading (wall time).
    pub read_at: Instant,
}

impl Agreed {
    /// Returns the values of the row, before anything is read.
    pub fn by_row(task: &Task) -> Self {
        Self {
            shown: task.booked,
            attempts: Attempts { left: task.attempts_left, used_here: task.reschedules_used },
            deadline: task.change_deadline,
            read_at: task.group_read_at,
        }
    }
}

/// Late readings that are due, as the last sweep found them.
#[derive(Debug, Default)]
pub(crate) struct LateReadings {
    pub due: Vec<(AttemptId, PortalAccountId)>,
    pub next: Option<Instant>,
}

/// An attempt as it was last committed or read, and its unwritten parts.
pub(crate) struct SentAttempt {
    pub attempt: BookingAttempt,
    pub task: Task,
    /// Evidence of how its POST ended, and its time.
    pub evidence: Option<(PostEvent, Instant)>,
    pub unwritten: Vec<Observation>,
    /// Time until which the new appointment may be changed, from an unwritten reading.
    pub deadline: Option<Instant>,
}

impl SentAttempt {
    /// Creates the entry of an attempt that was just committed or read.
    pub const fn new(attempt: BookingAttempt, task: Task) -> Self {
        Self { attempt, task, evidence: None, unwritten: Vec::new(), deadline: None }
    }

    /// Shifts the stored times after the clock was set by `by`.
    pub fn shift(&mut self, by: TimeDelta) {
        self.attempt.t0 = self.attempt.t0.map(|at| at + by);
        if let Some((_, at)) = &mut self.evidence {
            *at += by;
        }
        self.attempt.readings.iter_mut().chain(&mut self.unwritten).for_each(|reading| reading.at += by);
    }
}

/// An attempt to be read back, with its task.
pub(crate) struct Sent {
    pub attempt: BookingAttempt,
    pub task: Task,
    /// Number of its last readings that are not written.
    pub unwritten: usize,
    pub deadline: Option<Instant>,
}

/// Returns `true` if no request to the portal is needed: the unwritten readings decide, or the next
/// reading is not due.
pub(crate) fn is_only_to_write(sent: &Sent, outcome: &ReadBackOutcome, now: Instant) -> bool {
    sent.unwritten > 0
        && match outcome {
            ReadBackOutcome::ReadAgain { at, .. } => *at > now,
            _ => true,
        }
}

/// An attempt whose outcome has to be read.
pub(crate) struct LiveAttempt {
    pub task: TaskId,
    pub account: PortalAccountId,
    /// The exact slot, once the attempt is being sent.
    pub target: Option<Slot>,
    pub next_read_at: Option<Instant>,
}

/// Result of writing a read-back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Settled {
    /// The booking belongs to the task.
    Confirmed,
    /// Another outcome is written: not booked, read again later, left to manual resolution, or
    /// settled by another actor.
    Recorded,
    /// Nothing is written: another node holds the lease.
    NotLeader,
}

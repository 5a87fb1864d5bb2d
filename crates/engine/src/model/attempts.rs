//! Booking attempts under way, and what of them is not written yet.

use chrono::TimeDelta;
use domain::appointment::Slot;
use domain::booking::{Attempts, Observation, ReadBackOutcome};
use domain::clock::Instant;
use domain::ids::{AttemptId, PortalAccountId, TaskId};
use domain::journal::PostEvent;
use store::booking_attempt::BookingAttempt;
use store::task::Task;

/// What was read and agrees: the appointment that would be replaced, and what the portal allows.
pub(crate) struct Agreed {
    pub shown: Option<Slot>,
    pub attempts: Attempts,
    pub deadline: Option<Instant>,
    /// When that was read (wall time).
    pub read_at: Instant,
}

impl Agreed {
    /// As the row has it, before anything is read.
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

/// An attempt as it was committed or read last, and what is not written yet.
pub(crate) struct SentAttempt {
    pub attempt: BookingAttempt,
    pub task: Task,
    /// How its POST ended, and when.
    pub evidence: Option<(PostEvent, Instant)>,
    pub unwritten: Vec<Observation>,
    /// Until when the new appointment may be changed, as an unwritten reading told.
    pub deadline: Option<Instant>,
}

impl SentAttempt {
    /// As it was just committed or read.
    pub const fn new(attempt: BookingAttempt, task: Task) -> Self {
        Self { attempt, task, evidence: None, unwritten: Vec::new(), deadline: None }
    }

    /// The clock was set by so much.
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
    /// The last of its readings are not written.
    pub unwritten: usize,
    pub deadline: Option<Instant>,
}

/// Whether the portal need not be asked again: what was read and is not written decides, or the next reading is not due.
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
    /// The exact slot, once it is acting.
    pub target: Option<Slot>,
    pub next_read_at: Option<Instant>,
}

/// What writing a read-back came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Settled {
    /// The booking is ours.
    Confirmed,
    /// Anything else is written: not booked, read again later, left to a person, or settled by somebody else.
    Recorded,
    /// Nothing is written: another node holds the lease.
    NotLeader,
}

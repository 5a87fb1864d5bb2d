//! Booking attempts whose outcome is open, and their results that are not written to the database
//! yet.
//!
//! The engine reads back a sent attempt until the portal shows its outcome. Its row and readings
//! are also stored in memory, so read-backs continue while the database is unavailable.

use std::collections::{HashMap, HashSet};

use chrono::{NaiveDate, NaiveTime, TimeDelta};
use domain::appointment::{Appointment, Slot};
use domain::booking::{AttemptState, Observation, ReadBackOutcome};
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::ids::{AttemptId, PortalAccountId, TaskId};
use domain::journal::PostEvent;
use store::booking_attempt::BookingAttempt;
use store::task::Task;

/// Delay before unwritten readings are written again.
const WRITE_AGAIN: TimeDelta = TimeDelta::seconds(10);

/// Attempts whose outcome is open.
#[derive(Default)]
pub(crate) struct Attempts {
    open: HashMap<AttemptId, OpenAttempt>,
    /// Sent attempts that can be read back without the database.
    sent: HashMap<AttemptId, SentAttempt>,
    /// Read-backs that failed for internal reasons, each with the time of its next try.
    read_not_before: HashMap<AttemptId, Instant>,
    /// Late readings that are due, as the last sweep found them.
    late: LateReadings,
}

/// An open attempt.
struct OpenAttempt {
    task: TaskId,
    account: PortalAccountId,
    /// Slot of the booking request; `None` before the commit to send, and after the portal refused
    /// it.
    target: Option<Slot>,
    next_read_at: Option<Instant>,
}

impl OpenAttempt {
    fn of_row(row: &BookingAttempt) -> Self {
        Self {
            task: row.task_id,
            account: row.portal_account_id,
            target: row.target.map(|target| target.consular).filter(|_| !row.passed_on),
            next_read_at: row.next_read_at,
        }
    }
}

impl Attempts {
    /// Returns `true` if no attempt is open.
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Returns `true` if an open attempt prevents this account from booking.
    pub fn holds_account(&self, account: PortalAccountId) -> bool {
        self.open.values().any(|attempt| attempt.account == account)
    }

    /// Returns `true` if an attempt of this task is open.
    pub fn holds_task(&self, task: TaskId) -> bool {
        self.open.values().any(|attempt| attempt.task == task)
    }

    /// Returns the tasks with an open attempt.
    pub fn tasks(&self) -> HashSet<TaskId> {
        self.open.values().map(|attempt| attempt.task).collect()
    }

    /// Returns `true` if an attempt for a slot of this date was sent.
    pub fn targets_date(&self, facility: FacilityId, date: NaiveDate) -> bool {
        self.open.values().any(|attempt| {
            attempt.target.is_some_and(|target| target.facility == facility && target.date == date)
        })
    }

    /// Returns the times of a date for which tasks other than `task` have sent a booking request,
    /// each with the account that sent it.
    pub fn times_of_others(
        &self,
        task: TaskId,
        facility: FacilityId,
        date: NaiveDate,
    ) -> impl Iterator<Item = (PortalAccountId, NaiveTime)> {
        let others = self.open.values().filter(move |attempt| attempt.task != task);
        let sent = others.filter_map(|attempt| Some((attempt.account, attempt.target?)));
        sent.filter(move |(_, target)| (target.facility, target.date) == (facility, date))
            .map(|(account, target)| (account, target.time))
    }

    /// Returns `true` if a sent attempt can be read back without the database.
    pub fn is_known(&self, id: &AttemptId) -> bool {
        self.sent.contains_key(id)
    }

    /// Returns the attempts to be read back, in the order of their stored times. Each has the time
    /// of its next reading, which a failed reading delays.
    pub fn readings(&self) -> Vec<(Instant, AttemptId, PortalAccountId)> {
        let waiting = self.open.iter();
        let mut readings: Vec<_> =
            waiting.filter_map(|(id, open)| Some((open.next_read_at?, *id, open.account))).collect();
        readings.sort_unstable();
        for (at, id, _) in &mut readings {
            *at = self.read_not_before.get(id).map_or(*at, |not_before| (*at).max(*not_before));
        }
        readings
    }

    /// Adds an attempt whose row was just prepared.
    pub fn prepare(&mut self, id: AttemptId, task: TaskId, account: PortalAccountId) {
        self.open.insert(id, OpenAttempt { task, account, target: None, next_read_at: None });
    }

    /// Records that the state *sending* of an attempt is committed, with the committed row.
    pub fn mark_sending(&mut self, committed: BookingAttempt, task: Task) {
        if let Some(open) = self.open.get_mut(&committed.id) {
            open.next_read_at = committed.t0;
            open.target = committed.target.map(|target| target.consular);
        }
        self.sent.insert(committed.id, SentAttempt::new(committed, task));
    }

    /// Schedules the next reading of an attempt.
    pub fn read_at(&mut self, id: AttemptId, at: Instant) {
        if let Some(open) = self.open.get_mut(&id) {
            open.next_read_at = Some(at);
        }
    }

    /// Frees the slot of an attempt that the portal refused: another task may try for it.
    pub fn release_slot(&mut self, id: AttemptId) {
        if let Some(open) = self.open.get_mut(&id) {
            open.target = None;
        }
    }

    /// Delays the next read-back of an attempt, because the last one failed for an internal reason.
    pub fn delay_reading(&mut self, id: AttemptId, until: Instant) {
        self.read_not_before.insert(id, until);
    }

    /// Removes an attempt whose outcome is committed.
    pub fn forget(&mut self, id: AttemptId) {
        self.open.remove(&id);
        self.sent.remove(&id);
        self.read_not_before.remove(&id);
    }

    /// Replaces all attempts by the rows of open ones, at the start of an engine.
    pub fn load(&mut self, rows: &[BookingAttempt]) {
        self.open = rows.iter().map(|row| (row.id, OpenAttempt::of_row(row))).collect();
        self.forget_settled();
    }

    /// Replaces the open attempts by their rows, except those whose account `is_busy`, as a job
    /// works on them. Returns the prepared attempts that no job works on.
    pub fn take_over(
        &mut self,
        rows: Vec<BookingAttempt>,
        is_busy: impl Fn(PortalAccountId) -> bool,
    ) -> Vec<AttemptId> {
        self.open.retain(|_, known| is_busy(known.account));
        let mut left_over = Vec::new();
        for row in rows.into_iter().filter(|row| !is_busy(row.portal_account_id)) {
            if row.state == AttemptState::Prepared {
                left_over.push(row.id);
            } else {
                self.open.insert(row.id, OpenAttempt::of_row(&row));
            }
        }
        self.forget_settled();
        left_over
    }

    /// Forgets the readings and delays of attempts that are no longer open.
    fn forget_settled(&mut self) {
        let open = &self.open;
        self.sent.retain(|id, _| open.contains_key(id));
        self.read_not_before.retain(|id, _| open.contains_key(id));
    }

    /// Replaces the late readings that are due.
    pub fn set_late(&mut self, late: LateReadings) {
        self.late = late;
    }

    /// Takes the late readings that are due.
    pub fn take_late(&mut self) -> Vec<(AttemptId, PortalAccountId)> {
        std::mem::take(&mut self.late.due)
    }

    /// Returns the time of the next late reading that is not due yet.
    pub fn next_late(&self) -> Option<Instant> {
        self.late.next
    }

    /// Adds `by` to the stored times, because the clock was changed by `by`.
    pub fn shift(&mut self, by: TimeDelta) {
        self.open.values_mut().filter_map(|open| open.next_read_at.as_mut()).for_each(|at| *at += by);
        self.sent.values_mut().for_each(|sent| sent.shift(by));
        self.read_not_before.values_mut().for_each(|at| *at += by);
    }
}

/// Unwritten results of sent attempts.
impl Attempts {
    /// Returns a sent attempt with its unwritten results added. `row` is its row and task if they
    /// could be read. Returns `None` if the attempt is neither in `row` nor in memory.
    pub fn with_unwritten(&mut self, id: AttemptId, row: Option<(BookingAttempt, Task)>) -> Option<Sent> {
        if let Some((attempt, task)) = row {
            match self.sent.get_mut(&id) {
                Some(sent) => (sent.attempt, sent.task) = (attempt, task),
                None => drop(self.sent.insert(id, SentAttempt::new(attempt, task))),
            }
        }
        let sent = self.sent.get(&id)?;
        let mut attempt = sent.attempt.clone();
        if let Some((evidence, t0)) = &sent.evidence {
            attempt.end_post(evidence, *t0);
        }
        attempt.readings.extend(&sent.unwritten);
        let (unwritten, deadline) = (sent.unwritten.len(), sent.deadline);
        Some(Sent { attempt, task: sent.task.clone(), unwritten, deadline })
    }

    /// Stores the evidence of how a booking request ended until it is written.
    pub fn keep_evidence(&mut self, id: AttemptId, evidence: PostEvent, at: Instant) {
        if let Some(sent) = self.sent.get_mut(&id) {
            sent.evidence = Some((evidence, at));
        }
    }

    /// Returns the unwritten evidence of a booking request: its task, the evidence, and the time of
    /// its end.
    pub fn unwritten_evidence(&self, id: AttemptId) -> Option<(TaskId, PostEvent, Instant)> {
        let sent = self.sent.get(&id)?;
        let (evidence, at) = sent.evidence.clone()?;
        Some((sent.attempt.task_id, evidence, at))
    }

    /// Records that the evidence of a booking request is written.
    pub fn mark_evidence_written(&mut self, id: AttemptId) {
        if let Some(sent) = self.sent.get_mut(&id) {
            sent.evidence = None;
        }
    }

    /// Stores readings that could not be written, and schedules the next try. The row still has the
    /// time of the previous reading, so the attempt would otherwise be due in every round.
    pub fn keep_readings(
        &mut self,
        sent: &Sent,
        readings: &[Observation],
        deadline: Option<Instant>,
        outcome: &ReadBackOutcome,
        now: Instant,
    ) {
        let soon = now + WRITE_AGAIN;
        let at = match outcome {
            ReadBackOutcome::ReadAgain { at, .. } => soon.min(*at),
            _ => soon,
        };
        let written = sent.attempt.readings.len() - sent.unwritten;
        if let Some(known) = self.sent.get_mut(&sent.attempt.id) {
            known.unwritten = readings.iter().skip(written).copied().collect();
            known.deadline = deadline;
        }
        self.read_not_before.insert(sent.attempt.id, at);
    }

    /// Records that all readings of an attempt are written.
    pub fn mark_readings_written(&mut self, id: AttemptId, readings: Vec<Observation>) {
        self.read_not_before.remove(&id);
        if let Some(sent) = self.sent.get_mut(&id) {
            sent.unwritten.clear();
            sent.attempt.readings = readings;
        }
    }
}

/// Facts that a booking relies on: the appointment that it would replace, and the changes that the
/// portal still allows.
pub(crate) struct Agreed {
    pub shown: Option<Appointment>,
    pub attempts: domain::booking::Attempts,
    pub deadline: Option<Instant>,
    /// Time of the reading (wall time).
    pub read_at: Instant,
}

impl Agreed {
    /// Returns the values of the row, before anything is read.
    pub fn by_row(task: &Task) -> Self {
        Self {
            shown: task.booked,
            attempts: domain::booking::Attempts {
                left: task.attempts_left,
                used_here: task.reschedules_used,
            },
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

/// A sent attempt as last committed or read, and its unwritten results.
struct SentAttempt {
    attempt: BookingAttempt,
    task: Task,
    /// Evidence of how its booking request ended, and its time.
    evidence: Option<(PostEvent, Instant)>,
    unwritten: Vec<Observation>,
    /// Time until which the new appointment may be changed, from an unwritten reading.
    deadline: Option<Instant>,
}

impl SentAttempt {
    const fn new(attempt: BookingAttempt, task: Task) -> Self {
        Self { attempt, task, evidence: None, unwritten: Vec::new(), deadline: None }
    }

    fn shift(&mut self, by: TimeDelta) {
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

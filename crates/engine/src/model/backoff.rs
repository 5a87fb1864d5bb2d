//! Exponential back-off of failed work, by kind of work and subject. A subject is, for example, a
//! task or an account. A failure delays only its own subject.
//!
//! Sent attempts, settlement and leases have their own schedules instead.

use std::collections::{HashMap, HashSet};

use chrono::TimeDelta;
use domain::clock::Instant;
use domain::ids::TaskId;
use uuid::Uuid;

/// Pause after the first failure; it doubles with each further one.
const SHORTEST: TimeDelta = TimeDelta::seconds(10);
const LONGEST: TimeDelta = TimeDelta::hours(1);
/// Time after the end of a back-off at which the failures of the subject are forgotten.
const FORGOTTEN_AFTER: TimeDelta = TimeDelta::hours(6);

/// Kinds of work that back off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Work {
    Book,
    WarmUp,
    Prewarm,
    FinalRead,
    LateRead,
    Poll,
    /// A step of every round, as all kinds down to `NotifyStopped`; its subject is the nil id.
    TendQuestions,
    ActOnAnswers,
    Flush,
    PersistLearned,
    NotifyStopped,
    /// A step of the sweep, as all kinds down to `NotifyProblems`; its subject is the nil id.
    SweepDrafts,
    SweepCredentials,
    FindDue,
    StopRejected,
    NotifyProblems,
    /// Work of the sweep on one subject, as all kinds below.
    StopTask,
    NotifyDeadlines,
    GiveUpAttempt,
    ReleaseHold,
    CaptureHold,
}

/// Consecutive failures of one subject.
#[derive(Clone, Copy, Debug)]
struct Backoff {
    failures: u32,
    until: Instant,
}

/// Back-offs of failed subjects, and delays of task starts and of lease writes.
#[derive(Debug, Default)]
pub(crate) struct Backoffs {
    failed: HashMap<(Work, Uuid), Backoff>,
    /// Tasks whose start waits, each with the end of the wait.
    starts: HashMap<TaskId, Instant>,
    /// Tasks whose group was not on the groups page at the last read.
    missing_groups: HashSet<TaskId>,
    /// Time before which only read-backs are dispatched, because the leases of other jobs' accounts
    /// could not be written.
    leases: Option<Instant>,
}

impl Backoffs {
    /// Records a failure at `now`; returns the time from which the subject may be tried again.
    pub fn failed(&mut self, work: Work, subject: Uuid, now: Instant) -> Instant {
        self.failed.retain(|_, backoff| now - backoff.until < FORGOTTEN_AFTER);
        let backoff = self.failed.entry((work, subject)).or_insert(Backoff { failures: 0, until: now });
        let doubled = SHORTEST * 2_i32.pow(backoff.failures.min(9));
        backoff.failures = backoff.failures.saturating_add(1);
        backoff.until = now + doubled.min(LONGEST);
        backoff.until
    }

    /// Forgets the failures of a subject.
    pub fn succeeded(&mut self, work: Work, subject: Uuid) {
        self.failed.remove(&(work, subject));
    }

    /// Returns the time from which a subject may be tried again, if that is after `now`.
    pub fn until(&self, work: Work, subject: Uuid, now: Instant) -> Option<Instant> {
        self.failed.get(&(work, subject)).map(|backoff| backoff.until).filter(|until| *until > now)
    }

    /// Adds `by` to the stored times, because the clock was changed by `by`.
    pub fn shift(&mut self, by: TimeDelta) {
        self.failed.values_mut().for_each(|backoff| backoff.until += by);
        self.starts.values_mut().chain(&mut self.leases).for_each(|at| *at += by);
    }
}

/// Delays that do not grow.
impl Backoffs {
    /// Delays the start of a task until `until`.
    pub fn delay_start(&mut self, task: TaskId, until: Instant) {
        self.starts.insert(task, until);
    }

    /// Ends the delay of a task's start.
    pub fn end_delay(&mut self, task: TaskId) {
        self.starts.remove(&task);
    }

    /// Returns the end of the delay of a task's start, if there is one. It may be in the past.
    pub fn start_not_before(&self, task: TaskId) -> Option<Instant> {
        self.starts.get(&task).copied()
    }

    /// Records that the group of a task was not on the groups page, which is read again at `again`.
    /// Returns `true` if it was on the page at the reading before.
    pub fn add_missing_group(&mut self, task: TaskId, again: Instant) -> bool {
        self.starts.insert(task, again);
        self.missing_groups.insert(task)
    }

    /// Records that the group of a task is on the groups page.
    pub fn end_missing_group(&mut self, task: TaskId) {
        self.missing_groups.remove(&task);
    }

    /// Returns `true` if the group of a task was not on the groups page at the last read.
    pub fn misses_group(&self, task: TaskId) -> bool {
        self.missing_groups.contains(&task)
    }

    /// Delays all jobs but read-backs until leases of accounts can be written again.
    pub const fn delay_leases(&mut self, until: Instant) {
        self.leases = Some(until);
    }

    /// Returns the time before which only read-backs are dispatched, if that is after `now`.
    pub fn leases_until(&self, now: Instant) -> Option<Instant> {
        self.leases.filter(|until| *until > now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backoff_doubles_to_an_hour_and_resets_on_success() {
        let mut now: Instant = "2026-11-26T10:00:00Z".parse().expect("an instant");
        let (mut backoffs, subject) = (Backoffs::default(), Uuid::from_u128(7));
        let mut pauses = Vec::new();
        for _ in 0..11 {
            let until = backoffs.failed(Work::Poll, subject, now);
            pauses.push((until - now).num_seconds());
            assert_eq!(backoffs.until(Work::Poll, subject, now), Some(until));
            assert_eq!(
                backoffs.until(Work::WarmUp, subject, now),
                None,
                "other work of the subject continues"
            );
            now = until;
            assert_eq!(backoffs.until(Work::Poll, subject, now), None);
        }
        assert_eq!(pauses, [10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600]);
        backoffs.succeeded(Work::Poll, subject);
        assert_eq!((backoffs.failed(Work::Poll, subject, now) - now).num_seconds(), 10);
    }
}

//! Growing pauses of failed work, by subject and kind of work. A failure of one subject stops that
//! subject alone.
//!
//! Sent attempts, settlement and leases have schedules of their own and do not use these pauses.

use std::collections::HashMap;

use chrono::TimeDelta;
use domain::clock::Instant;
use domain::ids::PortalAccountId;
use uuid::Uuid;

use crate::model::job::Job;

/// Pause after the first failure; it doubles with each further one.
const SHORTEST: TimeDelta = TimeDelta::seconds(10);
const LONGEST: TimeDelta = TimeDelta::hours(1);
/// Time after its pause after which the failures of an untried subject are forgotten.
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
    /// A step of every round; its subject is the nil id.
    TendQuestions,
    ActOnAnswers,
    Flush,
    PersistLearned,
    NotifyStopped,
    /// A step of the sweep; its subject is the nil id.
    SweepDrafts,
    SweepCredentials,
    FindDue,
    StopRejected,
    NotifyProblems,
    /// One subject of the sweep.
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

/// Subjects whose last try failed.
#[derive(Debug, Default)]
pub(crate) struct Backoffs(HashMap<(Work, Uuid), Backoff>);

impl Backoffs {
    /// Records a failure at `now`; returns the time from which the subject may be tried again.
    pub fn failed(&mut self, work: Work, subject: Uuid, now: Instant) -> Instant {
        self.0.retain(|_, backoff| now - backoff.until < FORGOTTEN_AFTER);
        let backoff = self.0.entry((work, subject)).or_insert(Backoff { failures: 0, until: now });
        let doubled = SHORTEST * 2_i32.pow(backoff.failures.min(9));
        backoff.failures = backoff.failures.saturating_add(1);
        backoff.until = now + doubled.min(LONGEST);
        backoff.until
    }

    /// Forgets the failures of a subject.
    pub fn succeeded(&mut self, work: Work, subject: Uuid) {
        self.0.remove(&(work, subject));
    }

    /// Returns the time from which a subject may be tried again, if that is after `now`.
    pub fn until(&self, work: Work, subject: Uuid, now: Instant) -> Option<Instant> {
        self.0.get(&(work, subject)).map(|backoff| backoff.until).filter(|until| *until > now)
    }

    /// Shifts the stored times after the clock was set by `by`.
    pub fn shift(&mut self, by: TimeDelta) {
        self.0.values_mut().for_each(|backoff| backoff.until += by);
    }
}

impl Job {
    /// Returns the kind of work and the subject that back off when the job fails; `None` for a job
    /// with a schedule of its own.
    pub(crate) const fn backs_off(&self) -> Option<(Work, Uuid)> {
        match self {
            Self::ReadBack { .. } | Self::Book { .. } | Self::Probe { .. } | Self::Visit { .. } => None,
            Self::WarmUp { task, .. } => Some((Work::WarmUp, task.0)),
            Self::Prewarm { task, .. } => Some((Work::Prewarm, task.0)),
            Self::FinalRead { task, .. } => Some((Work::FinalRead, task.0)),
            Self::LateRead { attempt, .. } => Some((Work::LateRead, attempt.0)),
            Self::Poll { account: PortalAccountId(id), .. } => Some((Work::Poll, *id)),
        }
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

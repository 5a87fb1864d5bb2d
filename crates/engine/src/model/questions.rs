//! Dates about which tasks have asked their users, and the users' approvals.

use std::collections::{HashMap, HashSet};

use chrono::{NaiveDate, TimeDelta};
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::ids::TaskId;
use uuid::Uuid;

/// Task, facility and date of a question.
pub(crate) type Asked = (TaskId, FacilityId, NaiveDate);

/// A user's approval of a booking.
#[derive(Clone, Debug)]
pub(crate) struct Yes {
    /// The question that it answers.
    pub question: Uuid,
    /// Time from which it no longer counts (wall time).
    pub until: Instant,
    /// `true` if a booking request was committed for it: it permits no other.
    pub sent: bool,
    /// `true` if it has an outcome; kept until a later read of the rows no longer shows it.
    pub ended: bool,
    /// Time before which the task is not queued for the date again (portal time).
    pub not_before: Option<Instant>,
}

impl Yes {
    /// Returns `true` if a booking may still be tried with it.
    pub const fn counts(&self) -> bool {
        !self.sent && !self.ended
    }
}

/// Approvals without an outcome yet.
pub(crate) type Answers = HashMap<Asked, Yes>;

/// Dates about which tasks have asked, while the dates are listed.
#[derive(Default)]
pub(crate) struct AskedDays {
    /// For each question, the time until which an approval counts, and the time of its check for an
    /// answer.
    due: HashMap<Asked, (Instant, Instant)>,
    /// The earliest of these checks.
    next: Option<Instant>,
    /// Dates that were asked about in vain: their tasks skip them and ask about others.
    in_vain: HashMap<FacilityId, HashSet<(TaskId, NaiveDate)>>,
    /// Tasks that have used their number of questions, each with the time from which it may ask
    /// again.
    often: HashMap<TaskId, Instant>,
}

impl AskedDays {
    /// Records a question: an approval counts until `open_until`, and its outcome is checked later.
    pub fn ask(&mut self, asked: Asked, open_until: Instant, look_at: Instant) {
        self.due.insert(asked, (open_until, look_at));
        self.next = self.next.map_or(Some(look_at), |next| Some(next.min(look_at)));
    }

    /// Takes the questions whose check is due.
    pub fn take_due(&mut self, now: Instant) -> Vec<Asked> {
        if self.next.is_none_or(|next| next > now) {
            return Vec::new();
        }
        let due = self.due.extract_if(|_, (_, at)| *at <= now).map(|(asked, _)| asked).collect();
        self.next = self.due.values().map(|(_, at)| *at).min();
        due
    }

    /// Records that a question was not approved: the date yields to others.
    pub fn gives_way(&mut self, (task, facility, day): Asked) {
        self.in_vain.entry(facility).or_default().insert((task, day));
    }

    /// Forgets a question about a date.
    pub fn forget(&mut self, asked: Asked) {
        let (task, facility, day) = asked;
        self.due.remove(&asked);
        if let Some(days) = self.in_vain.get_mut(&facility) {
            days.remove(&(task, day));
        }
    }

    /// Forgets all questions of a task that stops, or whose criteria change.
    pub fn forget_task(&mut self, task: TaskId) {
        self.due.retain(|(of, ..), _| *of != task);
        self.in_vain.values_mut().for_each(|days| days.retain(|(of, _)| *of != task));
        self.often.remove(&task);
    }

    /// Returns the dates of a facility that were asked about in vain.
    pub fn in_vain(&self, facility: FacilityId) -> impl Iterator<Item = (TaskId, NaiveDate)> {
        self.in_vain.get(&facility).into_iter().flatten().copied()
    }

    /// Returns the questions for which an approval would count.
    pub fn open(&self, now: Instant) -> impl Iterator<Item = Asked> {
        self.due.iter().filter(move |(_, (until, _))| *until > now).map(|(asked, _)| *asked)
    }

    /// Records that the task asks no question before `until`.
    pub fn rests(&mut self, task: TaskId, until: Instant) {
        self.often.insert(task, until);
    }

    /// Returns `true` if a task has used its number of questions for now.
    pub fn is_resting(&self, task: TaskId, now: Instant) -> bool {
        self.often.get(&task).is_some_and(|until| *until > now)
    }

    /// Shifts the stored times after the clock was set by `by`.
    pub fn shift(&mut self, by: TimeDelta) {
        let due = self.due.values_mut().flat_map(|(until, at)| [until, at]);
        due.chain(self.often.values_mut()).chain(&mut self.next).for_each(|at| *at += by);
    }
}

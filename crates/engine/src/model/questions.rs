//! Days of which tasks have asked, and users' words that they may be booked.

use std::collections::{HashMap, HashSet};

use chrono::{NaiveDate, TimeDelta};
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::ids::TaskId;
use uuid::Uuid;

/// Of which task, which day.
pub(crate) type Asked = (TaskId, FacilityId, NaiveDate);

/// A yes.
#[derive(Clone, Debug)]
pub(crate) struct Yes {
    /// The question it answers.
    pub question: Uuid,
    /// When it counts no longer (wall time).
    pub until: Instant,
    /// A booking request was committed to on it: it carries no other.
    pub sent: bool,
    /// Something came of it; known until a look at the rows shows it no longer.
    pub ended: bool,
    /// The task is not put in line for the day again before this (portal time).
    pub not_before: Option<Instant>,
}

impl Yes {
    /// Whether a booking may still be tried for on it.
    pub const fn counts(&self) -> bool {
        !self.sent && !self.ended
    }
}

/// The words that something is still to come of.
pub(crate) type Answers = HashMap<Asked, Yes>;

/// Days of which tasks have asked, as long as they stand there.
#[derive(Default)]
pub(crate) struct AskedDays {
    /// Until when a yes counts, and when it is looked at whether the question was answered.
    due: HashMap<Asked, (Instant, Instant)>,
    /// The first of these.
    next: Option<Instant>,
    /// Days of which was asked in vain: their tasks leave them alone, and are asked of others.
    in_vain: HashMap<FacilityId, HashSet<(TaskId, NaiveDate)>>,
    /// Tasks that asked as often as they may, until they may again.
    often: HashMap<TaskId, Instant>,
}

impl AskedDays {
    /// A task has asked: a yes counts until `open_until`, and what came of it is looked at later.
    pub fn ask(&mut self, asked: Asked, open_until: Instant, look_at: Instant) {
        self.due.insert(asked, (open_until, look_at));
        self.next = self.next.map_or(Some(look_at), |next| Some(next.min(look_at)));
    }

    /// Takes the questions that are to be looked at now.
    pub fn take_due(&mut self, now: Instant) -> Vec<Asked> {
        if self.next.is_none_or(|next| next > now) {
            return Vec::new();
        }
        let due = self.due.extract_if(|_, (_, at)| *at <= now).map(|(asked, _)| asked).collect();
        self.next = self.due.values().map(|(_, at)| *at).min();
        due
    }

    /// Nobody said yes: the day gives way to others.
    pub fn gives_way(&mut self, (task, facility, day): Asked) {
        self.in_vain.entry(facility).or_default().insert((task, day));
    }

    /// Nothing is known of the day any more.
    pub fn forget(&mut self, asked: Asked) {
        let (task, facility, day) = asked;
        self.due.remove(&asked);
        if let Some(days) = self.in_vain.get_mut(&facility) {
            days.remove(&(task, day));
        }
    }

    /// Forgets everything of a task that stops, or whose criteria change.
    pub fn forget_task(&mut self, task: TaskId) {
        self.due.retain(|(of, ..), _| *of != task);
        self.in_vain.values_mut().for_each(|days| days.retain(|(of, _)| *of != task));
        self.often.remove(&task);
    }

    /// Days of a facility of which was asked in vain.
    pub fn in_vain(&self, facility: FacilityId) -> impl Iterator<Item = (TaskId, NaiveDate)> {
        self.in_vain.get(&facility).into_iter().flatten().copied()
    }

    /// Questions that a yes to would count.
    pub fn open(&self, now: Instant) -> impl Iterator<Item = Asked> {
        self.due.iter().filter(move |(_, (until, _))| *until > now).map(|(asked, _)| *asked)
    }

    /// The task asks no more before this.
    pub fn rests(&mut self, task: TaskId, until: Instant) {
        self.often.insert(task, until);
    }

    /// Whether a task has asked as often as it may.
    pub fn is_resting(&self, task: TaskId, now: Instant) -> bool {
        self.often.get(&task).is_some_and(|until| *until > now)
    }

    /// The clock was set by so much.
    pub fn shift(&mut self, by: TimeDelta) {
        let due = self.due.values_mut().flat_map(|(until, at)| [until, at]);
        due.chain(self.often.values_mut()).chain(&mut self.next).for_each(|at| *at += by);
    }
}

//! One poll answers everyone it can: the shared list, what it means, and whose tasks it matches.

use std::collections::HashSet;

use chrono::NaiveDate;
use domain::booking::Stop;
use domain::calendar::{CalendarKey, Change};
use domain::clock::Instant;
use domain::ids::TaskId;
use domain::journal::GoneReason;

use crate::model::empty_lists::InferredEffects;
use crate::model::list_agreement::ModeChange;
use crate::model::task_update::TaskUpdate;

/// Tasks told of one look at most: the rest is told at the next.
pub(crate) const MOST_NOTIFIED: usize = 1_000;

/// What an observation asks to be written.
#[derive(Default, PartialEq)]
pub(crate) struct Effects {
    pub change: Option<(Vec<NaiveDate>, Change)>,
    pub alerts: Vec<(TaskId, NaiveDate)>,
    /// Tasks that ask first, and days of which they ask.
    pub questions: Vec<(TaskId, NaiveDate)>,
    /// Tasks that would ask, and what would keep the day from being booked; noted as the next are.
    pub not_asked: Vec<(TaskId, NaiveDate, GoneReason)>,
    /// Days that somebody wants; taken out by who plans the next poll.
    pub wanted: HashSet<NaiveDate>,
    /// Days that tasks accept and must not book; taken out and noted for their journals before anything is written.
    pub stops: Vec<(TaskId, NaiveDate, Stop)>,
    pub gone: Vec<(TaskId, NaiveDate)>,
    pub told: Vec<TaskUpdate>,
    /// What it means beyond its days.
    pub inferred: InferredEffects,
    /// The calendar's lists are no longer, or again, everybody's.
    pub turned: Option<ModeChange>,
}

impl Effects {
    /// The change, when there is nothing else.
    pub fn change_alone(&self) -> Option<&(Vec<NaiveDate>, Change)> {
        self.change.as_ref().filter(|_| self.asks_nothing_else())
    }

    pub fn is_nothing(&self) -> bool {
        self.change.is_none() && self.asks_nothing_else()
    }

    fn asks_nothing_else(&self) -> bool {
        self.inferred.is_nothing()
            && self.alerts.is_empty()
            && self.questions.is_empty()
            && self.gone.is_empty()
            && self.told.is_empty()
            && self.turned.is_none()
    }
}

/// A list that changed and is not written yet.
pub(crate) struct ListChange {
    pub id: uuid::Uuid,
    pub key: CalendarKey,
    pub days: Vec<NaiveDate>,
    pub change: Change,
    pub at: Instant,
}

/// A poll that is taken in and not written yet.
pub(crate) struct PendingEffects {
    pub key: CalendarKey,
    pub at: Instant,
    pub effects: Effects,
}

impl PendingEffects {
    /// Leaves what this task is told to the booking that has begun for it.
    pub fn leave_to_booking(&mut self, task: TaskId) {
        self.effects.told.retain(|told| told.task != task);
    }
}

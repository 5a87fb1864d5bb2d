//! Effects of a poll that answers several tasks: the shared list, its meaning, and the matching
//! tasks.

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

/// Maximum number of tasks notified by one poll; the others are notified at the next.
pub(crate) const MOST_NOTIFIED: usize = 1_000;

/// Effects of an observation that are to be written.
#[derive(Default, PartialEq)]
pub(crate) struct Effects {
    pub change: Option<(Vec<NaiveDate>, Change)>,
    pub alerts: Vec<(TaskId, NaiveDate)>,
    /// Tasks in ask-first mode, and dates about which to ask their users.
    pub questions: Vec<(TaskId, NaiveDate)>,
    /// Tasks that would ask, and the reason why the date could not be booked; recorded in the same
    /// way as `stops`.
    pub not_asked: Vec<(TaskId, NaiveDate, GoneReason)>,
    /// Dates that at least one task wants. The planner of the next poll takes them out.
    pub wanted: HashSet<NaiveDate>,
    /// Dates that tasks accept and must not book. They are taken out and recorded for the journals
    /// before anything is written.
    pub stops: Vec<(TaskId, NaiveDate, Stop)>,
    pub gone: Vec<(TaskId, NaiveDate)>,
    pub told: Vec<TaskUpdate>,
    /// Effects of the poll beyond its dates.
    pub inferred: InferredEffects,
    /// Change of the calendar to split lists, or back to shared ones.
    pub turned: Option<ModeChange>,
}

impl Effects {
    /// Returns the change, if there is no other effect.
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
    /// Removes the conditions of this task: the booking that has begun for it sets them.
    pub fn leave_to_booking(&mut self, task: TaskId) {
        self.effects.told.retain(|told| told.task != task);
    }
}

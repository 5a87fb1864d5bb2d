//! What an opening is, and what one try for it means for everybody else who wants the day.

use std::collections::VecDeque;

use chrono::{NaiveDate, TimeDelta};
use domain::calendar::CalendarKey;
use domain::clock::Instant;
use domain::ids::{PortalAccountId, TaskId};

/// A day in a calendar that a task wants.
#[derive(Clone, Debug)]
pub(crate) struct Opening {
    pub key: CalendarKey,
    pub date: NaiveDate,
    /// Whose list shows it, as of when.
    pub seen: crate::model::list_agreement::ListOrigin,
    /// Who tried for the same day already when this try began: as long as they do, their times are left to them.
    pub ahead: Vec<PortalAccountId>,
}

/// How one try ended.
pub(crate) enum TryOutcome {
    /// The day has nothing for this task now: it is left alone for a while, the next in rank may try at once.
    NothingThere,
    /// The day has times, and none of them is one the task accepts.
    NoTimeFits,
    /// The session had ended: the same task tries again at once with a new one.
    Again,
    /// A rule, or something about the task or the account, kept it from being tried; nothing was sent.
    NothingSent,
    /// What passes soon, such as the portal's trouble, kept it from being tried; nothing was sent.
    Hindered,
    /// A POST left and the portal does not show it (yet); the next in rank waits ten seconds.
    Acted,
    /// The slot is ours.
    Booked,
}

impl TryOutcome {
    /// The word in figures.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::NothingThere => "nothing_there",
            Self::NoTimeFits => "no_time_fits",
            Self::Again => "again",
            Self::NothingSent => "nothing_sent",
            Self::Hindered => "hindered",
            Self::Acted => "acted",
            Self::Booked => "booked",
        }
    }
}

/// Maximum of losers of a day that get a `slot_gone` journal entry.
pub(crate) const LOSERS_NOTIFIED: usize = 50;

/// A day some tasks want, and who may still try for it.
pub(crate) struct OpeningQueue {
    pub key: CalendarKey,
    pub date: NaiveDate,
    pub seen_at: Instant,
    pub candidates: VecDeque<TaskId>,
    /// Whose list shows it, as of when.
    pub seen: crate::model::list_agreement::ListOrigin,
    pub trying: u32,
    /// How many can try at once: one until its times are known, then one per time.
    pub capacity: u32,
    pub not_before: Instant,
}

/// An opening nobody could act on is dropped after this.
pub(crate) const OPENING_LIVES: TimeDelta = TimeDelta::minutes(2);
/// The maximum number of accounts that try for one opening at once.
pub(crate) const BOOKERS_PER_OPENING: u32 = 3;

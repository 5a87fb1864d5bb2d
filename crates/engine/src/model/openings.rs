//! Openings, and outcomes of tries for them.

use std::collections::VecDeque;

use chrono::{NaiveDate, TimeDelta};
use domain::calendar::CalendarKey;
use domain::clock::Instant;
use domain::ids::{PortalAccountId, TaskId};

/// A date in a calendar that a task wants.
#[derive(Clone, Debug)]
pub(crate) struct Opening {
    pub key: CalendarKey,
    pub date: NaiveDate,
    /// Origin of the list that shows it.
    pub seen: crate::model::list_agreement::ListOrigin,
    /// Accounts that already tried for the same date when this try began. Times are left to them
    /// while they try.
    pub ahead: Vec<PortalAccountId>,
}

/// Outcome of one try.
pub(crate) enum TryOutcome {
    /// The date has nothing for this task now. The task skips it for a while, and the next in rank
    /// may try at once.
    NothingThere,
    /// The date has times, and the task accepts none of them.
    NoTimeFits,
    /// The session had ended: the same task tries again at once with a new one.
    Again,
    /// A rule, or the state of the task or the account, prevented the try; nothing was sent.
    NothingSent,
    /// A temporary cause, such as a failure of the portal, prevented the try; nothing was sent.
    Hindered,
    /// A POST left and the portal does not show the slot (yet). The next in rank waits ten seconds.
    Acted,
    /// The slot is booked for the task.
    Booked,
}

impl TryOutcome {
    /// Returns the metric label.
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

/// Maximum number of losers of a date that get a `slot_gone` journal entry.
pub(crate) const LOSERS_NOTIFIED: usize = 50;

/// A date that some tasks want, with the candidates that may still try for it.
pub(crate) struct OpeningQueue {
    pub key: CalendarKey,
    pub date: NaiveDate,
    pub seen_at: Instant,
    pub candidates: VecDeque<TaskId>,
    /// Origin of the list that shows it.
    pub seen: crate::model::list_agreement::ListOrigin,
    pub trying: u32,
    /// Maximum number of concurrent tries: one until its times are known, then one per time.
    pub capacity: u32,
    pub not_before: Instant,
}

/// Time after which an opening without a result is dropped.
pub(crate) const OPENING_LIVES: TimeDelta = TimeDelta::minutes(2);
/// Maximum number of accounts that try for one opening at once.
pub(crate) const BOOKERS_PER_OPENING: u32 = 3;

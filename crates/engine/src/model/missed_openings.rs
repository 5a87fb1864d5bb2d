//! Dates that a task wanted and that were not booked for it: no account could try in time, or a
//! rule forbids it. The task's journal records the reason, once until the date vanishes.

use domain::journal::GoneReason;
use std::collections::HashSet;

use chrono::NaiveDate;
use domain::booking::Stop;
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::ids::TaskId;

/// One date that one task missed.
pub(crate) struct MissedOpening {
    pub task: TaskId,
    pub facility: FacilityId,
    pub day: NaiveDate,
    pub why: MissReason,
    pub at: Instant,
}

/// Reason why a date was not booked for a task.
pub(crate) enum MissReason {
    /// No account could try for it in time.
    Gone(GoneReason),
    /// Its user was not asked, for this reason.
    NotAsked(GoneReason),
    /// A rule of the task.
    Stopped(Stop),
}

/// Entries that are not written yet, and recorded misses of dates that are still listed.
#[derive(Default)]
pub(crate) struct MissedOpenings {
    pub unwritten: Vec<MissedOpening>,
    pub told: HashSet<(TaskId, FacilityId, NaiveDate)>,
}

impl MissedOpenings {
    /// Forgets a date that vanished: when it comes back, the miss is recorded again.
    pub fn forget(&mut self, facility: FacilityId, day: NaiveDate) {
        if !self.told.is_empty() {
            self.told.retain(|(_, at, of)| (*at, *of) != (facility, day));
        }
    }
}

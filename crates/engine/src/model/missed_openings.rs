//! Days that a task wanted and that were not booked for it: nobody could try in time, or a rule forbids it. Its journal
//! says why, once until the day vanishes.

use domain::journal::GoneReason;
use std::collections::HashSet;

use chrono::NaiveDate;
use domain::booking::Stop;
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::ids::TaskId;

/// One day one task did not get to.
pub(crate) struct MissedOpening {
    pub task: TaskId,
    pub facility: FacilityId,
    pub day: NaiveDate,
    pub why: MissReason,
    pub at: Instant,
}

/// Why a day was not booked for a task.
pub(crate) enum MissReason {
    /// Nobody could try for it in time.
    Gone(GoneReason),
    /// Its user was not asked, because of this.
    NotAsked(GoneReason),
    /// A rule of the task's own.
    Stopped(Stop),
}

/// What is not written yet, and what was told of days that still stand there.
#[derive(Default)]
pub(crate) struct MissedOpenings {
    pub unwritten: Vec<MissedOpening>,
    pub told: HashSet<(TaskId, FacilityId, NaiveDate)>,
}

impl MissedOpenings {
    /// The day is gone: when it comes back, it is told again.
    pub fn forget(&mut self, facility: FacilityId, day: NaiveDate) {
        if !self.told.is_empty() {
            self.told.retain(|(_, at, of)| (*at, *of) != (facility, day));
        }
    }
}

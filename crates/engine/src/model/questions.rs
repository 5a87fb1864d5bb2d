//! Users' words that days may be booked.

use std::collections::HashMap;

use chrono::NaiveDate;
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
    /// Whether the task was put in line for the day.
    pub queued: bool,
}

/// The words that something is still to come of.
pub(crate) type Answers = HashMap<Asked, Yes>;

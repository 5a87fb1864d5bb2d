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

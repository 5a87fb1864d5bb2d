//! A question: may this day be booked? What it is bound to, how long it stands, and when a yes comes to nothing.

use chrono::{NaiveDate, TimeDelta};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::appointment::Slot;
use crate::clock::Instant;
use crate::facility::FacilityId;
use crate::ids::TaskId;

/// A question stands for so long from the first provider's acceptance of its message.
pub const FROM_ACCEPTANCE: TimeDelta = TimeDelta::minutes(2);
/// And for so long at most from the poll that showed the day.
pub const FROM_SIGHTING: TimeDelta = TimeDelta::minutes(3);
/// Its message is sent within this time, or not at all.
pub const SENT_WITHIN: TimeDelta = TimeDelta::seconds(60);
/// A yes is acted upon for so long.
pub const YES_LIVES: TimeDelta = TimeDelta::minutes(2);
/// A day of which was asked, and nobody said yes, gives way to the next best one so long after its question's time is over.
pub const GIVES_WAY_AFTER: TimeDelta = TimeDelta::minutes(10);
/// A task asks so often in 24 hours at most; what reached nobody does not count.
pub const MOST_A_DAY: u32 = 10;
/// What came of it is told within this time after that, unless the engine is away.
const TOLD_WITHIN: TimeDelta = TimeDelta::minutes(1);

/// What a question asks, and what it is bound to; instants are wall time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The task that asks.
    pub task: TaskId,
    /// Where.
    pub facility: FacilityId,
    /// The day.
    pub day: NaiveDate,
    /// The appointment it would replace; none for a first booking.
    pub current: Option<Slot>,
    /// The version of the criteria that accept the day.
    pub criteria_version: i32,
    /// When a poll showed the day.
    pub seen_at: Instant,
    /// When the first provider took the message.
    pub accepted_at: Option<Instant>,
    /// When its user said yes.
    pub answered_at: Option<Instant>,
    /// When a booking request was committed to on that yes: it carries one.
    pub sent_at: Option<Instant>,
    /// When the day vanished.
    pub gone_at: Option<Instant>,
}

/// The task as it stands when somebody says yes.
#[derive(Clone, Copy, Debug)]
pub struct AskedTask<'a> {
    /// Whether it runs: it is neither paused, stopped nor deleted.
    pub runs: bool,
    /// The version of its criteria.
    pub criteria_version: i32,
    /// The appointment it holds.
    pub booked: Option<&'a Slot>,
}

/// Why a yes comes to nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// Somebody said yes by this link before.
    Spent,
    /// The appointment is another one by now.
    Moved,
    /// The conditions of the task are others by now.
    Edited,
    /// The task does not run.
    Paused,
    /// The day is no longer listed.
    Gone,
    /// The time for an answer is over.
    Late,
}

/// What came of a yes.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    ToSchema,
    strum::IntoStaticStr,
    strum::EnumString,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum YesOutcome {
    /// The day is booked.
    Booked,
    /// Somebody else has it, or none of its times is one that the task accepts.
    Gone,
    /// A rule, the portal's trouble or its refusal kept it from being booked.
    NotBooked,
    /// The booking request was sent, and the portal does not show yet what it did.
    Unknown,
}

impl YesOutcome {
    /// The word it is stored as.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

impl Question {
    /// The instant from which on an answer is late.
    #[must_use]
    pub fn valid_until(&self) -> Instant {
        let last = self.seen_at + FROM_SIGHTING;
        self.accepted_at.map_or(last, |accepted| last.min(accepted + FROM_ACCEPTANCE))
    }

    /// Whether a yes would count now.
    ///
    /// # Errors
    /// The first reason why not.
    pub fn accepts(&self, task: &AskedTask<'_>, now: Instant) -> Result<(), Refusal> {
        if self.answered_at.is_some() {
            return Err(Refusal::Spent);
        }
        self.still_binds(task)?;
        // A question that a pause closed is late as well by then, and its date may stand.
        if now >= self.valid_until() {
            return Err(Refusal::Late);
        }
        if self.gone_at.is_some() {
            return Err(Refusal::Gone);
        }
        Ok(())
    }

    /// Whether a yes that was given may be acted upon now, once; whether the day is still there, the portal says.
    #[must_use]
    pub fn permits(&self, task: &AskedTask<'_>, now: Instant) -> bool {
        let lives = self.answered_at.is_some_and(|at| now < at + YES_LIVES);
        lives && self.sent_at.is_none() && self.still_binds(task).is_ok()
    }

    /// What must have come of a yes that nobody has told the outcome of by now.
    #[must_use]
    pub fn untold(&self, now: Instant) -> Option<YesOutcome> {
        let silent = self.answered_at.is_some_and(|at| now >= at + YES_LIVES + TOLD_WITHIN);
        silent.then(|| if self.sent_at.is_some() { YesOutcome::Unknown } else { YesOutcome::NotBooked })
    }

    fn still_binds(&self, task: &AskedTask<'_>) -> Result<(), Refusal> {
        if task.booked != self.current.as_ref() {
            return Err(Refusal::Moved);
        }
        if task.criteria_version != self.criteria_version {
            return Err(Refusal::Edited);
        }
        if !task.runs {
            return Err(Refusal::Paused);
        }
        Ok(())
    }
}

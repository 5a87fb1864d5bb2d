//! What a task does with a day that it accepts.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

/// What a task does with a day that it accepts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BookingMode {
    /// It books the day.
    #[default]
    Auto,
    /// It asks its user, and books the day on their word.
    Ask,
    /// It tells its user, and never changes the appointment.
    Notify,
}

/// The mode that a request names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestedMode {
    /// This one.
    This(BookingMode),
    /// One that changes the appointment: the task goes on asking where it asks, and books by itself otherwise.
    Changing,
}

/// A request names two modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("keep_current_appointment contradicts booking_mode")]
pub struct ModesDiffer;

impl RequestedMode {
    /// The mode of a request that names it by its word, as `keep_current_appointment` ([`BookingMode::Notify`]), by both or by
    /// none.
    ///
    /// # Errors
    /// When both are given and differ.
    pub fn new(word: Option<BookingMode>, keep: Option<bool>) -> Result<Option<Self>, ModesDiffer> {
        match (word, keep) {
            (Some(word), Some(keep)) if keep == word.changes() => Err(ModesDiffer),
            (Some(word), _) => Ok(Some(Self::This(word))),
            (None, Some(true)) => Ok(Some(Self::This(BookingMode::Notify))),
            (None, Some(false)) => Ok(Some(Self::Changing)),
            (None, None) => Ok(None),
        }
    }

    /// The mode of a task that had `before`.
    #[must_use]
    pub fn after(self, before: BookingMode) -> BookingMode {
        match (self, before) {
            (Self::This(mode), _) => mode,
            (Self::Changing, BookingMode::Ask) => BookingMode::Ask,
            (Self::Changing, _) => BookingMode::Auto,
        }
    }
}

impl BookingMode {
    /// Whether the appointment may be changed for it at all.
    #[must_use]
    pub const fn changes(self) -> bool {
        !matches!(self, Self::Notify)
    }
}

/// As it is stored among the criteria: to a version that knows nothing of questions, a task that asks only tells.
#[derive(Serialize, Deserialize)]
struct Stored {
    notify_only: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    ask_first: bool,
}

pub(crate) fn serialize<S: Serializer>(mode: &BookingMode, to: S) -> Result<S::Ok, S::Error> {
    Stored { notify_only: *mode != BookingMode::Auto, ask_first: *mode == BookingMode::Ask }.serialize(to)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<BookingMode, D::Error> {
    Ok(match Stored::deserialize(from)? {
        Stored { notify_only: false, .. } => BookingMode::Auto,
        Stored { ask_first: true, .. } => BookingMode::Ask,
        Stored { .. } => BookingMode::Notify,
    })
}

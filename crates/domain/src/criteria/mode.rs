//! Booking modes: the action of a task when the portal offers an acceptable date.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

/// Action of a task when the portal offers an acceptable date.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BookingMode {
    /// The task books the date.
    #[default]
    Auto,
    /// The task requests approval from its user, and books the date after the approval.
    Ask,
    /// The task notifies its user and never changes the appointment.
    Notify,
}

/// The mode that an API request sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestedMode {
    /// Exactly this mode.
    This(BookingMode),
    /// A mode that changes the appointment. [`BookingMode::Ask`] stays. Any other mode becomes
    /// [`BookingMode::Auto`].
    Changing,
}

/// Error for a request whose two mode fields contradict each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("keep_current_appointment contradicts booking_mode")]
pub struct ModesDiffer;

impl RequestedMode {
    /// Reads the mode from the fields `booking_mode` and `keep_current_appointment` of a request.
    /// `keep_current_appointment` means [`BookingMode::Notify`]. Returns `None` if both are absent.
    ///
    /// # Errors
    /// Returns [`ModesDiffer`] if the fields contradict each other.
    pub fn new(word: Option<BookingMode>, keep: Option<bool>) -> Result<Option<Self>, ModesDiffer> {
        match (word, keep) {
            (Some(word), Some(keep)) if keep == word.changes() => Err(ModesDiffer),
            (Some(word), _) => Ok(Some(Self::This(word))),
            (None, Some(true)) => Ok(Some(Self::This(BookingMode::Notify))),
            (None, Some(false)) => Ok(Some(Self::Changing)),
            (None, None) => Ok(None),
        }
    }

    /// Returns the new mode of a task that had the mode `before`.
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
    /// Returns `true` if the task may change the appointment.
    #[must_use]
    pub const fn changes(self) -> bool {
        !matches!(self, Self::Notify)
    }
}

/// Form in which the mode is stored among the criteria. Versions without ask-first read a task that
/// requires approval as a notify-only task.
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

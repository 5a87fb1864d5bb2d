//! Actions of a task on an acceptable date.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

/// Action of a task on an acceptable date.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BookingMode {
    /// The task books the date.
    #[default]
    Auto,
    /// The task asks its user and books the date after approval.
    Ask,
    /// The task notifies its user and never changes the appointment.
    Notify,
}

/// The mode given in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestedMode {
    /// Exactly this mode.
    This(BookingMode),
    /// Any mode that changes the appointment: [`BookingMode::Ask`] stays, any other mode becomes
    /// [`BookingMode::Auto`].
    Changing,
}

/// Error for a request with two different modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("keep_current_appointment contradicts booking_mode")]
pub struct ModesDiffer;

impl RequestedMode {
    /// Reads the mode of a request. A request gives `booking_mode`, `keep_current_appointment`
    /// ([`BookingMode::Notify`]), both or neither.
    ///
    /// # Errors
    /// Returns [`ModesDiffer`] if both are given and differ.
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

/// The form stored among the criteria. A version without ask-first reads a task that asks as one
/// that only notifies.
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

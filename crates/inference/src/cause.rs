//! Why a list of days is empty: the causes, and how likely each of them is.

mod answer;
pub mod ban;
pub mod hours;
pub mod infer;
pub mod list;
pub mod overload_estimator;
pub mod pool;
mod probabilities;
pub mod quiet;
mod result;

use serde::{Deserialize, Serialize};

/// What an empty list most likely means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EmptyCause {
    /// There are no days.
    #[serde(rename = "truly")]
    NoAvailability,
    /// Booked accounts see nothing at this hour.
    RestrictedHours,
    /// The account is softly banned.
    SoftBan,
    /// The portal is overloaded and answers with nothing.
    Overload,
}

impl EmptyCause {
    /// The word in evidence, metrics and tables.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NoAvailability => "truly",
            Self::RestrictedHours => "restricted_hours",
            Self::SoftBan => "soft_ban",
            Self::Overload => "overload",
        }
    }
}

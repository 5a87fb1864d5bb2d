//! Why a list of days is empty: the causes, and how likely each of them is.

mod answer;
pub mod ban;
pub mod hours;
pub mod judge;
pub mod list;
pub mod pool;
pub mod quiet;
mod told;
pub mod weather;
mod weigh;

use serde::{Deserialize, Serialize};

/// What an empty list most likely means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Empty {
    /// There are no days.
    Truly,
    /// Booked accounts see nothing at this hour.
    RestrictedHours,
    /// The account is softly banned.
    SoftBan,
    /// The portal is overloaded and answers with nothing.
    Overload,
}

impl Empty {
    /// The word in evidence, metrics and tables.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Truly => "truly",
            Self::RestrictedHours => "restricted_hours",
            Self::SoftBan => "soft_ban",
            Self::Overload => "overload",
        }
    }
}

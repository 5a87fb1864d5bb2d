//! Causes of an empty list of dates, and the probability of each.

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

/// Most likely cause of an empty list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EmptyCause {
    /// No dates are available.
    #[serde(rename = "truly")]
    NoAvailability,
    /// Accounts with an appointment see no dates at this hour.
    RestrictedHours,
    /// The account is soft-banned.
    SoftBan,
    /// The portal is overloaded and returns an empty list.
    Overload,
}

impl EmptyCause {
    /// Returns the value used in evidence, metrics and tables.
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

//! What the next poll of a calendar waits for.

use serde::{Deserialize, Serialize};

/// What keeps the next poll from being made now.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    utoipa::ToSchema,
    strum::EnumString,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum PollWait {
    /// The account has used its polls of the hour.
    HourLimit,
    /// The account has used its polls of ten hours.
    TenHourLimit,
    /// The account has used its requests of ten hours.
    RequestLimit,
    /// The account backs off: a ban, a lock, a failure.
    AccountRest,
    /// Lists prove nothing at this hour, so polls are few.
    RestrictedHours,
    /// The portal's host backs off: it failed, or asked for it.
    HostBackOff,
    /// An operator paused all requests to the portal.
    OperatorPause,
    /// No engine holds the lease.
    EngineAway,
}

impl PollWait {
    /// Returns the word in the database and on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Returns `true` where no account polls, whatever its budget.
    #[must_use]
    pub const fn stops_everybody(self) -> bool {
        matches!(self, Self::HostBackOff | Self::OperatorPause | Self::EngineAway)
    }

    /// Returns `true` where a budget of the account is used up.
    pub(crate) const fn is_limit(self) -> bool {
        matches!(self, Self::HourLimit | Self::TenHourLimit | Self::RequestLimit)
    }
}

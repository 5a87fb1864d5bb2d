//! Reasons that delay the next poll of a calendar.

use serde::{Deserialize, Serialize};

/// Reason that prevents the next poll now.
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
    /// The account has used its polls of the last hour.
    HourLimit,
    /// The account has used its polls of the last ten hours.
    TenHourLimit,
    /// The account has used its requests of the last ten hours.
    RequestLimit,
    /// The account backs off: a ban, a lock, a failure.
    AccountRest,
    /// Lists prove nothing at this hour, so polls are rare.
    RestrictedHours,
    /// The portal's host backs off after a failure or at its own request.
    HostBackOff,
    /// An operator paused all requests to the portal.
    OperatorPause,
    /// No engine holds the lease.
    EngineAway,
}

impl PollWait {
    /// Returns the value in the database and on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Returns `true` if no account polls, independent of its budget.
    #[must_use]
    pub const fn stops_everybody(self) -> bool {
        matches!(self, Self::HostBackOff | Self::OperatorPause | Self::EngineAway)
    }

    /// Returns `true` if a budget of the account is used up.
    pub(crate) const fn is_limit(self) -> bool {
        matches!(self, Self::HourLimit | Self::TenHourLimit | Self::RequestLimit)
    }
}

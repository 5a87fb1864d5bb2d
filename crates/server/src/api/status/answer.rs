//! Response of `GET /status`.

use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;

use super::hours::PortalHour;

/// Status of the service.
#[derive(Clone, Serialize, ToSchema)]
#[cfg_attr(test, derive(serde::Deserialize))]
pub struct Status {
    /// Time of this status, in portal time.
    pub(crate) at: DateTime<Utc>,
    pub(crate) portal: PortalStatus,
    pub(crate) engine: EngineStatus,
    pub(crate) delivery: DeliveryStatus,
    /// `true` if this server is a demonstration.
    pub(crate) demo: bool,
    /// Currency code (ISO 4217).
    #[cfg_attr(test, serde(skip_deserializing))]
    pub(crate) currency: &'static str,
}

/// Status of the portal as this server sees it.
#[derive(Clone, Serialize, ToSchema)]
#[cfg_attr(test, derive(serde::Deserialize))]
pub struct PortalStatus {
    pub(crate) state: PortalState,
    /// Start of the slow or unavailable period, to the hour; null while the portal responds, or if
    /// the start is unknown.
    pub(crate) since: Option<DateTime<Utc>>,
    pub(crate) last_answer_at: Option<DateTime<Utc>>,
    /// Average response time of a poll within the last two hours, in milliseconds; null without
    /// polls.
    pub(crate) latency_ms: Option<i64>,
    /// The last 24 hours, oldest first; the last one is still in progress.
    pub(crate) hours: Vec<PortalHour>,
}

/// State of mail delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[cfg_attr(test, derive(serde::Deserialize))]
#[serde(rename_all = "lowercase")]
pub enum MailState {
    /// Mails are delivered.
    Ok,
    /// Some mails failed and wait for a retry.
    Failing,
    /// No mail server is configured.
    Off,
}

/// Status of mail delivery.
#[derive(Clone, Serialize, ToSchema)]
#[cfg_attr(test, derive(serde::Deserialize))]
pub struct DeliveryStatus {
    pub(crate) mail: MailState,
    /// Number of waiting mails.
    pub(crate) waiting: i64,
    /// Number of waiting mails that failed before.
    pub(crate) failing: i64,
    /// Age of the oldest waiting mail in seconds; null if none waits.
    pub(crate) waiting_seconds: Option<i64>,
    /// Number of mails that the mail server accepted within the last 24 hours.
    pub(crate) delivered_day: i64,
}

/// State of the portal according to the polls of the running tasks.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[cfg_attr(test, derive(serde::Deserialize))]
#[serde(rename_all = "lowercase")]
pub enum PortalState {
    /// The polls found no problem.
    Ok,
    /// The portal is overloaded for some tasks.
    Slow,
    /// The portal is down for some tasks.
    Down,
    /// No poll was sent yet.
    Unknown,
}

/// Status of the engine.
#[derive(Clone, Serialize, ToSchema)]
#[cfg_attr(test, derive(serde::Deserialize))]
pub struct EngineStatus {
    /// `true` if an engine holds the lease.
    pub(crate) active: bool,
    #[serde(rename = "last_look_at")]
    pub(crate) last_poll_at: Option<DateTime<Utc>>,
    /// Time of the next planned poll; null while no task runs.
    #[serde(rename = "next_look_at")]
    pub(crate) next_poll_at: Option<DateTime<Utc>>,
    /// Time at which the operator paused requests to the portal; null if they are not paused.
    /// Requests that verify a booking continue.
    pub(crate) paused_since: Option<DateTime<Utc>>,
}

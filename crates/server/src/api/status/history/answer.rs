//! Response of `GET /status/history`.

use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::status::hours::{HourState, Incident};

/// State of the portal on one date in Toronto.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(serde::Deserialize))]
pub struct PortalDay {
    pub(crate) day: NaiveDate,
    pub(crate) state: HourState,
    /// Number of answered polls.
    pub(crate) looks: i64,
    /// Number of polls without an answer.
    pub(crate) failures: i64,
    /// Average response time in milliseconds; null without answers.
    pub(crate) latency_ms: Option<i64>,
    /// Number of hours of the date that belong to an incident.
    pub(crate) bad_hours: i64,
}

/// State of the portal in the last three months, if polls of that time are stored.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(serde::Deserialize))]
pub struct StatusHistory {
    /// Time of this history, in portal time.
    pub(crate) at: DateTime<Utc>,
    /// The last 90 days in Toronto, oldest first; the last one is still in progress.
    pub(crate) days: Vec<PortalDay>,
    /// Incidents of the last 30 days, newest first, at most 20.
    pub(crate) incidents: Vec<Incident>,
    /// Start of the records; null before the first poll.
    pub(crate) recorded_since: Option<DateTime<Utc>>,
    /// `true` if any running task needs polls.
    pub(crate) watching: bool,
    /// Delay in seconds of the most overdue poll; null if none is overdue.
    pub(crate) overdue_seconds: Option<i64>,
}

//! Input and output of the cause inference.

use chrono::NaiveDate;
use serde::Serialize;

use super::EmptyCause;
use domain::calendar::CalendarKey;
use domain::clock::Instant;
use domain::ids::PortalAccountId;

/// One answered poll.
#[derive(Clone, Copy, Debug)]
pub struct AnsweredPoll<'a> {
    /// Time of the poll.
    pub at: Instant,
    /// The polling account.
    pub account: PortalAccountId,
    /// The calendar: facility and kind of applicant.
    pub key: &'a CalendarKey,
    /// The dates shown, sorted.
    pub days: &'a [NaiveDate],
    /// Number of polls of the account in the last ten hours, including this one.
    pub calls: u32,
}

/// Evidence for an inferred cause.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Evidence {
    /// Number of polls of the account in the last ten hours.
    pub calls: u32,
    /// The hour at the consulate.
    pub local_hour: u32,
    /// Minutes between the poll and the nearest poll in which another account saw dates in this
    /// list.
    pub others_saw_minutes: Option<i64>,
    /// Number of empty lists that other accounts saw within half an hour.
    pub others_empty: u32,
    /// Minutes since this account saw any date.
    pub own_saw_minutes_ago: Option<i64>,
    /// Number of consecutive empty answers of this account, over all its lists.
    pub empty_in_a_row: u32,
    /// Number of failures and slow answers of the portal within minutes.
    #[serde(rename = "troubles")]
    pub portal_errors: u32,
    /// Probabilities in percent: dates existed, ban, restricted hours, overload.
    pub percent: [u8; 4],
}

/// Inferred cause of one empty answer.
#[derive(Clone, Debug, PartialEq)]
pub struct InferredCause {
    /// Number of the poll.
    pub id: u64,
    /// Time of the poll.
    pub at: Instant,
    /// The polling account.
    pub account: PortalAccountId,
    /// The calendar.
    pub key: CalendarKey,
    /// The inferred cause.
    pub meaning: EmptyCause,
    /// Probability of that cause, 0 to 1.
    pub confidence: f64,
    /// `true` if the list may be taken as empty.
    pub trusted: bool,
    /// Probability that the account was banned.
    pub banned: f64,
    /// Evidence for the cause.
    pub evidence: Evidence,
}

/// Result of observing one answer.
#[derive(Clone, Debug, Default)]
pub struct Inferences {
    /// Inferred cause of this answer, if it was empty.
    pub own: Option<InferredCause>,
    /// Earlier empty answers whose inferred cause has changed.
    pub changed: Vec<InferredCause>,
}

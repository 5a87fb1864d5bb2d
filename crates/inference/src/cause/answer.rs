//! What the inference takes in, and what it returns.

use chrono::NaiveDate;
use serde::Serialize;

use super::EmptyCause;
use domain::calendar::CalendarKey;
use domain::clock::Instant;
use domain::ids::PortalAccountId;

/// One answered poll.
#[derive(Clone, Copy, Debug)]
pub struct AnsweredPoll<'a> {
    /// When.
    pub at: Instant,
    /// Who looked.
    pub account: PortalAccountId,
    /// Where, and as what kind of applicant.
    pub key: &'a CalendarKey,
    /// The days shown, sorted.
    pub days: &'a [NaiveDate],
    /// Polls of the account in the last ten hours, this one included.
    pub calls: u32,
}

/// What spoke for a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Evidence {
    /// Polls of the account in the last ten hours.
    pub calls: u32,
    /// The hour at the consulate.
    pub local_hour: u32,
    /// Minutes since another account was shown days in this list, or until one was.
    pub others_saw_minutes: Option<i64>,
    /// Accounts that were shown an empty list within half an hour.
    pub others_empty: u32,
    /// Minutes since this account was shown any day.
    pub own_saw_minutes_ago: Option<i64>,
    /// Empty answers of this account in a row, over all its lists.
    pub empty_in_a_row: u32,
    /// Failures and slow answers of the portal within minutes.
    #[serde(rename = "troubles")]
    pub portal_errors: u32,
    /// In percent: how likely there were days, a ban, restricted hours, an overload.
    pub percent: [u8; 4],
}

/// The meaning of one empty answer.
#[derive(Clone, Debug, PartialEq)]
pub struct InferredCause {
    /// Number of the poll.
    pub id: u64,
    /// When it was made.
    pub at: Instant,
    /// Who looked.
    pub account: PortalAccountId,
    /// Where.
    pub key: CalendarKey,
    /// What it means.
    pub meaning: EmptyCause,
    /// How likely that is, 0 to 1.
    pub confidence: f64,
    /// Whether the list may be taken as empty.
    pub trusted: bool,
    /// How likely the account was banned.
    pub banned: f64,
    /// What it rests on.
    pub evidence: Evidence,
}

/// What one answer showed.
#[derive(Clone, Debug, Default)]
pub struct Inferences {
    /// The poll's own meaning, when it was empty.
    pub own: Option<InferredCause>,
    /// Earlier empty answers that are seen differently now.
    pub changed: Vec<InferredCause>,
}

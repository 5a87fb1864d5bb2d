//! A chosen poll with the reason for it.

use serde::{Deserialize, Serialize};

/// A chosen poll, with its value and price.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// Handle of the calendar.
    pub calendar: usize,
    /// Kind of the reason.
    pub kind: ChoiceReason,
    /// Expected number of unseen useful dates.
    pub expected: f64,
    /// Marginal value of the poll, in captured appointments.
    pub index: f64,
    /// Current marginal price of a poll, in captured appointments.
    #[serde(rename = "price")]
    pub threshold: f64,
    /// Seconds since the last poll; zero for the first.
    pub since: f64,
}

/// Kind of reason for a poll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChoiceReason {
    /// The calendar was never polled.
    First,
    /// The poll is worth more than its request.
    #[serde(rename = "worth")]
    Value,
    /// The calendar is believed to have few dates and is polled to verify that. Or its hours were
    /// restricted, and the poll tests whether they still are.
    Exploration,
}

impl ChoiceReason {
    /// Returns the value used in metrics and journals.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Value => "worth",
            Self::Exploration => "exploration",
        }
    }
}

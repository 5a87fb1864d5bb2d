//! A poll that was chosen, and why.

use serde::{Deserialize, Serialize};

/// Why a poll is worth its request.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// The calendar's handle.
    pub calendar: usize,
    /// The kind of reason.
    pub kind: ChoiceReason,
    /// Useful days expected to be there unseen.
    pub expected: f64,
    /// What the poll is worth at the margin, in captured appointments.
    pub index: f64,
    /// What a poll costs at the margin now, in captured appointments.
    #[serde(rename = "price")]
    pub threshold: f64,
    /// Seconds since the last poll; zero for the first.
    pub since: f64,
}

/// The kinds of reason for a poll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChoiceReason {
    /// Never polled.
    First,
    /// Worth more than its request.
    #[serde(rename = "worth")]
    Value,
    /// Believed poor, polled to keep the belief honest; or in hours that were restricted, to see whether they are.
    Exploration,
}

impl ChoiceReason {
    /// The word in figures and journals.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Value => "worth",
            Self::Exploration => "exploration",
        }
    }
}

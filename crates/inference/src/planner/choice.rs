//! A look that was chosen, and why.

use serde::{Deserialize, Serialize};

/// Why a look is worth its call.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// The calendar's handle.
    pub calendar: usize,
    /// The kind of reason.
    pub kind: Why,
    /// Useful days expected to be there unseen.
    pub expected: f64,
    /// What the look is worth at the margin, in captured appointments.
    pub index: f64,
    /// What a look costs at the margin now, in captured appointments.
    pub price: f64,
    /// Seconds since the last look; zero for the first.
    pub since: f64,
}

/// The kinds of reason for a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// Nobody has looked there yet.
    First,
    /// Worth more than its call.
    Worth,
    /// Believed poor, looked at to keep the belief honest; or in hours that were restricted, to see whether they are.
    Exploration,
}

impl Why {
    /// The word in figures and journals.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Worth => "worth",
            Self::Exploration => "exploration",
        }
    }
}

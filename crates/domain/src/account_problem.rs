//! Evidence that a portal account cannot book, and the rule for notifying its users.

use chrono::TimeDelta;
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::clock::Instant;

/// Age at which users are notified of a single occurrence that still lasts.
pub const NOTIFY_AFTER: TimeDelta = TimeDelta::hours(6);

/// Number of occurrences at which users are notified at once.
const OCCURRENCES: u32 = 2;

/// Time without an occurrence after which an episode ends.
const ENDS_AFTER: TimeDelta = TimeDelta::hours(24);

/// Time after empty times within which another account's booking of the date makes them an
/// occurrence.
pub const BOOKED_WITHIN: TimeDelta = TimeDelta::hours(1);

/// A kind of evidence that an account cannot book.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Display, EnumString, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "snake_case")]
pub enum ProblemKind {
    /// No times for a date that another account booked.
    NoTimes,
    /// The card of a group on a readable groups page.
    CardUnreadable,
    /// A page that other accounts can read.
    PageUnreadable,
    /// A soft ban.
    Banned,
    /// A booking that the account's budget did not allow.
    BudgetSpent,
}

impl ProblemKind {
    /// Returns the reason code of notices and journal entries.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::NoTimes => "account_no_times",
            Self::CardUnreadable => "account_card_unreadable",
            Self::PageUnreadable => "account_page_unreadable",
            Self::Banned => "account_banned",
            Self::BudgetSpent => "account_budget_spent",
        }
    }
}

/// Occurrences of one kind that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Episode {
    /// The first occurrence.
    pub began_at: Instant,
    /// The last occurrence.
    pub last_at: Instant,
    /// The number of occurrences.
    pub occurrences: u32,
    /// The time of the notice, or `None` before it.
    pub notified_at: Option<Instant>,
}

impl Episode {
    /// Returns the episode after an occurrence at `now`.
    /// Continues the episode `before`, or begins a new one if that episode has ended.
    #[must_use]
    pub fn after(before: Option<Self>, now: Instant) -> Self {
        let open = before.filter(|episode| now - episode.last_at < ENDS_AFTER);
        let new = Self { began_at: now, last_at: now, occurrences: 0, notified_at: None };
        let episode = open.unwrap_or(new);
        Self { last_at: now, occurrences: episode.occurrences.saturating_add(1), ..episode }
    }

    /// Returns `true` if users must be notified now, which happens once per episode.
    #[must_use]
    pub fn is_due(&self, now: Instant) -> bool {
        let enough = self.occurrences >= OCCURRENCES || now - self.began_at >= NOTIFY_AFTER;
        self.notified_at.is_none() && enough
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hour(hours: i64) -> Instant {
        Instant::UNIX_EPOCH + TimeDelta::hours(hours)
    }

    #[test]
    fn second_occurrence_or_six_hours_notify_once_per_episode() {
        let first = Episode::after(None, hour(0));
        assert!(!first.is_due(hour(5)));
        assert!(first.is_due(hour(6)), "the first problem is due while it lasts");
        let second = Episode::after(Some(first), hour(1));
        assert!(second.is_due(hour(1)));
        let notified = Episode { notified_at: Some(hour(1)), ..second };
        assert!(!Episode::after(Some(notified), hour(20)).is_due(hour(30)), "it is the same episode");
        let later = Episode::after(Some(notified), hour(26));
        assert_eq!(
            (later.occurrences, later.notified_at),
            (1, None),
            "a day without the problem begins another episode"
        );
    }
}

//! What an answer means, in words a user can be shown: the engine's verdicts and their evidence.

pub mod ban;
pub mod hours;
pub mod judge;
pub mod pool;

use chrono::Timelike;
use serde::{Deserialize, Serialize};

use crate::clock::Instant;
use crate::facility::FacilityId;

/// What a task is told about its search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Nothing has been looked at yet.
    WaitingFirstLook,
    /// All is well, nothing suitable yet.
    Watching,
    /// A booking is under way.
    Booking,
    /// An earlier slot was booked.
    Booked,
    /// Nobody can tell yet whether a booking took place.
    BookingUnconfirmed,
    /// Booked accounts see nothing at this hour.
    RestrictedHours,
    /// The portal seems to hide the dates from this account for a while.
    CoolingDown,
    /// The portal does not answer.
    PortalDown,
    /// The portal answers, but is overloaded.
    Overloaded,
    /// The portal's pages have changed.
    LayoutChanged,
    /// Only a person may go on.
    Captcha,
    /// The portal locked the account.
    Locked,
    /// The portal refused the password.
    CredentialsRejected,
    /// The account has used its calls for now.
    BudgetRest,
    /// Not being watched.
    Paused,
}

impl Verdict {
    /// The word on the wire and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::WaitingFirstLook => "waiting_first_look",
            Self::Watching => "watching",
            Self::Booking => "booking",
            Self::Booked => "booked",
            Self::BookingUnconfirmed => "booking_unconfirmed",
            Self::RestrictedHours => "restricted_hours",
            Self::CoolingDown => "cooling_down",
            Self::PortalDown => "portal_down",
            Self::Overloaded => "overloaded",
            Self::LayoutChanged => "layout_changed",
            Self::Captcha => "captcha",
            Self::Locked => "locked",
            Self::CredentialsRejected => "credentials_rejected",
            Self::BudgetRest => "budget_rest",
            Self::Paused => "paused",
        }
    }
}

/// What is known when a look answered with an empty list.
#[derive(Clone, Copy, Debug)]
pub struct EmptyEvidence {
    /// Whether the account already holds an appointment.
    pub booked: bool,
    /// The local hour at the consulate.
    pub local_hour: u32,
    /// Calls this account made in the last ten hours.
    pub calls: u32,
    /// Minutes since another account saw days in the same calendar, if it did lately.
    pub others_saw_minutes_ago: Option<i64>,
    /// Minutes since this very account last saw days anywhere.
    pub own_saw_minutes_ago: Option<i64>,
    /// Consecutive empty answers of this account, over all its calendars.
    pub empty_in_a_row: u32,
}

/// What an empty list most likely means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Empty {
    /// There are no days.
    Truly,
    /// Booked accounts see nothing at this hour.
    RestrictedHours,
    /// The account is softly banned.
    SoftBan,
    /// The portal is overloaded and answers with nothing.
    Overload,
}

impl Empty {
    /// The word in evidence, metrics and tables.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Truly => "truly",
            Self::RestrictedHours => "restricted_hours",
            Self::SoftBan => "soft_ban",
            Self::Overload => "overload",
        }
    }
}

/// The hours (local, from inclusive, to exclusive) in which booked accounts were reported to see nothing.
#[must_use]
pub fn restricted_hours(facility: FacilityId) -> (u32, u32) {
    match facility.0 {
        89 => (2, 17),
        90 => (5, 20),
        95 => (1, 16),
        _ => (4, 19),
    }
}

/// Whether `now` lies in a facility's reported restricted hours.
#[must_use]
pub fn in_restricted_hours(facility: FacilityId, now: Instant) -> bool {
    let hour = now.with_timezone(&facility.zone()).hour();
    let (from, to) = restricted_hours(facility);
    (from..to).contains(&hour)
}

/// Calls after which a sudden silence looks like a ban rather than like chance.
const BAN_LIKELY_FROM: u32 = 40;

/// Tells the reasons of an empty list apart, from evidence the engine already has.
#[must_use]
pub fn empty_means(evidence: &EmptyEvidence, restricted: (u32, u32)) -> Empty {
    let hours = (restricted.0..restricted.1).contains(&evidence.local_hour);
    if evidence.others_saw_minutes_ago.is_some_and(|m| m <= 10) {
        return Empty::SoftBan;
    }
    if evidence.booked && hours {
        return Empty::RestrictedHours;
    }
    let silent = evidence.empty_in_a_row >= 3 && evidence.own_saw_minutes_ago.is_some();
    if evidence.calls >= BAN_LIKELY_FROM && silent {
        return Empty::SoftBan;
    }
    Empty::Truly
}

//! The kinds of work, and what each costs.

use domain::ids::{AttemptId, PortalAccountId, TaskId};
use domain::prewarm::PrewarmReason;
use inference::planner;
use portal::Purpose;

/// One piece of work on one portal account.
#[derive(Clone, Debug)]
pub(crate) enum Job {
    /// Read an attempt's outcome.
    ReadBack { attempt: AttemptId, account: PortalAccountId },
    /// Try for a day.
    Book { task: TaskId, account: PortalAccountId, opening: crate::model::openings::Opening },
    /// Sign in, read the group, take the first poll.
    WarmUp { task: TaskId, account: PortalAccountId },
    /// Make an account ready to book.
    Prewarm { task: TaskId, account: PortalAccountId, why: PrewarmReason },
    /// Read an account's groups page, whatever its calendars show.
    Visit { task: TaskId, account: PortalAccountId, requests: u32 },
    /// See whether a page nobody could read is as known again.
    Probe { task: TaskId, account: PortalAccountId, page: portal::PageKind },
    /// See whether the user of a deleted task took what it told them of.
    FinalRead { task: TaskId, account: PortalAccountId },
    /// See whether an attempt that seems not to have booked shows up after all.
    LateRead { attempt: AttemptId, account: PortalAccountId },
    /// Fetch one calendar's list through one poll source.
    Poll {
        task: TaskId,
        account: PortalAccountId,
        key: domain::calendar::CalendarKey,
        reason: planner::ChoiceReason,
    },
}

impl Job {
    pub(crate) const fn account(&self) -> PortalAccountId {
        match self {
            Self::ReadBack { account, .. }
            | Self::Book { account, .. }
            | Self::WarmUp { account, .. }
            | Self::Prewarm { account, .. }
            | Self::Visit { account, .. }
            | Self::Probe { account, .. }
            | Self::FinalRead { account, .. }
            | Self::LateRead { account, .. }
            | Self::Poll { account, .. } => *account,
        }
    }

    /// What its requests are for; a booking that follows a poll says so itself.
    pub(crate) const fn purpose(&self) -> Purpose {
        match self {
            Self::ReadBack { .. } => Purpose::ReadBack,
            Self::Book { .. } => Purpose::Booking,
            Self::WarmUp { .. } => Purpose::WarmUp,
            Self::Prewarm { .. } => Purpose::Prewarm,
            Self::Visit { .. } => Purpose::Visit,
            Self::Probe { .. } => Purpose::Probe,
            Self::FinalRead { .. } | Self::LateRead { .. } => Purpose::LastRead,
            Self::Poll { .. } => Purpose::Poll,
        }
    }

    /// Requests whose tokens were drawn when it was handed out.
    pub(crate) const fn prepaid(&self) -> u32 {
        match self {
            Self::WarmUp { .. } => START_COSTS,
            Self::Prewarm { .. } => domain::prewarm::SIGN_IN_COSTS,
            Self::Visit { requests, .. } => *requests,
            Self::Poll { .. } | Self::FinalRead { .. } | Self::LateRead { .. } => 1,
            Self::Book { .. } | Self::ReadBack { .. } | Self::Probe { .. } => 0,
        }
    }
}

/// Requests a warm-up makes, about: groups, the way to the form, instructions, first polls.
pub(crate) const START_COSTS: u32 = 6;

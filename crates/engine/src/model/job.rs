//! Kinds of jobs, and the cost of each.

use domain::ids::{AttemptId, PortalAccountId, TaskId};
use domain::prewarm::PrewarmReason;
use inference::planner;
use portal::Purpose;
use uuid::Uuid;

use crate::model::backoff::Work;
use crate::model::openings::Opening;

/// One piece of work on one portal account.
#[derive(Clone, Debug)]
pub(crate) enum Job {
    /// Reads an attempt's outcome.
    ReadBack { attempt: AttemptId, account: PortalAccountId },
    /// Tries to book a date.
    Book { task: TaskId, account: PortalAccountId, opening: Opening },
    /// Signs in, reads the group, and makes the first poll.
    WarmUp { task: TaskId, account: PortalAccountId },
    /// Makes an account ready to book.
    Prewarm { task: TaskId, account: PortalAccountId, why: PrewarmReason },
    /// Reads an account's groups page, independent of its calendars.
    Visit { task: TaskId, account: PortalAccountId, requests: u32 },
    /// Tests if a page that no account could read is readable again.
    Probe { task: TaskId, account: PortalAccountId, page: portal::PageKind },
    /// Checks, for a deleted task, if its user booked a slot that the task had reported.
    FinalRead { task: TaskId, account: PortalAccountId },
    /// Checks if the portal shows, after all, the booking of an attempt that seemed to have failed.
    LateRead { attempt: AttemptId, account: PortalAccountId },
    /// Fetches one calendar's list through one poll source.
    Poll {
        task: TaskId,
        account: PortalAccountId,
        key: domain::calendar::CalendarKey,
        reason: planner::ChoiceReason,
    },
}

impl Job {
    /// Returns the account that the job uses.
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

    /// Returns the purpose of the job's requests. A booking that follows a poll sets its own
    /// purpose.
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

    /// Returns the number of requests whose tokens were spent when the job was dispatched.
    pub(crate) const fn prepaid(&self) -> u32 {
        match self {
            Self::WarmUp { .. } => START_COSTS,
            Self::Prewarm { .. } => domain::prewarm::SIGN_IN_COSTS,
            Self::Visit { requests, .. } => *requests,
            Self::Poll { .. } | Self::FinalRead { .. } | Self::LateRead { .. } => 1,
            Self::Book { .. } | Self::ReadBack { .. } | Self::Probe { .. } => 0,
        }
    }

    /// Returns the kind of work and the subject that back off when the job fails; `None` for a job
    /// with a schedule of its own.
    pub(crate) const fn backs_off(&self) -> Option<(Work, Uuid)> {
        match self {
            Self::ReadBack { .. } | Self::Book { .. } | Self::Probe { .. } | Self::Visit { .. } => None,
            Self::WarmUp { task, .. } => Some((Work::WarmUp, task.0)),
            Self::Prewarm { task, .. } => Some((Work::Prewarm, task.0)),
            Self::FinalRead { task, .. } => Some((Work::FinalRead, task.0)),
            Self::LateRead { attempt, .. } => Some((Work::LateRead, attempt.0)),
            Self::Poll { account: PortalAccountId(id), .. } => Some((Work::Poll, *id)),
        }
    }
}

/// Approximate number of requests of a warm-up: groups, the pages to the form, instructions, first
/// polls.
pub(crate) const START_COSTS: u32 = 6;

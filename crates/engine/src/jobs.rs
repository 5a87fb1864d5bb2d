//! Jobs, each of which works on one portal account.

pub(crate) mod book;
pub(crate) mod final_read;
pub(crate) mod late_read;
pub(crate) mod poll;
pub(crate) mod prewarm;
pub(crate) mod probe;
pub(crate) mod read_back;
pub(crate) mod visit;
pub(crate) mod warm_up;

use crate::gateway::account_lease::AccountLease;
use crate::model::observe::PendingEffects;

/// Work that a job passes on. The runner does it: no job starts another job.
pub(crate) enum JobOutcome {
    /// No further work.
    Done,
    /// Effects of a list that are not written yet. Its openings are dispatched first, perhaps one
    /// of them to this account.
    Observed(AccountLease, PendingEffects),
    /// A POST that may have left. The runner reads it back at once, over the same lease.
    Sent(AccountLease, Box<book::Sent>),
    /// One seen city of a task in warm-up. The other cities follow over the same lease.
    Warming(AccountLease, PendingEffects, Box<warm_up::Rest>),
}

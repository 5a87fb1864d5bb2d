//! Jobs of the engine. Each job works on one portal account.

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

/// Follow-up work that a job returns. The runner does it, because no job starts another job.
pub(crate) enum JobOutcome {
    /// No further work.
    Done,
    /// A polled list whose effects are not stored yet. The runner first dispatches its openings,
    /// perhaps one of them to this account.
    Observed(AccountLease, PendingEffects),
    /// A booking request that may have been sent. The runner reads it back at once, over the same
    /// lease.
    Sent(AccountLease, Box<book::Sent>),
    /// A polled city of a task in warm-up. The runner continues with the other cities over the same
    /// lease.
    Warming(AccountLease, PendingEffects, Box<warm_up::Rest>),
}

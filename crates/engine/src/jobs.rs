//! One piece of work on one portal account each.

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

/// What a job leaves to be done. The runner does it: no job begins another one.
pub(crate) enum JobOutcome {
    /// Nothing.
    Done,
    /// What a list means is still to be written; its openings are dispatched first, one of them perhaps to this account.
    Observed(AccountLease, PendingEffects),
    /// A POST may have left: it is read back at once, over the same lease.
    Sent(AccountLease, Box<book::Sent>),
    /// One city of a task that is warmed up was seen; the others follow over the same lease.
    Warming(AccountLease, PendingEffects, Box<warm_up::Rest>),
}

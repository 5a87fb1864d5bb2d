//! Accounts that are leased to jobs.

use domain::clock::Instant;
use domain::ids::PortalAccountId;

use crate::model::job::Job;
use crate::model::state::State;

impl State {
    /// Marks the accounts of these jobs as busy.
    pub(crate) fn mark_busy(&mut self, jobs: &[Job]) {
        for job in jobs {
            if let Some(account) = self.accounts.get_mut(&job.account()) {
                account.busy = true;
            }
        }
    }
}

impl State {
    /// Returns the leases that have ended and whose calls are in the budgets that are written now,
    /// or were before.
    pub fn idle_leases(&self) -> Vec<(PortalAccountId, i64)> {
        let idle = |id: &PortalAccountId| {
            self.accounts.get(id).is_none_or(|account| !account.busy && account.unspent.is_empty())
        };
        self.written_leases.written.iter().filter(|(id, _)| idle(id)).map(|(id, turn)| (*id, *turn)).collect()
    }

    /// Takes back jobs that were handed out and do not begin. Their accounts become free,
    /// candidates are first in their queues again, and the tokens of the poll limit return. A
    /// calendar's poll waits for its planner, a minute at most.
    pub fn take_back(&mut self, jobs: &[Job]) {
        // The last job handed out goes back first, to preserve ranks.
        for job in jobs.iter().rev() {
            if let Some(account) = self.accounts.get_mut(&job.account()) {
                account.busy = false;
            }
            match job {
                Job::Book { task, opening, .. } => self.requeue(*task, opening),
                Job::Poll { .. } => self.poll_ceiling.give_back_poll(),
                Job::WarmUp { .. } | Job::Prewarm { .. } => {
                    self.poll_ceiling.give_back_sign_in(job.prepaid())
                }
                _ => {}
            }
        }
    }

    /// Returns `true` if nothing may be booked for now, because the database may have lost
    /// bookings.
    pub fn is_quiet(&self, now: Instant) -> bool {
        self.guard.quiet_until.is_some_and(|until| now < until)
    }
}

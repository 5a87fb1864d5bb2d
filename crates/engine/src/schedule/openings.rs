//! Selection of the tasks that may try to book a date now.

use domain::budget::Limits;
use domain::clock::Instant;
use domain::ids::PortalAccountId;
use domain::journal::GoneReason;

use crate::Round;
use crate::gateway::outward::Allowed;
use crate::model::job::Job;
use crate::model::missed_openings::MissReason;
use crate::model::openings::{BOOKERS_PER_OPENING, OPENING_LIVES, Opening, OpeningQueue};
use crate::model::state::State;
use crate::schedule::{Schedule, is_free};

impl State {
    /// Adds a booking job for each candidate that may try to book now. The earliest date comes
    /// first, and its candidates follow in rank order.
    ///
    /// `own` is the account of the job that makes this call. It counts as free, although that job
    /// marks it busy.
    pub(crate) fn take_bookings(
        &mut self,
        round: &mut Round,
        limits: &Limits,
        own: Option<PortalAccountId>,
        now: Instant,
    ) {
        self.drop_openings(limits, now);
        let mut queues = self.openings.take_queues();
        for queue in &mut queues {
            if self.page_breakers.stops_bookings(queue.key.kind.country) {
                continue;
            }
            if queue.not_before > now {
                round.later(Some(queue.not_before));
                continue;
            }
            self.take_candidates(queue, round, own, now);
            round.later(Some(queue.seen_at + OPENING_LIVES));
        }
        self.openings.put_back(queues);
    }

    /// Adds booking jobs for the candidates of one queue that may try now.
    fn take_candidates(
        &mut self,
        queue: &mut OpeningQueue,
        round: &mut Round,
        own: Option<PortalAccountId>,
        now: Instant,
    ) {
        while queue.trying < queue.capacity.min(BOOKERS_PER_OPENING) {
            let Some(task) = queue.candidates.pop_front() else { return };
            let Some(account) = self.tasks.get(&task).map(|row| row.account) else { continue };
            // The account may have begun to back off since the task was queued.
            if self.attempts.holds_account(account) || self.accounts.is_held_back(account, now) {
                continue;
            }
            let date = (task, queue.key.facility, queue.date);
            if self.leaves_requests_to_polls(date, account, now) {
                self.miss(date, MissReason::Gone(GoneReason::NoBudget), now);
                // Notify-only tasks need not wait for this one.
                self.openings.add_tried_in_vain(queue.key.facility, queue.date);
                continue;
            }
            let free = is_free(self, round, account) || (own == Some(account) && !round.uses(account));
            if !free {
                // The account's current job ends soon, so the task keeps its place before tasks of
                // lower rank.
                queue.candidates.push_front(task);
                return;
            }
            queue.trying += 1;
            let ahead = self.openings.begin_try(account, queue.key.facility, queue.date);
            let opening = Opening { key: queue.key.clone(), date: queue.date, seen: queue.seen, ahead };
            round.jobs.push(Job::Book { task, account, opening });
        }
    }
}

impl Schedule<'_> {
    /// Returns the bookings that may begin at once, without waiting for a round, because a poll has
    /// just shown the date. Marks their accounts busy. The job that makes this call keeps the
    /// account `own`.
    pub(crate) fn bookings_now(
        &self,
        state: &mut State,
        allowed: Allowed,
        own: Option<PortalAccountId>,
        now: Instant,
    ) -> Vec<Job> {
        let held_up = self.config.dry_run
            || state.leadership.is_quiet(now)
            || allowed != Allowed::All
            || !self.pacer.may_begin(portal::Purpose::Booking);
        if held_up || !state.leadership.leads() || state.openings.is_empty() {
            return Vec::new();
        }
        let mut round = Round { jobs: Vec::new(), next_due: None };
        state.take_bookings(&mut round, &self.config.limits, own, now);
        state.accounts.mark_busy(&round.jobs);
        round.jobs
    }
}

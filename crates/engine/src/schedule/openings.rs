//! Selects the tasks that may try for a date now.

use domain::budget::Limits;
use domain::clock::Instant;
use domain::ids::PortalAccountId;

use crate::Round;
use crate::gateway::outward::Allowed;
use crate::model::job::Job;
use crate::model::openings::{BOOKERS_PER_OPENING, OPENING_LIVES, Opening};
use crate::model::state::State;
use crate::schedule::{Schedule, is_free};

impl State {
    /// Hands out the candidates that may try for a date now, the earliest date first and in rank
    /// order.
    ///
    /// `own` is an account whose lease holder makes this call: the account is busy only because of
    /// that.
    pub(crate) fn take_bookings(
        &mut self,
        round: &mut Round,
        limits: &Limits,
        own: Option<PortalAccountId>,
        now: Instant,
    ) {
        self.drop_openings(OPENING_LIVES, limits, now);
        let mut openings = std::mem::take(&mut self.openings);
        // A task that two dates want as a candidate tries for the earlier one first.
        openings.sort_by_key(|opening| opening.date);
        for opening in &mut openings {
            if self.page_breakers.stops_bookings(opening.key.kind.country) {
                continue;
            }
            if opening.not_before > now {
                round.later(Some(opening.not_before));
                continue;
            }
            let mut waiting = std::collections::VecDeque::new();
            while opening.trying < opening.capacity.min(BOOKERS_PER_OPENING) {
                let Some(task) = opening.candidates.pop_front() else {
                    break;
                };
                let Some(row) = self.tasks.get(&task) else {
                    continue;
                };
                let account = row.account;
                // The account may have begun to back off since the task was queued.
                if self.has_live_attempt(account) || self.is_held_back(row, now) {
                    continue;
                }
                let free = is_free(self, round, account) || (own == Some(account) && !round.uses(account));
                if !free {
                    // The account's job ends soon: no task of lower rank overtakes it meanwhile.
                    waiting.push_back(task);
                    break;
                }
                opening.trying += 1;
                let day = (opening.key.facility, opening.date);
                let ahead =
                    self.trying.iter().filter(|(_, other)| **other == day).map(|(account, _)| *account);
                let ahead = ahead.collect();
                let opening =
                    Opening { key: opening.key.clone(), date: opening.date, seen: opening.seen, ahead };
                self.trying.insert(account, day);
                round.jobs.push(Job::Book { task, account, opening });
            }
            waiting.append(&mut opening.candidates);
            opening.candidates = waiting;
            round.later(Some(opening.seen_at + OPENING_LIVES));
        }
        self.openings = openings;
    }
}

impl Schedule<'_> {
    /// Returns the bookings that may begin right now, without waiting for a round, because a poll
    /// has just shown the date. Their accounts are marked busy; `own` stays with its holder.
    pub(crate) fn bookings_now(
        &self,
        state: &mut State,
        allowed: Allowed,
        own: Option<PortalAccountId>,
        now: Instant,
    ) -> Vec<Job> {
        let held_up = self.config.dry_run
            || state.is_quiet(now)
            || allowed != Allowed::All
            || !self.pacer.may_begin(portal::Purpose::Booking);
        if held_up || state.epoch.is_none() || state.openings.is_empty() {
            return Vec::new();
        }
        let mut round = Round { jobs: Vec::new(), next_due: None };
        state.take_bookings(&mut round, &self.config.limits, own, now);
        state.mark_busy(&round.jobs);
        round.jobs
    }
}

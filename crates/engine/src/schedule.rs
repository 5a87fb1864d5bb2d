//! Selection of the work that is due now, within the limits of the portal's host.

mod openings;
mod polls;
mod prewarm;
mod probes;
mod readings;
mod visits;

use chrono::TimeDelta;
use domain::clock::Instant;
use domain::ids::{AttemptId, PortalAccountId, TaskId};
use portal::{Pacer, Purpose};

use crate::Config;
use crate::gateway::outward::Allowed;
use crate::model::backoff::Work;
use crate::model::job::{Job, START_COSTS};
use crate::model::state::State;

/// Selection of a round's jobs, within the engine's pace and the request budget of the portal's
/// host.
pub(crate) struct Schedule<'a> {
    pub config: &'a Config,
    pub pacer: &'a Pacer,
}

/// Jobs of one round, and the time of the next round.
#[derive(Debug, Default)]
pub struct Round {
    pub(crate) jobs: Vec<Job>,
    /// The next instant (portal time) at which anything can be due.
    pub next_due: Option<Instant>,
}

impl Round {
    /// Returns `true` if the round has no jobs.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.jobs.is_empty()
    }
}

impl Round {
    /// Makes the next round begin at `at` at the latest.
    pub(crate) fn later(&mut self, at: Option<Instant>) {
        if let Some(at) = at {
            self.next_due = Some(self.next_due.map_or(at, |due| due.min(at)));
        }
    }

    /// Returns `true` if a job of this round uses the account.
    pub(crate) fn uses(&self, account: PortalAccountId) -> bool {
        self.jobs.iter().any(|job| job.account() == account)
    }
}

/// Returns `true` if no job uses the account.
pub(crate) fn is_free(state: &State, round: &Round, account: PortalAccountId) -> bool {
    !state.accounts.get(account).busy && !round.uses(account)
}

impl Schedule<'_> {
    /// Returns the due jobs that the state of the host allows, and marks their accounts busy.
    pub fn due(&self, state: &mut State, allowed: Allowed, now: Instant) -> Round {
        let mut round = Round { jobs: Vec::new(), next_due: None };
        let flush_again = state.backoffs.until(Work::Flush, uuid::Uuid::nil(), now);
        round.later(state.flush_due().map(|at| flush_again.map_or(at, |again| at.max(again))));
        if self.may_begin(&mut round, Purpose::ReadBack, now) {
            take_read_backs(state, &mut round, now, |_| true);
        }
        if let Some(until) = state.backoffs.leases_until(now) {
            round.later(Some(until));
            state.accounts.mark_busy(&round.jobs);
            return round;
        }
        match allowed {
            Allowed::All => self.take_everything(state, &mut round, now),
            Allowed::Probe => self.take_one(state, &mut round, now),
            Allowed::ReadBacks(until) => round.later(Some(until)),
            // The engine notices the end of the pause earlier, because it reads the row after at
            // most [`crate::LONGEST_SLEEP`].
            Allowed::Paused => round.later(Some(now + TimeDelta::minutes(1))),
        }
        state.accounts.mark_busy(&round.jobs);
        round
    }

    /// Returns the due jobs that need no database: read-backs of sent attempts that are in memory.
    pub fn due_in_memory(&self, state: &mut State, now: Instant) -> Round {
        let mut round = Round { jobs: Vec::new(), next_due: None };
        if state.leadership.leads() && self.may_begin(&mut round, Purpose::ReadBack, now) {
            take_read_backs(state, &mut round, now, |id| state.attempts.is_known(id));
        }
        state.accounts.mark_busy(&round.jobs);
        round
    }

    fn take_everything(&self, state: &mut State, round: &mut Round, now: Instant) {
        if self.may_begin(round, Purpose::Probe, now) {
            self.take_probes(state, round, usize::MAX, now);
        }
        round.later(state.next_approved(now));
        let quiet = state.leadership.is_quiet(now);
        if quiet {
            round.later(state.leadership.quiet_until());
        }
        if !self.config.dry_run && !quiet && self.may_begin(round, Purpose::Booking, now) {
            state.take_bookings(round, &self.config.limits, None, now);
        }
        if self.may_begin(round, Purpose::LastRead, now) {
            self.take_last_reads(state, round, usize::MAX, now);
            self.take_late_reads(state, round, usize::MAX, now);
        }
        self.take_visits(state, round, now);
        self.take_starts(state, round, usize::MAX, now);
        self.take_polls(state, round, self.config.pace.most, now);
        self.take_prewarm(state, round, now);
    }

    /// Selects one job after a back-off from the host, to test if the host works again. A probe of
    /// an unreadable page is preferred, then a poll, a warm-up, and a reading of an ended task.
    fn take_one(&self, state: &mut State, round: &mut Round, now: Instant) {
        if !round.jobs.is_empty() || state.accounts.any_busy() {
            round.later(Some(now + TimeDelta::seconds(1)));
            return;
        }
        self.take_probes(state, round, 1, now);
        if round.jobs.is_empty() {
            self.take_polls(state, round, 1, now);
        }
        if round.jobs.is_empty() {
            self.take_poll_for_approval(state, round, now);
        }
        if round.jobs.is_empty() {
            self.take_starts(state, round, 1, now);
        }
        // If no task runs, only readings of ended tasks remain.
        if round.jobs.is_empty() {
            self.take_last_reads(state, round, 1, now);
        }
        if round.jobs.is_empty() {
            self.take_late_reads(state, round, 1, now);
        }
    }
}

/// Adds the due read-backs that `of` selects. They come first, and are tried even while the host
/// fails.
fn take_read_backs(state: &State, round: &mut Round, now: Instant, of: impl Fn(&AttemptId) -> bool) {
    for (at, attempt, account) in state.attempts.readings().into_iter().filter(|(_, id, _)| of(id)) {
        if at > now {
            round.later(Some(at));
        } else if is_free(state, round, account) {
            round.jobs.push(Job::ReadBack { attempt, account });
        }
    }
}

impl Schedule<'_> {
    /// Adds at most `most` warm-ups, within the poll limit and the host's budget. A warm-up costs
    /// several requests at once.
    fn take_starts(&self, state: &mut State, round: &mut Round, most: usize, now: Instant) {
        state.poll_plan.limit.refill(self.config.polls_per_second, now);
        for (task, account) in due_starts(state, round, now).into_iter().take(most) {
            if round.uses(account) {
                continue;
            }
            if !state.poll_plan.limit.may_sign_in() {
                round.later(Some(now + TimeDelta::seconds(1)));
                return;
            }
            if !self.pacer.prepay(Purpose::WarmUp, START_COSTS) {
                self.may_begin(round, Purpose::WarmUp, now);
                return;
            }
            state.poll_plan.limit.draw_sign_in(START_COSTS);
            round.jobs.push(Job::WarmUp { task, account });
        }
    }

    /// Returns `true` if the host's budget allows work for this purpose now. Otherwise schedules
    /// the next round for the time when the budget allows it.
    pub(crate) fn may_begin(&self, round: &mut Round, purpose: Purpose, now: Instant) -> bool {
        let pacer = self.pacer;
        let may = pacer.may_begin(purpose);
        if !may {
            let wait = TimeDelta::from_std(pacer.opens_in(purpose)).unwrap_or(TimeDelta::hours(1));
            round.later(Some(now + wait.max(SOON)));
        }
        may
    }
}

/// Minimum wait for a token of the host's budget, so that rounds do not spin.
const SOON: TimeDelta = TimeDelta::milliseconds(50);

/// Returns the tasks that may be warmed up now, each with its account, in order of submission.
fn due_starts(state: &State, round: &mut Round, now: Instant) -> Vec<(TaskId, PortalAccountId)> {
    let mut starts = Vec::new();
    for task in state.tasks.waiting() {
        if state.page_breakers.stops_bookings(state.tasks.kind(task).country) {
            continue;
        }
        let at = state.backoffs.start_not_before(task.id);
        let account_waits = state.accounts.get(task.account).not_before;
        let backs_off = state.backoffs.until(Work::WarmUp, task.id.0, now);
        match at.max(account_waits).max(backs_off) {
            Some(at) if at > now => round.later(Some(at)),
            _ if is_free(state, round, task.account) => {
                starts.push((task.id, task.account));
            }
            _ => {}
        }
    }
    starts
}

//! What an opening is, and what one try for it means for everybody else who wants the day.

use chrono::{NaiveDate, TimeDelta};
use domain::budget::Limits;
use domain::calendar::CalendarKey;
use domain::clock::Instant;
use domain::ids::{PortalAccountId, TaskId};

use crate::driver::{Job, Round, is_free};
use crate::outward::Allowed;
use crate::state::{BOOKERS_PER_HINT, HINT_LIVES, State};
use crate::{Engine, Fault};

/// A day in a calendar that a task wants.
#[derive(Clone, Debug)]
pub(crate) struct Opening {
    pub key: CalendarKey,
    pub date: NaiveDate,
    /// Whose list shows it, as of when.
    pub seen: crate::sharing::Seen,
    /// How many of higher rank are trying for the same day right now: their times are left to them.
    pub place: usize,
}

/// How one try ended.
pub(crate) enum Tried {
    /// The day has nothing for this task now: it is left alone for a while, the next in rank may try at once.
    NothingThere,
    /// The session had ended: the same task tries again at once with a new one.
    Again,
    /// A rule, or something about the task or the account, kept it from being tried; nothing was sent.
    NothingSent,
    /// What passes soon, such as the portal's trouble, kept it from being tried; nothing was sent.
    Hindered,
    /// A POST left and the portal does not show it (yet); the next in rank waits ten seconds.
    Acted,
    /// The slot is ours.
    Booked,
}

impl Tried {
    /// The word in figures.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::NothingThere => "nothing_there",
            Self::Again => "again",
            Self::NothingSent => "nothing_sent",
            Self::Hindered => "hindered",
            Self::Acted => "acted",
            Self::Booked => "booked",
        }
    }
}

/// A slot passes to the next in rank this long after a POST.
const PASS_ON: TimeDelta = TimeDelta::seconds(10);
/// So many of those who lost a day to somebody who asked first read so in their journal.
pub(crate) const LOSERS_TOLD: usize = 50;
/// A day that brought nothing is left alone by this task for so long.
const COOL_OFF: TimeDelta = TimeDelta::minutes(10);
/// A day that the portal's trouble kept it from is left alone for so long: the trouble passes sooner than a rule.
const HINDERED: TimeDelta = TimeDelta::minutes(2);
/// A day whose times answered empty twice is left alone by all for so long.
const PHANTOM: TimeDelta = TimeDelta::minutes(30);

impl Engine {
    /// What one try means for the opening and for this task's next tries.
    ///
    /// Returns who stood in line for it in vain.
    pub(crate) fn tried(
        &self,
        task: TaskId,
        opening: &Opening,
        outcome: &Result<Tried, Fault>,
    ) -> Vec<TaskId> {
        crate::metrics::opening(outcome.as_ref().map_or("nothing_sent", Tried::as_str));
        let now = self.ctx.portal_time.now();
        let mut state = self.state.lock();
        // Each of these may have cost requests: the next poll must not cost them again.
        let rest = match outcome {
            Ok(Tried::NothingThere | Tried::Acted | Tried::NothingSent) => Some(COOL_OFF),
            Ok(Tried::Hindered) => Some(HINDERED),
            Ok(Tried::Again | Tried::Booked) | Err(_) => None,
        };
        if let Some(rest) = rest {
            state.cool_offs.insert((task, opening.key.facility, opening.date), now + rest);
        }
        if matches!(outcome, Ok(Tried::NothingSent | Tried::Hindered) | Err(_)) {
            // Who only wants to be told does not wait behind what was not even sent.
            state.tried_in_vain.insert((opening.key.facility, opening.date));
        }
        let queue = state.openings.iter_mut().find(|h| h.key == opening.key && h.date == opening.date);
        let Some(queue) = queue else { return Vec::new() };
        queue.trying = queue.trying.saturating_sub(1);
        match outcome {
            Ok(Tried::Again) => queue.candidates.push_front(task),
            Ok(Tried::Acted) => queue.not_before = now + PASS_ON,
            Ok(Tried::Booked) => queue.capacity = queue.capacity.saturating_sub(1),
            _ => {}
        }
        if queue.capacity > 0 {
            return Vec::new();
        }
        let losers = std::mem::take(&mut queue.candidates);
        if matches!(outcome, Ok(Tried::Booked)) {
            losers.into_iter().take(LOSERS_TOLD).collect()
        } else {
            Vec::new()
        }
    }
}

impl Engine {
    /// The day's times were read: as many may try as there are times; none at all makes it a phantom.
    pub(crate) fn times_known(&self, opening: &Opening, account: PortalAccountId, times: usize) {
        let now = self.ctx.portal_time.now();
        let mut state = self.state.lock();
        state.sharing.of(&opening.key).tried(opening.date, account, times, opening.seen, now);
        if times == 0 {
            let seen = state.calendar(&opening.key).phantoms.entry(opening.date).or_insert((0, now));
            *seen = (seen.0 + 1, now + PHANTOM);
        }
        if let Some(queue) =
            state.openings.iter_mut().find(|h| h.key == opening.key && h.date == opening.date)
        {
            queue.capacity = u32::try_from(times).unwrap_or(u32::MAX);
            if times == 0 {
                queue.candidates.clear();
            }
        }
        drop(state);
        self.wake();
    }
}

impl State {
    /// Hands out whoever may try for a day now, the earliest day first and in rank order.
    ///
    /// `own` is an account whose holder asks: it is busy with asking only.
    pub(crate) fn take_bookings(
        &mut self,
        round: &mut Round,
        limits: &Limits,
        own: Option<PortalAccountId>,
        now: Instant,
    ) {
        self.drop_openings(HINT_LIVES, limits, now);
        let mut openings = std::mem::take(&mut self.openings);
        // A task that is wanted by two days tries for the earlier one first.
        openings.sort_by_key(|opening| opening.date);
        for opening in &mut openings {
            if self.layouts.stops_bookings(&opening.key.kind.country) {
                continue;
            }
            if opening.not_before > now {
                round.later(Some(opening.not_before));
                continue;
            }
            let mut waiting = std::collections::VecDeque::new();
            while opening.trying < opening.capacity.min(BOOKERS_PER_HINT) {
                let Some(task) = opening.candidates.pop_front() else {
                    break;
                };
                let Some(account) = self.tasks.get(&task).map(|t| t.account) else {
                    continue;
                };
                if self.has_live_attempt(account) {
                    continue;
                }
                let free = is_free(self, round, account) || (own == Some(account) && !round.uses(account));
                if !free {
                    // Its job ends soon: nobody of lower rank overtakes it meanwhile.
                    waiting.push_back(task);
                    break;
                }
                let place = opening.trying as usize;
                opening.trying += 1;
                let opening =
                    Opening { key: opening.key.clone(), date: opening.date, seen: opening.seen, place };
                self.trying.insert(account);
                round.jobs.push(Job::Book { task, account, opening });
            }
            waiting.append(&mut opening.candidates);
            opening.candidates = waiting;
            round.later(Some(opening.seen_at + HINT_LIVES));
        }
        self.openings = openings;
    }
}

impl Engine {
    /// Who may try for a day right now, without waiting for a round: a poll has just shown it. Their accounts are
    /// marked busy; `own` stays with whoever holds it.
    pub(crate) fn bookings_now(&self, own: Option<PortalAccountId>) -> Vec<Job> {
        let now = self.ctx.portal_time.now();
        let mut state = self.state.lock();
        let held_up = self.ctx.config.dry_run
            || state.is_quiet(now)
            || self.ctx.outward.allowed(now) != Allowed::All
            || !self.ctx.client.pacer().may_begin(portal::Purpose::Booking);
        if held_up || state.epoch.is_none() || state.openings.is_empty() {
            return Vec::new();
        }
        let mut round = Round { jobs: Vec::new(), next_due: None };
        state.take_bookings(&mut round, &self.ctx.config.limits, own, now);
        state.lend(&round.jobs);
        round.jobs
    }
}

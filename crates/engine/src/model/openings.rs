//! What an opening is, and what one try for it means for everybody else who wants the day.

use std::collections::VecDeque;

use chrono::{NaiveDate, TimeDelta};
use domain::calendar::CalendarKey;
use domain::clock::Instant;
use domain::ids::{PortalAccountId, TaskId};

use crate::Fault;
use crate::model::state::State;

/// A day in a calendar that a task wants.
#[derive(Clone, Debug)]
pub(crate) struct Opening {
    pub key: CalendarKey,
    pub date: NaiveDate,
    /// Whose list shows it, as of when.
    pub seen: crate::model::list_agreement::Seen,
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

impl State {
    /// What one try means for the opening and for this task's next tries.
    ///
    /// Returns who stood in line for it in vain.
    pub fn tried(
        &mut self,
        task: TaskId,
        opening: &Opening,
        outcome: &Result<Tried, Fault>,
        now: Instant,
    ) -> Vec<TaskId> {
        crate::metrics::opening(outcome.as_ref().map_or("nothing_sent", Tried::as_str));
        // Each of these may have cost requests: the next poll must not cost them again.
        let rest = match outcome {
            Ok(Tried::NothingThere | Tried::Acted | Tried::NothingSent) => Some(COOL_OFF),
            Ok(Tried::Hindered) => Some(HINDERED),
            Ok(Tried::Again | Tried::Booked) | Err(_) => None,
        };
        if let Some(rest) = rest {
            self.cool_offs.insert((task, opening.key.facility, opening.date), now + rest);
        }
        if matches!(outcome, Ok(Tried::NothingSent | Tried::Hindered) | Err(_)) {
            // Who only wants to be told does not wait behind what was not even sent.
            self.tried_in_vain.insert((opening.key.facility, opening.date));
        }
        let queue = self.openings.iter_mut().find(|h| h.key == opening.key && h.date == opening.date);
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

impl State {
    /// The day's times were read: as many may try as there are times; none at all makes it a phantom.
    pub fn times_known(&mut self, opening: &Opening, account: PortalAccountId, times: usize, now: Instant) {
        self.sharing.of(&opening.key).tried(opening.date, account, times, opening.seen, now);
        if times == 0 {
            let seen = self.calendar(&opening.key).phantoms.entry(opening.date).or_insert((0, now));
            *seen = (seen.0 + 1, now + PHANTOM);
        }
        if let Some(queue) = self.openings.iter_mut().find(|h| h.key == opening.key && h.date == opening.date)
        {
            queue.capacity = u32::try_from(times).unwrap_or(u32::MAX);
            if times == 0 {
                queue.candidates.clear();
            }
        }
    }
}

/// A day some tasks want, and who may still try for it.
pub(crate) struct OpeningQueue {
    pub key: CalendarKey,
    pub date: NaiveDate,
    pub seen_at: Instant,
    pub candidates: VecDeque<TaskId>,
    /// Whose list shows it, as of when.
    pub seen: crate::model::list_agreement::Seen,
    pub trying: u32,
    /// How many can try at once: one until its times are known, then one per time.
    pub capacity: u32,
    pub not_before: Instant,
}

/// An opening nobody could act on is dropped after this.
pub(crate) const HINT_LIVES: TimeDelta = TimeDelta::minutes(2);

/// At most so many accounts try for one opening at once.
pub(crate) const BOOKERS_PER_HINT: u32 = 3;

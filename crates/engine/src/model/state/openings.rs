//! What one try for an opening means for everybody else who wants it.

use chrono::{NaiveTime, TimeDelta};
use domain::clock::Instant;
use domain::ids::{PortalAccountId, TaskId};
use store::task::Task;

use crate::JobError;
use crate::model::backoff::Work;
use crate::model::openings::{LOSERS_NOTIFIED, Opening, TryOutcome};
use crate::model::state::State;

/// A slot passes to the next in rank this long after a POST.
const PASS_ON: TimeDelta = TimeDelta::seconds(10);
/// A day that brought nothing is left alone by this task for so long.
const COOL_OFF: TimeDelta = TimeDelta::minutes(10);
/// A day that the portal's trouble kept it from is left alone for so long: the trouble passes sooner than a rule.
const HINDERED: TimeDelta = TimeDelta::minutes(2);
/// A day without a time of day that the task accepts is left alone by it for so long: others may give a time back.
const NO_TIME_FITS: TimeDelta = TimeDelta::minutes(30);
/// A day whose times answered empty twice is left alone by all for so long.
pub(super) const PHANTOM: TimeDelta = TimeDelta::minutes(30);

impl State {
    /// What one try means for the opening and for this task's next tries.
    ///
    /// Returns who stood in line for it in vain.
    pub fn tried(
        &mut self,
        task: TaskId,
        opening: &Opening,
        outcome: &Result<TryOutcome, JobError>,
        now: Instant,
    ) -> Vec<TaskId> {
        crate::metrics::opening(outcome.as_ref().map_or("nothing_sent", TryOutcome::as_str));
        if outcome.is_ok() {
            self.backoffs.succeeded(Work::Book, task.0);
        }
        // Each of these may have cost requests: the next poll must not cost them again.
        let rest = match outcome {
            Ok(TryOutcome::NothingThere | TryOutcome::Acted | TryOutcome::NothingSent) => Some(COOL_OFF),
            Ok(TryOutcome::NoTimeFits) => Some(NO_TIME_FITS),
            Ok(TryOutcome::Hindered) => Some(HINDERED),
            // A fault of ours, most often of the database: the opening still lives after the first.
            Err(_) => Some(self.backoffs.failed(Work::Book, task.0, now) - now),
            Ok(TryOutcome::Again | TryOutcome::Booked) => None,
        };
        if let Some(rest) = rest {
            self.cool_offs.insert((task, opening.key.facility, opening.date), now + rest);
        }
        if matches!(outcome, Ok(TryOutcome::NothingSent | TryOutcome::Hindered) | Err(_)) {
            // Who only wants to be told does not wait behind what was not even sent.
            self.tried_in_vain.insert((opening.key.facility, opening.date));
        }
        let queue = self.openings.iter_mut().find(|h| h.key == opening.key && h.date == opening.date);
        let Some(queue) = queue else { return Vec::new() };
        queue.trying = queue.trying.saturating_sub(1);
        match outcome {
            Ok(TryOutcome::Again) => queue.candidates.push_front(task),
            Ok(TryOutcome::Acted) => queue.not_before = now + PASS_ON,
            Ok(TryOutcome::Booked) => queue.capacity = queue.capacity.saturating_sub(1),
            _ => {}
        }
        if queue.capacity > 0 {
            return Vec::new();
        }
        let losers = std::mem::take(&mut queue.candidates);
        if matches!(outcome, Ok(TryOutcome::Booked)) {
            losers.into_iter().take(LOSERS_NOTIFIED).collect()
        } else {
            Vec::new()
        }
    }
}

impl State {
    /// Puts a candidate back in front of its opening: its job was handed out and does not begin.
    pub fn requeue(&mut self, task: TaskId, opening: &Opening) {
        let queue = self.openings.iter_mut().find(|h| h.key == opening.key && h.date == opening.date);
        if let Some(queue) = queue {
            queue.trying = queue.trying.saturating_sub(1);
            queue.candidates.push_front(task);
        }
    }

    /// Times of a day that others have been sent for, and how many more are left to those who tried for it first and have not
    /// sent yet.
    pub fn left_to_others(&self, opening: &Opening, task: &Task) -> (Vec<NaiveTime>, usize) {
        let day = (opening.key.facility, opening.date);
        let others = self.attempts.values().filter(|attempt| attempt.task != task.id);
        let of_day = others
            .filter(|attempt| attempt.target.is_some_and(|target| (target.facility, target.date) == day));
        let (sent, taken): (Vec<_>, Vec<_>) =
            of_day.filter_map(|attempt| Some((attempt.account, attempt.target?.time))).unzip();
        let chooses =
            |account: &&PortalAccountId| self.trying.get(*account) == Some(&day) && !sent.contains(*account);
        (taken, opening.ahead.iter().filter(chooses).count())
    }

    /// The day's times were read: as many may try as there are times; none at all makes it a phantom.
    pub fn times_known(&mut self, opening: &Opening, account: PortalAccountId, times: usize, now: Instant) {
        self.list_agreement.of(&opening.key).tried(opening.date, account, times, opening.seen, now);
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

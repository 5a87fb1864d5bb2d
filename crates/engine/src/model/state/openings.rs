//! Effects of one try for an opening on the other candidates.

use chrono::{NaiveTime, TimeDelta};
use domain::clock::Instant;
use domain::ids::{PortalAccountId, TaskId};
use store::task::Task;

use crate::JobError;
use crate::model::backoff::Work;
use crate::model::openings::{LOSERS_NOTIFIED, Opening, TryOutcome};
use crate::model::state::State;

/// Delay after a POST before the slot passes to the next in rank.
const PASS_ON: TimeDelta = TimeDelta::seconds(10);
/// Cool-down of a task for a date that had no result.
const COOL_OFF: TimeDelta = TimeDelta::minutes(10);
/// Cool-down of a task for a date that a portal failure prevented: a failure passes sooner than a
/// rule.
const HINDERED: TimeDelta = TimeDelta::minutes(2);
/// Cool-down of a task for a date without an accepted time of day: others may give a time back.
const NO_TIME_FITS: TimeDelta = TimeDelta::minutes(30);
/// Cool-down of all tasks for a date whose times answered empty twice.
pub(super) const PHANTOM: TimeDelta = TimeDelta::minutes(30);

impl State {
    /// Applies the effects of one try to the opening and to this task's next tries.
    ///
    /// Returns the candidates that were queued for it in vain.
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
            // A failure on our side, most often of the database: the opening still lives after the
            // first.
            Err(_) => Some(self.backoffs.failed(Work::Book, task.0, now) - now),
            Ok(TryOutcome::Again | TryOutcome::Booked) => None,
        };
        if let Some(rest) = rest {
            self.cool_offs.insert((task, opening.key.facility, opening.date), now + rest);
        }
        if matches!(outcome, Ok(TryOutcome::NothingSent | TryOutcome::Hindered) | Err(_)) {
            // A notify-only task must not wait behind a try that was not even sent.
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
    /// Puts a candidate back to the front of its opening's queue: its job was handed out and does
    /// not begin.
    pub fn requeue(&mut self, task: TaskId, opening: &Opening) {
        let queue = self.openings.iter_mut().find(|h| h.key == opening.key && h.date == opening.date);
        if let Some(queue) = queue {
            queue.trying = queue.trying.saturating_sub(1);
            queue.candidates.push_front(task);
        }
    }

    /// Returns the times of a date for which other tasks have sent a POST. Also returns the number
    /// of times left to accounts that tried first and have not sent yet.
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

    /// Records the number of times of a date: as many tasks may try as there are times. None at all
    /// makes the date a phantom.
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

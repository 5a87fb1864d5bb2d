//! Openings: free dates that tasks want, and the queues of candidates that may try to book them.

use std::collections::{HashMap, HashSet, VecDeque};

use chrono::{NaiveDate, NaiveTime, TimeDelta};
use domain::calendar::CalendarKey;
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::ids::{PortalAccountId, TaskId};
use store::task::Task;

use crate::JobError;
use crate::model::attempts::Attempts;
use crate::model::backoff::{Backoffs, Work};
use crate::model::missed_openings::MissedOpenings;
use crate::model::questions::Asked;

/// Lifetime of an opening.
pub(crate) const OPENING_LIVES: TimeDelta = TimeDelta::minutes(2);
/// Maximum number of accounts that try for one opening at once.
pub(crate) const BOOKERS_PER_OPENING: u32 = 3;
/// Maximum number of candidates per lost date that get a `slot_gone` journal entry.
pub(crate) const LOSERS_NOTIFIED: usize = 50;
/// Delay after a booking request before the next candidate may try.
const PASS_ON: TimeDelta = TimeDelta::seconds(10);
/// Delay before the next candidate may try a date before which no fingerprint appointment is free.
const WITHOUT_FINGERPRINTS: TimeDelta = TimeDelta::seconds(60);
/// Cool-down of a task for a date after a try without a booking.
const COOL_OFF: TimeDelta = TimeDelta::minutes(10);
/// Maximum cool-down of a task for a date without an accepted time of day. Each further try without
/// result doubles the cool-down.
const NO_TIME_FITS_AT_MOST: TimeDelta = TimeDelta::hours(2);
/// Number of an account's tries without result in [`VAIN_TRIES_COUNT_FOR`], after which no date is
/// tried again. They cost up to half of the requests that polls may use.
const MOST_VAIN_TRIES: usize = 5;
/// Wait after the last vain try for a new date before the next new date is tried then.
const NEW_DATE_AFTER: TimeDelta = TimeDelta::hours(2);
/// Cool-down of a task for a date after a temporary failure. It is shorter than [`COOL_OFF`],
/// because failures end sooner.
const HINDERED: TimeDelta = TimeDelta::minutes(2);
/// Cool-down of a task for a date without an accepted time of day. Another applicant's cancellation
/// may free an accepted time.
const NO_TIME_FITS: TimeDelta = TimeDelta::minutes(30);
/// Cool-down of a task for a date for which it found no fingerprint appointment. Such a date often
/// stays listed for days, and each try costs two to five of the polls with which the account
/// watches its cities.
const NO_FINGERPRINTS: TimeDelta = TimeDelta::hours(4);

/// Time for which tries without result count: the period of the request limit.
const VAIN_TRIES_COUNT_FOR: TimeDelta = TimeDelta::hours(10);
/// Time after a cool-down within which the next one for the same date is longer.
const REMEMBERED: TimeDelta = TimeDelta::hours(2);

/// The account whose list a calendar shows, and the time of the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ListOrigin {
    pub by: Option<PortalAccountId>,
    pub at: Option<Instant>,
}

/// A date in a calendar that a task wants.
#[derive(Clone, Debug)]
pub(crate) struct Opening {
    pub key: CalendarKey,
    pub date: NaiveDate,
    /// Origin of the list that shows the date.
    pub seen: ListOrigin,
    /// Accounts that already tried for the same date when this try began. This try leaves one time
    /// to each until it has sent its request.
    pub ahead: Vec<PortalAccountId>,
}

/// Outcome of one try.
pub(crate) enum TryOutcome {
    /// The date has no slot for this task now. The task skips the date for a while, and the next
    /// candidate may try at once.
    NothingThere,
    /// The date has times, but the task accepts none of them.
    NoTimeFits,
    /// The portal lists no fingerprint appointment before the date at the place that belongs to the
    /// consulate. No other candidate tries for [`WITHOUT_FINGERPRINTS`].
    NoFingerprints,
    /// No fingerprint appointment was found that this task accepts, or not all lists could be read.
    /// Another candidate may find one.
    NoFingerprintsFit,
    /// The session had ended. The same task tries again at once with a new session.
    Again,
    /// A rule, or the state of the task or the account, prevented the try; nothing was sent.
    NothingSent,
    /// A temporary cause, such as a failure of the portal, prevented the try; nothing was sent.
    Hindered,
    /// The booking request was sent, but the portal does not show the slot yet. The next candidate
    /// waits [`PASS_ON`].
    Acted,
    /// The slot is booked for the task.
    Booked,
}

impl TryOutcome {
    /// Returns `true` if requests were spent for a listed date that the task cannot book. A date
    /// that another applicant took does not count.
    pub const fn is_vain(&self) -> bool {
        matches!(self, Self::NoTimeFits | Self::NoFingerprints | Self::NoFingerprintsFit)
    }

    /// Returns `true` if the outcome may be another one with other criteria of the task.
    const fn depends_on_criteria(&self) -> bool {
        matches!(self, Self::NoTimeFits | Self::NoFingerprints | Self::NoFingerprintsFit | Self::NothingSent)
    }

    /// Returns the metric label.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::NothingThere => "nothing_there",
            Self::NoTimeFits => "no_time_fits",
            Self::NoFingerprints => "no_fingerprints",
            Self::NoFingerprintsFit => "no_fingerprints_fit",
            Self::Again => "again",
            Self::NothingSent => "nothing_sent",
            Self::Hindered => "hindered",
            Self::Acted => "acted",
            Self::Booked => "booked",
        }
    }
}

/// A date that some tasks want, with the candidates that may still try for it.
pub(crate) struct OpeningQueue {
    pub key: CalendarKey,
    pub date: NaiveDate,
    pub seen_at: Instant,
    /// Tasks in rank order.
    pub candidates: VecDeque<TaskId>,
    /// Origin of the list that shows the date.
    pub seen: ListOrigin,
    /// Number of tries in progress.
    pub trying: u32,
    /// Maximum number of concurrent tries: one until its times are known, then one per time.
    pub capacity: u32,
    pub not_before: Instant,
}

impl OpeningQueue {
    /// Creates the queue of a date that a list shows at `now`.
    pub const fn new(
        key: CalendarKey,
        date: NaiveDate,
        seen: ListOrigin,
        candidates: VecDeque<TaskId>,
        now: Instant,
    ) -> Self {
        Self { key, date, seen_at: now, candidates, seen, trying: 0, capacity: 1, not_before: now }
    }

    fn is_over(&self, now: Instant) -> bool {
        self.seen_at + OPENING_LIVES <= now || (self.candidates.is_empty() && self.trying == 0)
    }
}

/// Time in which a task does not try for a date again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CoolOff {
    until: Instant,
    /// Length of the last cool-down because no time of day was accepted; zero if there was none.
    no_time_fits: TimeDelta,
    /// `true` if another choice of criteria may lead to a booking, so an edit ends the cool-down.
    depends_on_criteria: bool,
}

/// Try for a date that the task cannot book.
#[derive(Clone, Copy, Debug)]
struct VainTry {
    at: Instant,
    date: Asked,
    /// `true` if the date had no earlier vain try.
    is_first: bool,
}

/// Openings of all calendars, and the tries for them.
#[derive(Default)]
pub(crate) struct Openings {
    queues: Vec<OpeningQueue>,
    /// Accounts that try for a date and have not sent their booking request, each with facility and
    /// date.
    trying: HashMap<PortalAccountId, (FacilityId, NaiveDate)>,
    /// Cool-downs of (task, facility, date) after a try without result.
    cool_offs: HashMap<(TaskId, FacilityId, NaiveDate), CoolOff>,
    /// Tries of each account for dates that the task cannot book, oldest first.
    vain_tries: HashMap<PortalAccountId, VecDeque<VainTry>>,
    /// Dates that candidates failed to book. Lower-ranked tasks may be notified of them.
    tried_in_vain: HashSet<(FacilityId, NaiveDate)>,
    /// Dates for which no account could try in time.
    pub missed: MissedOpenings,
}

/// Queues of candidates.
impl Openings {
    /// Returns `true` if there is no opening.
    pub fn is_empty(&self) -> bool {
        self.queues.is_empty()
    }

    /// Removes all openings.
    pub fn clear(&mut self) {
        self.queues.clear();
    }

    /// Takes all queues, the earliest date first, to dispatch their candidates. A task in two
    /// queues tries for the earlier date. The caller must return the queues with
    /// [`Self::put_back`].
    pub fn take_queues(&mut self) -> Vec<OpeningQueue> {
        let mut queues = std::mem::take(&mut self.queues);
        queues.sort_by_key(|queue| queue.date);
        queues
    }

    /// Puts back the queues that [`Self::take_queues`] returned.
    pub fn put_back(&mut self, queues: Vec<OpeningQueue>) {
        self.queues = queues;
    }

    /// Adds a queue.
    pub fn push(&mut self, queue: OpeningQueue) {
        self.queues.push(queue);
    }

    /// Removes and returns the queues of a date for which no try is in progress.
    pub fn take_idle(&mut self, key: &CalendarKey, date: NaiveDate) -> Vec<OpeningQueue> {
        let idle = |queue: &mut OpeningQueue| queue.key == *key && queue.date == date && queue.trying == 0;
        self.queues.extract_if(.., idle).collect()
    }

    /// Removes and returns the openings that have expired, or that have no candidates and no tries.
    pub fn take_expired(&mut self, now: Instant) -> Vec<OpeningQueue> {
        let expired: Vec<_> = self.queues.extract_if(.., |queue| queue.is_over(now)).collect();
        for queue in expired.iter().filter(|queue| !queue.candidates.is_empty()) {
            // Lower-ranked tasks are notified at once when the date is listed again.
            self.tried_in_vain.insert((queue.key.facility, queue.date));
        }
        expired
    }

    /// Returns the queue of a date.
    pub fn queue_mut(&mut self, key: &CalendarKey, date: NaiveDate) -> Option<&mut OpeningQueue> {
        self.queues.iter_mut().find(|queue| queue.key == *key && queue.date == date)
    }

    /// Returns `true` if a task is queued for a date of a facility.
    pub fn is_queued(&self, task: TaskId, facility: FacilityId, date: NaiveDate) -> bool {
        let mut of_date = self.queues.iter().filter(|queue| queue.is_of(facility, date));
        of_date.any(|queue| queue.candidates.contains(&task))
    }

    /// Removes a task from the queues of a date of a facility.
    pub fn unqueue(&mut self, task: TaskId, facility: FacilityId, date: NaiveDate) {
        for queue in self.queues.iter_mut().filter(|queue| queue.is_of(facility, date)) {
            queue.candidates.retain(|one| *one != task);
        }
    }

    /// Puts a candidate back to the front of its queue, because its dispatched job does not begin.
    pub fn requeue(&mut self, task: TaskId, opening: &Opening) {
        if let Some(queue) = self.queue_mut(&opening.key, opening.date) {
            queue.trying = queue.trying.saturating_sub(1);
            queue.candidates.push_front(task);
        }
    }
}

impl OpeningQueue {
    fn is_of(&self, facility: FacilityId, date: NaiveDate) -> bool {
        self.date == date && self.key.facility == facility
    }
}

/// Tries in progress, and their effects.
impl Openings {
    /// Records that an account tries for a date. Returns the accounts that already try for it.
    pub fn begin_try(
        &mut self,
        account: PortalAccountId,
        facility: FacilityId,
        date: NaiveDate,
    ) -> Vec<PortalAccountId> {
        let day = (facility, date);
        let ahead = self.trying.iter().filter(|(_, other)| **other == day).map(|(account, _)| *account);
        let ahead = ahead.collect();
        self.trying.insert(account, day);
        ahead
    }

    /// Records that an account is about to send its booking request, or that it sends none. Returns
    /// `true` if the account was trying.
    pub fn end_try(&mut self, account: PortalAccountId) -> bool {
        self.trying.remove(&account).is_some()
    }

    /// Returns `true` if an account tries for a date and has not sent its booking request.
    pub fn any_trying(&self) -> bool {
        !self.trying.is_empty()
    }

    /// Returns the times of a date for which other tasks have sent a booking request. Also returns
    /// the number of times reserved for accounts that tried first and have not sent their requests.
    pub fn left_to_others(
        &self,
        opening: &Opening,
        task: &Task,
        attempts: &Attempts,
    ) -> (Vec<NaiveTime>, usize) {
        let day = (opening.key.facility, opening.date);
        let others = attempts.times_of_others(task.id, day.0, day.1);
        let (sent, taken): (Vec<_>, Vec<_>) = others.unzip();
        let chooses =
            |account: &&PortalAccountId| self.trying.get(*account) == Some(&day) && !sent.contains(*account);
        (taken, opening.ahead.iter().filter(chooses).count())
    }

    /// Records the number of times of a date, which limits its concurrent tries. Removes all
    /// candidates if there are no times.
    pub fn set_times(&mut self, opening: &Opening, times: usize) {
        if let Some(queue) = self.queue_mut(&opening.key, opening.date) {
            queue.capacity = u32::try_from(times).unwrap_or(u32::MAX);
            if times == 0 {
                queue.candidates.clear();
            }
        }
    }

    /// Applies the outcome of one try to the opening and to the task's cool-downs.
    ///
    /// Returns the queued candidates that lost the date, if the try booked its last slot.
    pub fn tried(
        &mut self,
        task: TaskId,
        opening: &Opening,
        outcome: &Result<TryOutcome, JobError>,
        backoffs: &mut Backoffs,
        now: Instant,
    ) -> Vec<TaskId> {
        crate::metrics::opening(outcome.as_ref().map_or("nothing_sent", TryOutcome::as_str));
        if outcome.is_ok() {
            backoffs.succeeded(Work::Book, task.0);
        }
        let date = (task, opening.key.facility, opening.date);
        let no_time_fits = self.cool_offs.get(&date).map_or(TimeDelta::zero(), |known| known.no_time_fits);
        // A try may have cost requests. The cool-down prevents the same cost at the next poll.
        let cool_off = match outcome {
            Ok(TryOutcome::NothingThere | TryOutcome::Acted | TryOutcome::NothingSent) => Some(COOL_OFF),
            Ok(TryOutcome::NoTimeFits) => Some((no_time_fits * 2).clamp(NO_TIME_FITS, NO_TIME_FITS_AT_MOST)),
            Ok(TryOutcome::NoFingerprints | TryOutcome::NoFingerprintsFit) => Some(NO_FINGERPRINTS),
            Ok(TryOutcome::Hindered) => Some(HINDERED),
            // An internal failure, mostly of the database. The first back-off ends before the
            // opening expires.
            Err(_) => Some(backoffs.failed(Work::Book, task.0, now) - now),
            Ok(TryOutcome::Again | TryOutcome::Booked) => None,
        };
        if let Some(span) = cool_off {
            let depends_on_criteria = outcome.as_ref().is_ok_and(TryOutcome::depends_on_criteria);
            let no_time_fits =
                if matches!(outcome, Ok(TryOutcome::NoTimeFits)) { span } else { no_time_fits };
            self.cool_offs.insert(date, CoolOff { until: now + span, no_time_fits, depends_on_criteria });
        }
        if matches!(outcome, Ok(TryOutcome::NothingSent | TryOutcome::Hindered) | Err(_)) {
            // Notify-only tasks need not wait for a try that sent no request.
            self.tried_in_vain.insert((opening.key.facility, opening.date));
        }
        let Some(queue) = self.queue_mut(&opening.key, opening.date) else { return Vec::new() };
        queue.trying = queue.trying.saturating_sub(1);
        match outcome {
            Ok(TryOutcome::Again) => queue.candidates.push_front(task),
            Ok(TryOutcome::Acted) => queue.not_before = now + PASS_ON,
            // All accounts of a calendar get the same lists of that place.
            Ok(TryOutcome::NoFingerprints) => queue.not_before = now + WITHOUT_FINGERPRINTS,
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

    /// Records that candidates failed to book a date.
    pub fn add_tried_in_vain(&mut self, facility: FacilityId, date: NaiveDate) {
        self.tried_in_vain.insert((facility, date));
    }

    /// Returns `true` if candidates failed to book a date since it was listed.
    pub fn was_tried_in_vain(&self, facility: FacilityId, date: NaiveDate) -> bool {
        self.tried_in_vain.contains(&(facility, date))
    }

    /// Forgets a date that vanished from the list of its calendar. If it comes back, its times may
    /// be others, so the doubled part of a cool-down ends.
    pub fn forget_date(&mut self, facility: FacilityId, date: NaiveDate) {
        for ((_, at, day), cool_off) in &mut self.cool_offs {
            if (*at, *day) == (facility, date) && cool_off.no_time_fits > NO_TIME_FITS {
                cool_off.until -= cool_off.no_time_fits - NO_TIME_FITS;
                cool_off.no_time_fits = NO_TIME_FITS;
            }
        }
        self.tried_in_vain.remove(&(facility, date));
        self.missed.forget(facility, date);
    }

    /// Records a try of an account for a date that the task cannot book.
    pub fn add_vain_try(&mut self, account: PortalAccountId, date: Asked, now: Instant) {
        let tries = self.vain_tries.entry(account).or_default();
        let is_first = tries.iter().all(|vain| vain.date != date);
        tries.push_back(VainTry { at: now, date, is_first });
    }

    /// Returns `true` if an account may not try for a date now, because the requests that its vain
    /// tries left are needed for polls. A date without an earlier vain try waits only for
    /// [`NEW_DATE_AFTER`].
    pub fn tried_often(&self, account: PortalAccountId, date: Asked, now: Instant) -> bool {
        let recent = |span| {
            let tries = self.vain_tries.get(&account).into_iter().flatten();
            tries.filter(move |vain| now - vain.at < span)
        };
        let is_known = || recent(VAIN_TRIES_COUNT_FOR).any(|vain| vain.date == date);
        recent(VAIN_TRIES_COUNT_FOR).count() >= MOST_VAIN_TRIES
            && (is_known() || recent(NEW_DATE_AFTER).any(|vain| vain.is_first))
    }

    /// Forgets the cool-downs and tries that have passed. A cool-down is remembered for a while, so
    /// that the next one for the same date is longer.
    pub fn end_cool_offs(&mut self, now: Instant) {
        self.cool_offs.retain(|_, cool_off| cool_off.until + REMEMBERED > now);
        self.vain_tries.retain(|_, tries| {
            tries.retain(|vain| now - vain.at < VAIN_TRIES_COUNT_FOR);
            !tries.is_empty()
        });
    }

    /// Ends the cool-downs of a task that its previous criteria caused, and forgets its vain tries.
    pub fn criteria_changed(&mut self, task: TaskId) {
        self.vain_tries.values_mut().for_each(|tries| tries.retain(|vain| vain.date.0 != task));
        self.cool_offs.retain(|(of, ..), cool_off| *of != task || !cool_off.depends_on_criteria);
    }

    /// Returns the dates of a facility that are in cool-down, each with its task.
    pub fn cooling(&self, facility: FacilityId, now: Instant) -> impl Iterator<Item = (TaskId, NaiveDate)> {
        let is_cooling = move |((_, at, _), cool_off): &(&(_, FacilityId, _), &CoolOff)| {
            *at == facility && cool_off.until > now
        };
        self.cool_offs.iter().filter(is_cooling).map(|((task, _, date), _)| (*task, *date))
    }

    /// Adds `by` to the stored times, because the clock was changed by `by`.
    pub fn shift(&mut self, by: TimeDelta) {
        for queue in &mut self.queues {
            queue.seen_at += by;
            queue.not_before += by;
        }
        self.cool_offs.values_mut().for_each(|cool_off| cool_off.until += by);
        self.vain_tries.values_mut().flatten().for_each(|vain| vain.at += by);
    }
}

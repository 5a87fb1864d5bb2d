//! Reasons for which dates were not booked, derived from the state of a task at the time when each
//! date was listed.

use chrono::TimeDelta;
use domain::appointment::Slot;
use domain::booking::{AttemptState, Stop};
use domain::clock::Instant;
use domain::criteria::{Rejection, SearchCriteria};
use domain::facility::FacilityId;
use domain::journal::{GoneReason, JournalEvent, NamedSlot};
use serde::Serialize;
use store::Tx;
use store::booking_attempt::BookingAttempt;
use store::journal::Entry;
use store::seen::Sighting;
use store::task::Task;
use utoipa::ToSchema;

use crate::http::error::ApiError;

/// Kinds of journal entries that show the outcome of a date or an earlier state of the task.
const KINDS: &str =
    "slot_gone,not_booked_because,alerted,asked,not_asked,said_yes,edited,changed_outside,trouble";
const LINES: i64 = 5_000;
/// Maximum time between the disappearance of a date and the journal entry about it.
const AFTER: TimeDelta = TimeDelta::minutes(10);

/// Outcome of a date that was listed: the reason for which it was not booked, or `booked`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Why)]
pub enum DateOutcome {
    /// The city was not in the criteria.
    CityNotWanted,
    /// The date is before the window.
    BeforeWindow,
    /// The date is after the window.
    AfterWindow,
    /// The date is excluded.
    Excluded,
    /// The date is not on one of the chosen weekdays.
    Weekday,
    /// No time of the date was acceptable.
    TimeOfDay,
    /// The date was too close to the current date.
    TooSoon,
    /// The date is earlier than the appointment, but by too few days.
    NotEarlierEnough,
    /// The date is the date of the appointment, or later.
    NotEarlier,
    /// No fingerprint appointment before the date could be found.
    NoFingerprints,
    /// No fingerprint appointment before the date was acceptable.
    FingerprintsNotWanted,
    /// The consulate takes the fingerprints itself, which this version does not support.
    FingerprintsAtConsulate,
    /// Another task with a higher rank got the date.
    TakenForAnother,
    /// The date disappeared before it could be booked.
    Lost,
    /// The list contained the date, but the date had no times.
    Phantom,
    /// The request budget of the portal account was used up.
    NoBudget,
    /// The portal account was in a cool-down after an error.
    Restricted,
    /// The task only notifies, and the user was notified.
    Notified,
    /// The task asked the user, who did not approve in time.
    NoAnswer,
    /// The portal allowed only one more reschedule, which the user has reserved.
    LastAttemptKept,
    /// The maximum number of reschedules that the user allows was reached.
    ReschedulesUsed,
    /// The portal's deadline for changes had passed.
    PastDeadline,
    /// The appointment was changed outside of this service.
    ChangedOutside,
    /// A booking of the date is not confirmed yet.
    BookingUnconfirmed,
    /// Another date was booked for this task while this date was listed.
    OtherBooked,
    /// The date is still listed, and acceptable.
    Open,
    /// The date was booked.
    Booked,
}

/// Details of an outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, ToSchema)]
pub struct WhyData {
    /// Number of days by which the date violates the rule. For `not_earlier`, the number of days by
    /// which it is after the appointment.
    pub margin_days: Option<i64>,
    /// Seconds from the poll that showed the date to the booking request.
    pub seconds_to_post: Option<f64>,
    /// Progress of the attempt: `times` (the times were read) or `posted` (the request was sent).
    pub reached: Option<&'static str>,
    /// `true` if the attempt used one of the portal's reschedules; null if that is unknown.
    pub attempt_spent: Option<bool>,
    /// Date that was booked instead, for `other_booked`.
    pub booked_date: Option<chrono::NaiveDate>,
}

/// Outcome of a date with its details, and the slot that the engine tried to book.
pub type Reason = (DateOutcome, WhyData, Option<Slot>);

/// Returns the outcome for a rejection, and the number of days by which the date violates the rule.
#[must_use]
pub const fn rule(rejection: &Rejection) -> (DateOutcome, Option<i64>) {
    match *rejection {
        Rejection::CityNotWanted => (DateOutcome::CityNotWanted, None),
        Rejection::BeforeWindow { days } => (DateOutcome::BeforeWindow, Some(days)),
        Rejection::AfterWindow { days } => (DateOutcome::AfterWindow, Some(days)),
        Rejection::Excluded => (DateOutcome::Excluded, None),
        Rejection::Weekday => (DateOutcome::Weekday, None),
        Rejection::TooSoon { days } => (DateOutcome::TooSoon, Some(days)),
        Rejection::NotEarlierEnough { gained, .. } if gained <= 0 => (DateOutcome::NotEarlier, Some(-gained)),
        Rejection::NotEarlierEnough { gained, needed } => {
            (DateOutcome::NotEarlierEnough, Some(needed - gained))
        }
    }
}

/// Stored facts about a task's past that explain outcomes.
pub struct Past<'a> {
    task: &'a Task,
    /// Earlier criteria, each with the time until which it applied, oldest first.
    criteria: Vec<(Instant, SearchCriteria)>,
    /// Earlier appointments, each with the time until which it applied, oldest first.
    booked: Vec<(Instant, Option<Slot>)>,
    intents: Vec<BookingAttempt>,
    lines: Vec<Entry>,
    /// Dates that were booked for other tasks: city, date and time of the booking.
    others: Vec<(FacilityId, chrono::NaiveDate, Instant)>,
}

impl<'a> Past<'a> {
    /// Reads the facts from `since` on, with four statements.
    pub async fn read(tx: &mut Tx, task: &'a Task, since: Instant) -> Result<Self, ApiError> {
        let lines = store::journal::of_kinds(tx, task.id, KINDS, since, LINES).await?;
        let successes = store::journal::successes(tx, task.id).await?;
        let intents = store::booking_attempt::of_task(tx, task.id).await?;
        let others = store::booking_attempt::booked_by_others(tx, task.id, task.country, since).await?;
        let mut criteria = Vec::new();
        let mut booked: Vec<_> =
            successes.iter().map(|success| (success.found_at, success.old.map(|old| old.consular))).collect();
        for line in &lines {
            match &line.event {
                JournalEvent::Edited { was: Some(was), .. } => criteria.push((line.at, was.clone())),
                JournalEvent::ChangedOutside { from, .. } => {
                    booked.push((line.at, from.as_ref().and_then(NamedSlot::slot)));
                }
                _ => {}
            }
        }
        booked.sort_by_key(|(at, _)| *at);
        Ok(Self { task, criteria, booked, intents, others, lines })
    }

    fn criteria_at(&self, at: Instant) -> Option<&SearchCriteria> {
        self.criteria
            .iter()
            .find(|(until, _)| at < *until)
            .map(|(_, criteria)| criteria)
            .or(self.task.criteria.as_ref())
    }

    fn booked_at(&self, at: Instant) -> Option<Slot> {
        self.booked
            .iter()
            .find(|(until, _)| at <= *until)
            .map_or(self.task.interview().copied(), |(_, slot)| *slot)
    }

    /// Returns the outcome of a date that was listed.
    #[must_use]
    pub fn why(&self, seen: &Sighting) -> Reason {
        if let Some(tried) = self.tried(seen) {
            return tried;
        }
        let plain = |why| (why, WhyData::default(), None);
        let Some(criteria) = self.criteria_at(seen.seen_at) else { return plain(DateOutcome::Open) };
        let booked = self.booked_at(seen.seen_at);
        let today = seen.facility.today(seen.seen_at);
        if let Err(rejection) = criteria.evaluate(seen.facility, seen.day, booked.as_ref(), today) {
            let (why, margin_days) = rule(&rejection);
            return (why, WhyData { margin_days, ..WhyData::default() }, None);
        }
        if let Some(told) = self.journaled(seen) {
            return told;
        }
        let other = self
            .others
            .iter()
            .any(|(facility, day, at)| (*facility, *day) == (seen.facility, seen.day) && during(seen, *at));
        if !other && let Some(instead) = self.booked_during(seen) {
            let booked_date = Some(instead.date);
            return (DateOutcome::OtherBooked, WhyData { booked_date, ..WhyData::default() }, None);
        }
        plain(match () {
            () if other => DateOutcome::TakenForAnother,
            () if self.had_no_budget(seen) => DateOutcome::NoBudget,
            () if seen.gone_at.is_some() => DateOutcome::Lost,
            () => DateOutcome::Open,
        })
    }

    /// Returns the attempt that booked another date for this task while the given date was listed.
    fn booked_during(&self, seen: &Sighting) -> Option<&BookingAttempt> {
        let booked = |attempt: &&BookingAttempt| {
            attempt.state == AttemptState::Confirmed && attempt.sending_at.is_some_and(|at| during(seen, at))
        };
        self.intents.iter().find(booked)
    }

    /// Returns the outcome of the task's booking attempt for this date, if there was one.
    fn tried(&self, seen: &Sighting) -> Option<Reason> {
        let is_of = |attempt: &&BookingAttempt| (attempt.facility, attempt.date) == (seen.facility, seen.day);
        let (attempt, acted) = self
            .intents
            .iter()
            .filter(is_of)
            .filter_map(|attempt| Some((attempt, attempt.sending_at?)))
            .find(|(_, at)| during(seen, *at))?;
        let why = match attempt.state {
            AttemptState::Confirmed => DateOutcome::Booked,
            AttemptState::Refused | AttemptState::NotBooked => DateOutcome::Lost,
            _ => DateOutcome::BookingUnconfirmed,
        };
        let milliseconds = (acted - seen.seen_at).num_milliseconds().max(0);
        let spent = match why {
            DateOutcome::Booked => Some(attempt.expected.is_some()),
            DateOutcome::Lost => Some(false),
            _ => None,
        };
        let data = WhyData {
            margin_days: None,
            seconds_to_post: Some((milliseconds as f64 / 100.0).round() / 10.0),
            reached: Some("posted"),
            attempt_spent: spent,
            booked_date: None,
        };
        let slot = attempt.target.filter(|_| !attempt.is_time_unknown()).map(|target| target.consular);
        Some((why, data, slot))
    }

    /// Returns the outcome that the journal contains for this date, if any.
    fn journaled(&self, seen: &Sighting) -> Option<Reason> {
        let of_day = |line: &&Entry| line.event.day() == Some((seen.facility, seen.day));
        let line = self.lines.iter().rev().find(|line| of_day(line) && during(seen, line.at))?;
        let times = WhyData { reached: Some("times"), attempt_spent: Some(false), ..WhyData::default() };
        let none = WhyData::default();
        let (why, data) = match &line.event {
            JournalEvent::SlotGone { why, .. } | JournalEvent::NotAsked { why, .. } => match why {
                GoneReason::NoTimes => (DateOutcome::Phantom, times),
                GoneReason::TimeOfDay => (DateOutcome::TimeOfDay, times),
                GoneReason::TakenForAnother => (DateOutcome::TakenForAnother, none),
                GoneReason::NoFingerprints | GoneReason::FingerprintsUnread => {
                    (DateOutcome::NoFingerprints, times)
                }
                GoneReason::FingerprintsNotWanted => (DateOutcome::FingerprintsNotWanted, times),
                GoneReason::FingerprintsAtConsulate => (DateOutcome::FingerprintsAtConsulate, times),
                GoneReason::AccountResting => (DateOutcome::Restricted, none),
                GoneReason::NoBudget => (DateOutcome::NoBudget, none),
                GoneReason::NotReached | GoneReason::AskedOften => (DateOutcome::Lost, none),
            },
            JournalEvent::Alerted { .. } => (DateOutcome::Notified, none),
            JournalEvent::Asked { .. } => (DateOutcome::NoAnswer, none),
            JournalEvent::SaidYes { .. } => (DateOutcome::Lost, none),
            JournalEvent::NotBookedBecause { stop, .. } => match stop {
                Stop::NotifyOnly => (DateOutcome::Notified, none),
                Stop::Unanswered => (DateOutcome::NoAnswer, none),
                Stop::LastAttempt => (DateOutcome::LastAttemptKept, none),
                Stop::ReschedulesUsed => (DateOutcome::ReschedulesUsed, none),
                Stop::DeadlinePassed => (DateOutcome::PastDeadline, none),
                Stop::Changed | Stop::PagesDiffer | Stop::AttemptsDiffer | Stop::Unreadable => {
                    (DateOutcome::ChangedOutside, none)
                }
                Stop::Rejected { rejection } => {
                    let (why, margin_days) = rule(rejection);
                    (why, WhyData { margin_days, ..none })
                }
                Stop::TooOld => return None,
            },
            _ => return None,
        };
        Some((why, data, None))
    }

    fn had_no_budget(&self, seen: &Sighting) -> bool {
        let rested = |line: &Entry| matches!(&line.event, JournalEvent::PortalError(e) if e.code == "budget");
        self.lines.iter().any(|line| rested(line) && during(seen, line.at))
    }
}

/// Returns `true` if `at` is within the time in which the date was listed, or shortly after.
fn during(seen: &Sighting, at: Instant) -> bool {
    at >= seen.seen_at && seen.gone_at.is_none_or(|gone| at <= gone + AFTER)
}

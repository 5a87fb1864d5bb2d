//! What was true of a task when a day was seen, and so why the day was not taken.

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

/// Journal lines that say what became of a day, or how the task was before.
const KINDS: &str =
    "slot_gone,not_booked_because,alerted,asked,not_asked,said_yes,edited,changed_outside,trouble";
const LINES: i64 = 5_000;
/// What is written of a day comes this long after it vanished, at most.
const AFTER: TimeDelta = TimeDelta::minutes(10);

/// Why a seen day was not taken, or that it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// The city was not in the criteria.
    CityNotWanted,
    /// Earlier than the window.
    BeforeWindow,
    /// Later than the window.
    AfterWindow,
    /// An excluded day.
    Excluded,
    /// Not one of the chosen days of the week.
    Weekday,
    /// None of its times was wanted.
    TimeOfDay,
    /// Too close to its own day.
    TooSoon,
    /// Earlier than the appointment, but by too little.
    NotEarlierEnough,
    /// On the day of the appointment, or later.
    NotEarlier,
    /// Somebody who asked first got it.
    TakenForAnother,
    /// It was gone before it could be booked.
    Lost,
    /// The list named the day, but it had no times.
    Phantom,
    /// The account had no calls left.
    NoBudget,
    /// The account was resting.
    Restricted,
    /// The task only tells, and told.
    Notified,
    /// The task asked, and nobody said yes in time.
    NoAnswer,
    /// Only the portal's last attempt was left, which the user keeps.
    LastAttemptKept,
    /// The reschedules this task may use were spent.
    ReschedulesUsed,
    /// The portal's deadline for changes had passed.
    PastDeadline,
    /// The appointment had been changed outside.
    ChangedOutside,
    /// A booking of it is not confirmed yet.
    BookingUnconfirmed,
    /// While it stood there, another date was booked for this task.
    OtherBooked,
    /// It still stands there, and is wanted.
    Open,
    /// It was booked.
    Booked,
}

/// What stands behind the reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, ToSchema)]
pub struct WhyData {
    /// By how many days a rule rejected it; for `not_earlier` how many days later than the appointment it is.
    pub margin_days: Option<i64>,
    /// Seconds from the poll that showed it to the booking request.
    pub seconds_to_post: Option<f64>,
    /// How far a try got: `times` (its times were read), `posted` (the request left).
    pub reached: Option<&'static str>,
    /// Whether one of the portal's reschedules was spent on it.
    pub attempt_spent: Option<bool>,
    /// The date that was booked instead, for `other_booked`.
    pub booked_date: Option<chrono::NaiveDate>,
}

/// A reason with its data, and the time that was tried for.
pub type Reason = (Why, WhyData, Option<Slot>);

/// The word of a rule, and by how many days it rejected.
#[must_use]
pub const fn rule(rejection: &Rejection) -> (Why, Option<i64>) {
    match *rejection {
        Rejection::CityNotWanted => (Why::CityNotWanted, None),
        Rejection::BeforeWindow { days } => (Why::BeforeWindow, Some(days)),
        Rejection::AfterWindow { days } => (Why::AfterWindow, Some(days)),
        Rejection::Excluded => (Why::Excluded, None),
        Rejection::Weekday => (Why::Weekday, None),
        Rejection::TooSoon { days } => (Why::TooSoon, Some(days)),
        Rejection::NotEarlierEnough { gained, .. } if gained <= 0 => (Why::NotEarlier, Some(-gained)),
        Rejection::NotEarlierEnough { gained, needed } => (Why::NotEarlierEnough, Some(needed - gained)),
    }
}

/// A task's past, as far as reasons need it.
pub struct Past<'a> {
    task: &'a Task,
    /// Until when each earlier criteria held, oldest first.
    criteria: Vec<(Instant, SearchCriteria)>,
    /// Until when each earlier appointment held, oldest first.
    booked: Vec<(Instant, Option<Slot>)>,
    intents: Vec<BookingAttempt>,
    lines: Vec<Entry>,
    /// Days others of ours booked: where, and when.
    others: Vec<(FacilityId, chrono::NaiveDate, Instant)>,
}

impl<'a> Past<'a> {
    /// Reads what happened since `since`: four statements.
    pub async fn read(tx: &mut Tx, task: &'a Task, since: Instant) -> Result<Self, ApiError> {
        let lines = store::journal::of_kinds(tx, task.id, KINDS, since, LINES).await?;
        let successes = store::journal::successes(tx, task.id).await?;
        let intents = store::booking_attempt::of_task(tx, task.id).await?;
        let others = store::booking_attempt::booked_by_others(tx, task.id, task.country, since).await?;
        let mut criteria = Vec::new();
        let mut booked: Vec<_> = successes.iter().map(|success| (success.found_at, success.old)).collect();
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
        self.booked.iter().find(|(until, _)| at <= *until).map_or(self.task.booked, |(_, slot)| *slot)
    }

    /// Why a day that was seen was not taken.
    #[must_use]
    pub fn why(&self, seen: &Sighting) -> Reason {
        if let Some(tried) = self.tried(seen) {
            return tried;
        }
        let plain = |why| (why, WhyData::default(), None);
        let Some(criteria) = self.criteria_at(seen.seen_at) else { return plain(Why::Open) };
        let booked = self.booked_at(seen.seen_at);
        let today = seen.facility.today(seen.seen_at);
        if let Err(rejection) = criteria.evaluate(seen.facility, seen.day, booked.as_ref(), today) {
            let (why, margin_days) = rule(&rejection);
            return (why, WhyData { margin_days, ..WhyData::default() }, None);
        }
        if let Some(told) = self.told(seen) {
            return told;
        }
        let other = self
            .others
            .iter()
            .any(|(facility, day, at)| (*facility, *day) == (seen.facility, seen.day) && during(seen, *at));
        if !other && let Some(instead) = self.booked_during(seen) {
            let booked_date = Some(instead.date);
            return (Why::OtherBooked, WhyData { booked_date, ..WhyData::default() }, None);
        }
        plain(match () {
            () if other => Why::TakenForAnother,
            () if self.had_no_budget(seen) => Why::NoBudget,
            () if seen.gone_at.is_some() => Why::Lost,
            () => Why::Open,
        })
    }

    /// What was booked for this task while the day stood on the list.
    fn booked_during(&self, seen: &Sighting) -> Option<&BookingAttempt> {
        let booked = |attempt: &&BookingAttempt| {
            attempt.state == AttemptState::Confirmed && attempt.sending_at.is_some_and(|at| during(seen, at))
        };
        self.intents.iter().find(booked)
    }

    /// A booking attempt of this day.
    fn tried(&self, seen: &Sighting) -> Option<Reason> {
        let is_of = |attempt: &&BookingAttempt| (attempt.facility, attempt.date) == (seen.facility, seen.day);
        let (attempt, acted) = self
            .intents
            .iter()
            .filter(is_of)
            .filter_map(|attempt| Some((attempt, attempt.sending_at?)))
            .find(|(_, at)| during(seen, *at))?;
        let why = match attempt.state {
            AttemptState::Confirmed => Why::Booked,
            AttemptState::Refused | AttemptState::NotBooked => Why::Lost,
            _ => Why::BookingUnconfirmed,
        };
        let milliseconds = (acted - seen.seen_at).num_milliseconds().max(0);
        let spent = match why {
            Why::Booked => Some(attempt.expected.is_some()),
            Why::Lost => Some(false),
            _ => None,
        };
        let data = WhyData {
            margin_days: None,
            seconds_to_post: Some((milliseconds as f64 / 100.0).round() / 10.0),
            reached: Some("posted"),
            attempt_spent: spent,
            booked_date: None,
        };
        Some((why, data, attempt.target.filter(|_| !attempt.is_time_unknown())))
    }

    /// What the journal says of this day.
    fn told(&self, seen: &Sighting) -> Option<Reason> {
        let of_day = |line: &&Entry| line.event.day() == Some((seen.facility, seen.day));
        let line = self.lines.iter().rev().find(|line| of_day(line) && during(seen, line.at))?;
        let times = WhyData { reached: Some("times"), attempt_spent: Some(false), ..WhyData::default() };
        let none = WhyData::default();
        let (why, data) = match &line.event {
            JournalEvent::SlotGone { why, .. } | JournalEvent::NotAsked { why, .. } => match why {
                GoneReason::NoTimes => (Why::Phantom, times),
                GoneReason::TimeOfDay => (Why::TimeOfDay, times),
                GoneReason::TakenForAnother => (Why::TakenForAnother, none),
                GoneReason::AccountResting => (Why::Restricted, none),
                GoneReason::NoBudget => (Why::NoBudget, none),
                GoneReason::NotReached | GoneReason::AskedOften => (Why::Lost, none),
            },
            JournalEvent::Alerted { .. } => (Why::Notified, none),
            JournalEvent::Asked { .. } => (Why::NoAnswer, none),
            JournalEvent::SaidYes { .. } => (Why::Lost, none),
            JournalEvent::NotBookedBecause { stop, .. } => match stop {
                Stop::NotifyOnly => (Why::Notified, none),
                Stop::Unanswered => (Why::NoAnswer, none),
                Stop::LastAttempt => (Why::LastAttemptKept, none),
                Stop::ReschedulesUsed => (Why::ReschedulesUsed, none),
                Stop::DeadlinePassed => (Why::PastDeadline, none),
                Stop::Changed | Stop::PagesDiffer | Stop::AttemptsDiffer | Stop::Unreadable => {
                    (Why::ChangedOutside, none)
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

/// Whether something happened while a day stood on the list, or just after.
fn during(seen: &Sighting, at: Instant) -> bool {
    at >= seen.seen_at && seen.gone_at.is_none_or(|gone| at <= gone + AFTER)
}

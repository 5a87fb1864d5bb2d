//! Endpoint `GET /schedules/{id}/calendar`: dates that a task's cities showed, the earliest date
//! over time, and the outcome of each date.

use std::collections::BTreeMap;

use axum::extract::State;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use domain::calendar::CalendarKey;
use domain::clock::Instant;
use domain::criteria::{Rejection, SearchCriteria};
use domain::facility::FacilityId;
use serde::{Deserialize, Serialize};
use store::Tx;
use store::seen::{Activity, Point};
use store::task::Task;
use utoipa::{IntoParams, ToSchema};

use super::own_task;
use super::seen::newest;
use super::why_not::{DateOutcome, Past, rule};
use crate::AppState;
use crate::auth::Caller;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{ApiError, Code};
use crate::http::extract::{Query, TaskPath};

/// Maximum number of points and marks. If the lists changed more often, a point is the best date of
/// an hour.
const POINTS: i64 = 3_000;
const MARKS: i64 = 300;
/// Suggested extensions of the task's date window, in days.
const WIDER: [i64; 4] = [7, 14, 30, 60];

/// Query with the length of the period.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct CalendarQuery {
    /// Period in days: 7, 30 or 90; 30 by default.
    #[serde(default = "default_days")]
    pub days: i64,
}

const fn default_days() -> i64 {
    30
}

/// A date that was listed for a city.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SeenDayView {
    /// The date.
    pub date: NaiveDate,
    /// Number of times that the date newly appeared.
    pub times: i64,
    /// Time of the first appearance.
    pub first_seen_at: DateTime<Utc>,
    /// Last time at which the date was listed; the current time while it is still listed.
    pub last_seen_at: DateTime<Utc>,
    /// `true` if the task's current criteria accept the date.
    pub wanted: bool,
    /// Rule that rejects the date; null if it is accepted.
    pub why: Option<DateOutcome>,
    /// Number of days by which the date violates that rule.
    pub margin_days: Option<i64>,
}

/// A city with the dates that were listed for it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SeenCity {
    /// City, in English.
    pub facility: String,
    /// Earliest date in the city's current list.
    pub now_earliest: Option<NaiveDate>,
    /// Dates from today on, in ascending order.
    pub days: Vec<SeenDayView>,
}

/// Earliest date of a city from a given time on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct EarliestPoint {
    /// Time from which this earliest date applies.
    pub at: DateTime<Utc>,
    /// Earliest date; null while the list was empty.
    pub earliest: Option<NaiveDate>,
}

/// Earliest date of one city over time.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct EarliestLine {
    /// City, in English.
    pub facility: String,
    /// Points, oldest first.
    pub points: Vec<EarliestPoint>,
}

/// A date that appeared, with its outcome for the task.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SeenMark {
    /// Time at which the date appeared.
    pub at: DateTime<Utc>,
    /// City, in English.
    pub facility: String,
    /// The date.
    pub date: NaiveDate,
    /// Outcome for the task.
    pub outcome: DateOutcome,
}

/// Date window that a task accepts.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct WindowView {
    /// First date.
    pub start: NaiveDate,
    /// Last date.
    pub end: NaiveDate,
}

/// Current appointment of a group.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BookedView {
    /// Date of the appointment.
    pub date: NaiveDate,
    /// City of the appointment, in English.
    pub facility: String,
}

/// Effect of extending the date window.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct Widening {
    /// Suggested later end of the window.
    pub end_date: NaiveDate,
    /// Number of additional dates, over all cities.
    pub more_dates: u32,
    /// Earliest of the additional dates.
    pub earliest: NaiveDate,
    /// Days by which that date is before the current appointment; null without an appointment.
    pub days_sooner: Option<i64>,
}

/// Calendar of a task: dates that were listed for its cities.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SeenCalendar {
    /// Cities of the task, in its order.
    pub cities: Vec<SeenCity>,
    /// Earliest dates over time, for each polled city.
    pub series: Vec<EarliestLine>,
    /// Newest dates that appeared while the task was monitored, oldest first.
    pub marks: Vec<SeenMark>,
    /// Date window of the task; null before it is set.
    pub window: Option<WindowView>,
    /// Current appointment; null without one.
    pub booked: Option<BookedView>,
    /// Suggested extension of the window; null if it would not have added dates.
    pub widen: Option<Widening>,
}

/// Returns the dates that were listed for a task's cities within the requested period.
#[utoipa::path(get, path = "/schedules/{id}/calendar", tag = "schedules", security(("bearer" = [])),
    params(("id" = uuid::Uuid, Path, description = "The task"), CalendarQuery),
    responses((status = 200, body = Envelope<SeenCalendar>), (status = "4XX", body = crate::http::error::ErrorEnvelope)))]
pub async fn get_schedule_calendar(
    State(app): State<AppState>,
    caller: Caller,
    TaskPath(id): TaskPath,
    Query(query): Query<CalendarQuery>,
) -> Answer<SeenCalendar> {
    if !matches!(query.days, 7 | 30 | 90) {
        return Err(Code::InvalidQuery.into());
    }
    let mut tx = app.db.read().await?;
    let task = own_task(&mut tx, caller.user, id).await?;
    let calendar = calendar(&mut tx, &task, query.days, app.portal_time.now()).await?;
    tx.commit().await?;
    ok(calendar)
}

async fn calendar(tx: &mut Tx, task: &Task, days: i64, now: Instant) -> Result<SeenCalendar, ApiError> {
    let since = now - TimeDelta::days(days);
    let keys = keys(task);
    let yesterday = now.date_naive() - TimeDelta::days(1);
    let activity = store::seen::activity(tx, &keys, since, yesterday).await?;
    let standing = store::seen::standing(tx, &task.calendars()).await?;
    // Exact changes are preferred. An hour's best date is placed at the beginning of its hour,
    // which may be before the poll that found it.
    let mut points = store::seen::changes(tx, &keys, since, POINTS).await?;
    if points.len() as i64 == POINTS {
        points = store::seen::hourly(tx, &keys, since).await?;
    }
    let mut marked = store::seen::sightings(tx, task.id, (since, newest(now)), MARKS).await?;
    marked.reverse();
    let past = Past::read(tx, task, marked.first().map_or(now, |seen| seen.seen_at)).await?;
    let marks = marked.iter().map(|seen| SeenMark {
        at: seen.seen_at,
        facility: seen.facility.name().to_owned(),
        date: seen.day,
        outcome: past.why(seen).0,
    });
    let cities = task.criteria.iter().flat_map(|criteria| &criteria.cities);
    let cities = cities.map(|city| SeenCity {
        facility: city.name().to_owned(),
        now_earliest: standing.iter().find(|c| c.facility == *city).and_then(|c| c.earliest),
        days: activity
            .iter()
            .filter(|day| day.facility == *city)
            .filter_map(|day| day_view(task, day, now))
            .collect(),
    });
    Ok(SeenCalendar {
        cities: cities.collect(),
        series: series(points, since),
        marks: marks.collect(),
        window: task
            .criteria
            .as_ref()
            .map(|criteria| WindowView { start: criteria.start_date, end: criteria.end_date }),
        booked: task
            .interview()
            .map(|held| BookedView { date: held.date, facility: held.facility.name().to_owned() }),
        widen: task.criteria.as_ref().and_then(|criteria| widen(task, criteria, &activity, now)),
    })
}

/// Returns the keys of the task's calendars, with and without an appointment. A booking changes
/// which list the group sees.
fn keys(task: &Task) -> Vec<CalendarKey> {
    let mut keys = task.calendars();
    let others = keys.clone().into_iter().map(|mut key| {
        key.kind.booked = !key.kind.booked;
        key
    });
    keys.extend(others);
    keys
}

fn day_view(task: &Task, seen: &Activity, now: Instant) -> Option<SeenDayView> {
    let today = seen.facility.today(now);
    let criteria = task.criteria.as_ref().filter(|_| seen.day >= today)?;
    let judged = criteria.evaluate(seen.facility, seen.day, task.interview(), today);
    let rejected = judged.err().map(|rejection| rule(&rejection));
    Some(SeenDayView {
        date: seen.day,
        times: seen.times,
        first_seen_at: seen.first_seen_at,
        last_seen_at: seen.last_seen_at,
        wanted: rejected.is_none(),
        why: rejected.map(|(why, _)| why),
        margin_days: rejected.and_then(|(_, days)| days),
    })
}

/// Groups the points by city, and moves earlier points to the beginning of the period. Drops a
/// point that equals the previous one.
fn series(points: Vec<Point>, since: Instant) -> Vec<EarliestLine> {
    let mut lines: BTreeMap<FacilityId, Vec<EarliestPoint>> = BTreeMap::new();
    for point in points {
        let line = lines.entry(point.facility).or_default();
        let point = EarliestPoint { at: point.at.max(since), earliest: point.earliest };
        if line.last().is_none_or(|last| last.earliest != point.earliest) {
            line.push(point);
        }
    }
    let line = |(city, points): (FacilityId, _)| EarliestLine { facility: city.name().to_owned(), points };
    lines.into_iter().map(line).collect()
}

/// Returns the smallest extension of the window that adds at least one date that was listed.
fn widen(task: &Task, criteria: &SearchCriteria, activity: &[Activity], now: Instant) -> Option<Widening> {
    let judge = |criteria: &SearchCriteria, seen: &Activity| {
        let today = seen.facility.today(now);
        if seen.day < today {
            return Err(Rejection::TooSoon { days: 0 });
        }
        criteria.evaluate(seen.facility, seen.day, task.interview(), today)
    };
    WIDER.iter().find_map(|step| {
        let end_date = criteria.end_date.checked_add_signed(TimeDelta::days(*step))?;
        let wider = SearchCriteria { end_date, ..criteria.clone() };
        let more =
            activity.iter().filter(|seen| judge(criteria, seen).is_err() && judge(&wider, seen).is_ok());
        let days: Vec<NaiveDate> = more.map(|seen| seen.day).collect();
        let earliest = days.iter().copied().min()?;
        Some(Widening {
            end_date,
            more_dates: u32::try_from(days.len()).unwrap_or(u32::MAX),
            earliest,
            days_sooner: task.interview().map(|held| (held.date - earliest).num_days()),
        })
    })
}

//! What a task's cities showed: days and how often, the line of earliest days, and what became of each.

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

use super::own;
use super::past::{Past, Why, rule};
use super::seen::newest;
use crate::AppState;
use crate::auth::Caller;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{ApiError, Code};
use crate::http::extract::{Query, TaskPath};

/// Points and marks at most; of a list that changed more often, the best date of each hour is a point.
const POINTS: i64 = 3_000;
const MARKS: i64 = 300;
/// A later end of the window is suggested in steps of so many days.
const WIDER: [i64; 4] = [7, 14, 30, 60];

/// How far back.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct CalendarQuery {
    /// 7, 30 or 90; 30 when left out.
    #[serde(default = "default_days")]
    pub days: i64,
}

const fn default_days() -> i64 {
    30
}

/// A day a city showed.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SeenDayView {
    /// The day.
    pub date: NaiveDate,
    /// How often it appeared.
    pub times: i64,
    /// When first.
    pub first_seen_at: DateTime<Utc>,
    /// Until when it stood there the last time; now while it does.
    pub last_seen_at: DateTime<Utc>,
    /// Whether the task wants it as it is now.
    pub wanted: bool,
    /// The rule that rejects it.
    pub why: Option<Why>,
    /// By how many days.
    pub margin_days: Option<i64>,
}

/// A city.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SeenCity {
    /// In English.
    pub facility: String,
    /// The earliest day of its list as it stands.
    pub now_earliest: Option<NaiveDate>,
    /// Days from today on, in order.
    pub days: Vec<SeenDayView>,
}

/// The earliest day from an instant on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct EarliestPoint {
    /// From when on.
    pub at: DateTime<Utc>,
    /// The day; null while the list was empty.
    pub earliest: Option<NaiveDate>,
}

/// A city's line.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct EarliestLine {
    /// In English.
    pub facility: String,
    /// Oldest first.
    pub points: Vec<EarliestPoint>,
}

/// What became of a day.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SeenMark {
    /// When it appeared.
    pub at: DateTime<Utc>,
    /// The city, in English.
    pub facility: String,
    /// The day.
    pub date: NaiveDate,
    /// What became of it.
    pub outcome: Why,
}

/// The window a task accepts.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct WindowView {
    /// Its first day.
    pub start: NaiveDate,
    /// Its last day.
    pub end: NaiveDate,
}

/// The appointment a group holds.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BookedView {
    /// Its day.
    pub date: NaiveDate,
    /// Its city, in English.
    pub facility: String,
}

/// What a later end of the window would have let in.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct Widening {
    /// The later end.
    pub end_date: NaiveDate,
    /// How many days more, over all cities.
    pub more_dates: u32,
    /// The earliest of them.
    pub earliest: NaiveDate,
    /// How much earlier that is than the present appointment.
    pub days_sooner: Option<i64>,
}

/// What a task's cities showed.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SeenCalendar {
    /// One per city of the task, in its order.
    pub cities: Vec<SeenCity>,
    /// One per city that was looked at.
    pub series: Vec<EarliestLine>,
    /// The newest days that appeared while the task was watched, oldest first.
    pub marks: Vec<SeenMark>,
    /// The window, while there is one.
    pub window: Option<WindowView>,
    /// The appointment as it is.
    pub booked: Option<BookedView>,
    /// Worth a thought, when it would have let in more.
    pub widen: Option<Widening>,
}

/// What a task's cities showed within the last days.
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
    let task = own(&mut tx, caller.user, id).await?;
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
    // An hour's best date stands at the hour's beginning: exact changes are preferred, so that no line begins before its poll.
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
        booked: task.booked.map(|b| BookedView { date: b.date, facility: b.facility.name().to_owned() }),
        widen: task.criteria.as_ref().and_then(|criteria| widen(task, criteria, &activity, now)),
    })
}

/// The calendars of the task's cities, with and without an appointment: a booking changes which list it sees.
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
    let judged = criteria.evaluate(seen.facility, seen.day, task.booked.as_ref(), today);
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

/// The points as lines: one says what differs from the one before it, from the beginning of the span on.
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

/// The smallest step of the window's end that lets in a day that was seen.
fn widen(task: &Task, criteria: &SearchCriteria, activity: &[Activity], now: Instant) -> Option<Widening> {
    let judge = |criteria: &SearchCriteria, seen: &Activity| {
        let today = seen.facility.today(now);
        if seen.day < today {
            return Err(Rejection::TooSoon { days: 0 });
        }
        criteria.evaluate(seen.facility, seen.day, task.booked.as_ref(), today)
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
            days_sooner: task.booked.map(|booked| (booked.date - earliest).num_days()),
        })
    })
}

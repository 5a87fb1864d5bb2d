//! Reads the facts that the watch rows of tasks are derived from ([`domain::task::watch`]).

use std::collections::{BTreeSet, HashMap};

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use domain::budget::{Budget, Limits};
use domain::calendar::{CalendarKey, Kind};
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::ids::{PortalAccountId, TaskId};
use domain::task::TaskStatus;
use domain::task::watch::{
    Installation, NextPoll, PollWait, Watch, WatchFacts, WatchedCalendar, account_wait, watch,
};
use serde_json::json;
use sqlx::types::Json;
use uuid::Uuid;

use super::Task;
use crate::seen::CalendarNow;
use crate::{Error, Tx, all};

/// Watch row of a task, with one part for each of its cities.
#[derive(Clone, Debug)]
pub struct TaskWatch {
    /// Watch row.
    pub row: Watch,
    /// Cities in the order of the criteria.
    pub cities: Vec<CityWatch>,
}

/// Last and next poll of one city of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CityWatch {
    /// Facility of the city.
    pub facility: FacilityId,
    /// Time of the last poll that the portal answered. `None` before the first.
    pub last_answer_at: Option<Instant>,
    /// Time of the last poll with an accepted list. Listed dates are as of this time.
    pub listed_at: Option<Instant>,
    /// Earliest date in that list.
    pub earliest: Option<NaiveDate>,
    /// Time of the next poll, never in the past. `None` if it is due now or unknown.
    pub next_poll_at: Option<Instant>,
    /// Maximum age of the last answered poll. `None` before the engine planned it, and while no
    /// account polls.
    pub bound: Option<TimeDelta>,
}

impl Task {
    /// Returns the calendars whose polls cover the task in its current state, in the order of its
    /// cities.
    #[must_use]
    pub fn calendars(&self) -> Vec<CalendarKey> {
        let Some(criteria) = &self.criteria else { return Vec::new() };
        let kind = Kind::of(self.country, self.visa_type, &self.group, self.booked.is_some());
        criteria.cities.iter().map(|city| CalendarKey { kind: kind.clone(), facility: *city }).collect()
    }
}

/// Derives the watch rows of these tasks at `now` (portal time).
pub async fn watches(tx: &mut Tx, tasks: &[Task], now: Instant) -> Result<HashMap<TaskId, TaskWatch>, Error> {
    if tasks.is_empty() {
        return Ok(HashMap::new());
    }
    let keys: BTreeSet<CalendarKey> = tasks.iter().flat_map(Task::calendars).collect();
    let keys: Vec<CalendarKey> = keys.into_iter().collect();
    let calendars = if keys.is_empty() { Vec::new() } else { crate::seen::standing(tx, &keys).await? };
    let calendars: HashMap<String, CalendarNow> =
        calendars.into_iter().map(|calendar| (calendar.key.clone(), calendar)).collect();
    let running = tasks.iter().any(|task| task.status.is_running());
    let installation = if running { installation(tx).await? } else { Installation::default() };
    let waits = account_waits(tx, tasks, now).await?;
    Ok(tasks
        .iter()
        .map(|task| {
            let account = waits.get(&task.portal_account_id).copied();
            (task.id, watch_of(task, &calendars, account, installation, now))
        })
        .collect())
}

fn watch_of(
    task: &Task,
    calendars: &HashMap<String, CalendarNow>,
    account: Option<NextPoll>,
    installation: Installation,
    now: Instant,
) -> TaskWatch {
    let known: Vec<(FacilityId, Option<&CalendarNow>)> =
        task.calendars().iter().map(|key| (key.facility, calendars.get(&key.to_string()))).collect();
    let watched_since = task.counted.as_ref().and(task.counted_at);
    // Before its first poll a task waits for its own account alone.
    let watched: Vec<WatchedCalendar> = known
        .iter()
        .filter(|_| watched_since.is_some())
        .map(|(_, calendar)| WatchedCalendar {
            last_answer_at: calendar.and_then(|calendar| calendar.last_answer_at),
            next: calendar.and_then(|calendar| calendar.next),
        })
        .collect();
    let row = watch(
        &WatchFacts {
            status: task.status,
            condition: task.condition,
            condition_since: task.condition_since,
            next_try_at: task.next_try_at,
            watched_since,
            calendars: &watched,
            account,
            installation,
        },
        now,
    );
    let is_polled = task.status == TaskStatus::Active && !row.reason.is_some_and(PollWait::stops_everybody);
    let city = |(facility, calendar): &(FacilityId, Option<&CalendarNow>)| CityWatch {
        facility: *facility,
        last_answer_at: calendar.and_then(|calendar| calendar.last_answer_at),
        listed_at: calendar.and_then(|calendar| calendar.last_poll_at),
        earliest: calendar.and_then(|calendar| calendar.earliest),
        // No city is polled before the next poll of the row.
        next_poll_at: row.next_poll_at.and_then(|soonest| {
            let planned = calendar.and_then(|calendar| calendar.next);
            planned.map(|next| next.at.max(soonest))
        }),
        bound: calendar.and_then(|calendar| calendar.bound).filter(|_| is_polled),
    };
    let cities = known.iter().map(city).collect();
    TaskWatch { row, cities }
}

async fn installation(tx: &mut Tx) -> Result<Installation, Error> {
    let (paused_since, host_not_before) = crate::outward::waits(tx).await?;
    let engine_runs = crate::lease::is_held(tx, crate::lease::ENGINE).await?;
    Ok(Installation { engine_runs, paused_since, host_not_before })
}

#[derive(sqlx::FromRow)]
struct AccountRow {
    id: Uuid,
    not_before: Option<DateTime<Utc>>,
    budget: Json<Budget>,
}

/// Returns the waits of the accounts of running tasks that no calendar covers yet.
async fn account_waits(
    tx: &mut Tx,
    tasks: &[Task],
    now: Instant,
) -> Result<HashMap<PortalAccountId, NextPoll>, Error> {
    let waiting = tasks.iter().filter(|task| task.status.is_running() && task.counted.is_none());
    let ids: BTreeSet<PortalAccountId> = waiting.map(|task| task.portal_account_id).collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let sql = tx.pick(
        "SELECT id, not_before, budget FROM portal_account
         WHERE id IN (SELECT unhex(value) FROM json_each($1))",
        "SELECT id, not_before, budget FROM portal_account
         WHERE id IN (SELECT CAST(jsonb_array_elements_text($1) AS UUID))",
    );
    let ids = json!(ids.iter().map(|id| id.0.simple().to_string()).collect::<Vec<_>>());
    let limits = Limits::default();
    let waits = all!(tx, AccountRow, sql, ids)?.into_iter().filter_map(|row| {
        let wait = account_wait(&row.budget.0, row.not_before, &limits, now)?;
        Some((PortalAccountId(row.id), wait))
    });
    Ok(waits.collect())
}

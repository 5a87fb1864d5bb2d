//! Command `sooner tasks explain`: explains for each calendar why no date was booked recently.

use std::collections::BTreeMap;

use chrono::{NaiveDate, TimeDelta};
use domain::booking::Stop;
use domain::budget::{Limits, Spend};
use domain::calendar::{CalendarKey, Kind};
use domain::clock::Instant;
use domain::criteria::{BookingMode, Rejection, SearchCriteria};
use domain::facility::FacilityId;
use domain::ids::PortalAccountId;
use domain::matching::{Seeker, why_not};
use domain::task::TaskStatus;
use domain::task::watch::Watch;
use serde::Serialize;
use store::Tx;
use store::observation::{SeenDay, StoredCalendar};
use store::operator::rank;
use store::portal_account::PortalAccount;
use store::task::{CityWatch, Task, TaskWatch};

use crate::print::{self, field};

/// Age up to which a date is shown that is no longer listed.
const LATELY: TimeDelta = TimeDelta::days(7);
/// Maximum number of other tasks that are read for comparison.
const PEERS: i64 = 2000;
/// Maximum number of dates that are printed per calendar.
const DAYS: usize = 12;

/// The complete explanation.
#[derive(Serialize)]
struct Explained {
    task: serde_json::Value,
    #[serde(skip)]
    row: Watch,
    /// Reason for which the task as a whole is not polled for, if there is one.
    stopped_because: Option<String>,
    account: Option<String>,
    calendars: Vec<Calendar>,
    /// Newest journal entries about booking attempts.
    tries: Vec<String>,
}

/// A calendar of the task.
#[derive(Serialize)]
struct Calendar {
    city: &'static str,
    #[serde(rename = "last_look_at")]
    last_poll_at: Option<Instant>,
    #[serde(rename = "looks")]
    polls: i64,
    /// Number of accounts that see this calendar, and number of those that may poll now.
    accounts: usize,
    accounts_ready: usize,
    #[serde(rename = "next_look")]
    next_poll: Planned,
    /// Number of active tasks of this calendar that have precedence over this task.
    ahead: usize,
    /// Description of lists that accounts do not share; `None` if they share them.
    split: Option<String>,
    days: Vec<Day>,
}

/// Time of the next poll, with the reason for it.
#[derive(Serialize)]
struct Planned {
    at: Option<Instant>,
    why: String,
}

/// A date that was listed, with the reason for which it was not booked.
#[derive(Serialize)]
struct Day {
    day: NaiveDate,
    /// `true` if the date is in the current list.
    listed: bool,
    last_seen_at: Option<Instant>,
    rejected: Option<Rejection>,
    /// Number of tasks with precedence that also accept the date.
    wanted_by: usize,
    why: String,
}

/// Prints why no date was booked recently.
pub async fn explain(tx: &mut Tx, task: &Task, now: Instant, as_json: bool) -> anyhow::Result<()> {
    let account = store::portal_account::get(tx, task.portal_account_id).await?;
    let watch = super::watch_of(tx, task, now).await?;
    let explained = Explained {
        task: super::summary(task, &watch.row),
        row: watch.row,
        stopped_because: stopped(task, now),
        account: account.as_ref().map(|a| super::show::budget(a, now)),
        calendars: calendars(tx, task, &watch, now).await?,
        tries: tries(tx, task).await?,
    };
    if as_json {
        return print::json(&explained);
    }
    text(task, &explained, now);
    Ok(())
}

/// Returns the reason for which no booking is possible for the task as a whole.
fn stopped(task: &Task, now: Instant) -> Option<String> {
    let reason = task.reason.map_or("no reason", |r| r.as_str());
    match task.status {
        _ if task.deleted_at.is_some() => Some("the user deleted the task".to_owned()),
        TaskStatus::Draft | TaskStatus::Configured => Some("the user has not submitted the task".to_owned()),
        TaskStatus::Stopped | TaskStatus::Error => {
            Some(format!("the task is {}: {reason}", task.status.as_str()))
        }
        TaskStatus::Submitted | TaskStatus::Processing => Some("the first poll is not done yet".to_owned()),
        TaskStatus::Active => {
            let stop = task.allowance().and_then(|allowance| allowance.allows_any(now).err());
            stop.filter(|stop| !matches!(stop, Stop::NotifyOnly | Stop::Unanswered)).map(|stop| match stop {
                Stop::ReschedulesUsed => {
                    format!("the task has used all of its {} reschedules", task.reschedules_used)
                }
                Stop::DeadlinePassed => "the portal's deadline for changes has passed".to_owned(),
                Stop::LastAttempt => {
                    "the next change is the portal's last one or one of a limit for life, and the user did not \
                     consent to its use; the user is notified of dates"
                        .to_owned()
                }
                other => format!("{other:?}"),
            })
        }
    }
}

async fn tries(tx: &mut Tx, task: &Task) -> anyhow::Result<Vec<String>> {
    let told = [
        "slot_gone",
        "not_booked_because",
        "not_booked",
        "attempted",
        "trouble",
        "booked",
        "alerted",
        "asked",
        "not_asked",
    ];
    let lines = store::journal::of_task(tx, task.id, 200).await?;
    let lines = lines.iter().map(|entry| (entry.at, entry.event.columns()));
    let lines = lines.filter(|(_, (kind, _))| told.contains(&kind.as_str())).take(8);
    Ok(lines.map(|(at, (kind, data))| format!("{}  {kind}  {data}", print::time(at))).collect())
}

async fn calendars(
    tx: &mut Tx,
    task: &Task,
    watch: &TaskWatch,
    now: Instant,
) -> anyhow::Result<Vec<Calendar>> {
    let Some(criteria) = &task.criteria else { return Ok(Vec::new()) };
    let kind = kind_of(task);
    let mut peers = store::operator::peers(tx, task, PEERS).await?;
    peers.retain(|peer| kind_of(peer) == kind);
    let mut accounts: BTreeMap<PortalAccountId, PortalAccount> = BTreeMap::new();
    for id in peers.iter().chain([task]).map(|t| t.portal_account_id) {
        if let (false, Some(row)) = (accounts.contains_key(&id), store::portal_account::get(tx, id).await?) {
            accounts.insert(id, row);
        }
    }
    let known = store::observation::calendars(tx).await?;
    let agreements: BTreeMap<String, serde_json::Value> =
        store::learned::agreements(tx).await?.into_iter().collect();
    let mut explained = Vec::new();
    for city in &criteria.cities {
        let key = CalendarKey { kind: kind.clone(), facility: *city };
        let stored = known.iter().find(|c| c.key == key);
        let seen = store::observation::seen_days(tx, &key, now - LATELY, 1000).await?;
        let here: Vec<&Task> = peers.iter().filter(|p| wants(p, *city)).collect();
        let subject = store::learned::choice_of(&key.to_string());
        let told = store::learned::about(tx, &subject).await?.into_iter().find(|(s, _)| *s == subject);
        let choice = told.map(|(_, told)| told);
        let agreement = agreements.get(&key.to_string()).cloned();
        let agreement = agreement.and_then(|data| serde_json::from_value(data).ok());
        let watched = watch.cities.iter().find(|one| one.facility == *city);
        let (ready, accounts) = ready(task, &here, &accounts, now);
        let ahead: Vec<&Task> = here.iter().copied().filter(|t| rank(t) < rank(task)).collect();
        explained.push(Calendar {
            city: city.name(),
            last_poll_at: watched.and_then(|city| city.last_answer_at),
            polls: stored.map_or(0, |c| c.polls),
            accounts,
            accounts_ready: ready,
            next_poll: planned(watched, &watch.row, choice.as_ref(), now),
            ahead: ahead.len(),
            split: agreement.and_then(|known| print::split(&known, now)),
            days: days(task, criteria, (*city, stored, &seen), &ahead, now),
        });
    }
    Ok(explained)
}

fn kind_of(task: &Task) -> Kind {
    Kind::of(task.country, task.visa_type, &task.group, task.booked.is_some())
}

fn wants(task: &Task, city: FacilityId) -> bool {
    task.criteria.as_ref().is_some_and(|w| w.cities.contains(&city))
}

/// Returns the number of accounts that may poll the task's calendar now, and the number of all its
/// accounts.
fn ready(
    task: &Task,
    here: &[&Task],
    accounts: &BTreeMap<PortalAccountId, PortalAccount>,
    now: Instant,
) -> (usize, usize) {
    let pollers: BTreeMap<PortalAccountId, &PortalAccount> = here
        .iter()
        .chain([&task])
        .filter(|t| t.status == TaskStatus::Active)
        .filter_map(|t| Some((t.portal_account_id, accounts.get(&t.portal_account_id)?)))
        .collect();
    let limits = Limits::default();
    (pollers.values().filter(|account| may_poll(account, &limits, now)).count(), pollers.len())
}

fn may_poll(account: &PortalAccount, limits: &Limits, now: Instant) -> bool {
    account.not_before.is_none_or(|at| at <= now) && account.budget.check(Spend::Poll, limits, now).is_ok()
}

/// Returns the time of a calendar's next poll, and how the planner chose the last poll.
fn planned(
    city: Option<&CityWatch>,
    row: &Watch,
    choice: Option<&serde_json::Value>,
    now: Instant,
) -> Planned {
    let at = city.and_then(|city| city.next_poll_at);
    let weighed = choice.map_or_else(|| "the planner has not polled this city yet".to_owned(), causes);
    Planned { at, why: format!("{}; {weighed}", super::next_poll(at, row.reason, now)) }
}

/// Formats the planner's stored reasons for its last poll.
fn causes(told: &serde_json::Value) -> String {
    let number = |value: &serde_json::Value| value.as_f64().unwrap_or(0.0);
    let chosen = &told["choice"];
    let since = number(&chosen["since"]) / 60.0;
    let kind = match chosen["kind"].as_str() {
        Some("first") => "was the first of this city".to_owned(),
        Some("exploration") => {
            format!("checked after {since:.0} min whether new dates are still rare")
        }
        _ => format!("came {since:.1} min after the one before"),
    };
    format!(
        "the last poll {kind}; expected then: {:.2} new dates, value {:.4}, price of a poll {:.4}; estimate: {:.1} new \
         dates an hour, each free for {:.0} s, value {:.2} each, seen by {} accounts",
        number(&chosen["expected"]),
        number(&chosen["index"]),
        number(&chosen["price"]),
        number(&told["days_per_hour"]),
        number(&told["life_seconds"]),
        number(&told["worth"]),
        told["viewpoints"]
    )
}

fn days(
    task: &Task,
    criteria: &SearchCriteria,
    (city, stored, seen): (FacilityId, Option<&StoredCalendar>, &[SeenDay]),
    ahead: &[&Task],
    now: Instant,
) -> Vec<Day> {
    let listed: Vec<NaiveDate> = stored.map(|c| c.days.clone()).unwrap_or_default();
    let mut all: Vec<NaiveDate> = listed.iter().copied().chain(seen.iter().map(|s| s.day)).collect();
    all.sort_unstable();
    all.dedup();
    let today = city.today(now);
    let seeker = Seeker { task: task.id, rank: rank(task), criteria, current: task.interview() };
    let against: BTreeMap<NaiveDate, Rejection> = why_not(city, &all, &seeker, today).into_iter().collect();
    let accepts = |other: &Task, day| {
        let criteria = other.criteria.as_ref();
        criteria.is_some_and(|w| w.evaluate(city, day, other.interview(), today).is_ok())
    };
    all.into_iter()
        .map(|day| {
            let rejected = against.get(&day).copied();
            let on_list = listed.binary_search(&day).is_ok();
            let wanted_by = ahead.iter().filter(|other| accepts(other, day)).count();
            let why = match rejected {
                Some(rejection) => rule(rejection),
                None if wanted_by > 0 => {
                    format!("accepted; so do {wanted_by} tasks that are served before this one")
                }
                None if !criteria.mode.changes() => "accepted; this task only notifies its user".to_owned(),
                None if criteria.mode == BookingMode::Ask => {
                    "accepted; this task asks its user before it books".to_owned()
                }
                None if on_list => "accepted; see TRIES".to_owned(),
                None => "accepted, but no longer free".to_owned(),
            };
            let last_seen_at = seen.iter().find(|s| s.day == day).map(|s| s.last_seen_at);
            Day { day, listed: on_list, last_seen_at, rejected, wanted_by, why }
        })
        .collect()
}

/// Formats a rejection, with the number of days by which it applies.
fn rule(rejection: Rejection) -> String {
    match rejection {
        Rejection::CityNotWanted => "the task does not include the city".to_owned(),
        Rejection::BeforeWindow { days } => format!("{days} days before the window"),
        Rejection::AfterWindow { days } => format!("{days} days after the window"),
        Rejection::Excluded => "the task excludes the date".to_owned(),
        Rejection::Weekday => "the task does not accept this weekday".to_owned(),
        Rejection::TooSoon { days } => format!("{days} days too close to today"),
        Rejection::NotEarlierEnough { gained, needed } => {
            format!("only {gained} days earlier than booked; the task needs {needed}")
        }
    }
}

fn text(task: &Task, explained: &Explained, now: Instant) {
    println!("{}", field("task", &format!("{} {}", task.id, task.status.as_str())));
    let row = &explained.row;
    let condition =
        format!("{} since {}  {}", row.condition.as_str(), print::time(row.since), task.condition_evidence);
    println!("{}", field("condition", &condition));
    println!("{}", field("next poll", &super::next_poll(row.next_poll_at, row.reason, now)));
    if let Some(why) = &explained.stopped_because {
        println!("{}", field("not polled", why));
    }
    if let Some(account) = &explained.account {
        println!("{}", field("account", account));
    }
    for calendar in &explained.calendars {
        println!("\n{}", calendar.city.to_uppercase());
        let last = calendar.last_poll_at.map_or_else(|| "never".to_owned(), |at| print::when(at, now));
        println!("{}", field("last poll", &format!("{last}; {} polls in total", calendar.polls)));
        let ready = calendar.accounts_ready;
        println!("{}", field("may poll now", &format!("{ready} of {} accounts", calendar.accounts)));
        println!("{}", field("next poll", &calendar.next_poll.why));
        println!("{}", field("served before", &format!("{} other tasks", calendar.ahead)));
        if let Some(split) = &calendar.split {
            println!("{}", field("lists", split));
        }
        let rows: Vec<Vec<String>> = calendar
            .days
            .iter()
            .take(DAYS)
            .map(|d| {
                let listed = if d.listed { "listed" } else { "gone" };
                vec![d.day.to_string(), listed.to_owned(), d.why.clone()]
            })
            .collect();
        if rows.is_empty() {
            println!("{}", field("dates", "none seen in seven days"));
        } else {
            println!("{}", print::table(&["DATE", "LIST", "RESULT"], &rows));
        }
        if calendar.days.len() > DAYS {
            println!("and {} later dates (--json lists all)", calendar.days.len() - DAYS);
        }
    }
    if !explained.tries.is_empty() {
        println!("\nTRIES (newest first)");
        for line in &explained.tries {
            println!("{}", print::cut(line, 100));
        }
    }
}

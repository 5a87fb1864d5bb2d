//! Command `sooner tasks show`: prints all stored data of one task.

use chrono::TimeDelta;
use domain::budget::Limits;
use domain::clock::Instant;
use domain::criteria::{BookingMode, FingerprintCriteria, TimesOfDay};
use domain::money::Money;
use domain::task::watch::Watch;
use serde_json::{Value, json};
use store::Tx;
use store::booking_attempt::BookingAttempt;
use store::portal_account::PortalAccount;
use store::task::Task;

use crate::print::{self, field};
use crate::shared::Clocks;

/// Number of journal and audit entries to print.
const LINES: i64 = 20;

/// Data to print in addition to the task.
struct TaskDetails {
    watch: Watch,
    user: String,
    account: Option<PortalAccount>,
    credential: Option<String>,
    attempts: Vec<BookingAttempt>,
    journal: Vec<store::journal::Entry>,
    holds: Vec<(uuid::Uuid, i64, String, Instant)>,
    audit: Vec<store::audit::Entry>,
}

/// Prints a task, as text or JSON.
pub async fn show(tx: &mut Tx, task: &Task, now: Clocks, as_json: bool) -> anyhow::Result<()> {
    let details = read(tx, task, now.portal).await?;
    if as_json {
        return print::json(&as_value(task, &details, now.portal));
    }
    for line in head(task, &details, now) {
        println!("{line}");
    }
    if let Some(account) = &details.account {
        println!("{}", field("account", &budget(account, now.portal)));
    }
    println!("{}", field("password", details.credential.as_deref().unwrap_or("deleted")));
    for (id, amount, state, since) in &details.holds {
        let text = format!("{} {state} since {}  {id}", Money::cad(*amount), print::when(*since, now.wall));
        println!("{}", field("hold", &text));
    }
    bookings(&details.attempts, now.portal);
    println!("\nJOURNAL (newest {LINES} entries)");
    for entry in &details.journal {
        let (kind, data) = entry.event.columns();
        println!("{}", print::cut(&format!("{}  {kind}  {data}", print::time(entry.at)), 100));
    }
    for entry in &details.audit {
        println!(
            "{}",
            field(
                "audit",
                &format!("{} {} by {}: {}", print::time(entry.at), entry.command, entry.actor, entry.data)
            )
        );
    }
    Ok(())
}

async fn read(tx: &mut Tx, task: &Task, now: Instant) -> anyhow::Result<TaskDetails> {
    let user = store::user::get(tx, task.user_id).await?;
    let credential = match task.credential_id {
        Some(id) => store::credential::get(tx, id)
            .await?
            .map(|c| format!("{} since {}", c.health, print::time(c.health_since))),
        None => None,
    };
    Ok(TaskDetails {
        watch: super::watch_of(tx, task, now).await?.row,
        user: user.map_or_else(|| "deleted".to_owned(), |u| u.email),
        account: store::portal_account::get(tx, task.portal_account_id).await?,
        credential,
        attempts: store::booking_attempt::of_task(tx, task.id).await?,
        journal: store::journal::of_task(tx, task.id, LINES).await?,
        holds: store::operator::holds(tx, task.id).await?,
        audit: store::audit::of_subject(tx, &task.id.to_string(), LINES).await?,
    })
}

fn head(task: &Task, details: &TaskDetails, now: Clocks) -> Vec<String> {
    let reason = task.reason.map_or_else(String::new, |r| format!(" ({})", r.as_str()));
    let mut lines = vec![
        field("task", &task.id.to_string()),
        field("user", &format!("{} {}", details.user, task.user_id)),
        field(
            "status",
            &format!("{}{reason} since {}", task.status.as_str(), print::when(task.status_since, now.wall)),
        ),
        field(
            "group",
            &format!(
                "{} {} {}, {} applicants",
                task.country,
                task.visa_type,
                task.portal_schedule_id.0,
                task.group.party_size()
            ),
        ),
        field("booked", &task.booked.as_ref().map_or_else(|| "nothing".to_owned(), print::appointment)),
    ];
    if let Some(criteria) = &task.criteria {
        let cities: Vec<&str> = criteria.cities.iter().map(|c| c.name()).collect();
        let excluded: Vec<String> = criteria
            .excluded
            .ranges()
            .iter()
            .map(|(a, b)| if a == b { a.to_string() } else { format!("{a}..{b}") })
            .collect();
        let how = match criteria.mode {
            BookingMode::Auto => "books automatically",
            BookingMode::Ask => "asks before it books",
            BookingMode::Notify => "only notifies",
        };
        lines.push(field(
            "criteria",
            &format!(
                "{} from {} to {}, {how}, at least {} days from today, {} days earlier",
                cities.join(" > "),
                criteria.start_date,
                criteria.end_date,
                criteria.minimum_days_from_current,
                criteria.min_improvement_days,
            ),
        ));
        if let Some(wanted) = &criteria.fingerprints {
            lines.push(field("fingerprints", &fingerprint_conditions(wanted)));
        }
        if !excluded.is_empty() {
            lines.push(field("excluded", &excluded.join(", ")));
        }
        if !criteria.weekdays.is_all() {
            let numbers: Vec<String> = criteria.weekdays.numbers().map(|day| day.to_string()).collect();
            lines.push(field("weekdays", &format!("{} (1 is Monday)", numbers.join(", "))));
        }
        let TimesOfDay { earliest, latest } = criteria.times;
        if earliest.is_some() || latest.is_some() {
            let [from, until] =
                [earliest, latest].map(|time| time.map_or_else(|| "any".to_owned(), |t| t.to_string()));
            lines.push(field("times", &format!("{from} to {until}, local time of the consulate")));
        }
        let left = task.attempts_left.map_or_else(|| "unknown".to_owned(), |left| left.to_string());
        let consent =
            criteria.last_attempt_until.map_or_else(|| "no".to_owned(), |day| format!("until {day}"));
        let deadline = task.change_deadline.map_or_else(|| "unknown".to_owned(), print::time);
        lines.push(field("attempts", &format!(
            "{} of {} used by this task; {left} left at the portal, use of those that need consent allowed: {consent}; changes possible until {deadline}",
            task.reschedules_used, criteria.max_reschedules,
        )));
    }
    lines.push(field(
        "condition",
        &format!(
            "{} since {}  {}",
            details.watch.condition.as_str(),
            print::time(details.watch.since),
            task.condition_evidence
        ),
    ));
    let checked = task.last_check_at.map_or_else(|| "never".to_owned(), |at| print::when(at, now.portal));
    let next = super::next_poll(details.watch.next_poll_at, details.watch.reason, now.portal);
    lines.push(field(
        "checks",
        &format!("{} in total; last: {checked}; next: {next}; {} dates seen", task.checks, task.slots_seen),
    ));
    if let Some(at) = task.captured_at {
        lines.push(field(
            "paid",
            &format!("{} {}", Money::cad(task.captured_amount.unwrap_or(0)), print::when(at, now.wall)),
        ));
    }
    lines
}

/// Formats the state of an account, with its used requests and the limits.
pub fn budget(account: &PortalAccount, now: Instant) -> String {
    let limits = Limits::default();
    let (hour, ten_hours) = account.budget.polls(now);
    let rest = account.not_before.filter(|at| *at > now);
    let rest = rest.map_or_else(String::new, |at| format!(", backs off until {}", print::when(at, now)));
    format!(
        "{} {} since {}{rest}; polls {hour}/{} this hour, {ten_hours}/{} in ten hours ({} of them reserved for bookings), requests {}/{} in ten hours",
        account.id,
        account.health,
        print::time(account.health_since),
        limits.polls_per_hour,
        limits.polls_per_ten_hours,
        limits.polls_reserved,
        account.budget.requests(now),
        limits.requests_per_ten_hours,
    )
}

fn bookings(attempts: &[BookingAttempt], now: Instant) {
    if attempts.is_empty() {
        return;
    }
    println!("\nBOOKINGS");
    let rows: Vec<Vec<String>> = attempts
        .iter()
        .take(10)
        .map(|i| {
            let time = i.target.map_or_else(String::new, |t| t.consular.time.format(" %H:%M").to_string());
            vec![
                i.id.to_string(),
                i.state.as_str().to_owned(),
                i.target
                    .filter(|target| target.fingerprints.is_some())
                    .as_ref()
                    .map_or_else(|| format!("{}{time} {}", i.date, i.facility.name()), print::appointment),
                format!("{} read", i.readings.len()),
                print::age((now - i.prepared_at).max(TimeDelta::zero())),
            ]
        })
        .collect();
    println!("{}", print::table(&["BOOKING", "STATE", "TARGET", "READINGS", "AGE"], &rows));
}

/// Returns the JSON object of a booking attempt.
fn attempt(i: &BookingAttempt) -> Value {
    json!({
        "id": i.id, "state": i.state, "epoch": i.epoch, "expected": i.expected, "facility": i.facility.name(),
        "date": i.date, "target": i.target, "armed_at": i.prepared_at, "acting_at": i.sending_at, "t0": i.t0,
        "readings": i.readings, "evidence": i.evidence, "next_read_at": i.next_read_at, "settled_at": i.settled_at,
    })
}

fn as_value(task: &Task, details: &TaskDetails, now: Instant) -> Value {
    let mut value = super::summary(task, &details.watch);
    value["user"] = json!(details.user);
    value["wish"] = json!(task.criteria);
    value["verdict_evidence"] = task.condition_evidence.clone();
    value["attempts"] = json!({
        "used_here": task.reschedules_used, "left": task.attempts_left, "change_deadline": task.change_deadline,
    });
    value["account"] = json!(details.account.as_ref().map(|a| json!({
        "id": a.id, "health": a.health, "health_since": a.health_since, "not_before": a.not_before,
        "looks_hour": a.budget.polls(now).0, "looks_ten_hours": a.budget.polls(now).1,
        "requests_ten_hours": a.budget.requests(now),
    })));
    value["credential"] = json!(details.credential);
    value["intents"] = details.attempts.iter().map(attempt).collect();
    value["live_intents"] =
        details.attempts.iter().filter(|i| i.state.is_live()).map(|i| json!(i.id)).collect();
    let line = |entry: &store::journal::Entry| {
        let (kind, data) = entry.event.columns();
        json!({ "at": entry.at, "kind": kind, "data": data })
    };
    value["journal"] = details.journal.iter().map(line).collect();
    let holds = details.holds.iter().map(|(id, amount, state, since)| {
        json!({ "id": id, "amount": Money::cad(*amount).to_wire(), "state": state, "since": since })
    });
    value["holds"] = holds.collect();
    let audit = details
        .audit
        .iter()
        .map(|e| json!({ "at": e.at, "actor": e.actor, "command": e.command, "data": e.data }));
    value["audit"] = audit.collect();
    value
}

/// Returns the conditions for the fingerprint appointment in words.
fn fingerprint_conditions(wanted: &FingerprintCriteria) -> String {
    let cities: Vec<_> = wanted.cities.iter().map(|city| city.name()).collect();
    let days = match (wanted.min_days_before, wanted.max_days_before) {
        (Some(least), Some(most)) => format!("{least} to {most} days before the interview"),
        (Some(least), None) => format!("at least {least} days before the interview"),
        (None, Some(most)) => format!("at most {most} days before the interview"),
        (None, None) => "any day before the interview".to_owned(),
    };
    if cities.is_empty() { days } else { format!("{days}, in {}", cities.join(" > ")) }
}

//! Alarms to the operator. Every process checks the database, and the process that records a change
//! sends the alarm. The engine's lease is not required, because a stalled engine is one of the
//! alarms.

use std::time::Duration;

use app::alarms::{self, Change, Details, FoundAlarm, Recipients};
use app::silence::LateTasks;
use domain::channel::alarm::{AlarmKind, Condition, POLL_LATE, Phase};
use domain::channel::{ChannelKind, EventKind};
use domain::clock::Instant;
use engine::delivery::Delivery;
use serde_json::Value;
use store::Tx;
use store::alarm::StoredAlarm;
use store::outbox::arrival;
use strum::VariantArray as _;
use tokio_util::sync::CancellationToken;

use crate::AppState;
use crate::http::error::ApiError;

/// Time between two checks.
const TICK: Duration = Duration::from_secs(30);

/// Evaluates alarms until `stop` is cancelled.
pub async fn run(app: AppState, delivery: Delivery, stop: CancellationToken) {
    while !stop.is_cancelled() {
        if let Err(error) = round(&app, &delivery).await {
            tracing::error!(%error, "failed to evaluate alarms; trying again");
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(TICK) => {}
        }
    }
}

/// Evaluates alarms once, records changes, and sends waiting alarms. They are sent here, because
/// the delivery loop may be what failed.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn round(app: &AppState, delivery: &Delivery) -> Result<(), ApiError> {
    let now = app.wall.now();
    let mut tx = app.db.read().await?;
    let known = store::alarm::list(&mut tx).await?;
    let found = found(app, &mut tx, &known).await?;
    drop(tx);
    for kind in AlarmKind::VARIANTS {
        let wrong = found.iter().any(|found| found.kind == *kind && !found.deferred);
        engine::metrics::alarm(*kind, if wrong { Condition::Wrong } else { Condition::Right });
    }
    if !alarms::changes(&known, &found, now).is_empty() {
        let settings = &app.settings;
        let to = Recipients { addresses: &settings.alarm_to, language: &settings.alarm_language };
        let mut tx = app.db.begin().await?;
        let changes = alarms::record(&app.accounts(), &mut tx, to, &found).await?;
        tx.commit().await?;
        changes.iter().for_each(log);
    }
    while delivery.deliver_due_of(EventKind::OperatorAlarm).await? > 0 {}
    Ok(())
}

/// Logs an alarm, because its mails and messages may not arrive.
fn log(Change { found: FoundAlarm { kind, subject, details, .. }, step, .. }: &Change) {
    match step.tell {
        Some(Phase::Begun | Phase::Stands) => {
            tracing::error!(%kind, subject, ?details, "operator alarm is active")
        }
        Some(Phase::Over) => tracing::info!(%kind, subject, "operator alarm ended"),
        None => {}
    }
}

/// Returns the current problems. `known` are the alarms that are already stored.
async fn found(app: &AppState, tx: &mut Tx, known: &[StoredAlarm]) -> Result<Vec<FoundAlarm>, store::Error> {
    let now = app.wall.now();
    let of = |kind, subject: String, details| FoundAlarm { kind, subject, details, deferred: false };
    let mut found = Vec::new();
    let pages = unreadable_pages(tx).await?;
    let stopped = |subject: &str, why, deferred| FoundAlarm {
        kind: AlarmKind::EngineStopped,
        subject: subject.to_owned(),
        details: Details { why, ..Details::default() },
        deferred,
    };
    // Only the current or last leader knows if its rounds fail.
    let leader = store::lease::last_holder(tx, engine::LEASE).await?;
    let rounds_fail = if leader.is_some_and(|node| node != app.engine.context().config.node) {
        found.push(stopped(FAILING_ROUNDS, None, true));
        known.iter().any(|alarm| alarm.subject == FAILING_ROUNDS)
    } else {
        let why = app.engine.failing_rounds();
        let fail = why.is_some();
        found.extend(why.map(|why| stopped(FAILING_ROUNDS, Some(why), false)));
        fail
    };
    let inactive = inactive_engine(app, tx).await?;
    if let Some(inactive) = inactive {
        let pages_explain = matches!(inactive, Inactive::PollsMissed) && !pages.is_empty();
        found.push(stopped("", None, rounds_fail || pages_explain));
    }
    if let Some(why) = silent_tasks(app, tx).await? {
        found.push(stopped(SILENT_TASKS, Some(why), rounds_fail || inactive.is_some()));
    }
    found.extend(pages.into_iter().map(|page| of(AlarmKind::PagesChanged, page, Details::default())));
    let frozen = match store::ledger::frozen(tx).await? {
        None => store::restore::waits_long(tx, now).await?,
        why => why,
    };
    if let Some(why) = frozen {
        let details = Details { why: Some(why), ..Details::default() };
        found.push(of(AlarmKind::BooksFrozen, String::new(), details));
    }
    let mut outgoing = store::alarm::outgoing(tx, now).await?;
    if !app.mail_configured() {
        // Without a mail server no mails are delivered, so mails that wait are no problem.
        outgoing.backlog.retain(|one| one.kind != ChannelKind::Email);
    }
    if outgoing.condition() == Condition::Wrong {
        let details = Details { waiting: outgoing.stuck(), given_up: outgoing.given_up, why: None };
        found.push(of(AlarmKind::DeliveryFailing, String::new(), details));
    }
    if let Some(why) = texts_refused(app, tx).await? {
        let details = Details { why: Some(why), ..Details::default() };
        found.push(of(AlarmKind::DeliveryFailing, "SMS".to_owned(), details));
    }
    Ok(found)
}

/// Subject of the alarm about consecutive failed rounds of the engine.
const FAILING_ROUNDS: &str = "failing rounds";

/// Subject of the alarm about active tasks without an answered poll.
const SILENT_TASKS: &str = "tasks without answers";

/// Describes the active tasks that had no answered poll for a long time. Returns `None` if there
/// are few of them, or if the operator paused the portal.
async fn silent_tasks(app: &AppState, tx: &mut Tx) -> Result<Option<String>, store::Error> {
    if store::outward::paused(tx, &app.engine.context().client.host()).await?.is_some() {
        return Ok(None);
    }
    let LateTasks { active, late, hours, alarms } =
        app::silence::late_tasks(tx, app.portal_time.now()).await?;
    let why = || format!("{late} of {active} active tasks had no answered poll for {hours} h");
    Ok(alarms.then(why))
}

/// Describes the text messages that were refused because of the daily limit; `None` if none was.
async fn texts_refused(app: &AppState, tx: &mut Tx) -> Result<Option<String>, store::Error> {
    let ceiling = app.settings.channels.sms_ceiling(app.wall.now());
    let refused = arrival::refused(tx, ceiling.day).await?;
    let cents = app.settings.channels.sms_day_cents;
    let why = || format!("--sms-day-cents = {cents} is reached for {}; not sent: {refused}", ceiling.day);
    Ok((refused > 0).then(why))
}

/// Returns the portal pages that no task can read, with their countries.
async fn unreadable_pages(tx: &mut Tx) -> Result<Vec<String>, store::Error> {
    let incidents = store::learned::page_incidents(tx).await?.into_iter();
    let stands = |data: &Value| data["since"].is_string() && !data["ended_at"].is_string();
    Ok(incidents
        .filter(|(_, data)| stands(data))
        .filter_map(|(subject, _)| {
            let (country, page) = store::learned::page_of_subject(&subject)?;
            Some(format!("{country} {page}"))
        })
        .collect())
}

/// Reason for which active tasks are not polled.
#[derive(Clone, Copy)]
enum Inactive {
    /// No server has the engine's lease.
    NobodyLeads,
    /// The server with the lease does not send polls that are due and allowed.
    PollsMissed,
}

/// Returns the reason for which active tasks are not polled; `None` if they are polled.
async fn inactive_engine(app: &AppState, tx: &mut Tx) -> Result<Option<Inactive>, store::Error> {
    if store::alarm::running_tasks(tx).await? == 0 {
        return Ok(None);
    }
    if !store::lease::is_held(tx, engine::LEASE).await? {
        return Ok(Some(Inactive::NobodyLeads));
    }
    let now: Instant = app.portal_time.now();
    let host = store::outward::host(tx, &app.engine.context().client.host()).await?;
    let may_poll = host.pause.is_none() && host.not_before.is_none_or(|until| until < now - POLL_LATE);
    let missed = may_poll && store::alarm::missed_polls(tx, now - POLL_LATE).await? > 0;
    Ok(missed.then_some(Inactive::PollsMissed))
}

//! Notices of silence: no calendar of a task was answered for a long time, whatever the cause. A
//! second notice marks the end.
//!
//! All facts come from the database, so any process can send the notices. An idle engine is one of
//! the causes.

use domain::channel::EventKind;
use domain::clock::Instant;
use domain::condition::TaskCondition;
use domain::facility::FacilityId;
use domain::ids::TaskId;
use domain::journal::{JournalEvent, PortalErrorEvent};
use domain::silence::{SILENT_AFTER, alarm_after, alarms, is_due};
use serde_json::json;
use store::outward::Host;
use store::silence::{self, Silence};
use store::task::Task;
use store::{Db, Tx};
use uuid::Uuid;

use crate::{Ctx, Error};

/// Counts of active tasks without an answered poll, as a basis for an operator alarm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LateTasks {
    /// Number of active tasks.
    pub active: i64,
    /// Number of those without an answered poll for `hours`.
    pub late: i64,
    /// Hours after which a task counts as late.
    pub hours: i64,
    /// Set if the operator is alarmed.
    pub alarms: bool,
}

/// Counts the active tasks without an answered poll.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn late_tasks(tx: &mut Tx, now: Instant) -> Result<LateTasks, store::Error> {
    let active = silence::active(tx).await?;
    let after = alarm_after(active);
    let late = silence::count(tx, now - after).await?;
    Ok(LateTasks { active, late, hours: after.num_hours(), alarms: alarms(late, active) })
}

/// Number of tasks read per batch.
const AT_ONCE: i64 = 200;

/// Notifies the users of tasks that have become silent, and of those whose silence has ended. Each
/// task has a transaction of its own. A failed task does not stop the others and is retried by the
/// next round.
///
/// # Errors
/// Returns the last failure, after every task was tried.
pub async fn notify(ctx: &Ctx, db: &Db, host: &str) -> Result<(), Error> {
    let now = ctx.portal_time.now();
    let mut tx = db.read().await?;
    let host = store::outward::host(&mut tx, host).await?;
    let notified = silence::notified(&mut tx).await?;
    let frozen = store::ledger::frozen(&mut tx).await?.is_some();
    tx.commit().await?;
    let (mut after, mut failed) = (TaskId(Uuid::nil()), None);
    loop {
        let mut tx = db.read().await?;
        let found = silence::found(&mut tx, now - SILENT_AFTER, after, AT_ONCE).await?;
        tx.commit().await?;
        let Some(last) = found.last() else { break };
        after = last.task;
        for found in found.into_iter().filter(|found| is_due(found.since, host.not_before, now)) {
            let mut tx = db.begin().await?;
            match begin(ctx, &mut tx, &found, Causes { host: &host, frozen }).await {
                Ok(true) => tx.commit().await?,
                Ok(false) => {}
                Err(error) => failed = Some(error),
            }
        }
    }
    for answered in notified {
        let mut tx = db.begin().await?;
        match notify_end(ctx, &mut tx, &answered).await {
            Ok(true) => tx.commit().await?,
            Ok(false) => {}
            Err(error) => failed = Some(error),
        }
    }
    let mut tx = db.begin().await?;
    silence::delete_ended(&mut tx).await?;
    tx.commit().await?;
    failed.map_or(Ok(()), Err)
}

/// Causes that affect every task.
#[derive(Clone, Copy)]
struct Causes<'a> {
    host: &'a Host,
    frozen: bool,
}

/// Writes the notice of a silence. Returns `false` if the notice must wait or another process was
/// first.
async fn begin(ctx: &Ctx, tx: &mut Tx, found: &Silence, causes: Causes<'_>) -> Result<bool, Error> {
    let now = ctx.portal_time.now();
    let Some(task) = store::task::get(tx, found.task).await?.filter(|task| wants_polls(task, now)) else {
        return Ok(false);
    };
    if is_quiet(ctx, tx, &task).await? || !silence::insert(tx, found, now).await? {
        return Ok(false);
    }
    let event = JournalEvent::PortalError(PortalErrorEvent {
        code: "silent".to_owned(),
        since: Some(found.since),
        ..PortalErrorEvent::default()
    });
    ctx.journal(tx, task.id, &event).await?;
    let notice = Notice { template: "silence", since: found.since, why: Some(likely_cause(&task, causes)) };
    mail(ctx, tx, &task, notice).await?;
    Ok(true)
}

/// Writes the notice that a silence has ended. Returns `false` if it has not, or if another process
/// was first.
async fn notify_end(ctx: &Ctx, tx: &mut Tx, answered: &Silence) -> Result<bool, Error> {
    let since = silence::of_task(tx, answered.task).await?;
    let Some(since) = since.filter(|since| answered.since > *since) else { return Ok(false) };
    let Some(task) = store::task::get(tx, answered.task).await? else { return Ok(false) };
    if is_quiet(ctx, tx, &task).await? || !silence::delete(tx, task.id).await? {
        return Ok(false);
    }
    ctx.journal(tx, task.id, &JournalEvent::Watching {}).await?;
    mail(ctx, tx, &task, Notice { template: "silence_over", since, why: None }).await?;
    Ok(true)
}

/// Returns `true` if polls are of use to the task.
fn wants_polls(task: &Task, now: Instant) -> bool {
    task.deleted_at.is_none() && task.allowance().is_some_and(|allowance| allowance.wants_polls(now))
}

/// Returns `true` if the user's quiet hours hold the notice back, because the user cannot act on it
/// at once. Quiet hours of a whole day have no end and hold nothing back.
async fn is_quiet(ctx: &Ctx, tx: &mut Tx, task: &Task) -> Result<bool, Error> {
    let setting = store::channel::setting(tx, task.user_id).await?;
    let ends = setting.quiet.is_some_and(|quiet| quiet.from != quiet.to);
    Ok(ends && setting.quiet_until(EventKind::Opening, ctx.wall.now()).is_some())
}

/// Returns the likely cause, as the notice names it.
fn likely_cause(task: &Task, causes: Causes<'_>) -> &'static str {
    if causes.host.pause.is_some() {
        return "paused";
    }
    match task.condition {
        TaskCondition::PortalDown | TaskCondition::Overloaded => "site",
        TaskCondition::LayoutChanged => "pages",
        TaskCondition::BudgetRest => "budget",
        TaskCondition::CoolingDown => "held_back",
        _ if causes.host.not_before.is_some() => "site",
        _ if causes.frozen => "frozen",
        _ => "ours",
    }
}

struct Notice {
    template: &'static str,
    /// Time of the last answered poll before the silence.
    since: Instant,
    why: Option<&'static str>,
}

async fn mail(ctx: &Ctx, tx: &mut Tx, task: &Task, notice: Notice) -> Result<(), Error> {
    let city = task.criteria.as_ref().and_then(|criteria| criteria.cities.first().copied());
    let zone = city.unwrap_or(FacilityId::TORONTO).zone();
    let Notice { template, since, why } = notice;
    let data = json!({
        "names": task.group.names(),
        "since": since.with_timezone(&zone).format("%Y-%m-%d %H:%M").to_string(),
        "why": why,
        "task_id": task.id.to_string(),
    });
    let key = format!("{template}:{}:{}", task.id, since.timestamp_micros());
    let now = ctx.wall.now();
    store::outbox::enqueue_mail(tx, &ctx.random, task.user_id, template, &key, &data, now).await?;
    Ok(())
}

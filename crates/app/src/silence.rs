//! Notices of silence: no calendar of a task was answered for long, whatever the cause, and that this is over.
//!
//! Everything is read from the database, by any process: an engine that does nothing is one of the causes.

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

/// Active tasks that were not answered for so long that an operator would be alarmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LateTasks {
    /// All active tasks.
    pub active: i64,
    /// Those without an answered poll for `hours`.
    pub late: i64,
    /// The time that makes one late.
    pub hours: i64,
    /// Set where the operator is alarmed.
    pub alarms: bool,
}

/// Counts the active tasks without an answered poll.
///
/// # Errors
/// The database fails.
pub async fn late_tasks(tx: &mut Tx, now: Instant) -> Result<LateTasks, store::Error> {
    let active = silence::active(tx).await?;
    let after = alarm_after(active);
    let late = silence::count(tx, now - after).await?;
    Ok(LateTasks { active, late, hours: after.num_hours(), alarms: alarms(late, active) })
}

/// Tasks read at once.
const AT_ONCE: i64 = 200;

/// Notifies users whose tasks have become silent, and those whose silence is over: one transaction each. A task that
/// fails keeps no other back, and is tried again by the next round.
///
/// # Errors
/// The last failure, after every task was tried.
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
        match end(ctx, &mut tx, &answered).await {
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

/// Causes that may keep every task from being polled.
#[derive(Clone, Copy)]
struct Causes<'a> {
    host: &'a Host,
    frozen: bool,
}

/// Writes the notice of a silence; false where it waits, or another process was first.
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
    let notice = Notice { template: "silence", since: found.since, why: Some(why(&task, causes)) };
    mail(ctx, tx, &task, notice).await?;
    Ok(true)
}

/// Writes the notice that a silence is over; false where it is not, or another process was first.
async fn end(ctx: &Ctx, tx: &mut Tx, answered: &Silence) -> Result<bool, Error> {
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

/// Returns `true` where polls are of use to the task.
fn wants_polls(task: &Task, now: Instant) -> bool {
    task.deleted_at.is_none() && task.allowance().is_some_and(|allowance| allowance.wants_polls(now))
}

/// Returns `true` where its user's quiet hours hold the notice back: it cannot be acted upon at once. Quiet hours of a whole
/// day have no end, and hold nothing back.
async fn is_quiet(ctx: &Ctx, tx: &mut Tx, task: &Task) -> Result<bool, Error> {
    let setting = store::channel::setting(tx, task.user_id).await?;
    let ends = setting.quiet.is_some_and(|quiet| quiet.from != quiet.to);
    Ok(ends && setting.quiet_until(EventKind::Opening, ctx.wall.now()).is_some())
}

/// Returns the likely cause, as the notice names it.
fn why(task: &Task, causes: Causes<'_>) -> &'static str {
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
    /// The last answered poll before the silence.
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

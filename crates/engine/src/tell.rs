//! What users are told: conditions, journal lines, mails. Words live in templates and locale files.

use std::sync::Arc;

use chrono::NaiveDate;
use domain::clock::Instant;
use domain::condition::TaskCondition;
use domain::facility::FacilityId;
use domain::ids::{TaskId, UserId};
use serde_json::{Value, json};
use store::Tx;
use store::task::Task;

use crate::{Engine, Fault};

/// A condition to write for one task.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Told {
    pub task: TaskId,
    pub condition: TaskCondition,
    pub evidence: Value,
    pub next_try_at: Option<Instant>,
}

/// Writes a condition, and mirrors it in memory.
pub(crate) async fn condition(engine: &Engine, tx: &mut Tx, told: &Told) -> Result<(), Fault> {
    let now = engine.ctx.wall.now();
    crate::metrics::condition(told.condition);
    store::task::set_condition(tx, told.task, told.condition, &told.evidence, told.next_try_at, now).await?;
    engine.state.lock().tasks.set_condition(told.task, told.condition);
    Ok(())
}

/// Writes a journal line.
pub(crate) async fn journal(
    engine: &Engine,
    tx: &mut Tx,
    task: TaskId,
    kind: &str,
    data: Value,
) -> Result<(), Fault> {
    let now = engine.ctx.portal_time.now();
    store::journal::add(tx, engine.ctx.uuid(now), task, kind, &data, now).await?;
    Ok(())
}

/// A mail to the user, in the same transaction as what it tells of.
pub(crate) async fn mail(
    engine: &Engine,
    tx: &mut Tx,
    user: UserId,
    template: &str,
    dedup_key: String,
    data: Value,
) -> Result<(), Fault> {
    let now = engine.ctx.wall.now();
    store::outbox::enqueue_mail(tx, &engine.ctx.random, user, template, &dedup_key, &data, now).await?;
    Ok(())
}

/// Tells whoever else has left a right password of the account with us that something was booked in it.
pub(crate) async fn other_holders(
    engine: &Engine,
    tx: &mut Tx,
    attempt: &store::booking_attempt::BookingAttempt,
    task: &Task,
) -> Result<(), Fault> {
    let holders = store::credential::binding::holders(tx, attempt.portal_account_id).await?;
    for user in holders.into_iter().filter(|user| *user != task.user_id) {
        let data = json!({
            "names": task.group.names(),
            "old": attempt.expected.as_ref().map(app::slot),
            "new": attempt.target.as_ref().map(app::slot),
        });
        let key = format!("booked_in_your_account:{}:{user}", attempt.id);
        mail(engine, tx, user, "booked_in_your_account", key, data).await?;
    }
    Ok(())
}

/// Tells a notify-only task of a day, once until the day vanishes.
pub(crate) async fn alert(
    engine: &Arc<Engine>,
    tx: &mut Tx,
    task: TaskId,
    (facility, day): (FacilityId, NaiveDate),
    now: Instant,
) -> Result<(), Fault> {
    let id = engine.ctx.uuid(now);
    if !store::journal::add_alert(tx, id, task, (facility, day), now).await? {
        return Ok(());
    }
    let Some(task) = store::task::get(tx, task).await? else {
        return Ok(());
    };
    crate::metrics::opening("alerted");
    let data = json!({ "facility": facility.name(), "date": day, "seen_at": now });
    journal(engine, tx, task.id, "alerted", data).await?;
    let data = json!({
        "facility": facility.name(),
        "facility_zh": facility.facility().name_zh,
        "date": day.to_string(),
        "names": task.group.names(),
        "task_id": task.id.to_string(),
    });
    mail(engine, tx, task.user_id, "appointment_alert", format!("alert:{id}"), data).await
}

//! Writes the health of accounts, and the resulting conditions of their tasks.

use domain::clock::Instant;
use domain::condition::TaskCondition;
use domain::health::AccountHealth;
use domain::ids::PortalAccountId;
use domain::journal::{JournalEvent, PortalErrorEvent};
use serde_json::json;
use store::Tx;

use crate::JobError;
use crate::model::availability::inferred::InferredEffects;
use crate::model::task_update::TaskUpdate;
use crate::persist::Records;

/// Writes the health of accounts that a poll's list indicates. The caller writes the conditions of
/// their tasks afterwards.
pub(crate) async fn write(tx: &mut Tx, inferred: &InferredEffects, now: Instant) -> Result<(), JobError> {
    for (account, until, confirmed) in &inferred.soft_banned {
        store::portal_account::set_health(tx, *account, AccountHealth::Cooling, Some(*until), now).await?;
        if *confirmed {
            store::portal_account::change_budget(tx, *account, |budget| budget.held_back(now)).await?;
        }
    }
    for account in &inferred.recovered {
        store::portal_account::set_health(tx, *account, AccountHealth::Valid, None, now).await?;
    }
    Ok(())
}

/// Writes that the engine backs off from an account until `until`, and the account's health.
pub(crate) async fn back_off(
    records: &Records,
    account: PortalAccountId,
    health: AccountHealth,
    until: Instant,
) -> Result<(), JobError> {
    let mut tx = records.begin_leading().await?;
    store::portal_account::set_health(&mut tx, account, health, Some(until), records.wall.now()).await?;
    tx.commit().await?;
    Ok(())
}

/// Writes a condition for every running task of the account, and delays the next job of each until
/// `until`. A task with an unconfirmed booking keeps its condition.
pub(crate) async fn set_conditions(
    records: &Records,
    account: PortalAccountId,
    condition: TaskCondition,
    code: &str,
    until: Instant,
) -> Result<(), JobError> {
    // Tasks are locked in the order of their ids, so that two transactions never deadlock.
    let concerned = records.memory.tasks_of(account);
    let mut tx = records.begin_leading().await?;
    for (task, before) in concerned {
        records.memory.delay_start(task, until);
        if before == TaskCondition::BookingUnconfirmed {
            continue;
        }
        let evidence = json!({ "code": code, "until": until });
        if before != condition {
            let event = JournalEvent::PortalError(PortalErrorEvent {
                code: code.to_owned(),
                ..PortalErrorEvent::default()
            });
            crate::persist::notify::journal(records, &mut tx, task, &event).await?;
        }
        let update = TaskUpdate { task, condition, evidence, next_try_at: Some(until) };
        crate::persist::notify::condition(records, &mut tx, &update).await?;
    }
    tx.commit().await?;
    Ok(())
}

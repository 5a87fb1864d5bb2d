//! Writes the health of accounts, and the resulting conditions of their tasks.

use domain::clock::Instant;
use domain::condition::TaskCondition;
use domain::health::AccountHealth;
use domain::ids::{PortalAccountId, TaskId};
use domain::journal::{JournalEvent, PortalErrorEvent};
use serde_json::json;
use store::Tx;

use crate::JobError;
use crate::model::empty_lists::InferredEffects;
use crate::model::task_update::TaskUpdate;
use crate::persist::Records;

/// Writes the effects of a poll on accounts; the conditions of their tasks are written afterwards.
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

/// Makes an account back off until `until`.
pub(crate) async fn rest(
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

/// Writes a condition for every running task of the account.
pub(crate) async fn say(
    records: &Records,
    account: PortalAccountId,
    condition: TaskCondition,
    code: &str,
    until: Instant,
) -> Result<(), JobError> {
    let mut concerned: Vec<(TaskId, TaskCondition)> = {
        let state = records.memory.lock();
        state.tasks.of_account(account).map(|t| (t.id, t.condition)).collect()
    };
    // Lock tasks in the order of their ids, so that two transactions never deadlock.
    concerned.sort_unstable_by_key(|(task, _)| *task);
    let mut tx = records.begin_leading().await?;
    for (task, told) in concerned {
        records.memory.lock().start_not_before.insert(task, until);
        if matches!(told, TaskCondition::BookingUnconfirmed) {
            continue;
        }
        let evidence = json!({ "code": code, "until": until });
        if told != condition {
            let event = JournalEvent::PortalError(PortalErrorEvent {
                code: code.to_owned(),
                ..PortalErrorEvent::default()
            });
            crate::persist::notify::journal(records, &mut tx, task, &event).await?;
        }
        let told = TaskUpdate { task, condition, evidence, next_try_at: Some(until) };
        crate::persist::notify::condition(records, &mut tx, &told).await?;
    }
    tx.commit().await?;
    Ok(())
}

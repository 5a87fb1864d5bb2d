//! Writes the decisions of the page circuit breaker, which pauses tasks whose portal pages cannot
//! be parsed.

use domain::condition::TaskCondition;
use domain::health::AccountHealth;
use domain::journal::JournalEvent;
use serde_json::json;

use crate::JobError;
use crate::model::page_breaker::effects::StoppedTask;
use crate::model::task_update::TaskUpdate;
use crate::persist::Records;

impl Records {
    /// Writes the conditions and journal entries of tasks that an unreadable page paused. Also
    /// writes the accounts that may continue, and the state of the breakers.
    pub(crate) async fn notify_stopped(&self) -> Result<(), JobError> {
        let effects = self.memory.update(|state| state.page_breakers.take_effects());
        if effects.is_nothing() {
            return Ok(());
        }
        let (wall, now) = (self.wall.now(), self.portal_time.now());
        let mut tx = self.db.begin().await?;
        for (subject, data) in &effects.breakers {
            store::learned::save(&mut tx, subject, data, now).await?;
        }
        for StoppedTask { task, error, until } in effects.stopped {
            let known = self.memory.read(|state| state.tasks.get(&task).map(|task| task.condition));
            let Some(before) = known else { continue };
            if matches!(
                before,
                TaskCondition::Booking | TaskCondition::BookingUnconfirmed | TaskCondition::CoolingDown
            ) {
                continue;
            }
            if before != TaskCondition::LayoutChanged {
                crate::persist::notify::journal(
                    self,
                    &mut tx,
                    task,
                    &JournalEvent::PortalError(error.clone()),
                )
                .await?;
            }
            let update = TaskUpdate {
                task,
                condition: TaskCondition::LayoutChanged,
                evidence: json!(error),
                next_try_at: Some(until),
            };
            crate::persist::notify::condition(self, &mut tx, &update).await?;
        }
        let freed = self.memory.update(|state| state.free_accounts(&effects.freed, now));
        for account in &freed {
            store::portal_account::set_health(&mut tx, *account, AccountHealth::Valid, None, wall).await?;
        }
        tx.commit().await?;
        Ok(())
    }
}

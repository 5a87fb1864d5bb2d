//! Writes the decisions of the page circuit breaker.

use domain::condition::TaskCondition;
use domain::health::AccountHealth;
use domain::journal::JournalEvent;
use serde_json::json;

use crate::JobError;
use crate::model::page_breaker::NOTIFIED_AT_ONCE;
use crate::model::task_update::TaskUpdate;
use crate::persist::Records;

impl Records {
    /// Notifies tasks of an unreadable page's effects, frees accounts, and writes the state of the
    /// breakers.
    pub(crate) async fn notify_stopped(&self) -> Result<(), JobError> {
        let (unnotified, freed, fresh) = {
            let mut state = self.memory.lock();
            let page_breakers = &mut state.page_breakers;
            let rest =
                page_breakers.unnotified.split_off(NOTIFIED_AT_ONCE.min(page_breakers.unnotified.len()));
            let unnotified = std::mem::replace(&mut page_breakers.unnotified, rest);
            (unnotified, std::mem::take(&mut page_breakers.freed), std::mem::take(&mut page_breakers.fresh))
        };
        if unnotified.is_empty() && freed.is_empty() && fresh.is_empty() {
            return Ok(());
        }
        let (wall, now) = (self.wall.now(), self.portal_time.now());
        let mut tx = self.db.begin().await?;
        for (subject, data) in &fresh {
            store::learned::save(&mut tx, subject, data, now).await?;
        }
        for (task, error, until) in unnotified {
            let Some(told) = self.memory.lock().tasks.get(&task).map(|task| task.condition) else { continue };
            if matches!(
                told,
                TaskCondition::Booking | TaskCondition::BookingUnconfirmed | TaskCondition::CoolingDown
            ) {
                continue;
            }
            if told != TaskCondition::LayoutChanged {
                crate::persist::notify::journal(
                    self,
                    &mut tx,
                    task,
                    &JournalEvent::PortalError(error.clone()),
                )
                .await?;
            }
            let told = TaskUpdate {
                task,
                condition: TaskCondition::LayoutChanged,
                evidence: json!(error),
                next_try_at: Some(until),
            };
            crate::persist::notify::condition(self, &mut tx, &told).await?;
        }
        let freed = self.memory.lock().free(&freed, now);
        for account in &freed {
            store::portal_account::set_health(&mut tx, *account, AccountHealth::Valid, None, wall).await?;
        }
        tx.commit().await?;
        Ok(())
    }
}

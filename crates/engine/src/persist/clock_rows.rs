//! Corrections of stored times after a clock was set.

use domain::budget::Budget;

use crate::JobError;
use crate::persist::Records;

impl Records {
    /// Shifts the stored times by the amount by which the clock was set. Does nothing if it was not
    /// set.
    pub(crate) async fn shift_rows(&self) -> Result<(), JobError> {
        self.clamp_budgets().await?;
        let jump = self.memory.read(|state| Some((state.housekeeping.clock_jump()?, state.accounts.ids())));
        let Some((by, accounts)) = jump else { return Ok(()) };
        self.persist_learned().await?;
        let (wall, now) = (self.wall.now(), self.portal_time.now());
        let mut tx = self.db.begin().await?;
        let mut shifted_rows = Vec::new();
        for id in accounts {
            let Some(mut row) = store::portal_account::outline(&mut tx, id).await? else { continue };
            let shifted =
                store::portal_account::change_budget(&mut tx, id, |budget| budget.shift(by)).await?;
            row.budget = shifted.map_or_else(Budget::default, |(budget, ())| budget);
            row.not_before = row.not_before.map(|at| at + by);
            if row.not_before.is_some() {
                store::portal_account::set_health(&mut tx, id, row.health, row.not_before, wall).await?;
            }
            shifted_rows.push(row);
        }
        store::clock::shift(&mut tx, by, (now, wall), domain::booking::LAG).await?;
        let learned = store::learned::everything(&mut tx).await?;
        tx.commit().await?;
        self.memory.update(|state| {
            for row in shifted_rows {
                let account = state.accounts.get_mut(row.id);
                account.set_budget(row.budget);
                if row.not_before.is_some() {
                    account.not_before = row.not_before;
                }
            }
            state.restore(learned);
            state.housekeeping.end_clock_jump();
        });
        self.memory.nudge();
        Ok(())
    }

    /// Corrects budgets whose calls are in the future: an earlier process wrote them while its
    /// clock was ahead. Their calls count as made now.
    async fn clamp_budgets(&self) -> Result<(), JobError> {
        let ahead = self.memory.update(|state| state.accounts.take_ahead());
        if ahead.is_empty() {
            return Ok(());
        }
        let now = self.portal_time.now();
        let mut tx = self.db.begin().await?;
        for id in ahead {
            store::portal_account::change_budget(&mut tx, id, |budget| budget.clamp(now)).await?;
        }
        tx.commit().await?;
        Ok(())
    }
}

//! Batched writes of poll results: counts of calendars, and the calls of accounts that only polled.

use domain::clock::Instant;
use store::observation::{ChangedPlan, Tally};
use store::task::Difference;

use crate::model::missed_openings::MissedOpening;
use crate::model::observe::ListChange;
use crate::model::task_index::CountUpdate;
use crate::persist::Records;
use crate::{FLUSH_EVERY, JobError};

/// Maximum number of task rows written at once, for the case that many tasks start at once.
const WRITTEN_AT_ONCE: usize = 500;

/// Maximum number of journal entries written in one transaction: bookings wait for the same writer.
const LINES_AT_ONCE: usize = 64;

/// Contents of one transaction.
#[derive(Default)]
struct Batch {
    hours: Vec<store::seen::Hour>,
    tallies: Vec<Tally>,
    plans: Vec<ChangedPlan>,
    tasks: Vec<CountUpdate>,
    orphans: Vec<domain::ids::TaskId>,
    changes: Vec<ListChange>,
    missed_openings: Vec<MissedOpening>,
}

impl Batch {
    /// Returns `true` if there is anything to write.
    fn has_rows(&self) -> bool {
        let Self { hours, tallies, plans, tasks, orphans, changes, missed_openings } = self;
        !(hours.is_empty() && tallies.is_empty() && plans.is_empty() && tasks.is_empty())
            || !(orphans.is_empty() && changes.is_empty() && missed_openings.is_empty())
    }
}

impl Records {
    /// Writes the accumulated poll results, in one transaction at most every [`FLUSH_EVERY`].
    pub(crate) async fn flush(&self) -> Result<(), JobError> {
        let now = self.portal_time.now();
        let Some(batch) = self.take_batch(now) else { return self.flush_budgets(now).await };
        let written = self.write_batch(&batch).await;
        if written.is_err() {
            let mut state = self.memory.lock();
            state.forget_plans();
            state.tasks.restore_updates(batch.tasks, batch.tallies);
            state.tasks.restore_hours(batch.hours);
            state.unrecorded.splice(0..0, batch.changes);
            state.missed_openings.unwritten.extend(batch.missed_openings);
        }
        written
    }

    fn take_batch(&self, now: Instant) -> Option<Batch> {
        let mut state = self.memory.lock();
        let is_due = state.has_unwritten() || state.plans_due(now);
        if !is_due || state.flushed_at.is_some_and(|at| now - at < FLUSH_EVERY) {
            return None;
        }
        state.flushed_at = Some(now);
        let mut tasks = state.tasks.take_uncounted(WRITTEN_AT_ONCE);
        // Tasks are in the order of their ids, so that two transactions never deadlock. Updates of
        // one task stay in the order in which they were made.
        tasks.sort_by_key(|update| update.task);
        let hours = state.tasks.take_hours();
        let mut tallies = state.tasks.take_tallies();
        let orphans = state.tasks.take_orphans();
        let plans = state.take_plans(&mut tallies, &self.config, now);
        let changes = std::mem::take(&mut state.unrecorded);
        let most = state.missed_openings.unwritten.len().min(LINES_AT_ONCE);
        let missed_openings = state.missed_openings.unwritten.drain(..most).collect();
        let batch = Batch { hours, tallies, plans, tasks, orphans, changes, missed_openings };
        batch.has_rows().then_some(batch)
    }

    async fn write_batch(&self, batch: &Batch) -> Result<(), JobError> {
        let (spent, over) = self.take_spent();
        let (wall, at) = (self.wall.now(), Some(self.portal_time.now()));
        let written = async {
            let mut tx = self.db.begin().await?;
            for ListChange { id, key, days, change, at } in &batch.changes {
                store::observation::record(&mut tx, *id, key, days, change, *at).await?;
            }
            store::seen::add_hours(&mut tx, &batch.hours).await?;
            for tally in &batch.tallies {
                store::observation::add_polls(&mut tx, tally, wall).await?;
            }
            for plan in &batch.plans {
                store::observation::set_plan(&mut tx, plan, wall).await?;
            }
            if !batch.orphans.is_empty() {
                store::task::settle_counts(&mut tx, &batch.orphans, 0, wall).await?;
            }
            for CountUpdate { task, missing, counted, was_counted } in &batch.tasks {
                let missing = &Difference { at, ..*missing };
                match counted {
                    Some(counted) => store::task::count_from(&mut tx, *task, missing, counted, wall).await?,
                    None => store::task::count_up(&mut tx, *task, missing, *was_counted, wall).await?,
                }
            }
            crate::persist::missed_openings::write(self, &mut tx, &batch.missed_openings).await?;
            let budgets = Self::add_to_budgets(&mut tx, &spent).await?;
            store::account_lease::give_back(&mut tx, &over).await?;
            tx.commit().await?;
            Ok(budgets)
        };
        let written = written.await;
        self.keep_spent(spent, &over, written)
    }
}

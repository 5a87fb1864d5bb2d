//! Batched writes of poll results: poll counts, changed lists, missed openings, and the calls of
//! accounts that only polled.

use domain::clock::Instant;
use store::observation::{ChangedPlan, Tally};
use store::task::Difference;

use crate::model::availability::ListChange;
use crate::model::missed_openings::MissedOpening;
use crate::model::poll_plan::PlanInput;
use crate::model::state::State;
use crate::model::task_index::CountUpdate;
use crate::persist::Records;
use crate::{Config, JobError};

/// Maximum number of task rows in one transaction. It matters when many tasks start at once.
const WRITTEN_AT_ONCE: usize = 500;

/// Maximum number of journal entries in one transaction. A longer transaction would delay bookings,
/// which wait for the same database writer.
const ENTRIES_AT_ONCE: usize = 64;

/// Poll results that one transaction writes.
#[derive(Default)]
struct Batch {
    hours: Vec<store::seen::Hour>,
    tallies: Vec<Tally>,
    plans: Vec<ChangedPlan>,
    tasks: Vec<CountUpdate>,
    /// Tasks whose rows name calendars that are not their own.
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

impl Batch {
    /// Takes the poll results out of the state if a write is due. Returns `None` otherwise.
    fn take(state: &mut State, config: &Config, now: Instant) -> Option<Self> {
        let plans_due = state.leadership.leads() && state.poll_plan.is_comparison_due(now);
        if !(state.has_unwritten() || plans_due) || !state.housekeeping.try_flush(now) {
            return None;
        }
        let mut tasks = state.tasks.take_uncounted(WRITTEN_AT_ONCE);
        // Tasks are sorted by id, so that two transactions never deadlock. The sort keeps the order
        // of updates to one task.
        tasks.sort_by_key(|update| update.task);
        let hours = state.tasks.take_hours();
        let mut tallies = state.tasks.take_tallies();
        let orphans = state.tasks.take_orphans();
        let State { tasks: index, availability, accounts, poll_plan, openings, .. } = state;
        let changes = availability.take_unrecorded();
        let input = PlanInput { tasks: index, availability, accounts };
        let plans = poll_plan.take_plans(&mut tallies, input, config, now);
        let missed_openings = openings.missed.take_unwritten(ENTRIES_AT_ONCE);
        let batch = Self { hours, tallies, plans, tasks, orphans, changes, missed_openings };
        batch.has_rows().then_some(batch)
    }

    /// Puts poll results back into the state after a failed write. The next flush writes them.
    fn put_back(self, state: &mut State) {
        state.poll_plan.forget_plans();
        state.tasks.restore_updates(self.tasks, self.tallies);
        state.tasks.restore_hours(self.hours);
        state.availability.restore_unrecorded(self.changes);
        state.openings.missed.restore(self.missed_openings);
    }
}

impl Records {
    /// Writes the accumulated poll results in one transaction, at most once every
    /// [`crate::FLUSH_EVERY`].
    pub(crate) async fn flush(&self) -> Result<(), JobError> {
        let now = self.portal_time.now();
        let batch = self.memory.update(|state| Batch::take(state, &self.config, now));
        let Some(batch) = batch else { return self.flush_budgets(now).await };
        let written = self.write_batch(&batch).await;
        if written.is_err() {
            self.memory.update(|state| batch.put_back(state));
        }
        written
    }

    async fn write_batch(&self, batch: &Batch) -> Result<(), JobError> {
        let (spent, ended) = self.memory.update(|state| state.accounts.take_calls(self.portal_time.now()));
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
            store::account_lease::give_back(&mut tx, &ended).await?;
            tx.commit().await?;
            Ok(budgets)
        };
        let written = written.await;
        self.keep_spent(spent, &ended, written)
    }
}

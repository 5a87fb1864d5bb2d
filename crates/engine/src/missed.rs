//! Days that were wanted and that nobody could try for in time: who stood in line reads why.

use std::collections::HashSet;

use chrono::NaiveDate;
use domain::budget::{Limits, Spend};
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::ids::TaskId;
use serde_json::json;
use store::Tx;

use crate::hint::LOSERS_TOLD;
use crate::state::{Account, HintQueue, State};
use crate::{Engine, Fault};

/// Remembered at most; beyond, a day may be told twice.
const REMEMBERED: usize = 10_000;

/// One day one task did not get to.
pub(crate) struct Miss {
    task: TaskId,
    facility: FacilityId,
    day: NaiveDate,
    why: &'static str,
    at: Instant,
}

/// What is not written yet, and what was told of days that still stand there.
#[derive(Default)]
pub(crate) struct Missed {
    pub unwritten: Vec<Miss>,
    told: HashSet<(TaskId, FacilityId, NaiveDate)>,
}

impl Missed {
    /// The day is gone: when it comes back, it is told again.
    pub fn forget(&mut self, facility: FacilityId, day: NaiveDate) {
        if !self.told.is_empty() {
            self.told.retain(|(_, at, of)| (*at, *of) != (facility, day));
        }
    }
}

impl State {
    /// Drops hints whose time is over; those who still stood in line were kept from trying.
    pub(crate) fn drop_hints(&mut self, lives: chrono::TimeDelta, limits: &Limits, now: Instant) {
        let over = |h: &mut HintQueue| h.seen_at + lives <= now || (h.takers.is_empty() && h.trying == 0);
        let over: Vec<HintQueue> = self.hints.extract_if(.., over).collect();
        for hint in over {
            for task in hint.takers.into_iter().take(LOSERS_TOLD) {
                let account = self.tasks.get(&task).and_then(|t| self.accounts.get(&t.account));
                let why = account.map_or("not_reached", |account| kept_by(account, limits, now));
                self.miss((task, hint.key.facility, hint.date), why, now);
            }
        }
    }

    fn miss(&mut self, of: (TaskId, FacilityId, NaiveDate), why: &'static str, now: Instant) {
        if self.missed.told.len() >= REMEMBERED {
            self.missed.told.clear();
        }
        if self.missed.told.insert(of) {
            let (task, facility, day) = of;
            self.missed.unwritten.push(Miss { task, facility, day, why, at: now });
            self.flushed_at.get_or_insert(now);
        }
    }
}

/// What keeps an account from trying.
fn kept_by(account: &Account, limits: &Limits, now: Instant) -> &'static str {
    if account.budget.check(Spend::BookingLook, limits, now).is_err() {
        return "no_budget";
    }
    let rests = account.not_before.is_some_and(|at| at > now);
    let sound = matches!(account.health.as_str(), "" | "valid");
    if rests || !sound { "account_resting" } else { "not_reached" }
}

/// Writes them into the journals.
pub(crate) async fn write(engine: &Engine, tx: &mut Tx, missed: &[Miss]) -> Result<(), Fault> {
    for miss in missed {
        let data = json!({ "facility": miss.facility.name(), "date": miss.day, "why": miss.why });
        let id = engine.ctx.uuid(miss.at);
        store::journal::add(tx, id, miss.task, "slot_gone", &data, miss.at).await?;
    }
    Ok(())
}

//! Openings for which no account tried in time, or that a rule forbids.

use chrono::NaiveDate;
use domain::booking::Stop;
use domain::budget::{Limits, Spend};
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::health::AccountHealth;
use domain::ids::TaskId;
use domain::journal::GoneReason;

use crate::model::account::Account;
use crate::model::missed_openings::{MissReason, MissedOpening};
use crate::model::openings::{LOSERS_NOTIFIED, OpeningQueue};
use crate::model::questions::Asked;
use crate::model::state::State;

/// Maximum number of remembered dates; beyond it, a date may be recorded twice.
const REMEMBERED: usize = 100_000;
/// Maximum number of journal entries that wait to be written. Tasks beyond it get their entries at
/// a later poll.
const MOST_UNWRITTEN: usize = 2_000;

impl State {
    /// Drops openings that have expired, and records a missed opening for the candidates that were
    /// still queued.
    pub(crate) fn drop_openings(&mut self, lives: chrono::TimeDelta, limits: &Limits, now: Instant) {
        let over =
            |h: &mut OpeningQueue| h.seen_at + lives <= now || (h.candidates.is_empty() && h.trying == 0);
        let over: Vec<OpeningQueue> = self.openings.extract_if(.., over).collect();
        for opening in over {
            if !opening.candidates.is_empty() {
                // The tasks behind them are notified without a further wait when the date is seen
                // again.
                self.tried_in_vain.insert((opening.key.facility, opening.date));
            }
            for task in opening.candidates.into_iter().take(LOSERS_NOTIFIED) {
                let account = self.tasks.get(&task).and_then(|t| self.accounts.get(&t.account));
                let why = account.map_or(GoneReason::NotReached, |account| kept_by(account, limits, now));
                self.miss((task, opening.key.facility, opening.date), MissReason::Gone(why), now);
            }
        }
    }

    /// Records a date that a task accepts and must not book.
    pub(crate) fn not_booked(&mut self, of: (TaskId, FacilityId, NaiveDate), stop: Stop, now: Instant) {
        self.miss(of, MissReason::Stopped(stop), now);
    }

    /// Records a date that a task accepts and does not ask about.
    pub(crate) fn not_asked(&mut self, of: Asked, why: GoneReason, now: Instant) {
        self.miss(of, MissReason::NotAsked(why), now);
    }

    fn miss(&mut self, of: (TaskId, FacilityId, NaiveDate), why: MissReason, now: Instant) {
        if self.missed_openings.unwritten.len() >= MOST_UNWRITTEN {
            return;
        }
        if self.missed_openings.told.len() >= REMEMBERED {
            self.missed_openings.told.clear();
        }
        if self.missed_openings.told.insert(of) {
            let (task, facility, day) = of;
            self.missed_openings.unwritten.push(MissedOpening { task, facility, day, why, at: now });
            self.flushed_at.get_or_insert(now);
        }
    }
}

/// Returns the reason that keeps an account from trying.
pub(super) fn kept_by(account: &Account, limits: &Limits, now: Instant) -> GoneReason {
    if account.budget.check(Spend::BookingPoll, limits, now).is_err() {
        return GoneReason::NoBudget;
    }
    let sound = account.health == AccountHealth::Valid;
    if account.is_resting(now) || !sound { GoneReason::AccountResting } else { GoneReason::NotReached }
}

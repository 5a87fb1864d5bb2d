//! Openings that nobody tried for in time, or that a rule forbids.

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

/// Remembered at most; beyond, a day may be told twice.
const REMEMBERED: usize = 100_000;
/// Lines that wait to be written at most: who comes behind reads of the day at a later look.
const MOST_UNWRITTEN: usize = 2_000;

impl State {
    /// Drops openings whose time is over; those who still stood in line were kept from trying.
    pub(crate) fn drop_openings(&mut self, lives: chrono::TimeDelta, limits: &Limits, now: Instant) {
        let over =
            |h: &mut OpeningQueue| h.seen_at + lives <= now || (h.candidates.is_empty() && h.trying == 0);
        let over: Vec<OpeningQueue> = self.openings.extract_if(.., over).collect();
        for opening in over {
            if !opening.candidates.is_empty() {
                // Who stood behind them waits no longer to be told, when the day is seen again.
                self.tried_in_vain.insert((opening.key.facility, opening.date));
            }
            for task in opening.candidates.into_iter().take(LOSERS_NOTIFIED) {
                let account = self.tasks.get(&task).and_then(|t| self.accounts.get(&t.account));
                let why = account.map_or(GoneReason::NotReached, |account| kept_by(account, limits, now));
                self.miss((task, opening.key.facility, opening.date), MissReason::Gone(why), now);
            }
        }
    }

    /// A day that a task accepts and must not book.
    pub(crate) fn not_booked(&mut self, of: (TaskId, FacilityId, NaiveDate), stop: Stop, now: Instant) {
        self.miss(of, MissReason::Stopped(stop), now);
    }

    /// A day that a task accepts and of which it does not ask.
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

/// What keeps an account from trying.
pub(super) fn kept_by(account: &Account, limits: &Limits, now: Instant) -> GoneReason {
    if account.budget.check(Spend::BookingPoll, limits, now).is_err() {
        return GoneReason::NoBudget;
    }
    let sound = account.health == AccountHealth::Valid;
    if account.is_resting(now) || !sound { GoneReason::AccountResting } else { GoneReason::NotReached }
}

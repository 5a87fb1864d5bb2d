//! Changes of appointments that a user makes in another browser.

use chrono::Duration;

use super::{
    World,
    accounts::{Appointment, Lag, Status},
    asc::AscChange,
};
use crate::journal::{Effect, PairEffect};

impl World {
    /// Books, reschedules or (if `to` is `None`) cancels, as a user would in another browser. A
    /// change of an existing appointment uses up one attempt. The groups page lags as after any
    /// change, or for `lag_seconds`.
    ///
    /// A fingerprint appointment stays, and a cancellation removes it. The slot need not exist in
    /// the world. Returns `false` if the group does not exist, nothing would change, or no attempt
    /// is left.
    pub fn change_by_hand(
        &mut self,
        schedule: u64,
        to: Option<Appointment>,
        lag_seconds: Option<i64>,
    ) -> bool {
        let asc = self.groups.get(&schedule).and_then(|group| group.asc.clone()).filter(|_| to.is_some());
        self.change_pair_by_hand(schedule, to, asc, lag_seconds)
    }

    /// Changes both appointments of a group, like [`World::change_by_hand`].
    ///
    /// Invented: a change of the fingerprint appointment alone uses up one attempt too.
    pub fn change_pair_by_hand(
        &mut self,
        schedule: u64,
        to: Option<Appointment>,
        asc: Option<Appointment>,
        lag_seconds: Option<i64>,
    ) -> bool {
        let seconds = lag_seconds.or_else(|| self.chance_of_lag());
        let now = self.now;
        let Some(group) = self.groups.get_mut(&schedule) else { return false };
        let from = group.appointment.clone();
        let same = from == to && group.asc == asc;
        if same || (from.is_some() && group.attempts_used_up()) {
            return false;
        }
        let asc_before = std::mem::replace(&mut group.asc, asc.clone());
        if from.is_some() {
            group.attempts_left = group.attempts_left.saturating_sub(1);
        }
        group.lag = seconds.map(|seconds| Lag {
            until: now + Duration::seconds(seconds),
            appointment: from.clone(),
            asc: asc_before.clone(),
            status: group.status,
            half: None,
        });
        group.status = if to.is_some() { Status::AttendAppointment } else { Status::ScheduleAppointment };
        group.appointment = to.clone();
        let account = group.account.clone();
        let effect = match (&from, &to) {
            (Some(from), None) => Effect::Cancelled { from: from.clone() },
            (from, Some(to)) if from.as_ref() != Some(to) => {
                Effect::Booked { from: from.clone(), to: to.clone() }
            }
            _ => Effect::None,
        };
        let effects = PairEffect { effect, asc: AscChange::of(asc_before, asc) };
        self.journal.by_hand(now, (account, schedule), effects);
        true
    }
}

//! Effects of booking POSTs and cancellations on the world.

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::{
    World,
    accounts::{Appointment, Lag, Status},
    arrivals::next_mark,
    country::facility,
    dice::Purpose,
    slots::Slot,
};
use crate::journal::Effect;

/// Applied change of an appointment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Applied {
    /// World time.
    pub at: DateTime<Utc>,
    /// Portal schedule id of the group.
    pub portal_schedule_id: u64,
    /// Username of the account.
    pub account: String,
    /// Appointment before the change.
    pub from: Option<Appointment>,
    /// Appointment after the change, or `None` for a cancellation.
    pub to: Option<Appointment>,
    /// True if the response reported the change to the client.
    pub told: bool,
}

/// Content of a booking POST.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub schedule: u64,
    pub facility: u32,
    pub date: NaiveDate,
    pub time: NaiveTime,
}

/// Effects of active faults on a booking POST.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bend {
    pub lie_booked: bool,
    pub lie_refused: bool,
    pub refuse: bool,
    pub lag_seconds: Option<i64>,
}

/// Effect of a booking POST, and the result that the response reports.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub effect: Effect,
    pub says_booked: bool,
}

impl Outcome {
    fn refused(why: &str) -> Self {
        Self { effect: Effect::Refused(why.to_owned()), says_booked: false }
    }
}

impl World {
    /// Returns the deadline for changing a group's appointment.
    pub fn change_deadline(&self, appointment: &Appointment) -> Option<DateTime<Utc>> {
        let place = facility(appointment.facility)?;
        let day = appointment.date - Duration::days(self.config.deadline_days);
        Some(place.instant(day.and_time(NaiveTime::from_hms_opt(15, 30, 0)?)))
    }

    /// Books or reschedules an appointment, or refuses the request.
    pub(crate) fn book(&mut self, request: &Request, bend: Bend) -> Outcome {
        if let Some(outcome) = self.revert_if_lagging(request) {
            return outcome;
        }
        if let Some(why) = self.refusal(request) {
            return Outcome::refused(why);
        }
        if bend.refuse {
            return Outcome::refused("fault: refused");
        }
        if bend.lie_booked {
            return Outcome {
                effect: Effect::Refused("fault: said booked, booked nothing".to_owned()),
                says_booked: true,
            };
        }
        let effect = self.apply(request, bend);
        let says_booked = matches!(effect, Effect::Booked { .. }) && !bend.lie_refused;
        Outcome { effect, says_booked }
    }

    fn refusal(&self, request: &Request) -> Option<&'static str> {
        let Some(group) = self.groups.get(&request.schedule) else {
            return Some("no such group");
        };
        let Some(slot) = self.slots.get(group.pool(), request.facility, request.date, request.time) else {
            return Some("slot gone");
        };
        let Some(place) = group.country.facility(request.facility) else {
            return Some("slot gone");
        };
        if slot.date <= place.today(self.now) {
            return Some("slot gone");
        }
        if slot.phantom {
            return Some("phantom");
        }
        if slot.max_party < group.party() {
            return Some("too few places");
        }
        if self
            .accounts
            .get(&group.account)
            .and_then(|a| a.banned_until)
            .is_some_and(|until| until > self.now)
        {
            return Some("soft ban");
        }
        if self.config.restricted_hours && group.appointment.is_some() && place.restricted_at(self.now) {
            return Some("restricted hours");
        }
        let deadline = group.appointment.as_ref().and_then(|a| self.change_deadline(a));
        deadline.is_some_and(|d| self.now > d).then_some("past the change deadline")
    }

    fn apply(&mut self, request: &Request, bend: Bend) -> Effect {
        let refused = || Effect::Refused("slot gone".to_owned());
        let Some(group) = self.groups.get(&request.schedule) else {
            return refused();
        };
        let pool = group.pool().to_owned();
        let Some(slot) = self.slots.remove(&pool, request.facility, request.date, request.time) else {
            return refused();
        };
        let seconds = bend.lag_seconds.or_else(|| self.chance_of_lag());
        let until = seconds.map(|s| self.now + Duration::seconds(s));
        let Some(group) = self.groups.get_mut(&request.schedule) else {
            return refused();
        };
        let to = Appointment { facility: request.facility, date: request.date, time: request.time };
        let from = group.appointment.replace(to.clone());
        if from.is_some() {
            group.attempts_left = group.attempts_left.saturating_sub(1);
        }
        group.lag = until.map(|until| Lag { until, appointment: from.clone(), status: group.status });
        group.status = Status::AttendAppointment;
        let account = group.account.clone();
        self.note_slot(&slot, "booked");
        self.applied.push(Applied {
            at: self.now,
            portal_schedule_id: request.schedule,
            account,
            from: from.clone(),
            to: Some(to.clone()),
            told: !bend.lie_refused,
        });
        if let Some(old) = from.clone().filter(|_| self.config.old_slot_returns) {
            self.give_back(&pool, old);
        }
        Effect::Booked { from, to }
    }

    /// Books, reschedules or (if `to` is `None`) cancels, as a user would in another browser. A
    /// change of an existing appointment uses up one attempt. The groups page lags as after any
    /// change, or for `lag_seconds`.
    ///
    /// The slot need not exist in the world. Returns `false` if the group does not exist, nothing
    /// would change, or no attempt is left.
    pub fn change_by_hand(
        &mut self,
        schedule: u64,
        to: Option<Appointment>,
        lag_seconds: Option<i64>,
    ) -> bool {
        let seconds = lag_seconds.or_else(|| self.chance_of_lag());
        let now = self.now;
        let Some(group) = self.groups.get_mut(&schedule) else { return false };
        let from = group.appointment.clone();
        if from == to || (from.is_some() && group.attempts_used_up()) {
            return false;
        }
        if from.is_some() {
            group.attempts_left = group.attempts_left.saturating_sub(1);
        }
        group.lag = seconds.map(|seconds| Lag {
            until: now + Duration::seconds(seconds),
            appointment: from.clone(),
            status: group.status,
        });
        group.status = if to.is_some() { Status::AttendAppointment } else { Status::ScheduleAppointment };
        group.appointment = to.clone();
        let account = group.account.clone();
        let effect = match (&from, &to) {
            (_, Some(to)) => Effect::Booked { from: from.clone(), to: to.clone() },
            (Some(from), None) => Effect::Cancelled { from: from.clone() },
            (None, None) => Effect::None,
        };
        self.journal.by_hand(now, (account, schedule), effect);
        true
    }

    /// Decides randomly if the groups page lags after the next change. Returns the lag in seconds.
    pub(crate) fn chance_of_lag(&mut self) -> Option<i64> {
        let rule = self.config.lag.clone();
        let lags = rule.probability > 0.0
            && self.dice.throw(Purpose::Bookings).random_bool(rule.probability.clamp(0.0, 1.0));
        lags.then_some(rule.seconds)
    }

    /// Undoes the first booking if this POST arrives during the lag of the groups page, with the
    /// configured probability.
    fn revert_if_lagging(&mut self, request: &Request) -> Option<Outcome> {
        let chance = self.config.lag.second_post_reverts.clamp(0.0, 1.0);
        let now = self.now;
        let lagging = self.groups.get(&request.schedule)?.lag.as_ref().is_some_and(|lag| lag.until > now);
        if !lagging || !self.dice.throw(Purpose::Bookings).random_bool(chance) {
            return None;
        }
        let group = self.groups.get_mut(&request.schedule)?;
        let lag = group.lag.take()?;
        let from = std::mem::replace(&mut group.appointment, lag.appointment.clone());
        group.status = lag.status;
        let account = group.account.clone();
        self.applied.push(Applied {
            at: now,
            portal_schedule_id: request.schedule,
            account,
            from: from.clone(),
            to: lag.appointment.clone(),
            told: false,
        });
        Some(Outcome { effect: Effect::Reverted { from, to: lag.appointment }, says_booked: false })
    }

    /// Cancels the appointment of a group.
    pub(crate) fn cancel(&mut self, schedule: u64) -> Effect {
        let now = self.now;
        let standing = self.groups.get(&schedule).and_then(|g| g.appointment.clone());
        let Some(standing) = standing else {
            return Effect::Refused("nothing to cancel".to_owned());
        };
        if self.change_deadline(&standing).is_some_and(|d| now > d) {
            return Effect::Refused("past the change deadline".to_owned());
        }
        let lag = self.chance_of_lag().map(|seconds| now + Duration::seconds(seconds));
        let Some(group) = self.groups.get_mut(&schedule) else {
            return Effect::Refused("no such group".to_owned());
        };
        if group.attempts_used_up() {
            return Effect::Refused("limit reached".to_owned());
        }
        group.attempts_left = group.attempts_left.saturating_sub(1);
        group.lag =
            lag.map(|until| Lag { until, appointment: group.appointment.take(), status: group.status });
        group.appointment = None;
        group.status = Status::ScheduleAppointment;
        let (account, pool) = (group.account.clone(), group.pool().to_owned());
        self.applied.push(Applied {
            at: now,
            portal_schedule_id: schedule,
            account,
            from: Some(standing.clone()),
            to: None,
            told: true,
        });
        if self.config.old_slot_returns {
            self.give_back(&pool, standing.clone());
        }
        Effect::Cancelled { from: standing }
    }

    fn give_back(&mut self, pool: &str, old: Appointment) {
        let appeared = next_mark(self.now);
        let id = self.fresh_id();
        let rng = &mut self.dice.throw(Purpose::Bookings);
        let life = Duration::seconds(rng.random_range(30..600));
        self.put_slot(Slot {
            id,
            pool: pool.to_owned(),
            facility: old.facility,
            date: old.date,
            time: old.time,
            max_party: 9,
            appeared,
            gone_at: Some(appeared + life),
            phantom: false,
            rival: true,
        });
    }

    /// Removes the slot that was just shown, as if a rival had booked it.
    pub(crate) fn steal(&mut self, pool: &str, facility: u32, date: NaiveDate) {
        let times: Vec<NaiveTime> =
            self.slots.visible(pool, facility, 1).filter(|s| s.date == date).map(|s| s.time).collect();
        for time in times {
            if let Some(slot) = self.slots.remove(pool, facility, date, time) {
                self.note_slot(&slot, "stolen");
            }
        }
    }

    /// Returns the appointment and status that the groups page currently shows for a group.
    pub(crate) fn shown(&self, schedule: u64) -> Option<(Option<Appointment>, Status)> {
        let group = self.groups.get(&schedule)?;
        match group.lag.as_ref().filter(|lag| lag.until > self.now) {
            Some(lag) => Some((lag.appointment.clone(), lag.status)),
            None => Some((group.appointment.clone(), group.status)),
        }
    }
}

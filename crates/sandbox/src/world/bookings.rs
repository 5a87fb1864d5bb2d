//! Effects of booking POSTs and cancellations on the world.

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::{
    World,
    accounts::{Appointment, Group, Lag, Status},
    arrivals::next_mark,
    asc::{AppointmentKind, AscChange, ConsularChoice},
    country::facility,
    dice::Purpose,
    slots::Slot,
};
use crate::journal::{Effect, PairEffect};

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
    /// Change of the fingerprint appointment, if the group had one or has one now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asc: Option<AscChange>,
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
    pub asc: AscFields,
}

/// Fingerprint fields of a booking POST.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AscFields {
    /// At least one field is not sent.
    Missing,
    /// All fields are sent without a value.
    Empty,
    /// Some fields have no value, or an unreadable one.
    Incomplete,
    /// The fields name a slot.
    Slot(Appointment),
}

/// Effects of active faults on a booking POST.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bend {
    pub lie_booked: bool,
    pub lie_refused: bool,
    pub refuse: bool,
    pub lag_seconds: Option<i64>,
    pub lagging_half: Option<AppointmentKind>,
}

/// Effect of a booking POST, and the result that the response reports.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub effects: PairEffect,
    pub says_booked: bool,
}

impl Outcome {
    pub fn refused(why: &str) -> Self {
        Self { effects: PairEffect::refused(why), says_booked: false }
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
            let effects = PairEffect::refused("fault: said booked, booked nothing");
            return Outcome { effects, says_booked: true };
        }
        let effects = self.apply(request, bend);
        let says_booked = matches!(effects.effect, Effect::Booked { .. }) && !bend.lie_refused;
        Outcome { effects, says_booked }
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
        if deadline.is_some_and(|d| self.now > d) {
            return Some("past the change deadline");
        }
        self.asc_refusal(group, request)
    }

    /// Returns the reason to refuse the fingerprint fields. Where no fingerprint appointment is
    /// needed, they are ignored.
    fn asc_refusal(&self, group: &Group, request: &Request) -> Option<&'static str> {
        if !group.country.asks_asc(request.facility) {
            return None;
        }
        match &request.asc {
            AscFields::Missing => Some("fingerprint fields missing"),
            AscFields::Incomplete => Some("fingerprint fields incomplete"),
            AscFields::Empty => None,
            AscFields::Slot(asc) => {
                let choice = ConsularChoice { date: Some(request.date), time: Some(request.time) };
                let place = group.country.asc_place(asc.facility);
                let offered = place.is_some_and(|place| self.offers_asc(place, asc, choice));
                (!offered).then_some("fingerprint slot gone")
            }
        }
    }

    fn apply(&mut self, request: &Request, bend: Bend) -> PairEffect {
        let refused = || PairEffect::refused("slot gone");
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
        let asc_before = group.asc.clone();
        group.asc = decide_asc(group, request);
        group.lag = until.map(|until| Lag {
            until,
            appointment: from.clone(),
            asc: asc_before.clone(),
            status: group.status,
            half: bend.lagging_half,
        });
        group.status = Status::AttendAppointment;
        let asc = AscChange::of(asc_before, group.asc.clone());
        let account = group.account.clone();
        self.note_slot(&slot, "booked");
        self.applied.push(Applied {
            at: self.now,
            portal_schedule_id: request.schedule,
            account,
            from: from.clone(),
            to: Some(to.clone()),
            asc: asc.clone(),
            told: !bend.lie_refused,
        });
        if let Some(old) = from.clone().filter(|_| self.config.old_slot_returns) {
            self.give_back(&pool, old);
        }
        PairEffect { effect: Effect::Booked { from, to }, asc }
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
        let asc = AscChange::of(std::mem::replace(&mut group.asc, lag.asc.clone()), lag.asc);
        group.status = lag.status;
        let account = group.account.clone();
        self.applied.push(Applied {
            at: now,
            portal_schedule_id: request.schedule,
            account,
            from: from.clone(),
            to: lag.appointment.clone(),
            asc: asc.clone(),
            told: false,
        });
        let effect = Effect::Reverted { from, to: lag.appointment };
        Some(Outcome { effects: PairEffect { effect, asc }, says_booked: false })
    }

    /// Cancels the appointment of a group, and its fingerprint appointment.
    ///
    /// Invented: a fingerprint appointment alone cannot be cancelled.
    pub(crate) fn cancel(&mut self, schedule: u64) -> PairEffect {
        let now = self.now;
        let standing = self.groups.get(&schedule).and_then(|g| g.appointment.clone());
        let Some(standing) = standing else {
            return PairEffect::refused("nothing to cancel");
        };
        if self.change_deadline(&standing).is_some_and(|d| now > d) {
            return PairEffect::refused("past the change deadline");
        }
        let lag = self.chance_of_lag().map(|seconds| now + Duration::seconds(seconds));
        let Some(group) = self.groups.get_mut(&schedule) else {
            return PairEffect::refused("no such group");
        };
        if group.attempts_used_up() {
            return PairEffect::refused("limit reached");
        }
        group.attempts_left = group.attempts_left.saturating_sub(1);
        let asc_before = group.asc.take();
        group.lag = lag.map(|until| Lag {
            until,
            appointment: group.appointment.take(),
            asc: asc_before.clone(),
            status: group.status,
            half: None,
        });
        group.appointment = None;
        let asc = AscChange::of(asc_before, None);
        group.status = Status::ScheduleAppointment;
        let (account, pool) = (group.account.clone(), group.pool().to_owned());
        self.applied.push(Applied {
            at: now,
            portal_schedule_id: schedule,
            account,
            from: Some(standing.clone()),
            to: None,
            asc: asc.clone(),
            told: true,
        });
        if self.config.old_slot_returns {
            self.give_back(&pool, standing.clone());
        }
        PairEffect { effect: Effect::Cancelled { from: standing }, asc }
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
            Some(lag) if lag.half != Some(AppointmentKind::Asc) => {
                Some((lag.appointment.clone(), lag.status))
            }
            _ => Some((group.appointment.clone(), group.status)),
        }
    }

    /// Returns the fingerprint appointment that the groups page currently shows for a group.
    pub(crate) fn shown_asc(&self, schedule: u64) -> Option<Appointment> {
        let group = self.groups.get(&schedule)?;
        match group.lag.as_ref().filter(|lag| lag.until > self.now) {
            Some(lag) if lag.half != Some(AppointmentKind::Consular) => lag.asc.clone(),
            _ => group.asc.clone(),
        }
    }
}

/// Returns the fingerprint appointment of a group after a booking that is not refused.
///
/// Known: empty fields delete it. Invented: a consulate that collects fingerprints itself ignores
/// the fields and drops the appointment.
fn decide_asc(group: &Group, request: &Request) -> Option<Appointment> {
    if group.country.asc.is_empty() {
        return group.asc.clone();
    }
    match &request.asc {
        AscFields::Slot(asc) if group.country.asks_asc(request.facility) => Some(asc.clone()),
        _ => None,
    }
}

//! Random arrival of new slots: their times, their lifetimes, and the slots that rivals book.

use chrono::{DateTime, Datelike, Duration, NaiveDate, NaiveTime, Utc, Weekday};
use rand::{RngExt, rngs::StdRng};
use serde::{Deserialize, Serialize};

use super::{
    World,
    country::facility,
    dice::Purpose,
    slots::{Due, Slot},
};

/// Arrival process for slots of one pool at one facility.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Slot pool, e.g. `B1/B2`.
    pub pool: String,
    /// Facility number.
    pub facility: u32,
    /// Mean time between two arrivals in seconds (exponential distribution).
    pub mean_gap_seconds: f64,
    /// Share of arrivals that happen at the next five-minute mark instead.
    pub at_marks: f64,
    /// Median lifetime of a slot in seconds (log-normal distribution).
    pub median_life_seconds: f64,
    /// Spread of the lifetime: standard deviation of its logarithm.
    pub life_sigma: f64,
    /// Earliest and latest date of a slot, in days after its arrival.
    pub days_ahead: (i64, i64),
    /// Maximum number of slots in one arrival.
    pub burst: u32,
    /// Share of phantoms: slots whose date is listed and which cannot be booked.
    pub phantoms: f64,
    /// Share of slots that a rival books after 2 to 27 seconds.
    pub rivals: f64,
}

impl Source {
    /// Returns `true` if all parameters have permitted values.
    pub fn is_sane(&self) -> bool {
        let (from, to) = self.days_ahead;
        self.mean_gap_seconds.is_finite()
            && self.mean_gap_seconds >= 1.0
            && (0..=3650).contains(&from)
            && (0..=3650).contains(&to)
            && self.burst <= 100
            && self.median_life_seconds > 0.0
    }
}

impl World {
    /// Adds an arrival process.
    pub fn add_source(&mut self, source: Source) {
        self.sources.push(source);
        self.schedule_arrival(self.sources.len() - 1);
    }

    /// Removes all arrival processes.
    pub fn clear_sources(&mut self) {
        self.sources.clear();
        self.slots.due.retain(|_, due| !matches!(due, Due::Arrival { .. }));
    }

    pub(super) fn schedule_arrival(&mut self, source: usize) {
        let Some(process) = self.sources.get(source) else {
            return;
        };
        let (mean, marks) = (process.mean_gap_seconds, process.at_marks);
        let mut rng = self.dice.throw(Purpose::Arrivals);
        let gap = -mean * (1.0 - rng.random::<f64>()).ln();
        let mut at = self.now + Duration::milliseconds((gap * 1000.0).clamp(1.0, 1e12) as i64);
        if rng.random_bool(marks.clamp(0.0, 1.0)) {
            at = next_mark(at) + Duration::milliseconds(rng.random_range(0..3000));
        }
        self.plan(at, Due::Arrival { source });
    }

    pub(super) fn arrive(&mut self, source: usize) {
        let Some(process) = self.sources.get(source).cloned() else {
            return;
        };
        let mut rng = self.dice.throw(Purpose::Arrivals);
        let Some(place) = facility(process.facility) else {
            return;
        };
        for _ in 0..rng.random_range(1..=process.burst.max(1)) {
            let ahead =
                rng.random_range(process.days_ahead.0..=process.days_ahead.1.max(process.days_ahead.0));
            let rival = rng.random_bool(process.rivals.clamp(0.0, 1.0));
            let life = if rival { rng.random_range(2.0..27.0) } else { lifetime(&process, &mut rng) };
            let slot = Slot {
                id: self.fresh_id(),
                pool: process.pool.clone(),
                facility: process.facility,
                date: weekday(place.today(self.now) + Duration::days(ahead)),
                time: office_time(&mut rng),
                max_party: if rng.random_bool(0.7) { 9 } else { rng.random_range(1..=3) },
                appeared: self.now,
                gone_at: Some(self.now + Duration::milliseconds((life * 1000.0) as i64)),
                phantom: rng.random_bool(process.phantoms.clamp(0.0, 1.0)),
                rival,
            };
            self.show(slot);
        }
    }
}

/// Returns the next five-minute mark at or after `at`.
pub(crate) fn next_mark(at: DateTime<Utc>) -> DateTime<Utc> {
    let past = at.timestamp().rem_euclid(300);
    let whole = at - Duration::nanoseconds(i64::from(at.timestamp_subsec_nanos()));
    if past == 0 && whole == at { at } else { whole + Duration::seconds(300 - past) }
}

fn lifetime(process: &Source, rng: &mut StdRng) -> f64 {
    // Box–Muller transform. Only one of its two normal values is needed.
    let (u, v): (f64, f64) = (1.0 - rng.random::<f64>(), rng.random());
    let normal = (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos();
    (process.median_life_seconds * (process.life_sigma * normal).exp()).clamp(1.0, 1e8)
}

/// Returns the date, or the following Monday if the date is on a weekend.
pub(crate) fn weekday(date: NaiveDate) -> NaiveDate {
    match date.weekday() {
        Weekday::Sat => date + Duration::days(2),
        Weekday::Sun => date + Duration::days(1),
        _ => date,
    }
}

fn office_time(rng: &mut StdRng) -> NaiveTime {
    let quarter = rng.random_range(0..17);
    NaiveTime::from_hms_opt(7 + (30 + quarter * 15) / 60, (30 + quarter * 15) % 60, 0).unwrap_or_default()
}

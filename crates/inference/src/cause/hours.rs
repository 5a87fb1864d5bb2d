//! Restricted hours as a belief per facility: the reported table is only where it starts.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use domain::calendar::CalendarKey;
use domain::facility::FacilityId;

/// What the table is worth, in observations: two sources reported it.
const PRIOR: f32 = 2.0;
/// How sure the table makes us of a restricted hour, and of an open one.
const REPORTED: (f32, f32) = (0.9, 0.005);
/// A day seen in one hour speaks, this much, for the other hours on the same side of the rule.
const SPILL: f32 = 0.2;
/// Observations kept per hour: older ones fade, so that a changed rule is learned again.
const MOST: f32 = 40.0;

/// Dates on which a calendar showed days in hours the table calls restricted, after which the table does not hold there.
const ENDS: usize = 3;

/// Per local hour: how often booked accounts saw days, and how often days were hidden from them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RestrictedHours {
    open: [f32; 24],
    shut: [f32; 24],
    /// By calendar: the local dates on which it showed days in hours the table calls restricted, the first [`ENDS`].
    #[serde(default)]
    against: BTreeMap<String, BTreeSet<NaiveDate>>,
}

impl RestrictedHours {
    /// The belief before anything was observed.
    #[must_use]
    pub fn reported(facility: FacilityId) -> Self {
        let (from, to) = restricted_hours(facility);
        let mut belief = Self { open: [0.0; 24], shut: [0.0; 24], against: BTreeMap::new() };
        for hour in 0..24_u32 {
            let sure = if (from..to).contains(&hour) { REPORTED.0 } else { REPORTED.1 };
            belief.shut[hour as usize] = PRIOR * sure;
            belief.open[hour as usize] = PRIOR * (1.0 - sure);
        }
        belief
    }

    /// How likely booked accounts see nothing in this local hour (0 to 23).
    #[must_use]
    pub fn probability(&self, hour: u32) -> f64 {
        let at = hour as usize % 24;
        f64::from(self.shut[at] / (self.shut[at] + self.open[at]).max(f32::EPSILON))
    }

    /// Returns how likely booked accounts see nothing of one calendar in this local hour.
    #[must_use]
    pub fn probability_at(&self, calendar: &CalendarKey, hour: u32) -> f64 {
        if self.is_refuted(calendar) { f64::from(REPORTED.1) } else { self.probability(hour) }
    }

    /// Returns whether a calendar showed days against the table on [`ENDS`] dates.
    #[must_use]
    pub fn is_refuted(&self, calendar: &CalendarKey) -> bool {
        !self.against.is_empty()
            && self.against.get(&calendar.to_string()).is_some_and(|dates| dates.len() >= ENDS)
    }

    /// Takes in that a calendar showed a booked account days on `date` in a local hour.
    pub fn showed(&mut self, calendar: &CalendarKey, date: NaiveDate, hour: u32) {
        let (from, to) = restricted_hours(calendar.facility);
        if (from..to).contains(&hour) && !self.is_refuted(calendar) {
            self.against.entry(calendar.to_string()).or_default().insert(date);
        }
        self.observe(hour, true, 1.0);
    }

    /// Whether it is more likely than not.
    #[must_use]
    pub fn is_restricted(&self, hour: u32) -> bool {
        self.probability(hour) >= 0.5
    }

    /// Takes in what a booked account was shown while there were days: `weight` (0 to 1) is how sure that is.
    pub fn observe(&mut self, hour: u32, saw_days: bool, weight: f64) {
        let weight = weight.clamp(0.0, 1.0) as f32;
        let side = self.is_restricted(hour);
        let own = hour as usize % 24;
        for other in 0..24_u32 {
            let at = other as usize;
            if saw_days && (at == own || self.is_restricted(other) == side) {
                self.open[at] += if at == own { weight } else { weight * SPILL };
            } else if at == own {
                self.shut[at] += weight;
            }
            let all = self.open[at] + self.shut[at];
            if all > MOST {
                self.open[at] *= MOST / all;
                self.shut[at] *= MOST / all;
            }
        }
    }
}

/// The hours (local, from inclusive, to exclusive) in which booked accounts were reported to see nothing.
#[must_use]
pub fn restricted_hours(facility: FacilityId) -> (u32, u32) {
    match facility {
        FacilityId::CALGARY => (2, 17),
        FacilityId::HALIFAX => (5, 20),
        FacilityId::VANCOUVER => (1, 16),
        _ => (4, 19),
    }
}

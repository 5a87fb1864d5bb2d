//! Restricted hours as a learned probability per facility. The reported table is the prior.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use domain::calendar::CalendarKey;
use domain::facility::FacilityId;

/// Weight of the table, in observations: two sources reported it.
const PRIOR: f32 = 2.0;
/// Probability of a restriction in a reported hour, and in an open one, by the table.
const REPORTED: (f32, f32) = (0.9, 0.005);
/// Weight with which dates seen in one hour count for the other hours on the same side of the rule.
const SPILL: f32 = 0.2;
/// Maximum number of observations kept per hour. Older ones fade, so that a changed rule is
/// learned.
const MOST: f32 = 40.0;

/// Number of dates on which a calendar must show dates in restricted hours until the table no
/// longer applies to it.
const ENDS: usize = 3;

/// Counts per local hour: accounts with an appointment saw dates, or did not see existing dates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RestrictedHours {
    open: [f32; 24],
    shut: [f32; 24],
    /// Local dates on which a calendar showed dates in hours restricted by the table; the first
    /// [`ENDS`] per calendar.
    #[serde(default)]
    against: BTreeMap<String, BTreeSet<NaiveDate>>,
}

impl RestrictedHours {
    /// Returns the prior before any observation.
    #[must_use]
    pub fn reported(facility: FacilityId) -> Self {
        let restricted = &facility.facility().restricted;
        let mut belief = Self { open: [0.0; 24], shut: [0.0; 24], against: BTreeMap::new() };
        for hour in 0..24_u32 {
            let sure = if restricted.contains(&hour) { REPORTED.0 } else { REPORTED.1 };
            belief.shut[hour as usize] = PRIOR * sure;
            belief.open[hour as usize] = PRIOR * (1.0 - sure);
        }
        belief
    }

    /// Returns the probability that accounts with an appointment see nothing in this local hour (0
    /// to 23).
    #[must_use]
    pub fn probability(&self, hour: u32) -> f64 {
        let at = hour as usize % 24;
        f64::from(self.shut[at] / (self.shut[at] + self.open[at]).max(f32::EPSILON))
    }

    /// Returns the probability that accounts with an appointment see nothing of one calendar in
    /// this local hour.
    #[must_use]
    pub fn probability_at(&self, calendar: &CalendarKey, hour: u32) -> f64 {
        if self.is_refuted(calendar) { f64::from(REPORTED.1) } else { self.probability(hour) }
    }

    /// Returns `true` if a calendar contradicted the table on [`ENDS`] dates.
    #[must_use]
    pub fn is_refuted(&self, calendar: &CalendarKey) -> bool {
        !self.against.is_empty()
            && self.against.get(&calendar.to_string()).is_some_and(|dates| dates.len() >= ENDS)
    }

    /// Records that an account with an appointment saw dates of a calendar on `date` in a local
    /// hour.
    pub fn showed(&mut self, calendar: &CalendarKey, date: NaiveDate, hour: u32) {
        if calendar.facility.facility().restricted.contains(&hour) && !self.is_refuted(calendar) {
            self.against.entry(calendar.to_string()).or_default().insert(date);
        }
        self.observe(hour, true, 1.0);
    }

    /// Returns `true` if the hour is more likely restricted than not.
    #[must_use]
    pub fn is_restricted(&self, hour: u32) -> bool {
        self.probability(hour) >= 0.5
    }

    /// Records what an account with an appointment saw while dates existed. `weight` (0 to 1) is
    /// the certainty of that.
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

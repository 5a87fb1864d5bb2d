//! Time passes: stocks grow and melt, token buckets fill, hours change what is expected.

use super::{EXPLORATION, Planner, REPRICE, WELL_KNOWN};
use crate::rates::{Around, At, kernel};

impl Planner {
    /// Brings stocks and token buckets to `now`.
    pub(super) fn bring_to(&mut self, now: f64) {
        if now <= self.time {
            return;
        }
        if now - self.time > 2.0 * kernel::CYCLE {
            self.leap(now);
        }
        while self.time < now {
            let edge = kernel::next_edge(self.time);
            let step = edge.min(now) - self.time;
            self.columns.advance(step as f32);
            self.overall.refill(step);
            self.pools.iter_mut().for_each(|pool| pool.refill(step));
            self.time = edge.min(now);
            if self.time >= edge {
                (0..self.plots.len()).for_each(|calendar| self.refresh(calendar));
            }
        }
        if now - self.priced_at >= REPRICE {
            self.reprice();
        }
    }

    /// After a long silence stocks are reckoned from the last poll on.
    fn leap(&mut self, now: f64) {
        let step = now - self.time;
        self.columns.advance(step as f32);
        self.overall.refill(step);
        self.pools.iter_mut().for_each(|pool| pool.refill(step));
        self.time = now;
        for calendar in 0..self.plots.len() {
            self.refresh(calendar);
            self.refill_unseen(calendar);
        }
    }

    /// Reckons what is unseen of a calendar from its last poll on.
    pub(super) fn refill_unseen(&mut self, calendar: usize) {
        let plot = &self.plots[calendar];
        if let Some(last) = plot.last {
            let profile = self.shape.profile();
            let base = f64::from(self.columns.arrival[calendar]) / profile[kernel::part(self.time)].max(1e-6);
            self.columns.expected_unseen[calendar] =
                (base * kernel::alive(profile, plot.estimate.death, last, self.time)) as f32;
        }
    }

    /// Reckons a calendar's intensity for now.
    pub(super) fn refresh(&mut self, calendar: usize) {
        let plot = &self.plots[calendar];
        let city = &self.cities[plot.city];
        let at = At::in_zone(self.time, city.zone);
        let around = Around { city: &city.spells, everywhere: &self.everywhere };
        let factor = if self.given { 1.0 } else { plot.rates.factor(&self.shape, around, &at) };
        let now = factor * self.shape.profile()[kernel::part(self.time)];
        self.columns.arrival[calendar] = (plot.estimate.arrival * now) as f32;
        self.columns.death[calendar] = plot.estimate.death as f32;
    }

    /// Seconds from now at which a calendar is looked at whatever it is believed to be worth.
    pub(super) fn overdue(&self, calendar: usize) -> f64 {
        let plot = &self.plots[calendar];
        let Some(last) = plot.last else { return 0.0 };
        if self.given {
            return f64::from(f32::MAX);
        }
        let calendars = self.plots.iter().filter(|p| p.value > 0.0).count() as f64;
        let in_pool = self.plots.iter().filter(|p| p.value > 0.0 && p.pool == plot.pool).count() as f64;
        let longest = (calendars / (EXPLORATION * self.overall.rate))
            .max(in_pool / (EXPLORATION * self.pools[plot.pool].rate.max(1e-9)));
        // What is well known to be poor needs less asking.
        let longest = longest * (1.0 + plot.rates.evidence() / WELL_KNOWN);
        last + longest.min(self.longest_blind) - self.time
    }
}

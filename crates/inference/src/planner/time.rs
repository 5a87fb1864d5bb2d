//! Progress of time: stocks change, token buckets fill, and the expected rates change by the hour.

use super::{Allowance, Planner, REPRICE};
use crate::rates::{LocalTime, SharedSpells, kernel};

/// Maximum lead as a share of the calendar's bound. The lead is the time before the bound at which
/// a poll is compelled. It is short, because an account may have to wait for its last polls of the
/// ten hours, which are spread out.
const LONGEST_LEAD: f64 = 0.3;
/// Minimum lead in seconds, which allows a failed poll to be repeated.
const SHORTEST_LEAD: f64 = 900.0;
/// Share of the lead over which the due times of calendars are spread.
const STAGGERED: f64 = 1.0 / 3.0;
/// Fraction of the golden ratio. Its multiples, modulo 1, are spread evenly for any number of them.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

impl Planner {
    /// Advances stocks and token buckets to `now`.
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

    /// Recomputes the stocks from the last poll on after a long time without calls.
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

    /// Recomputes the unseen dates of a calendar from its last poll on.
    pub(super) fn refill_unseen(&mut self, calendar: usize) {
        let plot = &self.plots[calendar];
        if let Some(last) = plot.last {
            let profile = self.shape.profile();
            let base = f64::from(self.columns.arrival[calendar]) / profile[kernel::part(self.time)].max(1e-6);
            self.columns.expected_unseen[calendar] =
                (base * kernel::alive(profile, plot.estimate.death, last, self.time)) as f32;
        }
    }

    /// Recomputes the current intensity of a calendar.
    pub(super) fn refresh(&mut self, calendar: usize) {
        let plot = &self.plots[calendar];
        let city = &self.cities[plot.city];
        let at = LocalTime::in_zone(self.time, city.zone);
        let shared = SharedSpells { city: &city.spells, everywhere: &self.everywhere };
        let factor = if self.given { 1.0 } else { plot.rates.factor(&self.shape, shared, &at) };
        let now = factor * self.shape.profile()[kernel::part(self.time)];
        self.columns.arrival[calendar] = (plot.estimate.arrival * now) as f32;
        self.columns.death[calendar] = plot.estimate.death as f32;
    }

    /// Returns the seconds from now at which a calendar is compelled, before its bound. Calendars
    /// that were answered together become due at different times.
    pub(super) fn compelled_in(&self, calendar: usize) -> f64 {
        let plot = &self.plots[calendar];
        let Some(answered) = plot.answered else { return 0.0 };
        if plot.bound.is_infinite() {
            return f64::INFINITY;
        }
        let turn = (calendar as f64 * GOLDEN).fract();
        let lead = self.leads[plot.pool].min(plot.bound * LONGEST_LEAD);
        answered + plot.bound - lead * (1.0 - STAGGERED * turn) - self.time
    }

    /// Sets the time before their bound at which the calendars of each pool are compelled: as long
    /// as polling all of them takes.
    pub(super) fn set_leads(&mut self) {
        let wanted = |plot: &&super::Plot| plot.value > 0.0;
        let mut of_pool = vec![0_u32; self.pools.len()];
        self.plots.iter().filter(wanted).for_each(|plot| of_pool[plot.pool] += 1);
        let seconds = |calendars: u32, allowance: &Allowance| f64::from(calendars) / allowance.rate.max(1e-9);
        let all = seconds(of_pool.iter().sum(), &self.overall);
        let pools = self.pools.iter().zip(of_pool);
        self.leads = pools.map(|(pool, own)| seconds(own, pool).max(all).max(SHORTEST_LEAD)).collect();
        for calendar in 0..self.plots.len() {
            self.columns.compelled_in[calendar] = self.compelled_in(calendar) as f32;
        }
    }
}

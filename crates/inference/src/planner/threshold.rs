//! Price of a poll: over all budgets and within each pool, adjusted by how full the token buckets
//! are.

use super::optimum::{Demand, solve};
use super::{Allowance, Planner};
use crate::rates::kernel;

impl Planner {
    /// Returns the inverse price of a poll by pool, adjusted by how full the token buckets are.
    pub(super) fn inverse_thresholds(&self) -> Vec<f32> {
        let overall = self.overall.pressure();
        let full = |token_bucket: &Allowance| token_bucket.tokens >= token_bucket.burst - 0.5;
        let threshold = |(pool, threshold): (&Allowance, &f64)| {
            if pool.tokens < 1.0 {
                return 0.0;
            }
            if full(pool) && full(&self.overall) {
                return 1e12;
            }
            let (own, overall) = (threshold * pool.pressure(), self.overall_threshold * overall);
            (1.0 / own.max(overall).max(1e-12)) as f32
        };
        self.pools.iter().zip(&self.thresholds).map(threshold).collect()
    }

    /// Recomputes the price of a poll: the multipliers of the budgets at the current rates.
    pub(super) fn reprice(&mut self) {
        let profile = self.shape.profile()[kernel::part(self.time)].max(1e-6);
        let demands: Vec<Demand> = self
            .plots
            .iter()
            .enumerate()
            .map(|(calendar, plot)| Demand {
                value_rate: plot.value * f64::from(self.columns.arrival[calendar]) / profile,
                death: plot.estimate.death,
                pool: plot.pool,
                most: plot.most,
            })
            .collect();
        let budgets: Vec<f64> = self.pools.iter().map(|pool| pool.rate).collect();
        let optimum = solve(&demands, self.overall.rate, &budgets);
        self.overall_threshold = optimum.threshold;
        self.thresholds = optimum.pool_thresholds;
        self.priced_at = self.time;
        self.set_leads();
    }
}

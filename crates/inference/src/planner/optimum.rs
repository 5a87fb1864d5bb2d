//! Optimal timing of polls under a budget, for known and constant rates: the marginal value of a
//! poll (its price) and the upper bound that the benchmark divides by.
//!
//! Captured value at `f` polls per second: `w α/μ · f (1 − e^{−μ/f})`, concave in `f` (Cho &
//! Garcia-Molina 2003 with deaths for changes). Budgets become multipliers (Kolobov et al. 2019),
//! found by bisection.

/// A calendar for the solver.
#[derive(Clone, Copy, Debug)]
pub struct Demand {
    /// Value that appears per second: value of a date times arrival rate.
    pub value_rate: f64,
    /// Death rate per second.
    pub death: f64,
    /// Index of the pool of accounts that poll the calendar.
    pub pool: usize,
    /// Maximum polls per second that the calendar's accounts can afford.
    pub most: f64,
}

/// Solution: polls per second per calendar, and the marginal value of a poll.
#[derive(Clone, Debug, Default)]
pub struct Optimum {
    /// Polls per second, by calendar.
    pub rates: Vec<f64>,
    /// Overall multiplier: the value of one more poll.
    pub threshold: f64,
    /// Full price of a poll by pool, including the overall one.
    pub pool_thresholds: Vec<f64>,
    /// Value captured per second.
    pub captured: f64,
}

/// Returns `1 − (1 + x) e^{−x}`: the share of the stock that the marginal poll earns.
#[must_use]
pub fn marginal(x: f64) -> f64 {
    if x < 1e-3 { 0.5 * x * x } else { 1.0 - (1.0 + x) * (-x).exp() }
}

/// Returns the rate at which the marginal poll of a calendar is worth exactly `threshold`.
fn rate_at(demand: &Demand, threshold: f64) -> f64 {
    let expected_unseen = demand.value_rate / demand.death;
    if expected_unseen <= threshold {
        return 0.0;
    }
    (demand.death / inverse_marginal(threshold / expected_unseen)).min(demand.most)
}

/// Number of entries of the table of inverses, evenly spaced in the square root of the share.
const ENTRIES: usize = 2048;

/// Returns the `x` at which [`marginal`] is `share`, from a table (bisected once).
fn inverse_marginal(share: f64) -> f64 {
    static TABLE: std::sync::LazyLock<Vec<f64>> = std::sync::LazyLock::new(|| {
        (0..=ENTRIES).map(|entry| bisect_marginal((entry as f64 / ENTRIES as f64).powi(2))).collect()
    });
    let at = share.clamp(0.0, 1.0).sqrt() * ENTRIES as f64;
    let entry = (at as usize).min(ENTRIES - 1);
    let between = at - entry as f64;
    (TABLE[entry] * (1.0 - between) + TABLE[entry + 1] * between).max(1e-6)
}

fn bisect_marginal(share: f64) -> f64 {
    let (mut low, mut high) = (0.0_f64, 30.0_f64);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if marginal(middle) < share {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// Solves for `budget` polls per second in total and `pool_budgets` per pool of accounts.
#[must_use]
pub fn solve(demands: &[Demand], budget: f64, pool_budgets: &[f64]) -> Optimum {
    let top = demands.iter().map(|d| d.value_rate / d.death).fold(0.0, f64::max);
    if top <= 0.0 || budget <= 0.0 {
        let idle = vec![0.0; pool_budgets.len()];
        return Optimum { rates: vec![0.0; demands.len()], pool_thresholds: idle, ..Optimum::default() };
    }
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); pool_budgets.len()];
    for (index, demand) in demands.iter().enumerate() {
        members[demand.pool].push(index);
    }
    // A pool that cannot afford its polls gets a higher price of its own. The budget that it leaves
    // lowers the overall price.
    let within = |members: &[usize], threshold: f64| {
        members.iter().map(|i| rate_at(&demands[*i], threshold)).sum::<f64>()
    };
    let spent = |threshold: f64| -> f64 {
        members.iter().zip(pool_budgets).map(|(m, budget)| within(m, threshold).min(*budget)).sum()
    };
    let overall = bisect(top, budget, spent);
    let prices: Vec<Bracket> = members
        .iter()
        .zip(pool_budgets)
        .map(|(members, budget)| {
            let is_limited = within(members, overall.above) > *budget;
            if is_limited { bisect(top, *budget, |price| within(members, price)) } else { overall }
        })
        .collect();
    let mut rates: Vec<f64> = demands.iter().map(|d| rate_at(d, prices[d.pool].above)).collect();
    let mut left = budget - rates.iter().sum::<f64>();
    for ((members, pool_budget), price) in members.iter().zip(pool_budgets).zip(&prices) {
        // If polls are few compared with short lives, all are worth the same. A rate then jumps
        // from zero to many at one price, and the rest of the budget is spent there.
        let below = |i: &usize| rate_at(&demands[*i], price.below);
        let spent: f64 = members.iter().map(|i| rates[*i]).sum();
        let jump = members.iter().map(below).sum::<f64>() - spent;
        let share = ((pool_budget - spent).min(left) / jump.max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        for i in members {
            let more = share * (below(i) - rates[*i]);
            rates[*i] += more;
            left -= more;
        }
    }
    let threshold = overall.above;
    let pool_thresholds = prices.iter().map(|price| price.above).collect();
    let captured = demands.iter().zip(&rates).map(|(d, rate)| captured(d, *rate)).sum();
    Optimum { rates, threshold, pool_thresholds, captured }
}

/// Returns the value captured per second at `rate` evenly spaced polls per second.
#[must_use]
pub fn captured(demand: &Demand, rate: f64) -> f64 {
    if rate <= 0.0 {
        return 0.0;
    }
    demand.value_rate / demand.death * rate * -(-demand.death / rate).exp_m1()
}

/// Two adjacent prices: at `below` more than the budget is spent, at `above` no more.
#[derive(Clone, Copy)]
struct Bracket {
    below: f64,
    above: f64,
}

/// Finds the price from which no more than `budget` is spent.
fn bisect(top: f64, budget: f64, spent: impl Fn(f64) -> f64) -> Bracket {
    let (mut below, mut above) = (top * 1e-9, top);
    if spent(below) <= budget {
        return Bracket { below, above: below };
    }
    for _ in 0..30 {
        let middle = (below * above).sqrt();
        if spent(middle) > budget {
            below = middle;
        } else {
            above = middle;
        }
    }
    Bracket { below, above }
}

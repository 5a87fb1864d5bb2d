//! The best timing that any budget allows, against the plainest way of finding it.

use inference::planner::optimum::{Demand, solve};
use proptest::prelude::*;

/// Value captured a second at `rate` evenly spaced polls a second, written anew.
fn captured(demand: &Demand, rate: f64) -> f64 {
    let stock = demand.value_rate / demand.death;
    if rate > 0.0 { stock * rate * (1.0 - (-demand.death / rate).exp()) } else { 0.0 }
}

/// Gives away the budget in small steps, each to the calendar that gains most by it: the best there is, to one step, since
/// gains only fall and the limits nest.
fn greedy(demands: &[Demand], budget: f64, pool_budgets: &[f64]) -> f64 {
    let step = budget / 8_000.0;
    let mut rates = vec![0.0; demands.len()];
    let mut pools = pool_budgets.to_vec();
    let mut left = budget;
    while left >= step {
        let gain = |index: usize| {
            captured(&demands[index], rates[index] + step) - captured(&demands[index], rates[index])
        };
        let open = (0..demands.len())
            .filter(|i| rates[*i] + step <= demands[*i].most && pools[demands[*i].pool] >= step)
            .max_by(|a, b| gain(*a).total_cmp(&gain(*b)));
        let Some(best) = open else { break };
        rates[best] += step;
        pools[demands[best].pool] -= step;
        left -= step;
    }
    demands.iter().zip(&rates).map(|(demand, rate)| captured(demand, *rate)).sum()
}

fn demand() -> impl Strategy<Value = Demand> {
    (0.01..10.0_f64, 15.0..3_600.0_f64, 0..3_usize, 0.02..2.0_f64).prop_map(|(per_hour, life, pool, most)| {
        Demand { value_rate: per_hour / 3_600.0, death: 1.0 / life, pool, most: most / 60.0 }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn nothing_beats_the_optimum_and_it_keeps_every_limit(
        demands in prop::collection::vec(demand(), 1..9),
        per_hour in 10.0..400.0_f64,
        pools in prop::collection::vec(2.0..200.0_f64, 3),
    ) {
        let budget = per_hour / 3_600.0;
        let pools: Vec<f64> = pools.iter().map(|polls| polls / 3_600.0).collect();
        let optimum = solve(&demands, budget, &pools);
        let within = |spent: f64, limit: f64| spent <= limit * 1.001;
        prop_assert!(within(optimum.rates.iter().sum(), budget));
        for (pool, limit) in pools.iter().enumerate() {
            let spent = demands.iter().zip(&optimum.rates).filter(|(d, _)| d.pool == pool).map(|(_, rate)| rate).sum();
            prop_assert!(within(spent, *limit), "pool {pool}: {spent} of {limit}");
        }
        for (demand, rate) in demands.iter().zip(&optimum.rates) {
            prop_assert!(within(*rate, demand.most));
        }
        let (best, plain) = (optimum.captured, greedy(&demands, budget, &pools));
        prop_assert!(best >= plain * 0.999, "the solver {best}, step by step {plain}");
        prop_assert!(best <= plain * 1.005, "the solver {best}, step by step {plain}");
    }
}

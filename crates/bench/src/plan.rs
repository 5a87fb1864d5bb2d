//! Benchmark of the planner. It compares the share of the possible value that the planner and
//! simpler policies capture, in virtual time.

use bench::proving::{Policy, Report, Size, Trace, measure};
use clap::Args;
use serde_json::json;

/// Compare the planner with other polling policies over generated worlds
#[derive(Args)]
pub struct Plan {
    /// Polls per hour over all accounts; several values are measured one after the other
    #[arg(long, value_delimiter = ',', default_values_t = [180.0, 720.0])]
    #[arg(long = "looks-per-hour")]
    polls_per_hour: Vec<f64>,
    /// Number of portal accounts
    #[arg(long, default_value_t = Size::default().accounts, value_parser = at_least_one)]
    accounts: usize,
    /// Number of calendars: kinds of applicants times six cities
    #[arg(long, default_value_t = Size::default().calendars, value_parser = at_least_one)]
    calendars: usize,
    /// Number of virtual days; the first quarter is for learning and is not counted
    #[arg(long, default_value_t = Size::default().days)]
    days: f64,
    /// Seed of the first world
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of seeds; each seed is one more world
    #[arg(long, default_value_t = 10)]
    seeds: u64,
    /// Measure only this pattern of new dates: poisson, day, burst, shift, phantom, release, mixed,
    /// times, demand, hours or bans
    #[arg(long, value_parser = trace)]
    trace: Option<Trace>,
    /// Instead, measure the time of one decision with this number of calendars
    #[arg(long)]
    decisions: Option<usize>,
}

fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|n| *n > 0).ok_or_else(|| "a number from 1 on".to_owned())
}

fn trace(name: &str) -> Result<Trace, String> {
    Trace::ALL
        .into_iter()
        .find(|trace| trace.name() == name)
        .ok_or_else(|| format!("one of {}", Trace::ALL.map(Trace::name).join(", ")))
}

/// Runs the benchmark and prints the result.
pub fn run(options: &Plan, as_json: bool) -> anyhow::Result<()> {
    if let Some(calendars) = options.decisions {
        let (p50, p99) = decisions(calendars.max(1));
        if as_json {
            println!("{}", json!({ "calendars": calendars, "decision_us_p50": p50, "decision_us_p99": p99 }));
        } else {
            println!("one decision among {calendars} calendars: {p50:.2} us p50, {p99:.2} us p99");
        }
        return Ok(());
    }
    anyhow::ensure!(options.polls_per_hour.iter().all(|l| *l > 0.0), "polls per hour must be above 0");
    anyhow::ensure!(options.days >= 1.0, "the number of days must be at least 1");
    let seeds: Vec<u64> = (options.seed..options.seed + options.seeds.max(1)).collect();
    let traces = Trace::ALL.into_iter().filter(|t| options.trace.is_none_or(|only| only == *t));
    let mut reports = Vec::new();
    for trace in traces {
        for polls_per_hour in &options.polls_per_hour {
            let (accounts, calendars, days) = (options.accounts, options.calendars, options.days);
            let size = Size { polls_per_hour: *polls_per_hour, accounts, calendars, days };
            let report = measure(trace, size, &seeds, &Policy::ALL);
            if !as_json {
                print(&report, reports.is_empty());
            }
            reports.push(report);
        }
    }
    if as_json {
        let object = json!({ "accounts": options.accounts, "calendars": options.calendars,
            "days": options.days, "seeds": seeds, "traces": reports });
        println!("{}", serde_json::to_string_pretty(&object)?);
    }
    Ok(())
}

fn print(report: &Report, first: bool) {
    if first {
        println!(
            "{:>8} {:>7} {:>8} {:>6} {:>15} {:>8} {:>8} {:>9} {:>6} {:>5} {:>5} {:>6} {:>5}  captured by each, against the limit",
            "trace",
            "looks/h",
            "limit",
            "share",
            "lowest..highest",
            "polls",
            "to peers",
            "req/book",
            "ratio",
            "bans",
            "robin",
            "oldest",
            "spent"
        );
    }
    let others: Vec<String> =
        report.policies.iter().map(|(name, share)| format!("{name} {share:.2}")).collect();
    println!(
        "{:>8} {:>7.0} {:>8} {:>6.3} {:>7.3}..{:<6.3} {:>8} {:>7.2}x {:>9.2} {:>6.3} {:>5} {:>4.2}x {:>5.1}h {:>5.2}  {}",
        report.name,
        report.polls_per_hour,
        report.limit,
        report.ratio,
        report.spread.0,
        report.spread.1,
        report.polls,
        report.ratio_peer_design,
        report.requests_per_booking,
        report.requests_ratio,
        report.bans,
        report.ratio_round_robin,
        report.oldest_hours,
        report.spent,
        others.join(", ")
    );
}

/// Returns the median and 99th percentile of the duration of one decision, in microseconds. A
/// decision computes the index of every calendar, selects the best one, and checks that it may be
/// polled.
fn decisions(calendars: usize) -> (f64, f64) {
    use inference::planner::{Allowance, Planner};
    use inference::rates::{Rates, Shape};
    let start = 1_767_571_200.0;
    let mut planner = Planner::new(Allowance::full(1.2, 1_000.0), Shape::default(), start);
    let pool = planner.add_pool(Allowance::full(1.2, 1_000.0));
    let city = planner.add_city(domain::facility::FacilityId::TORONTO.zone());
    for n in 0..calendars {
        let calendar = planner.add_calendar(pool, city, Rates::default(), Some(start));
        planner.set_value(calendar, 0.5 + (n % 7) as f64 * 0.1);
    }
    let (mut now, mut took) = (start + 60.0, Vec::new());
    for _ in 0..20_000 {
        // Update allowances, stocks and prices first, so that only the decision itself is measured.
        let _ = planner.seconds_to_poll(now);
        let before = tick();
        let choice = planner.choose(now, &mut |_| Ok(()));
        took.push(before.elapsed().as_secs_f64() * 1e6);
        if let Some(choice) = choice {
            planner.spend(choice.calendar);
            planner.answered(choice.calendar, now + 0.1, Some((0, 0, 0)));
        }
        now += 0.9;
    }
    took.sort_unstable_by(f64::total_cmp);
    (crate::quantile(&took, 0.5), crate::quantile(&took, 0.99))
}

#[expect(clippy::disallowed_methods, reason = "the stopwatch of a benchmark")]
fn tick() -> std::time::Instant {
    std::time::Instant::now()
}

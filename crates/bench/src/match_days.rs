//! Benchmark of matching. It finds the tasks that accept a new date by the index, and compares this
//! with checking every task's criteria.

use std::cmp::Ordering;
use std::hint::black_box;
use std::time::{Duration, Instant};

use chrono::{NaiveDate, TimeDelta};
use clap::Args;
use domain::appointment::Slot;
use domain::criteria::{ExcludedDates, SearchCriteria};
use domain::dayset::{DaySet, number};
use domain::facility::FacilityId;
use domain::ids::{TaskId, uuid_v7};
use domain::matching::{Matching, Rank, Seeker, windows};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use crate::{Table, quantile};

/// Options of `bench match`.
#[derive(Args)]
pub struct Match {
    /// Numbers of tasks on one calendar to measure
    #[arg(long, value_delimiter = ',', default_values_t = [10_000_usize, 100_000, 1_000_000])]
    #[arg(long = "wishes")]
    criteria: Vec<usize>,
    /// Number of dates to match
    #[arg(long, default_value_t = 200)]
    days: usize,
    /// Seed of the generated tasks and dates
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Durations for one number of tasks, in microseconds.
#[derive(Default)]
struct Times {
    first: Vec<f64>,
    winners: Vec<f64>,
    all: Vec<f64>,
    scan: Vec<f64>,
    candidates: Vec<f64>,
    edit: Vec<f64>,
}

/// Builds a calendar for each number of tasks, and matches dates with the index and without.
pub fn run(options: &Match) -> anyhow::Result<Table> {
    let mut rows = Vec::new();
    for count in &options.criteria {
        let mut random = StdRng::seed_from_u64(options.seed);
        let askers = askers(&mut random, *count)?;
        let mut set = DaySet::default();
        set.set_today(number(today()?));
        let order = |a: u32, b: u32| -> Ordering { askers[a as usize].rank.cmp(&askers[b as usize].rank) };
        for (key, asker) in (0_u32..).zip(&askers) {
            set.insert(key, &windows(&asker.criteria, Some(&asker.booked)), &order);
        }
        let mut times = Times::default();
        for _ in 0..options.days {
            one_day(&mut random, &set, &askers, &mut times)?;
            let key = random.random_range(0..u32::try_from(*count)?);
            let asker = &askers[key as usize];
            times.edit.push(timed(1, || {
                set.remove(key, &order);
                set.insert(key, &windows(&asker.criteria, Some(&asker.booked)), &order);
            }));
        }
        rows.push(times.row(*count, set.bytes()));
    }
    let columns = vec![
        "wishes",
        "first_us_p50",
        "first_us_p99",
        "winners_us_p50",
        "winners_us_p99",
        "all_us_p50",
        "takers_p50",
        "scan_us_p50",
        "edit_us_p50",
        "edit_us_p99",
        "bytes_per_wish",
    ];
    Ok(Table { name: "match", columns, rows })
}

impl Times {
    fn row(mut self, criteria: usize, bytes: usize) -> Vec<f64> {
        let lists = [
            &mut self.first,
            &mut self.winners,
            &mut self.all,
            &mut self.scan,
            &mut self.candidates,
            &mut self.edit,
        ];
        for list in lists {
            list.sort_by(f64::total_cmp);
        }
        vec![
            criteria as f64,
            quantile(&self.first, 0.5),
            quantile(&self.first, 0.99),
            quantile(&self.winners, 0.5),
            quantile(&self.winners, 0.99),
            quantile(&self.all, 0.5),
            quantile(&self.candidates, 0.5),
            quantile(&self.scan, 0.5),
            quantile(&self.edit, 0.5),
            quantile(&self.edit, 0.99),
            bytes as f64 / criteria.max(1) as f64,
        ]
    }
}

/// Generated task of the calendar.
struct Asker {
    rank: Rank,
    id: TaskId,
    criteria: SearchCriteria,
    booked: Slot,
}

fn today() -> anyhow::Result<NaiveDate> {
    Ok("2026-11-24".parse()?)
}

/// Generates tasks whose windows have ten days to seven months within the next year and a half.
/// Some tasks exclude dates, and some require a minimum number of days from today.
fn askers(random: &mut StdRng, count: usize) -> anyhow::Result<Vec<Asker>> {
    let (today, begun) = (today()?, "2026-01-01T00:00:00Z".parse::<domain::clock::Instant>()?);
    let day = |days: i64| today + TimeDelta::days(days);
    let mut askers = Vec::with_capacity(count);
    for n in 0..count {
        let submitted = begun + TimeDelta::milliseconds(i64::try_from(n)? * 20);
        let id = TaskId(uuid_v7(submitted, random.random()));
        let (from, length) = (random.random_range(0..300_i64), random.random_range(10..210_i64));
        let gap = random.random_range(0..500_i64);
        let excluded = if n % 4 == 0 { vec![(day(gap), day(gap + 9))] } else { Vec::new() };
        let criteria = SearchCriteria {
            cities: vec![FacilityId::TORONTO],
            start_date: day(from),
            end_date: day(from + length),
            excluded: ExcludedDates::new(excluded),
            weekdays: Default::default(),
            times: Default::default(),
            minimum_days_from_current: if n % 5 == 0 { 14 } else { 0 },
            min_improvement_days: 7,
            max_reschedules: 2,
            last_attempt_until: None,
            fingerprints: None,
            mode: domain::criteria::BookingMode::Auto,
        };
        let booked = Slot {
            facility: FacilityId::TORONTO,
            date: day(random.random_range(100..700_i64)),
            time: chrono::NaiveTime::MIN,
        };
        askers.push(Asker { rank: Rank::new(n % 20 == 0, 0, submitted, id), id, criteria, booked });
    }
    Ok(askers)
}

fn seeker(asker: &Asker) -> Seeker<'_> {
    Seeker { task: asker.id, rank: asker.rank, criteria: &asker.criteria, current: Some(&asker.booked) }
}

fn one_day(random: &mut StdRng, set: &DaySet, askers: &[Asker], times: &mut Times) -> anyhow::Result<()> {
    let today = today()?;
    let days = [today + TimeDelta::days(random.random_range(0..520))];
    let matching = || Matching {
        set,
        facility: FacilityId::TORONTO,
        days: &days,
        today,
        seeker: |key: u32| askers.get(key as usize).map(seeker),
        apart: Vec::new(),
        is_skipped: &|_, _| false,
    };
    times.first.push(timed(20, || black_box(matching().candidates(0).next())));
    let matching = matching();
    let mut spent = Duration::ZERO;
    for _ in 0..20 {
        let mut candidates = matching.candidates(0);
        black_box(candidates.next());
        let begun = tick();
        for candidate in candidates.take(3) {
            black_box(candidate);
        }
        spent += begun.elapsed();
    }
    times.winners.push(spent.as_secs_f64() * 1e6 / 20.0);
    let mut found = 0;
    times.all.push(timed(1, || found = matching.candidates(0).count()));
    times.candidates.push(found as f64);
    let mut scanned = 0;
    times.scan.push(timed(1, || {
        let wants =
            |a: &&Asker| a.criteria.evaluate(FacilityId::TORONTO, days[0], Some(&a.booked), today).is_ok();
        scanned = askers.iter().filter(wants).count();
    }));
    anyhow::ensure!(
        found == scanned,
        "the index found {found} of {} tasks, but checking every task found {scanned}",
        days[0]
    );
    Ok(())
}

/// Returns the mean duration of `call` in microseconds, over `times` calls.
fn timed<T>(times: u32, mut call: impl FnMut() -> T) -> f64 {
    let begun = tick();
    for _ in 0..times {
        black_box(call());
    }
    begun.elapsed().as_secs_f64() * 1e6 / f64::from(times)
}

#[allow(clippy::disallowed_methods, reason = "a stopwatch for less than a microsecond")]
fn tick() -> Instant {
    Instant::now()
}

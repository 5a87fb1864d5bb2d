//! Benchmark of a poll. It measures the processor time of polls in a complete engine: planner,
//! request, parsing, sharing, database and journal. It also measures idle time, and the computation
//! from the text of a response to the next decision.

use anyhow::Context as _;
use chrono::{NaiveDate, TimeDelta};
use clap::Args;
use domain::facility::FacilityId;
use domain::task::TaskStatus;
use engine::{Config, LONGEST_SLEEP};
use inference::planner::Pace;
use serde_json::json;

use crate::Table;
use crate::fixture::{Fixture, OTTAWA, TORONTO};
use crate::spent::{ResourceUse, status_kib};

/// Options of `bench poll`.
#[derive(Args)]
pub struct Poll {
    /// Number of watched tasks, each with its own account, half in Toronto and half in Ottawa
    #[arg(long, default_value_t = 100)]
    watches: usize,
    /// Minimum number of polls
    #[arg(long, default_value_t = 5_000)]
    #[arg(long = "looks")]
    polls: u64,
    /// Seconds between two new dates in each calendar; changed lists are written to the database
    #[arg(long, default_value_t = 600.0)]
    gap: f64,
    /// Poll every calendar at least once in this number of seconds, independently of the planner
    #[arg(long)]
    every: Option<f64>,
    /// Folder of the database
    #[arg(long)]
    folder: Option<std::path::PathBuf>,
}

impl Poll {
    fn config(&self) -> Config {
        let limits = domain::budget::Limits {
            polls_per_hour: 100_000,
            polls_per_ten_hours: 1_000_000,
            requests_per_ten_hours: 1_000_000,
            ..domain::budget::Limits::default()
        };
        let mut config = Config { limits, ..Config::default() };
        if let Some(every) = self.every {
            let bound = TimeDelta::milliseconds((every * 1_000.0) as i64);
            config.pace = Pace { least_bound: bound, account_spacing: bound, ..config.pace };
            config.polls_per_second = config.polls_per_second.max(4.0 / every);
        }
        config
    }
}

/// Polls in virtual time. The sandbox runs in a separate process.
pub async fn run(options: Poll) -> anyhow::Result<Table> {
    let folder = tempfile::tempdir_in(options.folder.clone().unwrap_or_else(std::env::temp_dir))?;
    let fixture = Fixture::apart(folder.path(), options.config()).await?;
    let before = status_kib("VmRSS");
    for n in 0..options.watches {
        let city = if n % 2 == 0 { TORONTO } else { OTTAWA };
        fixture.task_in(&format!("w{n}"), true, city).await?;
    }
    while !all_active(&fixture, options.watches).await? {
        pass(&fixture, TimeDelta::seconds(30)).await;
    }
    pass(&fixture, TimeDelta::minutes(5)).await;
    let after = status_kib("VmRSS");
    let looking = watch(&fixture, &options).await?;
    let pure = pure_us(&fixture)?;
    let idle = idle(fixture).await?;
    let polls = looking.polls.max(1) as f64;
    let net = looking.cpu_us() - idle.cpu_us() / idle.hours.max(1e-9) * looking.hours;
    Ok(Table {
        name: "look",
        columns: vec![
            "watches",
            "looks",
            "virtual_hours",
            "cpu_us_per_look",
            "of_it_database_us",
            "without_idle_us",
            "statements_per_look",
            "rounds_per_look",
            "idle_us_per_second",
            "idle_stmts_per_second",
            "pure_us",
            "kib_per_watch",
            "rss_mib",
        ],
        rows: vec![vec![
            options.watches as f64,
            looking.polls as f64,
            looking.hours,
            looking.cpu_us() / polls,
            looking.database_us / polls,
            net / polls,
            looking.statements as f64 / polls,
            looking.rounds as f64 / polls,
            idle.cpu_us() / (idle.hours * 3_600.0),
            idle.statements as f64 / (idle.hours * 3_600.0),
            pure,
            (after - before) / options.watches.max(1) as f64,
            after / 1024.0,
        ]],
    })
}

/// Polls until the requested number is reached. Requests to the sandbox's control API are not
/// counted.
async fn watch(fixture: &Fixture, options: &Poll) -> anyhow::Result<ResourceUse> {
    let by_the_portal = fixture.polls().await?;
    let mut spent = ResourceUse::default();
    let mut days = 0;
    while spent.polls < options.polls && spent.hours < 1_000.0 {
        let begun = ResourceUse::now(fixture);
        let step = TimeDelta::seconds(60).min(TimeDelta::milliseconds((options.gap * 1_000.0) as i64));
        pass(fixture, step).await;
        spent.add(&ResourceUse::now(fixture).since(&begun));
        spent.hours += step.as_seconds_f64() / 3_600.0;
        if spent.hours * 3_600.0 / options.gap > f64::from(days) {
            change(fixture, days).await?;
            days += 1;
        }
    }
    let seen = fixture.polls().await? - by_the_portal;
    anyhow::ensure!(
        seen as u64 == spent.polls,
        "{} polls counted, {seen} received by the portal",
        spent.polls
    );
    Ok(spent)
}

/// Measures one virtual hour of an engine that has the same tasks and may not poll.
async fn idle(fixture: Fixture) -> anyhow::Result<ResourceUse> {
    let fixture = fixture.resting();
    pass(&fixture, TimeDelta::minutes(10)).await;
    let begun = ResourceUse::now(&fixture);
    pass(&fixture, TimeDelta::hours(1)).await;
    let mut spent = ResourceUse::now(&fixture).since(&begun);
    spent.hours = 1.0;
    Ok(spent)
}

/// Returns the time in microseconds from the text of a list of dates, of usual size, to the next
/// decision. Every tenth list differs from the one before.
fn pure_us(fixture: &Fixture) -> anyhow::Result<f64> {
    const TIMES: u32 = 20_000;
    let key = fixture.engine.watched_calendars().into_iter().next().context("nothing is watched")?;
    let today = key.facility.today(fixture.ctx.portal_time.now());
    let list = |missing: i64| -> Vec<NaiveDate> {
        (0..40_i64).filter(|n| *n != missing).map(|n| today + TimeDelta::days(400 + 3 * n)).collect()
    };
    let text = |days: Vec<NaiveDate>| -> String {
        let rows: Vec<_> = days.iter().map(|d| json!({ "date": d, "business_day": true })).collect();
        serde_json::Value::Array(rows).to_string()
    };
    let texts = [text(list(-1)), text(list(7))];
    let begun = ResourceUse::now(fixture);
    for n in 0..TIMES {
        let text = &texts[usize::from(n % 20 >= 10)];
        let mut days = ::portal::pages::days::parse(text)
            .map_err(|_| anyhow::anyhow!("cannot parse the generated list"))?;
        days.sort_unstable();
        std::hint::black_box(fixture.engine.rehearse(&key, days));
    }
    Ok(ResourceUse::now(fixture).since(&begun).cpu_us() / f64::from(TIMES))
}

/// Adds one date to each calendar, and removes the date that was added five changes ago.
async fn change(fixture: &Fixture, number: u32) -> anyhow::Result<()> {
    for city in [TORONTO, OTTAWA] {
        let today = FacilityId::try_from(city).expect("a known city").today(fixture.ctx.portal_time.now());
        let slot = json!({
            "pool": "B1/B2", "facility": city, "date": today + TimeDelta::days(20 + i64::from(number % 300)),
            "time": "09:15", "lifetime_seconds": null, "delay_seconds": null, "max_party": 9, "phantom": false,
        });
        fixture.control("/control/slots", &slot).await?;
    }
    Ok(())
}

async fn all_active(fixture: &Fixture, wanted: usize) -> anyhow::Result<bool> {
    let mut tx = fixture.ctx.db.read().await?;
    let mut active = 0;
    for id in fixture.tasks() {
        let task = store::task::get(&mut tx, id).await?;
        active += usize::from(task.is_some_and(|t| t.status == TaskStatus::Active));
    }
    tx.commit().await?;
    Ok(active == wanted)
}

/// Advances virtual time from event to event until `span` has passed, with as many rounds as an
/// engine in wall time makes.
async fn pass(fixture: &Fixture, span: TimeDelta) {
    let Some(clock) = &fixture.clock else { return };
    let end = clock.now() + span;
    let longest = TimeDelta::from_std(LONGEST_SLEEP).unwrap_or_default();
    while clock.now() < end {
        let due = fixture.engine.go_on().await;
        let now = clock.now();
        let latest = end.min(now + longest);
        clock.set(due.unwrap_or(latest).clamp((now + TimeDelta::milliseconds(5)).min(end), latest));
    }
}

//! What a look costs this process, everything on: planner, request, parsing, sharing, database and journal.

use chrono::TimeDelta;
use clap::Args;
use domain::facility::FacilityId;
use domain::task::TaskStatus;
use engine::Config;
use serde_json::json;

use super::Table;
use super::yard::{OTTAWA, TORONTO, Yard};

/// Options of `bench look`.
#[derive(Args)]
pub struct Look {
    /// Watched tasks, each with an account of its own, half of them in Toronto and half in Ottawa
    #[arg(long, default_value_t = 100)]
    watches: usize,
    /// Looks to make, at least
    #[arg(long, default_value_t = 5_000)]
    looks: usize,
    /// Seconds between two new days in each calendar; lists that change are written
    #[arg(long, default_value_t = 600.0)]
    gap: f64,
    /// Folder of the database
    #[arg(long)]
    folder: Option<std::path::PathBuf>,
}

/// Watches in virtual time against a sandbox in a process of its own.
pub async fn run(options: Look) -> anyhow::Result<Table> {
    let folder = tempfile::tempdir_in(options.folder.clone().unwrap_or_else(std::env::temp_dir))?;
    let limits = domain::budget::Limits {
        looks_per_hour: 100_000,
        looks_per_ten_hours: 1_000_000,
        requests_per_ten_hours: 1_000_000,
        ..domain::budget::Limits::default()
    };
    let yard = Yard::apart(folder.path(), Config { limits, ..Config::default() }).await?;
    let before = status_kib("VmRSS");
    for n in 0..options.watches {
        let city = if n % 2 == 0 { TORONTO } else { OTTAWA };
        yard.task_in(&format!("w{n}"), true, city).await?;
    }
    while !all_active(&yard, options.watches).await? {
        pass(&yard, TimeDelta::seconds(30)).await;
    }
    pass(&yard, TimeDelta::minutes(5)).await;
    let after = status_kib("VmRSS");
    let (looks, begun) = (yard.looks().await?, cpu_us());
    let (mut made, mut hours) = (0, 0.0);
    let step = TimeDelta::minutes(1);
    let mut days = 0;
    while made < options.looks && hours < 1_000.0 {
        pass(&yard, step).await;
        hours += 1.0 / 60.0;
        if hours * 3_600.0 / options.gap > f64::from(days) {
            change(&yard, days).await?;
            days += 1;
        }
        if days % 5 == 0 || options.gap > 60.0 {
            made = yard.looks().await? - looks;
        }
    }
    let spent = cpu_us() - begun;
    let own = |each: f64| if made == 0 { 0.0 } else { each / made as f64 };
    Ok(Table {
        name: "look",
        columns: vec!["watches", "looks", "virtual_hours", "cpu_us_per_look", "kib_per_watch", "rss_mib"],
        rows: vec![vec![
            options.watches as f64,
            made as f64,
            hours,
            own(spent),
            (after - before) / options.watches.max(1) as f64,
            after / 1024.0,
        ]],
    })
}

/// A day appears in each calendar, and the one of five changes ago vanishes.
async fn change(yard: &Yard, number: u32) -> anyhow::Result<()> {
    for city in [TORONTO, OTTAWA] {
        let today = FacilityId(city).today(yard.ctx.portal_time.now());
        let slot = json!({
            "pool": "B1/B2", "facility": city, "date": today + TimeDelta::days(20 + i64::from(number % 300)),
            "time": "09:15", "lifetime_seconds": null, "delay_seconds": null, "max_party": 9, "phantom": false,
        });
        yard.control("/control/slots", &slot).await?;
    }
    Ok(())
}

async fn all_active(yard: &Yard, wanted: usize) -> anyhow::Result<bool> {
    let mut tx = yard.ctx.db.read().await?;
    let mut active = 0;
    for id in yard.tasks() {
        let task = store::task::get(&mut tx, id).await?;
        active += usize::from(task.is_some_and(|t| t.status == TaskStatus::Active));
    }
    tx.commit().await?;
    Ok(active == wanted)
}

/// From event to event until `span` has passed.
async fn pass(yard: &Yard, span: TimeDelta) {
    let Some(clock) = &yard.clock else { return };
    let end = clock.now() + span;
    while clock.now() < end {
        let due = yard.engine.go_on().await;
        let now = clock.now();
        clock.set(due.unwrap_or(end).clamp(now + TimeDelta::milliseconds(1), end));
    }
}

/// Processor time of all threads of this process, microseconds.
fn cpu_us() -> f64 {
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else { return 0.0 };
    let spent = threads.flatten().filter_map(|thread| {
        let text = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<f64>().ok()
    });
    spent.sum::<f64>() / 1_000.0
}

fn status_kib(field: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or(0.0)
}

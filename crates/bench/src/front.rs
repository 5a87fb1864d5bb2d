//! Benchmark of the booking queue. It measures how long a task waits behind many tasks that want
//! the same date but cannot book. Such tasks must not block the queue.

use chrono::TimeDelta;
use clap::Args;
use domain::facility::FacilityId;
use domain::ids::TaskId;
use domain::task::TaskStatus;
use store::Db;
use tokio_util::sync::CancellationToken;

use crate::Table;
use crate::book::{Parts, eager, parts, quantiles};
use crate::fixture::{Fixture, FixtureAccount, TORONTO};
use crate::probe::Probe;

/// Options of `bench front`.
#[derive(Args)]
pub struct Front {
    /// Number of tasks of each of four kinds ahead in the queue: past the portal's deadline, with
    /// only the last reschedule left, with none left, and at the user's own limit
    #[arg(long, default_value_t = 65)]
    each: usize,
    /// Number of bookings
    #[arg(long, default_value_t = 10)]
    count: usize,
    /// Polls per second over all accounts; by default the accounts' limit of ten polls per second
    /// each
    #[arg(long)]
    #[arg(long = "looks")]
    polls: Option<f64>,
    /// Folder of the SQLite file; by default the system's temporary folder
    #[arg(long)]
    folder: Option<std::path::PathBuf>,
    /// Empty PostgreSQL database to measure in addition to SQLite
    #[arg(long, env = "SOONER_TEST_POSTGRES", hide_env_values = true)]
    postgres: Option<String>,
}

/// Measures each database with an empty queue and then with the other tasks in the queue.
pub async fn run(options: Front, probe: &Probe) -> anyhow::Result<Table> {
    let place = options.folder.clone().unwrap_or_else(std::env::temp_dir);
    let folder = tempfile::tempdir_in(place)?;
    let mut urls = vec![format!("sqlite:{}", folder.path().join("bench.db").display())];
    urls.extend(options.postgres.filter(|url| !url.is_empty()));
    let mut rows = Vec::new();
    for url in &urls {
        let mut config = eager();
        config.polls_per_second = options.polls.unwrap_or(config.polls_per_second);
        let fixture = Fixture::on(Db::open(url).await?, false, config).await?;
        let stop = CancellationToken::new();
        let running = tokio::spawn(fixture.engine.clone().run(stop.clone()));
        for each in [0, options.each] {
            let mut found = Vec::new();
            for n in 0..options.count {
                found.extend(measure_one(&fixture, probe, each, n).await?);
            }
            let mut row =
                vec![f64::from(u8::from(url.starts_with("postgres"))), each as f64, found.len() as f64];
            let columns: [fn(&Parts) -> f64; 3] = [|p| p.total, |p| p.own, |p| p.durable];
            for part in columns {
                row.extend(quantiles(&found, part, &[0.5, 0.99]));
            }
            rows.push(row);
        }
        stop.cancel();
        running.await?;
    }
    let columns = vec![
        "postgres",
        "of_each_kind",
        "bookings",
        "total_p50",
        "total_p99",
        "own_p50",
        "own_p99",
        "durable_p50",
        "durable_p99",
    ];
    Ok(Table { name: "front", columns, rows })
}

/// Creates the tasks that cannot book, a task behind them, and a slot that all of them want.
/// Returns `None` if the slot was not booked in time.
async fn measure_one(
    fixture: &Fixture,
    probe: &Probe,
    each: usize,
    n: usize,
) -> anyhow::Result<Option<Parts>> {
    let today = FacilityId::TORONTO.today(fixture.ctx.portal_time.now());
    fixture.with_world(|w| w.slots.clear())?;
    // Add a date that no task accepts, so that the lists are never empty.
    fixture.slot(TORONTO, today + TimeDelta::days(420))?;
    let mut made = Vec::new();
    for m in 0..each {
        for kind in 0..4 {
            made.push(fixture.task_of(cannot(fixture, kind, &format!("f{each}x{n}x{m}x{kind}"))?).await?);
        }
    }
    let able = fixture.task_of(fixture.person(&format!("f{each}x{n}able"), TORONTO)?).await?;
    made.push(able);
    fixture.engine.nudge();
    settled(fixture, &made).await?;
    probe.drain();
    let shown = fixture.ctx.wall.now();
    fixture.slot(TORONTO, today + TimeDelta::days(2))?;
    let booked = fixture.wait(able, |t| t.captured_at.is_some()).await?;
    let seen = probe.drain();
    fixture.delete(&made).await?;
    Ok(booked.then(|| parts(&seen, shown)).flatten())
}

/// Returns an account whose criteria accept the date, but which may not book it.
fn cannot(fixture: &Fixture, kind: usize, name: &str) -> anyhow::Result<FixtureAccount> {
    let mut person = fixture.person(name, TORONTO)?;
    let today = FacilityId::TORONTO.today(fixture.ctx.portal_time.now());
    match kind {
        // The appointment is so near that the portal permits no change.
        0 => person.appointment.date = today + TimeDelta::days(4),
        1 => person.attempts = 1,
        2 => person.attempts = 0,
        _ => person.criteria.max_reschedules = 0,
    }
    Ok(person)
}

/// Waits until each task is polled or has stopped.
async fn settled(fixture: &Fixture, tasks: &[TaskId]) -> anyhow::Result<()> {
    for task in tasks {
        let is_settled = |t: &store::task::Task| {
            matches!(t.status, TaskStatus::Active | TaskStatus::Stopped | TaskStatus::Error)
        };
        for _ in 0..30 {
            if fixture.wait(*task, is_settled).await? {
                break;
            }
        }
    }
    Ok(())
}

//! Benchmark of an engine with many tasks. It measures loading, memory, one round, and the matching
//! of one poll.

use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use chrono::TimeDelta;
use clap::Args;
use domain::clock::{Clock, Instant, ManualClock};
use engine::{Config, Context, Engine};
use store::keyring::KeyRing;
use store::{Db, Random};

use crate::{Table, quantile};

/// Options of `bench scale`.
#[derive(Args)]
pub struct Scale {
    /// Numbers of active tasks in the database
    #[arg(long, value_delimiter = ',', default_values_t = [10_000_u32, 100_000, 1_000_000])]
    tasks: Vec<u32>,
    /// Folder of the databases; by default the system's temporary folder
    #[arg(long)]
    folder: Option<std::path::PathBuf>,
    /// Empty PostgreSQL database, to which the filled SQLite database is copied as by `sooner
    /// database copy`; requires a single number of tasks
    #[arg(long, value_name = "URL")]
    postgres: Option<String>,
    /// Measure a filled database in this process (for internal use)
    #[arg(long, hide = true)]
    on: Option<String>,
}

const COLUMNS: [&str; 10] = [
    "tasks",
    "fill_s",
    "copy_s",
    "load_s",
    "hwm_mib",
    "rss_mib",
    "bytes_per_task",
    "round_ms_p50",
    "round_ms_max",
    "look_match_us_p50",
];

/// For each number of tasks, fills a database and measures it in a separate process.
pub async fn run(options: Scale) -> anyhow::Result<Table> {
    let table = |rows| Table { name: "scale", columns: COLUMNS.to_vec(), rows };
    if let Some(database) = &options.on {
        return Ok(table(vec![load(database, options.tasks.first().copied().unwrap_or_default()).await?]));
    }
    anyhow::ensure!(
        options.postgres.is_none() || options.tasks.len() == 1,
        "--postgres requires a single number of tasks"
    );
    let mut rows = Vec::new();
    for tasks in &options.tasks {
        let folder = match &options.folder {
            Some(folder) => tempfile::tempdir_in(folder)?,
            None => tempfile::tempdir()?,
        };
        let url = format!("sqlite:{}", folder.path().join("bench.db").display());
        let wall = server::run::Ambient::system()?.wall;
        let begun = wall.now();
        fill(&url, *tasks).await?;
        let filled = seconds(wall.now() - begun);
        let begun = wall.now();
        if let Some(target) = &options.postgres {
            copy(&url, target).await?;
        }
        let copied = seconds(wall.now() - begun);
        let loaded_from = options.postgres.as_ref().unwrap_or(&url);
        let measured = Command::new(std::env::current_exe()?)
            .args(["--json", "scale", "--on", loaded_from, "--tasks", &tasks.to_string()])
            .output()?;
        anyhow::ensure!(measured.status.success(), "{}", String::from_utf8_lossy(&measured.stderr));
        let answer: serde_json::Value = serde_json::from_slice(&measured.stdout)?;
        let value = |column: &str| answer["scale"][0][column].as_f64().unwrap_or_default();
        let figure = |column: &&str| match *column {
            "fill_s" => filled,
            "copy_s" => copied,
            other => value(other),
        };
        rows.push(COLUMNS.iter().map(figure).collect());
    }
    Ok(table(rows))
}

async fn copy(from: &str, to: &str) -> anyhow::Result<()> {
    let patient = store::Options { deadline: Duration::from_secs(3_600), ..store::Options::default() };
    let (source, target) = (Db::open(from).await?, Db::open_with(to, &patient).await?);
    store::copy::sqlite_to_postgres(&source, &target).await?;
    source.close().await;
    target.close().await;
    Ok(())
}

fn seconds(span: TimeDelta) -> f64 {
    span.num_microseconds().unwrap_or(0) as f64 / 1e6
}

/// Returns the peak and current resident memory of this process (`VmHWM` and `VmRSS`) in MiB.
fn memory() -> anyhow::Result<(f64, f64)> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let mib = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        Some(line.split_whitespace().next()?.parse::<f64>().ok()? / 1024.0)
    };
    Ok((mib("VmHWM:").context("no VmHWM")?, mib("VmRSS:").context("no VmRSS")?))
}

/// Loads the tasks of the database into an engine that sends no requests, and runs rounds.
async fn load(database: &str, tasks: u32) -> anyhow::Result<Vec<f64>> {
    let ambient = server::run::Ambient::system()?;
    let clock = ManualClock::new(ambient.wall.now());
    let ctx = context(database, &clock, ambient.wall.clone()).await?;
    let engine = Engine::new(ctx);
    let (_, before) = memory()?;
    let begun = ambient.wall.now();
    engine.run_due().await;
    let loaded = seconds(ambient.wall.now() - begun);
    let mut rounds = Vec::new();
    for _ in 0..60 {
        clock.advance(TimeDelta::seconds(2));
        let begun = ambient.wall.now();
        engine.go_on().await;
        rounds.push(seconds(ambient.wall.now() - begun) * 1e3);
    }
    let (hwm, rss) = memory()?;
    rounds.sort_by(f64::total_cmp);
    let mut matches = Vec::new();
    for n in 0..200 {
        let day = clock.now().date_naive() + TimeDelta::days(7 + n * 2);
        for key in engine.watched_calendars() {
            let begun = ambient.wall.now();
            std::hint::black_box(engine.candidates(&key, &[day], 3));
            matches.push(seconds(ambient.wall.now() - begun) * 1e6);
        }
    }
    matches.sort_by(f64::total_cmp);
    let bytes = (rss - before) * 1024.0 * 1024.0 / f64::from(tasks.max(1));
    Ok(vec![
        f64::from(tasks),
        0.0,
        0.0,
        loaded,
        hwm,
        rss,
        bytes,
        quantile(&rounds, 0.5),
        quantile(&rounds, 1.0),
        quantile(&matches, 0.5),
    ])
}

async fn context(database: &str, clock: &ManualClock, wall: Clock) -> anyhow::Result<Context> {
    let random = Random::seeded(1);
    // No server listens at this address, because the engine may not poll.
    let host = ::portal::PortalHost::new("http://127.0.0.1:9".parse()?);
    let settings = ::portal::Settings::new(host, Arc::new(move || wall.now()));
    Ok(Context {
        db: Db::open(database).await?,
        keyring: Arc::new(KeyRing::generate(&random)),
        client: Arc::new(::portal::Client::new(settings)?),
        outward: Arc::default(),
        wall: clock.clock(),
        portal_time: clock.clock(),
        random,
        config: Config { dry_run: true, polls_per_second: 0.0, ..Config::default() },
    })
}

/// Writes `tasks` active tasks, each with its own user and login, for several kinds of applicants
/// and all cities. The product creates one task. The others are copies with different users,
/// windows and appointments.
async fn fill(url: &str, tasks: u32) -> anyhow::Result<()> {
    let db = Db::open_with(
        url,
        &store::Options { acquire_timeout: Duration::from_secs(60), ..Default::default() },
    )
    .await?;
    store::migrate::migrate(&db).await?;
    let now: Instant = server::run::Ambient::system()?.wall.now() - TimeDelta::days(2);
    let mut tx = db.begin().await?;
    crate::start::insert_task(&mut tx, &Random::seeded(1), 0, now).await?;
    store::task::multiply(&mut tx, tasks).await?;
    tx.commit().await?;
    db.close().await;
    Ok(())
}

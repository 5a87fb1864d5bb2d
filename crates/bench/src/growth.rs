//! Benchmark of database growth. It writes a year of rows at the rate of a service with 10,000
//! tasks and runs housekeeping. It measures the size of every table and the duration of frequent
//! queries.

use std::path::PathBuf;

use anyhow::Context as _;
use chrono::{NaiveDate, NaiveTime, TimeDelta};
use clap::Args;
use domain::appointment::{Group, PortalStatus};
use domain::calendar::{CalendarKey, Kind};
use domain::clock::{Clock, Instant};
use domain::country::{CountryCode, VisaType};
use domain::facility::FacilityId;
use domain::ids::TaskId;
use serde_json::json;
use store::forget::{self, ExpiringData};
use store::observation::Tally;
use store::retention::bench_seed::{self, Rates, Size};
use store::{Db, Error, Tx, journal, observation, outbox, seen};
use uuid::Uuid;

/// Options of `bench growth`.
#[derive(Args)]
pub struct Growth {
    /// Number of active tasks
    #[arg(long, default_value_t = 10_000)]
    tasks: u32,
    /// Number of users who own the tasks
    #[arg(long, default_value_t = 1_000)]
    users: i64,
    /// Number of polled calendars
    #[arg(long, default_value_t = 420)]
    calendars: usize,
    /// Number of simulated days
    #[arg(long, default_value_t = 365)]
    days: i64,
    /// Factor by which the row rates of 10,000 tasks are multiplied
    #[arg(long, default_value_t = 1.0)]
    rate: f64,
    /// Do not run housekeeping, for comparison
    #[arg(long)]
    keep: bool,
    /// Folder of the SQLite file; by default the system's temporary folder
    #[arg(long)]
    folder: Option<PathBuf>,
}

/// Returns the number of rows per day with 10,000 tasks, 7,000 logins and 1.2 polls per second,
/// multiplied by `part`. Each browser refreshes its token every ten minutes for eight hours a day.
fn rates(part: f64) -> Rates {
    let of = |rows: f64| (rows * part).ceil() as i64;
    Rates {
        sightings: of(60_000.0),
        observations: of(40_000.0),
        journal: of(30_000.0),
        watches: of(4_000.0),
        attempts: of(5_000.0),
        outbox: of(4_000.0),
        alerts: of(3_000.0),
        drafts: of(600.0),
        refreshes: 48,
    }
}

/// Results of the benchmark.
pub struct Report {
    /// Sizes of the tables, largest first, after one third, two thirds and the whole time.
    sizes: [Vec<Size>; 3],
    /// Names of the queries, with the slowest of five runs in milliseconds.
    queries: Vec<(&'static str, f64)>,
    /// Duration in seconds of the last day's housekeeping, and the number of rows it removed.
    sweep: (f64, u64),
}

/// Writes the rows of all days and measures the result.
pub async fn run(options: Growth) -> anyhow::Result<Report> {
    let folder = tempfile::tempdir_in(options.folder.clone().unwrap_or_else(std::env::temp_dir))?;
    let db = Db::open(&format!("sqlite:{}", folder.path().join("growth.db").display())).await?;
    store::migrate::migrate(&db).await?;
    let ambient = server::run::Ambient::system()?;
    let first = NaiveDate::from_ymd_opt(2026, 1, 1).context("invalid date")?;
    let keys = people_and_calendars(&db, &options, first).await?;
    let (rates, mut sizes, mut sweep) = (rates(options.rate), Vec::new(), (0.0, 0));
    for n in 0..options.days {
        let day = first + TimeDelta::days(n);
        let mut tx = db.begin().await?;
        bench_seed::day(&mut tx, day, &rates).await?;
        tx.commit().await?;
        let evening = evening(day);
        let begun = ambient.wall.now();
        let mut removed = 0;
        for old in ExpiringData::all().filter(|_| !options.keep) {
            removed += forget::forget(&db, old, forget::before(old, evening, evening)).await?;
        }
        sweep = (seconds(&ambient.wall, begun), removed);
        if [options.days / 3, options.days * 2 / 3, options.days].contains(&(n + 1)) {
            sizes.push(bench_seed::sizes(&db).await?);
        }
    }
    let now = evening(first + TimeDelta::days(options.days - 1));
    let queries = queries(&db, &keys, &ambient.wall, now).await?;
    db.close().await;
    let sizes = sizes.try_into().map_err(|_| anyhow::anyhow!("the number of days must be at least three"))?;
    Ok(Report { sizes, queries, sweep })
}

fn evening(day: NaiveDate) -> Instant {
    day.and_time(NaiveTime::MIN).and_utc() + TimeDelta::hours(24)
}

fn seconds(clock: &Clock, begun: Instant) -> f64 {
    (clock.now() - begun).num_microseconds().unwrap_or_default() as f64 / 1e6
}

async fn people_and_calendars(
    db: &Db,
    options: &Growth,
    first: NaiveDate,
) -> anyhow::Result<Vec<CalendarKey>> {
    let random = server::run::Ambient::system()?.random;
    let start = evening(first - TimeDelta::days(1));
    let mut tx = db.begin().await?;
    crate::start::insert_task(&mut tx, &random, 0, start).await?;
    store::task::multiply(&mut tx, options.tasks).await?;
    bench_seed::share_out(&mut tx, options.users).await?;
    let mut keys = Vec::new();
    for n in 0..options.calendars {
        let group = Group {
            applicants: Vec::new(),
            visa_class: None,
            classes: vec![format!("CLASS {}", n / 7)],
            status: PortalStatus::AttendAppointment,
            ivr_account_number: None,
            is_tcn: None,
            fee_paid_on: None,
            asks_fingerprints: None,
            has_unknown_form: false,
        };
        let kind = Kind::of(CountryCode::CANADA, VisaType::Niv, &group, true);
        let facility = FacilityId::try_from(u16::try_from(89 + n % 7)?).ok().context("unknown city")?;
        let key = CalendarKey { kind, facility };
        let tally = Tally {
            key: key.clone(),
            polls: 0,
            slots: 0,
            last_poll_at: None,
            answered_at: None,
            next: None,
            bound: None,
        };
        observation::add_polls(&mut tx, &tally, start).await?;
        keys.push(key);
    }
    tx.commit().await?;
    Ok(keys)
}

/// Runs each query five times and returns the duration of its slowest run.
async fn queries(
    db: &Db,
    keys: &[CalendarKey],
    wall: &Clock,
    now: Instant,
) -> anyhow::Result<Vec<(&'static str, f64)>> {
    let mut tx = db.read().await?;
    let (task, user) = bench_seed::a_task(&mut tx).await?.context("the task is missing")?;
    drop(tx);
    let one = &keys[..1];
    let seven = &keys[..keys.len().min(7)];
    let since = now - TimeDelta::days(90);
    let mut found = vec![
        timed(db, wall, "journal, a page", async |tx: &mut Tx| {
            journal::page(tx, task, (now, Uuid::max()), 201).await.map(|_| ())
        })
        .await?,
        timed(db, wall, "hours of a task, a page", async |tx: &mut Tx| {
            seen::hours_of_task(tx, task, now, 2_100).await.map(|_| ())
        })
        .await?,
        timed(db, wall, "what was seen, counted", async |tx: &mut Tx| {
            seen::count_sightings(tx, task).await.map(|_| ())
        })
        .await?,
        timed(db, wall, "what was seen, a page", async |tx: &mut Tx| {
            seen::sightings(tx, task, (since, (now, now.date_naive(), 94)), 50).await.map(|_| ())
        })
        .await?,
        timed(db, wall, "heat map of 90 days", async |tx: &mut Tx| {
            seen::activity(tx, seven, since, now.date_naive()).await.map(|_| ())
        })
        .await?,
        timed(db, wall, "chart of 90 days, one calendar", async |tx: &mut Tx| {
            seen::changes(tx, one, since, 2_000).await.map(|_| ())
        })
        .await?,
        timed(db, wall, "status history of 90 days", async |tx: &mut Tx| {
            seen::portal_hours(tx, since).await.map(|_| ())
        })
        .await?,
        timed(db, wall, "checks of a user in 24 h", async |tx: &mut Tx| {
            seen::checks_since(tx, user, now - TimeDelta::days(1)).await.map(|_| ())
        })
        .await?,
        timed(db, wall, "history of notifications, a page", async |tx: &mut Tx| {
            let page = outbox::history::Page { task: None, before: None, limit: 51 };
            outbox::history::of_user(tx, user, page).await.map(|_| ())
        })
        .await?,
        timed(db, wall, "next mail due", async |tx: &mut Tx| {
            outbox::next_due(tx, &[], now).await.map(|_| ())
        })
        .await?,
        timed(db, wall, "days told of that stand", async |tx: &mut Tx| {
            journal::open_alerts(tx).await.map(|_| ())
        })
        .await?,
        timed(db, wall, "silent tasks", async |tx: &mut Tx| {
            store::silence::found(tx, now - domain::silence::SILENT_AFTER, TaskId(Uuid::nil()), 200)
                .await
                .map(|_| ())
        })
        .await?,
        timed(db, wall, "the books, checked", async |tx: &mut Tx| store::ledger::check(tx).await.map(|_| ()))
            .await?,
    ];
    found.sort_by(|a, b| b.1.total_cmp(&a.1));
    Ok(found)
}

async fn timed<F>(db: &Db, wall: &Clock, name: &'static str, ask: F) -> anyhow::Result<(&'static str, f64)>
where
    F: AsyncFn(&mut Tx) -> Result<(), Error>,
{
    let mut slowest: f64 = 0.0;
    for _ in 0..5 {
        let mut tx = db.read().await?;
        let begun = wall.now();
        ask(&mut tx).await?;
        slowest = slowest.max(seconds(wall, begun) * 1e3);
    }
    Ok((name, slowest))
}

impl Report {
    /// Prints the report.
    pub fn show(&self, output: crate::Output) -> anyhow::Result<()> {
        let [third, two, all] = &self.sizes;
        let rows =
            |sizes: &[Size], table: &str| sizes.iter().find(|s| s.table == table).map_or(0, |s| s.rows);
        let bytes: i64 = all.iter().map(|size| size.bytes).sum();
        if matches!(output, crate::Output::Json) {
            let tables: Vec<_> = all
                .iter()
                .map(|s| {
                    let (third, two) = (rows(third, s.table), rows(two, s.table));
                    json!({ "table": s.table, "rows_third": third, "rows_two_thirds": two, "rows": s.rows, "bytes": s.bytes })
                })
                .collect();
            let queries: Vec<_> =
                self.queries.iter().map(|(name, ms)| json!({ "query": name, "ms": ms })).collect();
            let report = json!({
                "bench": "growth", "tables": tables, "bytes": bytes, "queries": queries,
                "last_sweep_s": self.sweep.0, "last_sweep_rows": self.sweep.1,
            });
            println!("{}", serde_json::to_string_pretty(&report)?);
            return Ok(());
        }
        println!("{:<22}{:>12}{:>12}{:>12}{:>10}", "table", "1/3", "2/3", "rows", "MiB");
        for size in all.iter().filter(|size| size.rows > 0) {
            let mib = size.bytes as f64 / f64::from(1 << 20);
            let (third, two) = (rows(third, size.table), rows(two, size.table));
            println!("{:<22}{third:>12}{two:>12}{:>12}{mib:>10.1}", size.table, size.rows);
        }
        println!("{:<58}{:>10.1}", "together", bytes as f64 / f64::from(1 << 20));
        println!("last housekeeping: {} rows in {:.2} s\n", self.sweep.1, self.sweep.0);
        println!("{:<40}{:>10}", "slowest of five readings", "ms");
        for (name, ms) in &self.queries {
            println!("{name:<40}{ms:>10.2}");
        }
        Ok(())
    }
}

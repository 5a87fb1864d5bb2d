//! Benchmark of a crowd of open pages and of requests for the status page. It measures the cost for
//! the engine's commits and lease, and the latency of these requests.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use chrono::TimeDelta;
use clap::Args;
use domain::clock::Clock;
use domain::facility::FacilityId;
use domain::task::TaskStatus;
use futures_util::StreamExt as _;
use parking_lot::Mutex;
use server::AppState;
use server::config::Settings;
use store::Pools;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

use crate::book::{Parts, eager, parts, quantiles};
use crate::fixture::{Fixture, TORONTO};
use crate::probe::Probe;
use crate::{Table, quantile, sign_ins};

/// Options of `bench crowd`.
#[derive(Args)]
pub struct Crowd {
    /// Number of bookings without the crowd; as many follow with the crowd
    #[arg(long, default_value_t = 100)]
    count: usize,
    /// Number of open event streams
    #[arg(long, default_value_t = 1_000)]
    streams: usize,
    /// Number of requests for the status page per second
    #[arg(long, default_value_t = 200)]
    status_per_second: u32,
    /// Folder of the SQLite file; by default the system's temporary folder
    #[arg(long)]
    folder: Option<std::path::PathBuf>,
    /// Empty PostgreSQL database to measure in addition to SQLite
    #[arg(long, env = "SOONER_TEST_POSTGRES", hide_env_values = true)]
    postgres: Option<String>,
}

/// Measures each database without the crowd and with the crowd.
pub async fn run(options: Crowd, probe: &Probe) -> anyhow::Result<Table> {
    let place = options.folder.clone().unwrap_or_else(std::env::temp_dir);
    let folder = tempfile::tempdir_in(place)?;
    let mut urls = vec![format!("sqlite:{}", folder.path().join("bench.db").display())];
    urls.extend(options.postgres.clone().filter(|url| !url.is_empty()));
    let mut rows = Vec::new();
    for url in &urls {
        rows.extend(on(url, &options, probe).await?);
    }
    let columns = vec![
        "postgres",
        "crowd",
        "bookings",
        "sending_p50",
        "sending_p99",
        "total_p50",
        "total_p99",
        "status_answers",
        "status_p50",
        "status_p99",
        "status_max",
        "lease_lost",
        "longest_first",
        "longest_other",
    ];
    Ok(Table { name: "crowd", columns, rows })
}

async fn on(url: &str, options: &Crowd, probe: &Probe) -> anyhow::Result<[Vec<f64>; 2]> {
    let defaults = Settings::defaults();
    let pools = Pools::open(url, &defaults.pools.shares()).await?;
    let fixture = Fixture::on(pools.engine, false, eager()).await?;
    let channels = server::run::channels(&defaults, &fixture.ctx.wall)?;
    let app = AppState::new(
        fixture.engine.clone(),
        Settings { database_url: url.to_owned(), ..defaults },
        channels,
    );
    let app = AppState { db: pools.requests, background: pools.background, ..app };
    let stop = CancellationToken::new();
    let running = tokio::spawn(fixture.engine.clone().run(stop.clone()));
    let people = options.streams.div_ceil(server::live::streams::MOST_STREAMS);
    sign_ins::people(&app, people).await?;
    let router = server::router(app);
    let alone = measured(&fixture, probe, options, "alone", None).await?;
    let mut crowd = JoinSet::new();
    for n in 0..people {
        let token = sign_ins::sign_in(&router, n).await?;
        let open = options.streams - n * server::live::streams::MOST_STREAMS;
        for _ in 0..open.min(server::live::streams::MOST_STREAMS) {
            crowd.spawn(stream(router.clone(), token.clone(), n));
        }
    }
    let beside = measured(&fixture, probe, options, "beside", Some(&router)).await?;
    anyhow::ensure!(crowd.try_join_next().is_none(), "an event stream ended");
    stop.cancel();
    running.await?;
    let postgres = f64::from(u8::from(url.starts_with("postgres")));
    Ok([alone, beside].map(|mut row| {
        row.insert(0, postgres);
        row
    }))
}

/// Reads the event stream of one open page.
async fn stream(router: Router, token: String, n: usize) -> anyhow::Result<()> {
    let mut request = Request::builder()
        .uri("/api/v1/events")
        .header("authorization", format!("Bearer {token}"))
        .body(Body::empty())?;
    let from = SocketAddr::from(([198, 51, 100, u8::try_from(n % 250)?], 50_000));
    request.extensions_mut().insert(ConnectInfo(from));
    let response = router.oneshot(request).await?;
    anyhow::ensure!(
        response.status() == 200,
        "the event stream was answered with status {}",
        response.status()
    );
    let mut body = response.into_body().into_data_stream();
    while body.next().await.is_some() {}
    Ok(())
}

/// Books slots one after the other. If `router` is given, also sends requests for the status page.
async fn measured(
    fixture: &Fixture,
    probe: &Probe,
    options: &Crowd,
    name: &str,
    asked: Option<&Router>,
) -> anyhow::Result<Vec<f64>> {
    let over = Arc::new(AtomicBool::new(false));
    let answered = Arc::new(Mutex::new(Vec::new()));
    let asking = asked.map(|router| {
        let every = Duration::from_secs(1) / options.status_per_second.max(1);
        tokio::spawn(request_repeatedly(
            router.clone(),
            fixture.ctx.wall.clone(),
            every,
            over.clone(),
            answered.clone(),
        ))
    });
    let lost = Arc::new(AtomicUsize::new(0));
    let watching = {
        let (engine, over, lost) = (fixture.engine.clone(), over.clone(), lost.clone());
        tokio::spawn(async move {
            let mut held = engine.is_active();
            while !over.load(Ordering::Relaxed) {
                tokio::time::sleep(Duration::from_millis(20)).await;
                let holds = engine.is_active();
                lost.fetch_add(usize::from(held && !holds), Ordering::Relaxed);
                held = holds;
            }
        })
    };
    let _ = store::db::longest_turns();
    let mut found = Vec::new();
    for n in 0..options.count {
        found.extend(measure_one(fixture, probe, &format!("{name}{n}"), n).await?);
    }
    over.store(true, Ordering::Relaxed);
    watching.await?;
    if let Some(asking) = asking {
        asking.await??;
    }
    let mut answered = std::mem::take(&mut *answered.lock());
    answered.sort_by(f64::total_cmp);
    let mut row = vec![f64::from(u8::from(asked.is_some())), found.len() as f64];
    let columns: [fn(&Parts) -> f64; 2] = [|p| p.sending, |p| p.total];
    for part in columns {
        row.extend(quantiles(&found, part, &[0.5, 0.99]));
    }
    row.push(answered.len() as f64);
    row.extend([0.5, 0.99, 1.0].map(|share| quantile(&answered, share)));
    row.push(lost.load(Ordering::Relaxed) as f64);
    // Longest time for which SQLite's writer was held, or 0 on PostgreSQL.
    row.extend(store::db::longest_turns().map(|turn| turn.as_secs_f64() * 1e3));
    Ok(row)
}

/// Sends requests for the status page at a fixed rate, without waiting for previous responses.
async fn request_repeatedly(
    router: Router,
    clock: Clock,
    every: Duration,
    over: Arc<AtomicBool>,
    answered: Arc<Mutex<Vec<f64>>>,
) -> anyhow::Result<()> {
    let mut ticks = tokio::time::interval(every);
    let mut asked = JoinSet::new();
    while !over.load(Ordering::Relaxed) {
        ticks.tick().await;
        let (router, clock, answered) = (router.clone(), clock.clone(), answered.clone());
        asked.spawn(async move {
            let begun = clock.now();
            let request = Request::builder().uri("/api/v1/status").body(Body::empty())?;
            let response = router.oneshot(request).await?;
            anyhow::ensure!(
                response.status() == 200,
                "the status page was answered with status {}",
                response.status()
            );
            let took = (clock.now() - begun).num_microseconds().unwrap_or(i64::MAX) as f64 / 1e3;
            answered.lock().push(took);
            Ok(())
        });
        while let Some(done) = asked.try_join_next() {
            done??;
        }
    }
    Ok(())
}

/// Waits until the task is polled, adds a slot, and waits for its booking. Returns `None` if the
/// slot was not booked in time.
async fn measure_one(
    fixture: &Fixture,
    probe: &Probe,
    name: &str,
    n: usize,
) -> anyhow::Result<Option<Parts>> {
    fixture.with_world(|w| w.slots.clear())?;
    let task = fixture.task(name, false).await?;
    fixture.engine.nudge();
    if !fixture.wait(task, |t| t.status == TaskStatus::Active).await? {
        return Ok(None);
    }
    let today = FacilityId::TORONTO.today(fixture.ctx.portal_time.now());
    probe.drain();
    let shown = fixture.ctx.wall.now();
    fixture.slot(TORONTO, today + TimeDelta::days(20 + n as i64 % 300))?;
    let booked = fixture.wait(task, |t| t.captured_at.is_some()).await?;
    let seen = probe.drain();
    fixture.delete(&[task]).await?;
    Ok(booked.then(|| parts(&seen, shown)).flatten())
}

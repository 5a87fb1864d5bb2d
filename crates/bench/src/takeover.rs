//! Benchmark of a takeover. It measures the time without work after the node with the engine's
//! lease is lost. PostgreSQL only.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use engine::{Config, Context, Engine};
use store::Db;
use store::keyring::KeyRing;
use tokio_util::sync::CancellationToken;

use crate::{Table, quantile};

/// Options of `bench takeover`.
#[derive(Args)]
pub struct Takeover {
    /// Empty PostgreSQL database
    #[arg(long, env = "SOONER_TEST_POSTGRES", hide_env_values = true)]
    database_url: String,
    /// Length of the lease in seconds
    #[arg(long, default_value_t = 15)]
    lease_seconds: i64,
    /// Number of takeovers
    #[arg(long, default_value_t = 5)]
    times: usize,
}

/// Runs two nodes at a time and aborts the active node in the middle of its work.
pub async fn run(options: Takeover) -> anyhow::Result<Table> {
    anyhow::ensure!(
        options.database_url.starts_with("postgres"),
        "this benchmark needs PostgreSQL, because SQLite supports only one node"
    );
    let ambient = server::run::Ambient::system()?;
    let wall = ambient.wall.clone();
    let db = Db::open(&options.database_url).await?;
    store::migrate::migrate(&db).await?;
    let mut waits = Vec::new();
    let mut working = Node::start(&options, 0).await?;
    working.takes_over(options.lease_seconds).await?;
    for n in 1..=options.times {
        let next = Node::start(&options, n).await?;
        // Vary the time of the abort between two renewals of the lease.
        tokio::time::sleep(Duration::from_millis(700 * n as u64 % 5_000)).await;
        working.running.abort();
        let gone = wall.now();
        next.takes_over(options.lease_seconds).await?;
        waits.push((wall.now() - gone).num_milliseconds() as f64 / 1000.0);
        working = next;
    }
    working.stop.cancel();
    working.running.await?;
    waits.sort_by(f64::total_cmp);
    let standbys = standbys(&db).await?;
    Ok(Table {
        name: "takeover",
        columns: vec![
            "nodes_lost",
            "standbys",
            "lease_s",
            "takeover_s_p50",
            "takeover_s_p99",
            "takeover_s_max",
            "limit_s",
        ],
        rows: vec![vec![
            options.times as f64,
            standbys as f64,
            options.lease_seconds as f64,
            quantile(&waits, 0.5),
            quantile(&waits, 0.99),
            quantile(&waits, 1.0),
            (options.lease_seconds + 5) as f64,
        ]],
    })
}

/// Returns the number of synchronous standbys that still replicate at the end.
async fn standbys(db: &Db) -> anyhow::Result<i64> {
    let mut tx = db.read().await?;
    Ok(store::replication::standbys(&mut tx).await?.map_or(0, |found| found.synchronous))
}

/// Engine with its own connection pool, like a separate process.
struct Node {
    engine: Arc<Engine>,
    stop: CancellationToken,
    running: tokio::task::JoinHandle<()>,
}

impl Node {
    async fn start(options: &Takeover, number: usize) -> anyhow::Result<Self> {
        let ambient = server::run::Ambient::system()?;
        let wall = ambient.wall.clone();
        // No server listens at the portal's address, because nothing is polled.
        let host = ::portal::PortalHost::new("http://127.0.0.1:9".parse()?);
        let settings = ::portal::Settings::new(host, Arc::new(move || wall.now()));
        let engine = Engine::new(Context {
            db: Db::open(&options.database_url).await?,
            keyring: Arc::new(KeyRing::generate(&ambient.random)),
            client: Arc::new(::portal::Client::new(settings)?),
            outward: Arc::default(),
            wall: ambient.wall.clone(),
            portal_time: ambient.wall,
            random: ambient.random,
            config: Config {
                node: format!("node-{number}"),
                lease_seconds: options.lease_seconds,
                ..Config::default()
            },
        });
        let stop = CancellationToken::new();
        let running = tokio::spawn(engine.clone().run(stop.clone()));
        Ok(Self { engine, stop, running })
    }

    async fn takes_over(&self, lease_seconds: i64) -> anyhow::Result<()> {
        let read_back_policy = Duration::from_secs(lease_seconds.unsigned_abs() + 30);
        tokio::time::timeout(read_back_policy, async {
            while !self.engine.is_active() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        })
        .await
        .context("no other node took over")
    }
}

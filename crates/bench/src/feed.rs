//! Benchmark of open pages. It measures how much they cost the database while one server sends
//! event streams to many sessions and balances change.
//!
//! PostgreSQL only. The database's processor time is the time of all its processes, including those
//! for maintenance.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::Context as _;
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use chrono::TimeDelta;
use clap::Args;
use domain::ids::{SessionId, UserId};
use domain::money::Money;
use futures_util::StreamExt as _;
use server::AppState;
use server::config::Settings;
use store::keyring::KeyRing;
use store::session::{Client, Method, NewSession, RefreshToken};
use store::user::NewUser;
use tokio::task::JoinSet;
use tower::ServiceExt as _;

use crate::Table;

/// Options of `bench feed`.
#[derive(Args)]
pub struct Feed {
    /// Empty PostgreSQL database on this machine
    #[arg(long, env = "SOONER_TEST_POSTGRES", hide_env_values = true)]
    database_url: String,
    /// Number of open pages, each with its own session
    #[arg(long, default_value_t = 10_000)]
    pages: usize,
    /// Number of changes per second, each of one user's balance
    #[arg(long, default_value_t = 20)]
    changes: u32,
    /// Duration of the measurement in seconds
    #[arg(long, default_value_t = 60)]
    seconds: u64,
}

/// Measures the database without pages and then with all pages.
pub async fn run(options: Feed) -> anyhow::Result<Table> {
    anyhow::ensure!(
        options.database_url.starts_with("postgres"),
        "this benchmark needs PostgreSQL, because SQLite has no processes of its own"
    );
    let ambient = server::run::Ambient::system()?;
    let ring = KeyRing::generate(&ambient.random);
    let settings = Settings {
        database_url: options.database_url.clone(),
        portal_url: "http://127.0.0.1:1".to_owned(),
        connections: options.pages * 2,
        ..Settings::defaults()
    };
    let app = server::run::assemble(settings, ring, ambient).await?;
    let (people, tokens) = people(&app, options.pages).await?;
    let postmaster = postmaster(&app).await?;
    let router = server::router(app.clone());
    let heard = Arc::new(AtomicUsize::new(0));
    let mut rows = vec![measured(&app, &options, &people, postmaster, 0, &heard).await?];
    let mut pages = JoinSet::new();
    for (n, token) in tokens.into_iter().enumerate() {
        pages.spawn(page(router.clone(), token, n, heard.clone()));
    }
    // Every page receives its balance once at the beginning.
    while heard.load(Ordering::Relaxed) < options.pages {
        anyhow::ensure!(pages.try_join_next().is_none(), "a page ended");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    rows.push(measured(&app, &options, &people, postmaster, options.pages, &heard).await?);
    anyhow::ensure!(pages.try_join_next().is_none(), "a page ended");
    let columns =
        vec!["pages", "seconds", "database_core_share", "statements_per_second", "changes", "heard"];
    Ok(Table { name: "feed", columns, rows })
}

async fn people(app: &AppState, count: usize) -> anyhow::Result<(Vec<UserId>, Vec<String>)> {
    let (now, mut people, mut tokens) = (app.wall.now(), Vec::new(), Vec::new());
    let ends = now + TimeDelta::hours(24);
    for first in (0..count).step_by(500) {
        let mut tx = app.db.begin().await?;
        for n in first..count.min(first + 500) {
            let user = UserId::new(now, app.random.bytes());
            let new = NewUser {
                id: user,
                email: format!("person{n}@example.com"),
                password_hash: None,
                language: "en".to_owned(),
                referral_code: hex::encode(app.random.bytes::<8>()),
                referred_by: None,
                email_verified_at: Some(now),
            };
            store::user::insert(&mut tx, &new, now).await?;
            let id = SessionId::new(now, app.random.bytes());
            let session = NewSession {
                id,
                user,
                remembered: false,
                expires_at: ends,
                method: Method::Password,
                client: Client::default(),
            };
            store::session::start(&mut tx, &session, &RefreshToken::new(app.random.bytes()), now).await?;
            people.push(user);
            let token = app.access.issue(user, id, ends, now);
            tokens.push(token.map_err(|_| anyhow::anyhow!("no token was issued"))?);
        }
        tx.commit().await?;
    }
    Ok((people, tokens))
}

/// Reads the event stream of one open page.
async fn page(router: Router, token: String, n: usize, heard: Arc<AtomicUsize>) -> anyhow::Result<()> {
    let mut request = Request::builder()
        .uri("/api/v1/events")
        .header("authorization", format!("Bearer {token}"))
        .body(Body::empty())?;
    let part = |shift: usize| (n >> shift) as u8;
    request
        .extensions_mut()
        .insert(ConnectInfo(SocketAddr::from(([20, part(16), part(8), part(0)], 50_000))));
    let response = router.oneshot(request).await?;
    anyhow::ensure!(
        response.status() == 200,
        "the event stream was answered with status {}",
        response.status()
    );
    let mut body = response.into_body().into_data_stream();
    while let Some(part) = body.next().await {
        let told = part.is_ok_and(|part| part.windows(13).any(|w| w == b"event: credit"));
        heard.fetch_add(usize::from(told), Ordering::Relaxed);
    }
    Ok(())
}

async fn measured(
    app: &AppState,
    options: &Feed,
    people: &[UserId],
    postmaster: u32,
    pages: usize,
    heard: &AtomicUsize,
) -> anyhow::Result<Vec<f64>> {
    let (told, sent, begun) = (heard.load(Ordering::Relaxed), store::statements(), app.wall.now());
    let used = processor_seconds(postmaster)?;
    let end = begun + TimeDelta::seconds(i64::try_from(options.seconds)?);
    let mut ticks = tokio::time::interval(Duration::from_secs(1) / options.changes.max(1));
    let mut changes = 0;
    while app.wall.now() < end {
        ticks.tick().await;
        let person = people[changes * 7_919 % people.len()];
        let mut tx = app.background.begin().await?;
        let source = ("bench", app.engine.context().uuid(app.wall.now()));
        store::ledger::topup(&mut tx, &app.random, person, Money::cad(100), source, app.wall.now()).await?;
        tx.commit().await?;
        changes += 1;
    }
    let took = (app.wall.now() - begun).as_seconds_f64();
    let used = processor_seconds(postmaster)? - used;
    let told = heard.load(Ordering::Relaxed) - told;
    let sent = (store::statements() - sent) as f64 / took;
    Ok(vec![pages as f64, took, used / took, sent, changes as f64, told as f64])
}

/// Returns the process id of the postmaster, the parent of all PostgreSQL processes.
async fn postmaster(app: &AppState) -> anyhow::Result<u32> {
    let mut tx = app.db.read().await?;
    let own = store::replication::process(&mut tx)
        .await?
        .context("cannot find the process of the database connection")?;
    let stat = std::fs::read_to_string(format!("/proc/{own}/stat"))
        .context("the database is not on this machine")?;
    field(&stat, 1).context("cannot find the parent of the database process")
}

/// Returns a field of a line of `/proc/PID/stat`. Index 0 is the process state, the field after the
/// name.
fn field(stat: &str, at: usize) -> Option<u32> {
    stat.rsplit_once(')')?.1.split_whitespace().nth(at)?.parse().ok()
}

/// Returns the processor time in seconds of the postmaster and all its children, including children
/// that have ended.
fn processor_seconds(postmaster: u32) -> anyhow::Result<f64> {
    let mut ticks = 0;
    for entry in std::fs::read_dir("/proc")?.flatten() {
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
        let own = entry.file_name().to_string_lossy().parse::<u32>() == Ok(postmaster);
        if own || field(&stat, 1) == Some(postmaster) {
            ticks += field(&stat, 11).unwrap_or(0) + field(&stat, 12).unwrap_or(0);
        }
        if own {
            ticks += field(&stat, 13).unwrap_or(0) + field(&stat, 14).unwrap_or(0);
        }
    }
    // Linux reports processor time in hundredths of a second on all platforms that Rust supports.
    Ok(f64::from(ticks) / 100.0)
}

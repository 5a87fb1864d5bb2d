//! Benchmark of sign-ins. It measures the number of sign-ins per second and the delay of other
//! requests.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use clap::{Args, Parser};
use domain::clock::Clock;
use domain::ids::UserId;
use secrecy::SecretString;
use serde_json::{Value, json};
use server::config::Settings;
use store::keyring::KeyRing;
use store::user::NewUser;
use tower::ServiceExt as _;

use crate::{Table, quantile};

const PASSWORD: &str = "Kestrel-41!";

/// Options of `bench sign-ins`.
#[derive(Args)]
pub struct SignIns {
    /// Numbers of users who sign in repeatedly at the same time
    #[arg(long, value_delimiter = ',', default_values_t = [2_usize, 16, 200])]
    clients: Vec<usize>,
    /// Duration in seconds for each number of users
    #[arg(long, default_value_t = 10)]
    seconds: u64,
}

#[derive(Parser)]
struct Defaults {
    #[command(flatten)]
    settings: Settings,
}

struct TestServer {
    router: Router,
    clock: Clock,
    _folder: tempfile::TempDir,
}

/// Measures an idle server, and then a server with each number of users.
pub async fn run(options: SignIns) -> anyhow::Result<Table> {
    let most = options.clients.iter().copied().max().unwrap_or(1);
    let server = start_server(most).await?;
    let mut rows = Vec::new();
    for clients in std::iter::once(0).chain(options.clients) {
        rows.push(measure_one(&server, clients, Duration::from_secs(options.seconds)).await?);
    }
    let columns = vec![
        "people",
        "sign_ins_per_second",
        "sign_in_p99_ms",
        "told_to_wait",
        "other_p50_ms",
        "other_p99_ms",
    ];
    Ok(Table { name: "sign_ins", columns, rows })
}

async fn measure_one(server: &TestServer, clients: usize, span: Duration) -> anyhow::Result<Vec<f64>> {
    let caller = sign_in(&server.router, 0).await?;
    let over = Arc::new(AtomicBool::new(false));
    let refused = Arc::new(AtomicUsize::new(0));
    let mut crowd = tokio::task::JoinSet::new();
    for n in 0..clients {
        let (router, clock, over, refused) =
            (server.router.clone(), server.clock.clone(), over.clone(), refused.clone());
        crowd.spawn(async move {
            let mut took = Vec::new();
            while !over.load(Ordering::Relaxed) {
                let begun = clock.now();
                let status = router.clone().oneshot(login(n)).await.map_or(500, |r| r.status().as_u16());
                if status == 200 {
                    took.push(since(&clock, begun));
                } else {
                    refused.fetch_add(1, Ordering::Relaxed);
                    tokio::time::sleep(Duration::from_secs(2)).await;
                }
            }
            took
        });
    }
    let mut other = Vec::new();
    let begun = server.clock.now();
    while since(&server.clock, begun) < span.as_secs_f64() * 1e3 {
        let asked = server.clock.now();
        let call = Request::builder()
            .uri("/api/v1/users/credit")
            .header("authorization", format!("Bearer {caller}"))
            .body(Body::empty())?;
        let response = server.router.clone().oneshot(call).await?;
        anyhow::ensure!(
            response.status() == 200,
            "the other request was answered with status {}",
            response.status()
        );
        other.push(since(&server.clock, asked));
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    over.store(true, Ordering::Relaxed);
    let mut took = crowd.join_all().await.concat();
    took.sort_unstable_by(f64::total_cmp);
    other.sort_unstable_by(f64::total_cmp);
    Ok(vec![
        clients as f64,
        took.len() as f64 / span.as_secs_f64(),
        quantile(&took, 0.99),
        refused.load(Ordering::Relaxed) as f64,
        quantile(&other, 0.5),
        quantile(&other, 0.99),
    ])
}

async fn start_server(count: usize) -> anyhow::Result<TestServer> {
    let folder = tempfile::tempdir()?;
    let ambient = server::run::Ambient::system()?;
    let mut settings = Defaults::parse_from(["bench"]).settings;
    settings.database_url = format!("sqlite:{}", folder.path().join("sooner.db").display());
    settings.portal_url = "http://127.0.0.1:1".to_owned();
    // Trust the proxy header, so that every client can have its own IP address.
    settings.trusted_proxies = "0.0.0.0".parse().into_iter().collect();
    let (clock, ring) = (ambient.wall.clone(), KeyRing::generate(&ambient.random));
    let app = server::run::assemble(settings, ring, ambient).await?;
    people(&app, count).await?;
    Ok(TestServer { router: server::router(app), clock, _folder: folder })
}

/// Creates `people` users with the same password.
pub async fn people(app: &server::AppState, people: usize) -> anyhow::Result<()> {
    let permit = app.passwords.queue().enter(std::net::Ipv4Addr::LOCALHOST.into());
    let permit = permit.map_err(|_| anyhow::anyhow!("the password queue is full"))?;
    let hash = app.passwords.hash(&permit, SecretString::from(PASSWORD)).await;
    let hash = hash.map_err(|e| anyhow::anyhow!("{e}"))?;
    let now = app.wall.now();
    let mut tx = app.db.begin().await?;
    for n in 0..people.max(1) {
        let new = NewUser {
            id: UserId::new(now, app.random.bytes()),
            email: address(n),
            password_hash: Some(hash.clone()),
            language: "en".to_owned(),
            referral_code: hex::encode(app.random.bytes::<5>()),
            referred_by: None,
            email_verified_at: Some(now),
        };
        store::user::insert(&mut tx, &new, now).await?;
    }
    Ok(tx.commit().await?)
}

/// Signs in user number `n` and returns the access token.
pub async fn sign_in(router: &Router, n: usize) -> anyhow::Result<String> {
    let response = router.clone().oneshot(login(n)).await?;
    let bytes = axum::body::to_bytes(response.into_body(), 64 * 1024).await?;
    let body: Value = serde_json::from_slice(&bytes)?;
    let token = body["data"]["access_token"].as_str();
    Ok(token.ok_or_else(|| anyhow::anyhow!("no user could sign in: {body}"))?.to_owned())
}

fn login(n: usize) -> Request<Body> {
    let body = json!({ "username": address(n), "password": PASSWORD }).to_string();
    Request::builder()
        .method("POST")
        .uri("/api/v1/auth/login")
        .header("content-type", "application/json")
        .header("x-forwarded-for", format!("198.{}.{}.7", 18 + n / 250, n % 250))
        .body(Body::from(body))
        .unwrap_or_default()
}

fn address(n: usize) -> String {
    format!("person{n}@example.com")
}

fn since(clock: &Clock, begun: domain::clock::Instant) -> f64 {
    (clock.now() - begun).num_microseconds().unwrap_or(i64::MAX) as f64 / 1e3
}

//! Benchmark of address enumeration. It compares responses and response times for known and unknown
//! mail addresses.

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use clap::{Args, Parser};
use domain::clock::{Clock, ManualClock};
use domain::ids::UserId;
use secrecy::SecretString;
use serde_json::{Value, json};
use server::config::Settings;
use server::run::Ambient;
use store::keyring::KeyRing;
use store::user::NewUser;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

use crate::{Table, quantile};

const PEOPLE: usize = 50;

/// Options of `bench enumeration`.
#[derive(Args)]
pub struct Enumeration {
    /// Number of attempts per route, each with a known and an unknown address
    #[arg(long, default_value_t = 2_000)]
    tries: usize,
    /// Database, `sqlite:PATH` or `postgres://…`; by default a new SQLite file
    #[arg(long)]
    database: Option<String>,
}

#[derive(Parser)]
struct Defaults {
    #[command(flatten)]
    settings: Settings,
}

struct TestServer {
    router: Router,
    // Clock of the server. The benchmark advances it between attempts, so that no rate limit takes
    // effect.
    wall: ManualClock,
    real: Clock,
    _folder: tempfile::TempDir,
}

/// The four public routes that accept a mail address.
const ROUTES: [&str; 4] = ["login", "register", "forgot-password", "resend-verification"];

/// Measures each route. Fails if the responses for a known and an unknown address differ.
pub async fn run(options: Enumeration) -> anyhow::Result<Table> {
    let stop = CancellationToken::new();
    let server = start_server(options.database, &stop).await?;
    let mut rows = Vec::new();
    for (number, route) in ROUTES.into_iter().enumerate() {
        let [known, unknown] = measure_one(&server, route, options.tries).await?;
        let (known, unknown) = (quantile(&known, 0.5), quantile(&unknown, 0.5));
        eprintln!("{number} is {route}: known {known:.3} ms, unknown {unknown:.3} ms");
        rows.push(vec![number as f64, options.tries as f64, known, unknown, known - unknown]);
    }
    stop.cancel();
    let columns = vec!["route", "tries_each", "known_median_ms", "unknown_median_ms", "difference_ms"];
    Ok(Table { name: "enumeration", columns, rows })
}

/// Returns the response times for known and unknown addresses in milliseconds, each list sorted.
async fn measure_one(server: &TestServer, route: &str, tries: usize) -> anyhow::Result<[Vec<f64>; 2]> {
    let mut took = [Vec::with_capacity(tries), Vec::with_capacity(tries)];
    let mut first = None;
    for n in 0..tries {
        for turn in 0..2 {
            // Alternate which kind of address comes first.
            let side = (n + turn) % 2;
            let email = match side {
                0 => format!("known{:06}@example.com", n % PEOPLE),
                _ => format!("other{n:06}@example.com"),
            };
            server.wall.advance(chrono::TimeDelta::seconds(61));
            let call = request(route, &email, n * 2 + turn);
            let begun = server.real.now();
            let response = server.router.clone().oneshot(call).await?;
            let status = response.status();
            let body = axum::body::to_bytes(response.into_body(), 64 * 1024).await?;
            took[side].push((server.real.now() - begun).num_microseconds().unwrap_or(i64::MAX) as f64 / 1e3);
            let answer = (status, body);
            let expected = first.get_or_insert_with(|| answer.clone());
            anyhow::ensure!(*expected == answer, "{route} reveals {email}: {answer:?}, not {expected:?}");
        }
    }
    took.iter_mut().for_each(|times| times.sort_unstable_by(f64::total_cmp));
    Ok(took)
}

fn request(route: &str, email: &str, number: usize) -> Request<Body> {
    let body: Value = match route {
        "login" => json!({ "username": email, "password": "Wrong-1-password" }),
        "register" => json!({ "email": email, "password": "Kestrel-41!" }),
        _ => json!({ "email": email }),
    };
    Request::builder()
        .method("POST")
        .uri(format!("/api/v1/auth/{route}"))
        .header("content-type", "application/json")
        .header("x-forwarded-for", format!("10.{}.{}.7", number / 250 % 250, number % 250))
        .body(Body::from(body.to_string()))
        .unwrap_or_default()
}

async fn start_server(database: Option<String>, stop: &CancellationToken) -> anyhow::Result<TestServer> {
    let folder = tempfile::tempdir()?;
    let ambient = server::run::Ambient::system()?;
    let (real, random) = (ambient.wall.clone(), ambient.random.clone());
    let wall = ManualClock::new(real.now());
    let mut settings = Defaults::parse_from(["bench"]).settings;
    settings.database_url =
        database.unwrap_or_else(|| format!("sqlite:{}", folder.path().join("sooner.db").display()));
    settings.portal_url = "http://127.0.0.1:1".to_owned();
    settings.smtp_url = Some("smtp://127.0.0.1:1".to_owned());
    settings.trusted_proxies = "0.0.0.0".parse().into_iter().collect();
    let ambient = Ambient { wall: wall.clock(), random: random.clone() };
    let app = server::run::assemble(settings, KeyRing::generate(&random), ambient).await?;
    let permit = app.passwords.queue().enter(std::net::Ipv4Addr::LOCALHOST.into());
    let permit = permit.map_err(|_| anyhow::anyhow!("the password queue is full"))?;
    let hash = app.passwords.hash(&permit, SecretString::from("Kestrel-41!"));
    let hash = hash.await.map_err(|e| anyhow::anyhow!("{e}"))?;
    let now = wall.now();
    let mut tx = app.db.begin().await?;
    for n in 0..PEOPLE {
        let new = NewUser {
            id: UserId::new(now, random.bytes()),
            email: format!("known{n:06}@example.com"),
            password_hash: Some(hash.clone()),
            language: "en".to_owned(),
            referral_code: hex::encode(random.bytes::<5>()),
            referred_by: None,
            email_verified_at: Some(now),
        };
        store::user::insert(&mut tx, &new, now).await?;
    }
    tx.commit().await?;
    // Work that continues after a response runs concurrently with later requests, as in a real
    // server.
    tokio::spawn(server::workers::mail_requests::run(app.clone(), stop.clone()));
    tokio::spawn(deliver(app.clone(), stop.clone()));
    Ok(TestServer { router: server::router(app), wall, real, _folder: folder })
}

/// Simulates a mail server that accepts all mails.
async fn deliver(app: server::AppState, stop: CancellationToken) -> anyhow::Result<()> {
    while !stop.is_cancelled() {
        let now = app.wall.now();
        let mut tx = app.db.begin().await?;
        for mail in store::outbox::claim(&mut tx, "bench", 4, chrono::TimeDelta::seconds(120), now).await? {
            store::outbox::delivered(&mut tx, &mail, now).await?;
        }
        tx.commit().await?;
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    Ok(())
}

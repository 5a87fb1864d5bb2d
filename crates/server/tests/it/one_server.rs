//! Stories of the limit of one server per SQLite file, and of the effect of many requests on the
//! engine.

use std::net::SocketAddr;
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::Body;
use axum::extract::ConnectInfo;
use domain::clock::Instant;
use futures_util::future::join_all;
use http_body_util::BodyExt as _;
use server::config::Settings;
use server::run::Ambient;
use store::Random;
use store::keyring::KeyRing;
use tower::ServiceExt as _;

use crate::app::{self, Person, TestApp, request};

stories!(the_status_is_computed_once_for_concurrent_requests, many_open_pages_do_not_delay_the_engine);

fn sooner(app: &TestApp, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sooner"));
    command.args(words).env("SOONER_DATABASE_URL", &app.app.settings.database_url).env("USER", "ops");
    command.output().unwrap()
}

// spec: 10.15.11
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_server_on_one_file_is_refused_but_commands_work() {
    let app = app::sqlite().await;
    let ambient = Ambient { wall: app.clock.clock(), random: Random::seeded(6) };
    let settings = Settings::clone(&app.app.settings);
    let second = server::run::assemble(settings, KeyRing::generate(&ambient.random), ambient).await;
    let why = second.err().expect("the second server is refused").to_string();
    let holder = format!("process {}, started 2026-11-18", std::process::id());
    assert!(why.contains(&holder) && why.contains("stop it first"), "{why}");
    let migrated = sooner(&app, &["migrate"]);
    let said = String::from_utf8_lossy(&migrated.stderr).into_owned();
    assert!(!migrated.status.success() && said.contains(&holder), "{said}");
    for words in [["codes", "list"], ["tasks", "list"], ["ledger", "check"]] {
        let done = sooner(&app, &words);
        assert!(done.status.success(), "{words:?}: {}", String::from_utf8_lossy(&done.stderr));
    }
    // The end of the server releases the lock.
    let TestApp { app, router, .. } = app;
    let url = app.settings.database_url.clone();
    drop((app, router));
    for _ in 0..100 {
        if store::file_lock::FileLock::acquire(&url, Instant::default()).is_ok() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the lock outlived its server");
}

async fn status(app: &TestApp) {
    let reply = app.call("GET", "/status", None, None).await;
    assert!(reply.status.is_success(), "{reply:?}");
}

// spec: 10.15.13
async fn the_status_is_computed_once_for_concurrent_requests(app: TestApp) {
    let before = store::statements();
    join_all((0..100).map(|_| status(&app))).await;
    let once = store::statements() - before;
    assert!((1..=20).contains(&once), "{once} statements for a hundred simultaneous requests");
    app.wait(9);
    status(&app).await;
    assert_eq!(store::statements() - before, once, "nine seconds later the answer is shared");
    app.wait(2);
    status(&app).await;
    assert!(store::statements() - before > once, "the answer is never older than ten seconds");
    let before = store::statements();
    let asked: Vec<_> = (0..20).map(|_| app.call("GET", "/stats/public", None, None)).collect();
    assert!(join_all(asked).await.iter().all(|reply| reply.status.is_success()));
    assert!(store::statements() - before <= 6);
}

/// Number of users, each with the maximum number of streams.
const PEOPLE: usize = 42;
/// Time for which the users stay.
const STAYS: Duration = Duration::from_secs(4);

async fn stream(app: &TestApp, person: &Person, from: [u8; 4]) -> Body {
    let mut request = request("GET", "/events", Some(person), None);
    request.extensions_mut().insert(ConnectInfo(SocketAddr::from((from, 50_000))));
    let response = app.router.clone().oneshot(request).await.unwrap();
    assert_eq!(response.status(), 200);
    response.into_body()
}

// spec: 10.15.13
/// Checks that many requests do not delay the engine. There are a thousand open pages and two
/// hundred requests a second. The engine meanwhile writes as for a booking, and renews its lease.
async fn many_open_pages_do_not_delay_the_engine(app: TestApp) {
    let mut pages = tokio::task::JoinSet::new();
    let answered = Arc::new(Mutex::new(Vec::new()));
    for n in 0..PEOPLE {
        let person = app.person(&format!("guest{n}")).await;
        for _ in 0..server::live::streams::MOST_STREAMS {
            let mut body = stream(&app, &person, [198, 51, 100, n as u8]).await;
            pages.spawn(async move { while body.frame().await.is_some() {} });
        }
    }
    let asking = async {
        for _ in 0..STAYS.as_millis() / 5 {
            let (router, answered) = (app.router.clone(), answered.clone());
            pages.spawn(async move {
                let begun = now();
                let reply = router.oneshot(request("GET", "/status", None, None)).await.unwrap();
                answered.lock().unwrap().push(begun.elapsed());
                assert_eq!(reply.status(), 200);
            });
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let writing = async {
        let engine = &app.app.engine.context().db;
        let mut took = Vec::new();
        for _ in 0..STAYS.as_millis() / 20 {
            let begun = now();
            let mut tx = engine.begin_first().await.unwrap();
            let held = store::lease::acquire(&mut tx, "crowd", "one", 15).await.unwrap();
            tx.commit().await.unwrap();
            took.push(begun.elapsed());
            assert_eq!(held, Some(1), "the lease is never lost");
            tokio::time::sleep(Duration::from_millis(15)).await;
        }
        took
    };
    let ((), took) = tokio::join!(asking, writing);
    let commits = p99("commits", took);
    let answered = std::mem::take(&mut *answered.lock().unwrap());
    p99("answers of the status", answered);
    // The limit is far above the promised 50 ms, because the build is not optimized and other tests
    // run.
    assert!(commits < Duration::from_millis(750), "p99 {commits:?}");
}

#[allow(clippy::disallowed_methods, reason = "what is measured is the wall's time")]
fn now() -> std::time::Instant {
    std::time::Instant::now()
}

/// Prints the durations of an operation. Returns the 99th percentile.
fn p99(what: &str, mut took: Vec<Duration>) -> Duration {
    took.sort_unstable();
    let at = |percent: usize| took[(took.len() - 1) * percent / 100];
    println!("{} {what}: median {:?}, p99 {:?}, worst {:?}", took.len(), at(50), at(99), at(100));
    at(99)
}

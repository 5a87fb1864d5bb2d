//! Stories of an unavailable synchronous standby. Reads work, and no lost write is reported as
//! stored.

#[path = "../../../engine/tests/failover/cluster.rs"]
#[allow(dead_code, reason = "the engine's stories do more with it")]
mod cluster;

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use cluster::{Cluster, Node};

use crate::app::{NOWHERE, over};

// spec: 10.15.20
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_standby_reads_work_and_writes_are_refused() {
    let cluster = Cluster::start(true);
    let clock = domain::clock::ManualClock::new("2026-11-25T00:30:00Z".parse().unwrap());
    let ring = store::keyring::KeyRing::generate(&store::Random::seeded(5));
    let folder = tempfile::tempdir().unwrap();
    let app = over(cluster.url(), folder, clock, NOWHERE.to_owned(), ring).await;
    let (lin, wu) = (app.person("lin").await, app.person("wu").await);
    let speak = async |person, language| {
        let said = Some(json!({ "language": language }));
        app.call("PUT", "/user/language", Some(person), said).await.status.as_u16()
    };
    assert_eq!(speak(&lin, "zh").await, 200);

    cluster.kill(Node::Second);
    // Two rows are needed, because a waiting commit holds its locks.
    let refused =
        [speak(&lin, "en").await, speak(&wu, "zh").await, speak(&lin, "en").await, speak(&wu, "zh").await];
    assert_eq!(refused, [503; 4], "none of them is reported as stored");
    assert!(!app.app.db.confirms());
    assert!(cluster.waiting() <= 4, "{} processes wait at the server", cluster.waiting());
    for path in ["/users/credit", "/schedules", "/user/profile"] {
        assert_eq!(app.get(path, &lin).await.status.as_u16(), 200, "{path} is read");
    }

    cluster.second_returns();
    for _ in 0..200 {
        if app.app.db.confirms() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(speak(&lin, "zh").await, 200, "it continues by itself");
    app.books_balance().await;
}

// spec: 10.15.20
/// Checks that a commit whose wait for the standby was cancelled is not reported as stored.
/// PostgreSQL acknowledges it with a warning, and a failover loses it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_commit_with_a_cancelled_standby_wait_is_not_acknowledged() {
    let cluster = Arc::new(Cluster::start(true));
    let clock = domain::clock::ManualClock::new("2026-11-25T00:30:00Z".parse().unwrap());
    let ring = store::keyring::KeyRing::generate(&store::Random::seeded(5));
    let folder = tempfile::tempdir().unwrap();
    let app = over(cluster.url(), folder, clock, NOWHERE.to_owned(), ring).await;
    let lin = app.person("lin").await;
    cluster.kill(Node::Second);
    let cancels = std::thread::spawn({
        let cluster = cluster.clone();
        move || {
            cluster.wait("a commit waits", || cluster.waiting() > 0);
            cluster.cancel_waits();
        }
    });
    let said = Some(json!({ "language": "en" }));
    let answer = app.call("PUT", "/user/language", Some(&lin), said).await;
    cancels.join().unwrap();
    assert_eq!(answer.status.as_u16(), 503, "{}", answer.body);
}

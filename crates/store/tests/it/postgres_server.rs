//! Tests of effects that a PostgreSQL server has on its clients, and of the rows that servers store
//! about themselves.

use chrono::TimeDelta;
use domain::ids::SessionId;
use store::node::{self, Node};
use store::session::{self, Client, Method, NewSession, RefreshToken};
use store::{Db, Error, Tx, scalar};

use crate::support::{World, later, now};

stories!(
    a_demoted_server_refuses_writes_and_serves_reads,
    a_connection_ended_by_the_server_is_not_reused,
    idle_connections_ended_by_the_server_cause_no_error,
    timeouts_come_from_the_role_or_our_defaults,
    sending_transactions_commit_synchronously,
    running_nodes_report_their_roles,
    live_sessions_are_queried_in_one_batch,
);

/// Returns the name of the test's database, or `None` on SQLite.
async fn database(world: &World) -> Option<String> {
    let mut tx = world.db.read().await.unwrap();
    if matches!(tx, Tx::Sqlite(_)) {
        return None;
    }
    Some(scalar!(&mut tx, String, "SELECT CAST(current_database() AS TEXT)").unwrap())
}

/// Changes a setting of the test's database for new connections.
async fn set(world: &World, setting: &str) -> bool {
    let Some(database) = database(world).await else { return false };
    let sql = format!("ALTER DATABASE {database} SET {setting}");
    let Db::Postgres { pool, .. } = &world.db else { return false };
    sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(pool).await.unwrap();
    true
}

async fn a_demoted_server_refuses_writes_and_serves_reads(world: World) {
    if !set(&world, "default_transaction_read_only = on").await {
        return;
    }
    // As with a pooler, the settings of a server connection last as long as the connection.
    for _ in 0..100 {
        let db = Db::open(&world.url).await.unwrap();
        let mut tx = db.begin().await.unwrap();
        let refused = node::delete(&mut tx, "nobody").await;
        drop(tx);
        if matches!(refused, Err(Error::Unavailable(_))) {
            assert!(node::running(&mut db.read().await.unwrap(), now()).await.unwrap().is_empty());
            return;
        }
        db.close().await;
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    panic!("a read-only server accepted a change");
}

async fn a_connection_ended_by_the_server_is_not_reused(world: World) {
    if database(&world).await.is_none() {
        return;
    }
    for _ in 0..20 {
        let mut tx = world.begin().await;
        let ended = scalar!(&mut tx, bool, "SELECT pg_terminate_backend(pg_backend_pid())");
        assert!(matches!(ended, Err(Error::Unavailable(_))), "{ended:?}");
        drop(tx);
        let mut tx = world.begin().await;
        assert_eq!(scalar!(&mut tx, i64, "SELECT CAST(1 AS BIGINT)").unwrap(), 1);
        tx.commit().await.unwrap();
    }
}

async fn idle_connections_ended_by_the_server_cause_no_error(world: World) {
    if database(&world).await.is_none() {
        return;
    }
    let other = Db::open(&world.url).await.unwrap();
    let opened = futures_util::future::join_all((0..4).map(|_| world.db.read())).await;
    assert_eq!(opened.iter().filter(|tx| tx.is_ok()).count(), 4);
    drop(opened);
    let mut tx = other.begin().await.unwrap();
    let all = "SELECT COUNT(*) FILTER (WHERE pg_terminate_backend(pid, 5000)) FROM pg_stat_activity
         WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()";
    assert!(scalar!(&mut tx, i64, all).unwrap() >= 4, "a server that restarts does the same");
    let asked = futures_util::future::join_all((0..4).map(|_| world.db.begin())).await;
    let errors: Vec<_> = asked.into_iter().filter_map(Result::err).collect();
    assert!(errors.is_empty(), "{errors:?}");
}

async fn timeouts_come_from_the_role_or_our_defaults(world: World) {
    async fn limits(world: &World) -> (String, String) {
        let db = Db::open(&world.url).await.unwrap();
        let mut tx = db.begin().await.unwrap();
        let limits = "SELECT current_setting('statement_timeout'), current_setting('lock_timeout')";
        store::one!(&mut tx, (String, String), limits).unwrap().unwrap()
    }
    if database(&world).await.is_none() {
        return;
    }
    assert_eq!(limits(&world).await, ("15s".to_owned(), "10s".to_owned()));
    assert!(set(&world, "statement_timeout = '7s'").await);
    for _ in 0..100 {
        if limits(&world).await == ("7s".to_owned(), "10s".to_owned()) {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    panic!("the setting of the role was changed");
}

async fn sending_transactions_commit_synchronously(world: World) {
    let mut tx = world.db.begin_sending().await.unwrap();
    if let Tx::Postgres(_) = tx {
        let how = scalar!(&mut tx, String, "SELECT current_setting('synchronous_commit')").unwrap();
        assert_eq!(how, "on", "whatever the server's own default is");
    }
    node::record(&mut tx, &one("a", "engine")).await.unwrap();
    tx.commit().await.unwrap();
    assert!(world.db.confirms());
    // If a standby is required and none is connected, no booking begins. Everything else continues.
    let options = store::Options { requires_standby: true, ..store::Options::default() };
    if database(&world).await.is_some() {
        let db = Db::open_with(&world.url, &options).await.unwrap();
        assert!(matches!(db.begin_sending().await, Err(Error::Unavailable(_))));
        let mut tx = db.begin().await.unwrap();
        assert_eq!(node::running(&mut tx, now()).await.unwrap().len(), 1);
    }
}

fn one(name: &str, roles: &str) -> Node {
    let host = "portal.example.com".to_owned();
    Node { name: name.to_owned(), roles: roles.to_owned(), version: "1".to_owned(), host, seen_at: now() }
}

async fn running_nodes_report_their_roles(world: World) {
    let mut tx = world.begin().await;
    node::record(&mut tx, &one("a", "web")).await.unwrap();
    node::record(&mut tx, &one("b", "engine")).await.unwrap();
    node::record(&mut tx, &one("a", "web, delivery")).await.unwrap();
    let running = node::running(&mut tx, later(60)).await.unwrap();
    assert_eq!(running, [one("a", "web, delivery"), one("b", "engine")]);
    node::delete(&mut tx, "b").await.unwrap();
    assert_eq!(node::running(&mut tx, later(60)).await.unwrap().len(), 1);
    assert_eq!(node::running(&mut tx, later(121)).await.unwrap(), [], "silent for two minutes");
}

async fn live_sessions_are_queried_in_one_batch(world: World) {
    let user = world.person(0).await;
    let mut tx = world.begin().await;
    let mut ids = Vec::new();
    for seconds in [60, 60, 5] {
        let id = SessionId::new(now(), world.random.bytes());
        let new = NewSession {
            id,
            user,
            remembered: false,
            expires_at: now() + TimeDelta::seconds(seconds),
            method: Method::Password,
            client: Client::default(),
        };
        session::start(&mut tx, &new, &RefreshToken::new(world.random.bytes()), now()).await.unwrap();
        ids.push(id);
    }
    session::revoke(&mut tx, ids[1], "signed_out", now()).await.unwrap();
    ids.push(SessionId::new(now(), world.random.bytes()));
    let live = session::live_of(&mut tx, &ids, later(10)).await.unwrap();
    assert_eq!(
        live.into_iter().collect::<Vec<_>>(),
        [ids[0]],
        "servers that left, ended or never existed are not listed"
    );
}

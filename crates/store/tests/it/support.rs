//! Creates a new database for each test.

use std::sync::atomic::{AtomicU32, Ordering};

use chrono::{DateTime, TimeDelta};
use domain::clock::Instant;
use domain::ids::UserId;
use sqlx::{Connection as _, Executor as _, PgConnection};
use store::keyring::KeyRing;
use store::user::NewUser;
use store::{Db, Options, Random, Tx};

/// Database, keys and random source of one test.
pub struct World {
    pub db: Db,
    pub ring: KeyRing,
    pub random: Random,
    pub url: String,
    _folder: Option<tempfile::TempDir>,
}

pub fn now() -> Instant {
    DateTime::from_timestamp_micros(1_795_000_000_123_456).unwrap()
}

pub fn later(seconds: i64) -> Instant {
    now() + TimeDelta::seconds(seconds)
}

pub async fn sqlite() -> World {
    let world = empty_sqlite().await;
    store::migrate::migrate(&world.db).await.unwrap();
    world
}

/// Creates an SQLite database in the given folder.
#[allow(dead_code, reason = "only some of the binaries that share this file choose")]
pub async fn sqlite_in(folder: &std::path::Path) -> World {
    let world = empty_sqlite_at(tempfile::tempdir_in(folder).unwrap()).await;
    store::migrate::migrate(&world.db).await.unwrap();
    world
}

/// Creates an SQLite database without a schema.
pub async fn empty_sqlite() -> World {
    empty_sqlite_at(tempfile::tempdir().unwrap()).await
}

async fn empty_sqlite_at(folder: tempfile::TempDir) -> World {
    let url = format!("sqlite:{}", folder.path().join("sooner.db").display());
    let db = Db::open(&url).await.unwrap();
    world(db, url, Some(folder))
}

pub async fn postgres() -> World {
    postgres_with(&Options { connections: 16, ..Options::default() }).await
}

pub async fn postgres_with(options: &Options) -> World {
    let world = empty_postgres(options).await;
    store::migrate::migrate(&world.db).await.unwrap();
    world
}

/// Returns the URL in `SOONER_TEST_POSTGRES`. Fails the test if it is not set, because a skipped
/// test must not look like a passed one.
pub fn postgres_server() -> String {
    let server = std::env::var("SOONER_TEST_POSTGRES").unwrap_or_default();
    assert!(
        !server.is_empty(),
        "SOONER_TEST_POSTGRES names no PostgreSQL server: run through scripts/with-postgres.sh"
    );
    server
}

/// Creates a PostgreSQL database without a schema.
pub async fn empty_postgres(options: &Options) -> World {
    let server = postgres_server();
    let name = fresh_database(&server).await;
    let (base, rest) = server.rsplit_once('/').unwrap();
    let settings = rest.split_once('?').map_or(String::new(), |(_, settings)| format!("?{settings}"));
    let url = format!("{base}/{name}{settings}");
    let db = Db::open_with(&url, options).await.unwrap();
    world(db, url, None)
}

/// Creates an empty database for this test. It exists until the server ends, because migrations
/// take only a tenth of a second.
async fn fresh_database(server: &str) -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let own = std::process::id();
    let name = format!("story_{own}_{}", NEXT.fetch_add(1, Ordering::Relaxed));
    let mut connection = PgConnection::connect(server).await.unwrap();
    let sql = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
    connection.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(sql))).await.unwrap();
    let sql = format!("CREATE DATABASE {name} TEMPLATE template0 STRATEGY FILE_COPY");
    connection.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(sql))).await.unwrap();
    name
}

fn world(db: Db, url: String, folder: Option<tempfile::TempDir>) -> World {
    let random = Random::seeded(7);
    let ring = KeyRing::generate(&random);
    World { db, ring, random, url, _folder: folder }
}

impl World {
    pub async fn begin(&self) -> Tx {
        self.db.begin().await.unwrap()
    }

    /// Inserts an invented user with a balance of `cents`.
    pub async fn person(&self, cents: i64) -> UserId {
        let id = UserId::new(now(), self.random.bytes());
        let new = NewUser {
            id,
            email: format!("{id}@example.com"),
            password_hash: None,
            language: "zh".to_owned(),
            referral_code: id.to_string(),
            referred_by: None,
            email_verified_at: None,
        };
        let mut tx = self.begin().await;
        assert!(store::user::insert(&mut tx, &new, now()).await.unwrap());
        if cents > 0 {
            let amount = domain::money::Money::cad(cents);
            let source = ("test", uuid::Uuid::from(id));
            store::ledger::topup(&mut tx, &self.random, id, amount, source, now()).await.unwrap();
        }
        tx.commit().await.unwrap();
        id
    }

    /// Checks that the ledger balances at the end of the test.
    pub async fn books_balance(&self) {
        let mut tx = self.db.read().await.unwrap();
        assert_eq!(store::ledger::check(&mut tx).await.unwrap(), []);
    }
}

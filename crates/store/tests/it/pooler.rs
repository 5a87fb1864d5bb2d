//! Tests of PostgreSQL behind a pooler that assigns a connection to each transaction.
//! `scripts/with-pgbouncer.sh` runs all tests of the store that way.

use store::{Db, Error, Options, Tx, scalar};

use crate::support::{self, World};

/// Returns the URL of the test's database. `named` permits named prepared statements.
fn with_names(world: &World, named: bool) -> String {
    let plain = world.url.split('?').next().unwrap();
    format!("{plain}?statement-cache-capacity={}", if named { 100 } else { 0 })
}

// spec: 10.15.29
#[tokio::test]
async fn statement_name_conflicts_occur_only_with_named_statements() {
    let world = support::postgres().await;
    for named in [true, false] {
        let options = Options { connections: 1, ..Options::default() };
        let db = Db::open_with(&with_names(&world, named), &options).await.unwrap();
        let mut tx = db.begin().await.unwrap();
        let Tx::Postgres(connection) = &mut tx else { panic!("the database is not on a server") };
        // Simulates a pooler between two transactions. sqlx uses the same statement names in all
        // clients.
        let other = "DEALLOCATE ALL; PREPARE sqlx_s_1 AS SELECT 2";
        sqlx::raw_sql(other).execute(&mut **connection).await.unwrap();
        let asked = scalar!(&mut tx, i64, "SELECT CAST(1 AS BIGINT)");
        assert_eq!(matches!(asked, Err(Error::Pooled(_))), named, "{asked:?}");
        assert_eq!(asked.ok(), (!named).then_some(1));
    }
}

// spec: 10.15.29
#[tokio::test]
async fn a_pooler_is_refused_at_startup_with_named_statements() {
    let world = support::postgres().await;
    let is_pooled = world.url.contains("statement-cache-capacity=0");
    let options = Options { ready_to_send: true, ..Options::default() };
    for named in [true, false] {
        let opened = Db::open_with(&with_names(&world, named), &options).await;
        let refused = matches!(opened, Err(Error::Pooled(_)));
        assert_eq!((refused, opened.is_ok()), (is_pooled && named, !(is_pooled && named)), "{opened:?}");
    }
}

//! A story's database, and how it goes away.

use std::sync::atomic::{AtomicU32, Ordering};

use sqlx::{Connection as _, Executor as _};
use store::Db;

/// A migrated database of its own: on the server `SOONER_STAGE_POSTGRES` names, otherwise an SQLite file.
pub(crate) async fn fresh() -> (Db, Option<String>, tempfile::TempDir) {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let folder = tempfile::tempdir().expect("a folder");
    let mut url = format!("sqlite:{}", folder.path().join("sooner.db").display());
    let mut database = None;
    if let Some(server) = std::env::var("SOONER_STAGE_POSTGRES").ok().filter(|s| !s.is_empty()) {
        let name = format!("stage_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let mut connection = sqlx::PgConnection::connect(&server).await.expect("the server");
        for sql in [format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"), format!("CREATE DATABASE {name}")]
        {
            connection.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(sql))).await.expect("a database");
        }
        let (base, _) = server.rsplit_once('/').expect("a URL with a path");
        url = format!("{base}/{name}");
        database = Some(name);
    }
    let db = Db::open(&url).await.expect("a database");
    store::migrate::migrate(&db).await.expect("migrations");
    (db, database, folder)
}

/// Does something at the server that keeps the databases, from outside of a story's runtime, and waits for it.
fn at_the_server(statements: Vec<String>) {
    let server = std::env::var("SOONER_STAGE_POSTGRES").expect("a server");
    let done = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let mut connection = sqlx::PgConnection::connect(&server).await.expect("the server");
            for sql in statements {
                connection.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(sql))).await.expect("sql");
            }
        });
    });
    done.join().expect("done");
}

/// Nobody reaches the database of this name any more.
pub(crate) fn goes_away(database: &str) {
    at_the_server(vec![
        format!("ALTER DATABASE {database} WITH ALLOW_CONNECTIONS FALSE"),
        // With patience: it answers when the connection has really ended.
        format!("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '{database}'"),
    ]);
}

/// The database of this name can be reached again.
pub(crate) fn comes_back(database: &str) {
    at_the_server(vec![format!("ALTER DATABASE {database} WITH ALLOW_CONNECTIONS TRUE")]);
}

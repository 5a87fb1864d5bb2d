//! Databases on a PostgreSQL server, one for each story.

use std::sync::atomic::{AtomicU32, Ordering};

use sqlx::{AssertSqlSafe, Connection as _, Executor as _};

/// Returns the URL of a new, empty database on `server`.
pub(crate) async fn fresh(server: &str) -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = format!("stage_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let drop = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
    run(server, vec![drop, format!("CREATE DATABASE {name}")]).await;
    let mut url: url::Url = server.parse().expect("a URL");
    url.set_path(&name);
    url.into()
}

/// Runs statements that cannot be part of a transaction.
pub(crate) async fn run(server: &str, statements: Vec<String>) {
    let mut connection = sqlx::PgConnection::connect(server).await.expect("the server");
    for sql in statements {
        connection.execute(sqlx::raw_sql(AssertSqlSafe(sql))).await.expect("sql");
    }
}

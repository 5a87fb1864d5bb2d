//! A story's database on a server, and how it goes away.

use store::Db;

use crate::server;

/// The server that `SOONER_TEST_POSTGRES` names. Without it the story fails: one that did nothing must not look like one that passed.
fn at() -> String {
    let server = std::env::var("SOONER_TEST_POSTGRES").unwrap_or_default();
    assert!(
        !server.is_empty(),
        "SOONER_TEST_POSTGRES names no PostgreSQL server: run through scripts/with-postgres.sh, or leave these stories out \
         with -E 'not (package(sooner-engine) & binary(postgres))'"
    );
    server
}

/// A migrated database of its own.
pub(crate) async fn fresh() -> (Db, tempfile::TempDir) {
    let db = Db::open(&server::fresh(&at()).await).await.expect("a database");
    store::migrate::migrate(&db).await.expect("migrations");
    (db, tempfile::tempdir().expect("a folder"))
}

/// The name of a story's database.
pub(crate) fn name_of(db: &Db) -> String {
    let Db::Postgres { pool, .. } = db else { panic!("not on a server") };
    pool.connect_options().get_database().expect("a database").to_owned()
}

/// Does something at the server that keeps the databases, from outside of a story's runtime, and waits for it.
fn do_there(statements: Vec<String>) {
    let done = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(server::run(&at(), statements));
    });
    done.join().expect("done");
}

/// Nobody reaches the database of this name any more.
pub(crate) fn goes_away(database: &str) {
    do_there(vec![
        format!("ALTER DATABASE {database} WITH ALLOW_CONNECTIONS FALSE"),
        // With patience: it answers when the connection has really ended.
        format!("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '{database}'"),
    ]);
}

/// The database of this name can be reached again.
pub(crate) fn comes_back(database: &str) {
    do_there(vec![format!("ALTER DATABASE {database} WITH ALLOW_CONNECTIONS TRUE")]);
}

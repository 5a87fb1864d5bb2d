//! Database of a story on a server, and its outage.

use store::Db;

use crate::server;

/// Returns the server that `SOONER_TEST_POSTGRES` names. Without it the story fails, because a
/// skipped story must not look like a passed one.
fn at() -> String {
    let server = std::env::var("SOONER_TEST_POSTGRES").unwrap_or_default();
    assert!(
        !server.is_empty(),
        "SOONER_TEST_POSTGRES names no PostgreSQL server: run through scripts/with-postgres.sh, or \
         exclude these stories with -E 'not (package(sooner-engine) & binary(postgres))'"
    );
    server
}

/// Returns a migrated database for one story.
pub(crate) async fn fresh() -> (Db, tempfile::TempDir) {
    let db = Db::open(&server::fresh(&at()).await).await.expect("a database");
    store::migrate::migrate(&db).await.expect("migrations");
    (db, tempfile::tempdir().expect("a folder"))
}

/// Returns the name of a story's database.
pub(crate) fn name_of(db: &Db) -> String {
    let Db::Postgres { pool, .. } = db else { panic!("the database is not on a server") };
    pool.connect_options().get_database().expect("a database").to_owned()
}

/// Runs statements at the server of the databases, outside of a story's runtime, and waits for
/// them.
fn do_there(statements: Vec<String>) {
    let done = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(server::run(&at(), statements));
    });
    done.join().expect("done");
}

/// Makes the database of this name unreachable.
pub(crate) fn goes_away(database: &str) {
    do_there(vec![
        format!("ALTER DATABASE {database} WITH ALLOW_CONNECTIONS FALSE"),
        // With a timeout, the call returns when the connection has really ended.
        format!("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '{database}'"),
    ]);
}

/// Makes the database of this name reachable again.
pub(crate) fn comes_back(database: &str) {
    do_there(vec![format!("ALTER DATABASE {database} WITH ALLOW_CONNECTIONS TRUE")]);
}

//! Database of a story: on the server that `SOONER_STAGE_POSTGRES` names, or else an SQLite file.

use store::Db;

use crate::server;

/// Returns a migrated database for one story.
pub(crate) async fn fresh() -> (Db, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let url = match std::env::var("SOONER_STAGE_POSTGRES").ok().filter(|server| !server.is_empty()) {
        Some(server) => server::fresh(&server).await,
        None => format!("sqlite:{}", folder.path().join("sooner.db").display()),
    };
    let db = Db::open(&url).await.expect("a database");
    store::migrate::migrate(&db).await.expect("migrations");
    (db, folder)
}

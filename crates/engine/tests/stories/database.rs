//! A story's database: on the server that `SOONER_STAGE_POSTGRES` names, otherwise an SQLite file.

use store::Db;

use crate::server;

/// A migrated database of its own.
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

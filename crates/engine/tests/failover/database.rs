//! A story's database: the cluster that the story began.

use std::sync::Mutex;

use store::{Db, Options};

static URL: Mutex<Option<String>> = Mutex::new(None);

/// Stages of this process stand on this server from now on.
pub(crate) fn stand_on(url: String) {
    *URL.lock().expect("a url") = Some(url);
}

/// The database, migrated.
pub(crate) async fn fresh() -> (Db, tempfile::TempDir) {
    let url = URL.lock().expect("a url").clone().expect("a cluster");
    let db = Db::open_with(&url, &Options { requires_standby: false, ..Options::default() })
        .await
        .expect("a database");
    store::migrate::migrate(&db).await.expect("migrations");
    (db, tempfile::tempdir().expect("a folder"))
}

//! Database of a story: the cluster that the story started.

use std::sync::Mutex;

use store::{Db, Options};

static URL: Mutex<Option<String>> = Mutex::new(None);

/// Makes stages of this process use this server from now on.
pub(crate) fn stand_on(url: String) {
    *URL.lock().expect("a url") = Some(url);
}

/// Returns the migrated database.
pub(crate) async fn fresh() -> (Db, tempfile::TempDir) {
    let url = URL.lock().expect("a url").clone().expect("a cluster");
    let db = Db::open_with(&url, &Options { requires_standby: false, ..Options::default() })
        .await
        .expect("a database");
    store::migrate::migrate(&db).await.expect("migrations");
    (db, tempfile::tempdir().expect("a folder"))
}

//! Stories of an old build on a database that a newer build migrated.

use std::path::Path;
use std::process::{Command, Output};

use axum::body::Body;
use axum::http::Request;
use store::{Db, exec};

use crate::app::TestApp;

stories!(a_server_older_than_its_database_is_not_ready);

fn sooner(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sooner"));
    command.args(words).current_dir(folder).env_clear();
    command.env("SOONER_KEY_RING", "sooner.keys").env("SOONER_KEYS_BESIDE_DATA", "true").output().unwrap()
}

async fn migrated_by_a_newer_build(db: &Db, older_may_run: bool) {
    let mut tx = db.begin().await.unwrap();
    let sql = "INSERT INTO migration (name, checksum, older_may_run) VALUES ('9001_of_tomorrow', $1, $2)
               ON CONFLICT (name) DO UPDATE SET older_may_run = excluded.older_may_run";
    exec!(&mut tx, sql, vec![0_u8; 32], older_may_run).unwrap();
    tx.commit().await.unwrap();
}

// spec: 10.15.17
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_of_a_newer_build_is_refused_with_advice() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    assert!(sooner(path, &["keys", "init"]).status.success());
    assert!(sooner(path, &["migrate"]).status.success());
    let db = Db::open(&format!("sqlite:{}", path.join("sooner.db").display())).await.unwrap();
    migrated_by_a_newer_build(&db, false).await;
    for words in [&["serve", "--bind", "127.0.0.1:0"][..], &["migrate"], &["codes", "list"]] {
        let output = sooner(path, words);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{words:?}");
        assert!(said.contains("newer version of Sooner") && said.contains("9001_of_tomorrow"), "{said}");
        assert!(said.contains("restore the backup from before the upgrade"), "{said}");
    }
    let output = sooner(path, &["doctor"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.code() == Some(2) && said.contains("migrated by a newer version"), "{said}");
    migrated_by_a_newer_build(&db, true).await;
    assert!(sooner(path, &["codes", "list"]).status.success(), "the migration permits older builds");
}

// spec: 10.15.17
async fn a_server_older_than_its_database_is_not_ready(app: TestApp) {
    migrated_by_a_newer_build(&app.app.db, true).await;
    assert_eq!(readyz(&app).await, (200, "web, engine, delivery: ready".into()));
    migrated_by_a_newer_build(&app.app.db, false).await;
    let (status, said) = readyz(&app).await;
    assert!(status == 503 && said.as_str().unwrap().contains("newer version"), "{said}");
}

async fn readyz(app: &TestApp) -> (u16, serde_json::Value) {
    let asked = Request::builder().uri("/readyz").body(Body::empty()).unwrap();
    let reply = app.send(asked).await;
    (reply.status.as_u16(), reply.body)
}

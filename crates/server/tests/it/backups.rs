//! Stories of backups during the work of a server, of restores, and of copies from SQLite to
//! PostgreSQL.
#![allow(
    clippy::disallowed_methods,
    reason = "writers and a program in a process of its own are told apart by the real clock"
)]

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use chrono::TimeDelta;
use domain::ids::{TransferId, UserId};
use domain::money::Money;
use serde_json::json;
use store::keyring::KeyRing;
use store::restore::{self, OpenCodes};
use store::sign_in_link::{LinkKind, NewLink};
use store::{Db, Random, Tx, all, backup, copy, exec, ledger, scalar};
use uuid::Uuid;

use crate::app::{self, PASSWORD, TestApp};
use crate::old_databases::{self, State};
use crate::stage;

fn sooner(database: &str, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sooner"));
    command.args(words).env_clear().env("SOONER_DATABASE_URL", database).env("USER", "ops");
    command.output().unwrap()
}

fn done(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn refused(output: &Output) -> String {
    assert!(!output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Returns the only file of a folder.
fn only_file(folder: &Path) -> PathBuf {
    let files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    files[0].clone()
}

fn url(file: &Path) -> String {
    format!("sqlite:{}", file.display())
}

/// A ledger movement that the database acknowledged, with the start of its write and the time of
/// the acknowledgement.
struct Acknowledged {
    id: TransferId,
    began: Instant,
    said: Instant,
}

async fn write(db: Db, random: Random, user: UserId, stop: Arc<AtomicBool>) -> Vec<Acknowledged> {
    let mut written = Vec::new();
    while !stop.load(Ordering::Relaxed) {
        let (began, at) = (Instant::now(), chrono::DateTime::from_timestamp(1_795_000_000, 0).unwrap());
        let source = ("test", Uuid::from_bytes(random.bytes()));
        let mut tx = db.begin().await.unwrap();
        let id = ledger::topup(&mut tx, &random, user, Money::cad(1_00), source, at).await.unwrap();
        tx.commit().await.unwrap();
        written.push(Acknowledged { id, began, said: Instant::now() });
    }
    written
}

async fn transfers(file: &Path) -> Vec<Uuid> {
    let db = Db::open(&url(file)).await.unwrap();
    let mut tx = db.read().await.unwrap();
    assert_eq!(ledger::check(&mut tx).await.unwrap(), []);
    let rows = all!(&mut tx, (Uuid,), "SELECT id FROM ledger_transfer").unwrap();
    drop(tx);
    db.close().await;
    rows.into_iter().map(|(id,)| id).collect()
}

/// Checks a disaster drill: users are inserted during a backup, the machine is lost, and the backup
/// is restored. All rows that were acknowledged before the backup began are present.
// spec: 10.15.22
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_backup_under_load_has_all_earlier_acknowledged_writes() {
    let app = app::sqlite().await;
    let place = tempfile::tempdir().unwrap();
    let (folder, ring) = (place.path().join("backups"), place.path().join("sooner.keys"));
    app.app.keyring.save_new(&ring).unwrap();
    let ring = ring.to_str().unwrap().to_owned();
    let people = [app.person("one").await, app.person("two").await, app.person("three").await];
    let stop = Arc::new(AtomicBool::new(false));
    let writers: Vec<_> = people
        .iter()
        .map(|person| {
            let (db, random) = (app.app.db.clone(), app.app.random.clone());
            tokio::spawn(write(db, random, person.id, stop.clone()))
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(300)).await;
    let source = app.app.settings.database_url.clone();
    let (began, ended, said) = tokio::task::spawn_blocking({
        let (source, folder, ring) = (source.clone(), folder.clone(), ring.clone());
        move || {
            let began = Instant::now();
            let made = sooner(&source, &["backup", folder.to_str().unwrap(), "--key-ring", &ring]);
            (began, Instant::now(), done(&made))
        }
    })
    .await
    .unwrap();
    tokio::time::sleep(Duration::from_millis(100)).await;
    stop.store(true, Ordering::Relaxed);
    let mut written = Vec::new();
    for writer in writers {
        written.extend(writer.await.unwrap());
    }
    let file = only_file(&folder);
    assert!(said.contains(&app.app.keyring.active()) && said.contains("sha256"), "{said}");
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    // The machine is lost. Another machine has the backup and the key ring.
    let restored = place.path().join("new/sooner.db");
    let words = ["restore", file.to_str().unwrap(), "--key-ring", &ring];
    let said = done(&sooner(&url(&restored), &words));
    assert!(said.contains("ended 3 sign-ins"), "{said}");
    let there = transfers(&restored).await;
    let before: Vec<_> = written.iter().filter(|one| one.said < began).collect();
    let after = written.iter().filter(|one| one.began > ended).count();
    assert!(before.len() > 5 && after > 5, "{} before, {after} after", before.len());
    for one in &before {
        assert!(there.contains(&one.id.0), "acknowledged before the backup began, and lost");
    }
    for one in written.iter().filter(|one| one.began > ended) {
        assert!(!there.contains(&one.id.0), "in a backup that had ended before");
    }
    assert!(
        there.iter().all(|id| written.iter().any(|one| one.id.0 == *id)),
        "the backup has other movements"
    );
}

// spec: 10.15.22, 10.15.23
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_has_no_session_and_never_replaces_a_served_database() {
    let place = tempfile::tempdir().unwrap();
    let old = place.path().join("sooner.db");
    std::fs::write(&old, old_databases::unpacked("ed54278", "sooner.db.gz")).unwrap();
    let db = Db::open(&url(&old)).await.unwrap();
    store::migrate::migrate(&db).await.unwrap();
    let mut tx = db.read().await.unwrap();
    let sql = "SELECT session_blob FROM portal_account WHERE session_blob IS NOT NULL";
    let blobs = all!(&mut tx, (Vec<u8>,), sql).unwrap();
    assert!(!blobs.is_empty(), "the saved database has sessions");
    drop(tx);
    let mut tx = db.begin().await.unwrap();
    let (id,) = all!(&mut tx, (uuid::Uuid,), "SELECT id FROM users").unwrap()[0];
    let now = chrono::Utc::now();
    let expires_at = now + TimeDelta::days(7);
    let link = NewLink { user: UserId(id), kind: LinkKind::Invitation, expires_at };
    store::sign_in_link::issue(&mut tx, &link, &[7; 32], now).await.unwrap();
    tx.commit().await.unwrap();
    db.close().await;
    let folder = place.path().join("backups");
    done(&sooner(&url(&old), &["backup", folder.to_str().unwrap()]));
    let file = only_file(&folder);
    let bytes = std::fs::read(&file).unwrap();
    for (blob,) in &blobs {
        let part = &blob[..32.min(blob.len())];
        assert!(!bytes.windows(part.len()).any(|window| window == part), "a session is in the backup");
    }
    // The database still exists. A restore overwrites it only with a flag, and never while a server
    // uses it.
    let keys = place.path().join("sooner.keys");
    old_databases::ring("ed54278").save_new(&keys).unwrap();
    let (file, keys) = (file.to_str().unwrap(), keys.to_str().unwrap());
    let words = ["restore", file, "--key-ring", keys, "--codes", "revoke"];
    let why = refused(&sooner(&url(&old), &words));
    assert!(why.contains("--replace"), "{why}");
    let lock = store::file_lock::FileLock::acquire(&url(&old), chrono::DateTime::UNIX_EPOCH).unwrap();
    let why = refused(&sooner(&url(&old), &[&words[..], &["--replace"]].concat()));
    assert!(why.contains("another server works on"), "{why}");
    drop(lock);
    // Another key ring decrypts none of the secrets.
    let other = place.path().join("other.keys");
    KeyRing::generate(&Random::seeded(77)).save_new(&other).unwrap();
    let words = ["restore", file, "--key-ring", other.to_str().unwrap(), "--codes", "keep", "--replace"];
    let why = refused(&sooner(&url(&old), &words));
    assert!(why.contains("not the one"), "{why}");
    assert!(!place.path().join("sooner.db.restoring").exists(), "a half restored file is left");
    let said =
        done(&sooner(&url(&old), &["restore", file, "--key-ring", keys, "--codes", "revoke", "--replace"]));
    assert!(said.contains("before-restore-"), "{said}");
    let db = Db::open(&url(&old)).await.unwrap();
    let mut tx = db.read().await.unwrap();
    let open = "SELECT COUNT(*) FROM intent WHERE state = 'armed'";
    assert_eq!(
        scalar!(&mut tx, i64, open).unwrap(),
        0,
        "a prepared attempt may have been sent, so it is read back"
    );
    let waiting = "SELECT COUNT(*) FROM outbox WHERE delivered_at IS NULL AND dead_at IS NULL";
    assert_eq!(scalar!(&mut tx, i64, waiting).unwrap(), 0, "a mail would be sent twice");
    let live = "SELECT COUNT(*) FROM session WHERE revoked_at IS NULL";
    assert_eq!(scalar!(&mut tx, i64, live).unwrap(), 0);
    let links = "SELECT COUNT(*) FROM sign_in_link";
    assert_eq!(scalar!(&mut tx, i64, links).unwrap(), 0, "a used invitation is valid again");
    let at = chrono::Utc::now;
    let early = (at() - TimeDelta::hours(1), at() + TimeDelta::hours(1));
    assert!(
        !store::timeline::allows(&mut tx, engine::LEASE, early).await.unwrap(),
        "pages from before the restore count"
    );
    let soon = (at() + TimeDelta::seconds(5), at() + TimeDelta::seconds(5));
    assert!(!store::timeline::allows(&mut tx, engine::LEASE, soon).await.unwrap(), "the portal's pages lag");
    let late = (at() + TimeDelta::seconds(5), at() + TimeDelta::hours(1));
    assert!(store::timeline::allows(&mut tx, engine::LEASE, late).await.unwrap());
}

// spec: 10.15.23
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restore_with_open_codes_needs_the_codes_option() {
    let app = app::sqlite().await;
    let place = tempfile::tempdir().unwrap();
    let keys = place.path().join("sooner.keys");
    app.app.keyring.save_new(&keys).unwrap();
    let keys = keys.to_str().unwrap();
    let source = app.app.settings.database_url.clone();
    let minted = sooner(&source, &["codes", "mint", "--amount", "50.00", "--count", "2", "--key-ring", keys]);
    done(&minted);
    let folder = place.path().join("backups");
    done(&sooner(&source, &["backup", folder.to_str().unwrap(), "--key-ring", keys]));
    let file = only_file(&folder);
    let restore = |name: &str, codes: &[&str]| {
        let target = url(&place.path().join(name));
        sooner(&target, &[&["restore", file.to_str().unwrap(), "--key-ring", keys], codes].concat())
    };
    let why = refused(&restore("none.db", &[]));
    assert!(why.contains("2 top-up codes") && why.contains("--codes revoke"), "{why}");
    assert!(!place.path().join("none.db").exists(), "a half restored file is left");
    // A crash left a log without its database. SQLite would apply this log to the backup.
    std::fs::write(place.path().join("gone.db-wal"), b"pages of another database").unwrap();
    let why = refused(&restore("gone.db", &["--codes", "keep"]));
    assert!(why.contains("a log beside it"), "{why}");
    done(&restore("gone.db", &["--codes", "keep", "--replace"]));
    assert!(!place.path().join("gone.db-wal").exists(), "the log was not set aside");
    for _ in 0..3 {
        done(&restore("gone.db", &["--codes", "keep", "--replace"]));
    }
    let names =
        std::fs::read_dir(place.path()).unwrap().map(|one| one.unwrap().file_name().into_string().unwrap());
    let is_database = |name: &String| {
        name.starts_with("gone.db.before-restore-") && !name.contains("-wal") && !name.contains("-shm")
    };
    assert_eq!(
        names.filter(is_database).count(),
        3,
        "each earlier database is preserved, even within the same second"
    );
    assert!(done(&restore("kept.db", &["--codes", "keep"])).contains("revoked 0 top-up codes"));
    assert!(done(&restore("revoked.db", &["--codes", "revoke"])).contains("revoked 2 top-up codes"));
}

// spec: 10.15.24
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn money_is_held_until_card_payments_are_read_again() {
    for failover in [false, true] {
        forgotten_payments_are_read_again(failover).await;
    }
}

/// Checks the card payments after a restore from a backup, or after a failover that lost the last
/// commits.
async fn forgotten_payments_are_read_again(failover: bool) {
    let s = stage::sqlite().await;
    let person = s.payer("card", 0).await;
    s.paid(&person, 50.0).await;
    // More disputes than the provider lists on one page.
    let mut disputed = Vec::new();
    for _ in 0..11 {
        disputed.push(s.paid(&person, 5.0).await);
        s.wait(10);
    }
    s.sweep().await;
    let place = tempfile::tempdir().unwrap();
    let made = backup::sqlite(&s.app.settings.database_url, place.path(), s.clock.now()).await.unwrap();
    // The copy lacks a payment, a refund that its user requested, and a dispute.
    s.wait(60);
    s.paid(&person, 30.0).await;
    for payment in &disputed {
        s.dispute(payment, None);
    }
    s.told().await;
    s.ok("POST", "/auth/step-up", &person, json!({ "password": PASSWORD })).await;
    s.ok("POST", "/payment/refunds", &person, json!({ "amount": 20.0 })).await;
    s.sweep().await;
    s.sweep().await;
    assert_eq!(s.credit(&person).await, (60.0, 0.0));
    s.wait(60);
    let restored = url(&made.path);
    if failover {
        failed_over(&restored, s.clock.now()).await;
    } else {
        prepared(&restored, s.clock.now()).await.unwrap();
    }
    let ring = KeyRing::generate(&Random::seeded(5));
    let again = app::over(restored, place, s.clock.clone(), app::NOWHERE.to_owned(), ring).await;
    let again = again.with_cards(&s.sandbox.ready());
    let before = again.get("/user/profile", &person).await;
    assert!(failover || before.status == 401, "sign-ins from before are still valid");
    assert_eq!(hold(&again, person.id, 10_00).await, Err(true), "a hold is possible already");
    server::workers::card_reconciliation::round(&again.app).await.unwrap();
    let mut tx = again.app.db.read().await.unwrap();
    assert_eq!(restore::unfinished(&mut tx).await.unwrap(), None);
    let balance = ledger::balance(&mut tx, person.id).await.unwrap().available;
    assert_eq!(balance, Money::cad(60_00), "the payment is credited, refund and dispute are debited");
    drop(tx);
    assert_eq!(hold(&again, person.id, 70_00).await, Err(false));
    assert_eq!(hold(&again, person.id, 60_00).await, Ok(()));
    again.books_balance().await;
    // A repeated recovery changes nothing.
    server::workers::card_reconciliation::round(&again.app).await.unwrap();
    again.books_balance().await;
}

// spec: 10.15.24
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_cards_money_is_held_only_after_a_card_payment() {
    let s = stage::sqlite().await;
    let mut app = s.app.clone();
    app.cards = None;
    let failover = async || {
        let mut tx = app.db.begin().await.unwrap();
        restore::after_failover(&mut tx, s.clock.now()).await.unwrap();
        tx.commit().await.unwrap();
        server::workers::card_reconciliation::round(&app).await.unwrap();
        restore::unfinished(&mut app.db.read().await.unwrap()).await.unwrap()
    };
    let person = s.payer("card", 0).await;
    s.prepare(&person, 20.0).await;
    assert_eq!(failover().await, None, "a payment that only began cannot be missing");
    s.paid(&person, 20.0).await;
    assert!(failover().await.is_some());
    let mut tx = app.db.read().await.unwrap();
    assert_eq!(restore::waits_long(&mut tx, s.clock.now()).await.unwrap(), None);
    let later = s.clock.now() + TimeDelta::minutes(11);
    assert!(restore::waits_long(&mut tx, later).await.unwrap().is_some(), "then the operator is notified");
}

// spec: 10.15.23
#[test]
fn commands_do_not_create_a_database() {
    let place = tempfile::tempdir().unwrap();
    let elsewhere = place.path().join("sooner.db");
    for words in [&["plans", "set", "--price", "41.00"][..], &["codes", "list"], &["doctor"]] {
        let output = sooner(&url(&elsewhere), words);
        let said = [output.stdout.clone(), output.stderr.clone()].concat();
        let said = String::from_utf8(said).unwrap();
        assert!(!output.status.success() && said.contains("no database at"), "{words:?}: {said}");
    }
    assert!(!elsewhere.exists());
}

// spec: 10.15.23
#[tokio::test]
async fn a_restore_by_root_gives_files_to_the_owner_of_the_folder() {
    let place = tempfile::tempdir().unwrap();
    if std::fs::metadata(place.path()).unwrap().uid() != 0 {
        return;
    }
    old_file(place.path()).await.close().await;
    let made =
        backup::sqlite(&url(&place.path().join("sooner.db")), place.path(), dawn()).await.unwrap().path;
    let keys = place.path().join("sooner.keys");
    old_databases::ring("ed54278").save_new(&keys).unwrap();
    let theirs = place.path().join("theirs");
    std::fs::create_dir(&theirs).unwrap();
    chown(&theirs, Some(4711), Some(4712)).unwrap();
    let words = ["restore", made.to_str().unwrap(), "--key-ring", keys.to_str().unwrap(), "--codes", "keep"];
    done(&sooner(&url(&theirs.join("sooner.db")), &words));
    for name in ["sooner.db", "sooner.db.lock"] {
        let file = std::fs::metadata(theirs.join(name)).unwrap();
        assert_eq!((file.uid(), file.gid()), (4711, 4712), "{name}");
    }
}

fn dawn() -> domain::clock::Instant {
    "2026-11-21T08:00:00Z".parse().unwrap()
}

/// Marks a database like the engine after it detects a failover.
async fn failed_over(url: &str, now: domain::clock::Instant) {
    let db = Db::open(url).await.unwrap();
    let mut tx = db.begin().await.unwrap();
    restore::after_failover(&mut tx, now).await.unwrap();
    tx.commit().await.unwrap();
    db.close().await;
}

/// Prepares a database like `sooner restore`.
async fn prepared(url: &str, now: domain::clock::Instant) -> Result<restore::Prepared, store::Error> {
    let db = Db::open(url).await.unwrap();
    let mut tx = db.begin().await.unwrap();
    let prepared = restore::prepare(&mut tx, engine::LEASE, OpenCodes::Keep, now, now).await;
    tx.commit().await.unwrap();
    db.close().await;
    prepared
}

// spec: 10.15.24
#[tokio::test]
async fn a_backup_after_a_restore_keeps_the_first_gap_of_payments() {
    let place = tempfile::tempdir().unwrap();
    old_file(place.path()).await.close().await;
    let at = |hour| dawn() + TimeDelta::hours(hour);
    let backup = async |from: &Path, name: &str, hour| {
        backup::sqlite(&url(from), &place.path().join(name), at(hour)).await.unwrap().path
    };
    let first = backup(&place.path().join("sooner.db"), "first", 0).await;
    assert_eq!(prepared(&url(&first), at(1)).await.unwrap().backup_at, at(0));
    // The machine is lost again before the card payments were read. Payments are missing since the
    // first backup.
    let second = backup(&first, "second", 2).await;
    assert_eq!(prepared(&url(&second), at(3)).await.unwrap().backup_at, at(0));
    let db = Db::open(&url(&second)).await.unwrap();
    let mut tx = db.begin().await.unwrap();
    let unread = restore::unfinished(&mut tx).await.unwrap().unwrap();
    assert_eq!(unread.restored_at, at(3));
    restore::cards_were_read(&mut tx, at(3), at(3)).await.unwrap();
    tx.commit().await.unwrap();
    db.close().await;
    let third = backup(&second, "third", 4).await;
    assert_eq!(prepared(&url(&third), at(5)).await.unwrap().backup_at, at(4));
    // Payments that were read after an earlier restore do not replace those that the last restore
    // lost. An operator may give up the wait.
    let db = Db::open(&url(&third)).await.unwrap();
    let mut tx = db.begin().await.unwrap();
    restore::cards_were_read(&mut tx, at(3), at(6)).await.unwrap();
    assert!(restore::unfinished(&mut tx).await.unwrap().is_some());
    drop(tx);
    db.close().await;
    assert!(done(&sooner(&url(&third), &["ledger", "thaw"])).contains("--without-cards ends this wait"));
    assert!(
        done(&sooner(&url(&third), &["ledger", "thaw", "--without-cards"]))
            .contains("money is no longer frozen")
    );
    let db = Db::open(&url(&third)).await.unwrap();
    assert_eq!(restore::unfinished(&mut db.read().await.unwrap()).await.unwrap(), None);
}

// spec: 10.15.24
#[tokio::test]
async fn a_database_with_a_running_server_is_not_prepared() {
    let target = app::postgres_url().await;
    let db = Db::open(&target).await.unwrap();
    store::migrate::migrate(&db).await.unwrap();
    let web = store::node::Node {
        name: "web-1".to_owned(),
        roles: "web".to_owned(),
        version: "1".to_owned(),
        host: "portal.example".to_owned(),
        seen_at: dawn(),
    };
    let mut tx = db.begin().await.unwrap();
    store::node::record(&mut tx, &web).await.unwrap();
    tx.commit().await.unwrap();
    let why = prepared(&target, dawn() + TimeDelta::minutes(1)).await.unwrap_err().to_string();
    assert!(why.contains("web-1") && why.contains("Stop them first"), "{why}");
    prepared(&target, dawn() + TimeDelta::minutes(3)).await.unwrap();
    db.close().await;
}

/// Puts an amount on hold. The error is `true` if the hold was refused because money is frozen.
async fn hold(app: &TestApp, user: UserId, minor: i64) -> Result<(), bool> {
    let mut tx = app.app.db.begin().await.unwrap();
    let source = ("task", Uuid::from_bytes(app.app.random.bytes()));
    let now = app.clock.now();
    match ledger::hold(&mut tx, &app.app.random, user, Money::cad(minor), source, now).await {
        Ok(_) => {
            tx.commit().await.unwrap();
            Ok(())
        }
        Err(ledger::HoldError::Store(store::Error::Frozen(_))) => Err(true),
        Err(_) => Err(false),
    }
}

async fn old_file(folder: &Path) -> Db {
    let file = folder.join("sooner.db");
    std::fs::write(&file, old_databases::unpacked("ed54278", "sooner.db.gz")).unwrap();
    let db = Db::open(&url(&file)).await.unwrap();
    store::migrate::migrate(&db).await.unwrap();
    db
}

// spec: 10.15.25
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_is_copied_to_postgres_row_by_row() {
    let target = app::postgres_url().await;
    let folder = tempfile::tempdir().unwrap();
    let db = old_file(folder.path()).await;
    let before = State::read(&mut db.read().await.unwrap()).await;
    before.assert_full();
    db.close().await;
    let source = url(&folder.path().join("sooner.db"));
    let said = done(&sooner(&source, &["database", "copy", "--from", &source, "--to", &target]));
    assert!(said.contains("copied and compared") && said.contains("ledger_transfer"), "{said}");
    let copied = Db::open(&target).await.unwrap();
    let mut tx = copied.read().await.unwrap();
    assert_eq!(before, State::read(&mut tx).await);
    old_databases::opens(&mut tx, &old_databases::ring("ed54278")).await;
    drop(tx);
    copied.close().await;
    let why = refused(&sooner(&source, &["database", "copy", "--from", &source, "--to", &target]));
    assert!(why.contains("is not empty"), "{why}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_that_differs_is_rolled_back() {
    let target = app::postgres_url().await;
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (old_file(folder.path()).await, Db::open(&target).await.unwrap());
    store::migrate::migrate(&to).await.unwrap();
    // A trigger in the target database changes the copied rows.
    let mut tx = to.begin().await.unwrap();
    for sql in [
        "CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.day := NEW.day + 1; RETURN NEW; END'",
        "CREATE TRIGGER spoil BEFORE INSERT ON seen_day FOR EACH ROW EXECUTE FUNCTION spoil()",
    ] {
        exec!(&mut tx, sql).unwrap();
    }
    tx.commit().await.unwrap();
    let why = copy::sqlite_to_postgres(&from, &to).await.unwrap_err().to_string();
    assert!(why.contains("seen_day differs"), "{why}");
    let mut tx: Tx = to.read().await.unwrap();
    assert_eq!(scalar!(&mut tx, i64, "SELECT COUNT(*) FROM users").unwrap(), 0, "some rows were copied");
}

//! Tests of a database of an older version that is migrated to this version with all its rows.

use domain::channel::{ChannelKind, EventKind};
use domain::country::CountryCode;
use store::migrate::Schema;
use store::outbox::history::{self, Page};
use store::{Options, exec, one};
use uuid::Uuid;

use crate::support::{World, empty_postgres, empty_sqlite, later, now};

// spec: 10.11.16
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_old_ledger_is_migrated_on_sqlite() {
    an_old_ledger_is_migrated(empty_sqlite().await).await;
}

// spec: 10.11.16
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_old_ledger_is_migrated_on_postgres() {
    an_old_ledger_is_migrated(empty_postgres(&Options::default()).await).await;
}

const USER: Uuid = Uuid::from_u128(1);
const ACCOUNT: Uuid = Uuid::from_u128(2);
const REVENUE: Uuid = Uuid::from_u128(3);
const TOPUP: Uuid = Uuid::from_u128(4);
const TASK: Uuid = Uuid::from_u128(5);

async fn an_old_ledger_is_migrated(w: World) {
    store::migrate::migrate_through(&w.db, "0015_credentials").await.unwrap();
    old_rows(&w).await;
    assert!(store::migrate::migrate(&w.db).await.unwrap().contains(&"0017_money"));
    w.books_balance().await;
    let mut tx = w.begin().await;
    for (id, position, posted, held) in [(11, 1, 50_00, 0), (12, 2, 50_00, 20_00), (13, 3, 30_00, 0)] {
        let row = one!(
            &mut tx,
            (Uuid, i64, i64, i64),
            "SELECT user_account, position, posted_after, held_after FROM ledger_transfer WHERE id = $1",
            Uuid::from_u128(id)
        );
        assert_eq!(row.unwrap(), Some((ACCOUNT, position, posted, held)));
    }
    let user = domain::ids::UserId(USER);
    assert_eq!(store::ledger::balance(&mut tx, user).await.unwrap().available.minor, 30_00);
    let group = domain::ids::PortalScheduleId("7".to_owned());
    assert_eq!(
        store::journal::entitled(&mut tx, user, (CountryCode::CANADA, &group), later(9)).await.unwrap(),
        2
    );
    drop(tx);
    waiting_mails_are_carried_over(&w).await;
    for sql in [
        "UPDATE ledger_transfer SET amount = 1",
        "DELETE FROM ledger_transfer",
        "DELETE FROM ledger_account",
        "UPDATE ledger_account SET owner = id",
        "UPDATE ledger_account SET held = posted + 1 WHERE kind = 'user'",
    ] {
        let mut tx = w.begin().await;
        assert!(exec!(&mut tx, sql).is_err(), "{sql}");
    }
    // SQLite leaves the existing account unchanged and reports no error.
    let again = "INSERT INTO ledger_account (id, kind, owner, currency, posted, held)
         SELECT owner, kind, owner, currency, 0, 0 FROM ledger_account WHERE kind = 'user'";
    let mut tx = w.begin().await;
    assert_eq!(exec!(&mut tx, again).unwrap_or(0), 0);
}

/// Checks that mails queued before channels existed are still sent, the alert one day after the
/// booking.
async fn waiting_mails_are_carried_over(w: &World) {
    let mut tx = w.begin().await;
    let waiting =
        store::outbox::claim(&mut tx, "test", 9, chrono::TimeDelta::seconds(9), later(9)).await.unwrap();
    let found: Vec<_> = waiting.iter().map(|mail| (mail.kind, mail.event, mail.channel)).collect();
    assert_eq!(
        found,
        [(ChannelKind::Email, EventKind::Booked, None), (ChannelKind::Email, EventKind::Opening, None)]
    );
    let entries = history::of_user(&mut tx, domain::ids::UserId(USER), PAGE).await.unwrap();
    assert_eq!((entries.len(), entries[0].task), (2, Some(domain::ids::TaskId(TASK))));
    tx.commit().await.unwrap();
}

const PAGE: Page = Page { task: None, before: None, limit: 9 };

/// Inserts a user who topped up 50.00 and paid 20.00 for two applicants.
async fn old_rows(w: &World) {
    let mut tx = w.begin().await;
    exec!(
        &mut tx,
        "INSERT INTO users (id, email, email_normalised, language, auto_stop, referral_code, created_at, updated_at)
         VALUES ($1, 'old@example.com', 'old@example.com', 'zh', FALSE, 'old', $2, $2)",
        USER,
        now()
    )
    .unwrap();
    for (id, kind, owner, posted) in [
        (ACCOUNT, "user", USER, 30_00),
        (REVENUE, "revenue", Uuid::nil(), 20_00),
        (TOPUP, "topup", Uuid::nil(), -50_00),
    ] {
        exec!(
            &mut tx,
            "INSERT INTO ledger_account (id, kind, owner, currency, posted, held) VALUES ($1, $2, $3, 'CAD', $4, 0)",
            id,
            kind,
            owner,
            i64::from(posted)
        )
        .unwrap();
    }
    let hold = Uuid::from_u128(12);
    for (id, kind, (debit, credit), amount, resolves, source, at) in [
        (11, "topup", (TOPUP, ACCOUNT), 50_00, None, "test", 1),
        (12, "hold", (ACCOUNT, REVENUE), 20_00, None, "task", 2),
        (13, "capture", (ACCOUNT, REVENUE), 20_00, Some(hold), "hold", 3),
    ] {
        exec!(
            &mut tx,
            "INSERT INTO ledger_transfer (id, kind, debit_account, credit_account, amount, currency, resolves_id,
               source_kind, source_id, source_seq, created_at) VALUES ($1, $2, $3, $4, $5, 'CAD', $6, $7, $1, 1, $8)",
            Uuid::from_u128(id),
            kind,
            debit,
            credit,
            i64::from(amount),
            resolves,
            source,
            later(at)
        )
        .unwrap();
    }
    old_task(&mut tx).await;
    for (id, template) in [(21, "appointment_alert"), (22, "booked")] {
        exec!(
            &mut tx,
            "INSERT INTO outbox (id, dedup_key, channel, user_id, recipient, language, template, data, created_at, due_at,
               attempts, epoch) VALUES ($1, $2, 'mail', $3, 'old@example.com', 'zh', $2, $4, $5, $5, 0, 0)",
            Uuid::from_u128(id),
            template,
            USER,
            serde_json::json!({ "task_id": TASK }),
            now()
        )
        .unwrap();
    }
    exec!(
        &mut tx,
        "INSERT INTO entitlement (id, user_id, country, portal_schedule_id, applicants, starts_at, ends_at, task_id)
         VALUES ($1, $1, 'en-ca', '7', 2, $2, $3, $4)",
        USER,
        now(),
        later(86_400),
        TASK
    )
    .unwrap();
    tx.commit().await.unwrap();
}

async fn old_task(tx: &mut store::Tx) {
    exec!(
        tx,
        "INSERT INTO portal_account (id, login_fp, country, visa_type, health_since, budget, created_at)
         VALUES ($1, $2, 'en-ca', 'niv', $3, '{}', $3)",
        TASK,
        vec![1_u8],
        now()
    )
    .unwrap();
    exec!(
        tx,
        "INSERT INTO task (id, user_id, portal_account_id, country, visa_type, portal_schedule_id, status, status_since,
           applicant_group, group_read_at, verdict, verdict_since, verdict_evidence, created_at, updated_at)
         VALUES ($1, $2, $1, 'en-ca', 'niv', '7', 'draft', $3, '{}', $3, 'x', $3, '{}', $3, $3)",
        TASK,
        USER,
        now()
    )
    .unwrap();
}

// spec: 10.15.17
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_schema_of_a_newer_build_is_refused_on_sqlite() {
    a_schema_of_a_newer_build_is_refused(empty_sqlite().await).await;
}

// spec: 10.15.17
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_schema_of_a_newer_build_is_refused_on_postgres() {
    a_schema_of_a_newer_build_is_refused(empty_postgres(&Options::default()).await).await;
}

async fn a_schema_of_a_newer_build_is_refused(w: World) {
    // The schema is older than the column `older_builds`, so nothing is known about the newer
    // migration.
    store::migrate::migrate_through(&w.db, "0036_outbox").await.unwrap();
    applied(&w, "0037_of_tomorrow").await;
    let refused = store::migrate::migrate(&w.db).await.unwrap_err().to_string();
    assert!(refused.contains("0037_of_tomorrow") && refused.contains("start that version"), "{refused}");
    let unchanged = store::migrate::pending(&w.db).await.unwrap();
    assert!(unchanged.contains(&"0042_older_builds"), "nothing was changed: {unchanged:?}");
    let mut tx = w.begin().await;
    exec!(&mut tx, "DELETE FROM migration WHERE name = '0037_of_tomorrow'").unwrap();
    tx.commit().await.unwrap();

    assert!(store::migrate::migrate(&w.db).await.unwrap().contains(&"0042_older_builds"));
    let mut tx = w.begin().await;
    assert_eq!(store::migrate::schema(&mut tx).await.unwrap(), Schema::Known);
    drop(tx);
    applied(&w, "9001_adds_a_table").await;
    let mut tx = w.begin().await;
    let tomorrow = vec!["9001_adds_a_table".to_owned()];
    assert_eq!(store::migrate::schema(&mut tx).await.unwrap(), Schema::Incompatible(tomorrow.clone()));
    exec!(&mut tx, "UPDATE migration SET older_may_run = TRUE WHERE name = '9001_adds_a_table'").unwrap();
    assert_eq!(store::migrate::schema(&mut tx).await.unwrap(), Schema::Ahead(tomorrow));
    tx.commit().await.unwrap();
    assert_eq!(store::migrate::migrate(&w.db).await.unwrap(), Vec::<&str>::new(), "older builds may run");
    applied(&w, "9002_drops_a_column").await;
    assert!(store::migrate::migrate(&w.db).await.is_err(), "all migrations have to declare it");
}

/// Records a migration of a newer build as applied.
async fn applied(w: &World, name: &str) {
    let mut tx = w.begin().await;
    let sql = "INSERT INTO migration (name, checksum) VALUES ($1, $2)";
    exec!(&mut tx, sql, name.to_owned(), vec![0_u8; 32]).unwrap();
    tx.commit().await.unwrap();
}

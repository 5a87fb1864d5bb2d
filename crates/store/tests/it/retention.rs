//! Checks that rows of every table expire, that an index finds the expired rows, and that other
//! rows stay.

use chrono::TimeDelta;
use domain::calendar::{CalendarKey, Kind, compare};
use domain::country::{CountryCode, VisaType};
use domain::facility::FacilityId;
use domain::ids::{OutboxId, TaskId, UserId};
use domain::journal::JournalEvent;
use serde_json::json;
use sqlx::{AssertSqlSafe, Row as _};
use store::forget::{self, ExpiringData};
use store::retention::{GrowthLimit, TABLES};
use store::{Error, Tx, all, exec, journal, observation, scalar};
use uuid::Uuid;

use crate::support::{World, later, now};
use crate::tasks_and_accounts::{day, group};

stories!(
    every_table_has_a_retention_rule,
    every_retention_search_uses_an_index,
    journal_details_are_swept_and_consent_is_retained,
    the_last_observation_of_a_list_is_retained,
    a_deleted_draft_is_swept_with_its_journal,
    a_draft_with_references_is_retained,
    used_refresh_tokens_are_swept_and_the_session_continues,
);

// spec: 10.15.21
async fn every_table_has_a_retention_rule(w: World) {
    let mut tx = w.begin().await;
    let sql = tx.pick(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
        "SELECT CAST(tablename AS TEXT) FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename",
    );
    let found: Vec<_> = all!(&mut tx, (String,), sql).unwrap().into_iter().map(|(name,)| name).collect();
    let listed: Vec<_> = TABLES.iter().map(|table| table.name.to_owned()).collect();
    assert_eq!(listed, found, "store/src/retention.rs lists every table, in order");
    for table in TABLES {
        let rules = ExpiringData::all().filter(|old| old.table() == table.name).count();
        assert_eq!(matches!(table.end, GrowthLimit::Swept(_)), rules > 0, "{}", table.name);
    }
    for old in ExpiringData::all() {
        assert!(TABLES.iter().any(|table| table.name == old.table()), "{old:?}");
    }
}

// spec: 10.15.21
/// Checks that no retention query reads a whole table.
async fn every_retention_search_uses_an_index(w: World) {
    let mut tx = w.begin().await;
    if matches!(tx, Tx::Postgres(_)) {
        // The tables are empty in tests, so PostgreSQL would prefer a sequential scan. Disable it.
        for method in ["seqscan", "bitmapscan", "mergejoin", "hashjoin"] {
            let Tx::Postgres(t) = &mut tx else { continue };
            let sql = AssertSqlSafe(format!("SET LOCAL enable_{method} = off"));
            sqlx::raw_sql(sql).execute(&mut **t).await.unwrap();
        }
    }
    for old in ExpiringData::all() {
        let plan = plan(&mut tx, old).await.unwrap();
        let scans = plan.iter().filter(|line| {
            let line = line.trim();
            line.contains("Seq Scan") || (line.starts_with("SCAN ") && !line.contains(" INDEX "))
        });
        let scans: Vec<_> = scans.collect();
        assert!(scans.is_empty(), "{old:?} reads all of a table: {plan:#?}");
        // Reading a whole index of another column would be as slow.
        let by_condition = plan.iter().any(|line| line.contains("Index Cond") || line.contains("SEARCH "));
        assert!(by_condition, "{old:?} is not searched for by its condition: {plan:#?}");
    }
}

async fn plan(tx: &mut Tx, old: ExpiringData) -> Result<Vec<String>, Error> {
    let [sqlite, postgres] = old.searches();
    Ok(match tx {
        Tx::Sqlite(t) => {
            let sql = format!("EXPLAIN QUERY PLAN {sqlite}");
            let query = sqlx::query(AssertSqlSafe(sql)).bind(now()).bind(200_i64);
            query.fetch_all(&mut **t).await?.iter().map(|row| row.get("detail")).collect()
        }
        Tx::Postgres(t) => {
            let sql = format!("EXPLAIN {postgres}");
            let query = sqlx::query(AssertSqlSafe(sql)).persistent(false).bind(now()).bind(200_i64);
            query.fetch_all(&mut **t).await?.iter().map(|row| row.get(0)).collect()
        }
    })
}

/// Checks that the journal kinds named by the retention rules exist.
#[test]
fn swept_journal_kinds_exist() {
    let [search, _] = ExpiringData::JournalDetail.searches();
    let kinds: Vec<_> = search.split('\'').skip(1).step_by(2).collect();
    assert_eq!(kinds.len(), 10, "{search}");
    for kind in kinds {
        let read = serde_json::from_value::<JournalEvent>(json!({ "kind": kind }));
        let unknown = read.is_err_and(|error| error.to_string().contains("unknown variant"));
        assert!(!unknown, "{kind}");
    }
}

async fn sweep(w: &World, at: domain::clock::Instant) -> u64 {
    let mut gone = 0;
    for old in ExpiringData::all() {
        gone += forget::forget(&w.db, old, forget::before(old, at, at)).await.unwrap();
    }
    gone
}

async fn a_task(w: &World) -> (UserId, TaskId) {
    let user = w.person(0).await;
    let mut tx = w.begin().await;
    let found = w.found(&mut tx, user, &user.to_string()).await;
    store::task::upsert_found(&mut tx, &found, now()).await.unwrap();
    tx.commit().await.unwrap();
    (user, found.id)
}

async fn line(w: &World, tx: &mut Tx, task: TaskId, event: &JournalEvent) {
    let id = Uuid::from_bytes(w.random.bytes());
    journal::add(tx, id, task, event, now()).await.unwrap();
}

// spec: 10.15.21
async fn journal_details_are_swept_and_consent_is_retained(w: World) {
    let (user, task) = a_task(&w).await;
    let mut tx = w.begin().await;
    line(&w, &mut tx, task, &JournalEvent::Submitted { held: 38.0 }).await;
    line(&w, &mut tx, task, &JournalEvent::SignedIn {}).await;
    line(&w, &mut tx, task, &JournalEvent::Watching {}).await;
    let (open, gone) = (day("2027-09-01"), day("2027-01-05"));
    for day in [open, gone] {
        let id = Uuid::from_bytes(w.random.bytes());
        journal::add_alert(&mut tx, id, task, (FacilityId::TORONTO, day), now()).await.unwrap();
    }
    journal::close_alerts(&mut tx, FacilityId::TORONTO, &[(task, gone)], now()).await.unwrap();
    let mail = OutboxId::new(now(), w.random.bytes());
    exec!(
        &mut tx,
        "INSERT INTO outbox (id, dedup_key, user_id, recipient, language, template, data, created_at, due_at, attempts, epoch, delivered_at)
         VALUES ($1, 'a', $2, 'p@example.com', 'en', 'booked', $3, $4, $4, 1, 1, $4)",
        mail.0,
        user.0,
        json!({}),
        now()
    )
    .unwrap();
    tx.commit().await.unwrap();
    assert_eq!(sweep(&w, now() + TimeDelta::days(89)).await, 0, "a row expired too early");
    assert_eq!(sweep(&w, now() + TimeDelta::days(91)).await, 4, "two entries, one alert, one mail");
    let mut tx = w.begin().await;
    let left = journal::of_task(&mut tx, task, 9).await.unwrap();
    assert!(
        matches!(left[..], [store::journal::Entry { event: JournalEvent::Submitted { .. }, .. }]),
        "{left:?}"
    );
    let alerts = journal::open_alerts(&mut tx).await.unwrap();
    assert_eq!(alerts, [(task, FacilityId::TORONTO, open)], "a day that is still listed is notified again");
    drop(tx);
    assert_eq!(sweep(&w, now() + TimeDelta::days(500)).await, 1, "the day has passed");
}

async fn the_last_observation_of_a_list_is_retained(w: World) {
    let kind = Kind::of(CountryCode::CANADA, VisaType::Niv, &group(), true);
    let key = CalendarKey { kind, facility: FacilityId::TORONTO };
    let days = |texts: &[&str]| texts.iter().map(|text| day(text)).collect::<Vec<_>>();
    let lists = [days(&["2027-01-05"]), days(&["2027-01-05", "2027-02-01"]), days(&["2027-02-01"])];
    let mut before = Vec::new();
    let mut tx = w.begin().await;
    for (n, list) in lists.iter().enumerate() {
        let change = compare(&before, list);
        let at = later(3_600 * n as i64);
        let id = Uuid::from_bytes(w.random.bytes());
        observation::record(&mut tx, id, &key, list, &change, at).await.unwrap();
        before.clone_from(list);
    }
    tx.commit().await.unwrap();
    let gone = sweep(&w, now() + TimeDelta::days(91)).await;
    assert_eq!(gone, 3, "two changes of three, and the day that vanished");
    let mut tx = w.begin().await;
    let since = now() + TimeDelta::days(60);
    let line = store::seen::changes(&mut tx, std::slice::from_ref(&key), since, 9).await.unwrap();
    assert_eq!(line.len(), 1, "the history of earliest days begins with the list of that time");
    assert_eq!(line[0].earliest, Some(day("2027-02-01")));
    drop(tx);
    // The list is not polled again, and the date passes.
    assert_eq!(sweep(&w, now() + TimeDelta::days(300)).await, 3, "its sighting and two days of the calendar");
}

async fn a_deleted_draft_is_swept_with_its_journal(w: World) {
    let (_, gone) = a_task(&w).await;
    let (_, stays) = a_task(&w).await;
    let mut tx = w.begin().await;
    line(&w, &mut tx, gone, &JournalEvent::Deleted {}).await;
    line(&w, &mut tx, stays, &JournalEvent::Started {}).await;
    store::task::delete(&mut tx, gone, now()).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(sweep(&w, now() + TimeDelta::days(29)).await, 0);
    assert_eq!(sweep(&w, now() + TimeDelta::days(31)).await, 2, "its entry, then the task itself");
    let mut tx = w.begin().await;
    let left = all!(&mut tx, (Uuid,), "SELECT id FROM task").unwrap();
    assert_eq!(left, [(stays.0,)]);
    assert_eq!(journal::of_task(&mut tx, stays, 9).await.unwrap().len(), 1);
}

async fn a_draft_with_references_is_retained(w: World) {
    let (_, task) = a_task(&w).await;
    let mut tx = w.begin().await;
    let id = Uuid::from_bytes(w.random.bytes());
    let alert = (FacilityId::TORONTO, day("2027-09-01"));
    journal::add_alert(&mut tx, id, task, alert, now()).await.unwrap();
    store::task::delete(&mut tx, task, now()).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(sweep(&w, now() + TimeDelta::days(31)).await, 0);
    // The date of the alert passes, and nothing references the draft.
    assert_eq!(sweep(&w, now() + TimeDelta::days(500)).await, 2);
    let mut tx = w.begin().await;
    assert_eq!(scalar!(&mut tx, i64, "SELECT COUNT(*) FROM task").unwrap(), 0);
}

async fn used_refresh_tokens_are_swept_and_the_session_continues(w: World) {
    use store::session::{self, Client, Method, NewSession, RefreshToken};
    let user = w.person(0).await;
    let id = domain::ids::SessionId::new(now(), w.random.bytes());
    let new = NewSession {
        id,
        user,
        remembered: true,
        expires_at: now() + TimeDelta::days(30),
        method: Method::Password,
        client: Client::default(),
    };
    let first = RefreshToken::new([1; 32]);
    let mut tx = w.begin().await;
    session::start(&mut tx, &new, &first, now()).await.unwrap();
    let second =
        session::rotate(&mut tx, &w.ring, &first, &Client::default(), later(60)).await.unwrap().successor;
    let third =
        session::rotate(&mut tx, &w.ring, &second, &Client::default(), later(120)).await.unwrap().successor;
    tx.commit().await.unwrap();
    assert_eq!(sweep(&w, now() + TimeDelta::days(8)).await, 2);
    let mut tx = w.begin().await;
    let old = session::rotate(&mut tx, &w.ring, &first, &Client::default(), later(200)).await;
    assert!(matches!(old, Err(session::RotateError::Invalid)), "a deleted session opens nothing");
    session::rotate(&mut tx, &w.ring, &third, &Client::default(), now() + TimeDelta::days(9)).await.unwrap();
}

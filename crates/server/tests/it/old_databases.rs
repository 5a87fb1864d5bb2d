//! Stories of databases that older builds wrote (`tests/saved`): they are migrated to this build
//! with all rows.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use domain::clock::ManualClock;
use domain::journal::JournalEvent;
use flate2::read::GzDecoder;
use secrecy::ExposeSecret as _;
use sqlx::{Connection as _, Executor as _};
use store::credential;
use store::keyring::{KeyRing, Sealed};
use store::{Db, Tx, all, scalar};
use uuid::Uuid;

use crate::app::{self, TestApp};

/// Password of all users in the old databases. The current rules would reject it.
const PASSWORD: &str = "Abcdef1!";

/// Commits of the builds whose databases are saved.
const BUILDS: [&str; 2] = ["1b2e915", "ed54278"];

fn kept(build: &str, file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/saved").join(build).join(file)
}

pub fn unpacked(build: &str, file: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    GzDecoder::new(std::fs::File::open(kept(build, file)).unwrap()).read_to_end(&mut bytes).unwrap();
    bytes
}

pub fn ring(build: &str) -> KeyRing {
    KeyRing::load(&kept(build, "test.keys")).unwrap()
}

// spec: 10.15.16
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_of_an_older_build_is_migrated_on_sqlite() {
    for build in BUILDS {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("sooner.db");
        std::fs::write(&file, unpacked(build, "sooner.db.gz")).unwrap();
        carried_over(build, format!("sqlite:{}", file.display()), folder).await;
    }
}

// spec: 10.15.16
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_of_an_older_build_is_migrated_on_postgres() {
    for build in BUILDS {
        let url = app::postgres_url().await;
        let dump = String::from_utf8(unpacked(build, "sooner.sql.gz")).unwrap();
        let mut connection = sqlx::PgConnection::connect(&url).await.unwrap();
        connection.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(dump))).await.unwrap();
        connection.close().await.unwrap();
        carried_over(build, url, tempfile::tempdir().unwrap()).await;
    }
}

async fn carried_over(build: &str, url: String, folder: tempfile::TempDir) {
    let ring = ring(build);
    let db = Db::open(&url).await.unwrap();
    let before = State::read(&mut db.read().await.unwrap()).await;
    before.assert_full();
    store::migrate::migrate(&db).await.unwrap();
    let mut tx = db.read().await.unwrap();
    assert_eq!(before, State::read(&mut tx).await, "migrations preserve users' rows");
    assert_eq!(store::ledger::check(&mut tx).await.unwrap(), []);
    opens(&mut tx, &ring).await;
    entries_are_known(&mut tx).await;
    drop(tx);
    db.close().await;
    serves(&before, url, folder, ring).await;
}

type Balance = (String, Uuid, i64, i64);
type Transfer = (Uuid, String, i64, Option<Uuid>, String, Uuid);
type TaskRow =
    (Uuid, String, Option<String>, String, Option<NaiveDate>, Option<Uuid>, Option<i64>, Option<i64>);
type AttemptRow = (Uuid, String, NaiveDate, Option<String>, bool);
type MailRow = (String, i32, bool, bool);

/// Rows of users: money, tasks, booking attempts, waiting mails and journals.
#[derive(Debug, PartialEq)]
pub struct State {
    balances: Vec<Balance>,
    transfers: Vec<Transfer>,
    tasks: Vec<TaskRow>,
    attempts: Vec<AttemptRow>,
    mails: Vec<MailRow>,
    journal: Vec<(Uuid, String)>,
    at: DateTime<Utc>,
}

impl State {
    pub async fn read(tx: &mut Tx) -> Self {
        let sql = "SELECT kind, owner, posted, held FROM ledger_account ORDER BY id";
        let balances = all!(tx, Balance, sql).unwrap();
        let sql =
            "SELECT id, kind, amount, resolves_id, source_kind, source_id FROM ledger_transfer ORDER BY id";
        let transfers = all!(tx, Transfer, sql).unwrap();
        let sql = "SELECT id, status, reason, verdict, booked_date, hold_id, total_price, captured_amount
                   FROM task ORDER BY id";
        let tasks = all!(tx, TaskRow, sql).unwrap();
        let sql = "SELECT id, state, target_date, target_time, passed_on FROM intent ORDER BY id";
        let attempts = all!(tx, AttemptRow, sql).unwrap();
        let sql = "SELECT dedup_key, attempts, delivered_at IS NULL, dead_at IS NULL FROM outbox ORDER BY id";
        let mails = all!(tx, MailRow, sql).unwrap();
        let journal = all!(tx, (Uuid, String), "SELECT id, kind FROM journal ORDER BY id").unwrap();
        let at = scalar!(tx, DateTime<Utc>, "SELECT MAX(updated_at) FROM task").unwrap();
        Self { balances, transfers, tasks, attempts, mails, journal, at }
    }

    /// Checks that the database contains rare kinds of rows. Without them, the story would prove
    /// nothing.
    pub fn assert_full(&self) {
        let statuses: Vec<_> = self.tasks.iter().map(|t| t.1.as_str()).collect();
        for status in domain::task::TaskStatus::ALL {
            assert!(statuses.contains(&status.as_str()), "no task is {status:?}");
        }
        for state in domain::booking::AttemptState::ALL {
            assert!(self.attempts.iter().any(|a| a.1 == state.as_str()), "no attempt is {state:?}");
        }
        assert!(self.balances.iter().any(|b| b.3 > 0), "nothing is on hold");
        assert!(self.mails.iter().filter(|m| m.2).count() > 8 && self.journal.len() > 30);
    }

    fn in_state(&self, state: &str) -> Vec<Uuid> {
        self.attempts.iter().filter(|a| a.1 == state).map(|a| a.0).collect()
    }
}

/// Checks that this build knows the type of every kind of entry that the older build wrote.
async fn entries_are_known(tx: &mut Tx) {
    let rows = all!(tx, (String, serde_json::Value), "SELECT kind, data FROM journal").unwrap();
    for (kind, data) in rows {
        let event = JournalEvent::read(kind.clone(), data);
        assert!(!matches!(event, JournalEvent::Other { .. }), "{event:?}");
        assert_eq!(event.columns().0, kind);
    }
}

/// Checks that every secret can be decrypted with the row for which it was encrypted.
pub async fn opens(tx: &mut Tx, ring: &KeyRing) {
    let owners = all!(tx, (Uuid,), "SELECT DISTINCT user_id FROM credential").unwrap();
    let mut passwords = 0;
    for (owner,) in owners {
        for known in credential::all_of_user(tx, domain::ids::UserId(owner)).await.unwrap() {
            let (place, sealed) = known.sealed();
            assert_eq!(ring.open(&place, &sealed).unwrap().expose_secret(), "Maple-2026");
            passwords += 1;
        }
    }
    assert!(passwords > 5, "{passwords} passwords");
    type Session = (Uuid, String, Vec<u8>, i32);
    let sql = "SELECT id, session_kid, session_blob, session_version FROM portal_account WHERE session_kid IS NOT NULL";
    let sessions = all!(tx, Session, sql).unwrap();
    assert!(sessions.len() > 3, "{} sessions", sessions.len());
    for (id, kid, blob, version) in sessions {
        let place = store::portal_account::session_place(domain::ids::PortalAccountId(id), version);
        ring.open(&place, &Sealed { kid, blob }).unwrap();
    }
}

/// Starts a server and its engine on the database. Checks that no sent attempt is lost, no prepared
/// one remains, and users find their rows.
async fn serves(before: &State, url: String, folder: tempfile::TempDir, ring: KeyRing) {
    let clock = ManualClock::new(before.at + TimeDelta::minutes(1));
    let app = app::over(url, folder, clock.clone(), app::NOWHERE.to_owned(), ring).await;
    for _ in 0..20 {
        let due = app.app.engine.run_due().await;
        let now = clock.now();
        let next = due.unwrap_or(now + TimeDelta::seconds(10));
        clock.set(next.clamp(now + TimeDelta::seconds(1), now + TimeDelta::seconds(30)));
    }
    assert!(app.app.engine.is_active(), "the engine works, although the lease was not released");
    let mut tx = app.app.db.read().await.unwrap();
    let after = State::read(&mut tx).await;
    assert_eq!(store::ledger::check(&mut tx).await.unwrap(), []);
    drop(tx);
    assert_eq!((&before.balances, &before.transfers), (&after.balances, &after.transfers));
    assert!(after.in_state("armed").is_empty(), "a prepared attempt was never sent");
    let sent = |state: &State| {
        let mut sent = state.in_state("acting");
        sent.extend(state.in_state("unknown"));
        sent.sort_unstable();
        sent
    };
    assert_eq!(sent(before), sent(&after), "a sent attempt waits for a portal that answers");
    for settled in ["confirmed", "refused", "not_booked", "manual"] {
        assert_eq!(before.in_state(settled), after.in_state(settled));
    }
    people_find_their_things(&app).await;
}

async fn people_find_their_things(app: &TestApp) {
    for email in ["bo@example.com", "mei@example.com"] {
        let id = scalar!(
            &mut app.app.db.read().await.unwrap(),
            Uuid,
            "SELECT id FROM users WHERE email = $1",
            email.to_owned()
        );
        let reply = app.login(email, PASSWORD).await;
        if email.starts_with("mei") {
            assert_eq!(reply.body["error"]["code"], "TOTP_REQUIRED", "{reply:?}");
            continue;
        }
        let person = app.signed_in(email, &reply);
        assert_eq!(person.id, domain::ids::UserId(id.unwrap()));
        let listed = app.get("/schedules?page=1&page_size=20", &person).await;
        let listed = listed.data()["schedules"].as_array().unwrap().clone();
        assert!(listed.len() >= 2, "{listed:?}");
        for task in listed {
            let id = task["id"].as_str().unwrap();
            for page in ["status", "journal", "calendar?days=31", "seen", "success-history"] {
                let reply = app.get(&format!("/schedules/{id}/{page}"), &person).await;
                assert!(reply.status.is_success() || page.starts_with("calendar"), "{page}: {reply:?}");
            }
        }
        assert!(app.get("/users/ledger", &person).await.status.is_success());
    }
    let reply = app.call("GET", "/status", None, None).await;
    assert!(reply.status.is_success(), "{reply:?}");
}

//! A database with customers, codes and tasks, served by the real program.

use domain::country::{CountryCode, VisaType};
use domain::health::CredentialHealth;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use chrono::TimeDelta;
use domain::appointment::{Applicant, Group, PortalStatus};
use domain::clock::{Clock, Instant, ManualClock};
use domain::criteria::{ExcludedDates, SearchCriteria};
use domain::facility::FacilityId;
use domain::ids::{CredentialId, PortalAccountId, PortalScheduleId, TaskId, TopupCodeId, UserId};
use domain::money::Money;
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use store::credential::Credential;
use store::task::FoundGroup;
use store::topup_code::Code;
use store::{Random, Tx};

use crate::app::{self, TestApp};

/// Address without a portal. Nothing is polled; only money moves.
const NOWHERE: &str = "http://127.0.0.1:9";

/// Returns the real clock. Only this function of the tests reads the ambient clock, as the program
/// does.
#[allow(clippy::disallowed_methods)]
pub fn wall() -> Clock {
    Clock::new(chrono::Utc::now)
}

/// Starts a server on SQLite, with a clock that shows today's date.
pub async fn sqlite() -> TestApp {
    app::sqlite_at(ManualClock::new(wall().now()), NOWHERE.to_owned()).await
}

/// Starts a server on PostgreSQL, with a clock that shows today's date.
pub async fn postgres() -> TestApp {
    app::postgres_at(ManualClock::new(wall().now()), NOWHERE.to_owned()).await
}

/// Codes and tasks of a customer.
#[derive(Debug, Default)]
pub struct Stock {
    /// Codes with their values in cents.
    pub codes: Vec<(String, i64)>,
    /// Tasks that can be submitted.
    pub tasks: Vec<String>,
}

/// Creates codes and configured tasks for a customer, in one transaction.
pub async fn stock(app: &TestApp, user: UserId, (codes, tasks): (usize, usize), random: &Random) -> Stock {
    let now = app.clock.now();
    let mut stock = Stock::default();
    let mut tx = app.app.db.begin().await.unwrap();
    for _ in 0..codes {
        let (id, code) = (TopupCodeId::new(now, random.bytes()), Code::generate(random));
        let cents = i64::from(random.below(2_000)) + 1;
        let span = (now, now + TimeDelta::days(3));
        let ring = &app.app.keyring;
        store::topup_code::mint(&mut tx, ring, (id, &code), Money::cad(cents), None, span).await.unwrap();
        stock.codes.push((code.expose().to_owned(), cents));
    }
    for _ in 0..tasks {
        stock.tasks.push(configured(&mut tx, user, random, now).await.to_string());
    }
    tx.commit().await.unwrap();
    stock
}

/// Inserts a configured task with its portal login.
async fn configured(tx: &mut Tx, user: UserId, random: &Random, now: Instant) -> TaskId {
    let number = u64::from_le_bytes(random.bytes());
    let fresh = PortalAccountId::new(now, random.bytes());
    let print = random.bytes::<32>();
    let account = store::portal_account::ensure(tx, fresh, &print, CountryCode::CANADA, VisaType::Niv, now)
        .await
        .unwrap();
    let credential = Credential {
        id: CredentialId::new(now, random.bytes()),
        user_id: user,
        portal_account_id: account,
        username: format!("u{number}@example.com"),
        secret_kid: "none".to_owned(),
        secret_blob: vec![0; 160],
        secret_version: 1,
        health: CredentialHealth::Valid,
        health_since: now,
        tested_at: Some(now),
    };
    store::credential::save(tx, &credential, now).await.unwrap();
    let class = "B1/B2 Business & Tourism (Temporary visitor)".to_owned();
    let found = FoundGroup {
        id: TaskId::new(now, random.bytes()),
        user_id: user,
        credential_id: credential.id,
        portal_account_id: account,
        country: CountryCode::CANADA,
        visa_type: VisaType::Niv,
        portal_schedule_id: PortalScheduleId(number.to_string()),
        group: Group {
            applicants: vec![Applicant { id: Some("1".to_owned()), name: "LIN".to_owned() }],
            visa_class: Some(class.clone()),
            classes: vec![class],
            status: PortalStatus::AttendAppointment,
            ivr_account_number: Some("1".to_owned()),
            is_tcn: None,
            fee_paid_on: None,
            asks_fingerprints: None,
            has_unknown_form: false,
        },
        booked: None,
    };
    let task = store::task::upsert_found(tx, &found, now).await.unwrap();
    let today = now.date_naive();
    let criteria = SearchCriteria {
        cities: vec![FacilityId::TORONTO],
        start_date: today + TimeDelta::days(10),
        end_date: today + TimeDelta::days(200),
        excluded: ExcludedDates::default(),
        weekdays: Default::default(),
        times: Default::default(),
        minimum_days_from_current: 0,
        min_improvement_days: 7,
        max_reschedules: 2,
        last_attempt_until: None,
        fingerprints: None,
        mode: domain::criteria::BookingMode::Auto,
    };
    store::task::set_criteria(tx, task, &criteria, now).await.unwrap();
    task
}

/// Starts `sooner serve` on a database, as often as needed.
pub struct House {
    pub url: String,
    keys: PathBuf,
    pub port: u16,
    /// Address of the card provider, and this server's three keys there.
    card: Option<(String, [String; 3])>,
    /// Further settings.
    settings: Vec<(&'static str, String)>,
}

impl House {
    /// Prepares the program to serve the database of `app`. No other process may use the database.
    pub async fn of(app: &mut TestApp, folder: &Path) -> Self {
        let keys = folder.join("keys");
        app.app.keyring.save_new(&keys).unwrap();
        app.app.db.close().await;
        // The program needs the lock of the file, so every owner of the lock in this process is
        // dropped.
        app.router = axum::Router::new();
        app.app.lock = None;
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        Self { url: app.app.settings.database_url.clone(), keys, port, card: None, settings: Vec::new() }
    }

    /// Enables card payments: the provider's address, and the secret, publishable and webhook keys.
    pub fn with_card(self, api: String, keys: [String; 3]) -> Self {
        Self { card: Some((api, keys)), ..self }
    }

    /// Adds further settings, by the names of their variables.
    pub fn with(self, settings: Vec<(&'static str, String)>) -> Self {
        Self { settings, ..self }
    }

    /// Returns the path of SQLite's write-ahead log.
    pub fn log(&self) -> PathBuf {
        format!("{}-wal", self.url.strip_prefix("sqlite:").unwrap()).into()
    }

    /// Starts the program, and waits until it responds.
    pub async fn open(&self) -> Life {
        // The program ignores the signal that a limit of the file size sends. A write beyond the
        // limit then fails with an error.
        let mut command = Command::new("sh");
        // Long runs use a copy of the program, so that no build replaces it during the run.
        let program =
            std::env::var("SOONER_PROGRAM").unwrap_or_else(|_| env!("CARGO_BIN_EXE_sooner").to_owned());
        command
            .args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\"", &program, "serve"])
            .args(["--database-url", &self.url, "--dry-run", "--portal-url", NOWHERE])
            .args(["--bind", &format!("127.0.0.1:{}", self.port)])
            .args(["--keys-beside-data", "--key-ring"])
            .arg(&self.keys)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        if let Some((api, [secret, publishable, webhook])) = &self.card {
            command.env("SOONER_CARD_API_URL", api).env("SOONER_CARD_JS_URL", format!("{api}/stripe.js"));
            command.env("SOONER_CARD_SECRET_KEY", secret).env("SOONER_CARD_PUBLISHABLE_KEY", publishable);
            command.env("SOONER_CARD_WEBHOOK_SECRET", webhook);
        }
        command.envs(self.settings.iter().cloned());
        let mut life = Life(command.spawn().unwrap());
        for _ in 0..2_000 {
            if tokio::net::TcpStream::connect(("127.0.0.1", self.port)).await.is_ok() {
                return life;
            }
            assert!(life.0.try_wait().unwrap().is_none(), "the program ended before it answered");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("the program never answered");
    }
}

/// The running program. Dropping the value kills the program.
pub struct Life(Child);

impl Life {
    /// Kills the program with SIGKILL, so that it cannot clean up.
    pub fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    /// Limits the size of all files of the program from now on, in bytes. `None` removes the limit.
    pub fn limit(&self, bytes: Option<u64>) {
        let pid = Pid::from_raw(i32::try_from(self.0.id()).unwrap());
        prlimit(pid, Resource::Fsize, Rlimit { current: bytes, maximum: None }).unwrap();
    }
}

impl Drop for Life {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

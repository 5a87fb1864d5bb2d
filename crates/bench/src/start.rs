//! Benchmark of the start of `sooner serve`. It measures time and memory.

use domain::country::{CountryCode, VisaType};
use domain::health::CredentialHealth;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use domain::appointment::{Applicant, Appointment, Group, PortalStatus, Slot};
use domain::criteria::{ExcludedDates, SearchCriteria};
use domain::facility::FacilityId;
use domain::ids::{CredentialId, PortalAccountId, PortalScheduleId, TaskId, UserId};
use store::credential::Credential;
use store::keyring::KeyRing;
use store::task::{AgreedPrice, FoundGroup};
use store::user::NewUser;
use store::{Db, Random, Tx};

use crate::{Table, quantile};

/// Options of `bench start`.
#[derive(Args)]
pub struct Start {
    /// Numbers of active tasks in the database
    #[arg(long, value_delimiter = ',', default_values_t = [0_usize, 10_000])]
    tasks: Vec<usize>,
    /// Number of starts from which the median is taken
    #[arg(long, default_value_t = 5)]
    times: usize,
}

/// For each number of tasks, starts `sooner` of the same build several times.
pub async fn run(options: Start) -> anyhow::Result<Table> {
    let mut rows = Vec::new();
    for tasks in &options.tasks {
        let folder = tempfile::tempdir()?;
        let random = server::run::Ambient::system()?.random;
        let keys = folder.path().join("keys");
        KeyRing::generate(&random).save_new(&keys)?;
        let url = format!("sqlite:{}", folder.path().join("bench.db").display());
        fill(&url, &random, *tasks).await?;
        let mut ready = Vec::new();
        let mut memory = Vec::new();
        for _ in 0..options.times.max(1) {
            let (ms, mib) = start_once(&url, &keys.display().to_string()).await?;
            ready.push(ms);
            memory.push(mib);
        }
        ready.sort_by(f64::total_cmp);
        memory.sort_by(f64::total_cmp);
        rows.push(vec![*tasks as f64, quantile(&ready, 0.5), quantile(&ready, 1.0), quantile(&memory, 0.5)]);
    }
    Ok(Table { name: "start", columns: vec!["tasks", "ready_ms_p50", "ready_ms_max", "rss_mib"], rows })
}

/// Returns the time in milliseconds until `/readyz` responds, and the resident memory two seconds
/// later in MiB. The first start also migrates the database.
async fn start_once(database: &str, keys: &str) -> anyhow::Result<(f64, f64)> {
    let wall = server::run::Ambient::system()?.wall;
    let port = tokio::net::TcpListener::bind("127.0.0.1:0").await?.local_addr()?.port();
    let begun = wall.now();
    let mut server = Command::new(crate::sooner()?)
        .args(["serve", "--database-url", database, "--key-ring", keys, "--keys-beside-data", "--dry-run"])
        // No server listens at the portal's address, because nothing is polled.
        .args(["--portal-url", "http://127.0.0.1:9", "--bind", &format!("127.0.0.1:{port}")])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let mut ready = None;
    for _ in 0..5_000 {
        if tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_ok() {
            ready = Some((wall.now() - begun).num_microseconds().unwrap_or(0) as f64 / 1000.0);
            break;
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap_or_default();
    server.kill()?;
    server.wait()?;
    let kib = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .and_then(|rest| rest.split_whitespace().next())
        .and_then(|number| number.parse::<f64>().ok())
        .context("the server ended early")?;
    Ok((ready.context("the server did not become ready")?, kib / 1024.0))
}

/// Writes `tasks` active tasks on one calendar, each with its own user.
async fn fill(url: &str, random: &Random, tasks: usize) -> anyhow::Result<()> {
    let db = Db::open(url).await?;
    store::migrate::migrate(&db).await?;
    let now = server::run::Ambient::system()?.wall.now();
    let mut tx = db.begin().await?;
    for n in 0..tasks {
        insert_task(&mut tx, random, n, now).await?;
    }
    tx.commit().await?;
    db.close().await;
    Ok(())
}

/// Writes one active task with its user, login and stored password.
pub async fn insert_task(
    tx: &mut Tx,
    random: &Random,
    n: usize,
    now: domain::clock::Instant,
) -> anyhow::Result<()> {
    use domain::task::TaskStatus::{Active, Processing, Submitted};
    let user = UserId::new(now, random.bytes());
    let new = NewUser {
        id: user,
        email: format!("u{n}@users.example.com"),
        password_hash: None,
        language: "zh".to_owned(),
        referral_code: format!("R{n}"),
        referred_by: None,
        email_verified_at: Some(now),
    };
    store::user::insert(tx, &new, now).await?;
    let fresh = PortalAccountId::new(now, random.bytes());
    let print = random.bytes::<32>();
    let account =
        store::portal_account::ensure(tx, fresh, &print, CountryCode::CANADA, VisaType::Niv, now).await?;
    let credential = Credential {
        id: CredentialId::new(now, random.bytes()),
        user_id: user,
        portal_account_id: account,
        username: format!("u{n}@example.com"),
        secret_kid: "bench".to_owned(),
        secret_blob: vec![0; 160],
        secret_version: 1,
        health: CredentialHealth::Valid,
        health_since: now,
        tested_at: Some(now),
    };
    store::credential::save(tx, &credential, now).await?;
    let day = |text: &str| text.parse::<chrono::NaiveDate>();
    let class = "B1/B2 Business & Tourism (Temporary visitor)".to_owned();
    let found = FoundGroup {
        id: TaskId::new(now, random.bytes()),
        user_id: user,
        credential_id: credential.id,
        portal_account_id: account,
        country: CountryCode::CANADA,
        visa_type: VisaType::Niv,
        portal_schedule_id: PortalScheduleId(format!("7{n:07}")),
        group: Group {
            applicants: vec![Applicant { id: Some(format!("{n}")), name: format!("PERSON {n}") }],
            visa_class: Some(class.clone()),
            classes: vec![class],
            status: PortalStatus::AttendAppointment,
            ivr_account_number: Some(format!("{n}")),
            is_tcn: None,
            fee_paid_on: None,
            asks_fingerprints: None,
            has_unknown_form: false,
        },
        booked: Some(Appointment::from(Slot {
            facility: FacilityId::TORONTO,
            date: day("2028-08-17")?,
            time: chrono::NaiveTime::from_hms_opt(8, 15, 0).context("invalid time")?,
        })),
    };
    let task = store::task::upsert_found(tx, &found, now).await?;
    let criteria = SearchCriteria {
        cities: vec![FacilityId::TORONTO, FacilityId::OTTAWA],
        start_date: day("2026-12-01")?,
        end_date: day("2028-03-31")?,
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
    store::task::set_criteria(tx, task, &criteria, now).await?;
    let price = AgreedPrice::plain(0, 1);
    store::task::submit(tx, task, price, None, now).await?;
    store::task::set_captured(tx, task, 0, now).await?;
    for step in [(Submitted, Processing), (Processing, Active)] {
        store::task::set_status(tx, task, step, None, now).await?;
    }
    Ok(())
}

//! Command `sooner doctor`: checks the installation and reports problems, each with a remedy.

mod advisories;
mod channels;
mod checks;
mod cluster;
mod mail;
mod network;
mod place;
mod profile;
mod watching;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use domain::clock::Instant;
use serde::Serialize;
use server::http::proxies::Network;
use store::Db;
use store::keyring::KeyRing;
use store::migrate::Schema;

use crate::shared::{self, Database, Ring};
use crate::{print, tasks};

/// Options of `sooner doctor`.
#[derive(Args)]
pub struct Doctor {
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    ring: Ring,
    #[command(flatten)]
    server: ServerSettings,
    #[command(flatten)]
    pools: server::config::PoolSizes,
    #[command(flatten)]
    channels: server::config::channels::ChannelSettings,
    /// Unfreeze money, after the cause of a failed ledger check was found
    #[arg(long)]
    thaw: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Use this as the current time (a scaled demo's time; RFC 3339)
    #[arg(long, hide = true)]
    at: Option<Instant>,
}

/// Settings of the server that the checks need, usually from the environment.
#[derive(Args)]
struct ServerSettings {
    #[arg(long, env = "SOONER_PUBLIC_URL", default_value = "http://127.0.0.1:8080", hide = true)]
    public_url: String,
    #[arg(long, env = "SOONER_TRUSTED_PROXIES", value_delimiter = ',', hide = true)]
    trusted_proxies: Vec<Network>,
    #[arg(long, env = "SOONER_CONNECTIONS", default_value_t = 8_000, hide = true)]
    connections: usize,
    #[arg(long, env = "SOONER_OPERATOR", hide = true)]
    operator: Option<PathBuf>,
    #[arg(long, env = "SOONER_SMTP_URL", hide_env_values = true, hide = true)]
    smtp_url: Option<String>,
    #[arg(long, env = "SOONER_MAIL_FROM", default_value = server::config::MAIL_FROM, hide = true)]
    mail_from: String,
    #[arg(long, env = "SOONER_ALARM_TO", value_delimiter = ',', hide = true)]
    alarm_to: Vec<String>,
}

/// Severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// No action is needed.
    Ok,
    /// The operator should investigate.
    Warn,
    /// A function does not work.
    Bad,
}

/// Result of one check.
#[derive(Debug, Serialize)]
pub struct Finding {
    level: Level,
    name: &'static str,
    says: String,
    /// Remedy; empty if there is none.
    todo: String,
}

impl Finding {
    fn ok(name: &'static str, says: impl Into<String>) -> Self {
        Self { level: Level::Ok, name, says: says.into(), todo: String::new() }
    }

    fn warn(name: &'static str, says: impl Into<String>, todo: impl Into<String>) -> Self {
        Self { level: Level::Warn, name, says: says.into(), todo: todo.into() }
    }

    fn bad(name: &'static str, says: impl Into<String>, todo: impl Into<String>) -> Self {
        Self { level: Level::Bad, name, says: says.into(), todo: todo.into() }
    }
}

/// The report of `--json`.
#[derive(Serialize)]
struct Answer {
    level: Level,
    findings: Vec<Finding>,
}

/// Runs all checks and prints their findings. The exit code is 0 if all are ok, 1 for warnings, and
/// 2 for failures.
///
/// # Errors
/// Returns an error if the database cannot be queried.
pub async fn run(doctor: &Doctor) -> anyhow::Result<ExitCode> {
    let mut ambient = server::run::Ambient::system()?;
    if let Some(at) = doctor.at {
        ambient.wall = domain::clock::Clock::new(move || at);
    }
    let now = ambient.wall.now();
    shared::refuse_missing(&doctor.database)?;
    let db = Db::open(&doctor.database.database_url).await?;
    let mut findings = vec![migrations(&db).await?];
    // In a database of another version, the other checks could not run their queries.
    if findings[0].level < Level::Bad {
        findings.push(ring(doctor, &db, &ambient).await);
        findings.extend(secrets(doctor, &db).await?);
        if doctor.thaw {
            findings.push(thaw(&db, &ambient).await?);
        }
        let mut tx = db.read().await?;
        let clocks = shared::Clocks::read(&mut tx, &ambient.wall).await?;
        findings.extend(checks::all(&mut tx, now).await?);
        findings.push(watching::answers(&mut tx, clocks.portal).await?);
        findings.extend(place::connections(&mut tx, &doctor.pools).await?);
        findings.extend(cluster::standbys(&mut tx, &doctor.pools).await?);
        findings.push(cluster::nodes(&mut tx, now).await?);
        findings.extend(advisories::age(&mut tx, now).await?);
        findings.push(channels::alarms(&mut tx, &doctor.server.alarm_to).await?);
        drop(tx);
        findings.extend(place::disk(&doctor.database.database_url));
        findings.extend(place::network(&doctor.database.database_url));
    }
    let server = &doctor.server;
    findings.push(profile::settings());
    findings.push(mail::server(server.smtp_url.as_deref(), &server.mail_from).await);
    findings.push(network::proxy(&server.public_url, &server.trusted_proxies));
    findings.push(network::descriptors(server.connections));
    findings.push(channels::settings(&doctor.channels, &ambient.wall));
    findings.extend(channels::registrations(&doctor.channels, &ambient.wall).await);
    if let Ok(ring) = KeyRing::load(&doctor.ring.key_ring) {
        findings.extend(channels::callbacks(&doctor.channels, &ring, &server.public_url));
    }
    findings.push(profile::operator(server.operator.as_deref()));
    db.close().await;
    let level = findings.iter().map(|f| f.level).max().unwrap_or(Level::Ok);
    if doctor.json {
        print::json(&Answer { level, findings })?;
    } else {
        for finding in &findings {
            let mark = match finding.level {
                Level::Ok => "ok  ",
                Level::Warn => "WARN",
                Level::Bad => "BAD ",
            };
            println!("{}", print::field(&format!("{mark} {}", finding.name), &finding.says));
            if !finding.todo.is_empty() {
                println!("{}", print::field("", &format!("→ {}", finding.todo)));
            }
        }
    }
    Ok(ExitCode::from(level as u8))
}

async fn migrations(db: &Db) -> anyhow::Result<Finding> {
    let pending = store::migrate::pending(db).await?;
    if !pending.is_empty() {
        let says = format!("not up to date: {}", pending.join(", "));
        return Ok(Finding::bad("database", says, "run: sooner migrate"));
    }
    let says = |newer: Vec<String>| format!("migrated by a newer version: {}", newer.join(", "));
    let todo = "use that version of Sooner here";
    Ok(match store::migrate::schema(&mut db.read().await?).await? {
        Schema::Known => Finding::ok("database", "up to date"),
        Schema::Ahead(newer) => Finding::warn("database", says(newer), todo),
        Schema::Incompatible(newer) => Finding::bad("database", says(newer), todo),
    })
}

async fn ring(doctor: &Doctor, db: &Db, ambient: &server::run::Ambient) -> Finding {
    let ring = match KeyRing::load(&doctor.ring.key_ring) {
        Ok(ring) => ring,
        Err(error) => {
            return Finding::warn(
                "keys",
                format!("the key ring was not checked: {error}"),
                "name a readable key ring: --key-ring",
            );
        }
    };
    match store::keyring::check_canary(db, &ring, &ambient.random).await {
        Ok(()) => Finding::ok("keys", "the key ring is the one of this database"),
        Err(error) => {
            Finding::bad("keys", error.to_string(), "use the key ring of this database, from a backup")
        }
    }
}

/// Number of portal passwords that are decrypted to test the key ring.
const SAMPLE: i64 = 200;

/// Decrypts a sample of portal passwords. A key ring that fits the database may still lack an older
/// key.
async fn secrets(doctor: &Doctor, db: &Db) -> anyhow::Result<Option<Finding>> {
    let Ok(ring) = KeyRing::load(&doctor.ring.key_ring) else { return Ok(None) };
    let sample = store::credential::sample(&mut db.read().await?, SAMPLE).await?;
    let is_shut = |credential: &&store::credential::Credential| {
        let (place, sealed) = credential.sealed();
        ring.open(&place, &sealed).is_err()
    };
    let shut = sample.iter().filter(is_shut).count();
    let says = format!("cannot decrypt {shut} of {} tested portal passwords", sample.len());
    let todo = "restore the key ring that has their keys, or let their users enter them again; sooner keys rewrap lists them";
    Ok(Some(match shut {
        0 => Finding::ok("secrets", format!("decrypted {} tested portal passwords", sample.len())),
        _ => Finding::bad("secrets", says, todo),
    }))
}

/// Unfreezes the ledger if it balances.
async fn thaw(db: &Db, ambient: &server::run::Ambient) -> anyhow::Result<Finding> {
    let mut tx = db.begin().await?;
    if !store::ledger::check(&mut tx).await?.is_empty() {
        return Ok(Finding::bad(
            "thaw",
            "the ledger does not balance; money stays frozen",
            "correct the ledger first",
        ));
    }
    let Some(why) = store::ledger::frozen(&mut tx).await? else {
        return Ok(Finding::ok("thaw", "money was not frozen; nothing changed"));
    };
    store::ledger::thaw(&mut tx).await?;
    tasks::audit(&mut tx, ambient, "doctor --thaw", "money", serde_json::json!({ "frozen": why })).await?;
    tx.commit().await?;
    Ok(Finding::ok("thaw", "money is no longer frozen"))
}

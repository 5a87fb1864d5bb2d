//! Commands that change a task. Each runs in one transaction with its audit entry.

use std::sync::Arc;

use anyhow::Context as _;
use chrono::{NaiveDate, NaiveTime};
use clap::Args;
use domain::appointment::{Appointment, FingerprintSlot, Slot};
use domain::booking::AttemptState;
use domain::country::city::CityId;
use domain::facility::FacilityId;
use domain::money::Money;
use domain::task::priority;
use engine::operator::NotDone;
use engine::{Context, Engine};
use serde_json::{Value, json};
use server::run::Ambient;
use store::audit::NewAuditEntry;
use store::keyring::KeyRing;
use store::{Db, Tx};

use super::find;
use crate::{print, shared};

/// Options of `sooner tasks settle`: what the operator saw at the portal.
#[derive(Args)]
pub struct Settle {
    /// Id of the task, or its first characters
    id: String,
    /// The portal shows exactly this appointment
    #[arg(long, num_args = 3, value_names = ["DATE", "TIME", "FACILITY"], required_unless_present = "not_booked")]
    booked: Option<Vec<String>>,
    /// The portal shows this fingerprint appointment too
    #[arg(long, num_args = 3, value_names = ["DATE", "TIME", "CITY"], requires = "booked")]
    fingerprints: Option<Vec<String>>,
    /// The portal shows that nothing was booked
    #[arg(long, conflicts_with = "booked")]
    not_booked: bool,
    /// Reason, recorded in the audit log
    #[arg(long, required_if_eq("not_booked", "true"))]
    why: Option<String>,
    /// Settle a booking that the engine still reads back
    #[arg(long)]
    force: bool,
}

/// Runs `sooner tasks priority`.
pub async fn prioritise(
    db: Db,
    ambient: &Ambient,
    (id, new, why): (&str, i32, Option<&str>),
    as_json: bool,
) -> anyhow::Result<()> {
    let mut tx = db.begin().await?;
    let task = find(&mut tx, id).await?;
    store::lock::exclusive(&mut tx, task.id.0).await?;
    let before = priority::to_wire(task.priority);
    store::task::set_priority(&mut tx, task.id, new, ambient.wall.now()).await?;
    let data = json!({ "why": why, "before": before, "priority": priority::to_wire(new) });
    audit(&mut tx, ambient, "tasks priority", &task.id.to_string(), data).await?;
    tx.commit().await?;
    db.close().await;
    if as_json {
        return print::json(
            &json!({ "task": task.id, "before": before, "priority": priority::to_wire(new) }),
        );
    }
    println!("task {} now has priority {} (before: {before})", task.id, priority::to_wire(new));
    Ok(())
}

/// Runs `sooner tasks release`.
pub async fn release(
    db: Db,
    ring: KeyRing,
    ambient: &Ambient,
    (id, why): (&str, &str),
    as_json: bool,
) -> anyhow::Result<()> {
    anyhow::ensure!(!why.trim().is_empty(), "give a reason: --why");
    let mut tx = db.begin().await?;
    let task = find(&mut tx, id).await?;
    let engine = offline(&db, ring, ambient)?;
    let released = engine.release_task(&mut tx, task.id).await.map_err(sentence)?;
    let data = json!({ "why": why, "released": Money::cad(released).to_wire(), "was": task.status });
    audit(&mut tx, ambient, "tasks release", &task.id.to_string(), data).await?;
    tx.commit().await?;
    db.close().await;
    tracing::info!(task = %task.id, "released task");
    if as_json {
        return print::json(&json!({ "task": task.id, "released": Money::cad(released).to_wire() }));
    }
    println!(
        "stopped task {}; its user is notified, and {} are available again",
        task.id,
        Money::cad(released)
    );
    Ok(())
}

/// Runs `sooner tasks settle`.
pub async fn settle(
    db: Db,
    ring: KeyRing,
    ambient: &Ambient,
    settle: &Settle,
    as_json: bool,
) -> anyhow::Result<()> {
    let seen = read_seen(settle)?;
    let mut tx = db.begin().await?;
    let task = find(&mut tx, &settle.id).await?;
    let attempts = store::booking_attempt::of_task(&mut tx, task.id).await?;
    let open = |state| attempts.iter().find(|i| i.state == state);
    let attempt = open(AttemptState::Manual)
        .or_else(|| open(AttemptState::Unknown))
        .or_else(|| open(AttemptState::Sending));
    let attempt = attempt.context("no booking of this task is left to settle")?;
    let engine = offline(&db, ring, ambient)?;
    let settled = engine.settle_by_hand(&mut tx, attempt.id, seen, settle.force).await.map_err(sentence)?;
    let data = json!({
        "intent": attempt.id, "was": attempt.state, "settled": settled, "seen": seen, "why": settle.why,
        "forced": settle.force,
    });
    audit(&mut tx, ambient, "tasks settle", &task.id.to_string(), data).await?;
    tx.commit().await?;
    db.close().await;
    tracing::info!(task = %task.id, attempt = %attempt.id, settled = settled.as_str(), "operator settled a booking");
    if as_json {
        return print::json(&json!({ "task": task.id, "intent": attempt.id, "settled": settled }));
    }
    println!("settled the booking of task {}: {}", task.id, settled.as_str());
    Ok(())
}

/// Inserts an audit entry with the system user who runs the command, and copies it to the system
/// log.
pub async fn audit(
    tx: &mut Tx,
    ambient: &Ambient,
    command: &'static str,
    subject: &str,
    data: Value,
) -> anyhow::Result<()> {
    let actor = shared::actor();
    let act = NewAuditEntry { actor: &actor, command, subject, data };
    let (number, hash) = store::audit::add(tx, &ambient.random, &act, ambient.wall.now()).await?;
    shared::copy_to_system_log(&format!("audit {number} {actor}: {command} {subject} {hash}"));
    Ok(())
}

/// Creates an engine without loops and without a portal, for its rules and transitions.
pub fn offline(db: &Db, ring: KeyRing, ambient: &Ambient) -> anyhow::Result<Arc<Engine>> {
    let nowhere = portal::PortalHost::new("http://127.0.0.1:1".parse()?);
    let clock = ambient.wall.clone();
    let client = portal::Client::new(portal::Settings::new(nowhere, Arc::new(move || clock.now())))?;
    Ok(Engine::new(Context {
        db: db.clone(),
        keyring: Arc::new(ring),
        client: Arc::new(client),
        outward: Arc::default(),
        wall: ambient.wall.clone(),
        portal_time: ambient.wall.clone(),
        random: ambient.random.clone(),
        config: engine::Config::default(),
    }))
}

fn sentence(error: NotDone) -> anyhow::Error {
    anyhow::anyhow!("{error}")
}

/// Returns the appointment that the operator saw at the portal.
fn read_seen(settle: &Settle) -> anyhow::Result<Option<Appointment>> {
    let Some(words) = &settle.booked else { return Ok(None) };
    let [date, time, city] = &words[..] else { anyhow::bail!("--booked needs DATE TIME FACILITY") };
    let (date, time) = (read_date(date)?, read_time(time)?);
    let facility = FacilityId::by_name(city).with_context(|| format!("there is no city {city}"))?;
    let consular = Slot { facility, date, time };
    let Some(words) = &settle.fingerprints else { return Ok(Some(consular.into())) };
    let [date, time, city] = &words[..] else { anyhow::bail!("--fingerprints needs DATE TIME CITY") };
    let (date, time) = (read_date(date)?, read_time(time)?);
    let city = CityId::in_country(facility.facility().country, city)
        .with_context(|| format!("there is no city {city}"))?;
    Ok(Some(Appointment { consular, fingerprints: Some(FingerprintSlot { city, date, time }) }))
}

fn read_date(text: &str) -> anyhow::Result<NaiveDate> {
    text.parse().with_context(|| format!("{text} is not a date such as 2027-02-03"))
}

fn read_time(text: &str) -> anyhow::Result<NaiveTime> {
    NaiveTime::parse_from_str(text, "%H:%M").with_context(|| format!("{text} is not a time such as 08:15"))
}

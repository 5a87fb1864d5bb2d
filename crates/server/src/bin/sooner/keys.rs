//! Commands `sooner keys init`, `status`, `rotate`, `rotate-signing`, `rewrap`, `retire` and
//! `purge`.

use anyhow::Context as _;
use chrono::TimeDelta;
use clap::{Args, Subcommand};
use domain::clock::Instant;
use serde_json::{Value, json};
use server::run::Ambient;
use store::Db;
use store::keyring::rewrap::{self, Count, RewrapResult};
use store::keyring::{KeyRing, KeyState};

use crate::shared::{self, Database, Ring};

/// Minimum time between the rotation of a key and its retirement, because a running transaction may
/// still use the key.
const RETIRES_AFTER: TimeDelta = TimeDelta::minutes(10);

/// Options of `sooner keys`.
#[derive(Args)]
pub struct Keys {
    #[command(flatten)]
    ring: Ring,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Create a key ring; an existing file is never overwritten
    Init,
    /// Print the keys, and the number of secrets that each one encrypts
    Status(Database),
    /// Replace the key that signs tokens and mailed links. Restart all servers afterwards
    RotateSigning(Change),
    /// Delete retired keys from the file. Backups that need them can then no longer be decrypted
    Purge(Change),
    /// Add a key and re-encrypt all secrets with it, while servers run. The old key remains for
    /// decryption
    Rotate(Change),
    /// Re-encrypt the secrets of other keys with the active key
    Rewrap(Change),
    /// Retire keys that encrypt no secret any more
    Retire(Change),
}

#[derive(Args)]
struct Change {
    #[command(flatten)]
    database: Database,
    /// Print what would happen, and change nothing
    #[arg(long)]
    plan: bool,
}

/// Runs the subcommand.
pub async fn run(keys: Keys) -> anyhow::Result<()> {
    let ambient = server::run::Ambient::system()?;
    match &keys.command {
        Command::Init => {
            let path = &keys.ring.key_ring;
            KeyRing::generate(&ambient.random).save_new(path)?;
            println!(
                "created the key ring {}, readable by its owner only\nKeep a copy, apart from the backups of the database.",
                path.display()
            );
            Ok(())
        }
        Command::Status(database) => status(&keys.ring, database, &ambient).await,
        Command::RotateSigning(change) => rotate_signing(&keys.ring, change, &ambient).await,
        Command::Purge(change) => purge(&keys.ring, change, &ambient).await,
        Command::Rotate(change) => rotate(&keys.ring, change, &ambient).await,
        Command::Rewrap(change) => rewrap(&keys.ring, change, &ambient).await,
        Command::Retire(change) => retire(&keys.ring, change, &ambient).await,
    }
}

async fn status(ring: &Ring, database: &Database, ambient: &Ambient) -> anyhow::Result<()> {
    let (db, ring) = shared::open_with_keys(database, ring, &ambient.random).await?;
    let counts = counts(&db).await?;
    for (kid, state, since) in ring.status() {
        let since =
            since.map_or_else(String::new, |at| format!(" since {}", at.format("%Y-%m-%d %H:%M UTC")));
        println!("{kid} {}{since}", label(state));
        for count in counts.iter().filter(|count| count.kid == kid) {
            println!("    {} {}", count.secrets, count.kept.name());
        }
    }
    for count in counts.iter().filter(|count| !ring.status().iter().any(|(kid, ..)| *kid == count.kid)) {
        println!(
            "{} is missing from this key ring; it encrypts {} {}",
            count.kid,
            count.secrets,
            count.kept.name()
        );
    }
    db.close().await;
    Ok(())
}

async fn rotate(ring: &Ring, change: &Change, ambient: &Ambient) -> anyhow::Result<()> {
    let path = &ring.key_ring;
    let (db, ring) = shared::open_with_keys(&change.database, ring, &ambient.random).await?;
    let old = ring.active();
    if change.plan {
        println!(
            "would add a key to {} and make it active; {old} would stay, for decryption only",
            path.display()
        );
        return plan_rewrap(&db, None).await;
    }
    // The audit entry is written first. An entry without a rotation is harmless; a rotation without
    // an entry is not.
    audit(&db, ambient, "keys rotate", &old, json!({ "ring": path.display().to_string() })).await?;
    let new = KeyRing::rotate(path, &ambient.random, ambient.wall.now())?;
    println!("the active key is now {new}; running servers read it from the file");
    seal_again(&db, &ring, ambient).await?;
    db.close().await;
    println!("An interrupted rewrap loses nothing: sooner keys rewrap, or a running server, continues it.");
    println!("Next, when every server has the new file: sooner keys retire");
    Ok(())
}

async fn rotate_signing(ring: &Ring, change: &Change, ambient: &Ambient) -> anyhow::Result<()> {
    let path = &ring.key_ring;
    let (db, _) = shared::open_with_keys(&change.database, ring, &ambient.random).await?;
    let data = json!({ "ring": path.display().to_string() });
    if change.plan {
        println!("would replace the signing key in {}", path.display());
    } else {
        audit(&db, ambient, "keys rotate-signing", "signing", data).await?;
        KeyRing::rotate_signing(path, &ambient.random)?;
        println!(
            "replaced the signing key; restart every server now\nUsers stay signed in. Mailed links and unfinished sign-ins with Google no longer work."
        );
    }
    db.close().await;
    Ok(())
}

async fn purge(ring: &Ring, change: &Change, ambient: &Ambient) -> anyhow::Result<()> {
    let path = &ring.key_ring;
    let (db, ring) = shared::open_with_keys(&change.database, ring, &ambient.random).await?;
    let counts = counts(&db).await?;
    let mut kids = Vec::new();
    for (kid, ..) in ring.status().into_iter().filter(|(_, state, _)| *state == KeyState::Retired) {
        match counts.iter().any(|count| count.kid == kid && count.secrets > 0) {
            true => println!("{kid} stays: it still encrypts secrets"),
            false => kids.push(kid),
        }
    }
    for kid in &kids {
        println!("{} {kid}", if change.plan { "would purge" } else { "purging" });
    }
    if kids.is_empty() {
        println!("no retired key can be purged");
    } else if !change.plan {
        let data = json!({ "ring": path.display().to_string() });
        audit(&db, ambient, "keys purge", &kids.join(" "), data).await?;
        KeyRing::purge(path, &kids)?;
        println!("Purged. Secrets that backups encrypted with these keys can no longer be read.");
    }
    db.close().await;
    Ok(())
}

async fn rewrap(ring: &Ring, change: &Change, ambient: &Ambient) -> anyhow::Result<()> {
    let (db, ring) = shared::open_with_keys(&change.database, ring, &ambient.random).await?;
    if change.plan {
        return plan_rewrap(&db, Some(&ring.active())).await;
    }
    seal_again(&db, &ring, ambient).await?;
    db.close().await;
    Ok(())
}

async fn retire(ring: &Ring, change: &Change, ambient: &Ambient) -> anyhow::Result<()> {
    let path = &ring.key_ring;
    let (db, ring) = shared::open_with_keys(&change.database, ring, &ambient.random).await?;
    let counts = counts(&db).await?;
    let (mut idle, now) = (Vec::new(), ambient.wall.now());
    for (kid, state, since) in ring.status() {
        if state != KeyState::DecryptOnly {
            continue;
        }
        match keeps(&kid, since, &counts, now) {
            Some(why) => println!("{kid} stays: {why}"),
            None => idle.push(kid),
        }
    }
    for kid in &idle {
        println!("{} {kid}", if change.plan { "would retire" } else { "retiring" });
    }
    if idle.is_empty() {
        println!("no key can be retired");
    } else if !change.plan {
        audit(&db, ambient, "keys retire", &idle.join(" "), json!({ "ring": path.display().to_string() }))
            .await?;
        KeyRing::retire(path, &idle, now)?;
        println!("Retired. The keys stay in the file, to decrypt older backups. Servers no longer use them.");
    }
    db.close().await;
    Ok(())
}

/// Returns the reason why a key cannot be retired yet.
fn keeps(kid: &str, since: Option<Instant>, counts: &[Count], now: Instant) -> Option<String> {
    let under: i64 = counts.iter().filter(|count| count.kid == kid).map(|count| count.secrets).sum();
    if under > 0 {
        return Some(format!("it still encrypts {under} secrets; run: sooner keys rewrap"));
    }
    let idle = since.map(|at| now - at);
    idle.filter(|idle| *idle < RETIRES_AFTER)
        .map(|_| format!("it was active less than {} minutes ago", RETIRES_AFTER.num_minutes()))
}

async fn counts(db: &Db) -> anyhow::Result<Vec<Count>> {
    let mut tx = db.read().await?;
    Ok(rewrap::counts(&mut tx).await?)
}

async fn plan_rewrap(db: &Db, active: Option<&str>) -> anyhow::Result<()> {
    for count in counts(db).await?.iter().filter(|count| Some(count.kid.as_str()) != active) {
        println!("would rewrap {} {} of key {}", count.secrets, count.kept.name(), count.kid);
    }
    Ok(())
}

async fn seal_again(db: &Db, ring: &KeyRing, ambient: &Ambient) -> anyhow::Result<()> {
    let RewrapResult { wrapped, overtaken, unreadable } = rewrap::all(db, ring, &ambient.random).await?;
    let active = ring.active();
    let data = json!({ "wrapped": wrapped, "overtaken": overtaken, "unreadable": unreadable });
    audit(db, ambient, "keys rewrap", &active, data).await?;
    println!("rewrapped {wrapped} secrets under {active}; servers replaced {overtaken} meanwhile");
    anyhow::ensure!(
        unreadable == 0,
        "{unreadable} secrets cannot be decrypted with any key of this key ring; they were left unchanged"
    );
    Ok(())
}

async fn audit(
    db: &Db,
    ambient: &Ambient,
    command: &'static str,
    subject: &str,
    data: Value,
) -> anyhow::Result<()> {
    let mut tx = db.begin().await?;
    crate::tasks::audit(&mut tx, ambient, command, subject, data).await?;
    tx.commit().await.context("cannot write the audit entry")
}

const fn label(state: KeyState) -> &'static str {
    match state {
        KeyState::Active => "active",
        KeyState::DecryptOnly => "decrypts only",
        KeyState::Retired => "retired",
    }
}

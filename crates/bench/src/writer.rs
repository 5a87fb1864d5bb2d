//! Benchmark of SQLite's only writer. It measures the longest time for which background work holds
//! the writer and delays all other writes.

use chrono::TimeDelta;
use clap::Args;
use domain::ids::TaskId;
use domain::journal::JournalEvent;
use server::AppState;
use server::config::Settings;
use store::db::longest_turns;
use store::guess_limits::{Memory, Policy, Subject};

use crate::Table;
use crate::book::eager;
use crate::fixture::Fixture;

/// Options of `bench writer`.
#[derive(Args)]
pub struct Writer {
    /// Number of rows that housekeeping has to delete from one table
    #[arg(long, default_value_t = 100_000)]
    rows: usize,
    /// Number of journal entries of a user who deletes the account
    #[arg(long, default_value_t = 10_000)]
    lines: usize,
    /// Number of deleted tasks whose passwords the sweep deletes
    #[arg(long, default_value_t = 500)]
    tasks: usize,
    /// Folder of the SQLite file; by default the system's temporary folder
    #[arg(long)]
    folder: Option<std::path::PathBuf>,
}

/// Measures housekeeping, the deletion of an account, and the engine's sweep, one after the other.
pub async fn run(options: Writer) -> anyhow::Result<Table> {
    let place = options.folder.clone().unwrap_or_else(std::env::temp_dir);
    let folder = tempfile::tempdir_in(place)?;
    let fixture = Fixture::new(folder.path(), false, eager()).await?;
    let channels = server::run::channels(&Settings::defaults(), &fixture.ctx.wall)?;
    let app = AppState::new(fixture.engine.clone(), Settings::defaults(), channels);
    old_rows(&fixture, options.rows).await?;
    let _ = longest_turns();
    server::run::housekeeping_round(&app).await?;
    let house = ordinary();
    let task = fixture.task("retention", false).await?;
    journal(&fixture, task, options.lines).await?;
    let _ = longest_turns();
    erase(&fixture, task).await?;
    let deletion = ordinary();
    let mut tasks = Vec::new();
    for n in 0..options.tasks {
        tasks.push(fixture.task(&format!("w{n}"), false).await?);
    }
    fixture.delete(&tasks).await?;
    let _ = longest_turns();
    let later = fixture.ctx.wall.now() + TimeDelta::days(2);
    while store::credential::retention::sweep_unused(&fixture.ctx.db, later).await? > 0 {}
    let sweep = ordinary();
    Ok(Table {
        name: "writer",
        columns: vec!["old_rows", "housekeeping_ms", "lines", "deletion_ms", "tasks", "sweep_ms"],
        rows: vec![vec![
            options.rows as f64,
            house,
            options.lines as f64,
            deletion,
            options.tasks as f64,
            sweep,
        ]],
    })
}

/// Returns the duration in milliseconds of the longest ordinary transaction since the last call.
fn ordinary() -> f64 {
    longest_turns()[1].as_secs_f64() * 1e3
}

async fn old_rows(fixture: &Fixture, rows: usize) -> anyhow::Result<()> {
    let policy = Policy {
        free: 1,
        first: TimeDelta::seconds(1),
        longest: TimeDelta::seconds(1),
        memory: Memory::WhileBusy,
    };
    let then = fixture.ctx.wall.now() - TimeDelta::days(30);
    let mut tx = fixture.ctx.db.begin().await?;
    for n in 0..rows {
        let subject = Subject { key: format!("guess{n}"), policy };
        store::guess_limits::fail(&mut tx, &subject, then).await?;
    }
    Ok(tx.commit().await?)
}

async fn journal(fixture: &Fixture, task: TaskId, lines: usize) -> anyhow::Result<()> {
    let mut tx = fixture.ctx.db.begin().await?;
    let event = JournalEvent::BookingUnconfirmed { read_again: fixture.ctx.portal_time.now() };
    for _ in 0..lines {
        let now = fixture.ctx.wall.now();
        let id = fixture.ctx.uuid(now);
        store::journal::add(&mut tx, id, task, &event, now).await?;
    }
    Ok(tx.commit().await?)
}

async fn erase(fixture: &Fixture, task: TaskId) -> anyhow::Result<()> {
    fixture.delete(&[task]).await?;
    let _ = longest_turns();
    let mut tx = fixture.ctx.db.begin().await?;
    let row = store::task::get(&mut tx, task).await?.ok_or_else(|| anyhow::anyhow!("the task is missing"))?;
    let user = store::user::get(&mut tx, row.user_id)
        .await?
        .ok_or_else(|| anyhow::anyhow!("the user of the task is missing"))?;
    store::deletion::erase(&mut tx, &user, fixture.ctx.wall.now()).await?;
    Ok(tx.commit().await?)
}

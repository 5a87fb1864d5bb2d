//! Commands `sooner tasks list`, `show`, `explain`, `release`, `priority` and `settle`.

mod change;
mod explain;
mod show;

pub use change::{audit, offline};

use anyhow::Context as _;
use clap::{Args, Subcommand};
use domain::clock::Instant;
use domain::ids::{TaskId, UserId};
use domain::task::TaskStatus;
use domain::task::watch::{PollWait, Watch};
use serde_json::json;
use store::Tx;
use store::operator::Filter;
use store::task::{Task, TaskWatch};

use crate::print;
use crate::shared::{self, Clocks, Database, Ring};

/// Options of `sooner tasks`.
#[derive(Args)]
pub struct Tasks {
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    ring: Ring,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
    /// Use this as the current time (a scaled demo's time; RFC 3339)
    #[arg(long, global = true, hide = true)]
    at: Option<Instant>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List tasks, newest first
    List {
        /// Only tasks in this status
        #[arg(long, value_parser = status)]
        status: Option<TaskStatus>,
        /// Only tasks of this user: e-mail address or id
        #[arg(long)]
        user: Option<String>,
        /// Maximum number of tasks to show
        #[arg(long, default_value_t = 100)]
        limit: i64,
    },
    /// Show one task with its account, bookings, journal and holds
    Show {
        /// Id of the task, or its first characters
        id: String,
    },
    /// Explain why nothing was booked recently
    Explain {
        /// Id of the task, or its first characters
        id: String,
    },
    /// Stop a task, notify its user, release its hold, and free its group for other tasks
    Release {
        /// Id of the task, or its first characters
        id: String,
        /// Reason, recorded in the audit log
        #[arg(long)]
        why: String,
    },
    /// Set the priority of a task over others that accept the same date, from 0 (the default) to 1
    Priority {
        /// Id of the task, or its first characters
        id: String,
        /// Priority, e.g. 0.8
        #[arg(value_parser = domain::task::priority::read)]
        priority: i32,
        /// Reason, recorded in the audit log
        #[arg(long)]
        why: Option<String>,
    },
    /// Settle a booking with an unknown outcome, after checking the portal
    Settle(change::Settle),
}

/// Runs the subcommand.
///
/// # Errors
/// Returns an error with a message for the operator.
pub async fn run(tasks: Tasks) -> anyhow::Result<()> {
    let mut ambient = server::run::Ambient::system()?;
    if let Some(at) = tasks.at {
        ambient.wall = domain::clock::Clock::new(move || at);
    }
    if tasks.at.is_some() {
        let db = shared::open(&tasks.database).await?;
        let made_up = store::audit::is_time_made_up(&mut db.read().await?).await?;
        anyhow::ensure!(made_up, "--at is for demos: this database's time is real");
        db.close().await;
    }
    if let Command::Priority { id, priority, why } = &tasks.command {
        let db = shared::open(&tasks.database).await?;
        return change::prioritise(db, &ambient, (id, *priority, why.as_deref()), tasks.json).await;
    }
    if let Command::Release { id, why } = &tasks.command {
        let (db, ring) = shared::open_with_keys(&tasks.database, &tasks.ring, &ambient.random).await?;
        return change::release(db, ring, &ambient, (id, why), tasks.json).await;
    }
    if let Command::Settle(settle) = &tasks.command {
        let (db, ring) = shared::open_with_keys(&tasks.database, &tasks.ring, &ambient.random).await?;
        return change::settle(db, ring, &ambient, settle, tasks.json).await;
    }
    let db = shared::open(&tasks.database).await?;
    let mut tx = db.read().await?;
    let now = Clocks::read(&mut tx, &ambient.wall).await?;
    match &tasks.command {
        Command::List { status, user, limit } => {
            let user = match user {
                Some(user) => Some(find_user(&mut tx, user).await?),
                None => None,
            };
            let status = status.map(|s| s.as_str().to_owned());
            let found = store::operator::tasks(&mut tx, &Filter { status, user, limit: *limit }).await?;
            let watches = store::task::watches(&mut tx, &found, now.portal).await?;
            let listed: Vec<_> =
                found.iter().filter_map(|task| Some((task, watches.get(&task.id)?))).collect();
            list(&listed, now, tasks.json)?;
        }
        Command::Show { id } => {
            let task = find(&mut tx, id).await?;
            show::show(&mut tx, &task, now, tasks.json).await?;
        }
        Command::Explain { id } => {
            let task = find(&mut tx, id).await?;
            explain::explain(&mut tx, &task, now.portal, tasks.json).await?;
        }
        Command::Priority { .. } | Command::Release { .. } | Command::Settle(_) => {}
    }
    drop(tx);
    db.close().await;
    Ok(())
}

fn list(tasks: &[(&Task, &TaskWatch)], now: Clocks, as_json: bool) -> anyhow::Result<()> {
    if as_json {
        return print::json(&tasks.iter().map(|(task, watch)| summary(task, &watch.row)).collect::<Vec<_>>());
    }
    let rows: Vec<Vec<String>> = tasks
        .iter()
        .map(|(t, watch)| {
            vec![
                t.id.to_string(),
                t.status.as_str().to_owned(),
                watch.row.condition.as_str().to_owned(),
                t.interview()
                    .map_or_else(|| "none".to_owned(), |b| format!("{} {}", b.date, b.facility.name())),
                t.last_check_at.map_or_else(|| "never".to_owned(), |at| print::age(now.portal - at)),
            ]
        })
        .collect();
    println!("{}", print::table(&["TASK", "STATUS", "CONDITION", "BOOKED", "LAST POLL"], &rows));
    Ok(())
}

/// Returns the JSON object of a task, as in lists.
fn summary(task: &Task, row: &Watch) -> serde_json::Value {
    json!({
        "id": task.id,
        "user_id": task.user_id,
        "portal_account_id": task.portal_account_id,
        "portal_schedule_id": task.portal_schedule_id,
        "status": task.status,
        "reason": task.reason,
        "status_since": task.status_since,
        "verdict": row.condition,
        "verdict_since": row.since,
        "reason_to_wait": row.reason,
        "booked": task.booked,
        "checks": task.checks,
        "last_check_at": task.last_check_at,
        "last_answer_at": row.last_answer_at,
        "next_check_at": row.next_poll_at,
        "next_try_at": row.next_try_at,
        "submitted_at": task.submitted_at,
    })
}

/// Finds the task whose id begins with `id`. Returns an error if there is none, or more than one.
async fn find(tx: &mut Tx, id: &str) -> anyhow::Result<Task> {
    let found = store::operator::tasks_by_prefix(tx, id).await?;
    let [one]: [TaskId; 1] = found.try_into().map_err(|found: Vec<TaskId>| match found.len() {
        0 => anyhow::anyhow!("there is no task {id}"),
        _ => anyhow::anyhow!("several tasks have ids that begin with {id}; give more characters"),
    })?;
    let task = store::task::get(tx, one).await?.with_context(|| format!("there is no task {id}"))?;
    store::task::shown(tx, vec![task]).await?.pop().context("the task is missing")
}

/// Returns the derived status of one task at `now` (portal time).
async fn watch_of(tx: &mut Tx, task: &Task, now: Instant) -> anyhow::Result<TaskWatch> {
    let watch = store::task::watches(tx, std::slice::from_ref(task), now).await?.remove(&task.id);
    watch.context("the task is missing")
}

/// Finds the user with this e-mail address or id.
///
/// # Errors
/// Returns an error if no such user is registered.
pub async fn find_user(tx: &mut Tx, user: &str) -> anyhow::Result<UserId> {
    if let Ok(id) = user.parse::<UserId>() {
        return Ok(id);
    }
    let known = store::user::by_email(tx, user).await?;
    known.map(|u| u.id).with_context(|| format!("no user is registered as {user}"))
}

fn status(word: &str) -> Result<TaskStatus, String> {
    let words: Vec<&str> = TaskStatus::ALL.iter().map(|s| s.as_str()).collect();
    TaskStatus::parse(word).ok_or_else(|| format!("one of {}", words.join(", ")))
}

/// Formats the time of the next poll, and the reason for which it is delayed.
fn next_poll(at: Option<Instant>, wait: Option<PollWait>, now: Instant) -> String {
    let wait = wait.map(|wait| match wait {
        PollWait::HourLimit => "every account has used its polls of the hour",
        PollWait::TenHourLimit => "every account has used its polls of ten hours",
        PollWait::RequestLimit => "every account has used its requests of ten hours",
        PollWait::AccountRest => "every account backs off",
        PollWait::RestrictedHours => "restricted hours: the engine polls rarely",
        PollWait::HostBackOff => "backing off from the portal's host",
        PollWait::OperatorPause => "an operator paused the portal: sooner engine resume",
        PollWait::EngineAway => "no engine holds the lease: start sooner serve",
    });
    match (at, wait) {
        (Some(at), Some(wait)) => format!("{}: {wait}", print::when(at, now)),
        (Some(at), None) => format!("{}, as planned", print::when(at, now)),
        (None, Some(wait)) => format!("not planned: {wait}"),
        (None, None) => "due now, or not planned".to_owned(),
    }
}

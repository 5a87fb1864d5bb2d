//! Commands for compromised accounts: `sooner users sessions`, `sign-out`, `suspend`, `resume`,
//! `unlink-google`, `remove-passkeys` and `reset-second-factor`.

use clap::Subcommand;
use domain::ids::UserId;
use domain::security_event::SecurityEventKind;
use domain::task::TaskStatus;
use engine::operator::NotDone;
use serde_json::{Value, json};
use store::security_event::NewEvent;
use store::session::SignIn;

use super::{Operator, Options};
use crate::shared::Ring;
use crate::{print, tasks};

/// Number of security events that `sessions` shows.
const EVENTS: i64 = 30;

#[derive(Subcommand)]
pub enum Access {
    /// Show the sign-ins of a user and the recent events of the account
    Sessions {
        /// E-mail address or id of the user
        user: String,
    },
    /// End all sign-ins of a user; other nodes do so within 5 seconds
    SignOut {
        /// E-mail address or id of the user
        user: String,
        /// Reason, recorded in the audit log
        #[arg(long)]
        why: String,
    },
    /// Suspend a user: end all sign-ins, refuse new ones, stop the tasks and release their holds
    Suspend {
        /// E-mail address or id of the user
        user: String,
        /// Reason, recorded in the audit log
        #[arg(long)]
        why: String,
        #[command(flatten)]
        ring: Ring,
    },
    /// Lift the suspension of a user; the tasks stay stopped
    Resume {
        /// E-mail address or id of the user
        user: String,
        /// Reason, recorded in the audit log
        #[arg(long)]
        why: String,
    },
    /// Remove the link to a Google account
    UnlinkGoogle {
        /// E-mail address or id of the user
        user: String,
        /// Reason, recorded in the audit log
        #[arg(long)]
        why: String,
    },
    /// Remove all passkeys, and end every sign-in
    RemovePasskeys {
        /// E-mail address or id of the user
        user: String,
        /// Reason, recorded in the audit log
        #[arg(long)]
        why: String,
    },
    /// Remove the second factor and its recovery codes, and end every sign-in. Verify the identity
    /// of the user first
    ResetSecondFactor {
        /// E-mail address or id of the user
        user: String,
        /// Reason, recorded in the audit log
        #[arg(long)]
        why: String,
    },
}

/// Runs the subcommand.
///
/// # Errors
/// Returns an error with a message for the operator.
pub async fn run(options: &Options, access: Access) -> anyhow::Result<()> {
    match access {
        Access::Sessions { user } => sessions(options, &user).await,
        Access::SignOut { user, why } => {
            let (mut desk, id) = begin(options, &user, &why).await?;
            let ended = end_all(&mut desk, id).await?;
            record_event(&mut desk, id, SecurityEventKind::SignedOutByOperator).await?;
            notify(&mut desk, id, "signed_out").await?;
            let what = json!({ "why": why, "ended": ended });
            finish(desk, "users sign-out", id, what, &format!("ended {ended} sign-ins of {user}")).await
        }
        Access::Suspend { user, why, ring } => suspend(options, &user, &why, &ring).await,
        Access::Resume { user, why } => {
            let (mut desk, id) = begin(options, &user, &why).await?;
            let now = desk.now;
            let changed = store::user::set_suspended(&mut desk.tx, id, None, now).await?;
            anyhow::ensure!(changed, "{user} is not suspended");
            record_event(&mut desk, id, SecurityEventKind::Resumed).await?;
            let text =
                format!("{user} can sign in again; stopped tasks stay stopped until the user starts them");
            finish(desk, "users resume", id, json!({ "why": why }), &text).await
        }
        Access::UnlinkGoogle { user, why } => {
            let (mut desk, id) = begin(options, &user, &why).await?;
            anyhow::ensure!(
                store::identity::unlink(&mut desk.tx, id).await? > 0,
                "{user} has no link to Google"
            );
            record_event(&mut desk, id, SecurityEventKind::GoogleUnlinked).await?;
            notify(&mut desk, id, "google_unlinked").await?;
            let text = format!(
                "{user} can no longer sign in with Google\nTo set a password, the user requests a link by mail."
            );
            finish(desk, "users unlink-google", id, json!({ "why": why }), &text).await
        }
        Access::RemovePasskeys { user, why } => {
            let (mut desk, id) = begin(options, &user, &why).await?;
            let removed = store::passkey::remove_all(&mut desk.tx, id).await?;
            anyhow::ensure!(removed > 0, "{user} has no passkey");
            let ended = end_all(&mut desk, id).await?;
            record_event(&mut desk, id, SecurityEventKind::PasskeyRemoved).await?;
            notify(&mut desk, id, "passkey_removed").await?;
            let text = format!("removed {removed} passkeys of {user}; ended {ended} sign-ins");
            let what = json!({ "why": why, "removed": removed, "ended": ended });
            finish(desk, "users remove-passkeys", id, what, &text).await
        }
        Access::ResetSecondFactor { user, why } => {
            let (mut desk, id) = begin(options, &user, &why).await?;
            anyhow::ensure!(store::totp::remove(&mut desk.tx, id).await?, "{user} has no second factor");
            let ended = end_all(&mut desk, id).await?;
            record_event(&mut desk, id, SecurityEventKind::SecondFactorReset).await?;
            notify(&mut desk, id, "second_factor_reset").await?;
            let text = format!("removed the second factor of {user}; ended {ended} sign-ins");
            let what = json!({ "why": why, "ended": ended });
            finish(desk, "users reset-second-factor", id, what, &text).await
        }
    }
}

async fn begin(options: &Options, user: &str, why: &str) -> anyhow::Result<(Operator, UserId)> {
    anyhow::ensure!(!why.trim().is_empty(), "give a reason: --why");
    let mut desk = Operator::open(options).await?;
    let id = desk.user(user).await?;
    Ok((desk, id))
}

async fn finish(
    desk: Operator,
    command: &'static str,
    id: UserId,
    what: Value,
    text: &str,
) -> anyhow::Result<()> {
    let mut value = what.clone();
    value["user"] = json!(id);
    desk.finish((command, &id.to_string(), what), &value, text).await
}

async fn suspend(options: &Options, user: &str, why: &str, ring: &Ring) -> anyhow::Result<()> {
    anyhow::ensure!(!why.trim().is_empty(), "give a reason: --why");
    let (mut desk, ring) = Operator::open_with_keys(options, ring).await?;
    let id = desk.user(user).await?;
    let now = desk.now;
    anyhow::ensure!(
        store::user::set_suspended(&mut desk.tx, id, Some(now), now).await?,
        "{user} is suspended already"
    );
    let ended = end_all(&mut desk, id).await?;
    let engine = tasks::offline(&desk.db, ring, &desk.ambient)?;
    let mut stopped = 0;
    let mut left = Vec::new();
    // Tasks are locked in the order of their ids, which prevents deadlocks.
    for task in store::task::all_of_user(&mut desk.tx, id).await? {
        let runs = matches!(task.status, TaskStatus::Submitted | TaskStatus::Processing | TaskStatus::Active);
        if task.deleted_at.is_some() || !runs {
            continue;
        }
        match engine.release_task(&mut desk.tx, task.id).await {
            Ok(_) => stopped += 1,
            // A booking that was sent must be followed to its outcome, so this task is not stopped.
            // No further booking begins.
            Err(NotDone::Refused(_)) => left.push(task.id.to_string()),
            Err(error @ NotDone::Fault(_)) => return Err(error.into()),
        }
    }
    record_event(&mut desk, id, SecurityEventKind::Suspended).await?;
    let mut text = format!("suspended {user}; ended {ended} sign-ins, stopped {stopped} tasks");
    if !left.is_empty() {
        text.push_str(&format!(
            "\nnot stopped, because a booking is in progress; release them afterwards: {}",
            left.join(", ")
        ));
    }
    let what = json!({ "why": why, "ended": ended, "stopped": stopped, "left": left });
    finish(desk, "users suspend", id, what, &text).await
}

async fn end_all(desk: &mut Operator, id: UserId) -> anyhow::Result<usize> {
    let ended = store::session::revoke_all(&mut desk.tx, id, None, "operator", desk.now).await?;
    Ok(ended.len())
}

async fn record_event(desk: &mut Operator, user: UserId, kind: SecurityEventKind) -> anyhow::Result<()> {
    let event = NewEvent { user, kind, succeeded: true, session: None, client: None };
    Ok(store::security_event::add(&mut desk.tx, &desk.ambient.random, &event, desk.now).await?)
}

async fn notify(desk: &mut Operator, user: UserId, what: &str) -> anyhow::Result<()> {
    let key = format!("security_notice:{user}:{what}:{}", desk.now.timestamp_micros());
    let data = json!({ "what": what });
    store::outbox::enqueue_mail(
        &mut desk.tx,
        &desk.ambient.random,
        user,
        "security_notice",
        &key,
        &data,
        desk.now,
    )
    .await?;
    Ok(())
}

async fn sessions(options: &Options, user: &str) -> anyhow::Result<()> {
    let mut desk = Operator::open(options).await?;
    let id = desk.user(user).await?;
    let now = desk.now;
    let living = store::session::all_of_user(&mut desk.tx, id, now).await?;
    let events = store::security_event::of_user(&mut desk.tx, id, EVENTS).await?;
    let suspended = store::user::is_suspended(&mut desk.tx, id).await?;
    let mut text = Vec::new();
    if suspended {
        text.push(format!("{user} is suspended"));
    }
    let rows: Vec<Vec<String>> = living.iter().map(row).collect();
    text.push(print::table(&["SIGNED IN", "LAST USED", "METHOD", "BROWSER", "NETWORK"], &rows));
    let rows: Vec<Vec<String>> = events
        .iter()
        .map(|e| {
            let outcome = if e.succeeded { "" } else { "failed" };
            vec![
                print::time(e.at),
                e.kind.to_string(),
                outcome.to_owned(),
                with(&e.browser, &e.os),
                e.network.clone(),
            ]
        })
        .collect();
    text.push("\nRECENT SECURITY EVENTS".to_owned());
    text.push(print::table(&["AT", "EVENT", "", "BROWSER", "NETWORK"], &rows));
    let value = json!({
        "user": id, "suspended": suspended,
        "sessions": living.iter().map(|s| json!({
            "id": s.id, "method": s.method, "browser": s.browser, "os": s.os, "network": s.network,
            "created_at": s.created_at, "last_used_at": s.last_used_at, "expires_at": s.expires_at,
        })).collect::<Vec<_>>(),
        "events": events.iter().map(|e| json!({
            "at": e.at, "kind": e.kind, "succeeded": e.succeeded, "browser": e.browser, "os": e.os,
            "network": e.network,
        })).collect::<Vec<_>>(),
    });
    desk.finish(("users sessions", &id.to_string(), json!({})), &value, &text.join("\n")).await
}

fn row(one: &SignIn) -> Vec<String> {
    vec![
        print::time(one.created_at),
        print::time(one.last_used_at),
        one.method.clone(),
        with(&one.browser, &one.os),
        one.network.clone(),
    ]
}

fn with(browser: &str, os: &str) -> String {
    match (browser, os) {
        ("", "") => "-".to_owned(),
        ("", one) | (one, "") => one.to_owned(),
        (browser, os) => format!("{browser}, {os}"),
    }
}

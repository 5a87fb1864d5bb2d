//! Retention of portal passwords that no task needs. Their owners are notified, and the passwords
//! are deleted later (`app/credentials.rs` has the times).

use app::credentials::{KEPT, NOTIFIED_BEFORE, leaves_at, resting_since};
use domain::clock::Instant;
use domain::ids::CredentialId;
use serde_json::json;
use store::credential::retention::{self, UnusedCredential};

use crate::AppState;
use crate::http::error::ApiError;

/// Notifies the owners of unused passwords, and deletes the passwords that are due. A failure does
/// not stop the processing of the others.
///
/// # Errors
/// Returns the last error, if any password failed.
pub async fn delete_due_round(app: &AppState) -> Result<(), ApiError> {
    let now = app.now();
    let mut tx = app.db.read().await?;
    let resting = retention::resting(&mut tx, now - (KEPT - NOTIFIED_BEFORE)).await?;
    drop(tx);
    let mut left = Ok(());
    for one in resting {
        let told = one.told_at.is_some_and(|at| at >= one.since);
        let done = if !told {
            notify(app, &one, now).await
        } else if leaves_at(one.since, one.told_at) <= now {
            delete_if_due(app, one.id, now).await
        } else {
            continue;
        };
        if let Err(error) = done {
            tracing::error!(?error, credential = %one.id, "failed to apply the retention of a portal password");
            left = Err(error);
        }
    }
    left
}

async fn notify(app: &AppState, one: &UnusedCredential, now: Instant) -> Result<(), ApiError> {
    let mut tx = app.db.begin().await?;
    let Some(credential) = store::credential::get(&mut tx, one.id).await? else { return Ok(()) };
    let Some(user) = store::user::get(&mut tx, one.user).await? else { return Ok(()) };
    retention::set_notified(&mut tx, one.id, now).await?;
    let data = json!({
        "username": credential.username,
        "leaves_on": leaves_at(one.since, Some(now)).date_naive().to_string(),
    });
    let key = format!("credential_leaving:{}:{}", one.id, one.since.timestamp_micros());
    app.accounts().mail(&mut tx, &user, "credential_leaving", &key, &data).await?;
    tx.commit().await?;
    Ok(())
}

/// Deletes a password if it is still due. It is checked again in this transaction, because a task
/// may have started meanwhile.
async fn delete_if_due(app: &AppState, id: CredentialId, now: Instant) -> Result<(), ApiError> {
    let mut tx = app.db.begin().await?;
    let Some(credential) = store::credential::get(&mut tx, id).await? else { return Ok(()) };
    let told_at = retention::notified_at(&mut tx, id).await?;
    let tasks = store::task::of_credential(&mut tx, id).await?;
    let over = resting_since(&tasks)
        .filter(|since| told_at.is_some_and(|at| at >= *since))
        .is_some_and(|since| leaves_at(since, told_at) <= now);
    if !over {
        return Ok(());
    }
    match app::credentials::remove(&app.use_cases(), &mut tx, &credential).await {
        Err(app::Error::Refused(_)) => return Ok(()),
        removed => removed?,
    }
    tx.commit().await?;
    tracing::info!(credential = %id, user = %credential.user_id, "deleted an unused portal password");
    app.engine.nudge();
    Ok(())
}

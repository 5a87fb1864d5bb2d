//! Records security events of accounts, counts them in metrics, and notifies the accounts' owners.

use std::future::Future;

use domain::security_event::SecurityEventKind;
use serde_json::json;
use store::Tx;
use store::security_event::NewEvent;
use store::session::Client;
use store::user::User;

use super::Caller;
use crate::AppState;
use crate::http::error::ApiError;

/// Returns an event for a successful action of the caller.
#[must_use]
pub fn by<'a>(caller: &Caller, kind: SecurityEventKind, client: &'a Client) -> NewEvent<'a> {
    let session = Some(caller.session);
    NewEvent { user: caller.user, kind, succeeded: true, session, client: Some(client) }
}

/// Records an event in the transaction of its cause.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn record(app: &AppState, tx: &mut Tx, event: &NewEvent<'_>) -> Result<(), ApiError> {
    store::security_event::add(tx, &app.random, event, app.wall.now()).await?;
    let NewEvent { user, kind, succeeded, session, client } = event;
    engine::metrics::security_event((*kind).into(), *succeeded);
    let network = client.map_or("", |client| client.network.as_str());
    let session = session.map(|id| id.to_string()).unwrap_or_default();
    tracing::info!(%user, %kind, succeeded, session, network, "recorded security event");
    Ok(())
}

/// Runs work in a background task, so that the response does not wait for it. Otherwise the
/// response time would reveal whether an account exists.
pub fn afterwards<F>(app: &AppState, work: F)
where
    F: Future<Output = Result<(), ApiError>> + Send + 'static,
{
    app.afterwards.spawn(async move {
        if let Err(error) = work.await {
            tracing::warn!(code = error.code.as_str(), "failed to record a security event");
        }
    });
}

/// Records a failed check of credentials, after the response. If `notice` is set, also mails the
/// owner about too many failures.
pub fn failed(
    app: &AppState,
    user: &User,
    kind: SecurityEventKind,
    client: &Client,
    notice: Option<SecurityNotice>,
) {
    let (app, user, client) = (app.clone(), user.clone(), client.clone());
    afterwards(&app.clone(), async move {
        let mut tx = app.db.begin().await?;
        let event = NewEvent { user: user.id, kind, succeeded: false, session: None, client: Some(&client) };
        record(&app, &mut tx, &event).await?;
        if let Some(notice) = notice {
            let today = app.wall.now().date_naive();
            if notify(&app, &mut tx, &user, notice, &today.to_string()).await? {
                let event = NewEvent { kind: SecurityEventKind::Guessed, ..event };
                record(&app, &mut tx, &event).await?;
            }
        }
        Ok(tx.commit().await?)
    });
}

/// A security notice that is mailed to the owner of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum SecurityNotice {
    /// Many wrong passwords were entered.
    PasswordsGuessed,
    /// Wrong codes were entered after the right password, so an attacker may know the password.
    CodesGuessed,
    /// A recovery code was used.
    RecoveryCodeUsed,
    /// New recovery codes were created.
    RecoveryCodesRenewed,
    /// A task may book more dates than before.
    TaskWidened,
    /// A Google account was linked for sign-in.
    GoogleLinked,
    /// The Google account was unlinked.
    GoogleUnlinked,
    /// A passkey was added for sign-in.
    PasskeyAdded,
    /// A passkey was removed.
    PasskeyRemoved,
}

/// Mails a notice, at most once for each `occasion`. Returns `false` if it was mailed before.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn notify(
    app: &AppState,
    tx: &mut Tx,
    user: &User,
    what: SecurityNotice,
    occasion: &str,
) -> Result<bool, ApiError> {
    let what: &str = what.into();
    let key = format!("security_notice:{}:{what}:{occasion}", user.id);
    Ok(app.accounts().mail(tx, user, "security_notice", &key, &json!({ "what": what })).await?)
}

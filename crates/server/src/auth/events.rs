//! Security events of accounts: records them, counts them, and notifies their owners.

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

/// Creates a successful event of the caller's account.
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

/// Runs work after the response. Its duration would otherwise reveal if an account exists.
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

/// Records that a check of credentials failed. If `notice` is set, the owner is notified, because
/// there were too many failures.
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

/// A security notice to the owner of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum SecurityNotice {
    /// There were many wrong passwords.
    PasswordsGuessed,
    /// There were wrong codes after the right password, so another party knows it.
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
}

/// Mails a notice once for each `occasion`. Returns `false` if it was sent before.
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

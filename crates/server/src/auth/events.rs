//! Writes down what happens to people's accounts, counts it, and tells them where they should know.

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

/// Something that happened to the account of the caller.
#[must_use]
pub fn by<'a>(caller: &Caller, kind: SecurityEventKind, client: &'a Client) -> NewEvent<'a> {
    let session = Some(caller.session);
    NewEvent { user: caller.user, kind, succeeded: true, session, client: Some(client) }
}

/// Writes an event down in the transaction of what happened.
///
/// # Errors
/// When the database fails.
pub async fn note(app: &AppState, tx: &mut Tx, event: &NewEvent<'_>) -> Result<(), ApiError> {
    store::security_event::add(tx, &app.random, event, app.wall.now()).await?;
    let NewEvent { user, kind, succeeded, session, client } = event;
    engine::metrics::security_event((*kind).into(), *succeeded);
    let network = client.map_or("", |client| client.network.as_str());
    let session = session.map(|id| id.to_string()).unwrap_or_default();
    tracing::info!(%user, %kind, succeeded, session, network, "security event");
    Ok(())
}

/// Does something after the answer: how long it takes would tell whether an account is there.
pub fn afterwards<F>(app: &AppState, work: F)
where
    F: Future<Output = Result<(), ApiError>> + Send + 'static,
{
    app.afterwards.spawn(async move {
        if let Err(error) = work.await {
            tracing::warn!(code = error.code.as_str(), "a security event was not written down");
        }
    });
}

/// Writes down that a proof failed; its owner is told when `told` says that there were too many.
pub fn failed(app: &AppState, user: &User, kind: SecurityEventKind, client: &Client, told: Option<Told>) {
    let (app, user, client) = (app.clone(), user.clone(), client.clone());
    afterwards(&app.clone(), async move {
        let mut tx = app.db.begin().await?;
        let event = NewEvent { user: user.id, kind, succeeded: false, session: None, client: Some(&client) };
        note(&app, &mut tx, &event).await?;
        if let Some(told) = told {
            let today = app.wall.now().date_naive();
            if tell(&app, &mut tx, &user, told, &today.to_string()).await? {
                let event = NewEvent { kind: SecurityEventKind::Guessed, ..event };
                note(&app, &mut tx, &event).await?;
            }
        }
        Ok(tx.commit().await?)
    });
}

/// What somebody is told about the safety of their account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Told {
    /// Many wrong passwords.
    PasswordsGuessed,
    /// Wrong codes after the right password: somebody knows it.
    CodesGuessed,
    /// A recovery code was used.
    RecoveryCodeUsed,
    /// There are new recovery codes.
    RecoveryCodesRenewed,
    /// A task may book more than before.
    TaskWidened,
    /// Google signs in from now on.
    GoogleLinked,
    /// Google signs in no more.
    GoogleUnlinked,
}

/// Tells somebody, once for each `occasion`; false when they were told before.
///
/// # Errors
/// When the database fails.
pub async fn tell(
    app: &AppState,
    tx: &mut Tx,
    user: &User,
    what: Told,
    occasion: &str,
) -> Result<bool, ApiError> {
    let what: &str = what.into();
    let key = format!("security_notice:{}:{what}:{occasion}", user.id);
    Ok(app.accounts().mail(tx, user, "security_notice", &key, &json!({ "what": what })).await?)
}

//! Endpoint `POST /auth/change-password`.

use app::accounts;
use axum::extract::State;
use domain::password;
use domain::security_event::SecurityEventKind;
use secrecy::SecretString;
use serde::Deserialize;
use utoipa::ToSchema;

use super::guess_limits::Guess;
use super::{admission, guess_limits};
use crate::AppState;
use crate::auth::user_agent::RequestClient;
use crate::auth::{StepUp, StrictCaller, events};
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Empty, Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope, Fields};
use crate::http::extract::{Body, ClientIp};
use crate::http::rate_limit::LimitedAction;

/// Input of a password change.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordChange {
    /// Current password. Only users who sign in with Google and have no password omit it; they need
    /// a step-up instead.
    #[serde(alias = "currentPassword")]
    #[schema(format = Password)]
    current_password: Option<String>,
    /// New password: at least 8 characters of four classes.
    #[serde(alias = "newPassword")]
    #[schema(value_type = String, format = Password, min_length = 8, max_length = 1024)]
    new_password: String,
}

/// Changes the password. The current session continues; all other sessions end.
#[utoipa::path(post, path = "/auth/change-password", tag = "auth", request_body = PasswordChange, responses(
    (status = 200, body = Envelope<Empty>),
    (status = 403, body = ErrorEnvelope, description = "`STEP_UP_REQUIRED`: the account has no password, and the session has no recent step-up"),
    (status = 422, body = ErrorEnvelope, description = "`data.fields`: current_password (required, wrong), new_password (required, too_short, too_long, classes, common, context)"),
    (status = 429, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn change_password(
    State(app): State<AppState>,
    caller: StrictCaller,
    ClientIp(address): ClientIp,
    RequestClient(client): RequestClient,
    Body { value: input, .. }: Body<PasswordChange>,
) -> Answer<Empty> {
    detached(async move {
        let StrictCaller(who) = caller;
        let mut tx = app.db.read().await?;
        let user = store::user::get(&mut tx, who.user).await?.ok_or(ApiError::new(Code::Unauthorized))?;
        drop(tx);
        let current = input.current_password.filter(|p| !p.is_empty());
        let mut wrong = Fields::default();
        if let Err(weakness) = password::check(&input.new_password, &user.email) {
            wrong.add("new_password", weakness.code());
        }
        if user.password_hash.is_some() && current.is_none() {
            wrong.add("current_password", "required");
        }
        wrong.none()?;
        let permit = admission::hashing_of_user(&app, LimitedAction::ProveAgain, user.id, address)?;
        match &user.password_hash {
            None => drop(StepUp::require(&app, caller).await?),
            Some(stored) => {
                let id = user.id.to_string();
                let guess =
                    Guess { act: LimitedAction::ProveAgain, account: &id, from: address, known: false };
                let counted = guess_limits::count_guess(&app, guess).await?;
                let current = SecretString::from(current.unwrap_or_default());
                if !app.passwords.verify(&permit, current, Some(stored.clone())).await? {
                    events::failed(
                        &app,
                        &user,
                        SecurityEventKind::PasswordChanged,
                        &client,
                        counted.security_notice(),
                    );
                    return Err(Fields::single("current_password", "wrong"));
                }
                counted.right(&app).await?;
            }
        }
        let hash = app.passwords.hash(&permit, input.new_password.into()).await?;
        let mut tx = app.db.begin().await?;
        let ended = accounts::change_password(&app.accounts(), &mut tx, &user, who.session, &hash).await?;
        events::record(&app, &mut tx, &events::by(&who, SecurityEventKind::PasswordChanged, &client)).await?;
        tx.commit().await?;
        drop(permit);
        app.sessions.end(&ended, app.now());
        Ok(())
    })
    .await?;
    ok(Empty {})
}

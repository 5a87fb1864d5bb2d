//! Endpoint `PUT /auth/profile`.

use axum::extract::State;
use domain::display_name;
use domain::security_event::SecurityEventKind;
use serde::{Deserialize, Serialize};
use store::mail_request::MailAction;
use utoipa::ToSchema;

use super::forgot::{address_of, store_request};
use super::guess_limits;
use crate::AppState;
use crate::api::user::{Language, UserView};
use crate::auth::user_agent::RequestClient;
use crate::auth::{StepUp, StrictCaller, events};
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope, Fields};
use crate::http::extract::{Body, ClientIp};
use crate::http::rate_limit::{ADDRESSES_A_DAY, LimitedAction};

/// Changes of a profile; absent fields stay as they are.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ProfileChange {
    /// Language of mails and of the next sign-in.
    language: Option<Language>,
    /// `true` to stop a task after its first booking.
    #[serde(rename = "autoStopScheduler", alias = "auto_stop_scheduler")]
    auto_stop_scheduler: Option<bool>,
    /// Name shown on the user's own screens, at most 40 characters; an empty name removes it.
    #[schema(max_length = 40)]
    display_name: Option<String>,
    /// New e-mail address. It replaces the old one when its mailed link is used. Needs a step-up.
    email: Option<String>,
}

/// The profile after the change.
#[derive(Serialize, ToSchema)]
pub struct ProfileChanged {
    user: UserView,
    /// `true` if a new address was requested and the server sends mail. A link goes to the new
    /// address unless it is taken; the old address gets a notice.
    email_change_sent: bool,
}

fn name_of(typed: &str) -> Result<Option<String>, ApiError> {
    display_name::read(typed).map_err(|flaw| Fields::single("display_name", flaw.into()))
}

/// Changes the caller's profile. A new address applies once it is verified. The response is the
/// same if the address is taken.
#[utoipa::path(put, path = "/auth/profile", tag = "user", request_body = ProfileChange, responses(
    (status = 200, body = Envelope<ProfileChanged>),
    (status = 403, body = ErrorEnvelope, description = "`STEP_UP_REQUIRED`: a new address needs a recent step-up"),
    (status = 422, body = ErrorEnvelope, description = "`data.fields`: `email` required, invalid; `display_name` too_long, invalid"),
    (status = 429, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn set_profile(
    State(app): State<AppState>,
    caller: StrictCaller,
    ClientIp(address): ClientIp,
    RequestClient(client): RequestClient,
    Body { value: input, .. }: Body<ProfileChange>,
) -> Answer<ProfileChanged> {
    let StrictCaller(who) = caller;
    let email = input.email.as_deref().map(address_of).transpose()?;
    let name = input.display_name.as_deref().map(name_of).transpose()?;
    let mut tx = app.db.read().await?;
    let user = store::user::get(&mut tx, who.user).await?.ok_or(ApiError::new(Code::Unauthorized))?;
    drop(tx);
    let email = email.filter(|new| *new != user.email);
    if email.is_some() {
        StepUp::require(&app, caller).await?;
        guess_limits::call(&app, LimitedAction::ChangeEmail, Some(&who.user.to_string()), address)?;
        guess_limits::daily(&app, "address", &who.user.to_string(), ADDRESSES_A_DAY).await?;
    }
    let asks_for_address = email.is_some();
    let kept = app.clone();
    detached(async move {
        let now = app.wall.now();
        let mut tx = app.db.begin().await?;
        if let Some(language) = input.language {
            store::user::set_language(&mut tx, who.user, language.code(), now).await?;
        }
        if let Some(on) = input.auto_stop_scheduler {
            store::user::set_auto_stop(&mut tx, who.user, on, now).await?;
        }
        if let Some(name) = name {
            store::user::set_display_name(&mut tx, who.user, name.as_deref(), now).await?;
        }
        if asks_for_address {
            let event = events::by(&who, SecurityEventKind::EmailChangeAsked, &client);
            events::record(&app, &mut tx, &event).await?;
        }
        tx.commit().await?;
        Ok(())
    })
    .await?;
    let email_change_sent = email.is_some() && kept.mail_configured();
    if let Some(email) = email {
        store_request(kept.clone(), email, MailAction::ChangeEmail(who.user)).await?;
    }
    let mut tx = kept.db.read().await?;
    let user = store::user::get(&mut tx, who.user).await?.ok_or(ApiError::new(Code::Unauthorized))?;
    ok(ProfileChanged { user: UserView::of(&mut tx, &user).await?, email_change_sent })
}

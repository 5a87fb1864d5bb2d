//! Endpoints `GET /user/profile`, `GET /auth/profile`, `PUT /user/language` and
//! `PUT /user/auto-stop-scheduler`.

pub mod credentials;
pub mod deletion;
pub mod export;
pub mod google;
pub mod links;
pub mod passkeys;
pub mod referral;
pub mod security_events;
pub mod sessions;
pub mod totp;

use axum::extract::State;
use chrono::{DateTime, Utc};
use domain::ids::UserId;
use serde::{Deserialize, Serialize};
use store::Tx;
use store::user::User;
use utoipa::ToSchema;

use crate::AppState;
use crate::auth::Caller;
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope};
use crate::http::extract::Body;

/// Languages of this service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// English.
    En,
    /// Chinese, the default.
    Zh,
}

impl Language {
    /// Returns the code of the language, as it is stored.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Zh => "zh",
        }
    }

    /// Parses a stored code; every code but `en` is Chinese.
    #[must_use]
    pub fn parse(code: &str) -> Self {
        if code == "en" { Self::En } else { Self::Zh }
    }
}

/// The signed-in user.
#[derive(Serialize, ToSchema)]
pub struct UserView {
    #[schema(value_type = uuid::Uuid)]
    id: UserId,
    /// Equal to the e-mail address.
    username: String,
    email: String,
    /// Name shown to the user; null if it is not set.
    display_name: Option<String>,
    /// Available balance, two decimals.
    credit: f64,
    language: Language,
    #[serde(rename = "emailVerified")]
    email_verified: bool,
    #[serde(rename = "createdAt")]
    created_at: DateTime<Utc>,
    #[serde(rename = "updatedAt")]
    updated_at: DateTime<Utc>,
    profile: Profile,
    /// `true` if the user can sign in with a password.
    has_password: bool,
    /// `true` if a Google account is linked.
    google_linked: bool,
    /// Address of the linked Google account, as Google last reported it; null without a link, or if
    /// it is not known yet.
    google_email: Option<String>,
    /// `true` if a sign-in with the password also needs a code.
    totp_enabled: bool,
}

/// Preferences of the user.
#[derive(Serialize, ToSchema)]
pub struct Profile {
    /// `true` to stop a task after its first booking.
    #[serde(rename = "autoStopScheduler")]
    auto_stop_scheduler: bool,
}

/// Response with the signed-in user.
#[derive(Serialize, ToSchema)]
pub struct ProfileAnswer {
    user: UserView,
}

/// Input of a change of the language.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LanguageChange {
    language: Language,
}

/// The language after the change.
#[derive(Serialize, ToSchema)]
pub struct LanguageChanged {
    message: &'static str,
    language: Language,
}

/// Input of a change of the auto-stop preference.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AutoStopChange {
    auto_stop_scheduler: bool,
}

/// The auto-stop preference after the change.
#[derive(Serialize, ToSchema)]
pub struct AutoStopChanged {
    message: &'static str,
    #[serde(rename = "autoStopScheduler")]
    auto_stop_scheduler: bool,
}

impl UserView {
    /// Returns the view of a user for the user's own screens.
    pub async fn of(tx: &mut Tx, user: &User) -> Result<Self, ApiError> {
        let balance = store::ledger::balance(tx, user.id).await?;
        let second = store::totp::confirmed(tx, user.id).await?;
        let google_linked = store::identity::is_linked(tx, user.id).await?;
        let google_email = store::identity::linked_email(tx, user.id).await?;
        Ok(Self {
            id: user.id,
            username: user.email.clone(),
            email: user.email.clone(),
            display_name: user.display_name.clone(),
            credit: balance.available.to_wire(),
            language: Language::parse(&user.language),
            email_verified: user.email_verified_at.is_some(),
            created_at: user.created_at,
            updated_at: user.updated_at,
            profile: Profile { auto_stop_scheduler: user.auto_stop },
            has_password: user.password_hash.is_some(),
            google_linked,
            google_email,
            totp_enabled: second.is_some(),
        })
    }
}

/// Returns the caller's profile.
#[utoipa::path(get, path = "/user/profile", tag = "user", responses(
    (status = 200, body = Envelope<ProfileAnswer>), (status = 401, body = ErrorEnvelope), (status = 503, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn get_user_profile(State(app): State<AppState>, caller: Caller) -> Answer<ProfileAnswer> {
    profile(&app, caller).await
}

/// Returns the caller's profile, like `/user/profile`.
#[utoipa::path(get, path = "/auth/profile", tag = "user", responses(
    (status = 200, body = Envelope<ProfileAnswer>), (status = 401, body = ErrorEnvelope), (status = 503, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn get_auth_profile(State(app): State<AppState>, caller: Caller) -> Answer<ProfileAnswer> {
    profile(&app, caller).await
}

async fn profile(app: &AppState, caller: Caller) -> Answer<ProfileAnswer> {
    let mut tx = app.db.read().await?;
    let user = store::user::get(&mut tx, caller.user).await?.ok_or(ApiError::new(Code::Unauthorized))?;
    ok(ProfileAnswer { user: UserView::of(&mut tx, &user).await? })
}

/// Changes the language of mails and of the next sign-in.
#[utoipa::path(put, path = "/user/language", tag = "user", request_body = LanguageChange, responses(
    (status = 200, body = Envelope<LanguageChanged>), (status = 400, body = ErrorEnvelope), (status = 401, body = ErrorEnvelope),
    (status = 413, body = ErrorEnvelope), (status = 415, body = ErrorEnvelope), (status = 503, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn set_language(
    State(app): State<AppState>,
    caller: Caller,
    Body { value: input, .. }: Body<LanguageChange>,
) -> Answer<LanguageChanged> {
    detached(async move {
        let mut tx = app.db.begin().await?;
        store::user::set_language(&mut tx, caller.user, input.language.code(), app.wall.now()).await?;
        tx.commit().await?;
        Ok(())
    })
    .await?;
    ok(LanguageChanged { message: "Language updated", language: input.language })
}

/// Changes the preference to stop a task after its first booking.
#[utoipa::path(put, path = "/user/auto-stop-scheduler", tag = "user", request_body = AutoStopChange, responses(
    (status = 200, body = Envelope<AutoStopChanged>), (status = 400, body = ErrorEnvelope), (status = 401, body = ErrorEnvelope),
    (status = 413, body = ErrorEnvelope), (status = 415, body = ErrorEnvelope), (status = 503, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn set_auto_stop_scheduler(
    State(app): State<AppState>,
    caller: Caller,
    Body { value: input, .. }: Body<AutoStopChange>,
) -> Answer<AutoStopChanged> {
    let on = input.auto_stop_scheduler;
    detached(async move {
        let mut tx = app.db.begin().await?;
        store::user::set_auto_stop(&mut tx, caller.user, on, app.wall.now()).await?;
        tx.commit().await?;
        Ok(())
    })
    .await?;
    ok(AutoStopChanged { message: "Auto-stop preference updated", auto_stop_scheduler: on })
}

//! Endpoints `GET /auth/invitation`, `POST /auth/invitation` and `POST /auth/link`, for links that
//! operator commands create.

use app::accounts;
use axum::extract::State;
use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::password;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use store::Tx;
use store::session::{Client, Method};
use store::sign_in_link::LinkKind;
use store::token::Registration;
use store::user::User;
use utoipa::ToSchema;

use super::verify::{Link, raw};
use super::{admission, guess_limits};
use crate::AppState;
use crate::api::user::Language;
use crate::auth::sign_in;
use crate::auth::user_agent::RequestClient;
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope, Fields};
use crate::http::extract::{Body, ClientIp, Query};
use crate::http::rate_limit::LimitedAction;

/// An invitation that can be accepted.
#[derive(Serialize, ToSchema)]
pub struct InvitationView {
    /// Address of the invited user.
    email: String,
    /// Time at which the invitation expires.
    expires_at: DateTime<Utc>,
}

/// Input to accept an invitation.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct InvitationUse {
    /// Token of the link, 64 hexadecimal characters.
    token: String,
    /// New password: at least 8 characters of four classes.
    #[schema(value_type = String, format = Password, min_length = 8, max_length = 1024)]
    password: String,
    /// Language of mails; Chinese if absent.
    language: Option<Language>,
}

/// Input to use the owner's link.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SignInLink {
    /// Token of the link, 64 hexadecimal characters.
    token: String,
}

/// Start of a session.
#[derive(Serialize, ToSchema)]
pub struct SignInStart {
    /// Token to exchange at `/auth/refresh`.
    refresh_token: String,
}

/// Returns an invitation without accepting it. The call can be repeated.
#[utoipa::path(get, path = "/auth/invitation", tag = "auth", params(Link), responses(
    (status = 200, body = Envelope<InvitationView>),
    (status = 400, body = ErrorEnvelope), (status = 410, body = ErrorEnvelope), (status = 429, body = ErrorEnvelope),
))]
pub async fn get_invitation(
    State(app): State<AppState>,
    ClientIp(address): ClientIp,
    Query(link): Query<Link>,
) -> Answer<InvitationView> {
    guess_limits::call(&app, LimitedAction::UseLink, None, address)?;
    let raw = link.raw().ok_or(Code::InvalidToken)?;
    let mut tx = app.db.read().await?;
    let (user, expires_at) = invited(&app, &mut tx, &raw).await?;
    ok(InvitationView { email: user.email, expires_at })
}

/// Accepts an invitation, once: sets the account's first password and signs in.
#[utoipa::path(post, path = "/auth/invitation", tag = "auth", request_body = InvitationUse, responses(
    (status = 200, body = Envelope<SignInStart>),
    (status = 400, body = ErrorEnvelope), (status = 410, body = ErrorEnvelope), (status = 429, body = ErrorEnvelope),
    (status = 422, body = ErrorEnvelope, description = "`data.fields.password`: required, too_short, too_long, classes, common, context"),
))]
pub async fn accept_invitation(
    State(app): State<AppState>,
    ClientIp(address): ClientIp,
    RequestClient(client): RequestClient,
    Body { value: input, .. }: Body<InvitationUse>,
) -> Answer<SignInStart> {
    guess_limits::call(&app, LimitedAction::UseLink, None, address)?;
    let raw = raw(&input.token).ok_or(Code::InvalidToken)?;
    let language = input.language.unwrap_or(Language::Zh);
    let signed_in = detached(async move {
        let mut tx = app.db.read().await?;
        // Checked before the expensive hash, so that a caller without a link costs only a lookup.
        let (user, _) = invited(&app, &mut tx, &raw).await?;
        drop(tx);
        if let Err(weakness) = password::check(&input.password, &user.email) {
            return Err(Fields::single("password", weakness.code()));
        }
        let permit = admission::hashing_of_user(&app, LimitedAction::SetPassword, user.id, address)?;
        let password_hash = app.passwords.hash(&permit, SecretString::from(input.password)).await?;
        let registration = Registration { password_hash, language: language.code().to_owned() };
        let mut tx = app.db.begin().await?;
        let user = accounts::accept_invitation(&mut tx, &raw, &registration, app.wall.now()).await?;
        let token = start(&app, &mut tx, &user, client).await?;
        tx.commit().await?;
        drop(permit);
        Ok(token)
    });
    ok(SignInStart { refresh_token: signed_in.await? })
}

/// Signs in the owner of a self-hosted server with the link that `sooner link` printed, once.
#[utoipa::path(post, path = "/auth/link", tag = "auth", request_body = SignInLink, responses(
    (status = 200, body = Envelope<SignInStart>),
    (status = 400, body = ErrorEnvelope), (status = 410, body = ErrorEnvelope), (status = 429, body = ErrorEnvelope),
))]
pub async fn use_owner_link(
    State(app): State<AppState>,
    ClientIp(address): ClientIp,
    RequestClient(client): RequestClient,
    Body { value: input, .. }: Body<SignInLink>,
) -> Answer<SignInStart> {
    guess_limits::call(&app, LimitedAction::UseLink, None, address)?;
    let raw = raw(&input.token).ok_or(Code::InvalidToken)?;
    let signed_in = detached(async move {
        let mut tx = app.db.begin().await?;
        let user = accounts::use_owner_link(&mut tx, &raw, app.wall.now()).await?;
        let token = start(&app, &mut tx, &user, client).await?;
        tx.commit().await?;
        Ok(token)
    });
    ok(SignInStart { refresh_token: signed_in.await? })
}

async fn invited(app: &AppState, tx: &mut Tx, raw: &[u8; 32]) -> Result<(User, Instant), ApiError> {
    let link = accounts::usable_link(tx, LinkKind::Invitation, raw, app.wall.now()).await?;
    let user = store::user::get(tx, link.user).await?.ok_or(Code::InvalidToken)?;
    Ok((user, link.expires_at))
}

/// Starts a session that counts as a step-up: the caller set a password, or has shell access to
/// this server.
async fn start(app: &AppState, tx: &mut Tx, user: &User, client: Client) -> Result<String, ApiError> {
    let started = sign_in::start(app, tx, user, (Method::MailLink, true), client).await?;
    store::session::step_up(tx, started.id, app.wall.now()).await?;
    Ok(started.refresh.expose())
}

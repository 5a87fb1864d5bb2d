//! Endpoint `POST /auth/login`.

use std::net::IpAddr;

use app::accounts::{self, REGISTRATION_LIFE};
use axum::extract::State;
use domain::security_event::SecurityEventKind;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use store::Tx;
use store::session::{Client, Method};
use store::user::User;
use utoipa::ToSchema;

use super::guess_limits::Guess;
use super::{admission, guess_limits, verify};
use crate::AppState;
use crate::api::user::UserView;
use crate::auth::password::{KnownHashes, Likeness};
use crate::auth::sign_in::{self, Started};
use crate::auth::user_agent::RequestClient;
use crate::auth::{events, totp};
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope, Fields};
use crate::http::extract::{Body, ClientIp};
use crate::http::queue::QueuePermit;
use crate::http::rate_limit::LimitedAction;

/// Input of a sign-in.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Login {
    /// E-mail address of the account.
    username: String,
    /// Password of the account.
    #[schema(value_type = String, format = Password)]
    password: String,
    /// `true` to stay signed in for 30 days instead of 24 hours.
    #[serde(rename = "rememberMe", alias = "remember_me", default)]
    remember_me: bool,
    /// Code of the authenticator app, or a recovery code; needed only if the second factor is on.
    totp_code: Option<String>,
    /// Token of the mailed link, for a user who registered in another browser. Together with the
    /// password of that registration it verifies the address.
    link: Option<String>,
}

/// The user of a correct password.
struct KnownUser {
    user: User,
    /// `true` if the client signed in to this account before.
    here_before: bool,
    /// Link that verifies the user's address during this sign-in.
    link: Option<[u8; 32]>,
}

/// Credentials of a sign-in.
struct Typed<'a> {
    username: &'a str,
    password: SecretString,
    link: Option<[u8; 32]>,
}

/// Tokens of a new session, with its user.
#[derive(Serialize, ToSchema)]
pub struct SignedIn {
    /// Access token: a JWT, valid for 15 minutes.
    access_token: String,
    /// Refresh token, valid for one refresh.
    refresh_token: String,
    /// The user who signed in.
    user: UserView,
}

impl SignedIn {
    /// Returns the tokens of a session that was just started.
    pub(super) async fn of(
        app: &AppState,
        tx: &mut Tx,
        user: &User,
        started: &Started,
    ) -> Result<Self, ApiError> {
        Ok(Self {
            access_token: app.access.issue(user.id, started.id, started.expires_at, app.wall.now())?,
            refresh_token: started.refresh.expose(),
            user: UserView::of(tx, user).await?,
        })
    }
}

/// Signs in. An unknown address and a wrong password give the same response.
#[utoipa::path(post, path = "/auth/login", tag = "auth", request_body = Login, responses(
    (status = 200, body = Envelope<SignedIn>),
    (status = 400, body = ErrorEnvelope), (status = 401, body = ErrorEnvelope), (status = 403, body = ErrorEnvelope),
    (status = 413, body = ErrorEnvelope), (status = 415, body = ErrorEnvelope), (status = 422, body = ErrorEnvelope),
    (status = 429, body = ErrorEnvelope), (status = 503, body = ErrorEnvelope),
))]
pub async fn login(
    State(app): State<AppState>,
    ClientIp(address): ClientIp,
    RequestClient(client): RequestClient,
    Body { value: input, .. }: Body<Login>,
) -> Answer<SignedIn> {
    let mut wrong = Fields::default();
    if input.username.trim().is_empty() {
        wrong.add("username", "required");
    }
    if input.password.is_empty() {
        wrong.add("password", "required");
    }
    wrong.none()?;
    let permit = admission::sign_in(&app, &input.username, &client, address).await?;
    let signed_in = detached(async move {
        let remembered = input.remember_me;
        let link = input.link.as_deref().and_then(verify::raw);
        let typed = Typed { username: &input.username, password: input.password.into(), link };
        let known = check(&app, &permit, typed, (address, &client)).await?;
        let second = second_factor(&app, &known, input.totp_code, address).await?;
        let signed_in = start(&app, known, second, remembered, client).await;
        drop(permit);
        signed_in
    });
    ok(signed_in.await?)
}

/// Returns the user with this address and password.
///
/// If the password is that of a registration whose mail was not confirmed, the error is
/// `EMAIL_NOT_VERIFIED`, even for the address of an existing account. A different response would
/// reveal which addresses are known.
async fn check(
    app: &AppState,
    permit: &QueuePermit,
    typed: Typed<'_>,
    (address, client): (IpAddr, &Client),
) -> Result<KnownUser, ApiError> {
    let Typed { username, link, .. } = typed;
    let mut tx = app.db.read().await?;
    let known = store::session::knows_client(&mut tx, username, &sign_in::fingerprint(app, client)).await?;
    drop(tx);
    let account = store::user::normalise(username);
    let guess = Guess { act: LimitedAction::SignIn, account: &account, from: address, known };
    let counted = guess_limits::count_guess(app, guess).await?;
    let (likeness, user) = match compare(app, permit, typed).await {
        Ok(compared) => compared,
        Err(error) => {
            counted.unseen(app).await;
            return Err(error);
        }
    };
    let known = match (likeness, user) {
        (Likeness::Account, Some(user)) => KnownUser { user, here_before: known, link: None },
        (Likeness::Link, Some(user)) if app.mail_configured() => KnownUser { user, here_before: known, link },
        (Likeness::Link | Likeness::Registration, _) if app.mail_configured() => {
            return Err(Code::EmailNotVerified.into());
        }
        (_, user) => {
            if let Some(user) = user.filter(|user| user.email_verified_at.is_some()) {
                events::failed(app, &user, SecurityEventKind::SignIn, client, counted.security_notice());
            }
            return Err(Code::InvalidCredentials.into());
        }
    };
    counted.right(app).await?;
    Ok(known)
}

/// Finds the user with the address, and compares the password with the known hashes. Returns an
/// error only for failures of the server.
async fn compare(
    app: &AppState,
    permit: &QueuePermit,
    typed: Typed<'_>,
) -> Result<(Likeness, Option<User>), ApiError> {
    let Typed { username, password, link } = typed;
    let mut tx = app.db.read().await?;
    let user = store::user::by_email(&mut tx, username).await?;
    let since = app.wall.now() - REGISTRATION_LIFE;
    let pending = store::mail_request::passwords(&mut tx, username, since).await?;
    let mailed = match link {
        Some(raw) => store::token::registration(&mut tx, &raw).await?,
        None => None,
    };
    drop(tx);
    let stored = user.as_ref().and_then(|u| u.password_hash.as_deref());
    let salt = app.passwords.salt(&app.keyring, username, stored);
    let proven = user.as_ref().is_some_and(|u| u.email_verified_at.is_some() || !app.mail_configured());
    let link = mailed.as_ref().map(|registration| registration.password_hash.as_str());
    let candidates = KnownHashes { account: stored.filter(|_| proven), link, registrations: &pending };
    let likeness = app.passwords.compare(permit, password, salt, candidates).await?;
    Ok((likeness, user))
}

/// A code of the second factor. It is used up when the session starts, so that a failed sign-in
/// does not consume it.
struct Second {
    factor: store::totp::Totp,
    code: String,
    counted: guess_limits::CountedCode,
}

/// Requires the code if the user has a second factor. Called only after a correct password.
async fn second_factor(
    app: &AppState,
    KnownUser { user, here_before, .. }: &KnownUser,
    code: Option<String>,
    address: IpAddr,
) -> Result<Option<Second>, ApiError> {
    let mut tx = app.db.read().await?;
    let factor = store::totp::confirmed(&mut tx, user.id).await?;
    drop(tx);
    let Some(factor) = factor else { return Ok(None) };
    let code = code.filter(|code| !code.trim().is_empty()).ok_or(Code::TotpRequired)?;
    let counted = guess_limits::guess_code(app, user.id, &code, address, *here_before).await?;
    Ok(Some(Second { factor, code, counted }))
}

/// Starts a session; the password was checked before.
async fn start(
    app: &AppState,
    known: KnownUser,
    second: Option<Second>,
    remembered: bool,
    client: Client,
) -> Result<SignedIn, ApiError> {
    let mut tx = app.db.begin().await?;
    let user = match known.link {
        Some(raw) => accounts::prove_by_password(&app.accounts(), &mut tx, &raw).await?,
        None => Some(known.user),
    };
    let user = user.ok_or(Code::EmailNotVerified)?;
    // If the password was replaced during its check, the old one starts no session.
    if !store::user::is_still(&mut tx, user.id, user.password_hash.as_deref()).await? {
        return Err(Code::InvalidCredentials.into());
    }
    if let Some(Second { factor, code, counted }) = &second
        && !totp::spend(app, &mut tx, &user, factor, code, &client).await?
    {
        events::failed(app, &user, SecurityEventKind::SecondFactor, &client, counted.security_notice());
        return Err(Code::TotpInvalid.into());
    }
    let started = sign_in::start(app, &mut tx, &user, (Method::Password, remembered), client).await?;
    let signed_in = SignedIn::of(app, &mut tx, &user, &started).await?;
    tx.commit().await?;
    if let Some(Second { counted, .. }) = second
        && let Err(error) = counted.right(app).await
    {
        tracing::warn!(%error, "failed to undo the guess count of a correct code");
    }
    Ok(signed_in)
}

//! `POST /auth/login`.

use std::net::IpAddr;

use axum::extract::State;
use chrono::TimeDelta;
use domain::clock::Instant;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use store::Tx;
use store::session::{Client, Method};
use store::throttle::{Attempt, Policy, Subject};
use store::user::User;
use utoipa::ToSchema;

use super::proof;
use crate::AppState;
use crate::api::user::UserView;
use crate::auth::client::Seen;
use crate::auth::sign_in;
use crate::detached::detached;
use crate::envelope::{Answer, Envelope, ok};
use crate::error::{ApiError, Code, ErrorEnvelope, Fields};
use crate::extract::{Body, ClientIp};
use crate::limits::network;

/// One network guessing at one account.
const PER_PAIR: Policy = Policy { free: 5, first: TimeDelta::seconds(1), longest: TimeDelta::minutes(15) };
/// Everybody guessing at one account: short, because its owner waits too.
const PER_ACCOUNT: Policy = Policy { free: 50, first: TimeDelta::seconds(1), longest: TimeDelta::minutes(1) };
/// One network guessing at any account.
const PER_NETWORK: Policy =
    Policy { free: 30, first: TimeDelta::seconds(1), longest: TimeDelta::minutes(15) };

/// A sign-in.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Login {
    /// The e-mail address.
    username: String,
    /// The password.
    #[schema(value_type = String, format = Password)]
    password: String,
    /// Stay signed in for 30 days instead of 24 hours.
    #[serde(rename = "rememberMe", alias = "remember_me", default)]
    remember_me: bool,
    /// A code of the authenticator app, or a recovery code; only where the second factor is on.
    totp_code: Option<String>,
}

/// Tokens and who they are for.
#[derive(Serialize, ToSchema)]
pub struct SignedIn {
    /// JWT, 15 minutes.
    access_token: String,
    /// Good for one refresh.
    refresh_token: String,
    /// Who.
    user: UserView,
}

/// Signs in. Unknown address and wrong password are one answer.
#[utoipa::path(post, path = "/auth/login", tag = "auth", request_body = Login, responses(
    (status = 200, body = Envelope<SignedIn>),
    (status = 400, body = ErrorEnvelope), (status = 401, body = ErrorEnvelope), (status = 403, body = ErrorEnvelope),
    (status = 413, body = ErrorEnvelope), (status = 415, body = ErrorEnvelope), (status = 422, body = ErrorEnvelope),
    (status = 429, body = ErrorEnvelope), (status = 503, body = ErrorEnvelope),
))]
pub async fn login(
    State(app): State<AppState>,
    ClientIp(address): ClientIp,
    Seen(client): Seen,
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
    let (account, network) = (store::user::normalise(&input.username), network(address));
    let guard = |what: String, policy| Subject { key: hex::encode(app.keyring.fingerprint(&what)), policy };
    let guards = [
        guard(format!("login|{account}|{network}"), PER_PAIR),
        guard(format!("login|{account}"), PER_ACCOUNT),
        guard(format!("login-network|{network}"), PER_NETWORK),
    ];
    let signed_in = detached(async move {
        let remembered = input.remember_me;
        let user = check(&app, &guards, &input.username, input.password.into()).await?;
        second_factor(&app, &user, input.totp_code, address).await?;
        start(&app, user, remembered, client).await
    });
    ok(signed_in.await?)
}

/// The user whose password this is. While an address is not proven, that is the newest registration's password: nobody
/// else is told that it waits for its mail.
async fn check(
    app: &AppState,
    guards: &[Subject; 3],
    username: &str,
    password: SecretString,
) -> Result<User, ApiError> {
    let [_, _, network] = count(app, guards).await?;
    let mut tx = app.db.read().await?;
    let user = store::user::by_email(&mut tx, username).await?;
    drop(tx);
    let stored = user.as_ref().and_then(|u| u.password_hash.clone());
    let same = app.passwords.verify(password, stored).await?;
    let user = user.filter(|_| same).ok_or(Code::InvalidCredentials)?;
    let mut tx = app.db.begin().await?;
    for guard in &guards[..2] {
        store::throttle::clear(&mut tx, guard).await?;
    }
    // The network stays suspected: one good password must not cover a thousand bad ones.
    store::throttle::undo(&mut tx, &network).await?;
    tx.commit().await?;
    if app.mail_configured() && user.email_verified_at.is_none() {
        return Err(Code::EmailNotVerified.into());
    }
    Ok(user)
}

/// Asks for the code where the second factor is on; said only after a correct password.
async fn second_factor(
    app: &AppState,
    user: &User,
    code: Option<String>,
    address: IpAddr,
) -> Result<(), ApiError> {
    let mut tx = app.db.read().await?;
    let second = store::totp::confirmed(&mut tx, user.id).await?;
    drop(tx);
    let Some(second) = second else { return Ok(()) };
    let code = code.filter(|code| !code.trim().is_empty()).ok_or(Code::TotpRequired)?;
    if proof::code(app, &second, &code, address).await? { Ok(()) } else { Err(Code::TotpInvalid.into()) }
}

/// Counts this attempt as failed until it succeeds: a thousand at once wait for each other's count, not for Argon2.
async fn count(app: &AppState, guards: &[Subject; 3]) -> Result<[Attempt; 3], ApiError> {
    let now = app.wall.now();
    let mut tx = app.db.begin().await?;
    // Always in this order, so that two sign-ins never wait for each other.
    let [pair, account, network] = guards;
    let counted = [
        take(&mut tx, pair, now).await?,
        take(&mut tx, account, now).await?,
        take(&mut tx, network, now).await?,
    ];
    tx.commit().await?;
    Ok(counted)
}

async fn take(tx: &mut Tx, guard: &Subject, now: Instant) -> Result<Attempt, ApiError> {
    store::throttle::attempt(tx, guard, now).await?.map_err(|wait| {
        ApiError::new(Code::TooManyAttempts).retry_after(wait.num_seconds().unsigned_abs() + 1)
    })
}

/// Starts a sign-in; the password was checked.
async fn start(app: &AppState, user: User, remembered: bool, client: Client) -> Result<SignedIn, ApiError> {
    let now = app.wall.now();
    let mut tx = app.db.begin().await?;
    let started = sign_in::start(app, &mut tx, &user, (Method::Password, remembered), client).await?;
    let view = UserView::of(&mut tx, &user).await?;
    tx.commit().await?;
    app.mail.notify_one();
    Ok(SignedIn {
        access_token: app.access.issue(user.id, started.id, started.expires_at, now)?,
        refresh_token: started.refresh.expose(),
        user: view,
    })
}

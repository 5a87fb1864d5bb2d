//! `POST /auth/register`.

use axum::extract::State;
use domain::ids::UserId;
use domain::password;
use secrecy::SecretString;
use serde::Deserialize;
use store::user::NewUser;
use utoipa::ToSchema;

use crate::AppState;
use crate::api::user::Language;
use crate::detached::detached;
use crate::envelope::{Answer, Empty, Envelope, ok};
use crate::error::{ApiError, ErrorEnvelope, Fields};
use crate::extract::{Body, ClientIp};

/// A registration.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Registration {
    /// The same as the e-mail address.
    #[allow(dead_code, reason = "accepted because the specification sends it")]
    username: Option<String>,
    /// Where mails go, and the name to sign in with.
    email: String,
    /// At least 8 characters of four classes.
    #[schema(value_type = String, format = Password)]
    password: String,
    /// Language of mails; Chinese when absent.
    language: Option<Language>,
    /// A friend's code.
    referral_code: Option<String>,
}

/// Registers an account. The answer is the same whether the address is known or not.
#[utoipa::path(post, path = "/auth/register", tag = "auth", request_body = Registration, responses(
    (status = 200, body = Envelope<Empty>),
    (status = 400, body = ErrorEnvelope), (status = 413, body = ErrorEnvelope), (status = 415, body = ErrorEnvelope),
    (status = 422, body = ErrorEnvelope), (status = 429, body = ErrorEnvelope), (status = 503, body = ErrorEnvelope),
))]
pub async fn register(
    State(app): State<AppState>,
    ClientIp(address): ClientIp,
    Body { value: input, .. }: Body<Registration>,
) -> Answer<Empty> {
    let mut wrong = Fields::default();
    let email = input.email.trim().to_owned();
    if email.is_empty() {
        wrong.add("email", "required");
    } else if !password::is_email(&email) {
        wrong.add("email", "invalid");
    }
    if let Err(weakness) = password::check(&input.password) {
        wrong.add("password", weakness.code());
    }
    wrong.none()?;
    app.mail_limit.take(address, app.wall.now())?;
    let language = input.language.unwrap_or(Language::Zh);
    let work =
        Wanted { email, password: input.password.into(), language, referral_code: input.referral_code };
    detached(async move { create(&app, work).await }).await?;
    ok(Empty {})
}

struct Wanted {
    email: String,
    password: SecretString,
    language: Language,
    referral_code: Option<String>,
}

async fn create(app: &AppState, wanted: Wanted) -> Result<(), ApiError> {
    // Before anything is looked up: known and unknown addresses take equally long.
    let password_hash = app.passwords.hash(wanted.password).await?;
    let now = app.wall.now();
    let mut tx = app.db.begin().await?;
    let referred_by = match wanted.referral_code.as_deref().map(str::trim).filter(|c| !c.is_empty()) {
        Some(code) => store::user::by_referral_code(&mut tx, code).await?,
        None => None,
    };
    let newest = store::token::Registration { password_hash, language: wanted.language.code().to_owned() };
    let new = NewUser {
        id: UserId::new(now, app.random.bytes()),
        email: wanted.email.clone(),
        password_hash: Some(newest.password_hash.clone()),
        language: newest.language.clone(),
        referral_code: hex::encode(app.random.bytes::<5>()),
        referred_by,
        email_verified_at: (!app.mail_configured()).then_some(now),
    };
    let fresh = store::user::insert(&mut tx, &new, now).await?;
    // Without mail nobody proves an address, and an account may be in use unproven: it is never taken over.
    if !fresh && app.mail_configured() {
        store::user::register_again(&mut tx, &wanted.email, &newest, now).await?;
    }
    let user = store::user::by_email(&mut tx, &wanted.email).await?;
    let user = user.ok_or_else(|| ApiError::internal(&"a registered user is gone"))?;
    if user.email_verified_at.is_none() {
        // Not held back by a mail of this minute: that may be a stranger's, and this person would use its link.
        let which = hex::encode(app.keyring.fingerprint(&newest.password_hash));
        let key = format!("verify:{}:{which}", user.id);
        super::send_verification(app, &mut tx, &user, &key, now).await?;
    } else if !fresh {
        super::send_already_registered(app, &mut tx, &user, now).await?;
    }
    tx.commit().await?;
    app.mail.notify_one();
    Ok(())
}

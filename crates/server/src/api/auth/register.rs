//! Endpoint `POST /auth/register`.

use app::accounts::BROWSER_LIFE;
use axum::Json;
use axum::extract::State;
use axum::http::HeaderName;
use axum::http::header::SET_COOKIE;
use axum::response::AppendHeaders;
use domain::email::is_email;
use domain::password;
use secrecy::SecretString;
use serde::Deserialize;
use store::mail_request::MailAction;
use store::token::{Browser, Registration as Newest};
use utoipa::ToSchema;

use super::forgot::store_request;
use super::{admission, guess_limits};
use crate::AppState;
use crate::api::user::Language;
use crate::auth::pre_session::cookie;
use crate::config::Registration as RegistrationSetting;
use crate::http::detached::detached;
use crate::http::envelope::{Empty, Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope, Fields};
use crate::http::extract::{Body, ClientIp};
use crate::http::rate_limit::{self, LimitedAction, REGISTRATIONS_A_DAY};

/// Input of a registration.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Registration {
    /// Ignored; users sign in with their e-mail address.
    #[allow(dead_code, reason = "accepted because the specification sends it")]
    username: Option<String>,
    /// Address for mails and sign-in.
    email: String,
    /// Password: at least 8 characters of four classes.
    #[schema(value_type = String, format = Password, min_length = 8, max_length = 1024)]
    password: String,
    /// Language of mails; Chinese if absent.
    language: Option<Language>,
    /// Referral code of another user.
    #[schema(max_length = 32)]
    referral_code: Option<String>,
}

/// Maximum length of a referral code in a request. Real codes are shorter.
const LONGEST_CODE: usize = 32;

/// A response that sets the cookie of the registering browser.
type WithCookie = (AppendHeaders<[(HeaderName, String); 1]>, Json<Envelope<Empty>>);

/// Registers an account. The response is the same for known and unknown addresses, including its
/// cookie. With the cookie, the mailed link signs this browser in, once and within 24 hours.
#[utoipa::path(post, path = "/auth/register", tag = "auth", request_body = Registration, responses(
    (status = 200, body = Envelope<Empty>),
    (status = 400, body = ErrorEnvelope), (status = 403, body = ErrorEnvelope, description = "`REGISTRATION_CLOSED`"),
    (status = 413, body = ErrorEnvelope), (status = 415, body = ErrorEnvelope),
    (status = 422, body = ErrorEnvelope), (status = 429, body = ErrorEnvelope), (status = 503, body = ErrorEnvelope),
))]
pub async fn register(
    State(app): State<AppState>,
    ClientIp(address): ClientIp,
    Body { value: input, .. }: Body<Registration>,
) -> Result<WithCookie, ApiError> {
    if app.settings.registration != RegistrationSetting::Open {
        return Err(Code::RegistrationClosed.into());
    }
    let mut wrong = Fields::default();
    let email = input.email.trim().to_owned();
    if email.is_empty() {
        wrong.add("email", "required");
    } else if !is_email(&email) {
        wrong.add("email", "invalid");
    }
    if let Err(weakness) = password::check(&input.password, &email) {
        wrong.add("password", weakness.code());
    }
    if input.referral_code.as_ref().is_some_and(|code| code.chars().count() > LONGEST_CODE) {
        wrong.add("referral_code", "too_long");
    }
    wrong.none()?;
    let account = store::user::normalise(&email);
    let permit = admission::hashing(&app, LimitedAction::Register, Some(&account), address)?;
    let language = input.language.unwrap_or(Language::Zh);
    let (password, referral_code) = (SecretString::from(input.password), input.referral_code);
    let pre = app.random.bytes::<32>();
    let header = AppendHeaders([(SET_COOKIE, cookie(&app, &pre, BROWSER_LIFE))]);
    detached(async move {
        guess_limits::daily(&app, "register", &rate_limit::address(address).to_string(), REGISTRATIONS_A_DAY)
            .await?;
        // Known and unknown addresses take equally long: one query, one hash, one row.
        let mut tx = app.db.read().await?;
        let known = store::user::by_email(&mut tx, &email).await?.and_then(|user| user.password_hash);
        drop(tx);
        let salt = app.passwords.salt(&app.keyring, &email, known.as_deref());
        let password_hash = app.passwords.hash_with(&permit, password, salt).await?;
        let registration = Newest { password_hash, language: language.code().to_owned() };
        let browser = Some(Browser::new(&pre, app.wall.now() + BROWSER_LIFE));
        let kept =
            store_request(app, email, MailAction::Register { registration, referral_code, browser }).await;
        drop(permit);
        kept
    })
    .await?;
    Ok((header, ok(Empty {})?))
}

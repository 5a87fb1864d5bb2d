//! Endpoints `POST` and `GET /auth/sign-in-link`, and `POST /auth/sign-in-link/use`: sign-in with a
//! mailed link.

use app::accounts::{self, BROWSER_LIFE, LinkPage, MailProof, MailedUser, SIGN_IN_LINK_LIFE};
use axum::Json;
use axum::extract::State;
use axum::http::HeaderName;
use axum::http::header::SET_COOKIE;
use axum::response::AppendHeaders;
use serde::{Deserialize, Serialize};
use store::identity::Bootstrap;
use store::mail_request::MailAction;
use store::session::Method;
use store::token::Browser;
use store::user::normalise;
use utoipa::ToSchema;

use super::forgot::{address_of, store_request};
use super::verify::{Link, raw};
use super::{exchange, guess_limits};
use crate::AppState;
use crate::auth::pre_session::{self, OwnPreSession, PreSession};
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Empty, Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope, Fields};
use crate::http::extract::{Body, ClientIp, Query};
use crate::http::rate_limit::LimitedAction;

/// Input of a request for a sign-in link.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SignInLinkInput {
    /// E-mail address of the account.
    email: String,
    /// `true` to stay signed in for 30 days instead of 24 hours.
    #[serde(rename = "rememberMe", default)]
    remember_me: bool,
}

/// Page of a mailed sign-in link.
#[derive(Serialize, ToSchema)]
pub struct SignInLinkView {
    /// `true` in the browser that requested the link, which can sign in.
    own_browser: bool,
    /// Code to type in the browser that requested the link; null in that browser.
    code: Option<String>,
}

/// Input to use a mailed sign-in link. Exactly one field must be present.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SignInLinkUse {
    /// Token of the link, 64 hexadecimal characters.
    token: Option<String>,
    /// Code that the link shows in another browser.
    #[schema(max_length = 32)]
    code: Option<String>,
}

/// Result of the use of a mailed sign-in link.
#[derive(Serialize, ToSchema)]
pub struct SignInLinkResult {
    /// Token to exchange at `/auth/refresh`.
    refresh_token: String,
    /// `true` if the user stays signed in for 30 days.
    remembered: bool,
    /// `true` if this verified the address for the first time. The password of the registration was
    /// then removed.
    first_proof: bool,
}

/// Requests a sign-in link by mail, for this browser. Response and duration are the same for known
/// and unknown addresses.
#[utoipa::path(post, path = "/auth/sign-in-link", tag = "auth", request_body = SignInLinkInput, responses(
    (status = 200, body = Envelope<Empty>),
    (status = 422, body = ErrorEnvelope, description = "`data.fields.email`: required, invalid"),
    (status = 429, body = ErrorEnvelope),
))]
pub async fn request_sign_in_link(
    State(app): State<AppState>,
    OwnPreSession(cookie): OwnPreSession,
    ClientIp(address): ClientIp,
    Body { value: input, .. }: Body<SignInLinkInput>,
) -> Result<(AppendHeaders<[(HeaderName, String); 1]>, Json<Envelope<Empty>>), ApiError> {
    let email = address_of(&input.email)?;
    guess_limits::call(&app, LimitedAction::SignInLink, Some(&normalise(&email)), address)?;
    // A browser keeps its cookie, so that links of earlier requests and registrations still belong
    // to it.
    let pre = cookie.unwrap_or_else(|| app.random.bytes::<32>());
    let header = AppendHeaders([(SET_COOKIE, pre_session::cookie(&app, &pre, BROWSER_LIFE))]);
    let browser = Browser::new(&pre, app.wall.now() + SIGN_IN_LINK_LIFE);
    store_request(app, email, MailAction::SignIn { browser, remembered: input.remember_me }).await?;
    Ok((header, ok(Empty {})?))
}

/// Returns the page of a mailed sign-in link. Changes nothing, and can be repeated.
#[utoipa::path(get, path = "/auth/sign-in-link", tag = "auth", params(Link), responses(
    (status = 200, body = Envelope<SignInLinkView>),
    (status = 400, body = ErrorEnvelope), (status = 410, body = ErrorEnvelope), (status = 429, body = ErrorEnvelope),
))]
pub async fn get_sign_in_link(
    State(app): State<AppState>,
    OwnPreSession(cookie): OwnPreSession,
    ClientIp(address): ClientIp,
    Query(link): Query<Link>,
) -> Answer<SignInLinkView> {
    guess_limits::call(&app, LimitedAction::UseLink, None, address)?;
    let raw = link.raw().ok_or(Code::InvalidToken)?;
    let mut tx = app.db.read().await?;
    ok(match accounts::sign_in_page(&app.accounts(), &mut tx, &raw, cookie.as_ref()).await? {
        LinkPage::SignIn => SignInLinkView { own_browser: true, code: None },
        LinkPage::Code(code) => SignInLinkView { own_browser: false, code: Some(code) },
    })
}

/// Uses a mailed sign-in link, once, in the browser that requested it: with the link's token, or
/// with the code that the link shows in another browser. The second factor is still required.
#[utoipa::path(post, path = "/auth/sign-in-link/use", tag = "auth", request_body = SignInLinkUse, responses(
    (status = 200, body = Envelope<SignInLinkResult>),
    (status = 400, body = ErrorEnvelope), (status = 410, body = ErrorEnvelope), (status = 429, body = ErrorEnvelope),
    (status = 422, body = ErrorEnvelope, description = "`data.fields.code`: required, wrong. After five wrong codes the link is not valid any more"),
))]
pub async fn use_sign_in_link(
    State(app): State<AppState>,
    OwnPreSession(own): OwnPreSession,
    PreSession(cookie): PreSession,
    ClientIp(address): ClientIp,
    Body { value: input, .. }: Body<SignInLinkUse>,
) -> Answer<SignInLinkResult> {
    guess_limits::call(&app, LimitedAction::UseLink, None, address)?;
    let result = detached(async move {
        let token = input.token.as_deref().map(|token| raw(token).ok_or(Code::InvalidToken)).transpose()?;
        let proof = match (&token, &input.code) {
            (Some(raw), None) => MailProof::Link(raw),
            (None, Some(code)) if !code.trim().is_empty() => MailProof::Code(code),
            _ => return Err(Fields::single("code", "required")),
        };
        // A code was typed on the page. Over plain http browsers do not mark requests of own pages.
        let (cookie, wrong) = match proof {
            MailProof::Link(_) => (own, ApiError::new(Code::InvalidToken)),
            MailProof::Code(_) => (cookie, Fields::single("code", "wrong")),
        };
        let Some(cookie) = cookie else { return Err(wrong) };
        let mut tx = app.db.begin().await?;
        let used = accounts::use_mailed_sign_in(&app.accounts(), &mut tx, &proof, &cookie).await?;
        let Some(used) = used else {
            tx.commit().await?;
            return Err(wrong);
        };
        let kept = Bootstrap { user: used.user.id, method: Method::MailLink, remembered: used.remembered };
        let refresh_token = exchange::offer(&app, &mut tx, &cookie, &kept).await?;
        tx.commit().await?;
        app.sessions.end(&used.ended, app.now());
        let MailedUser { remembered, is_first_proof: first_proof, .. } = used;
        Ok(SignInLinkResult { refresh_token, remembered, first_proof })
    });
    ok(result.await?)
}

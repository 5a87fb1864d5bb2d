//! Endpoints `GET /auth/verify-email` and `POST /auth/resend-verification`.

use app::accounts::{self, UsedLink};
use axum::extract::State;
use domain::security_event::SecurityEventKind;
use serde::{Deserialize, Serialize};
use store::Tx;
use store::identity::Bootstrap;
use store::mail_request::MailAction;
use store::security_event::NewEvent;
use store::session::Method;
use store::user::normalise;
use utoipa::{IntoParams, ToSchema};

use super::forgot::{address_of, store_request};
use super::{exchange, guess_limits};
use crate::AppState;
use crate::auth::pre_session::{self, OwnPreSession};
use crate::auth::user_agent::RequestClient;
use crate::auth::{Caller, events};
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Empty, Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope};
use crate::http::extract::{Body, ClientIp, Query};
use crate::http::rate_limit::LimitedAction;

/// Query with the token of a mailed link.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Link {
    /// The token, 64 hexadecimal characters.
    token: String,
}

/// Input of a request for another verification mail.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Address {
    /// Address of the registration.
    email: String,
}

/// Result of the use of a mailed link.
#[derive(Serialize, ToSchema)]
pub struct LinkUse {
    outcome: LinkOutcome,
    /// Address that was verified; null for a link that was used before.
    email: Option<String>,
    /// Token to exchange at `/auth/refresh` within a minute. It is present only in the browser that
    /// registered, and only if no user is signed in there.
    refresh_token: Option<String>,
}

/// Outcome of the use of a mailed link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LinkOutcome {
    /// The address of a registration is verified, by this call or an earlier one.
    Verified,
    /// Nothing was verified, because another browser registered. A sign-in with the registration's
    /// password and this `link` verifies the address.
    SignInFirst,
    /// The new address of an account is verified.
    EmailChanged,
}

impl Link {
    /// Returns the bytes of the token; `None` if it is truncated or malformed.
    pub(in crate::api) fn raw(&self) -> Option<[u8; 32]> {
        raw(&self.token)
    }
}

/// Decodes a mailed token.
pub(in crate::api) fn raw(token: &str) -> Option<[u8; 32]> {
    pre_session::raw(token.trim())
}

/// Verifies an address with a mailed link: the address of a registration, in the browser that
/// registered, or the new address of an account. A repeated call changes nothing and signs no user
/// in.
#[utoipa::path(get, path = "/auth/verify-email", tag = "auth", params(Link), responses(
    (status = 200, body = Envelope<LinkUse>),
    (status = 400, body = ErrorEnvelope), (status = 410, body = ErrorEnvelope), (status = 429, body = ErrorEnvelope),
    (status = 503, body = ErrorEnvelope),
), security((), ("bearer" = [])))]
pub async fn verify_email(
    State(app): State<AppState>,
    caller: Result<Caller, ApiError>,
    OwnPreSession(cookie): OwnPreSession,
    ClientIp(address): ClientIp,
    RequestClient(client): RequestClient,
    Query(link): Query<Link>,
) -> Answer<LinkUse> {
    guess_limits::call(&app, LimitedAction::UseLink, None, address)?;
    let raw = link.raw().ok_or(Code::InvalidToken)?;
    let proven = detached(async move {
        let mut tx = app.db.begin().await?;
        let verified = accounts::verify_email(&app.accounts(), &mut tx, &raw, cookie.as_ref()).await?;
        // A user who is already signed in in this browser stays in that session.
        let cookie = cookie.filter(|_| caller.is_err());
        let proven = LinkUse::of(&app, &mut tx, &verified, cookie).await?;
        if let UsedLink::Moved { user, .. } = &verified {
            let kind = SecurityEventKind::EmailChanged;
            let event =
                NewEvent { user: user.id, kind, succeeded: true, session: None, client: Some(&client) };
            events::record(&app, &mut tx, &event).await?;
        }
        tx.commit().await?;
        if let UsedLink::Moved { ended, .. } = verified {
            app.sessions.end(&ended, app.now());
        }
        Ok(proven)
    });
    ok(proven.await?)
}

impl LinkUse {
    async fn of(
        app: &AppState,
        tx: &mut Tx,
        verified: &UsedLink,
        cookie: Option<[u8; 32]>,
    ) -> Result<Self, ApiError> {
        let (outcome, user) = match verified {
            UsedLink::Registration(user) => (LinkOutcome::Verified, Some(user)),
            UsedLink::Before => (LinkOutcome::Verified, None),
            UsedLink::Elsewhere(user) => (LinkOutcome::SignInFirst, Some(user)),
            UsedLink::Moved { user, .. } => (LinkOutcome::EmailChanged, Some(user)),
        };
        let refresh_token = match (verified, cookie) {
            (UsedLink::Registration(user), Some(cookie)) => {
                let kept = Bootstrap { user: user.id, method: Method::MailLink, remembered: false };
                Some(exchange::offer(app, tx, &cookie, &kept).await?)
            }
            _ => None,
        };
        Ok(Self { outcome, email: user.map(|user| user.email.clone()), refresh_token })
    }
}

/// Sends the verification mail again. The response is the same for known and unknown addresses.
#[utoipa::path(post, path = "/auth/resend-verification", tag = "auth", request_body = Address, responses(
    (status = 200, body = Envelope<Empty>),
    (status = 400, body = ErrorEnvelope), (status = 413, body = ErrorEnvelope), (status = 415, body = ErrorEnvelope),
    (status = 422, body = ErrorEnvelope), (status = 429, body = ErrorEnvelope), (status = 503, body = ErrorEnvelope),
))]
pub async fn resend_verification(
    State(app): State<AppState>,
    ClientIp(address): ClientIp,
    Body { value: input, .. }: Body<Address>,
) -> Answer<Empty> {
    let email = address_of(&input.email)?;
    guess_limits::call(&app, LimitedAction::Resend, Some(&normalise(&email)), address)?;
    store_request(app, email, MailAction::VerifyEmail).await?;
    ok(Empty {})
}

//! Endpoint `/notices/seen`: the page of an urgent notification, to which its messages link. GET
//! changes nothing. POST confirms that the reader saw the notification, and needs no sign-in.
//! Pushover sends the same POST when the reader acknowledges its message.

use app::accounts::stamp;
use app::notices;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse as _, Response};
use engine::delivery::with_link;
use providers::channels::outcome::{Outcome, Reason};
use providers::render::message::words;
use providers::render::{SeenPage, seen_page};
use serde::Deserialize;
use store::outbox::acknowledge::{self, Notice};
use utoipa::IntoParams;
use uuid::Uuid;

use super::auth::guess_limits;
use super::auth::verify::raw;
use super::user::Language;
use crate::AppState;
use crate::http::detached::detached;
use crate::http::error::{ApiError, ErrorEnvelope};
use crate::http::extract::{ClientIp, Query};
use crate::http::rate_limit::LimitedAction;
use crate::site::open_pages::language;

/// Query with the token and language of a notice.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Seen {
    /// Token of the notice, 64 hexadecimal characters.
    token: String,
    /// Language of the page; the notice's language if absent.
    lang: Option<Language>,
}

/// A visit to the page of a notice.
pub struct Visit {
    asked: Seen,
    /// Language of the visitor.
    language: &'static str,
}

impl FromRequestParts<AppState> for Visit {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, ApiError> {
        let ClientIp(address) = ClientIp::from_request_parts(parts, app).await?;
        let Query(asked) = Query::from_request_parts(parts, app).await?;
        guess_limits::call(app, LimitedAction::UseLink, None, address)?;
        Ok(Self { asked, language: language(&parts.uri, &parts.headers) })
    }
}

/// Shows the notice, with the button that confirms it.
#[utoipa::path(get, path = "/notices/seen", tag = "channels", params(Seen), responses(
    (status = 200, content_type = "text/html", body = String), (status = 404, content_type = "text/html", body = String),
    (status = 400, body = ErrorEnvelope), (status = 429, body = ErrorEnvelope),
))]
pub async fn show_notice(State(app): State<AppState>, visit: Visit) -> Result<Response, ApiError> {
    let mut tx = app.db.read().await?;
    let notice = match notice_of(&app, &visit.asked) {
        Some(id) => acknowledge::read(&mut tx, id).await?,
        None => None,
    };
    drop(tx);
    page(&app, &visit, &NoticePage { notice, rings: false })
}

/// Confirms the notice. No further message about it is sent, and repetitions end. A repeated call
/// changes nothing.
#[utoipa::path(post, path = "/notices/seen", tag = "channels", params(Seen), responses(
    (status = 200, content_type = "text/html", body = String), (status = 404, content_type = "text/html", body = String),
    (status = 400, body = ErrorEnvelope), (status = 429, body = ErrorEnvelope), (status = 503, body = ErrorEnvelope),
))]
pub async fn notice_seen(State(app): State<AppState>, visit: Visit) -> Result<Response, ApiError> {
    let (notice, rings) = match notice_of(&app, &visit.asked) {
        Some(id) => {
            let app = app.clone();
            detached(async move { seen(&app, id).await }).await?
        }
        None => (None, false),
    };
    page(&app, &visit, &NoticePage { notice, rings })
}

fn notice_of(app: &AppState, asked: &Seen) -> Option<Uuid> {
    notices::of_token(&app.keyring, &raw(&asked.token)?)
}

/// Confirms the notice, and returns it. The flag is `true` if a provider did not end its
/// repetitions.
async fn seen(app: &AppState, id: Uuid) -> Result<(Option<Notice>, bool), ApiError> {
    let mut tx = app.db.begin().await?;
    let Some((notice, repeating)) = notices::seen(&mut tx, id, app.now()).await? else {
        return Ok((None, false));
    };
    tx.commit().await?;
    let mut rings = false;
    for receipt in repeating {
        let told = app.channels.stop_repeating(&receipt).await;
        // A receipt that no longer exists causes no more repetitions.
        rings |= !matches!(told.outcome, Outcome::Accepted { .. } | Outcome::Broken(Reason::Refused));
    }
    Ok((Some(notice), rings))
}

/// Content of the page.
struct NoticePage {
    notice: Option<Notice>,
    /// `true` if a repetition continues although the notice was confirmed.
    rings: bool,
}

/// Renders the page in the requested language, or in the language of the notice.
fn page(app: &AppState, visit: &Visit, shown: &NoticePage) -> Result<Response, ApiError> {
    let site = &app.settings.public_url;
    let own = shown.notice.as_ref().map(|notice| notice.language.as_str());
    let chosen = visit.asked.lang.map(Language::code);
    let language = chosen.or(own).unwrap_or(visit.language);
    let worded = |notice: &Notice| {
        words(&notice.template, language, &with_link(&notice.data, &app.keyring, site), site).ok()
    };
    let at = shown.notice.as_ref().and_then(|notice| notice.acknowledged_at).map(stamp);
    let other = if language == "en" { "zh" } else { "en" };
    let html = seen_page(
        &SeenPage {
            words: shown.notice.as_ref().and_then(worded).as_ref(),
            at: at.as_deref(),
            rings: shown.rings,
            other: &format!("?token={}&lang={other}", visit.asked.token),
        },
        language,
        site,
    );
    let html = html.map_err(|error| ApiError::internal(&error))?;
    let status = if shown.notice.is_some() { StatusCode::OK } else { StatusCode::NOT_FOUND };
    let mut response = (status, Html(html)).into_response();
    let headers = response.headers_mut();
    headers.insert("x-robots-tag", HeaderValue::from_static("noindex"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::VARY, HeaderValue::from_static("Cookie, Accept-Language"));
    Ok(response)
}

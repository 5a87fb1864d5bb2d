//! Endpoint `/digest/unsubscribe`: the page to which the link in a digest mail leads. GET changes
//! nothing. POST ends the digests and needs no sign-in (RFC 8058), because mail programs send it
//! when the reader unsubscribes there.

use app::digests;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse as _, Response};
use domain::ids::UserId;
use providers::render::{Unsubscribing, unsubscribe_page};

use super::auth::guess_limits;
use super::auth::verify::Link;
use crate::AppState;
use crate::http::detached::detached;
use crate::http::error::{ApiError, ErrorEnvelope};
use crate::http::extract::{ClientIp, Query};
use crate::http::rate_limit::LimitedAction;
use crate::site::open_pages::language;

/// Shows the page with the button that ends the digests.
#[utoipa::path(get, path = "/digest/unsubscribe", tag = "channels", params(Link), responses(
    (status = 200, content_type = "text/html", body = String), (status = 404, content_type = "text/html", body = String),
    (status = 400, body = ErrorEnvelope), (status = 429, body = ErrorEnvelope),
))]
pub async fn ask_to_unsubscribe(
    State(app): State<AppState>,
    ClientIp(address): ClientIp,
    uri: Uri,
    headers: HeaderMap,
    Query(link): Query<Link>,
) -> Result<Response, ApiError> {
    guess_limits::call(&app, LimitedAction::UseLink, None, address)?;
    let stands = if owner(&app, &link).is_some() { Unsubscribing::Asked } else { Unsubscribing::Unknown };
    page(&app, stands, language(&uri, &headers))
}

/// Ends the digests of the link's owner. Other notifications are not affected. A repeated call
/// changes nothing.
#[utoipa::path(post, path = "/digest/unsubscribe", tag = "channels", params(Link), responses(
    (status = 200, content_type = "text/html", body = String), (status = 404, content_type = "text/html", body = String),
    (status = 400, body = ErrorEnvelope), (status = 429, body = ErrorEnvelope), (status = 503, body = ErrorEnvelope),
))]
pub async fn unsubscribe(
    State(app): State<AppState>,
    ClientIp(address): ClientIp,
    uri: Uri,
    headers: HeaderMap,
    Query(link): Query<Link>,
) -> Result<Response, ApiError> {
    guess_limits::call(&app, LimitedAction::UseLink, None, address)?;
    let language = language(&uri, &headers);
    let Some(user) = owner(&app, &link) else { return page(&app, Unsubscribing::Unknown, language) };
    let ended = app.clone();
    detached(async move {
        let mut tx = ended.db.begin().await?;
        digests::turn_off(&ended.accounts(), &mut tx, user).await?;
        Ok(tx.commit().await?)
    })
    .await?;
    page(&app, Unsubscribing::Done, language)
}

/// Returns the user who receives the digests with this link.
fn owner(app: &AppState, link: &Link) -> Option<UserId> {
    digests::of_token(&app.accounts(), &link.raw()?)
}

fn page(app: &AppState, stands: Unsubscribing, language: &str) -> Result<Response, ApiError> {
    let site = &app.settings.public_url;
    let html = unsubscribe_page(stands, language, site).map_err(|error| ApiError::internal(&error))?;
    let status = if stands == Unsubscribing::Unknown { StatusCode::NOT_FOUND } else { StatusCode::OK };
    let mut response = (status, Html(html)).into_response();
    let headers = response.headers_mut();
    headers.insert("x-robots-tag", HeaderValue::from_static("noindex"));
    headers.insert(header::VARY, HeaderValue::from_static("Cookie, Accept-Language"));
    Ok(response)
}

//! Serves the embedded web app: precompressed files, long caching for files with hashed names, and
//! documents for all other paths.

use std::ops::Range;
use std::sync::LazyLock;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use crate::AppState;
use crate::http::error::{ApiError, Code};
use crate::site::app_pages::Routes;
use crate::site::dist;
use crate::site::open_pages;
use crate::site::security_txt;

const YEAR: &str = "public, max-age=31536000, immutable";
const ASK_AGAIN: &str = "no-cache";
/// Request headers on which the choice of a document depends, besides its address.
const BY_VISITOR: &str = "accept-encoding, accept-language, cookie";
/// Folders of the build that only the server uses. Clients cannot request them.
const HIDDEN: [&str; 3] = ["documents", "open", ".vite"];
/// Service worker, under the fixed name that browsers request.
const WORKER: &str = "worker.js";
/// Replacement of the service worker if it is disabled. It clears the caches and unregisters the
/// worker.
const RETIRED: &str = "worker-off.js";
/// The payment page: only this page may be framed by pages of the app, and may load the card
/// provider's library.
const PAYMENT_PAGE: &str = "pay";

static ROUTES: LazyLock<Routes> = LazyLock::new(|| {
    dist::bytes("documents/routes.json").map(|list| Routes::parse(&list)).unwrap_or_default()
});

/// Extension that marks a response as the payment page.
#[derive(Clone, Copy, Debug)]
pub struct PaymentPage;

/// Serves a file of the web app, or a document if the path is not a file.
pub async fn serve(State(app): State<AppState>, method: Method, uri: Uri, headers: HeaderMap) -> Response {
    if method != Method::GET && method != Method::HEAD {
        return ApiError::new(Code::MethodNotAllowed).into_response();
    }
    if let Some(response) = open_page(&app, &uri, &headers).await {
        return response;
    }
    if let Some(picture) = app.pictures.get(uri.path()) {
        let tag = format!("\"{}\"", uri.path());
        return answer("assets/", picture.kind, None, (tag, picture.bytes.clone()), &headers);
    }
    let path = uri.path().trim_matches('/');
    if path == "sitemap.xml" {
        let kind = [(header::CONTENT_TYPE, "application/xml")];
        return (kind, open_pages::sitemap(&app.settings.public_url)).into_response();
    }
    if path == security_txt::PATH {
        return security_txt::answer(&app).unwrap_or_else(|| ApiError::new(Code::NotFound).into_response());
    }
    let path = if path == WORKER && app.settings.worker_off { RETIRED } else { path };
    let mut response = page_or_file(path, &uri, &headers);
    if path == PAYMENT_PAGE || path.strip_suffix(".html").is_some_and(|name| name == PAYMENT_PAGE) {
        response.extensions_mut().insert(PaymentPage);
    }
    response
}

fn page_or_file(path: &str, uri: &Uri, headers: &HeaderMap) -> Response {
    let folder = path.split('/').next().unwrap_or_default();
    let hidden = HIDDEN.contains(&folder);
    if let Some(response) = file(path, headers).filter(|_| !hidden) {
        return response;
    }
    let is_file = path.rsplit('/').next().is_some_and(|name| name.contains('.'));
    if hidden || is_file || folder == "assets" {
        // A missing file must not return a document, so that a browser detects that a file of an
        // older build is gone.
        return (StatusCode::NOT_FOUND, [(header::CACHE_CONTROL, ASK_AGAIN)], "Not found").into_response();
    }
    let page = if path == PAYMENT_PAGE { file("pay.html", headers) } else { app_page(path, uri, headers) };
    page.unwrap_or_else(|| {
        (
            StatusCode::SERVICE_UNAVAILABLE,
            "The web app is not built into this binary; the API is under /api/v1.",
        )
            .into_response()
    })
}

/// Returns the app's document for a path.
fn app_page(path: &str, uri: &Uri, headers: &HeaderMap) -> Option<Response> {
    let (name, status) = ROUTES.document(path, open_pages::language(uri, headers))?;
    let mut response = file(&name, headers)?;
    if response.status() == StatusCode::OK {
        *response.status_mut() = status;
    }
    response.headers_mut().insert(header::VARY, HeaderValue::from_static(BY_VISITOR));
    if let Some(policy) = open_pages::policy(&name) {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    Some(response)
}

/// Returns an open page (rendered at build time), in the visitor's language.
async fn open_page(app: &AppState, uri: &Uri, headers: &HeaderMap) -> Option<Response> {
    let name = open_pages::document(uri, headers)?;
    let packed = app.open_pages.get(app, &name, || dist::bytes(&name)).await?;
    let (encoding, body) = match accepted(headers) {
        Some("br") if !packed.brotli.bytes.is_empty() => (Some("br"), &packed.brotli),
        Some(_) if !packed.gzip.bytes.is_empty() => (Some("gzip"), &packed.gzip),
        _ => (None, &packed.plain),
    };
    let sent = (body.tag.clone(), body.bytes.clone());
    let mut response = answer(&name, "text/html; charset=utf-8", encoding, sent, headers);
    response.headers_mut().insert(header::VARY, HeaderValue::from_static(BY_VISITOR));
    if let Some(policy) = &packed.policy {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy.clone());
    }
    Some(response)
}

/// Returns the best encoding that the browser accepts.
fn accepted(headers: &HeaderMap) -> Option<&'static str> {
    let line = headers.get(header::ACCEPT_ENCODING).and_then(|v| v.to_str().ok()).unwrap_or_default();
    let accepts =
        |name: &str| line.split(',').any(|part| part.split(';').next().map(str::trim) == Some(name));
    ["br", "gzip"].into_iter().find(|encoding| accepts(encoding))
}

fn file(path: &str, headers: &HeaderMap) -> Option<Response> {
    let found = dist::file(path, accepted(headers))?;
    Some(answer(path, &found.kind, found.encoding, (found.tag.clone(), found.bytes.clone()), headers))
}

fn answer(
    path: &str,
    kind: &str,
    encoding: Option<&'static str>,
    (tag, body): (String, Bytes),
    asked: &HeaderMap,
) -> Response {
    let fresh = asked
        .get(header::IF_NONE_MATCH)
        .and_then(|v| v.to_str().ok())
        .is_some_and(|v| v.split(',').any(|known| known.trim().trim_start_matches("W/") == tag));
    // Browsers request videos in ranges, and some require ranges. Compressed files have no ranges.
    let part =
        if encoding.is_none() && kind.starts_with("video/") { part(asked, body.len(), &tag) } else { None };
    let mut response = match &part {
        _ if fresh => StatusCode::NOT_MODIFIED.into_response(),
        Some(part) => (StatusCode::PARTIAL_CONTENT, Body::from(body.slice(part.clone()))).into_response(),
        None => Body::from(body.clone()).into_response(),
    };
    let headers = response.headers_mut();
    if kind.starts_with("video/") {
        headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    }
    if let Some(part) = part.filter(|_| !fresh)
        && let Ok(range) =
            HeaderValue::from_str(&format!("bytes {}-{}/{}", part.start, part.end - 1, body.len()))
    {
        headers.insert(header::CONTENT_RANGE, range);
    }
    let caching = if path.starts_with("assets/") { YEAR } else { ASK_AGAIN };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    if let Ok(kind) = HeaderValue::from_str(kind) {
        headers.insert(header::CONTENT_TYPE, kind);
    }
    if let Some(encoding) = encoding {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}

/// Returns the requested range (`bytes=a-b`, `bytes=a-`, `bytes=-n`). Returns `None` if the request
/// has no valid range, or if the client has a part of another version (`If-Range`).
fn part(asked: &HeaderMap, length: usize, tag: &str) -> Option<Range<usize>> {
    if asked.get(header::IF_RANGE).is_some_and(|known| known.as_bytes() != tag.as_bytes()) {
        return None;
    }
    let (from, to) = asked.get(header::RANGE)?.to_str().ok()?.strip_prefix("bytes=")?.split_once('-')?;
    let range = match (from.trim(), to.trim()) {
        ("", last) => length.saturating_sub(last.parse().ok()?)..length,
        (from, "") => from.parse().ok()?..length,
        (from, to) => from.parse().ok()?..to.parse::<usize>().ok()?.saturating_add(1).min(length),
    };
    (range.start < range.end).then_some(range)
}

#[cfg(test)]
mod tests {
    use super::{HeaderMap, header, part};

    // spec: 10.14.07
    #[test]
    fn range_requests_return_the_requested_part() {
        let asked = |range: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::RANGE, range.parse().expect("a header"));
            part(&headers, 100, "\"a\"")
        };
        assert_eq!(asked("bytes=0-1"), Some(0..2));
        assert_eq!(asked("bytes=90-"), Some(90..100));
        assert_eq!(asked("bytes=-10"), Some(90..100));
        assert_eq!(asked("bytes=50-500"), Some(50..100));
        for nonsense in ["bytes=100-", "bytes=5-2", "bytes=a-b", "bytes=0-1,4-5", "lines=1-2", "bytes=-0"] {
            assert_eq!(asked(nonsense), None, "{nonsense}");
        }
        assert_eq!(part(&HeaderMap::new(), 100, ""), None);
        let mut headers = HeaderMap::new();
        headers.insert(header::RANGE, "bytes=0-1".parse().expect("a header"));
        headers.insert(header::IF_RANGE, "\"a\"".parse().expect("a header"));
        assert_eq!(part(&headers, 100, "\"a\""), Some(0..2));
        assert_eq!(part(&headers, 100, "\"b\""), None, "the client's parts are of another film");
    }
}

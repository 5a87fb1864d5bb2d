//! Converts responses that contain no usable value into a [`PortalError`].

use crate::html::{CUT_SHORT, Doc, not_html, sel, text};
use crate::pages::appointment::{self, NO_CHOICE};
use crate::pages::sign_in;
use crate::{LayoutChanged, PageKind, PortalError, retry_after};
use chrono::{DateTime, Utc};
use domain::text::fold;
use reqwest::header::{HeaderMap, RETRY_AFTER};
use std::io::ErrorKind;

/// Returns the error that the HTTP status alone indicates, or `None` for 2xx and 3xx.
pub(crate) fn by_status(
    page: PageKind,
    status: u16,
    headers: &HeaderMap,
    body: &str,
    now: DateTime<Utc>,
) -> Option<PortalError> {
    let retry_after =
        headers.get(RETRY_AFTER).and_then(|v| v.to_str().ok()).and_then(|v| retry_after(v, now));
    Some(match status {
        200..=399 => return None,
        401 => PortalError::SignedOut,
        403 if denies(&fold(body)) => PortalError::NoPermission,
        403 | 429 => PortalError::Blocked { status: Some(status), retry_after },
        404 | 410 => PortalError::NotFound,
        503 => PortalError::Maintenance { retry_after },
        500.. => PortalError::Overloaded { status, retry_after },
        _ => not_html(page, "unknown HTTP status").into(),
    })
}

/// Returns the error for a page that is known but is not the requested page.
pub(crate) fn by_page(doc: &Doc) -> Option<PortalError> {
    if sign_in::is_sign_in(doc) {
        let captcha = sign_in::has_captcha(doc);
        return Some(if captcha { PortalError::Captcha } else { PortalError::SignedOut });
    }
    appointment::is_limit_reached(doc).then_some(PortalError::LimitReached)
}

/// Returns the error for a page that could not be parsed, derived from the page's text. If the text
/// is unknown, returns [`PortalError::LayoutChanged`].
pub(crate) fn unread(doc: &Doc, changed: LayoutChanged) -> PortalError {
    let words = fold(&text(doc.root()));
    if denies(&words) {
        PortalError::NoPermission
    } else if sign_in::has_captcha(doc) {
        PortalError::Captcha
    } else if ends_session(&words) {
        PortalError::SignedOut
    } else if words.contains("maintenance") && (stands_alone(doc) || doc.headed(&["maintenance"])) {
        PortalError::Maintenance { retry_after: None }
    } else if doc.headed(&OVERLOADED) {
        PortalError::Overloaded { status: 200, retry_after: None }
    } else if words.is_empty() || [CUT_SHORT, NO_CHOICE].contains(&changed.what) || says_busy(doc) {
        PortalError::Busy(changed)
    } else {
        changed.into()
    }
}

/// Headings that the portal shows while it is overloaded, in lower case without accents.
const OVERLOADED: [&str; 4] = ["overloaded", "system is busy", "surcharge", "systeme est occupe"];

/// Returns `true` if a page has no form, no input and no link to a group. Only then does a text
/// such as "maintenance" describe the page itself. A form may contain such a text hidden, and a
/// list of groups may contain an announcement.
fn stands_alone(doc: &Doc) -> bool {
    !doc.has(sel!("form, select, input, table, a[href*='/schedule/']"))
}

/// Returns `true` if a page without anything else reports that the portal is busy.
pub(crate) fn says_busy(doc: &Doc) -> bool {
    let words = fold(&text(doc.root()));
    let mut sentences = OVERLOADED.iter().chain(doc.wording().busy);
    stands_alone(doc) && sentences.any(|sentence| words.contains(sentence))
}

/// Returns the error for a response that is not the expected JSON but an error object or a page.
pub(crate) fn not_json(body: &str, changed: LayoutChanged) -> PortalError {
    if body.trim_start().starts_with('<') {
        let doc = Doc::new(body);
        return by_page(&doc).unwrap_or_else(|| unread(&doc, changed));
    }
    let json = serde_json::from_str::<serde_json::Value>(body);
    if json.as_ref().is_err_and(serde_json::Error::is_eof) {
        // The response is empty or was cut off in the middle of a list.
        return PortalError::Busy(changed);
    }
    match json.ok().and_then(|v| v.get("error").map(|e| e.as_str().map(fold).unwrap_or_default())) {
        Some(words) if denies(&words) => PortalError::NoPermission,
        Some(words) if ends_session(&words) => PortalError::SignedOut,
        Some(_) => PortalError::Busy(changed),
        None => changed.into(),
    }
}

fn denies(folded: &str) -> bool {
    folded.contains("not have permission to access") || folded.contains("pas la permission d'acceder")
}

fn ends_session(folded: &str) -> bool {
    ["need to sign in", "session expired", "session a expire", "devez vous connecter"]
        .iter()
        .any(|w| folded.contains(w))
}

/// Cause of a failed connection, as a text without addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    /// The portal reset, refused or closed the connection. Several in a row indicate a block.
    ByPeer(&'static str),
    /// Any other cause.
    Other(&'static str),
}

/// Returns the innermost known cause of an error.
pub(crate) fn cut(error: &(dyn std::error::Error + 'static)) -> Cut {
    let mut next = Some(error);
    let mut found = Cut::Other("the connection failed");
    while let Some(e) = next {
        if let Some(io) = e.downcast_ref::<std::io::Error>() {
            found = by_kind(io.kind()).unwrap_or(found);
        } else if let Some(h) = e.downcast_ref::<hyper::Error>() {
            if h.is_incomplete_message() {
                found = Cut::ByPeer("the connection closed before the response was complete");
            } else if h.is_parse() {
                found = Cut::Other("the response is not HTTP");
            }
        }
        next = e.source();
    }
    found
}

fn by_kind(kind: ErrorKind) -> Option<Cut> {
    Some(match kind {
        ErrorKind::ConnectionReset => Cut::ByPeer("connection reset"),
        ErrorKind::ConnectionRefused => Cut::ByPeer("connection refused"),
        ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe | ErrorKind::UnexpectedEof => {
            Cut::ByPeer("connection closed")
        }
        ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable => Cut::Other("network unreachable"),
        ErrorKind::InvalidData => Cut::Other("TLS failed"),
        _ => return None,
    })
}

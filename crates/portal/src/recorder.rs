//! Recorder of all requests and responses of one client, used by `sooner portal try`.
//!
//! The recorder limits the number of requests and permits only one sign-in. It enforces both limits
//! itself, so a faulty caller cannot exceed them.

use crate::pages::sign_in_answer::{self, SignInAnswer};
use crate::{PageKind, PortalError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use url::Url;

/// One request with its complete response.
#[derive(Clone)]
pub struct Exchange {
    /// The requested page.
    pub page: PageKind,
    /// `GET`, or `POST` for the sign-in.
    pub method: &'static str,
    /// Path and query of the request.
    pub path: String,
    /// The HTTP status of the response.
    pub status: u16,
    /// The target, if the response is a redirect.
    pub location: Option<String>,
    /// The body of the response as text.
    pub body: String,
    /// Time from sending the request to the end of the response.
    pub took: Duration,
}

impl std::fmt::Debug for Exchange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Exchange")
            .field("page", &self.page)
            .field("status", &self.status)
            .finish_non_exhaustive()
    }
}

/// State of a [`Recorder`].
#[derive(Default)]
struct Seen {
    requests: u32,
    posts: u32,
    exchanges: Vec<Exchange>,
    other_host: Option<String>,
}

/// Recorder of requests and responses. It refuses requests beyond its limit, a second POST, and
/// every request after a redirect to another host.
pub struct Recorder {
    limit: u32,
    seen: Mutex<Seen>,
}

impl Recorder {
    /// Creates a recorder that permits `limit` requests.
    #[must_use]
    pub fn new(limit: u32) -> Self {
        Self { limit, seen: Mutex::default() }
    }

    /// Returns the recorded requests and responses in order.
    #[must_use]
    pub fn exchanges(&self) -> Vec<Exchange> {
        self.seen().exchanges.clone()
    }

    /// Returns the host of a redirect that left the portal's own host, if there was one.
    #[must_use]
    pub fn other_host(&self) -> Option<String> {
        self.seen().other_host.clone()
    }

    /// Returns the number of requests sent so far.
    #[must_use]
    pub fn requests(&self) -> u32 {
        self.seen().requests
    }

    /// Counts a request that is about to be sent.
    ///
    /// # Errors
    /// Returns [`PortalError::Network`] if the request must not be sent.
    pub(crate) fn admit(&self, is_post: IsPost) -> Result<(), PortalError> {
        let mut seen = self.seen();
        let refused = if seen.other_host.is_some() {
            Some("the portal redirected to another host")
        } else if seen.requests >= self.limit {
            Some("the limit of requests is reached")
        } else if is_post == IsPost::Yes && seen.posts > 0 {
            Some("a second sign-in is not allowed")
        } else {
            None
        };
        if let Some(text) = refused {
            return Err(PortalError::Network { text: text.to_owned() });
        }
        seen.requests += 1;
        seen.posts += u32::from(is_post == IsPost::Yes);
        Ok(())
    }

    /// Records a response. `base` is the portal's own address.
    pub(crate) fn record(&self, exchange: Exchange, base: &Url) {
        let script = (exchange.page == PageKind::SignInAnswer).then(|| sign_in_answer::parse(&exchange.body));
        let led_to = match (&exchange.location, script) {
            (Some(location), _) => Some(location.clone()),
            (None, Some(Ok(SignInAnswer::SignedIn { location }))) => Some(location),
            _ => None,
        };
        let mut seen = self.seen();
        if let Some(host) = led_to.and_then(|to| other_host(base, &to)) {
            seen.other_host.get_or_insert(host);
        }
        seen.exchanges.push(exchange);
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Recorder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recorder").field("limit", &self.limit).finish_non_exhaustive()
    }
}

/// Method of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IsPost {
    Yes,
    No,
}

/// Returns the host of an address outside the portal's origin, or `None` for the portal's own
/// address.
fn other_host(base: &Url, to: &str) -> Option<String> {
    match base.join(to) {
        Ok(url) if url.origin() == base.origin() => None,
        Ok(url) => Some(match (url.host_str(), url.port()) {
            (Some(host), Some(port)) => format!("{}://{host}:{port}", url.scheme()),
            (Some(host), None) => format!("{}://{host}", url.scheme()),
            (None, _) => url.scheme().to_owned(),
        }),
        Err(_) => Some("an unreadable address".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(location: Option<&str>, body: &str) -> Exchange {
        Exchange {
            page: PageKind::SignInAnswer,
            method: "POST",
            path: "/en-ca/niv/users/sign_in".to_owned(),
            status: 302,
            location: location.map(str::to_owned),
            body: body.to_owned(),
            took: Duration::ZERO,
        }
    }

    #[test]
    fn requests_above_the_limit_and_a_second_sign_in_are_blocked() {
        let recorder = Recorder::new(3);
        assert!(recorder.admit(IsPost::No).is_ok() && recorder.admit(IsPost::Yes).is_ok());
        assert!(recorder.admit(IsPost::Yes).is_err());
        assert!(recorder.admit(IsPost::No).is_ok());
        assert!(recorder.admit(IsPost::No).is_err());
        assert_eq!(recorder.requests(), 3);
    }

    #[test]
    fn requests_are_blocked_after_a_redirect_to_another_host() {
        let base: Url = "https://portal.example".parse().unwrap();
        let script = "window.location.href=\"https://other.example/x\"";
        let downgrade = "http://portal.example/en-ca/niv/account";
        for (to, body) in [(Some("https://other.example/x"), ""), (Some(downgrade), ""), (None, script)] {
            let recorder = Recorder::new(9);
            recorder.record(answer(to, body), &base);
            assert!(recorder.other_host().is_some() && recorder.admit(IsPost::No).is_err(), "{to:?} {body}");
        }
        let recorder = Recorder::new(9);
        recorder.record(answer(Some("/en-ca/niv/account"), ""), &base);
        assert!(recorder.other_host().is_none() && recorder.admit(IsPost::No).is_ok());
    }
}

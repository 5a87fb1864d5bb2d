//! HTTP requests to providers, without redirects and proxies, with limits on time and size.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use chrono::DateTime;
use domain::clock::Clock;
use reqwest::{RequestBuilder, StatusCode, Url, header};
use serde_json::Value;

use super::addresses::resolver::{GuardedResolver, Lookup, NameRefused};
use super::addresses::{AddressError, CheckedUrl, Owner, Policy};
use super::outcome::{Delivery, Outcome, Reason};

/// Number of bytes of a response that are read.
const LARGEST: usize = 64 * 1024;
/// Number of characters of a response that are displayed.
const SHOWN: usize = 200;
/// Maximum wait that a provider may request.
const LONGEST_WAIT: Duration = Duration::from_secs(60 * 60);

/// HTTP clients: one for URLs of the operator and providers, the other for URLs given by users.
pub(super) struct Http {
    usual: reqwest::Client,
    guarded: reqwest::Client,
    pub policy: Arc<Policy>,
    pub clock: Clock,
}

/// Response of a provider.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub status: StatusCode,
    /// Wait in the `Retry-After` header.
    pub retry_after: Option<Duration>,
    /// Body as JSON, or null if the body is not JSON.
    pub json: Value,
    /// Body as text.
    pub text: String,
    /// `Location` header, the URL of the created object.
    pub location: Option<String>,
}

/// Function that converts a response to an outcome.
pub(super) type Judge = fn(&Answer) -> Outcome;

/// Request that is ready to be sent, with the function that interprets its response.
pub(super) struct Prepared {
    pub request: RequestBuilder,
    pub judge: Judge,
}

impl Http {
    pub fn new(
        timeout: Duration,
        policy: Policy,
        lookup: Arc<dyn Lookup>,
        clock: Clock,
    ) -> Result<Self, reqwest::Error> {
        let policy = Arc::new(policy);
        let client = || {
            reqwest::Client::builder()
                .no_proxy()
                // A redirect could send secrets to another host, or lead from a user's URL to a
                // forbidden address.
                .redirect(reqwest::redirect::Policy::none())
                .connect_timeout(timeout / 2)
                .timeout(timeout)
        };
        Ok(Self {
            usual: client().build()?,
            guarded: client().dns_resolver(Arc::new(GuardedResolver::new(policy.clone(), lookup))).build()?,
            policy,
            clock,
        })
    }

    /// Builds a POST request to a provider.
    pub fn post(&self, url: Url) -> RequestBuilder {
        self.usual.post(url)
    }

    /// Builds a GET request to a provider.
    pub fn get(&self, url: Url) -> RequestBuilder {
        self.usual.get(url)
    }

    /// Fetches a picture from a provider and returns its media type and bytes. Returns `None` if
    /// the response is too large, is no picture, or is missing.
    pub async fn picture(&self, url: Url) -> Option<(String, Vec<u8>)> {
        const KINDS: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/svg+xml"];
        let mut response = self.usual.get(url).send().await.ok()?.error_for_status().ok()?;
        let kind = response.headers().get(header::CONTENT_TYPE)?.to_str().ok()?;
        let kind = kind.split(';').next()?.trim().to_lowercase();
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.ok()? {
            bytes.extend_from_slice(&chunk);
            if bytes.len() > LARGEST {
                return None;
            }
        }
        let is_picture = KINDS.contains(&kind.as_str()) && !bytes.is_empty();
        is_picture.then_some((kind, bytes))
    }

    /// Builds a POST request to a checked URL.
    pub fn post_checked(&self, checked: CheckedUrl) -> RequestBuilder {
        match checked.owner {
            Owner::Operator => self.usual.post(checked.url),
            Owner::User => self.guarded.post(checked.url),
        }
    }

    /// Sends a request and returns the delivery's outcome.
    pub async fn deliver(&self, prepared: Prepared) -> Delivery {
        match self.call(prepared.request).await {
            Ok(answer) => Delivery::new((prepared.judge)(&answer), answer.shown()),
            Err(failed) => failed,
        }
    }

    /// Sends a request and reads the response.
    pub async fn call(&self, request: RequestBuilder) -> Result<Answer, Delivery> {
        let mut response = request.send().await.map_err(|error| failed(&error))?;
        let mut body = Vec::new();
        // If reading fails, use the part of the body that was read.
        while let Ok(Some(chunk)) = response.chunk().await {
            body.extend_from_slice(&chunk);
            if body.len() >= LARGEST {
                body.truncate(LARGEST);
                break;
            }
        }
        let text_of = |name| response.headers().get(name).and_then(|v: &header::HeaderValue| v.to_str().ok());
        Ok(Answer {
            status: response.status(),
            retry_after: text_of(header::RETRY_AFTER).and_then(|value| self.wait(value)),
            json: serde_json::from_slice(&body).unwrap_or_default(),
            text: String::from_utf8_lossy(&body).into_owned(),
            location: text_of(header::LOCATION).map(str::to_owned),
        })
    }

    /// Parses a `Retry-After` header: a number of seconds or a date.
    fn wait(&self, value: &str) -> Option<Duration> {
        let at = || DateTime::parse_from_rfc2822(value).ok();
        match value.trim().parse::<f64>() {
            Ok(seconds) => seconds_of(seconds),
            Err(_) => seconds_of((at()?.to_utc() - self.clock.now()).num_seconds().max(0) as f64),
        }
    }
}

/// Converts a wait in seconds. Limits the wait to [`LONGEST_WAIT`].
pub(super) fn seconds_of(seconds: f64) -> Option<Duration> {
    let wait = Duration::try_from_secs_f64(seconds).ok();
    wait.map(|wait| wait.min(LONGEST_WAIT)).or((seconds > 0.0).then_some(LONGEST_WAIT))
}

impl Answer {
    /// Returns a wait for the statuses that mean the same at all providers: too many requests,
    /// timeout and server errors. Returns `None` for other statuses.
    pub fn busy(&self) -> Option<Outcome> {
        let busy = self.status.is_server_error()
            || matches!(self.status, StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT);
        busy.then(|| self.wait())
    }

    /// Returns [`Outcome::Wait`] with the wait that the provider requested.
    pub fn wait(&self) -> Outcome {
        Outcome::Wait(self.retry_after.unwrap_or_default())
    }

    /// Returns a numeric field of the JSON body.
    pub fn number(&self, name: &str) -> Option<i64> {
        self.json.get(name).and_then(Value::as_i64)
    }

    /// Returns a text field of the JSON body, or an empty text if the field is missing.
    pub fn text(&self, name: &str) -> &str {
        self.json.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// Returns `true` if the body does not have the provider's format. Either a proxy answered or
    /// the provider has failed.
    pub fn is_foreign(&self) -> bool {
        !self.json.is_object()
    }

    /// Returns the status and the beginning of the body, without control characters.
    pub fn shown(&self) -> String {
        let printable = self.text.chars().map(|c| if c.is_control() { ' ' } else { c });
        let printable: String = printable.filter(|c| !is_invisible(*c)).take(SHOWN).collect();
        format!("{} {}", self.status.as_u16(), printable.trim())
    }
}

/// Returns `true` for invisible characters and characters that reverse the text around them.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Converts a failed request to a delivery. This server refused the address, or nothing is known
/// about the result.
fn failed(error: &reqwest::Error) -> Delivery {
    let mut source = error.source();
    while let Some(inner) = source {
        if inner.is::<NameRefused>() {
            return Delivery::new(Outcome::Broken(Reason::AddressRefused), inner.to_string());
        }
        source = inner.source();
    }
    // Do not use the error's own text, because it contains the URL and thereby the secret.
    let words = match error {
        error if error.is_timeout() => "no answer in time",
        error if error.is_connect() => "no connection",
        error if error.is_builder() => return Delivery::broken(Reason::Malformed),
        _ => "the connection broke before an answer",
    };
    Delivery::new(Outcome::AGAIN, words.to_owned())
}

/// Builds a URL below `base`. Percent-encodes each path segment.
pub(super) fn address(base: &str, path: &[&str]) -> Result<Url, Reason> {
    let mut url = Url::parse(base).map_err(|_| Reason::Operator)?;
    below(&mut url, path)?;
    Ok(url)
}

/// Appends path segments to a URL, each percent-encoded.
pub(super) fn below(url: &mut Url, path: &[&str]) -> Result<(), Reason> {
    url.path_segments_mut().map_err(|()| Reason::Malformed)?.pop_if_empty().extend(path);
    Ok(())
}

impl From<AddressError> for Reason {
    fn from(error: AddressError) -> Self {
        match error {
            AddressError::NotAnAddress => Self::Malformed,
            AddressError::NotHttps
            | AddressError::Port
            | AddressError::Userinfo
            | AddressError::NotPublic => Self::AddressRefused,
        }
    }
}

//! Sending of one HTTP request: cookies, size limits, timeouts and error texts.

use super::Settings;
use crate::classify::{self, Cut};
use crate::meter::CallKind;
use crate::recorder::{Exchange, IsPost};
use crate::{Meter, PageKind, PortalError, Session};
use chrono::{DateTime, Utc};
use reqwest::header::{ACCEPT, CONTENT_TYPE, COOKIE, ETAG, HeaderMap, HeaderValue, IF_NONE_MATCH, LOCATION};
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Maximum size of a response body in bytes. The portal's pages are far smaller.
const MAX_BODY: usize = 4 << 20;
/// Number of consecutive cut connections that indicates a block.
const CUTS_OF_A_BLOCK: u32 = 3;
const XHR: &str = "XMLHttpRequest";

/// Connection pool and settings, shared by all accounts.
pub(crate) struct Transport {
    http: reqwest::Client,
    pub(crate) settings: Settings,
    pub(crate) tls: Arc<ClientConfig>,
    cuts: AtomicU32,
}

/// Request to the portal.
pub(crate) struct PortalRequest {
    page: PageKind,
    counts_as: CallKind,
    path: String,
    headers: HeaderMap,
    body: Option<String>,
}

impl PortalRequest {
    pub(crate) fn page(page: PageKind, path: &str) -> Self {
        let html = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8";
        Self::new(page, path, html)
    }

    pub(crate) fn json(page: PageKind, path: &str, etag: Option<HeaderValue>) -> Self {
        let mut ask = Self::new(page, path, "application/json");
        ask.counts_as = CallKind::Poll;
        ask.headers.insert("x-requested-with", HeaderValue::from_static(XHR));
        if let Some(etag) = etag {
            ask.headers.insert(IF_NONE_MATCH, etag);
        }
        ask
    }

    pub(crate) fn sign_in(path: &str, body: String) -> Self {
        let accept = "*/*;q=0.5, text/javascript, application/javascript, application/ecmascript, application/x-ecmascript";
        let mut ask = Self::new(PageKind::SignInAnswer, path, accept);
        ask.headers.insert("x-requested-with", HeaderValue::from_static(XHR));
        let form = HeaderValue::from_static("application/x-www-form-urlencoded; charset=UTF-8");
        ask.headers.insert(CONTENT_TYPE, form);
        ask.body = Some(body);
        ask.counts_as = CallKind::SignIn;
        ask
    }

    fn new(page: PageKind, path: &str, accept: &'static str) -> Self {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static(accept));
        Self { page, counts_as: CallKind::Page, path: path.to_owned(), headers, body: None }
    }
}

/// Response whose body was read completely.
pub(crate) struct Answer {
    pub(crate) status: u16,
    headers: HeaderMap,
    pub(crate) body: String,
    /// The error that the status or the redirect target alone indicates.
    pub(crate) portal_error: Option<PortalError>,
}

impl Answer {
    /// Returns the target of a redirect.
    pub(crate) fn redirect(&self) -> Option<String> {
        let moved = matches!(self.status, 301 | 302 | 303 | 307 | 308);
        let to = self.headers.get(LOCATION).and_then(|l| l.to_str().ok());
        moved.then(|| to.unwrap_or_default().to_owned())
    }

    pub(crate) fn etag(&self) -> Option<HeaderValue> {
        self.headers.get(ETAG).cloned()
    }
}

impl Transport {
    pub(crate) fn new(settings: Settings) -> Result<Self, PortalError> {
        let failed = |_| PortalError::Network { text: "TLS cannot be set up".to_owned() };
        let tls = Arc::new(tls(settings.host.is_tls()).map_err(failed)?);
        let http = reqwest::Client::builder()
            .tls_backend_preconfigured((*tls).clone())
            .user_agent(settings.user_agent.clone())
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .no_proxy()
            .http1_only()
            .tcp_nodelay(true)
            .connect_timeout(settings.timeouts.connect)
            .timeout(settings.timeouts.total)
            .pool_idle_timeout(settings.timeouts.idle)
            .build()
            .map_err(|_| PortalError::Network { text: "the HTTP client cannot be set up".to_owned() })?;
        Ok(Self { http, settings, tls, cuts: AtomicU32::new(0) })
    }

    /// Sends one request and reads the whole response. Repeats a GET of a booking once,
    /// immediately, after a gateway error or if the idle connection had been closed. A slot is free
    /// for seconds only, and a repeated GET changes nothing at the portal.
    pub(crate) async fn send(
        &self,
        meter: &Meter,
        session: &Session,
        ask: PortalRequest,
    ) -> Result<Answer, PortalError> {
        let first = self.exchange(meter, session, &ask).await;
        let passing = match &first {
            Ok(answer) => matches!(answer.status, 502 | 504),
            Err(failure) => failure.stale,
        };
        let last = if passing && ask.body.is_none() && meter.repeat() {
            tracing::info!(page = %ask.page, "repeating failed GET request of a booking");
            self.exchange(meter, session, &ask).await
        } else {
            first
        };
        last.map_err(|failure| failure.portal_error)
    }

    /// Sends one request and reads the whole response. Counts the request and draws its token
    /// before sending.
    #[tracing::instrument(
        level = "trace",
        name = "exchange",
        skip_all,
        fields(otel.kind = "client", page = %ask.page, status = tracing::field::Empty)
    )]
    async fn exchange(
        &self,
        meter: &Meter,
        session: &Session,
        ask: &PortalRequest,
    ) -> Result<Answer, Failure> {
        let url = self.settings.host.base.join(&ask.path);
        let url = url.map_err(|_| PortalError::Network { text: "invalid URL".to_owned() })?;
        let mut headers = ask.headers.clone();
        if let Some(cookie) = session.cookie_header() {
            headers.insert(COOKIE, cookie);
        }
        if let Some(token) = session.csrf_header().filter(|_| headers.contains_key("x-requested-with")) {
            headers.insert("x-csrf-token", token);
        }
        let request = match &ask.body {
            Some(body) => self.http.post(url).body(body.clone()),
            None => self.http.get(url),
        };
        if let Some(recorder) = &self.settings.recorder {
            recorder.admit(if ask.body.is_some() { IsPost::Yes } else { IsPost::No })?;
        }
        meter.count(ask.counts_as);
        self.settings.pacer.admit(meter).await;
        let began = (self.settings.clock)();
        let sent = request.headers(headers).send().await;
        let mut response =
            sent.map_err(|e| Failure { stale: is_stale(&e), portal_error: self.failed(&e) })?;
        self.cuts.store(0, Relaxed);
        tracing::Span::current().record("status", response.status().as_u16());
        session.absorb_cookies(response.headers());
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|e| self.failed(&e))? {
            if bytes.len() + chunk.len() > MAX_BODY {
                let portal_error: PortalError =
                    crate::html::not_html(ask.page, "response is too long").into();
                return Err(portal_error.into());
            }
            bytes.extend_from_slice(&chunk);
        }
        let mut answer = Answer {
            status: response.status().as_u16(),
            headers: std::mem::take(response.headers_mut()),
            body: String::from_utf8_lossy(&bytes).into_owned(),
            portal_error: None,
        };
        answer.portal_error = self.portal_error(ask.page, &answer);
        if let Some(recorder) = &self.settings.recorder {
            recorder.record(self.exchanged(ask, &answer, began), &self.settings.host.base);
        }
        Ok(answer)
    }

    /// Builds the recorder's entry for a request that began at `began`.
    fn exchanged(&self, ask: &PortalRequest, answer: &Answer, began: DateTime<Utc>) -> Exchange {
        Exchange {
            page: ask.page,
            method: if ask.body.is_some() { "POST" } else { "GET" },
            path: ask.path.clone(),
            status: answer.status,
            location: answer.redirect(),
            body: answer.body.clone(),
            took: ((self.settings.clock)() - began).to_std().unwrap_or_default(),
        }
    }

    /// Fails with the error that the status or redirect indicates, if there is one.
    pub(crate) fn usable(&self, answer: &Answer) -> Result<(), PortalError> {
        answer.portal_error.clone().map_or(Ok(()), Err)
    }

    fn portal_error(&self, page: PageKind, answer: &Answer) -> Option<PortalError> {
        if answer.redirect().is_some_and(|to| to.contains("/users/sign_in")) {
            return Some(PortalError::SignedOut);
        }
        let now = (self.settings.clock)();
        classify::by_status(page, answer.status, &answer.headers, &answer.body, now)
    }

    /// Returns path and query of an address on the portal's own host. Returns `None` for another
    /// host.
    pub(crate) fn own_path(&self, to: &str) -> Option<String> {
        let base = &self.settings.host.base;
        let url = base.join(to).ok()?;
        (url.origin() == base.origin()).then(|| match url.query() {
            Some(query) => format!("{}?{query}", url.path()),
            None => url.path().to_owned(),
        })
    }

    fn failed(&self, error: &reqwest::Error) -> PortalError {
        if error.is_timeout() {
            return PortalError::Timeout;
        }
        self.cut_off(classify::cut(error))
    }

    /// Classifies a cut connection. One cut is a network error; several in a row are a block.
    pub(crate) fn cut_off(&self, cut: Cut) -> PortalError {
        match cut {
            Cut::ByPeer(text) => {
                let in_a_row = self.cuts.fetch_add(1, Relaxed) + 1;
                if in_a_row >= CUTS_OF_A_BLOCK {
                    PortalError::Blocked { status: None, retry_after: None }
                } else {
                    PortalError::Network { text: text.to_owned() }
                }
            }
            Cut::Other(text) => PortalError::Network { text: text.to_owned() },
        }
    }
}

/// Reason why a request got no response.
struct Failure {
    portal_error: PortalError,
    /// `true` if the connection had already ended before the request was written.
    stale: bool,
}

impl From<PortalError> for Failure {
    fn from(portal_error: PortalError) -> Self {
        Self { portal_error, stale: false }
    }
}

/// Returns `true` if the portal closed the connection before any response byte. This happens to a
/// pooled connection that was idle too long.
fn is_stale(error: &reqwest::Error) -> bool {
    !error.is_timeout() && !error.is_connect() && matches!(classify::cut(error), Cut::ByPeer(_))
}

/// Builds the TLS configuration, with the system's trust store for https and without certificates
/// for plain http.
fn tls(is_tls: bool) -> Result<ClientConfig, rustls::Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    let mut config = if is_tls {
        builder.with_platform_verifier()?.with_no_client_auth()
    } else {
        builder.with_root_certificates(RootCertStore::empty()).with_no_client_auth()
    };
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

//! HTTP client with the interface that the crate `openidconnect` requires.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use openidconnect::{HttpRequest, HttpResponse};

use super::OidcError;

/// Maximum size of a response in bytes. Metadata, keys and tokens have a few kilobytes.
const LARGEST: usize = 512 * 1024;

/// HTTP client for the provider, which follows no redirect.
#[derive(Clone, Debug)]
pub(super) struct Fetcher(reqwest::Client);

/// Reason why a request returned no usable response.
#[derive(Debug, thiserror::Error)]
pub(super) enum Broken {
    #[error("the request failed: {0}")]
    Request(#[from] reqwest::Error),
    #[error("the answer cannot be used: {0}")]
    Answer(#[from] http::Error),
    #[error("the provider answered {0}")]
    Status(http::StatusCode),
    #[error("the answer is too large")]
    TooLarge,
}

type Fetching = Pin<Box<dyn Future<Output = Result<HttpResponse, Broken>> + Send>>;

impl Fetcher {
    pub fn new(timeout: Duration) -> Result<Self, OidcError> {
        let client = reqwest::Client::builder()
            .no_proxy()
            // A redirect of the token request would send the client secret to another host.
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(timeout / 2)
            .timeout(timeout)
            .build()
            .map_err(|e| OidcError::Unavailable(e.to_string()))?;
        Ok(Self(client))
    }

    /// Returns the client as a function from requests to responses.
    pub fn as_client(&self) -> impl Fn(HttpRequest) -> Fetching + Send + Sync + use<> {
        let client = self.0.clone();
        move |request| Box::pin(fetch(client.clone(), request))
    }
}

async fn fetch(client: reqwest::Client, request: HttpRequest) -> Result<HttpResponse, Broken> {
    let mut answer = client.execute(request.try_into()?).await?;
    let status = answer.status();
    if status.is_server_error() || status == http::StatusCode::TOO_MANY_REQUESTS {
        return Err(Broken::Status(status));
    }
    let mut response = http::Response::builder().status(status);
    if let Some(headers) = response.headers_mut() {
        headers.clone_from(answer.headers());
    }
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await? {
        if body.len() + chunk.len() > LARGEST {
            return Err(Broken::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(response.body(body)?)
}

//! Traces for an OpenTelemetry collector (OTLP over HTTP, protobuf): what took how long. What may leave is listed here; no text, no
//! path, no address and nothing of a person is.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use http::{Request, Response};
use opentelemetry::KeyValue;
use opentelemetry::trace::{Status, TracerProvider as _};
use opentelemetry_http::{Bytes, HttpClient, HttpError};
use opentelemetry_otlp::{Protocol, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{
    Sampler, SdkTracer, SdkTracerProvider, SpanData, SpanEvents, SpanExporter, SpanLinks,
};
use reqwest::Url;
use tokio::runtime::Handle;
use tracing::Metadata;

/// Spans that leave, by name: an answer to a request, a job of the engine with what it books and reads back, a verification of a
/// login, one request to the portal, the commits before and after a booking, a delivery.
const SPANS: [&str; 8] = ["answer", "job", "book", "read_back", "verify", "exchange", "durable", "deliver"];
/// What they say, by name; every value is an id of ours, a number, or a word of the source's.
const SAYS: [&str; 8] = ["request", "method", "route", "status", "purpose", "account", "page", "channel"];
/// Whose spans.
const OURS: [&str; 5] = ["engine", "portal", "providers", "server", "store"];

/// How long the collector may take.
const TIMEOUT: Duration = Duration::from_secs(5);
/// How long the last spans have when the server ends.
const LAST: Duration = Duration::from_secs(3);
/// Nobody reads more of what the collector answers.
const MAX_ANSWER: usize = 64 << 10;

/// Where traces go.
#[derive(Clone, Debug)]
pub struct Config {
    /// The collector's address, path and all.
    pub url: String,
    /// Which share of what begins is traced, from 0 to 1.
    pub share: f64,
    /// Which server this is.
    pub node: String,
    /// Its version.
    pub version: &'static str,
}

/// Why there are no traces.
#[derive(Debug, thiserror::Error)]
pub enum NoTraces {
    /// The address is none.
    #[error("not an address such as http://127.0.0.1:4318/v1/traces")]
    Address,
    /// The share is none.
    #[error("not a number from 0 to 1")]
    Share,
    /// What sends them cannot be set up.
    #[error("{0}")]
    SetUp(String),
}

/// Sends traces, from a thread of its own.
#[derive(Debug)]
pub struct Traces(SdkTracerProvider);

impl Traces {
    /// Begins; requests to the collector are made on `runtime`.
    ///
    /// # Errors
    /// When the configuration cannot be used.
    pub fn new(config: &Config, runtime: Handle) -> Result<Self, NoTraces> {
        let url = Url::parse(&config.url).ok();
        let is_http = |url: &Url| matches!(url.scheme(), "http" | "https") && url.has_host();
        url.filter(is_http).ok_or(NoTraces::Address)?;
        if !(0.0..=1.0).contains(&config.share) {
            return Err(NoTraces::Share);
        }
        let set_up = |error: &dyn std::fmt::Display| NoTraces::SetUp(error.to_string());
        let http = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .timeout(TIMEOUT)
            .build()
            .map_err(|error| set_up(&error))?;
        let collector = opentelemetry_otlp::SpanExporter::builder()
            .with_http()
            .with_http_client(Collector { http, runtime })
            .with_endpoint(&config.url)
            .with_protocol(Protocol::HttpBinary)
            .with_timeout(TIMEOUT)
            .build()
            .map_err(|error| set_up(&error))?;
        let resource = Resource::builder()
            .with_service_name("sooner")
            .with_attribute(KeyValue::new("service.version", config.version))
            .with_attribute(KeyValue::new("service.instance.id", config.node.clone()))
            .build();
        let provider = SdkTracerProvider::builder()
            .with_resource(resource)
            .with_sampler(Sampler::ParentBased(Box::new(Sampler::TraceIdRatioBased(config.share))))
            .with_batch_exporter(Listed { collector, fails: AtomicBool::new(false) })
            .build();
        Ok(Self(provider))
    }

    /// What makes spans.
    #[must_use]
    pub fn tracer(&self) -> SdkTracer {
        self.0.tracer("sooner")
    }

    /// Sends what is left; blocks for at most a few seconds, while the runtime goes on.
    pub fn end(&self) {
        if let Err(error) = self.0.shutdown_with_timeout(LAST) {
            tracing::debug!(%error, "the last traces were not sent");
        }
    }
}

/// Whether a span leaves.
#[must_use]
pub fn is_traced(metadata: &Metadata<'_>) -> bool {
    let ours = metadata.target().split("::").next().is_some_and(|name| OURS.contains(&name));
    metadata.is_span() && ours && SPANS.contains(&metadata.name())
}

/// Sends spans with what is listed, and nothing else.
#[derive(Debug)]
struct Listed {
    collector: opentelemetry_otlp::SpanExporter,
    fails: AtomicBool,
}

impl SpanExporter for Listed {
    async fn export(&self, mut batch: Vec<SpanData>) -> OTelSdkResult {
        batch.iter_mut().for_each(strip);
        let sent = self.collector.export(batch).await;
        match (&sent, self.fails.swap(sent.is_err(), Ordering::Relaxed)) {
            (Err(error), false) => {
                tracing::warn!(%error, "the collector does not take traces; until it does they are dropped");
            }
            (Ok(()), true) => tracing::info!("the collector takes traces again"),
            _ => {}
        }
        sent
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.collector.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.collector.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.collector.set_resource(resource);
    }
}

/// Takes away what is not listed.
fn strip(span: &mut SpanData) {
    span.attributes.retain(|said| SAYS.contains(&said.key.as_str()));
    span.events = SpanEvents::default();
    span.links = SpanLinks::default();
    if let Status::Error { description } = &mut span.status {
        *description = "".into();
    }
}

/// The collector, asked on the server's runtime: the exporter's thread has none.
#[derive(Debug)]
struct Collector {
    http: reqwest::Client,
    runtime: Handle,
}

#[async_trait]
impl HttpClient for Collector {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let (http, request) = (self.http.clone(), reqwest::Request::try_from(request)?);
        self.runtime.spawn(exchange(http, request)).await?
    }
}

async fn exchange(http: reqwest::Client, request: reqwest::Request) -> Result<Response<Bytes>, HttpError> {
    let mut answer = http.execute(request).await?;
    let mut body = Vec::new();
    while let Some(part) = answer.chunk().await? {
        if body.len() + part.len() > MAX_ANSWER {
            return Err("the collector's answer is far too long".into());
        }
        body.extend_from_slice(&part);
    }
    let mut whole = Response::new(Bytes::from(body));
    *whole.status_mut() = answer.status();
    *whole.headers_mut() = std::mem::take(answer.headers_mut());
    Ok(whole)
}

//! Export of traces to an OpenTelemetry collector (OTLP over HTTP, protobuf). Traces show the
//! duration of operations. This file lists the data that may be exported. Texts, paths, addresses
//! and personal data are never exported.

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

/// Names of exported spans:
/// - `answer`: handling of one HTTP request to this server
/// - `job`: one job of the engine, with its booking (`book`) and its read-back (`read_back`)
/// - `verify`: a verification of a login
/// - `exchange`: one request to the portal
/// - `durable`: the commits before and after a booking
/// - `deliver`: delivery of one message
const SPANS: [&str; 8] = ["answer", "job", "book", "read_back", "verify", "exchange", "durable", "deliver"];
/// Names of exported attributes. Each value is an internal identifier, a number, or a constant from
/// the source code.
const SAYS: [&str; 8] = ["request", "method", "route", "status", "purpose", "account", "page", "channel"];
/// Crates whose spans are exported.
const OURS: [&str; 5] = ["engine", "portal", "providers", "server", "store"];

/// Timeout of a request to the collector.
const TIMEOUT: Duration = Duration::from_secs(5);
/// Time for sending the last spans when the server stops.
const LAST: Duration = Duration::from_secs(3);
/// Number of bytes of the collector's response that are read.
const MAX_ANSWER: usize = 64 << 10;

/// Settings of the trace export.
#[derive(Clone, Debug)]
pub struct Config {
    /// URL of the collector, including its path.
    pub url: String,
    /// Share of traces that are exported, from 0 to 1.
    pub share: f64,
    /// Name of this server in the traces.
    pub node: String,
    /// Version of this server.
    pub version: &'static str,
}

/// Reason why traces cannot be exported.
#[derive(Debug, thiserror::Error)]
pub enum NoTraces {
    /// The collector's URL is invalid.
    #[error("not a URL such as http://127.0.0.1:4318/v1/traces")]
    Address,
    /// The share is not a number from 0 to 1.
    #[error("not a number from 0 to 1")]
    Share,
    /// The exporter cannot be set up.
    #[error("{0}")]
    SetUp(String),
}

/// Trace exporter, which runs on a thread of its own.
#[derive(Debug)]
pub struct Traces(SdkTracerProvider);

impl Traces {
    /// Starts the exporter. Its requests to the collector run on `runtime`.
    ///
    /// # Errors
    /// Returns an error if the configuration is invalid.
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

    /// Returns the tracer for creating spans.
    #[must_use]
    pub fn tracer(&self) -> SdkTracer {
        self.0.tracer("sooner")
    }

    /// Sends the remaining spans. Blocks for a few seconds at most. The runtime must still be
    /// running.
    pub fn end(&self) {
        if let Err(error) = self.0.shutdown_with_timeout(LAST) {
            tracing::debug!(%error, "failed to send the last traces");
        }
    }
}

/// Returns `true` if a span with this metadata is exported.
#[must_use]
pub fn is_traced(metadata: &Metadata<'_>) -> bool {
    let ours = metadata.target().split("::").next().is_some_and(|name| OURS.contains(&name));
    metadata.is_span() && ours && SPANS.contains(&metadata.name())
}

/// Exporter that removes every attribute that is not on the list.
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
                tracing::warn!(%error, "trace collector does not accept traces; dropping them until it does");
            }
            (Ok(()), true) => tracing::info!("trace collector accepts traces again"),
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

/// Removes the attributes that are not on the list, and all events, links and error texts.
fn strip(span: &mut SpanData) {
    span.attributes.retain(|said| SAYS.contains(&said.key.as_str()));
    span.events = SpanEvents::default();
    span.links = SpanLinks::default();
    if let Status::Error { description } = &mut span.status {
        *description = "".into();
    }
}

/// HTTP client for the collector. It runs on the server's runtime, because the exporter's thread
/// has none.
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

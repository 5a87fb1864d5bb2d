//! Traces of requests and jobs, if the operator configures a collector.

use providers::traces::{Config, NoTraces, Traces, is_traced};
use tokio::runtime::Handle;
use tracing::Subscriber;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::registry::LookupSpan;

use crate::config::Settings;
use crate::run::StartError;

/// Starts to send traces; `None` without a collector.
///
/// # Errors
/// Returns an error if one of their settings is invalid.
pub fn begin(settings: &Settings, runtime: &Handle) -> Result<Option<Traces>, StartError> {
    let Some(url) = settings.traces_url.clone().filter(|url| !url.is_empty()) else { return Ok(None) };
    crate::config::outside::check(settings).map_err(|(setting, why)| StartError::Setting(setting, why))?;
    let (share, node, version) = (settings.traces_share, settings.node.clone(), env!("CARGO_PKG_VERSION"));
    let traces = Traces::new(&Config { url, share, node, version }, runtime.clone());
    traces.map(Some).map_err(|error| {
        let setting = if matches!(error, NoTraces::Share) { "--traces-share" } else { "--traces-url" };
        StartError::Setting(setting, error.to_string())
    })
}

/// Returns the layer that sends spans to the collector, independent of the log level.
pub fn layer<S>(traces: &Traces) -> impl Layer<S> + use<S>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    tracing_opentelemetry::layer()
        .with_tracer(traces.tracer())
        .with_location(false)
        .with_threads(false)
        .with_tracked_inactivity(false)
        .with_target(false)
        .with_level(false)
        .with_context_activation(false)
        .with_filter(filter_fn(is_traced).with_max_level_hint(LevelFilter::TRACE))
}

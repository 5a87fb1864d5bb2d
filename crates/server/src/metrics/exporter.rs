//! Recorder of the metrics of this process.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use chrono::TimeDelta;
use domain::clock::Instant;
use engine::metrics as figures;
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

/// Upper bounds of the histograms' buckets, in seconds.
const BUCKETS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];
/// Minimum time between two reads of metrics that need queries.
const FRESH: TimeDelta = TimeDelta::seconds(10);
/// Interval of the histograms' upkeep. Without it they would grow while no client reads `/metrics`.
const UPKEEP: Duration = Duration::from_secs(5);
/// Metrics recorder of the process, with the time of the last read of expensive metrics.
pub struct Exporter {
    pub(super) handle: PrometheusHandle,
    read_at: Mutex<Option<Instant>>,
}

impl Exporter {
    /// Starts recording. A process has one recorder, regardless of its number of servers.
    ///
    /// # Errors
    /// Returns an error if another recorder was installed before.
    pub fn start() -> Result<Arc<Self>, BuildError> {
        static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();
        static TURN: Mutex<()> = Mutex::new(());
        let _turn = TURN.lock();
        let handle = match RECORDER.get() {
            Some(handle) => handle.clone(),
            None => {
                let builder = PrometheusBuilder::new()
                    .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &BUCKETS)?;
                let handle = builder.install_recorder()?;
                figures::describe();
                RECORDER.get_or_init(|| handle).clone()
            }
        };
        Ok(Arc::new(Self { handle, read_at: Mutex::new(None) }))
    }

    /// Folds histograms until `stop` is cancelled.
    pub async fn keep_up(self: Arc<Self>, stop: CancellationToken) {
        loop {
            tokio::select! {
                () = stop.cancelled() => return,
                () = tokio::time::sleep(UPKEEP) => self.handle.run_upkeep(),
            }
        }
    }

    pub(super) fn is_due(&self, now: Instant) -> bool {
        let mut read_at = self.read_at.lock();
        let due = read_at.is_none_or(|at| now - at >= FRESH || now < at);
        if due {
            *read_at = Some(now);
        }
        due
    }
}

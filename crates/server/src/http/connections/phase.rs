//! Phases of a connection, and the detection of phases that last too long.

use std::future::{Future, pending};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use std::io;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::watch;

use super::Times;

/// Activity of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// The server reads the headers of a request, or waits for the first byte of the first one.
    Header,
    /// The server handles a request or sends its response.
    Request,
    /// The connection is between two requests.
    Idle,
}

/// Phase of a connection: its activity, and the state of its output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase {
    activity: Activity,
    stalled: bool,
}

impl Phase {
    /// Returns the time limit of the phase; `None` means no limit.
    const fn limit(self, times: &Times) -> Option<Duration> {
        match self {
            Self { stalled: true, .. } | Self { activity: Activity::Idle, .. } => Some(times.idle),
            Self { activity: Activity::Header, .. } => Some(times.header),
            Self { activity: Activity::Request, .. } => None,
        }
    }
}

/// Publishes the phases of one connection.
#[derive(Clone, Debug)]
pub struct Phases(Arc<watch::Sender<Phase>>);

impl Phases {
    fn change(&self, change: impl FnOnce(&mut Phase)) {
        self.0.send_if_modified(|phase| {
            let before = *phase;
            change(phase);
            *phase != before
        });
    }

    fn bytes_came(&self) {
        self.change(|phase| {
            if phase.activity == Activity::Idle {
                phase.activity = Activity::Header;
            }
        });
    }

    fn stalled(&self, stalled: bool) {
        self.change(|phase| phase.stalled = stalled);
    }
}

/// Returns the publisher of the phases of a new connection, and a future that resolves to the phase
/// that exceeded its time limit.
pub fn watch(times: Times) -> (Phases, impl Future<Output = Phase>) {
    let (sender, mut changes) = watch::channel(Phase { activity: Activity::Header, stalled: false });
    let overdue = async move {
        loop {
            let phase = *changes.borrow_and_update();
            let changed = changes.changed();
            let changed = match phase.limit(&times) {
                None => changed.await,
                Some(limit) => match tokio::time::timeout(limit, changed).await {
                    Ok(changed) => changed,
                    Err(_) => return phase,
                },
            };
            if changed.is_err() {
                // The connection has ended.
                pending::<()>().await;
            }
        }
    };
    (Phases(Arc::new(sender)), overdue)
}

/// Guard of a request in progress; dropped when the body of its response was sent.
#[derive(Debug)]
pub struct Busy(Phases);

impl Busy {
    /// Marks the connection as busy.
    pub fn begin(phases: &Phases) -> Self {
        phases.change(|phase| phase.activity = Activity::Request);
        Self(phases.clone())
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.change(|phase| phase.activity = Activity::Idle);
    }
}

/// A stream that reports received bytes, and a peer that does not read.
#[derive(Debug)]
pub struct Watched<S> {
    inner: S,
    phases: Phases,
}

impl<S> Watched<S> {
    /// Wraps a stream that reports to `phases`.
    pub const fn new(inner: S, phases: Phases) -> Self {
        Self { inner, phases }
    }

    fn written(&self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        self.phases.stalled(written.is_pending());
        written
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let read = Pin::new(&mut self.inner).poll_read(cx, buf);
        if buf.filled().len() > before {
            self.phases.bytes_came();
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write(cx, buf);
        self.written(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write_vectored(cx, bufs);
        self.written(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }
}

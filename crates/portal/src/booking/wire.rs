//! Stream that refuses writes after the deadline of a booking and counts the bytes written.

use crate::Clock;
use chrono::{DateTime, Utc};
use domain::journal::Wrote;
use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::client::TlsStream;

/// Connection to the portal: plain TCP for the sandbox, TLS for the real portal.
pub(super) enum Stream {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

/// Log of the bytes written, shared by the connection and the caller.
#[derive(Default)]
pub(super) struct WriteLog(Mutex<Written>);

#[derive(Default)]
struct Written {
    leave_before: Option<DateTime<Utc>>,
    body_len: usize,
    first: Option<DateTime<Utc>>,
    tried: bool,
    late: bool,
    head: Vec<u8>,
    head_len: Option<usize>,
    total: usize,
}

impl WriteLog {
    /// Permits writes until `leave_before`. The log refuses every write before this call.
    pub(super) fn prepare(&self, leave_before: DateTime<Utc>, body_len: usize) {
        let mut w = self.lock();
        w.leave_before = Some(leave_before);
        w.body_len = body_len;
    }

    pub(super) fn wrote(&self) -> Wrote {
        let w = self.lock();
        match w.head_len {
            _ if !w.tried => Wrote::Nothing,
            Some(head) if w.total >= head + w.body_len => Wrote::All,
            _ => Wrote::Partly,
        }
    }

    pub(super) fn first_write(&self) -> Option<DateTime<Utc>> {
        self.lock().first
    }

    /// Returns `true` if a write was refused because the deadline had passed.
    pub(super) fn was_late(&self) -> bool {
        self.lock().late
    }

    /// Checks the deadline immediately before a write.
    fn permit(&self, now: DateTime<Utc>) -> io::Result<()> {
        let mut w = self.lock();
        if w.leave_before.is_none_or(|end| now >= end) {
            w.late = true;
            return Err(io::Error::new(ErrorKind::TimedOut, "too late to send"));
        }
        // From here on the portal may receive bytes, even if the write returns an error.
        w.tried = true;
        if w.first.is_none() {
            tracing::trace!("first byte");
            w.first = Some(now);
        }
        Ok(())
    }

    fn count(&self, bytes: &[u8]) {
        let mut w = self.lock();
        w.total += bytes.len();
        if w.head_len.is_none() {
            w.head.extend_from_slice(bytes);
            w.head_len = w.head.windows(4).position(|four| four == b"\r\n\r\n").map(|at| at + 4);
            if w.head_len.is_some() {
                w.head = Vec::new();
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Written> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Stream that writes bytes only if the [`WriteLog`] permits it.
pub(super) struct Guarded {
    stream: Stream,
    log: Arc<WriteLog>,
    clock: Clock,
}

impl Guarded {
    pub(super) fn new(stream: Stream, log: Arc<WriteLog>, clock: Clock) -> Self {
        Self { stream, log, clock }
    }
}

impl AsyncRead for Guarded {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Plain(s) => Pin::new(s).poll_read(cx, buf),
            Stream::Tls(s) => Pin::new(s).poll_read(cx, buf),
        }
    }
}

impl AsyncWrite for Guarded {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        this.log.permit((this.clock)())?;
        let wrote = match &mut this.stream {
            Stream::Plain(s) => Pin::new(s).poll_write(cx, buf),
            Stream::Tls(s) => Pin::new(s).poll_write(cx, buf),
        };
        if let Poll::Ready(Ok(len)) = &wrote {
            this.log.count(&buf[..*len]);
        }
        wrote
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Plain(s) => Pin::new(s).poll_flush(cx),
            Stream::Tls(s) => Pin::new(s).poll_flush(cx),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Plain(s) => Pin::new(s).poll_shutdown(cx),
            Stream::Tls(s) => Pin::new(s).poll_shutdown(cx),
        }
    }
}

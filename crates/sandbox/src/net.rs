//! Connections that a fault can cut, before a response or in the middle of one.

use std::{
    io,
    net::SocketAddr,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    task::{Context, Poll},
};

use axum::{extract::connect_info::Connected, serve::IncomingStream, serve::Listener};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
};

/// Number of bytes that a connection may still write. A negative number means no limit.
#[derive(Clone, Debug)]
pub(crate) struct Fuse(Arc<AtomicI64>);

impl Fuse {
    /// Makes the connection fail after it has written `bytes` more bytes.
    pub fn burn_after(&self, bytes: i64) {
        self.0.store(bytes.max(0), Ordering::SeqCst);
    }
}

/// Listener whose connections each have a [`Fuse`].
pub(crate) struct CuttableListener(pub TcpListener);

/// Connection with its [`Fuse`].
pub(crate) struct Cuttable {
    stream: TcpStream,
    fuse: Fuse,
}

impl Listener for CuttableListener {
    type Io = Cuttable;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Cuttable, SocketAddr) {
        let (stream, address) = Listener::accept(&mut self.0).await;
        // Without this, Nagle's algorithm would delay every second request on a kept-alive
        // connection by 40 ms.
        let _ = stream.set_nodelay(true);
        (Cuttable { stream, fuse: Fuse(Arc::new(AtomicI64::new(-1))) }, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.0.local_addr()
    }
}

impl Connected<IncomingStream<'_, CuttableListener>> for Fuse {
    fn connect_info(stream: IncomingStream<'_, CuttableListener>) -> Self {
        stream.io().fuse.clone()
    }
}

impl Cuttable {
    fn reset(&self) -> io::Error {
        // With zero linger the peer sees a reset instead of an orderly end.
        let _ = self.stream.set_zero_linger();
        io::Error::new(io::ErrorKind::ConnectionReset, "cut by the sandbox")
    }
}

impl AsyncRead for Cuttable {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for Cuttable {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let left = self.fuse.0.load(Ordering::SeqCst);
        if left < 0 {
            return Pin::new(&mut self.stream).poll_write(cx, buf);
        }
        if left == 0 {
            return Poll::Ready(Err(self.reset()));
        }
        let part = &buf[..buf.len().min(usize::try_from(left).unwrap_or(0))];
        let written = std::task::ready!(Pin::new(&mut self.stream).poll_write(cx, part))?;
        self.fuse.0.store(left - i64::try_from(written).unwrap_or(0), Ordering::SeqCst);
        Poll::Ready(Ok(written))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

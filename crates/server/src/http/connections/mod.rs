//! Connections of the server: time limits, limits of their number, and a reserve for health probes.
//!
//! A simple attack opens connections and sends nothing. Each connection uses a file descriptor of
//! the process, which also needs descriptors for the engine and the database. Therefore each phase
//! of a connection has a time limit ([`Times`]). The number of connections is limited overall and
//! per address, and some descriptors are reserved ([`descriptors`]).

pub mod descriptors;
pub mod occupancy;
pub mod phase;
mod request_body;

use std::convert::Infallible;
use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{ConnectInfo, Request};
use axum::http::{HeaderValue, StatusCode, Version, header};
use axum::response::{IntoResponse as _, Response};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt as _;

use self::occupancy::{Full, Guarded, Occupancy, OccupancyPermit};
use self::phase::{Busy, Phases, Watched};
use self::request_body::Timed;
pub use self::request_body::TooSlow;
use crate::http::error::{ApiError, Code};
use crate::http::proxies::{self, Network};

/// Connections beyond the limit, only for health probes. Half of them are for peers on this machine
/// or in a private network ("near"), and half for others.
const SPARE: usize = 100;
/// Maximum number of spare connections of one address that is not near.
const SPARE_PER_ADDRESS: usize = 10;
/// Time limit for the headers on a spare connection.
const SPARE_HEADER: Duration = Duration::from_secs(2);
/// Maximum size of request line and headers, and of the buffer of one connection.
const BUFFER_BYTES: usize = 32 * 1024;
/// Pause after a failed `accept`, for example without a free descriptor.
const ACCEPT_AGAIN: Duration = Duration::from_millis(100);
/// Seconds in `Retry-After` for a client that is refused because the limit of connections is
/// reached.
const ASK_AGAIN_SECONDS: u64 = 5;
/// Maximum number of open event streams; the limit of connections applies too. One query of the
/// process serves all streams.
const STREAMS: usize = 12_000;
/// Maximum number of open event streams of one client address.
const STREAMS_PER_ADDRESS: usize = 100;

/// Time limits of a connection's phases.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// Limit from the first byte of a request (or the start of the connection) to the end of its
    /// headers.
    pub header: Duration,
    /// Limit for reading the body of a request.
    pub body: Duration,
    /// Limit between two requests, and for a client that does not read the response.
    pub idle: Duration,
}

impl Default for Times {
    fn default() -> Self {
        Self { header: Duration::from_secs(10), body: Duration::from_secs(15), idle: Duration::from_secs(75) }
    }
}

/// Limits of connections, requests and streams, with the current counts.
#[derive(Debug)]
pub struct ConnectionLimits {
    connections: Arc<Occupancy>,
    spare_near: Arc<Occupancy>,
    spare_far: Arc<Occupancy>,
    /// Requests in progress that came through a proxy, by the client's address.
    pub requests: Arc<Occupancy>,
    /// Event streams, by the client's address.
    pub streams: Arc<Occupancy>,
}

impl ConnectionLimits {
    /// Creates the limits: `connections` overall, fewer if the process lacks descriptors, and
    /// `per_address` for one client address.
    #[must_use]
    pub fn new(connections: usize, per_address: usize) -> Self {
        let overall = descriptors::connections(descriptors::limit(), connections);
        Self {
            connections: Occupancy::new(overall, per_address),
            spare_near: Occupancy::new(SPARE / 2, usize::MAX),
            spare_far: Occupancy::new(SPARE / 2, SPARE_PER_ADDRESS),
            requests: Occupancy::new(usize::MAX, per_address),
            streams: Occupancy::new(STREAMS.min(overall), STREAMS_PER_ADDRESS.min(per_address)),
        }
    }

    /// Returns the maximum number of open connections.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.connections.overall()
    }

    /// Counts a new connection. Returns an error if a limit is reached.
    fn admit(&self, peer: IpAddr, trusted: &[Network]) -> Result<Admitted, Full> {
        let counted = proxies::counted(peer, trusted);
        match self.connections.acquire(counted) {
            Ok(place) => Ok(Admitted { place, only_probes: false }),
            Err(Full::Address) => Err(Full::Address),
            Err(Full::Overall) => {
                let near = counted.is_none() || proxies::is_near(peer);
                let spare = if near { &self.spare_near } else { &self.spare_far };
                Ok(Admitted { place: spare.acquire(counted)?, only_probes: true })
            }
        }
    }
}

/// A connection that was admitted.
struct Admitted {
    place: OccupancyPermit,
    /// `true` if the limit is reached and only health probes are served.
    only_probes: bool,
}

/// Source of connections: a listening port, or in tests a port whose peers get other addresses.
pub trait Accept: Send {
    /// Accepts the next connection and returns it with the address of its peer.
    fn accept(&mut self) -> impl Future<Output = std::io::Result<(TcpStream, SocketAddr)>> + Send;
}

impl Accept for TcpListener {
    async fn accept(&mut self) -> std::io::Result<(TcpStream, SocketAddr)> {
        Self::accept(self).await
    }
}

/// Accepts connections until `stop` is cancelled. Then closes each open connection after its
/// responses are sent.
pub async fn serve(
    mut listener: impl Accept,
    routes: Router,
    ceilings: Arc<ConnectionLimits>,
    trusted_proxies: Vec<Network>,
    times: Times,
    stop: CancellationToken,
) {
    let open = TaskTracker::new();
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => break,
            accepted = listener.accept() => accepted,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!(%error, "failed to accept a connection");
                tokio::time::sleep(ACCEPT_AGAIN).await;
                continue;
            }
        };
        let admitted = match ceilings.admit(peer.ip(), &trusted_proxies) {
            Ok(admitted) => admitted,
            Err(full) => {
                tracing::debug!(%peer, ?full, "refused a connection");
                continue;
            }
        };
        open.spawn(connection(stream, peer, routes.clone(), admitted, times, stop.clone()));
    }
    drop(listener);
    open.close();
    open.wait().await;
}

/// Serves one connection until it ends, exceeds a time limit, or the server stops.
async fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    routes: Router,
    admitted: Admitted,
    times: Times,
    stop: CancellationToken,
) {
    let Admitted { place: _place, only_probes } = admitted;
    let header = if only_probes { SPARE_HEADER.min(times.header) } else { times.header };
    let (phases, overdue) = phase::watch(Times { header, ..times });
    // Events are small and must be sent without delay.
    let _ = stream.set_nodelay(true);
    let served = Served { routes, peer, phases: phases.clone(), body: times.body, only_probes };
    let mut builder = Builder::new(TokioExecutor::new()).http1_only();
    // hyper's own timeout cannot distinguish an idle connection from a slow one. The phases do.
    builder.http1().timer(TokioTimer::new()).header_read_timeout(None).max_buf_size(BUFFER_BYTES);
    let io = TokioIo::new(Watched::new(stream, phases));
    let mut served = pin!(builder.serve_connection(io, TowerToHyperService::new(served)));
    let mut overdue = pin!(overdue);
    let mut stopping = false;
    loop {
        tokio::select! {
            ended = served.as_mut() => {
                if let Err(error) = ended {
                    tracing::trace!(%error, "connection ended with an error");
                }
                return;
            }
            phase = overdue.as_mut() => {
                tracing::debug!(%peer, ?phase, "closing a connection that exceeds its time limit");
                return;
            }
            () = stop.cancelled(), if !stopping => {
                stopping = true;
                served.as_mut().graceful_shutdown();
            }
        }
    }
}

/// The routes, as one connection serves them.
#[derive(Clone)]
struct Served {
    routes: Router,
    peer: SocketAddr,
    phases: Phases,
    body: Duration,
    only_probes: bool,
}

/// Returns `true` if an HTTP/1.1 request has no `Host` header, or several (RFC 9112, 3.2).
fn names_no_host<B>(request: &Request<B>) -> bool {
    request.version() == Version::HTTP_11 && request.headers().get_all(header::HOST).iter().count() != 1
}

impl<B> tower::Service<Request<B>> for Served
where
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<axum::BoxError>,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        let busy = Busy::begin(&self.phases);
        request.extensions_mut().insert(ConnectInfo(self.peer));
        let probe = matches!(request.uri().path(), "/healthz" | "/readyz");
        let (only_probes, limit) = (self.only_probes, self.body);
        let routes = self.routes.clone();
        Box::pin(async move {
            let mut response = if names_no_host(&request) {
                (StatusCode::BAD_REQUEST, "The request names no host\n").into_response()
            } else if only_probes && !probe {
                ApiError::new(Code::Unavailable).retry_after(ASK_AGAIN_SECONDS).into_response()
            } else {
                routes.oneshot(request.map(|body| Timed::within(Body::new(body), limit))).await?
            };
            if only_probes {
                response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            // The connection becomes idle when the body of the response was sent, not when the
            // handler returns.
            Ok(response.map(|body| Body::new(Guarded::new(body, busy))))
        })
    }
}

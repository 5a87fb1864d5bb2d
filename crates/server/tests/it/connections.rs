//! Stories of connections over real sockets: each phase has a time limit, the number is limited,
//! and many slow connections do not delay others.

#![allow(clippy::disallowed_methods, reason = "what real sockets take is measured by the real clock")]

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Body;
use chrono::TimeDelta;
use http_body_util::BodyExt as _;
use server::AppState;
use server::config::Settings;
use server::http::connections::{self, Accept, ConnectionLimits, Times};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

use crate::app::{Person, TestApp, request};
use crate::stage::{Stage, TORONTO};

stories!(
    a_connection_ends_when_a_phase_takes_too_long,
    at_the_connection_limit_only_probes_are_answered,
    requests_and_streams_are_limited_per_client_of_a_proxy,
    connections_are_limited_per_address,
    a_request_with_no_host_or_two_is_refused,
);

mod beside_a_portal {
    use super::a_thousand_slow_connections_do_not_delay_a_booking;

    portal_stories!(a_thousand_slow_connections_do_not_delay_a_booking);
}

/// A server with changed settings, on a separate port.
struct Served {
    address: SocketAddr,
    stop: CancellationToken,
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

fn with(app: &AppState, change: impl FnOnce(&mut Settings)) -> AppState {
    let mut settings = Settings::clone(&app.settings);
    change(&mut settings);
    let ceilings = ConnectionLimits::new(settings.connections, settings.connections_per_address);
    AppState { ceilings: Arc::new(ceilings), settings: Arc::new(settings), ..app.clone() }
}

async fn serve(app: &AppState) -> Served {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    serve_on(app, listener, address)
}

fn serve_on(app: &AppState, listener: impl Accept + 'static, address: SocketAddr) -> Served {
    let stop = CancellationToken::new();
    let (routes, ceilings) = (server::router(app.clone()), app.ceilings.clone());
    let (proxies, times) = (app.settings.trusted_proxies.clone(), app.settings.connection_times);
    tokio::spawn(connections::serve(listener, routes, ceilings, proxies, times, stop.clone()));
    Served { address, stop }
}

/// A port on loopback. Its connections get peer addresses from a list, in the order of their
/// arrival.
struct Pretended {
    listener: TcpListener,
    peers: UnboundedReceiver<SocketAddr>,
}

impl Accept for Pretended {
    async fn accept(&mut self) -> std::io::Result<(TcpStream, SocketAddr)> {
        let (stream, real) = TcpListener::accept(&self.listener).await?;
        Ok((stream, self.peers.recv().await.unwrap_or(real)))
    }
}

impl Served {
    /// Opens a connection and sends a text.
    async fn say(&self, text: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(text.as_bytes()).await.unwrap();
        stream
    }

    /// Sends a request on a new connection, and returns the response.
    async fn exchange(&self, path: &str) -> String {
        let mut stream =
            self.say(&format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")).await;
        rest(&mut stream).await
    }
}

/// Reads until the server closes the connection, which must happen soon.
async fn rest(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let read = stream.read_to_end(&mut bytes);
    // A reset of the connection is accepted as well.
    let _ = tokio::time::timeout(Duration::from_secs(20), read).await.expect("the connection did not end");
    String::from_utf8_lossy(&bytes).into_owned()
}

async fn is_open(stream: &mut TcpStream, span: Duration) -> bool {
    tokio::time::timeout(span, stream.read_u8()).await.is_err()
}

// spec: 10.15.15
async fn a_connection_ends_when_a_phase_takes_too_long(app: TestApp) {
    let (short, long) = (Duration::from_millis(300), Duration::from_millis(1_500));
    let times = Times { header: short, body: short, idle: long };
    let served = serve(&with(&app.app, |settings| settings.connection_times = times)).await;
    assert_eq!(rest(&mut served.say("").await).await, "", "the client sent nothing");
    assert_eq!(
        rest(&mut served.say("GET /healthz HTTP/1.1\r\nhost: h").await).await,
        "",
        "the client sent half a header"
    );
    // A client that sends byte by byte gets no additional time.
    let mut dribbling = served.say("GET /healthz HTTP/1.1\r\n").await;
    let dribble = async {
        while dribbling.write_all(b"x").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), dribble)
        .await
        .expect("the connection stayed open, byte by byte");
    let half = "POST /api/v1/auth/login HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
        content-length: 50\r\n\r\n{\"username\":";
    let answer = rest(&mut served.say(half).await).await;
    assert!(answer.starts_with("HTTP/1.1 408") && answer.contains("REQUEST_TIMEOUT"), "{answer}");

    // The limit between two requests is longer. A new request gets the full limit for its headers.
    let mut kept = served.say("GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n").await;
    let mut answer = [0; 15];
    kept.read_exact(&mut answer).await.unwrap();
    tokio::time::sleep(short * 2).await;
    kept.write_all(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n").await.unwrap();
    let all = rest(&mut kept).await;
    assert_eq!(all.matches("HTTP/1.1 200").count(), 1, "the second answer, then the end: {all}");
    let mut half = served.say("GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n").await;
    half.read_exact(&mut answer).await.unwrap();
    tokio::time::sleep(short).await;
    half.write_all(b"GET /").await.unwrap();
    let begun = Instant::now();
    rest(&mut half).await;
    assert!(begun.elapsed() < long, "a request that began has the time of a header, not of a pause");

    // An event stream stays open longer than the limits of the phases.
    let person = app.person("lin").await;
    let mut stream = served.say(&stream_request(&person, "")).await;
    let mut first = [0; 15];
    stream.read_exact(&mut first).await.unwrap();
    assert_eq!(&first, b"HTTP/1.1 200 OK");
    let mut heard = vec![0; 4096];
    let until = Instant::now() + long * 2;
    while let Some(left) = until.checked_duration_since(Instant::now()) {
        match tokio::time::timeout(left, stream.read(&mut heard)).await {
            Ok(read) => assert_ne!(read.unwrap(), 0, "the stream was cut"),
            Err(_) => break,
        }
    }
}

fn stream_request(person: &Person, more: &str) -> String {
    format!(
        "GET /api/v1/events HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\n{more}\r\n",
        person.access
    )
}

// spec: 10.15.15
async fn at_the_connection_limit_only_probes_are_answered(app: TestApp) {
    let app = with(&app.app, |settings| settings.connections = 5);
    let served = serve(&app).await;
    let mut taken = Vec::new();
    for _ in 0..5 {
        taken.push(served.say("GET /").await);
    }
    for stream in &mut taken {
        assert!(is_open(stream, Duration::from_millis(50)).await);
    }
    let ready = served.exchange("/readyz").await;
    assert!(ready.starts_with("HTTP/1.1 200") && ready.ends_with("ready"), "{ready}");
    let refused = served.exchange("/api/v1/status").await;
    assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("retry-after: 5"), "{refused}");
    assert!(refused.contains("\"UNAVAILABLE\""), "{refused}");
    drop(taken);
    // A connection stops counting as soon as the server notices its end.
    for attempt in 0.. {
        if served.exchange("/api/v1/status").await.starts_with("HTTP/1.1 200") {
            break;
        }
        assert!(attempt < 100, "the places were never freed");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

// spec: 10.15.15
async fn requests_and_streams_are_limited_per_client_of_a_proxy(app: TestApp) {
    let person = app.person("lin").await;
    let behind = with(&app.app, |settings| {
        settings.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
        settings.connections_per_address = 3;
    });
    let served = serve(&behind).await;
    let mut open = Vec::new();
    let streams = async |client: &str| {
        let from = format!("x-forwarded-for: {client}\r\nconnection: close\r\n");
        let mut stream = served.say(&stream_request(&person, &from)).await;
        let mut status = [0; 12];
        stream.read_exact(&mut status).await.unwrap();
        (String::from_utf8_lossy(&status).into_owned(), stream)
    };
    for _ in 0..3 {
        let (status, stream) = streams("192.0.2.7:4711").await;
        assert_eq!(status, "HTTP/1.1 200");
        open.push(stream);
    }
    let (status, mut refused) = streams("192.0.2.7").await;
    assert_eq!(status, "HTTP/1.1 429");
    let refused = rest(&mut refused).await;
    assert!(refused.contains("TOO_MANY_ATTEMPTS") && refused.contains("retry-after: 2"), "{refused}");
    assert_eq!(streams("192.0.2.8").await.0, "HTTP/1.1 200", "other clients of the same proxy");
    assert!(served.exchange("/readyz").await.starts_with("HTTP/1.1 200"), "the proxy's own probe");
    // Without a proxy, connections of this machine are not counted, and forwarded addresses are
    // ignored.
    let direct = with(&app.app, |settings| settings.connections_per_address = 3);
    let routes = server::router(direct);
    let mut streams = Vec::new();
    for number in 0..5 {
        let mut request = request("GET", "/events", Some(&person), None);
        request.headers_mut().insert("x-forwarded-for", "192.0.2.7".parse().unwrap());
        let from: SocketAddr = "127.0.0.1:9".parse().unwrap();
        request.extensions_mut().insert(axum::extract::ConnectInfo(from));
        let response = routes.clone().oneshot(request).await.unwrap();
        assert_eq!(response.status(), 200, "stream {number}");
        streams.push(response.into_body());
    }
    // An address may have as many streams as connections, even if the server does not count its
    // connections.
    let from: SocketAddr = "[2001:db8:1:2::7]:9".parse().unwrap();
    let mut answers = Vec::new();
    for _ in 0..4 {
        let mut request = request("GET", "/events", Some(&person), None);
        request.extensions_mut().insert(axum::extract::ConnectInfo(from));
        let response = routes.clone().oneshot(request).await.unwrap();
        answers.push(response.status().as_u16());
        streams.push(response.into_body());
    }
    assert_eq!(answers, [200, 200, 200, 429]);
    let refused: Body = streams.pop().unwrap();
    let refused = refused.collect().await.unwrap().to_bytes();
    assert!(String::from_utf8_lossy(&refused).contains("TOO_MANY_ATTEMPTS"));
}

// spec: 10.15.15
async fn connections_are_limited_per_address(app: TestApp) {
    let app = with(&app.app, |settings| {
        settings.trusted_proxies = vec!["203.0.113.5".parse().unwrap()];
        settings.connections_per_address = 3;
    });
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (from, peers) = tokio::sync::mpsc::unbounded_channel();
    let served = serve_on(&app, Pretended { listener, peers }, address);
    let half = async |peer: &str| {
        from.send(SocketAddr::new(peer.parse().unwrap(), 50_000)).unwrap();
        served.say("GET /readyz HTTP/1.1\r\nhost: he").await
    };
    let is_kept = async |peer: &str| {
        let mut stream = half(peer).await;
        let kept = is_open(&mut stream, Duration::from_millis(100)).await;
        (kept, stream)
    };
    let mut open = Vec::new();
    for (peers, more, others) in [
        (["192.0.2.7", "::ffff:192.0.2.7", "192.0.2.7"], "192.0.2.7", "192.0.2.8"),
        (
            ["2001:db8:1:2::1", "2001:db8:1:2::2", "2001:db8:1:2:3::4"],
            "2001:db8:1:2:ffff::5",
            "2001:db8:1:3::1",
        ),
    ] {
        for peer in peers {
            let (kept, stream) = is_kept(peer).await;
            assert!(kept, "{peer}");
            open.push(stream);
        }
        assert!(!is_kept(more).await.0, "{more} is closed at once, without an answer");
        let (kept, mut other) = is_kept(others).await;
        assert!(kept, "{others} is another client");
        other.write_all(b"re\r\nconnection: close\r\n\r\n").await.unwrap();
        assert!(rest(&mut other).await.starts_with("HTTP/1.1 200"));
    }
    // Neither this machine nor a trusted proxy is counted as one client.
    for peer in ["127.0.0.1", "::1", "203.0.113.5"] {
        for _ in 0..5 {
            let (kept, stream) = is_kept(peer).await;
            assert!(kept, "{peer}");
            open.push(stream);
        }
    }
    // A stream stops counting as soon as the server notices its end.
    drop(open.remove(0));
    for attempt in 0.. {
        if is_kept("192.0.2.7").await.0 {
            break;
        }
        assert!(attempt < 100, "the place was never freed");
    }
}

// spec: 10.15.15
/// Checks that a thousand slow connections do not delay a booking. An attacker with few addresses
/// can open as many. Each connection has sent half a header.
async fn a_thousand_slow_connections_do_not_delay_a_booking(s: Stage) {
    const SLOW: usize = 1_000;
    let served = serve(&s.app).await;
    let person = s.payer("lin", 50_00).await;
    let id = s.submitted(&person, "lin").await;
    let mut slow = Vec::new();
    for _ in 0..SLOW {
        slow.push(served.say("GET /readyz HTTP/1.1\r\nhost: he").await);
    }
    let probing = async {
        let mut took = Vec::new();
        for _ in 0..20 {
            let begun = Instant::now();
            let ready = served.exchange("/readyz").await;
            took.push(begun.elapsed());
            assert!(ready.starts_with("HTTP/1.1 200"), "{ready}");
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        took.sort();
        took
    };
    let booking = async {
        s.slot(TORONTO, "2027-03-16", "09:15");
        s.run_for(TimeDelta::minutes(30)).await;
    };
    let (took, ()) = tokio::join!(probing, booking);
    eprintln!("readyz beside {SLOW} slow connections: median {:?}, slowest {:?}", took[10], took[19]);
    assert!(took[10] < Duration::from_millis(100), "{took:?}");
    assert!(took[19] < Duration::from_secs(1), "{took:?}");
    let task = s.status(&s.again(&person).await, &id).await;
    assert!(
        s.sandbox.with_world(|w| w.applied.len()) == 1 && task.to_string().contains("2027-03-16"),
        "{task}"
    );
    // The connections were open all the time. Only their time limits end them.
    let mut open = 0;
    for stream in &mut slow {
        open += usize::from(is_open(stream, Duration::from_millis(0)).await);
    }
    eprintln!("{open} of them are still open");
}

// spec: 10.15.15
async fn a_request_with_no_host_or_two_is_refused(app: TestApp) {
    let served = serve(&app.app).await;
    for (head, status) in
        [("host: localhost\r\n", "200"), ("", "400"), ("host: localhost\r\nhost: there\r\n", "400")]
    {
        let mut stream =
            served.say(&format!("GET /healthz HTTP/1.1\r\n{head}connection: close\r\n\r\n")).await;
        let answer = rest(&mut stream).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{head:?}: {answer}");
    }
}

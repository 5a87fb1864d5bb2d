//! Simulated portal on raw sockets. A closure of the test creates the replies, and the portal
//! records every request.

use portal::{Client, PortalHost, Settings, Timeouts};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Received request.
#[derive(Debug, Clone)]
pub struct Request {
    pub method: String,
    pub path: String,
    pub head: String,
    pub body: String,
}

impl Request {
    /// Returns the value of a header, if the client sent it.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
}

/// Reply to a request.
#[derive(Clone)]
pub enum Reply {
    /// Sends a status, additional header lines and a body.
    Say(u16, Vec<(&'static str, String)>, String),
    /// Sends raw bytes, then closes the connection.
    Raw(String),
    /// Resets the connection.
    Reset,
    /// Sends no reply.
    Hang,
}

/// Returns a 200 reply with an HTML page.
pub fn html(body: impl Into<String>) -> Reply {
    Reply::Say(200, vec![("content-type", "text/html; charset=utf-8".into())], body.into())
}

/// Returns a reply with the given status and body.
pub fn say(status: u16, body: impl Into<String>) -> Reply {
    Reply::Say(status, Vec::new(), body.into())
}

/// Returns a 302 reply that redirects to `to`.
pub fn found(to: &str) -> Reply {
    Reply::Say(302, vec![("location", to.into())], String::new())
}

impl Reply {
    /// Adds a header to the reply.
    pub fn with(self, name: &'static str, value: impl Into<String>) -> Self {
        match self {
            Self::Say(status, mut headers, body) => {
                headers.push((name, value.into()));
                Self::Say(status, headers, body)
            }
            other => other,
        }
    }
}

type Handler = dyn Fn(&Request, usize) -> Reply + Send + Sync;

/// Running simulated portal. It stops with the test's runtime.
pub struct Portal {
    pub client: Client,
    seen: Arc<Mutex<Vec<Request>>>,
}

/// Returns the current time of all tests in this crate.
pub fn now() -> chrono::DateTime<chrono::Utc> {
    "2026-11-21T10:00:00Z".parse().unwrap()
}

impl Portal {
    /// Starts a portal. `handler` receives each request and the number of earlier requests.
    pub async fn start(handler: impl Fn(&Request, usize) -> Reply + Send + Sync + 'static) -> Self {
        Self::with_clock(handler, Arc::new(now)).await
    }

    /// Starts a portal like [`Self::start`]. The portal's client uses `clock`.
    pub async fn with_clock(
        handler: impl Fn(&Request, usize) -> Reply + Send + Sync + 'static,
        clock: portal::Clock,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (log, handler): (_, Arc<Handler>) = (seen.clone(), Arc::new(handler));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, handler.clone(), log.clone()));
            }
        });
        let mut settings = Settings::new(PortalHost::new(base), clock);
        let short = Duration::from_millis(300);
        settings.timeouts =
            Timeouts { connect: Duration::from_secs(5), total: short, booking: short, ..Timeouts::default() };
        Self { client: Client::new(settings).unwrap(), seen }
    }

    /// Returns all requests received so far.
    pub fn seen(&self) -> Vec<Request> {
        self.seen.lock().unwrap().clone()
    }

    /// Returns method and path of all requests received so far.
    pub fn lines(&self) -> Vec<String> {
        self.seen().iter().map(|r| format!("{} {}", r.method, r.path)).collect()
    }
}

async fn serve(mut stream: TcpStream, handler: Arc<Handler>, log: Arc<Mutex<Vec<Request>>>) {
    while let Some(request) = read(&mut stream).await {
        let before = {
            let mut log = log.lock().unwrap();
            log.push(request.clone());
            log.len() - 1
        };
        match handler(&request, before) {
            Reply::Say(status, headers, body) => {
                let mut text = format!("HTTP/1.1 {status} X\r\n");
                for (name, value) in headers {
                    write!(text, "{name}: {value}\r\n").unwrap();
                }
                if status != 304 {
                    write!(text, "content-length: {}\r\n", body.len()).unwrap();
                }
                write!(text, "\r\n{body}").unwrap();
                if stream.write_all(text.as_bytes()).await.is_err() {
                    return;
                }
            }
            Reply::Raw(text) => {
                let _ = stream.write_all(text.as_bytes()).await;
                return;
            }
            Reply::Reset => {
                stream.set_zero_linger().unwrap();
                return;
            }
            Reply::Hang => std::future::pending().await,
        }
    }
}

async fn read(stream: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    let mut chunk = [0; 4096];
    loop {
        if let Some(end) = bytes.windows(4).position(|w| w == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
            let mut words = head.split_whitespace();
            let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
            let mut request = Request { method, path, head, body: String::new() };
            let len: usize = request.header("content-length").map_or(0, |l| l.parse().unwrap());
            if bytes.len() >= end + 4 + len {
                request.body = String::from_utf8_lossy(&bytes[end + 4..end + 4 + len]).into_owned();
                return Some(request);
            }
        }
        let got = stream.read(&mut chunk).await.ok()?;
        if got == 0 {
            return None;
        }
        bytes.extend_from_slice(&chunk[..got]);
    }
}

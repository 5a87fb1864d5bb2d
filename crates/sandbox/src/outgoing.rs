//! HTTP requests from the sandbox to the product, over plain `http`.

use std::io::{Error, ErrorKind};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

/// Maximum size of a response in bytes.
const MOST: u64 = 64 * 1024;

/// Response to a request.
pub(crate) struct Answer {
    pub status: u16,
    pub body: String,
}

impl Answer {
    /// Returns `true` for a 2xx status.
    pub fn is_yes(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

/// Splits an `http` address into `host:port` and path.
pub(crate) fn place(url: &str) -> Option<(&str, &str)> {
    let rest = url.strip_prefix("http://")?;
    let cut = rest.find('/').unwrap_or(rest.len());
    let (host, path) = rest.split_at(cut);
    (host.contains(':') && !path.contains([' ', '\r', '\n']))
        .then_some((host, if path.is_empty() { "/" } else { path }))
}

/// Sends one POST request and returns the response.
pub(crate) async fn post(url: &str, headers: &[(&str, &str)], body: &str) -> std::io::Result<Answer> {
    let (host, path) = place(url).ok_or(ErrorKind::InvalidInput)?;
    let mut stream = TcpStream::connect(host).await?;
    let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let length = body.len();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: {host}\r\n{headers}connection: close\r\ncontent-length: {length}\r\n\r\n"
    );
    stream.write_all(&[head.as_bytes(), body.as_bytes()].concat()).await?;
    let mut bytes = Vec::new();
    let end = stream.take(MOST).read_to_end(&mut bytes).await;
    let text = String::from_utf8_lossy(&bytes);
    let broken = || end.err().unwrap_or_else(|| Error::from(ErrorKind::InvalidData));
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return Err(broken()) };
    match head.split(' ').nth(1).and_then(|word| word.parse().ok()) {
        Some(status) => Ok(Answer { status, body: body.to_owned() }),
        None => Err(ErrorKind::InvalidData.into()),
    }
}

//! Sandbox in a separate process, so that its processor time is not counted in measurements.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::Context as _;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// Process of a sandbox, with its addresses. Dropping it kills the process.
pub struct Apart {
    process: Child,
    control: String,
    portal: String,
    _folder: tempfile::TempDir,
}

impl Drop for Apart {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Apart {
    /// Starts a sandbox with an empty world at the time `anchor`. Bans, restricted hours and expiry
    /// of sessions are switched off.
    pub async fn start(anchor: &str) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let ready = folder.path().join("ready.json");
        let process = Command::new(crate::sooner()?)
            .args(["sandbox", "--scenario", "empty", "--anchor", anchor, "--ready"])
            .arg(&ready)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let mut apart = Self { process, control: String::new(), portal: String::new(), _folder: folder };
        let mut told = None;
        for _ in 0..1_000 {
            if let Ok(text) = std::fs::read(&ready) {
                told = Some(serde_json::from_slice::<Value>(&text)?);
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let told = told.context("the sandbox did not start")?;
        let word = |name: &str| {
            told[name].as_str().map(str::to_owned).context("the sandbox's ready file lacks an address")
        };
        (apart.control, apart.portal) = (word("control_url")?, word("portal_url")?);
        let calm = serde_json::json!({
            "ban": { "enabled": false }, "restricted_hours": false, "session_minutes": [100_000, 100_000],
            "journal_slots": false,
        });
        apart.post("/control/config", &calm).await?;
        Ok(apart)
    }

    /// Returns the base address of the portal.
    pub fn portal_url(&self) -> &str {
        &self.portal
    }

    /// Sends a POST request to the control API and returns the JSON of the response.
    pub async fn post(&self, path: &str, body: &Value) -> anyhow::Result<Value> {
        self.request("POST", path, &body.to_string()).await
    }

    /// Returns the number of requests of one kind in the sandbox's journal.
    pub async fn count(&self, kind: &str) -> anyhow::Result<usize> {
        let entries = self.request("GET", &format!("/control/journal?kind={kind}"), "").await?;
        Ok(entries.as_array().map_or(0, Vec::len))
    }

    async fn request(&self, method: &str, path: &str, body: &str) -> anyhow::Result<Value> {
        let host = self.control.trim_start_matches("http://").trim_end_matches('/');
        let mut stream = TcpStream::connect(host).await?;
        let request = format!(
            "{method} {path} HTTP/1.0\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).await?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await?;
        let answer = String::from_utf8_lossy(&answer);
        let (head, body) =
            answer.split_once("\r\n\r\n").context("the sandbox sent an invalid HTTP response")?;
        let status = head.split(' ').nth(1).unwrap_or_default();
        anyhow::ensure!(status.starts_with('2'), "{path}: the sandbox answered {status}: {body}");
        Ok(if body.is_empty() { Value::Null } else { serde_json::from_str(body)? })
    }
}

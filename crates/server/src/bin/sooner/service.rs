//! Integration with service managers: `sd_notify` for systemd, and `sooner healthcheck` for
//! containers.

use std::ffi::OsStr;
use std::io::{Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::{SocketAddr as UnixAddress, UnixDatagram};
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;

/// Time limit for the server's response.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Sends a state (`READY=1`, `STOPPING=1`, `WATCHDOG=1`) to the service manager, if a service
/// manager started this process.
pub fn notify(state: &str) {
    let Some(socket) = std::env::var_os("NOTIFY_SOCKET") else { return };
    if let Err(error) = send(&socket, state) {
        tracing::warn!(%error, state, "failed to notify the service manager");
    }
}

fn send(socket: &OsStr, state: &str) -> std::io::Result<()> {
    let address = match socket.as_bytes().split_first() {
        Some((b'@', name)) => UnixAddress::from_abstract_name(name)?,
        _ => UnixAddress::from_pathname(socket)?,
    };
    UnixDatagram::unbound()?.send_to_addr(state.as_bytes(), &address).map(drop)
}

/// Notifies the service manager's watchdog twice in each interval that this process runs. Returns
/// immediately if there is no watchdog.
pub async fn feed_watchdog() {
    let interval = std::env::var("WATCHDOG_USEC").ok().and_then(|text| text.parse().ok());
    let Some(interval) = interval.map(Duration::from_micros).filter(|i| !i.is_zero()) else { return };
    loop {
        notify("WATCHDOG=1");
        tokio::time::sleep(interval / 2).await;
    }
}

/// Options of `sooner healthcheck`.
#[derive(Args)]
pub struct Healthcheck {
    /// Address on which the server listens
    #[arg(long, env = "SOONER_BIND", default_value = "127.0.0.1:8080")]
    bind: SocketAddr,
}

/// Returns an error unless the server on this machine is ready for requests.
pub fn healthcheck(server: &Healthcheck) -> anyhow::Result<()> {
    let mut address = server.bind;
    if address.ip().is_unspecified() {
        address.set_ip(match address.ip() {
            IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    let mut stream = TcpStream::connect_timeout(&address, TIMEOUT)
        .with_context(|| format!("cannot connect to {address}"))?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.write_all(b"GET /readyz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let ready = answer.starts_with("HTTP/1.1 200 ");
    anyhow::ensure!(ready, "not ready: {}", answer.lines().last().unwrap_or_default());
    Ok(())
}

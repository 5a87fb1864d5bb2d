//! Command `sooner sandbox`.

use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use chrono::{DateTime, Utc};
use clap::Args;

/// Options of `sooner sandbox`.
#[derive(Args)]
pub struct Options {
    /// Port of the portal; 0 for any free one
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Port of the control page; 0 for any free one
    #[arg(long, default_value_t = 0)]
    control_port: u16,
    /// Port of the mail server; 0 for any free one
    #[arg(long, default_value_t = 0)]
    smtp_port: u16,
    /// Address to listen on
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// Folder in which the state of the simulation is stored
    #[arg(long)]
    data: Option<PathBuf>,
    /// Write addresses to this JSON file when everything is ready
    #[arg(long)]
    ready: Option<PathBuf>,
    /// Speed of the simulated clock, relative to the wall clock
    #[arg(long, default_value_t = 1.0)]
    speed: f64,
    /// Simulated time at the start; now by default
    #[arg(long)]
    anchor: Option<DateTime<Utc>>,
    /// Scenario of the simulation
    #[arg(long, default_value = "demo")]
    scenario: String,
    /// Seed of all randomness
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Runs the sandbox until SIGTERM or Ctrl-C.
pub async fn run(options: Options) -> anyhow::Result<()> {
    let running = ::sandbox::start(::sandbox::Options {
        portal_port: options.port,
        control_port: options.control_port,
        smtp_port: options.smtp_port,
        bind: options.bind,
        seed: options.seed,
        speed: options.speed,
        anchor: options.anchor,
        scenario: options.scenario,
        data: options.data,
        ..::sandbox::Options::default()
    })
    .await?;
    let terminated = crate::serve::termination()?;
    let ready = running.ready();
    println!(
        "portal   {}\ncontrol  {}\ninbox    {}\nsmtp     {}\nidentity {} (client {}, secret {})",
        ready.portal_url,
        ready.control_url,
        ready.inbox_url,
        ready.smtp,
        ready.identity_issuer,
        ready.identity_client_id,
        ready.identity_client_secret
    );
    if let Some(path) = &options.ready {
        write_ready(path, &ready)?;
    }
    terminated.await;
    running.shutdown().await?;
    Ok(())
}

/// Writes the file for `--ready` atomically, so that a waiting process never reads an incomplete
/// file.
pub fn write_ready(path: &Path, content: &impl serde::Serialize) -> anyhow::Result<()> {
    let partial = path.with_extension("partial");
    std::fs::write(&partial, serde_json::to_vec_pretty(content)?)
        .and_then(|()| std::fs::rename(&partial, path))
        .with_context(|| format!("cannot write {}", path.display()))
}

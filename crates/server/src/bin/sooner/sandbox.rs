//! `sooner sandbox`: the simulated outside world alone, for any client.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

use clap::Args;

/// Options of `sooner sandbox`.
#[derive(Args, Debug)]
pub struct SandboxArgs {
    /// The portal's port; 0 takes any free one.
    #[arg(long, default_value_t = 4001)]
    port: u16,
    /// The control page's port; 0 takes any free one.
    #[arg(long, default_value_t = 0)]
    control_port: u16,
    /// The mail server's port; 0 takes any free one.
    #[arg(long, default_value_t = 0)]
    smtp_port: u16,
    /// The address to listen on.
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
    /// Keeps the world in this folder.
    #[arg(long)]
    data: Option<PathBuf>,
    /// Writes a JSON file with addresses and logins once everything answers.
    #[arg(long)]
    ready: Option<PathBuf>,
    /// How many times faster than the wall the world runs.
    #[arg(long, default_value_t = 1.0)]
    speed: f64,
    /// `demo`, `quiet`, `busy`, `hostile`, `empty` or `pool:N`.
    #[arg(long, default_value = "demo")]
    scenario: String,
    /// Seed of everything random.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Runs the sandbox until Ctrl-C or SIGTERM.
///
/// # Errors
/// A port is taken, the scenario unknown, or the saved world unreadable.
pub async fn run(args: SandboxArgs) -> anyhow::Result<()> {
    let sandbox = sandbox::start(sandbox::Options {
        portal_port: args.port,
        control_port: args.control_port,
        smtp_port: args.smtp_port,
        bind: args.host,
        seed: args.seed,
        speed: args.speed,
        scenario: args.scenario,
        data: args.data,
        ..sandbox::Options::default()
    })
    .await?;
    let ready = sandbox.ready();
    println!("portal   {}/en-ca/niv", ready.portal_url);
    println!("control  {}", ready.control_url);
    println!("inbox    {}   (smtp {})", ready.inbox_url, ready.smtp);
    for account in &ready.accounts {
        println!("login    {}   {}", account.username, account.password);
    }
    if let Some(path) = &args.ready {
        crate::write_ready(path, &ready)?;
    }
    crate::ambient::stopped().await;
    sandbox.shutdown().await?;
    Ok(())
}

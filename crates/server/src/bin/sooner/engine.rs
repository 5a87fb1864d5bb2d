//! Commands `sooner engine pause` and `sooner engine resume`.

use clap::{Args, Subcommand};
use serde_json::json;
use store::outward::EVERY_HOST;

use crate::money::{Operator, Options};

/// Options of `sooner engine`.
#[derive(Args)]
pub struct Engine {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Pause all requests to the portal, except read-backs of sent bookings
    Pause {
        /// Only this host, as `name` or `name:port`; every host by default
        #[arg(long)]
        host: Option<String>,
        /// Reason, recorded in the audit log and shown by `sooner doctor`
        #[arg(long)]
        why: String,
    },
    /// Resume requests, even if the portal requested a longer back-off
    Resume {
        /// Only this host; every host by default
        #[arg(long)]
        host: Option<String>,
        /// Reason, recorded in the audit log
        #[arg(long)]
        why: String,
    },
}

/// Runs the subcommand.
///
/// # Errors
/// Returns an error with a message for the operator.
pub async fn run(engine: Engine) -> anyhow::Result<()> {
    let mut desk = Operator::open(&engine.options).await?;
    let (Command::Pause { host, why } | Command::Resume { host, why }) = &engine.command;
    let (host, why) = (host.as_deref().unwrap_or(EVERY_HOST), why.trim());
    anyhow::ensure!(!why.is_empty(), "give a reason: --why");
    let what = json!({ "host": host, "why": why });
    if matches!(engine.command, Command::Pause { .. }) {
        let now = desk.now;
        anyhow::ensure!(
            store::outward::pause(&mut desk.tx, host, now, why).await?,
            "requests are paused already"
        );
        let text = "paused: within seconds, servers send only requests that read back a booking";
        return desk.finish(("engine pause", host, what.clone()), &what, text).await;
    }
    let ended = store::outward::resume(&mut desk.tx, host).await?;
    let text = if ended > 0 { "resumed: servers send requests again" } else { "requests were not paused" };
    desk.finish(("engine resume", host, what.clone()), &what, text).await
}

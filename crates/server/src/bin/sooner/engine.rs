//! `sooner engine pause | resume`.

use clap::{Args, Subcommand};
use serde_json::json;
use store::outward::EVERY_HOST;

use crate::money::{Operator, Options};

/// What goes out to the portal.
#[derive(Args)]
pub struct Engine {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Stop every request to the portal but those that read what became of a booking already sent
    Pause {
        /// Only this host, as `name` or `name:port`; without it every host
        #[arg(long)]
        host: Option<String>,
        /// Why, for the audit and for whoever asks the doctor
        #[arg(long)]
        why: String,
    },
    /// Let requests go out again, also where the portal had asked for a longer rest
    Resume {
        /// Only this host; without it every host
        #[arg(long)]
        host: Option<String>,
        /// Why, for the audit
        #[arg(long)]
        why: String,
    },
}

/// Runs the subcommand.
///
/// # Errors
/// Returns a sentence for the operator.
pub async fn run(engine: Engine) -> anyhow::Result<()> {
    let mut desk = Operator::open(&engine.options).await?;
    let (Command::Pause { host, why } | Command::Resume { host, why }) = &engine.command;
    let (host, why) = (host.as_deref().unwrap_or(EVERY_HOST), why.trim());
    anyhow::ensure!(!why.is_empty(), "say why: --why");
    let what = json!({ "host": host, "why": why });
    if matches!(engine.command, Command::Pause { .. }) {
        let now = desk.now;
        anyhow::ensure!(store::outward::pause(&mut desk.tx, host, now, why).await?, "it is paused already");
        let text = "nothing goes out to the portal within seconds, but what reads back a booking";
        return desk.finish(("engine pause", host, what.clone()), &what, text).await;
    }
    let ended = store::outward::resume(&mut desk.tx, host).await?;
    let text = if ended > 0 { "requests go out again" } else { "nothing was paused" };
    desk.finish(("engine resume", host, what.clone()), &what, text).await
}

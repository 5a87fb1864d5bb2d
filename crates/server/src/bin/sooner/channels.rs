//! Commands `sooner channels list`, `test` and `disable`.

use anyhow::{Context as _, bail};
use clap::{Args, Subcommand};
use domain::channel::{ChannelState, EventKind};
use domain::ids::ChannelId;
use providers::channels::Channels;
use providers::channels::message::Message;
use providers::channels::outcome::Outcome;
use providers::channels::target::Target;
use secrecy::ExposeSecret as _;
use serde_json::json;
use server::config::channels::ChannelSettings;
use store::channel::{self, Channel};

use crate::money::{Operator, Options};
use crate::print;
use crate::shared::Ring;

/// Options of `sooner channels`.
#[derive(Args)]
pub struct ChannelsCommand {
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    ring: Ring,
    #[command(flatten)]
    settings: ChannelSettings,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the channels of a user with their last answers; without a user, list all failing
    /// channels
    List {
        /// E-mail address or id of the user
        user: Option<String>,
        /// Maximum number of failing channels to show
        #[arg(long, default_value_t = 50)]
        limit: i64,
    },
    /// Send one message over a channel, and print its provider's answer
    Test {
        /// Id of the channel
        id: ChannelId,
    },
    /// Disable a channel; its user can enable it again
    Disable {
        /// Id of the channel
        id: ChannelId,
        /// Reason, recorded in the audit log
        #[arg(long)]
        why: String,
    },
}

/// Runs the subcommand.
///
/// # Errors
/// Returns an error with a message for the operator.
pub async fn run(channels: ChannelsCommand) -> anyhow::Result<()> {
    match &channels.command {
        Command::List { user: Some(user), .. } => list(&channels.options, user).await,
        Command::List { user: None, limit } => list_failing(&channels.options, *limit).await,
        Command::Test { id } => test(&channels, *id).await,
        Command::Disable { id, why } => disable(&channels.options, *id, why).await,
    }
}

async fn list(options: &Options, user: &str) -> anyhow::Result<()> {
    let mut desk = Operator::open(options).await?;
    let user = desk.user(user).await?;
    let found = channel::list(&mut desk.tx, user).await?;
    let rows: Vec<Vec<String>> = found.iter().map(row).collect();
    let text = print::table(&["id", "kind", "state", "last accepted", "label", "last refusal"], &rows);
    let all = found.iter().map(|c| {
        json!({
            "id": c.id, "kind": c.kind, "label": c.label, "state": c.state, "events": c.events,
            "last_ok_at": c.last_ok_at, "last_error_at": c.last_error_at, "reason": c.last_reason, "answer": c.last_answer,
        })
    });
    let what = json!(all.collect::<Vec<_>>());
    desk.finish(("channels list", &user.to_string(), json!({})), &what, &text).await
}

/// Lists the channels that their users must repair, with the users' addresses.
async fn list_failing(options: &Options, limit: i64) -> anyhow::Result<()> {
    let mut desk = Operator::open(options).await?;
    let found = channel::chats::needing_attention(&mut desk.tx, limit).await?;
    let (mut rows, mut all) = (Vec::new(), Vec::new());
    for one in &found {
        let user = store::user::get(&mut desk.tx, one.user).await?;
        let user = user.map(|user| user.email).unwrap_or_default();
        let reason = one.last_reason.clone().unwrap_or_default();
        let since = one.last_error_at.map_or_else(|| "-".to_owned(), print::time);
        all.push(json!({
            "id": one.id, "user": user, "kind": one.kind, "label": one.label, "last_error_at": one.last_error_at,
            "reason": one.last_reason, "answer": one.last_answer,
        }));
        rows.push(vec![one.id.to_string(), one.kind.to_string(), since, reason, user]);
    }
    let text = match rows.is_empty() {
        true => "no channel needs action by its user".to_owned(),
        false => print::table(&["id", "kind", "last refused", "reason", "user"], &rows),
    };
    desk.finish(("channels list", "channels", json!({})), &json!(all), &text).await
}

fn row(channel: &Channel) -> Vec<String> {
    let taken =
        channel.last_ok_at.map_or_else(|| "-".to_owned(), |at| at.format("%Y-%m-%d %H:%M").to_string());
    vec![
        channel.id.to_string(),
        channel.kind.to_string(),
        channel.state.to_string(),
        taken,
        channel.label.clone(),
        channel.last_reason.clone().unwrap_or_default(),
    ]
}

async fn found(desk: &mut Operator, id: ChannelId) -> anyhow::Result<Channel> {
    channel::find(&mut desk.tx, id).await?.with_context(|| format!("there is no channel {id}"))
}

/// Sends a test message. No transaction is open during the request to the provider.
async fn test(command: &ChannelsCommand, id: ChannelId) -> anyhow::Result<()> {
    let (mut desk, ring) = Operator::open_with_keys(&command.options, &command.ring).await?;
    let channel = found(&mut desk, id).await?;
    let (now, wall) = (desk.now, desk.ambient.wall.clone());
    drop(desk);
    if channel.state == ChannelState::Pending {
        bail!("the channel is not verified yet; nothing was sent");
    }
    let sealed = channel.target.as_ref().context("the channel has no target")?;
    let json = ring.open(&channel.place(), sealed)?;
    let target: Target =
        serde_json::from_str(json.expose_secret()).context("cannot decode the target of the channel")?;
    let config = command.settings.config().map_err(|(setting, why)| anyhow::anyhow!("{setting}: {why}"))?;
    let message = Message {
        id: format!("test:{}", now.timestamp_micros()),
        kind: EventKind::Test,
        title: "早签 Sooner".to_owned(),
        text: "测试通知 · A test by the operator of this server.".to_owned(),
        link: None,
        acknowledge: None,
        answers: None,
        not_after: None,
    };
    let sent = Channels::new(config, wall)?.send(&target, &message).await;
    let outcome = match &sent.outcome {
        Outcome::Accepted { .. } => "accepted".to_owned(),
        Outcome::Wait(time) => format!("to be tried again in {} s", time.as_secs()),
        Outcome::Broken(reason) => format!("refused: {reason}"),
    };
    let what = json!({ "channel": id, "outcome": outcome, "answer": sent.answer });
    let text = format!("{outcome}\n{}", print::field("answer", &sent.answer));
    let desk = Operator::open(&command.options).await?;
    desk.finish(("channels test", &id.to_string(), json!({ "outcome": outcome })), &what, &text).await
}

async fn disable(options: &Options, id: ChannelId, why: &str) -> anyhow::Result<()> {
    let mut desk = Operator::open(options).await?;
    let before = found(&mut desk, id).await?.state;
    channel::set_state(&mut desk.tx, id, ChannelState::Off).await?;
    let what = json!({ "channel": id, "before": before, "why": why });
    let text = format!("disabled channel {id}; its waiting messages are not sent");
    desk.finish(("channels disable", &id.to_string(), what.clone()), &what, &text).await
}

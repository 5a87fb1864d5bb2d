//! Links of Telegram and WxPusher channels. Users start the bot with a link, scan a code, send a
//! stop command, or decline a question.
//!
//! Only the process with the engine's lease polls the providers. Telegram rejects a second poller,
//! and WxPusher bans clients that poll too often.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use app::channels::{self, OpenedLink};
use app::questions::{self, QuestionAnswer};
use chrono::TimeDelta;
use domain::channel::{ChannelKind, ChannelState};
use domain::clock::Instant;
use domain::ids::{ChannelId, UserId};
use providers::channels::greeting::Greeting;
use providers::channels::linking::{BETWEEN_SCANS, Chat, ChatAction, LinkError, Update};
use providers::channels::outcome::Reason;
use providers::channels::target::Target;
use secrecy::SecretString;
use store::channel::{Channel, ProviderRefusal};
use tokio_util::sync::CancellationToken;

use crate::AppState;
use crate::api::channels::LocalizedGreeting;
use crate::api::channels::{context, found, message};
use crate::http::error::ApiError;
use crate::http::rate_limit::LimitedAction;

/// Maximum wait of one long poll at Telegram.
const WAIT: Duration = Duration::from_secs(25);
/// Interval of the checks of the lease and of the WxPusher codes.
const TICK: Duration = Duration::from_secs(2);
/// Pause after a failed poll.
const PAUSE: Duration = Duration::from_secs(5);

/// Polls both providers until `stop` is cancelled.
pub async fn run(app: AppState, stop: CancellationToken) {
    tokio::join!(hear_the_bot(&app, &stop), watch_codes(&app, &stop));
}

async fn pause(stop: &CancellationToken, time: Duration) {
    tokio::select! {
        () = stop.cancelled() => {}
        () = tokio::time::sleep(time) => {}
    }
}

async fn hear_the_bot(app: &AppState, stop: &CancellationToken) {
    let mut next = 0;
    while !stop.is_cancelled() {
        if !app.engine.is_active() || !app.channels.offers(ChannelKind::Telegram) {
            pause(stop, TICK).await;
            continue;
        }
        let heard = tokio::select! {
            () = stop.cancelled() => return,
            heard = poll_updates(app, next, WAIT) => heard,
        };
        match heard {
            Ok(after) => next = after,
            Err(wait) => pause(stop, wait).await,
        }
    }
}

/// Requests the updates from a number on, and handles them. Returns the number after the last
/// handled update.
///
/// # Errors
/// Returns the time to wait after a failure, which is already logged.
pub async fn poll_updates(app: &AppState, from: i64, wait: Duration) -> Result<i64, Duration> {
    let updates = app.channels.telegram_updates(from, wait).await.map_err(|error| {
        tracing::warn!(%error, "failed to read Telegram updates");
        match error {
            LinkError::Later { wait, .. } => wait.max(PAUSE),
            LinkError::Taken | LinkError::Operator(_) => PAUSE * 6,
        }
    })?;
    let mut next = from;
    for update in updates {
        if let Err(error) = handle_update(app, &update).await {
            tracing::warn!(%error, "failed to handle a Telegram update; requesting it again");
            return if next == from { Err(PAUSE) } else { Ok(next) };
        }
        next = update.number + 1;
    }
    Ok(next)
}

async fn handle_update(app: &AppState, update: &Update) -> Result<(), ApiError> {
    // A message costs the decryption of every target of the kind, and Telegram users are not
    // authenticated. So the number of messages is limited.
    let chat = app.keyring.fingerprint(&format!("telegram-chat|{}", update.chat.id));
    let here = IpAddr::from(Ipv4Addr::UNSPECIFIED);
    if !matches!(update.what, ChatAction::Other)
        && app.limits.count(LimitedAction::BotMessage, Some(chat), here, app.wall.now()).is_err()
    {
        tracing::info!("ignored a Telegram chat that writes too often");
        return Ok(());
    }
    match &update.what {
        ChatAction::Start(Some(token)) => start(app, &update.chat, token).await,
        ChatAction::Start(None) => {
            send_greeting(
                app,
                &update.chat,
                LocalizedGreeting { greeting: Greeting::BotHello, language: "zh" },
            )
            .await;
            Ok(())
        }
        ChatAction::Stop => stop_chat(app, &update.chat).await,
        ChatAction::Blocked => block_chat(app, &update.chat).await,
        ChatAction::Decline { press, token } => decline(app, &update.chat, Press { id: press, token }).await,
        ChatAction::Other => Ok(()),
    }
}

/// Handles the start of the bot with a link. The link's owner must then confirm the chat in the
/// app.
async fn start(app: &AppState, chat: &Chat, token: &str) -> Result<(), ApiError> {
    let target = Target::Telegram { chat_id: chat.id };
    let opened =
        open_link(app, LinkOpening { kind: ChannelKind::Telegram, token, target, name: &chat.name }).await?;
    let (greeting, language) = match &opened {
        Some(language) => (Greeting::BotLinked, language.as_str()),
        None => (Greeting::BotUnknownLink, "zh"),
    };
    send_greeting(app, chat, LocalizedGreeting { greeting, language }).await;
    Ok(())
}

/// A link that was opened, with the target and the name of the account that opened it.
struct LinkOpening<'a> {
    kind: ChannelKind,
    token: &'a str,
    target: Target,
    name: &'a str,
}

/// Stores that a link was opened. Returns the language of the link's owner; `None` if the link is
/// unknown, expired or used.
async fn open_link(app: &AppState, opened: LinkOpening<'_>) -> Result<Option<String>, ApiError> {
    let ctx = context(app);
    let json = serde_json::to_string(&opened.target).map_err(|error| ApiError::internal(&error))?;
    let target = SecretString::from(json);
    let mut tx = app.db.begin().await?;
    let found = match channels::of_link(&ctx, &mut tx, opened.kind, opened.token).await? {
        Some(channel) => {
            let name = Some(opened.name.to_owned()).filter(|name| !name.is_empty());
            let label = name.unwrap_or_else(|| opened.target.label());
            let link = OpenedLink { channel: &channel, target, label: &label, linked_as: &label };
            channels::link_opened(&ctx, &mut tx, &link).await?;
            Some(channel.user)
        }
        None => channels::opened_before(&ctx, &mut tx, opened.token, &target).await?,
    };
    let Some(user) = found else { return Ok(None) };
    let user = store::user::get(&mut tx, user).await?;
    tx.commit().await?;
    Ok(user.map(|user| user.language))
}

/// Handles Telegram's stop command. Switches off every channel of the chat, and confirms it in the
/// chat.
async fn stop_chat(app: &AppState, chat: &Chat) -> Result<(), ApiError> {
    let found = leading_to(app, chat).await?;
    let mut language = None;
    if !found.is_empty() {
        let mut tx = app.db.begin().await?;
        for channel in &found {
            if channel.state != ChannelState::Off {
                store::channel::set_state(&mut tx, channel.id, ChannelState::Off).await?;
            }
            let user = store::user::get(&mut tx, channel.user).await?;
            language = language.or(user.map(|user| user.language));
        }
        tx.commit().await?;
    }
    let (greeting, language) = match &language {
        Some(language) => (Greeting::BotStopped, language.as_str()),
        None => (Greeting::BotNothingToStop, "zh"),
    };
    send_greeting(app, chat, LocalizedGreeting { greeting, language }).await;
    Ok(())
}

/// A press of the button that declines a question.
#[derive(Clone, Copy)]
struct Press<'a> {
    id: &'a str,
    token: &'a [u8; 32],
}

/// Handles the button that declines a question, and confirms it in the chat. The question's token
/// permits the answer, as on the page of its link.
async fn decline(app: &AppState, chat: &Chat, press: Press<'_>) -> Result<(), ApiError> {
    // A chat that was unlinked keeps the buttons of its old messages.
    let owners: Vec<UserId> = leading_to(app, chat).await?.into_iter().map(|channel| channel.user).collect();
    let mut tx = app.db.begin().await?;
    let asked = match store::question::of_link(&mut tx, press.token).await? {
        Some(kept) => store::task::get(&mut tx, kept.question.task).await?,
        None => None,
    };
    let answered = if asked.is_some_and(|task| owners.contains(&task.user_id)) {
        questions::answer(&app.use_cases(), &mut tx, press.token, QuestionAnswer::No).await
    } else {
        Err(app::Refusal::LinkInvalid.into())
    };
    let (greeting, language) = match answered {
        Ok(asked) => {
            let user = store::user::get(&mut tx, asked.task.user_id).await?;
            let question = &asked.stored.question;
            let is_declined = question.declined_at.is_some() && question.answered_at.is_none();
            let greeting = if is_declined { Greeting::BotDeclined } else { Greeting::BotQuestionOver };
            (greeting, user.map_or_else(|| "zh".to_owned(), |user| user.language))
        }
        Err(app::Error::Refused(_)) => (Greeting::BotQuestionOver, "zh".to_owned()),
        Err(error) => return Err(error.into()),
    };
    tx.commit().await?;
    app.engine.nudge();
    if let Err(error) = app.channels.telegram_pressed(press.id).await {
        tracing::debug!(%error, "failed to confirm the press of a Telegram button");
    }
    send_greeting(app, chat, LocalizedGreeting { greeting, language: &language }).await;
    Ok(())
}

/// Handles that a user blocked the bot. Marks the channels of the chat as broken.
async fn block_chat(app: &AppState, chat: &Chat) -> Result<(), ApiError> {
    let now = app.now();
    let reason = Reason::Blocked;
    let found = leading_to(app, chat).await?;
    if found.is_empty() {
        return Ok(());
    }
    let mut tx = app.db.begin().await?;
    for channel in &found {
        let refusal = ProviderRefusal { reason: reason.as_ref(), answer: "", at: now };
        store::channel::record_broken(&mut tx, channel.id, refusal).await?;
    }
    Ok(tx.commit().await?)
}

/// Returns the verified channels of a chat. The search decrypts every target, so it uses a read
/// transaction, which does not block writers.
async fn leading_to(app: &AppState, chat: &Chat) -> Result<Vec<Channel>, ApiError> {
    let leads = |target: &Target| matches!(target, Target::Telegram { chat_id } if *chat_id == chat.id);
    let mut tx = app.db.read().await?;
    found::leading_to(app, &mut tx, ChannelKind::Telegram, leads).await
}

/// Sends a message to a chat. A failure is only logged, because the app shows the same information.
async fn send_greeting(app: &AppState, chat: &Chat, greeting: LocalizedGreeting<'_>) {
    let message = message(app, &greeting);
    let delivery = app.channels.send(&Target::Telegram { chat_id: chat.id }, &message).await;
    tracing::debug!(outcome = ?delivery.outcome, greeting = ?greeting.greeting, "sent a reply of the Telegram bot");
}

/// Time of the last poll of each channel's code.
type AskedAt = HashMap<ChannelId, Instant>;

async fn watch_codes(app: &AppState, stop: &CancellationToken) {
    let mut asked = AskedAt::new();
    while !stop.is_cancelled() {
        if app.engine.is_active()
            && app.channels.offers(ChannelKind::WxPusher)
            && let Err(error) = ask_for_scans(app, &mut asked).await
        {
            tracing::warn!(%error, "failed to poll WxPusher codes; trying again");
        }
        pause(stop, TICK).await;
    }
}

/// Polls each WxPusher code that is due, once.
///
/// # Errors
/// Returns an error if the database fails. Failures at the provider are logged, and the code is
/// polled again later.
pub async fn ask_for_scans(app: &AppState, asked: &mut AskedAt) -> Result<(), ApiError> {
    let now = app.now();
    let mut tx = app.db.read().await?;
    let waiting = store::channel::awaiting_link(&mut tx, ChannelKind::WxPusher, now).await?;
    drop(tx);
    asked.retain(|id, _| waiting.iter().any(|channel| channel.id == *id));
    let between = TimeDelta::from_std(BETWEEN_SCANS).unwrap_or(TimeDelta::MAX) + TimeDelta::seconds(1);
    for channel in waiting {
        // A new code counts as polled at its creation.
        let last = asked.get(&channel.id).copied().unwrap_or(channel.created_at);
        let code = channel.proof.as_ref().and_then(|proof| proof.link.as_ref()?["code"].as_str());
        let Some(code) = code.filter(|_| now - last >= between) else { continue };
        asked.insert(channel.id, now);
        match app.channels.wxpusher_scanned(code).await {
            Ok(Some(uid)) => {
                let target = Target::WxPusher { uid };
                let link = LinkOpening { kind: ChannelKind::WxPusher, token: code, target, name: "" };
                open_link(app, link).await?;
            }
            Ok(None) => {}
            Err(error) => tracing::warn!(%error, "failed to read the scans of a WxPusher code"),
        }
    }
    Ok(())
}

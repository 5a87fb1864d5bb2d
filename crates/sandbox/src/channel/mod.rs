//! Notification providers with invented receivers. Each accepts and refuses the same calls as its
//! real provider, with the same texts. Accepted messages are kept for users and programs.
//!
//! This module is written from the providers' documents alone. It has its own parsing of requests,
//! checking of signatures and decryption of pushes.

mod arrivals;
mod bot;
mod call;
mod campaigns;
mod chats;
mod followers;
mod groups;
mod hooks;
mod pages;
mod phones;
mod push;
mod receipts;
mod relays;
mod serve;
mod sms;
mod summary;
mod telegram;
mod text_pages;
pub(crate) mod texting;

use std::sync::Arc;

use axum::{
    Router,
    extract::DefaultBodyLimit,
    routing::{get, post},
};

use crate::Shared;

pub use arrivals::{Arrival, Arrivals};
pub use push::Subscription;

pub(crate) use push::subscribe;
pub use sms::twilio_signature;
pub(crate) use summary::section;
pub use texting::TextAddresses;

/// Path of the providers under the control address, each under its name.
pub(crate) const PATH: &str = "/channels";
/// A key to push services, base64url. A sandbox keeps no secrets.
pub const PUSH_KEY: &str = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94";
/// The token of the Telegram bot.
pub const TELEGRAM_BOT_TOKEN: &str = "7000000001:AAsandbox";
/// The bot's name, as `t.me/NAME`.
pub const TELEGRAM_BOT: &str = "SoonerSandboxBot";
/// The token of the WxPusher app.
pub const WXPUSHER_APP_TOKEN: &str = "AT_sandbox";
/// The token of the Pushover app.
pub const PUSHOVER_APP_TOKEN: &str = "azsandboxsandboxsandboxsandbox";
/// Signing secret of each DingTalk bot.
pub const DINGTALK_SECRET: &str = "SECsandbox";
/// Signing secret of each Feishu bot.
pub const FEISHU_SECRET: &str = "feishu-sandbox";
/// Signing secret of each webhook.
pub const WEBHOOK_SECRET: &str = "webhook-sandbox";
/// The Twilio account.
pub const TWILIO_SID: &str = "ACsandbox";
/// The token of the Twilio account.
pub const TWILIO_AUTH_TOKEN: &str = "twilio-sandbox";
/// The number from which the account sends text messages.
pub const TWILIO_NUMBER: &str = "+14165550100";
/// A number of the account in the United States. Its campaign is verified (A2P 10DLC).
pub const TWILIO_US_NUMBER: &str = "+12125550100";
/// The Aliyun access key's id.
pub const ALIYUN_KEY_ID: &str = "LTAIsandbox";
/// The Aliyun access key.
pub const ALIYUN_KEY_SECRET: &str = "aliyun-sandbox";

/// Providers by name: a part of the address, and of the journal's kind `channel_NAME`.
const PROVIDERS: [Provider; 16] = [
    push::PROVIDER,
    telegram::PROVIDER,
    relays::WXPUSHER,
    relays::SERVER_CHAN,
    relays::PUSHPLUS,
    groups::WECOM,
    groups::DINGTALK,
    groups::FEISHU,
    phones::BARK,
    phones::NTFY,
    phones::PUSHOVER,
    hooks::DISCORD,
    hooks::SLACK,
    hooks::WEBHOOK,
    sms::TWILIO,
    sms::ALIYUN,
];

/// Provider with its parser and answers.
struct Provider {
    name: &'static str,
    /// Parser of a call: its content, or the refusal that the real provider would return.
    read: fn(&call::Call<'_>) -> Result<arrivals::Content, call::Reply>,
    /// The answer to a message accepted under this number.
    taken: fn(u64) -> call::Reply,
    /// The answer to a refused message.
    refuse: fn(ProviderError) -> call::Reply,
}

/// Refusals of a provider, on the order of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ProviderError {
    /// An error in the usual form; under status 200 if the provider does so.
    Error,
    /// Too many calls, with the seconds to wait.
    Limited(u64),
    /// The target no longer exists.
    Gone,
    /// The receiver has blocked the sender.
    Blocked,
}

pub(crate) fn router() -> Router<Arc<Shared>> {
    Router::new()
        .route("/channels", get(pages::list).delete(pages::clear))
        .route("/channels.json", get(pages::list_json))
        .route("/channels/telegram/{bot}/getUpdates", get(bot::updates).post(bot::updates))
        .route("/channels/telegram/{bot}/getMe", get(bot::me).post(bot::me))
        .route("/channels/telegram/t.me/{bot}", get(bot::invitation))
        .route("/channels/telegram/say", post(bot::write))
        .route("/channels/telegram/block", post(bot::block))
        .route("/channels/telegram/chats/{id}", get(bot::chat))
        .route("/channels/wxpusher/api/fun/create/qrcode", post(followers::make))
        .route("/channels/wxpusher/api/fun/scan-qrcode-uid", get(followers::scanned))
        .route("/channels/wxpusher/qrcode/{file}", get(followers::picture))
        .route("/channels/wxpusher/scan/{code}", get(followers::show).post(followers::scan))
        .route("/channels/wxpusher/leave", post(followers::unfollow))
        .route("/channels/twilio/2010-04-01/Accounts/{sid}/IncomingPhoneNumbers.json", get(sms::numbers))
        .route("/channels/twilio/messaging/v1/Services", get(campaigns::services))
        .route("/channels/twilio/messaging/v1/Services/{service}/PhoneNumbers", get(campaigns::numbers))
        .route("/channels/twilio/messaging/v1/Services/{service}/Compliance/Usa2p", get(campaigns::list))
        .route("/channels/phones/{number}", get(text_pages::phone))
        .route("/channels/phones/say", post(text_pages::send))
        .route("/channels/pushover/1/receipts/{receipt}/cancel.json", post(receipts::cancel))
        .route("/channels/{provider}", post(serve::receive))
        .route("/channels/{provider}/{*path}", post(serve::receive))
        .route("/control/channels/web_push/subscriptions", post(pages::subscribe))
        .layer(DefaultBodyLimit::max(256 * 1024))
}

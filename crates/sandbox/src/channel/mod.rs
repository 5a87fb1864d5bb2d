//! Simulated notification providers with invented receivers. Each accepts and refuses the same
//! requests as the real provider, with the same texts. Testers and programs can read the accepted
//! messages.
//!
//! This module is based only on the providers' documentation and shares no code with the product.
//! It parses requests, checks signatures and decrypts pushes itself.

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

/// Base path of all providers below the control address. Each provider's name follows.
pub(crate) const PATH: &str = "/channels";
/// VAPID private key for push services, base64url. It is public, because the sandbox protects
/// nothing.
pub const PUSH_KEY: &str = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94";
/// Token of the Telegram bot.
pub const TELEGRAM_BOT_TOKEN: &str = "7000000001:AAsandbox";
/// Name of the Telegram bot, used in `t.me/NAME`.
pub const TELEGRAM_BOT: &str = "SoonerSandboxBot";
/// Token of the WxPusher app.
pub const WXPUSHER_APP_TOKEN: &str = "AT_sandbox";
/// Token of the Pushover app.
pub const PUSHOVER_APP_TOKEN: &str = "azsandboxsandboxsandboxsandbox";
/// Signing secret of all DingTalk bots.
pub const DINGTALK_SECRET: &str = "SECsandbox";
/// Signing secret of all Feishu bots.
pub const FEISHU_SECRET: &str = "feishu-sandbox";
/// Signing secret of all webhooks.
pub const WEBHOOK_SECRET: &str = "webhook-sandbox";
/// Identifier of the Twilio account.
pub const TWILIO_SID: &str = "ACsandbox";
/// Token of the Twilio account.
pub const TWILIO_AUTH_TOKEN: &str = "twilio-sandbox";
/// Sending phone number of the Twilio account.
pub const TWILIO_NUMBER: &str = "+14165550100";
/// Phone number of the account in the United States. Its campaign is verified (A2P 10DLC).
pub const TWILIO_US_NUMBER: &str = "+12125550100";
/// Identifier of the Aliyun access key.
pub const ALIYUN_KEY_ID: &str = "LTAIsandbox";
/// Secret of the Aliyun access key.
pub const ALIYUN_KEY_SECRET: &str = "aliyun-sandbox";

/// Providers with their names, which occur in URLs and in the journal's kind `channel_NAME`.
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

/// Simulated provider: name, parser and responses.
struct Provider {
    name: &'static str,
    /// Parses a request. Returns the content, or the refusal that the real provider would return.
    read: fn(&call::Call<'_>) -> Result<arrivals::Content, call::Reply>,
    /// Returns the response to an accepted message with this number.
    taken: fn(u64) -> call::Reply,
    /// Returns the response to a message that a fault refuses.
    refuse: fn(ProviderError) -> call::Reply,
}

/// Reason for a refusal caused by a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ProviderError {
    /// General error in the provider's usual format, with status 200 if the provider does so.
    Error,
    /// Too many requests, with the number of seconds to wait.
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
        .route("/channels/telegram/{bot}/answerCallbackQuery", post(bot::confirm_press))
        .route("/channels/telegram/say", post(bot::write))
        .route("/channels/telegram/press", post(bot::press))
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

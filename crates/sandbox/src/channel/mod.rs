//! Notification providers with invented receivers: each takes what its real one takes, refuses in the same words, and
//! keeps what arrived for all to see.
//!
//! Written from the providers' documents alone: requests are parsed, signatures checked and pushes decrypted here anew.

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

/// Where the providers live under the control address, each under its name.
pub(crate) const PATH: &str = "/channels";
/// A key to push services, base64url; a sandbox keeps no secrets.
pub const PUSH_KEY: &str = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94";
/// The token of the Telegram bot.
pub const TELEGRAM_BOT_TOKEN: &str = "7000000001:AAsandbox";
/// The bot's name, as `t.me/NAME`.
pub const TELEGRAM_BOT: &str = "SoonerSandboxBot";
/// The token of the WxPusher app.
pub const WXPUSHER_APP_TOKEN: &str = "AT_sandbox";
/// The token of the Pushover app.
pub const PUSHOVER_APP_TOKEN: &str = "azsandboxsandboxsandboxsandbox";
/// What each DingTalk bot signs with.
pub const DINGTALK_SECRET: &str = "SECsandbox";
/// What each Feishu bot signs with.
pub const FEISHU_SECRET: &str = "feishu-sandbox";
/// What each webhook is signed with.
pub const WEBHOOK_SECRET: &str = "webhook-sandbox";
/// The Twilio account.
pub const TWILIO_SID: &str = "ACsandbox";
/// Its token.
pub const TWILIO_AUTH_TOKEN: &str = "twilio-sandbox";
/// The number that the account sends text messages from.
pub const TWILIO_NUMBER: &str = "+14165550100";
/// A number of the account's in the United States: its campaign is verified (A2P 10DLC).
pub const TWILIO_US_NUMBER: &str = "+12125550100";
/// The Aliyun access key's id.
pub const ALIYUN_KEY_ID: &str = "LTAIsandbox";
/// The Aliyun access key.
pub const ALIYUN_KEY_SECRET: &str = "aliyun-sandbox";

/// The providers by name: their part of the address, and of the journal's kind `channel_NAME`.
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

/// A provider: how it reads, and how it answers.
struct Provider {
    name: &'static str,
    /// What a call brings, or the refusal of one that the real provider would refuse.
    read: fn(&call::Call<'_>) -> Result<arrivals::Content, call::Reply>,
    /// The answer to what was taken under this number.
    taken: fn(u64) -> call::Reply,
    /// How it says no.
    refuse: fn(Refusal) -> call::Reply,
}

/// How a provider says no, where a fault wants it to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refusal {
    /// An error in its usual form: under 200 where that is its way.
    Error,
    /// Too many, for so many seconds.
    Limited(u64),
    /// The target is no more.
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
        .route("/channels/telegram/say", post(bot::say))
        .route("/channels/telegram/block", post(bot::block))
        .route("/channels/telegram/chats/{id}", get(bot::chat))
        .route("/channels/wxpusher/api/fun/create/qrcode", post(followers::make))
        .route("/channels/wxpusher/api/fun/scan-qrcode-uid", get(followers::scanned))
        .route("/channels/wxpusher/qrcode/{file}", get(followers::picture))
        .route("/channels/wxpusher/scan/{code}", get(followers::show).post(followers::scan))
        .route("/channels/wxpusher/leave", post(followers::leave))
        .route("/channels/twilio/2010-04-01/Accounts/{sid}/IncomingPhoneNumbers.json", get(sms::numbers))
        .route("/channels/twilio/messaging/v1/Services", get(campaigns::services))
        .route("/channels/twilio/messaging/v1/Services/{service}/PhoneNumbers", get(campaigns::numbers))
        .route("/channels/twilio/messaging/v1/Services/{service}/Compliance/Usa2p", get(campaigns::list))
        .route("/channels/phones/{number}", get(text_pages::phone))
        .route("/channels/phones/say", post(text_pages::say))
        .route("/channels/pushover/1/receipts/{receipt}/cancel.json", post(receipts::cancel))
        .route("/channels/{provider}", post(serve::receive))
        .route("/channels/{provider}/{*path}", post(serve::receive))
        .route("/control/channels/web_push/subscriptions", post(pages::subscribe))
        .layer(DefaultBodyLimit::max(256 * 1024))
}

//! Notification channels: their kinds, what is told over them, and what goes first.

use serde::{Deserialize, Serialize};
use strum::{AsRefStr, Display, EnumString, IntoStaticStr, VariantArray};

/// A way to reach a user. How each is reached is in `providers::channels`.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    AsRefStr,
    Display,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ChannelKind {
    /// A mail.
    Email,
    /// A notification of the browser, by its maker's push service.
    WebPush,
    /// A message of the operator's Telegram bot.
    Telegram,
    /// WxPusher's own app or the phone maker's push.
    WxPusher,
    /// ServerChan, by the user's own key.
    ServerChan,
    /// PushPlus, by the user's own token.
    PushPlus,
    /// A bot in a WeCom group.
    WeCom,
    /// A bot in a DingTalk group.
    DingTalk,
    /// A bot in a Feishu or Lark group.
    Feishu,
    /// The Bark app, at its own or another server.
    Bark,
    /// A topic of ntfy, at its own or another server.
    Ntfy,
    /// The Pushover app.
    Pushover,
    /// A webhook of a Discord channel.
    Discord,
    /// A webhook of a Slack channel.
    Slack,
    /// A signed request to an address of the user's.
    Webhook,
    /// A text message to a phone.
    Sms,
}

/// What a notification is about.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    AsRefStr,
    Display,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum EventKind {
    /// An appointment was booked.
    Booked,
    /// The user has to act, or the search stands still.
    NeedsYou,
    /// Something about the account's safety.
    Security,
    /// A day is there, and is booked when the user says so.
    AskFirst,
    /// A day was seen.
    Opening,
    /// What the search has done lately.
    Digest,
    /// The code or link that proves a channel.
    Verification,
    /// Sent because the user pressed *Send test*.
    Test,
    /// An alarm to the operator.
    OperatorAlarm,
}

/// What is sent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, VariantArray)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// The user waits for it or has to act.
    Urgent,
    /// Worth knowing now.
    Normal,
    /// Worth knowing some time.
    Low,
}

impl EventKind {
    /// How urgent it is.
    #[must_use]
    pub fn priority(self) -> Priority {
        match self {
            Self::Booked
            | Self::NeedsYou
            | Self::Security
            | Self::AskFirst
            | Self::Verification
            | Self::Test
            | Self::OperatorAlarm => Priority::Urgent,
            Self::Opening => Priority::Normal,
            Self::Digest => Priority::Low,
        }
    }
}

//! Notification channels: their kinds, the events sent over them, and priorities.

use serde::{Deserialize, Serialize};
use strum::{AsRefStr, Display, EnumString, IntoStaticStr, VariantArray};
use utoipa::ToSchema;

pub mod alarm;
pub mod digest;
pub mod notice;
pub mod setting;

/// A kind of notification channel. `providers::channels` implements the delivery of each.
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
    ToSchema,
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
    /// A browser notification, delivered by the push service of the browser's vendor.
    WebPush,
    /// A message of the operator's Telegram bot.
    Telegram,
    /// A message in the WxPusher app or the push service of the phone's vendor.
    WxPusher,
    /// A ServerChan message, sent with the user's own key.
    ServerChan,
    /// A PushPlus message, sent with the user's own token.
    PushPlus,
    /// A bot in a WeCom group.
    WeCom,
    /// A bot in a DingTalk group.
    DingTalk,
    /// A bot in a Feishu or Lark group.
    Feishu,
    /// The Bark app, through its own or another server.
    Bark,
    /// A topic of ntfy, on its own or another server.
    Ntfy,
    /// The Pushover app.
    Pushover,
    /// A webhook of a Discord channel.
    Discord,
    /// A webhook of a Slack channel.
    Slack,
    /// A signed request to a URL of the user.
    Webhook,
    /// A text message to a phone.
    Sms,
}

impl ChannelKind {
    /// Returns `true` if messages arrive within the time for an answer to a question.
    #[must_use]
    pub fn is_instant(self) -> bool {
        self != Self::Email
    }
}

/// Event that a notification reports.
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
    ToSchema,
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
    /// The user must act, or the search is stalled.
    NeedsYou,
    /// A security event of the user's account.
    Security,
    /// A date is available and is booked if the user approves it.
    AskFirst,
    /// A date was seen.
    Opening,
    /// A summary of the recent search.
    Digest,
    /// The code or link that verifies a channel.
    Verification,
    /// A test message that the user requested with *Send test*.
    Test,
    /// An alarm to the operator.
    OperatorAlarm,
    /// An event of the user's money, sent by email only.
    Money,
    /// The user submitted tasks, which is confirmed by email only.
    Submitted,
}

/// State of a channel.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    ToSchema,
    Display,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ChannelState {
    /// The user has not proved ownership yet. Only the proof itself is sent.
    Pending,
    /// The channel is used.
    Verified,
    /// The provider refused permanently; the user must fix the channel.
    NeedsAttention,
    /// The user switched the channel off.
    Off,
}

/// Action that a pending channel waits for.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    ToSchema,
    Display,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Proof {
    /// Entry of the code that was sent to the channel.
    Code,
    /// A link must be opened, or its QR code scanned, in the channel's app.
    Link,
    /// The user must confirm having opened the link.
    Confirmation,
}

/// Order in which notifications are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, VariantArray)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// The user waits for the notification or must act.
    Urgent,
    /// The notification is useful now.
    Normal,
    /// The notification may be delayed.
    Low,
}

impl ChannelKind {
    /// Returns `true` if a channel has several readers. No event about one user's private matters
    /// is sent there.
    #[must_use]
    pub const fn is_group(self) -> bool {
        matches!(self, Self::WeCom | Self::DingTalk | Self::Feishu | Self::Discord | Self::Slack)
    }

    /// Returns the events that may be sent over the channel.
    #[must_use]
    pub const fn events(self) -> &'static [EventKind] {
        match self {
            Self::Sms => &[EventKind::Booked, EventKind::NeedsYou],
            _ if self.is_group() => &[EventKind::Booked, EventKind::Opening],
            _ => &EventKind::OF_USERS,
        }
    }

    /// Returns the events sent over a new channel by default.
    #[must_use]
    pub fn usual_events(self) -> Vec<EventKind> {
        self.events().iter().copied().filter(|event| *event != EventKind::Digest).collect()
    }
}

impl EventKind {
    /// Events for which a user chooses channels.
    pub const OF_USERS: [Self; 6] =
        [Self::Booked, Self::NeedsYou, Self::Security, Self::AskFirst, Self::Opening, Self::Digest];

    /// Events shown in the users' history. Verification links, codes, tests and alarms are
    /// excluded.
    pub const IN_HISTORY: [Self; 8] = [
        Self::Booked,
        Self::NeedsYou,
        Self::Security,
        Self::AskFirst,
        Self::Opening,
        Self::Digest,
        Self::Money,
        Self::Submitted,
    ];

    /// Returns the priority of the event.
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
            Self::Opening | Self::Money | Self::Submitted => Priority::Normal,
            Self::Digest => Priority::Low,
        }
    }
}

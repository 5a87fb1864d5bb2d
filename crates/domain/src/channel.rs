//! Notification channels: their kinds, what is told over them, and what goes first.

use serde::{Deserialize, Serialize};
use strum::{AsRefStr, Display, EnumString, IntoStaticStr, VariantArray};
use utoipa::ToSchema;

pub mod alarm;
pub mod digest;
pub mod notice;
pub mod setting;

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
    /// Something about the user's money: by mail only.
    Money,
}

/// Whether a channel is used.
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
    /// Its user has not shown yet that it is theirs: nothing is sent but what shows it.
    Pending,
    /// Used.
    Verified,
    /// Its provider refused for good; its user has to mend it.
    NeedsAttention,
    /// Switched off by its user.
    Off,
}

/// What a pending channel waits for.
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
    /// The code that was sent there.
    Code,
    /// Somebody to open a link or scan its picture there.
    Link,
    /// Its user to say that whoever did so was they.
    Confirmation,
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

impl ChannelKind {
    /// Whether others read along: no event about one person's matters is sent there.
    #[must_use]
    pub const fn is_group(self) -> bool {
        matches!(self, Self::WeCom | Self::DingTalk | Self::Feishu | Self::Discord | Self::Slack)
    }

    /// What may be sent over it at all.
    #[must_use]
    pub const fn events(self) -> &'static [EventKind] {
        match self {
            Self::Sms => &[EventKind::Booked, EventKind::NeedsYou],
            _ if self.is_group() => &[EventKind::Booked, EventKind::Opening],
            _ => &EventKind::OF_USERS,
        }
    }

    /// What is sent over a new one.
    #[must_use]
    pub fn usual_events(self) -> Vec<EventKind> {
        self.events().iter().copied().filter(|event| *event != EventKind::Digest).collect()
    }
}

impl EventKind {
    /// What a user chooses channels for.
    pub const OF_USERS: [Self; 6] =
        [Self::Booked, Self::NeedsYou, Self::Security, Self::AskFirst, Self::Opening, Self::Digest];

    /// What people read in their history: links to prove an address, codes, tests and alarms are nobody's news.
    pub const TOLD_OF: [Self; 7] = [
        Self::Booked,
        Self::NeedsYou,
        Self::Security,
        Self::AskFirst,
        Self::Opening,
        Self::Digest,
        Self::Money,
    ];

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
            Self::Opening | Self::Money => Priority::Normal,
            Self::Digest => Priority::Low,
        }
    }
}

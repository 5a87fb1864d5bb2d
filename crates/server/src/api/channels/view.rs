//! A channel as its user sees it.

use chrono::{DateTime, Utc};
use domain::channel::{ChannelKind, ChannelState, EventKind, Proof};
use domain::ids::ChannelId;
use providers::channels::outcome::Reason;
use serde::{Deserialize, Serialize};
use store::channel::Channel;
use utoipa::ToSchema;

/// A way to reach the caller.
#[derive(Serialize, ToSchema)]
#[schema(as = Channel)]
pub struct ChannelView {
    #[schema(value_type = uuid::Uuid)]
    id: ChannelId,
    /// What it is.
    #[schema(value_type = AddedKind)]
    kind: ChannelKind,
    /// What its owner knows it by; nothing that opens it. Empty before its link was opened.
    label: String,
    /// Whether it is used.
    state: ChannelState,
    /// Why its provider refused a message for good.
    reason: Option<ChannelReason>,
    /// What the provider said then.
    answer: Option<String>,
    /// What is told over it.
    #[schema(value_type = Vec<UserEvent>)]
    events: Vec<EventKind>,
    /// What can be told over it.
    #[schema(value_type = Vec<UserEvent>)]
    possible_events: Vec<EventKind>,
    /// Its place in the order in which channels are tried.
    position: i32,
    /// When it was added.
    created_at: DateTime<Utc>,
    /// Since when it is its user's for certain.
    verified_at: Option<DateTime<Utc>>,
    /// When its provider last took a message.
    last_ok_at: Option<DateTime<Utc>>,
    /// What a pending one waits for.
    waits_for: Option<Proof>,
    /// Until when it does.
    expires_at: Option<DateTime<Utc>>,
    /// What is to be opened, or scanned, by a pending one.
    link: Option<ChannelLink>,
    /// Who opened the link, as the provider names them.
    linked_as: Option<String>,
}

/// A kind of channel that somebody adds themselves; mail is none, it goes to the account's address.
#[derive(ToSchema)]
#[schema(as = ChannelKind, rename_all = "snake_case")]
#[allow(dead_code, missing_docs, reason = "describes domain::channel::ChannelKind without mail")]
pub enum AddedKind {
    WebPush,
    Telegram,
    WxPusher,
    ServerChan,
    PushPlus,
    WeCom,
    DingTalk,
    Feishu,
    Bark,
    Ntfy,
    Pushover,
    Discord,
    Slack,
    Webhook,
    Sms,
}

/// What somebody can be told over a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ChannelEvent)]
pub enum UserEvent {
    /// An appointment was booked.
    Booked,
    /// They have to act, or the search stands still.
    NeedsYou,
    /// Something about the account's safety.
    Security,
    /// A day is there, and is booked when they say so.
    AskFirst,
    /// A day was seen.
    Opening,
    /// What the search has done lately.
    Digest,
}

impl From<UserEvent> for EventKind {
    fn from(event: UserEvent) -> Self {
        match event {
            UserEvent::Booked => Self::Booked,
            UserEvent::NeedsYou => Self::NeedsYou,
            UserEvent::Security => Self::Security,
            UserEvent::AskFirst => Self::AskFirst,
            UserEvent::Opening => Self::Opening,
            UserEvent::Digest => Self::Digest,
        }
    }
}

/// What is to be opened at a provider.
#[derive(Serialize, ToSchema)]
pub struct ChannelLink {
    /// For the same device.
    url: String,
    /// As a picture for another device: an address of the `data:` kind.
    qr: Option<String>,
    /// Until when.
    expires_at: DateTime<Utc>,
}

/// Why a message will not be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChannelReason {
    /// The target is no more.
    Gone,
    /// The receiver blocked the sender.
    Blocked,
    /// The key, token or signature is refused.
    Credentials,
    /// The target cannot be one.
    Malformed,
    /// The address is one that this server does not call.
    AddressRefused,
    /// Refused for another reason; the answer says which.
    Refused,
    /// The operator has to act.
    Operator,
    /// The operator has not set this channel up.
    NotConfigured,
}

impl From<Reason> for ChannelReason {
    fn from(reason: Reason) -> Self {
        match reason {
            Reason::Gone => Self::Gone,
            Reason::Blocked => Self::Blocked,
            Reason::Credentials => Self::Credentials,
            Reason::Malformed => Self::Malformed,
            Reason::AddressRefused => Self::AddressRefused,
            Reason::Refused => Self::Refused,
            Reason::Operator => Self::Operator,
            Reason::NotConfigured => Self::NotConfigured,
        }
    }
}

impl From<Channel> for ChannelView {
    fn from(channel: Channel) -> Self {
        let link = channel.proof.as_ref().and_then(|proof| {
            let shown = proof.link.as_ref()?;
            Some(ChannelLink {
                url: shown["url"].as_str()?.to_owned(),
                qr: shown["qr"].as_str().map(str::to_owned),
                expires_at: proof.expires_at,
            })
        });
        Self {
            id: channel.id,
            kind: channel.kind,
            label: channel.label,
            state: channel.state,
            reason: channel.last_reason.and_then(|reason| reason.parse::<Reason>().ok()).map(Into::into),
            answer: channel.last_answer,
            events: channel.events,
            // No digest is written yet: nobody is offered one.
            possible_events: possible(channel.kind),
            position: channel.position,
            created_at: channel.created_at,
            verified_at: channel.verified_at,
            last_ok_at: channel.last_ok_at,
            waits_for: channel.proof.as_ref().map(|proof| proof.kind),
            expires_at: channel.proof.as_ref().map(|proof| proof.expires_at),
            link,
            linked_as: channel.linked_as,
        }
    }
}

fn possible(kind: ChannelKind) -> Vec<EventKind> {
    kind.events().iter().copied().filter(|event| *event != EventKind::Digest).collect()
}

//! JSON view of a channel for its owner.

use chrono::{DateTime, Utc};
use domain::channel::{ChannelKind, ChannelState, EventKind, Proof};
use domain::ids::ChannelId;
use providers::channels::outcome::Reason;
use serde::Serialize;
use store::channel::Channel;
use utoipa::ToSchema;

use super::words::{AddedKind, ChannelReason, UserEvent};

/// A notification channel of the caller.
#[derive(Serialize, ToSchema)]
#[schema(as = Channel)]
pub struct ChannelView {
    #[schema(value_type = uuid::Uuid)]
    id: ChannelId,
    /// Kind of the channel.
    #[schema(value_type = AddedKind)]
    kind: ChannelKind,
    /// Label for the owner, without secrets of the channel. Empty until the channel's link is
    /// opened.
    label: String,
    /// State of the channel.
    state: ChannelState,
    /// Reason for which the provider refused a message for good.
    #[schema(value_type = Option<ChannelReason>)]
    reason: Option<Reason>,
    /// The provider's response with that refusal.
    answer: Option<String>,
    /// Events that are sent over the channel.
    #[schema(value_type = Vec<UserEvent>)]
    events: Vec<EventKind>,
    /// Events that can be sent over the channel.
    #[schema(value_type = Vec<UserEvent>)]
    possible_events: Vec<EventKind>,
    /// Position in the order in which channels are tried.
    position: i32,
    /// Time at which the channel was added.
    created_at: DateTime<Utc>,
    /// Time at which the channel was verified.
    verified_at: Option<DateTime<Utc>>,
    /// Time at which the provider last accepted a message.
    last_ok_at: Option<DateTime<Utc>>,
    /// Proof that a pending channel waits for, e.g. its code.
    waits_for: Option<Proof>,
    /// Time at which the proof expires.
    expires_at: Option<DateTime<Utc>>,
    /// Link or code of a pending channel, to open or scan.
    link: Option<ChannelLink>,
    /// Name at the provider of the account that opened the link.
    linked_as: Option<String>,
}

/// Link to open at a provider.
#[derive(Serialize, ToSchema)]
pub struct ChannelLink {
    /// Address to open on the same device.
    url: String,
    /// QR code for another device, as a `data:` address.
    qr: Option<String>,
    /// Time at which the link expires.
    expires_at: DateTime<Utc>,
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
            reason: channel.last_reason.and_then(|reason| reason.parse().ok()),
            answer: channel.last_answer,
            events: channel.events,
            possible_events: channel.kind.events().to_vec(),
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

//! A channel as its user sees it.

use chrono::{DateTime, Utc};
use domain::channel::{ChannelKind, ChannelState, EventKind, Proof};
use domain::ids::ChannelId;
use providers::channels::outcome::Reason;
use serde::Serialize;
use store::channel::Channel;
use utoipa::ToSchema;

use super::words::{AddedKind, ChannelReason, UserEvent};

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
    #[schema(value_type = Option<ChannelReason>)]
    reason: Option<Reason>,
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

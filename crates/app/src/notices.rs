//! Notices that users confirm as seen, and the links to confirm them.

use domain::clock::Instant;
use domain::ids::OutboxId;
use serde_json::json;
use store::channel::{Channel, ProviderRefusal};
use store::keyring::KeyRing;
use store::outbox::acknowledge::{self, Notice};
use store::{Random, Tx, lock};
use uuid::Uuid;

use crate::{Error, links};

/// Path of the page that shows a notice.
pub const PAGE: &str = "/api/v1/notices/seen";
const PURPOSE: &str = "notice-seen";

/// Returns the URL of a notice's page. A POST to it confirms the notice as seen.
#[must_use]
pub fn link(keyring: &KeyRing, site: &str, notice: Uuid) -> String {
    format!("{site}{PAGE}?token={}", links::token(keyring, PURPOSE, notice))
}

/// Returns the notice that a token belongs to, or `None` if the token is invalid.
#[must_use]
pub fn of_token(keyring: &KeyRing, token: &[u8; 32]) -> Option<Uuid> {
    links::id_of(keyring, PURPOSE, token)
}

/// Marks a notice as seen, so that nothing more of it is sent. Returns the notice and the receipts
/// of messages that still repeat at a provider. Returns `None` if the notice does not exist.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn seen(tx: &mut Tx, notice: Uuid, now: Instant) -> Result<Option<(Notice, Vec<String>)>, Error> {
    lock::exclusive(tx, notice).await?;
    acknowledge::acknowledge(tx, notice, now).await?;
    let Some(read) = acknowledge::read(tx, notice).await? else { return Ok(None) };
    Ok(Some((read, acknowledge::repeating(tx, notice).await?)))
}

/// A permanently refused message.
#[derive(Clone, Copy, Debug)]
pub struct Refused<'a> {
    /// Id of the message.
    pub message: OutboxId,
    /// Channel of the message.
    pub channel: &'a Channel,
    /// Reason of the refusal.
    pub refusal: ProviderRefusal<'a>,
}

/// Records that a provider or network permanently refused a message, which marks the channel as
/// broken. Notifies its user once, over the other channels.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn broken(tx: &mut Tx, random: &Random, site: &str, refused: Refused<'_>) -> Result<(), Error> {
    let Refused { message, channel, refusal } = refused;
    if store::channel::record_broken(tx, channel.id, refusal).await? {
        let data = json!({
            "kind": channel.kind, "label": channel.label, "reason": refusal.reason, "link": format!("{site}/settings"),
        });
        let key = format!("channel_broken:{}:{message}", channel.id);
        store::outbox::enqueue_mail(tx, random, channel.user, "channel_broken", &key, &data, refusal.at)
            .await?;
    }
    Ok(())
}

//! Notices that people say they have seen, and the link by which they do.

use domain::clock::Instant;
use domain::ids::OutboxId;
use serde_json::json;
use store::channel::{Channel, Refusal};
use store::keyring::KeyRing;
use store::outbox::acknowledge::{self, Notice};
use store::{Random, Tx, lock};
use uuid::Uuid;

use crate::{Error, links};

/// The page that says what is needed.
pub const PAGE: &str = "/api/v1/notices/seen";
const PURPOSE: &str = "notice-seen";

/// The address of a notice's page; to POST there is to have seen it.
#[must_use]
pub fn link(keyring: &KeyRing, site: &str, notice: Uuid) -> String {
    format!("{site}{PAGE}?token={}", links::token(keyring, PURPOSE, notice))
}

/// Which notice a link is of; none where it is not ours.
#[must_use]
pub fn of_token(keyring: &KeyRing, token: &[u8; 32]) -> Option<Uuid> {
    links::id_of(keyring, PURPOSE, token)
}

/// Its user has seen it: nothing more of it is sent. Returns the receipts of what still repeats at a provider; none where there
/// is no such notice.
///
/// # Errors
/// When the database fails.
pub async fn seen(tx: &mut Tx, notice: Uuid, now: Instant) -> Result<Option<(Notice, Vec<String>)>, Error> {
    lock::exclusive(tx, notice).await?;
    acknowledge::acknowledge(tx, notice, now).await?;
    let Some(read) = acknowledge::read(tx, notice).await? else { return Ok(None) };
    Ok(Some((read, acknowledge::repeating(tx, notice).await?)))
}

/// A message that was refused for good.
#[derive(Clone, Copy, Debug)]
pub struct Refused<'a> {
    /// Which.
    pub message: OutboxId,
    /// Over which channel.
    pub channel: &'a Channel,
    /// Why.
    pub refusal: Refusal<'a>,
}

/// Its provider, or its network, refused a message for good: the channel needs its user, who is told once, over the others.
///
/// # Errors
/// When the database fails.
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

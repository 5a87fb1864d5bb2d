//! Links in waiting messages. Only the seed of a link is stored, and its lifetime begins when the
//! message is sent.

use chrono::TimeDelta;
use domain::clock::Instant;
use serde_json::{Value, json};
use store::keyring::KeyRing;
use store::outbox::Outgoing;
use store::{Error, Tx};

use super::Delivery;

/// A link that is stored as `{page, seed, minutes}` under `link` in a message's data. A link with
/// `asks` belongs to a question. The time to answer begins when the first provider accepts its
/// message.
struct WaitingLink {
    asks: bool,
    raw: [u8; 32],
    url: String,
    life: TimeDelta,
}

impl WaitingLink {
    fn of(data: &Value, keyring: &KeyRing, site: &str) -> Option<Self> {
        let link = data.get("link")?;
        let raw = store::token::mailed(keyring, link.get("seed")?.as_str()?);
        let token: String = raw.iter().map(|byte| format!("{byte:02x}")).collect();
        let url = format!("{site}{}?token={token}", link.get("page")?.as_str()?);
        let asks = link.get("asks").and_then(Value::as_bool) == Some(true);
        Some(Self { asks, raw, url, life: TimeDelta::minutes(link.get("minutes")?.as_i64()?) })
    }
}

/// Returns the template data of a waiting message, with the full address of its link.
#[must_use]
pub fn with_link(data: &Value, keyring: &KeyRing, site: &str) -> Value {
    let mut data = data.clone();
    if let Some(link) = WaitingLink::of(&data, keyring, site) {
        data["link"] = json!(link.url);
    }
    data
}

impl Delivery {
    /// Returns the address of the page on which a user acknowledges a notice; `None` if no
    /// acknowledgement is needed.
    pub(super) fn acknowledge_link(&self, one: &Outgoing) -> Option<String> {
        let notice = one.notice.filter(|_| one.event.is_acknowledged())?;
        Some(app::notices::link(&self.keyring, &self.site, notice))
    }

    /// Returns the message's data with its link. The link's lifetime begins now, so that an
    /// unavailable mail server does not shorten it.
    pub(super) async fn with_link(&self, one: &Outgoing) -> Result<Value, Error> {
        let link = WaitingLink::of(&one.data, &self.keyring, &self.site);
        if let Some(link) = link.filter(|link| !link.asks) {
            let mut tx = self.db.begin().await?;
            store::token::sent(&mut tx, &link.raw, self.wall.now() + link.life).await?;
            tx.commit().await?;
        }
        let mut data = with_link(&one.data, &self.keyring, &self.site);
        if let Some(url) = self.acknowledge_link(one) {
            data["acknowledge"] = json!(url);
        }
        Ok(data)
    }

    /// Closes a question that no channel delivered to its user, so that the task may ask about the
    /// same date again.
    pub(super) async fn end_question(&self, tx: &mut Tx, one: &Outgoing, now: Instant) -> Result<(), Error> {
        let link = WaitingLink::of(&one.data, &self.keyring, &self.site).filter(|link| link.asks);
        let (Some(link), Some(notice)) = (link, one.notice) else { return Ok(()) };
        // The last two messages of a notice may be given up at the same time.
        store::lock::exclusive(tx, notice).await?;
        if store::outbox::is_given_up(tx, notice).await? {
            store::question::undelivered(tx, &link.raw, now).await?;
        }
        Ok(())
    }

    /// Starts the time to answer the message's question when the first provider accepts a message
    /// of it.
    pub(super) async fn begin_question(
        &self,
        tx: &mut Tx,
        one: &Outgoing,
        now: Instant,
    ) -> Result<(), Error> {
        match WaitingLink::of(&one.data, &self.keyring, &self.site).filter(|link| link.asks) {
            Some(link) => store::question::accepted(tx, &link.raw, now).await,
            None => Ok(()),
        }
    }
}

//! The link that something waits with: only a seed of it is kept, and its time begins when it is sent.

use chrono::TimeDelta;
use domain::clock::Instant;
use serde_json::{Value, json};
use store::keyring::KeyRing;
use store::outbox::Outgoing;
use store::{Error, Tx};

use super::Delivery;

/// The link that waits as `{page, seed, minutes}` under `link` in a mail's data, with `asks` where it belongs to a question,
/// whose time begins when the first provider has taken it.
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

/// What a template gets for what waits with `data`: its link made whole.
#[must_use]
pub fn with_link(data: &Value, keyring: &KeyRing, site: &str) -> Value {
    let mut data = data.clone();
    if let Some(link) = WaitingLink::of(&data, keyring, site) {
        data["link"] = json!(link.url);
    }
    data
}

impl Delivery {
    /// Where somebody says that they have seen it; none where nobody has to.
    pub(super) fn acknowledge_link(&self, one: &Outgoing) -> Option<String> {
        let notice = one.notice.filter(|_| one.event.is_acknowledged())?;
        Some(app::notices::link(&self.keyring, &self.site, notice))
    }

    /// The data with its link, whose time begins now: a mail server that was away must not cost it.
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

    /// A question that reached nobody, over any channel, is closed: it did not use up its day.
    pub(super) async fn end_question(&self, tx: &mut Tx, one: &Outgoing, now: Instant) -> Result<(), Error> {
        let link = WaitingLink::of(&one.data, &self.keyring, &self.site).filter(|link| link.asks);
        let (Some(link), Some(notice)) = (link, one.notice) else { return Ok(()) };
        // The last two of a notice may be given up at once.
        store::lock::exclusive(tx, notice).await?;
        if store::outbox::is_given_up(tx, notice).await? {
            store::question::undelivered(tx, &link.raw, now).await?;
        }
        Ok(())
    }

    /// A question's time begins with the first provider that took it.
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

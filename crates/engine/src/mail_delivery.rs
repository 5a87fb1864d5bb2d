//! Mails on their way out: claimed from the outbox, rendered, handed to the mail server once each.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use domain::clock::{Clock, Instant};
use futures_util::future::join_all;
use providers::{Mailer, SendError, render};
use serde_json::{Value, json};
use store::keyring::KeyRing;
use store::outbox::Mail;
use store::{Db, Error, outbox};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// Mails under way at once; few, so that a claim always outlives the sending.
const AT_ONCE: i64 = 4;

/// How long a claim lasts: longer than the mail server's timeouts together.
const CLAIM: TimeDelta = TimeDelta::seconds(120);

/// The first pause after a failure; each further one doubles it.
const FIRST_PAUSE: TimeDelta = TimeDelta::seconds(15);

const LONGEST_PAUSE: TimeDelta = TimeDelta::hours(1);

/// Attempts, over about half a day, after which a mail is given up.
const TRIES: i32 = 18;

/// How often the outbox is looked at when nobody says anything.
const POLL: Duration = Duration::from_secs(2);

/// Sends what waits in the outbox.
#[derive(Clone, Debug)]
pub struct Delivery {
    /// The database.
    pub db: Db,
    /// Stamps and pauses.
    pub wall: Clock,
    /// Makes the tokens of links.
    pub keyring: Arc<KeyRing>,
    /// The mail server.
    pub mailer: Mailer,
    /// The address links in mails begin with.
    pub site: String,
    /// This process's name, for the claims.
    pub node: String,
}

impl Delivery {
    /// Delivers until `stop` is cancelled; `wake` cuts a pause short.
    pub async fn run(self, wake: Arc<Notify>, stop: CancellationToken) {
        while !stop.is_cancelled() {
            match self.deliver_due().await {
                Ok(0) => {}
                Ok(_) => continue,
                Err(error) => tracing::warn!(%error, "the outbox cannot be read"),
            }
            tokio::select! {
                () = stop.cancelled() => {}
                () = wake.notified() => {}
                () = tokio::time::sleep(POLL) => {}
            }
        }
    }

    /// Claims a few due mails and tries each once; returns how many were claimed.
    pub async fn deliver_due(&self) -> Result<usize, Error> {
        let mut tx = self.db.begin().await?;
        let mails = outbox::claim(&mut tx, &self.node, AT_ONCE, CLAIM, self.wall.now()).await?;
        tx.commit().await?;
        let count = mails.len();
        let tried = join_all(mails.into_iter().map(|mail| self.deliver(mail))).await;
        tried.into_iter().collect::<Result<Vec<()>, Error>>()?;
        Ok(count)
    }

    /// The mail's data with its link, whose time begins now: a mail server that was away must not cost it.
    async fn with_link(&self, mail: &Mail) -> Result<Value, Error> {
        if let Some(link) = MailedLink::of(&mail.data, &self.keyring, &self.site) {
            let mut tx = self.db.begin().await?;
            store::token::sent(&mut tx, &link.raw, self.wall.now() + link.life).await?;
            tx.commit().await?;
        }
        Ok(with_link(&mail.data, &self.keyring, &self.site))
    }

    /// A mail whose time is over is not sent.
    async fn drop_late(&self, mail: &Mail) -> Result<(), Error> {
        tracing::warn!(mail = %mail.id, template = mail.template, "a mail is too late to be of use");
        crate::metrics::mail("late");
        let mut tx = self.db.begin().await?;
        outbox::dead(&mut tx, mail, "too late", self.wall.now()).await?;
        tx.commit().await
    }

    async fn deliver(&self, mail: Mail) -> Result<(), Error> {
        if is_late(&mail, self.wall.now()) {
            return self.drop_late(&mail).await;
        }
        let data = self.with_link(&mail).await?;
        let sent = match render(&mail.template, &mail.language, &data, &self.site) {
            Ok(rendered) => self.mailer.send(&mail.recipient, &rendered, &mail.id.to_string()).await,
            Err(error) => Err(SendError::Never(error.to_string())),
        };
        let now = self.wall.now();
        let mut tx = self.db.begin().await?;
        match sent {
            Ok(()) => {
                outbox::delivered(&mut tx, &mail, now).await?;
                if let Some(link) = MailedLink::of(&mail.data, &self.keyring, &self.site).filter(|l| l.asks) {
                    store::question::accepted(&mut tx, &link.raw, now).await?;
                }
                crate::metrics::mail("delivered");
            }
            Err(SendError::Later(why)) if mail.attempts < TRIES => {
                tracing::warn!(mail = %mail.id, attempt = mail.attempts, why, "a mail waits");
                crate::metrics::mail("waits");
                outbox::retry_later(&mut tx, &mail, now + pause(mail.attempts), &why).await?;
            }
            Err(SendError::Later(why) | SendError::Never(why)) => {
                tracing::error!(mail = %mail.id, template = mail.template, why, "a mail was given up");
                crate::metrics::mail("given_up");
                outbox::dead(&mut tx, &mail, &why, now).await?;
            }
        }
        tx.commit().await
    }
}

/// Whether nobody is helped by a mail any more: `not_after` in its data.
fn is_late(mail: &Mail, now: Instant) -> bool {
    let until = mail.data.get("not_after").and_then(Value::as_str);
    until.and_then(|until| until.parse::<Instant>().ok()).is_some_and(|until| until <= now)
}

/// The link a waiting mail stands for: `{page, seed, minutes}` under `link` in its data, with `asks` where it belongs to a
/// question, whose time begins with the mail server's word.
struct MailedLink {
    asks: bool,
    raw: [u8; 32],
    url: String,
    life: TimeDelta,
}

impl MailedLink {
    fn of(data: &Value, keyring: &KeyRing, site: &str) -> Option<Self> {
        let link = data.get("link")?;
        let raw = store::token::mailed(keyring, link.get("seed")?.as_str()?);
        let token: String = raw.iter().map(|byte| format!("{byte:02x}")).collect();
        let url = format!("{site}{}?token={token}", link.get("page")?.as_str()?);
        let asks = link.get("asks").and_then(Value::as_bool) == Some(true);
        Some(Self { asks, raw, url, life: TimeDelta::minutes(link.get("minutes")?.as_i64()?) })
    }
}

/// What a template gets for a mail that waits with `data`: its link made whole.
#[must_use]
pub fn with_link(data: &Value, keyring: &KeyRing, site: &str) -> Value {
    let mut data = data.clone();
    if let Some(link) = MailedLink::of(&data, keyring, site) {
        data["link"] = json!(link.url);
    }
    data
}

fn pause(attempts: i32) -> TimeDelta {
    let doublings = u32::try_from(attempts - 1).unwrap_or(0).min(16);
    FIRST_PAUSE.checked_mul(1 << doublings).map_or(LONGEST_PAUSE, |pause| pause.min(LONGEST_PAUSE))
}

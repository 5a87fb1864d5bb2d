//! Delivery of mails and messages: claimed from the outbox, rendered, and handed to the mail server
//! or to a channel's provider.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use domain::channel::notice::NotSent;
use domain::channel::{ChannelKind, EventKind};
use domain::clock::{Clock, Instant};
use futures_util::future::join_all;
use providers::Mailer;
use providers::channels::Channels;
use store::keyring::KeyRing;
use store::outbox::{ClaimRequest, NotSentBecause, Outgoing};
use store::{Db, Error, Random, outbox};
use tokio::task::{Id, JoinSet};
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

mod buckets;
mod link;
mod mail;
mod message;

pub use buckets::Buckets;
pub use link::with_link;

/// Maximum number of concurrent deliveries.
const AT_ONCE: usize = 32;
/// Maximum number of mails among them; it is small, so that a claim always outlives the sending.
const MAILS_AT_ONCE: usize = 4;
/// Maximum number of messages of one kind among them: a provider that does not answer must not
/// delay the others.
const OF_KIND_AT_ONCE: usize = 8;
/// Number of messages claimed in one transaction.
const CLAIMED_AT_ONCE: usize = 4;

/// Duration of a claim: longer than the mail server's timeouts together, and than a provider's.
const CLAIM: TimeDelta = TimeDelta::seconds(120);

/// First pause after a failure; each further one doubles it.
const FIRST_PAUSE: TimeDelta = TimeDelta::seconds(15);

const LONGEST_PAUSE: TimeDelta = TimeDelta::hours(1);

/// Number of attempts, over about half a day, after which a message is given up.
const TRIES: i32 = 18;

/// Interval at which the outbox is read without a notification.
const POLL: Duration = Duration::from_secs(2);
/// Shortest such interval, if the next message is due at once.
const SHORTEST: Duration = Duration::from_millis(20);

/// Limits of the number and the cost of text messages.
#[derive(Clone, Copy, Debug)]
pub struct SmsQuota {
    /// Maximum number of messages to one user in 30 days.
    pub per_user: u32,
    /// Maximum cost of all messages of a day, in tenths of a cent.
    pub day_mills: i64,
    /// Cost of each billed text segment, in tenths of a cent.
    pub text_mills: i64,
}

/// Sends the messages in the outbox.
#[derive(Clone, Debug)]
pub struct Delivery {
    /// The database.
    pub db: Db,
    /// Clock for stamps and pauses.
    pub wall: Clock,
    /// Source of the random spread of retries.
    pub random: Random,
    /// Creates the tokens of links; opens and seals the targets of channels.
    pub keyring: Arc<KeyRing>,
    /// The mail server; without one mails wait.
    pub mailer: Option<Mailer>,
    /// Clients that send messages to channels.
    pub channels: Arc<Channels>,
    /// Rate limits.
    pub buckets: Arc<Buckets>,
    /// Limits of text messages.
    pub sms: SmsQuota,
    /// Base address of links.
    pub site: String,
    /// Name of this process, for the claims.
    pub node: String,
}

/// Outcome of a claimed message that is not sent now.
enum Instead {
    /// The message waits, untried.
    Later(Instant),
    /// The message is never sent.
    Never(NotSent),
}

impl Delivery {
    /// Delivers until `stop` is cancelled; a newly queued message ends a pause early.
    pub async fn run(self, stop: CancellationToken) {
        let queued = self.db.queued().clone();
        self.give_back().await;
        // Deliveries are tasks of their own: one that writes must continue while this loop waits
        // for the database.
        let mut sending = JoinSet::new();
        let mut under_way = HashMap::<Id, ChannelKind>::new();
        while !stop.is_cancelled() {
            let without = self.without(&under_way);
            let claimed = match sending.len() < AT_ONCE {
                true => self.claim(&without, None).await,
                false => Ok(Vec::new()),
            };
            let idle = match claimed {
                Ok(claimed) => {
                    let none = claimed.is_empty();
                    for one in claimed {
                        let kind = one.kind;
                        let task = sending.spawn(self.clone().delivered(one));
                        under_way.insert(task.id(), kind);
                    }
                    none
                }
                Err(error) => {
                    tracing::warn!(%error, "failed to read the outbox");
                    true
                }
            };
            if !idle {
                continue;
            }
            let pause = self.pause(&without).await;
            tokio::select! {
                () = stop.cancelled() => {}
                Some(ended) = sending.join_next_with_id() => {
                    under_way.remove(&ended.map_or_else(|error| error.id(), |(id, ())| id));
                }
                () = queued.notified() => {}
                () = tokio::time::sleep(pause) => {}
            }
        }
        while sending.join_next().await.is_some() {}
    }

    /// Claims a few due messages and tries each once; returns the number of claimed ones.
    pub async fn deliver_due(&self) -> Result<usize, Error> {
        self.deliver_claimed(None).await
    }

    /// Claims and tries messages of one event kind: independent of other waiting messages, and of
    /// the loop, in case the loop itself fails.
    pub async fn deliver_due_of(&self, event: EventKind) -> Result<usize, Error> {
        self.deliver_claimed(Some(event)).await
    }

    async fn deliver_claimed(&self, event: Option<EventKind>) -> Result<usize, Error> {
        let claimed = self.claim(&self.without(&HashMap::new()), event).await?;
        let count = claimed.len();
        let tried = join_all(claimed.into_iter().map(|one| self.deliver(one))).await;
        tried.into_iter().collect::<Result<Vec<()>, Error>>()?;
        Ok(count)
    }

    /// Releases old claims on SQLite, which has one process: a claim found at the start belongs to
    /// a process that is gone.
    async fn give_back(&self) {
        if self.db.is_postgres() {
            return;
        }
        let given_back = async {
            let mut tx = self.db.begin().await?;
            outbox::give_back(&mut tx).await?;
            tx.commit().await
        };
        if let Err(error) = given_back.await {
            tracing::warn!(%error, "failed to release old outbox claims; they expire by themselves");
        }
    }

    /// Returns the kinds of which nothing can be sent now.
    fn without(&self, under_way: &HashMap<Id, ChannelKind>) -> Vec<ChannelKind> {
        let most = |kind| if kind == ChannelKind::Email { MAILS_AT_ONCE } else { OF_KIND_AT_ONCE };
        let mut of_kind = HashMap::<ChannelKind, usize>::new();
        for kind in under_way.values() {
            *of_kind.entry(*kind).or_default() += 1;
        }
        let busy = of_kind.into_iter().filter(|(kind, count)| *count >= most(*kind)).map(|(kind, _)| kind);
        let empty = self.buckets.empty(self.wall.now()).into_iter().map(|(kind, _)| kind);
        let unset = self.mailer.is_none().then_some(ChannelKind::Email);
        busy.chain(empty).chain(unset).collect()
    }

    async fn claim(&self, without: &[ChannelKind], event: Option<EventKind>) -> Result<Vec<Outgoing>, Error> {
        let limit = i64::try_from(CLAIMED_AT_ONCE).unwrap_or(i64::MAX);
        let request = ClaimRequest { limit, without, event, span: CLAIM };
        let mut tx = self.db.begin().await?;
        let claimed = outbox::claim_of(&mut tx, &self.node, request, self.wall.now()).await?;
        tx.commit().await?;
        Ok(claimed)
    }

    /// Returns the time until a message may be due, if no notification arrives.
    async fn pause(&self, without: &[ChannelKind]) -> Duration {
        let now = self.wall.now();
        let due = async {
            let mut tx = self.db.read().await?;
            outbox::next_due(&mut tx, without, now).await
        };
        let due = due.await.ok().flatten();
        let refilled = self.buckets.empty(now).into_iter().map(|(_, next)| next).min();
        let next = due.into_iter().chain(refilled).min();
        let pause = next.map_or(POLL, |next| (next - now).to_std().unwrap_or_default());
        pause.clamp(SHORTEST, POLL)
    }

    async fn delivered(self, one: Outgoing) {
        let id = one.id;
        let span = tracing::debug_span!("deliver", channel = <&'static str>::from(one.kind));
        if let Err(error) = self.deliver(one).instrument(span).await {
            tracing::warn!(%error, %id, "failed to store delivery result; trying again when its claim expires");
        }
    }

    async fn deliver(&self, one: Outgoing) -> Result<(), Error> {
        if one.not_after.is_some_and(|end| end <= self.wall.now()) {
            return self.instead(&one, Instead::Never(NotSent::TooLate)).await;
        }
        if one.acknowledged {
            return self.instead(&one, Instead::Never(NotSent::Acknowledged)).await;
        }
        match one.kind {
            ChannelKind::Email => self.deliver_mail(one).await,
            _ => self.deliver_message(one).await,
        }
    }

    /// Puts a message back untried, or ends it.
    async fn instead(&self, one: &Outgoing, instead: Instead) -> Result<(), Error> {
        let mut tx = self.db.begin().await?;
        match instead {
            Instead::Later(due) => outbox::put_back(&mut tx, one, due).await?,
            Instead::Never(why) => {
                tracing::info!(id = %one.id, kind = %one.kind, template = one.template, %why, "not sending channel message");
                crate::metrics::delivery(one.kind, why.into());
                let why = NotSentBecause { word: why.into(), error: None };
                outbox::not_sent(&mut tx, one, why, self.wall.now()).await?;
                self.end_question(&mut tx, one, self.wall.now()).await?;
            }
        }
        tx.commit().await
    }

    /// Returns the pause between a failure and the next try.
    fn pause_after(&self, attempts: i32) -> TimeDelta {
        let doublings = u32::try_from(attempts - 1).unwrap_or(0).min(16);
        let pause = FIRST_PAUSE.checked_mul(1 << doublings).map_or(LONGEST_PAUSE, |p| p.min(LONGEST_PAUSE));
        buckets::jittered(pause, &self.random)
    }
}

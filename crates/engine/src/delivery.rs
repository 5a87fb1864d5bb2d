//! Delivery of mails and messages. A message is claimed from the outbox, rendered, and sent to the
//! mail server or to a channel's provider.

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
/// Maximum number of concurrent mails. It is small, so that no claim expires before its mail is
/// sent.
const MAILS_AT_ONCE: usize = 4;
/// Maximum number of concurrent messages to one kind of channel. A provider that does not answer
/// must not delay the others.
const OF_KIND_AT_ONCE: usize = 8;
/// Number of messages claimed in one transaction.
const CLAIMED_AT_ONCE: usize = 4;

/// Duration of a claim. It is longer than all timeouts of the mail server together, and longer than
/// the timeout of a provider.
const CLAIM: TimeDelta = TimeDelta::seconds(120);

/// Pause after the first failure. Each further failure doubles it.
const FIRST_PAUSE: TimeDelta = TimeDelta::seconds(15);

const LONGEST_PAUSE: TimeDelta = TimeDelta::hours(1);

/// Number of attempts, over about half a day, after which a message is given up.
const TRIES: i32 = 18;

/// Interval at which the outbox is read without a notification.
const POLL: Duration = Duration::from_secs(2);
/// Minimum interval, which applies if the next message is due at once.
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
    /// Database with the outbox.
    pub db: Db,
    /// Clock for timestamps and pauses.
    pub wall: Clock,
    /// Source of the random spread of retries.
    pub random: Random,
    /// Key ring that creates the tokens of links, and encrypts and decrypts the targets of
    /// channels.
    pub keyring: Arc<KeyRing>,
    /// The mail server. Without one, mails wait in the outbox.
    pub mailer: Option<Mailer>,
    /// Clients that send messages to channels.
    pub channels: Arc<Channels>,
    /// Rate limits of providers and targets.
    pub buckets: Arc<Buckets>,
    /// Limits of text messages.
    pub sms: SmsQuota,
    /// Base address of links.
    pub site: String,
    /// Name of this process, as the owner of claims.
    pub node: String,
}

/// Outcome of a claimed message that is not sent now.
enum Instead {
    /// The message waits until this time. No attempt is counted.
    Later(Instant),
    /// The message is never sent, for this reason.
    Never(NotSent),
}

impl Delivery {
    /// Delivers messages until `stop` is cancelled. A newly queued message ends a pause early.
    pub async fn run(self, stop: CancellationToken) {
        let queued = self.db.queued().clone();
        self.give_back().await;
        // Each delivery is a task of its own, so that it can write its result while this loop waits
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

    /// Claims a few due messages and tries each once. Returns the number of claimed messages.
    pub async fn deliver_due(&self) -> Result<usize, Error> {
        self.deliver_claimed(None).await
    }

    /// Claims and tries messages of one event kind. Does not wait for other messages or for the
    /// loop, so that it works even if the loop fails.
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

    /// Releases old claims on SQLite. Only one process uses an SQLite database, so a claim found at
    /// the start belongs to a process that has ended.
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

    /// Returns the kinds of channels to which nothing can be sent now: too many deliveries are in
    /// progress, the rate limit is reached, or no mail server is set.
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

    /// Returns the pause until the next read of the outbox, if no notification arrives earlier.
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

    /// Puts a message back without counting an attempt, or records that it is never sent.
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

    /// Returns the pause before the next try, after `attempts` tries.
    fn pause_after(&self, attempts: i32) -> TimeDelta {
        let doublings = u32::try_from(attempts - 1).unwrap_or(0).min(16);
        let pause = FIRST_PAUSE.checked_mul(1 << doublings).map_or(LONGEST_PAUSE, |p| p.min(LONGEST_PAUSE));
        buckets::jittered(pause, &self.random)
    }
}

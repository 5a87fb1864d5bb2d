//! Delivery of one message to a channel: checks before sending, the target, and the provider's
//! answer.

use std::time::Duration;

use chrono::TimeDelta;
use domain::channel::notice::NotSent;
use domain::channel::{ChannelKind, ChannelState};
use domain::clock::Instant;
use providers::channels::message::{Link, Message};
use providers::channels::outcome::{Outcome, Reason};
use providers::channels::target::Target;
use providers::render::message::{MessageText, seen_label, words};
use secrecy::{ExposeSecret as _, SecretString};
use store::channel::{Channel, NewTarget, ProviderRefusal};
use store::outbox::arrival::{self, Ceiling};
use store::outbox::{NotSentBecause, Outgoing};
use store::{Error, Tx, channel, outbox};

use super::buckets::TargetKey;
use super::{Delivery, Instead, TRIES};

/// A channel and its target, to which a message may be sent now.
struct Ready {
    channel: Channel,
    target: Target,
    key: TargetKey,
}

/// A provider's answer to a message.
struct Answered {
    outcome: Outcome,
    answer: String,
    moved_to: Option<Target>,
}

/// Reason why a provider refuses a message, with its answer.
struct Refused<'a> {
    reason: Reason,
    answer: &'a str,
}

impl Delivery {
    pub(super) async fn deliver_message(&self, one: Outgoing) -> Result<(), Error> {
        let ready = match self.ready(&one).await? {
            Ok(ready) => ready,
            Err(instead) => return self.instead(&one, instead).await,
        };
        let data = self.with_link(&one).await?;
        let message = match words(&one.template, &one.language, &data, &self.site) {
            Ok(words) => self.message(&one, words),
            Err(error) => {
                tracing::error!(id = %one.id, template = one.template, %error, "failed to render channel message");
                return self.instead(&one, Instead::Never(NotSent::GaveUp)).await;
            }
        };
        if !self.can_pay(&ready.target, &message).await? {
            return self.instead(&one, Instead::Never(NotSent::Quota)).await;
        }
        let sent = self.channels.send(&ready.target, &message).await;
        let answered = Answered { outcome: sent.outcome, answer: sent.answer, moved_to: sent.moved_to };
        self.record(&one, &ready, answered).await
    }

    /// Builds the message. A notice that needs an acknowledgement links to the page on which the
    /// user acknowledges it.
    fn message(&self, one: &Outgoing, words: MessageText) -> Message {
        let acknowledge = self.acknowledge_link(one);
        let link = match &acknowledge {
            Some(url) => Link { url: url.clone(), label: seen_label(&one.language).to_owned() },
            None => words.link,
        };
        // Other channels detect duplicates by the notice's id. A phone cannot, and the network's
        // reports must identify this message.
        let id = one.notice.filter(|_| one.kind != ChannelKind::Sms).unwrap_or(one.id.0);
        Message {
            id: id.to_string(),
            kind: one.event,
            title: words.title,
            text: words.text,
            link: Some(link),
            acknowledge,
            answers: words.answers,
            not_after: one.not_after,
        }
    }

    /// Returns the channel and target if the message may be sent now; otherwise the outcome to
    /// record instead.
    async fn ready(&self, one: &Outgoing) -> Result<Result<Ready, Instead>, Error> {
        let now = self.wall.now();
        let mut tx = self.db.read().await?;
        let channel = match one.channel {
            Some(id) => channel::find(&mut tx, id).await?.filter(|channel| wants(channel, one)),
            None => None,
        };
        let Some(channel) = channel else { return Ok(Err(Instead::Never(NotSent::ChannelOff))) };
        if one.fallback && self.another_accepted(&mut tx, one).await? {
            return Ok(Err(Instead::Never(NotSent::AnotherAccepted)));
        }
        let setting = channel::setting(&mut tx, channel.user).await?;
        if let Some(end) = setting.quiet_until(one.event, now) {
            let of_use = one.not_after.is_none_or(|not_after| not_after > end);
            let instead = if of_use { Instead::Later(end) } else { Instead::Never(NotSent::QuietHours) };
            return Ok(Err(instead));
        }
        if channel.kind == ChannelKind::Sms && self.over_quota(&mut tx, &channel, now).await? {
            return Ok(Err(Instead::Never(NotSent::Quota)));
        }
        let Some((target, key)) = self.open(&channel) else {
            return Ok(Err(Instead::Never(NotSent::GaveUp)));
        };
        if let Err(next) = self.buckets.take(channel.kind, key, now) {
            return Ok(Err(Instead::Later(next)));
        }
        Ok(Ok(Ready { channel, target, key }))
    }

    async fn another_accepted(&self, tx: &mut Tx, one: &Outgoing) -> Result<bool, Error> {
        match one.notice {
            Some(notice) => outbox::is_accepted(tx, notice).await,
            None => Ok(false),
        }
    }

    async fn over_quota(&self, tx: &mut Tx, channel: &Channel, now: Instant) -> Result<bool, Error> {
        let month = now - TimeDelta::days(30);
        let to_user = outbox::accepted_since(tx, channel.kind, Some(channel.user), month).await?;
        Ok(to_user >= i64::from(self.sms.per_user))
    }

    /// Charges the cost of a text message to the day's limit. Returns `false` if the limit does not
    /// allow it. Messages to other channels cost nothing.
    async fn can_pay(&self, target: &Target, message: &Message) -> Result<bool, Error> {
        let Target::Sms { phone } = target else { return Ok(true) };
        let cost = i64::from(self.channels.text_segments(phone, message)) * self.sms.text_mills;
        let ceiling = Ceiling { day: self.wall.now().date_naive(), most: self.sms.day_mills };
        let mut tx = self.db.begin().await?;
        let paid = arrival::spend(&mut tx, ceiling, cost).await?;
        tx.commit().await?;
        Ok(paid)
    }

    fn open(&self, channel: &Channel) -> Option<(Target, TargetKey)> {
        let opened = self.keyring.open(&channel.place(), channel.target.as_ref()?);
        let target = opened.ok().and_then(|json| {
            let print = self.keyring.fingerprint(&format!("channel-target|{}", json.expose_secret()));
            let key = TargetKey(print.first_chunk().copied().unwrap_or_default());
            Some((serde_json::from_str(json.expose_secret()).ok()?, key))
        });
        if target.is_none() {
            tracing::error!(channel = %channel.id, "failed to decrypt channel target");
        }
        target
    }

    /// Records a provider's answer, in one transaction.
    async fn record(&self, one: &Outgoing, ready: &Ready, answered: Answered) -> Result<(), Error> {
        let now = self.wall.now();
        let Answered { outcome, answer, moved_to } = answered;
        let channel = &ready.channel;
        let mut tx = self.db.begin().await?;
        if let Some(target) = moved_to {
            self.follow(&mut tx, channel, &target).await?;
        }
        match outcome {
            Outcome::Accepted { receipt } => {
                crate::metrics::delivery(one.kind, "accepted");
                outbox::accepted(&mut tx, one, receipt.as_deref(), now).await?;
                channel::record_ok(&mut tx, channel.id, now).await?;
                self.begin_question(&mut tx, one, now).await?;
            }
            Outcome::Wait(named) => {
                let due = self.next_try(one, ready, named, now);
                tracing::info!(id = %one.id, kind = %one.kind, attempt = one.attempts, answer, "channel provider deferred message");
                match self.hopeless(one, due) {
                    None => {
                        crate::metrics::delivery(one.kind, "waits");
                        outbox::retry_later(&mut tx, one, due, &answer).await?;
                    }
                    Some(why) => {
                        crate::metrics::delivery(one.kind, why.into());
                        let why = NotSentBecause { word: why.into(), error: Some(&answer) };
                        outbox::not_sent(&mut tx, one, why, now).await?;
                        self.end_question(&mut tx, one, now).await?;
                    }
                }
            }
            Outcome::Broken(reason) => {
                self.broken(&mut tx, one, channel, Refused { reason, answer: &answer }).await?;
            }
        }
        tx.commit().await
    }

    /// Returns the time of the next try. It is the time that the provider named, or else the end of
    /// a pause that grows with each failure.
    fn next_try(&self, one: &Outgoing, ready: &Ready, named: Duration, now: Instant) -> Instant {
        let named = TimeDelta::from_std(named).unwrap_or(TimeDelta::zero());
        if named > TimeDelta::zero() {
            self.buckets.hold(ready.key, now + named);
            return now + named;
        }
        now + self.pause_after(one.attempts)
    }

    /// Returns the reason to give the message up if another try at `due` would be useless.
    fn hopeless(&self, one: &Outgoing, due: Instant) -> Option<NotSent> {
        if one.not_after.is_some_and(|end| end <= due) {
            return Some(NotSent::TooLate);
        }
        (one.attempts >= TRIES).then_some(NotSent::GaveUp)
    }

    /// Records that a provider refused a message for good. Notifies the user once if the user has
    /// to fix the cause.
    async fn broken(
        &self,
        tx: &mut Tx,
        one: &Outgoing,
        channel: &Channel,
        Refused { reason, answer }: Refused<'_>,
    ) -> Result<(), Error> {
        let now = self.wall.now();
        tracing::warn!(id = %one.id, kind = %one.kind, %reason, answer, "channel provider refused message");
        crate::metrics::delivery(one.kind, reason.into());
        outbox::not_sent(tx, one, NotSentBecause { word: reason.as_ref(), error: Some(answer) }, now).await?;
        self.end_question(tx, one, now).await?;
        let refusal = ProviderRefusal { reason: reason.as_ref(), answer, at: now };
        if reason.is_operators() {
            return channel::record_refusal(tx, channel.id, refusal).await;
        }
        let refused = app::notices::Refused { message: one.id, channel, refusal };
        match app::notices::broken(tx, &self.random, &self.site, refused).await {
            Err(app::Error::Store(error)) => Err(error),
            Ok(()) | Err(app::Error::Refused(_)) => Ok(()),
        }
    }

    /// Stores the new target of a channel.
    async fn follow(&self, tx: &mut Tx, channel: &Channel, target: &Target) -> Result<(), Error> {
        let Ok(json) = serde_json::to_string(target) else { return Ok(()) };
        let place = channel::place(channel.id, channel.user, channel.target_version + 1);
        let sealed = self.keyring.seal(&place, &SecretString::from(json), &self.random);
        channel::replace_target(tx, channel, &NewTarget { sealed, label: &channel.label, linked_as: None })
            .await?;
        Ok(())
    }
}

/// Returns `true` if a message may still be sent to its channel. The user chose the channel for the
/// event, or it is verified and serves as a fallback.
fn wants(channel: &Channel, one: &Outgoing) -> bool {
    if one.fallback { channel.state == ChannelState::Verified } else { channel.takes(one.event) }
}

//! Rows of a notice, written together: the mail, one row for each channel chosen for it, and its
//! fallbacks.

use domain::channel::notice::FALLBACK_AFTER;
use domain::channel::{ChannelKind, EventKind};
use domain::clock::Instant;
use domain::ids::{ChannelId, OutboxId, TaskId, UserId};
use serde_json::Value;
use uuid::Uuid;

use crate::channel::Channel;
use crate::{Error, Random, Tx, exec};

/// Mail to send. The channels that its user chose for the event get the same message.
#[derive(Clone, Copy, Debug)]
pub struct NewMail<'a> {
    /// User to whom the mail is sent, if the recipient has an account.
    pub user: Option<UserId>,
    /// Address of the recipient.
    pub recipient: &'a str,
    /// Language: `en` or `zh`.
    pub language: &'a str,
    /// Name of the template.
    pub template: &'a str,
    /// Data for the template: a JSON object.
    pub data: &'a Value,
    /// Deduplication key. At most one mail is ever queued per key.
    pub dedup_key: &'a str,
}

/// Outbox row to insert.
struct NewRow<'a> {
    dedup_key: String,
    recipient: &'a str,
    kind: ChannelKind,
    channel: Option<ChannelId>,
    due_at: Instant,
    fallback: bool,
}

/// Data shared by the rows of one notice.
struct Notice<'a> {
    id: Uuid,
    mail: &'a NewMail<'a>,
    event: EventKind,
    now: Instant,
}

/// Queues a mail to a user in the user's language and to the user's address, and the same message
/// for the user's channels. Does nothing if the key was used before.
pub async fn enqueue_mail(
    tx: &mut Tx,
    random: &Random,
    user: UserId,
    template: &str,
    dedup_key: &str,
    data: &Value,
    now: Instant,
) -> Result<(), Error> {
    let Some(to) = crate::user::get(tx, user).await? else {
        return Ok(());
    };
    let mail =
        NewMail { user: Some(user), recipient: &to.email, language: &to.language, template, data, dedup_key };
    enqueue(tx, random, &mail, now).await?;
    Ok(())
}

/// Queues a mail, and the same message for its user's channels. Returns `false` if the key was used
/// before.
pub async fn enqueue(tx: &mut Tx, random: &Random, mail: &NewMail<'_>, now: Instant) -> Result<bool, Error> {
    let notice = Notice::of(mail, random, now);
    let row = NewRow {
        dedup_key: mail.dedup_key.to_owned(),
        recipient: mail.recipient,
        kind: ChannelKind::Email,
        channel: None,
        due_at: now,
        fallback: false,
    };
    let new = notice.insert(tx, random, row).await?;
    if new {
        notice.messages(tx, random).await?;
    }
    Ok(new)
}

/// Queues the message of a mail for its user's channels only, because there is no mail server.
pub async fn enqueue_messages(
    tx: &mut Tx,
    random: &Random,
    mail: &NewMail<'_>,
    now: Instant,
) -> Result<(), Error> {
    Notice::of(mail, random, now).messages(tx, random).await
}

impl<'a> Notice<'a> {
    fn of(mail: &'a NewMail<'a>, random: &Random, now: Instant) -> Self {
        let id = OutboxId::new(now, random.bytes()).0;
        Self { id, mail, event: EventKind::of_template(mail.template), now }
    }

    /// Inserts one row for each channel chosen for the event. Inserts a fallback row for each other
    /// suitable channel, each due later than the one before.
    async fn messages(&self, tx: &mut Tx, random: &Random) -> Result<(), Error> {
        let Some(user) = self.mail.user.filter(|_| self.event.goes_over_channels()) else {
            return Ok(());
        };
        let channels = crate::channel::verified(tx, user).await?;
        let (chosen, others): (Vec<_>, Vec<_>) =
            channels.iter().partition(|channel| channel.takes(self.event));
        for channel in chosen {
            self.insert(tx, random, self.message(channel)).await?;
        }
        if !self.event.falls_back() {
            return Ok(());
        }
        let mut due_at = self.now;
        for channel in others.into_iter().filter(|other| other.kind.events().contains(&self.event)) {
            due_at += FALLBACK_AFTER;
            let row = NewRow { due_at, fallback: true, ..self.message(channel) };
            self.insert(tx, random, row).await?;
        }
        Ok(())
    }

    fn message<'b>(&self, channel: &'b Channel) -> NewRow<'b> {
        NewRow {
            dedup_key: format!("{}:{}", self.mail.dedup_key, channel.id),
            recipient: &channel.label,
            kind: channel.kind,
            channel: Some(channel.id),
            due_at: self.now,
            fallback: false,
        }
    }

    async fn insert(&self, tx: &mut Tx, random: &Random, row: NewRow<'_>) -> Result<bool, Error> {
        let (mail, now) = (self.mail, self.now);
        let task = mail.data["task_id"].as_str().and_then(|id| id.parse::<TaskId>().ok());
        let rows = exec!(
            tx,
            "INSERT INTO outbox (id, dedup_key, user_id, recipient, language, template, data, created_at, due_at, attempts,
               epoch, channel_kind, channel_id, event, priority, not_after, task_id, notice_id, fallback)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, 0, $10, $11, $12, $13, $14,
               (SELECT id FROM task WHERE id = $15), $16, $17)
             ON CONFLICT (dedup_key) DO NOTHING",
            OutboxId::new(now, random.bytes()).0,
            row.dedup_key.clone(),
            mail.user.map(|id| id.0),
            row.recipient.to_owned(),
            mail.language.to_owned(),
            mail.template.to_owned(),
            mail.data.clone(),
            now,
            row.due_at,
            <&str>::from(row.kind),
            row.channel.map(|id| id.0),
            <&str>::from(self.event),
            self.event.priority().rank(),
            self.event.lives(row.kind).map(|span| now + span),
            task.map(|id| id.0),
            self.id,
            row.fallback
        )?;
        if rows == 1 {
            tx.has_queued();
        }
        Ok(rows == 1)
    }
}

//! What goes out, by mail and over channels: written with the decision, sent once by the worker that claims it.

use chrono::{DateTime, TimeDelta, Utc};
use domain::channel::notice::NotSent;
use domain::channel::{ChannelKind, EventKind};
use domain::clock::Instant;
use domain::ids::{ChannelId, OutboxId, UserId};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::readable::{Stored, readable};
use crate::task::word;
use crate::{Error, Tx, all, exec, scalar};

pub mod acknowledge;
pub mod arrival;
mod enqueue;
pub mod history;

pub use enqueue::{NewMail, enqueue, enqueue_mail, enqueue_messages};

/// What is claimed for sending: a mail, or a message to a channel.
#[derive(Clone, Debug)]
pub struct Outgoing {
    /// Its id.
    pub id: OutboxId,
    /// Whose it is.
    pub user: Option<UserId>,
    /// The address of a mail, the label of a channel.
    pub recipient: String,
    /// `en` or `zh`.
    pub language: String,
    /// The template's name.
    pub template: String,
    /// What the template needs.
    pub data: Value,
    /// How often it was tried, this time included.
    pub attempts: i32,
    /// The claim: every later call names it, so that an older claimer changes nothing.
    pub epoch: i64,
    /// How it is sent.
    pub kind: ChannelKind,
    /// Over which channel; none for mails, and where the channel was removed.
    pub channel: Option<ChannelId>,
    /// What it is about.
    pub event: EventKind,
    /// From when on it is of no use.
    pub not_after: Option<Instant>,
    /// The same for all rows of one notice.
    pub notice: Option<Uuid>,
    /// Whether it is sent only if no other of its notice was accepted.
    pub fallback: bool,
    /// Whether its user said that they have seen it.
    pub acknowledged: bool,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    user_id: Option<Uuid>,
    recipient: String,
    language: String,
    template: String,
    data: Value,
    attempts: i32,
    epoch: i64,
    channel_kind: String,
    channel_id: Option<Uuid>,
    event: String,
    not_after: Option<DateTime<Utc>>,
    notice_id: Option<Uuid>,
    fallback: bool,
    acknowledged_at: Option<DateTime<Utc>>,
}

/// What a worker takes.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The maximum number.
    pub limit: i64,
    /// None of these kinds.
    pub without: &'a [ChannelKind],
    /// Only what is about this, where it is named.
    pub event: Option<EventKind>,
    /// For how long; a claim that is not answered in time is claimed again by anyone.
    pub span: TimeDelta,
}

/// Claims up to `limit` that are due, whatever they are; see [`claim_of`].
pub async fn claim(
    tx: &mut Tx,
    worker: &str,
    limit: i64,
    span: TimeDelta,
    now: Instant,
) -> Result<Vec<Outgoing>, Error> {
    claim_of(tx, worker, Wanted { limit, without: &[], event: None, span }, now).await
}

/// Claims what is due, the most urgent first.
pub async fn claim_of(
    tx: &mut Tx,
    worker: &str,
    wanted: Wanted<'_>,
    now: Instant,
) -> Result<Vec<Outgoing>, Error> {
    let sql = tx.pick(
        "UPDATE outbox SET claimed_by = $1, claimed_till = $2, epoch = epoch + 1, attempts = attempts + 1
         WHERE id IN (SELECT id FROM outbox WHERE delivered_at IS NULL AND dead_at IS NULL AND due_at <= $3
             AND (claimed_till IS NULL OR claimed_till <= $3)
             AND channel_kind NOT IN (SELECT value FROM json_each($5)) AND ($6 IS NULL OR event = $6)
             ORDER BY priority, due_at, id LIMIT $4)
         RETURNING id, user_id, recipient, language, template, data, attempts, epoch, channel_kind, channel_id, event,
           not_after, notice_id, fallback, acknowledged_at",
        "UPDATE outbox SET claimed_by = $1, claimed_till = $2, epoch = epoch + 1, attempts = attempts + 1
         WHERE id IN (SELECT id FROM outbox WHERE delivered_at IS NULL AND dead_at IS NULL AND due_at <= $3
             AND (claimed_till IS NULL OR claimed_till <= $3)
             AND channel_kind NOT IN (SELECT jsonb_array_elements_text($5)) AND ($6 IS NULL OR event = $6)
             ORDER BY priority, due_at, id LIMIT $4 FOR UPDATE SKIP LOCKED)
         RETURNING id, user_id, recipient, language, template, data, attempts, epoch, channel_kind, channel_id, event,
           not_after, notice_id, fallback, acknowledged_at",
    );
    let till = now + wanted.span;
    let event = wanted.event.map(<&str>::from);
    let without = json!(wanted.without);
    let rows = all!(tx, Stored<Row>, sql, worker.to_owned(), till, now, wanted.limit, without, event)?;
    // A row of a newer build stays claimed, and is tried again when the claim is over; it keeps nothing else back.
    let mut claimed: Vec<Outgoing> = readable(rows, "outbox");
    claimed.sort_by_key(|one| (one.event.priority().rank(), one.id));
    Ok(claimed)
}

/// Gives back what a process had claimed that is no more; on SQLite there is only one at a time.
pub async fn give_back(tx: &mut Tx) -> Result<u64, Error> {
    exec!(
        tx,
        "UPDATE outbox SET claimed_till = NULL WHERE claimed_till IS NOT NULL AND delivered_at IS NULL AND dead_at IS NULL"
    )
}

/// When the next of the wanted kinds is due that nobody has claimed.
pub async fn next_due(tx: &mut Tx, without: &[ChannelKind], now: Instant) -> Result<Option<Instant>, Error> {
    let sql = tx.pick(
        "SELECT MIN(due_at) FROM outbox WHERE delivered_at IS NULL AND dead_at IS NULL
           AND (claimed_till IS NULL OR claimed_till <= $1) AND channel_kind NOT IN (SELECT value FROM json_each($2))",
        "SELECT MIN(due_at) FROM outbox WHERE delivered_at IS NULL AND dead_at IS NULL
           AND (claimed_till IS NULL OR claimed_till <= $1)
           AND channel_kind NOT IN (SELECT jsonb_array_elements_text($2))",
    );
    scalar!(tx, Option<DateTime<Utc>>, sql, now, json!(without))
}

/// Records that a claimed one was taken; false when the claim was lost.
pub async fn delivered(tx: &mut Tx, sent: &Outgoing, now: Instant) -> Result<bool, Error> {
    accepted(tx, sent, None, now).await
}

/// The same with the provider's word for it.
pub async fn accepted(
    tx: &mut Tx,
    sent: &Outgoing,
    receipt: Option<&str>,
    now: Instant,
) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "UPDATE outbox SET delivered_at = $3, claimed_till = NULL, last_error = NULL, receipt = $4
         WHERE id = $1 AND epoch = $2 AND delivered_at IS NULL AND dead_at IS NULL",
        sent.id.0,
        sent.epoch,
        now,
        receipt.map(str::to_owned)
    )?;
    // The last mail to somebody who left: nothing of their address stays.
    exec!(
        tx,
        "DELETE FROM outbox WHERE id = $1 AND delivered_at IS NOT NULL AND user_id IS NULL AND template = 'account_deleted'",
        sent.id.0
    )?;
    Ok(rows == 1)
}

/// Puts a claimed one back until `due`; false when the claim was lost.
pub async fn retry_later(tx: &mut Tx, tried: &Outgoing, due: Instant, error: &str) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "UPDATE outbox SET due_at = $3, claimed_till = NULL, last_error = $4
         WHERE id = $1 AND epoch = $2 AND delivered_at IS NULL AND dead_at IS NULL",
        tried.id.0,
        tried.epoch,
        due,
        error.to_owned()
    )?;
    Ok(rows == 1)
}

/// Puts a claimed one back until `due`, untried.
pub async fn put_back(tx: &mut Tx, claimed: &Outgoing, due: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE outbox SET due_at = $3, claimed_till = NULL, attempts = attempts - 1
         WHERE id = $1 AND epoch = $2 AND delivered_at IS NULL AND dead_at IS NULL",
        claimed.id.0,
        claimed.epoch,
        due
    )?;
    Ok(())
}

/// Gives a claimed one up after its tries; an operator can see it.
pub async fn dead(tx: &mut Tx, tried: &Outgoing, error: &str, now: Instant) -> Result<bool, Error> {
    not_sent(tx, tried, NotSentBecause { word: NotSent::GaveUp.into(), error: Some(error) }, now).await
}

/// Why something is not sent any more.
#[derive(Clone, Copy, Debug)]
pub struct NotSentBecause<'a> {
    /// A word of [`NotSent`], or of `providers::channels::outcome::Reason`.
    pub word: &'a str,
    /// What the provider said, where it was asked.
    pub error: Option<&'a str>,
}

/// Ends a claimed one without sending it; false when the claim was lost.
pub async fn not_sent(
    tx: &mut Tx,
    claimed: &Outgoing,
    why: NotSentBecause<'_>,
    now: Instant,
) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "UPDATE outbox SET dead_at = $3, claimed_till = NULL, not_sent = $4, last_error = COALESCE($5, last_error)
         WHERE id = $1 AND epoch = $2 AND delivered_at IS NULL AND dead_at IS NULL",
        claimed.id.0,
        claimed.epoch,
        now,
        why.word.to_owned(),
        why.error.map(str::to_owned)
    )?;
    Ok(rows == 1)
}

/// Whether one of a notice was accepted.
pub async fn is_accepted(tx: &mut Tx, notice: Uuid) -> Result<bool, Error> {
    let sql = "SELECT COUNT(*) FROM outbox WHERE notice_id = $1 AND delivered_at IS NOT NULL";
    Ok(scalar!(tx, i64, sql, notice)? > 0)
}

/// Whether all of a notice were given up: none was accepted, and none waits.
pub async fn is_given_up(tx: &mut Tx, notice: Uuid) -> Result<bool, Error> {
    let sql = "SELECT COUNT(*) FROM outbox WHERE notice_id = $1 AND dead_at IS NULL";
    Ok(scalar!(tx, i64, sql, notice)? == 0)
}

/// How many messages of a kind were accepted since then: of one user, or of all.
pub async fn accepted_since(
    tx: &mut Tx,
    kind: ChannelKind,
    user: Option<UserId>,
    since: Instant,
) -> Result<i64, Error> {
    scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM outbox WHERE delivered_at >= $2 AND channel_kind = $1
           AND user_id = COALESCE($3, user_id)",
        <&str>::from(kind),
        since,
        user.map(|user| user.0)
    )
}

/// Whether a mail of this template to this user has not left yet.
pub async fn waits(tx: &mut Tx, user: UserId, template: &str) -> Result<bool, Error> {
    let count = scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM outbox
         WHERE delivered_at IS NULL AND dead_at IS NULL AND user_id = $1 AND template = $2",
        user.0,
        template.to_owned()
    )?;
    Ok(count > 0)
}

/// How many mails wait, and how many were given up.
pub async fn counts(tx: &mut Tx) -> Result<(i64, i64), Error> {
    let waiting = scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM outbox WHERE delivered_at IS NULL AND dead_at IS NULL AND channel_kind = 'email'"
    )?;
    let given_up =
        scalar!(tx, i64, "SELECT COUNT(*) FROM outbox WHERE dead_at IS NOT NULL AND channel_kind = 'email'")?;
    Ok((waiting, given_up))
}

impl TryFrom<Row> for Outgoing {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: OutboxId(row.id),
            user: row.user_id.map(UserId),
            recipient: row.recipient,
            language: row.language,
            template: row.template,
            data: row.data,
            attempts: row.attempts,
            epoch: row.epoch,
            kind: word("outbox.channel_kind", &row.channel_kind)?,
            channel: row.channel_id.map(ChannelId),
            event: word("outbox.event", &row.event)?,
            not_after: row.not_after,
            notice: row.notice_id,
            fallback: row.fallback,
            acknowledged: row.acknowledged_at.is_some(),
        })
    }
}

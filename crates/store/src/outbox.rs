//! Outbox for mails and channel messages. Rows are written with the decision and sent once by the
//! worker that claims them.

use chrono::{DateTime, TimeDelta, Utc};
use domain::channel::notice::NotSent;
use domain::channel::{ChannelKind, EventKind};
use domain::clock::Instant;
use domain::ids::{ChannelId, OutboxId, UserId};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::readable::{Stored, readable};
use crate::task::parse_stored;
use crate::{Error, Tx, all, exec, scalar};

pub mod acknowledge;
pub mod arrival;
mod enqueue;
pub mod history;

pub use enqueue::{NewMail, enqueue, enqueue_mail, enqueue_messages};

/// Row claimed for sending: a mail, or a message to a channel.
#[derive(Clone, Debug)]
pub struct Outgoing {
    /// Id of the row.
    pub id: OutboxId,
    /// User to whom the message is sent.
    pub user: Option<UserId>,
    /// Address of a mail, or label of a channel.
    pub recipient: String,
    /// Language: `en` or `zh`.
    pub language: String,
    /// Name of the template.
    pub template: String,
    /// Data for the template.
    pub data: Value,
    /// Number of tries, this one included.
    pub attempts: i32,
    /// Claim number. Every later call passes it, so that an older claimer changes nothing.
    pub epoch: i64,
    /// Channel kind.
    pub kind: ChannelKind,
    /// Channel of a message. `None` for mails, and if the channel was removed.
    pub channel: Option<ChannelId>,
    /// Event of the message.
    pub event: EventKind,
    /// Time after which the message is of no use.
    pub not_after: Option<Instant>,
    /// Notice id, shared by all rows of one notice.
    pub notice: Option<Uuid>,
    /// `true` if the row is sent only if no other row of its notice was accepted.
    pub fallback: bool,
    /// `true` if its user acknowledged the notice.
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

/// Rows that a worker claims.
#[derive(Clone, Copy, Debug)]
pub struct ClaimRequest<'a> {
    /// Maximum number of rows.
    pub limit: i64,
    /// Kinds to leave out.
    pub without: &'a [ChannelKind],
    /// Event of the rows; `None` matches all.
    pub event: Option<EventKind>,
    /// Duration of the claim. After it any worker may claim the row again.
    pub span: TimeDelta,
}

/// Claims up to `limit` due rows of all kinds. See [`claim_of`].
pub async fn claim(
    tx: &mut Tx,
    worker: &str,
    limit: i64,
    span: TimeDelta,
    now: Instant,
) -> Result<Vec<Outgoing>, Error> {
    claim_of(tx, worker, ClaimRequest { limit, without: &[], event: None, span }, now).await
}

/// Claims due rows, most urgent first.
pub async fn claim_of(
    tx: &mut Tx,
    worker: &str,
    request: ClaimRequest<'_>,
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
    let till = now + request.span;
    let event = request.event.map(<&str>::from);
    let without = json!(request.without);
    let rows = all!(tx, Stored<Row>, sql, worker.to_owned(), till, now, request.limit, without, event)?;
    // A row of a newer build stays claimed until the claim expires. It blocks no other row.
    let mut claimed: Vec<Outgoing> = readable(rows, "outbox");
    claimed.sort_by_key(|one| (one.event.priority().rank(), one.id));
    Ok(claimed)
}

/// Releases all claims, because the claiming process is gone. On SQLite there is only one process
/// at a time. Returns the number of claims.
pub async fn give_back(tx: &mut Tx) -> Result<u64, Error> {
    exec!(
        tx,
        "UPDATE outbox SET claimed_till = NULL WHERE claimed_till IS NOT NULL AND delivered_at IS NULL AND dead_at IS NULL"
    )
}

/// Returns the time at which the next unclaimed row is due, of all kinds but `without`.
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

/// Records that a claimed row was accepted. Returns `false` if the claim was lost.
pub async fn delivered(tx: &mut Tx, sent: &Outgoing, now: Instant) -> Result<bool, Error> {
    accepted(tx, sent, None, now).await
}

/// Records the acceptance with the provider's receipt. Returns `false` if the claim was lost.
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
    // The last mail to a deleted user: the row is deleted so that no address stays.
    exec!(
        tx,
        "DELETE FROM outbox WHERE id = $1 AND delivered_at IS NOT NULL AND user_id IS NULL AND template = 'account_deleted'",
        sent.id.0
    )?;
    Ok(rows == 1)
}

/// Releases a claimed row until `due` after a failed try. Returns `false` if the claim was lost.
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

/// Releases a claimed row until `due` and does not count this try.
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

/// Gives up a claimed row after its last try. Operators see the number of such rows. Returns
/// `false` if the claim was lost.
pub async fn dead(tx: &mut Tx, tried: &Outgoing, error: &str, now: Instant) -> Result<bool, Error> {
    not_sent(tx, tried, NotSentBecause { word: NotSent::GaveUp.into(), error: Some(error) }, now).await
}

/// Reason for not sending a row.
#[derive(Clone, Copy, Debug)]
pub struct NotSentBecause<'a> {
    /// Value of [`NotSent`] or of `providers::channels::outcome::Reason`.
    pub word: &'a str,
    /// Provider's response, if there was a request.
    pub error: Option<&'a str>,
}

/// Ends a claimed row without sending it. Returns `false` if the claim was lost.
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

/// Returns `true` if a row of a notice was accepted.
pub async fn is_accepted(tx: &mut Tx, notice: Uuid) -> Result<bool, Error> {
    let sql = "SELECT COUNT(*) FROM outbox WHERE notice_id = $1 AND delivered_at IS NOT NULL";
    Ok(scalar!(tx, i64, sql, notice)? > 0)
}

/// Returns `true` if all rows of a notice were given up: none was accepted, and none waits.
pub async fn is_given_up(tx: &mut Tx, notice: Uuid) -> Result<bool, Error> {
    let sql = "SELECT COUNT(*) FROM outbox WHERE notice_id = $1 AND dead_at IS NULL";
    Ok(scalar!(tx, i64, sql, notice)? == 0)
}

/// Counts the messages of a kind accepted since `since`, of one user or of all.
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

/// Returns `true` if a mail of this template to this user still waits.
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

/// Counts the waiting mails and the mails given up.
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
            kind: parse_stored("outbox.channel_kind", &row.channel_kind)?,
            channel: row.channel_id.map(ChannelId),
            event: parse_stored("outbox.event", &row.event)?,
            not_after: row.not_after,
            notice: row.notice_id,
            fallback: row.fallback,
            acknowledged: row.acknowledged_at.is_some(),
        })
    }
}

//! What goes out: written with the decision, sent once by whoever claims it.

use chrono::{DateTime, TimeDelta, Utc};
use domain::clock::Instant;
use domain::ids::{OutboxId, UserId};
use serde_json::Value;
use uuid::Uuid;

use crate::{Error, Random, Tx, all, exec, scalar};

/// A mail to send.
#[derive(Clone, Debug)]
pub struct NewMail<'a> {
    /// Whose it is, when they have an account.
    pub user: Option<UserId>,
    /// The address.
    pub recipient: &'a str,
    /// `en` or `zh`.
    pub language: &'a str,
    /// The template's name.
    pub template: &'a str,
    /// What the template needs: a JSON object.
    pub data: &'a Value,
    /// Sent at most once per key, ever.
    pub dedup_key: &'a str,
}

/// A mail claimed for sending.
#[derive(Clone, Debug)]
pub struct Mail {
    /// Its id.
    pub id: OutboxId,
    /// Whose it is.
    pub user: Option<UserId>,
    /// The address.
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
}

/// Queues a mail to a user in their language and at their address; nothing happens when the key was used before.
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

/// Queues a mail; false when the key was used before.
pub async fn enqueue(tx: &mut Tx, random: &Random, mail: &NewMail<'_>, now: Instant) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "INSERT INTO outbox (id, dedup_key, channel, user_id, recipient, language, template, data, created_at, due_at,
           attempts, epoch)
         VALUES ($1, $2, 'mail', $3, $4, $5, $6, $7, $8, $8, 0, 0) ON CONFLICT (dedup_key) DO NOTHING",
        OutboxId::new(now, random.bytes()).0,
        mail.dedup_key.to_owned(),
        mail.user.map(|id| id.0),
        mail.recipient.to_owned(),
        mail.language.to_owned(),
        mail.template.to_owned(),
        mail.data.clone(),
        now
    )?;
    Ok(rows == 1)
}

/// Claims up to `limit` due mails for `span`; a claim that is not answered in time is claimed again by anyone.
pub async fn claim(
    tx: &mut Tx,
    worker: &str,
    limit: i64,
    span: TimeDelta,
    now: Instant,
) -> Result<Vec<Mail>, Error> {
    let sql = tx.pick(
        "UPDATE outbox SET claimed_by = $1, claimed_till = $2, epoch = epoch + 1, attempts = attempts + 1
         WHERE id IN (SELECT id FROM outbox WHERE delivered_at IS NULL AND dead_at IS NULL AND due_at <= $3
             AND (claimed_till IS NULL OR claimed_till <= $3) ORDER BY due_at, id LIMIT $4)
         RETURNING id, user_id, recipient, language, template, data, attempts, epoch",
        "UPDATE outbox SET claimed_by = $1, claimed_till = $2, epoch = epoch + 1, attempts = attempts + 1
         WHERE id IN (SELECT id FROM outbox WHERE delivered_at IS NULL AND dead_at IS NULL AND due_at <= $3
             AND (claimed_till IS NULL OR claimed_till <= $3) ORDER BY due_at, id LIMIT $4 FOR UPDATE SKIP LOCKED)
         RETURNING id, user_id, recipient, language, template, data, attempts, epoch",
    );
    let rows = all!(tx, Row, sql, worker.to_owned(), now + span, now, limit)?;
    Ok(rows.into_iter().map(Mail::from).collect())
}

/// Records that a claimed mail was taken by the mail server; false when the claim was lost.
pub async fn delivered(tx: &mut Tx, mail: &Mail, now: Instant) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "UPDATE outbox SET delivered_at = $3, claimed_till = NULL, last_error = NULL
         WHERE id = $1 AND epoch = $2 AND delivered_at IS NULL AND dead_at IS NULL",
        mail.id.0,
        mail.epoch,
        now
    )?;
    Ok(rows == 1)
}

/// Puts a claimed mail back until `due`; false when the claim was lost.
pub async fn retry_later(tx: &mut Tx, mail: &Mail, due: Instant, error: &str) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "UPDATE outbox SET due_at = $3, claimed_till = NULL, last_error = $4
         WHERE id = $1 AND epoch = $2 AND delivered_at IS NULL AND dead_at IS NULL",
        mail.id.0,
        mail.epoch,
        due,
        error.to_owned()
    )?;
    Ok(rows == 1)
}

/// Gives a claimed mail up; an operator can see it.
pub async fn dead(tx: &mut Tx, mail: &Mail, error: &str, now: Instant) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "UPDATE outbox SET dead_at = $3, claimed_till = NULL, last_error = $4
         WHERE id = $1 AND epoch = $2 AND delivered_at IS NULL AND dead_at IS NULL",
        mail.id.0,
        mail.epoch,
        now,
        error.to_owned()
    )?;
    Ok(rows == 1)
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

/// When the next mail is due, if any waits.
pub async fn next_due(tx: &mut Tx) -> Result<Option<Instant>, Error> {
    scalar!(
        tx,
        Option<DateTime<Utc>>,
        "SELECT MIN(due_at) FROM outbox WHERE delivered_at IS NULL AND dead_at IS NULL"
    )
}

/// How many mails wait, and how many were given up.
pub async fn counts(tx: &mut Tx) -> Result<(i64, i64), Error> {
    let waiting =
        scalar!(tx, i64, "SELECT COUNT(*) FROM outbox WHERE delivered_at IS NULL AND dead_at IS NULL")?;
    let given_up = scalar!(tx, i64, "SELECT COUNT(*) FROM outbox WHERE dead_at IS NOT NULL")?;
    Ok((waiting, given_up))
}

impl From<Row> for Mail {
    fn from(row: Row) -> Self {
        Self {
            id: OutboxId(row.id),
            user: row.user_id.map(UserId),
            recipient: row.recipient,
            language: row.language,
            template: row.template,
            data: row.data,
            attempts: row.attempts,
            epoch: row.epoch,
        }
    }
}

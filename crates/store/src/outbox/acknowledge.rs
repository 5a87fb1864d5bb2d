//! Acknowledgement of notices by users.

use chrono::{DateTime, Utc};
use domain::channel::ChannelKind;
use domain::channel::notice::NotSent;
use domain::clock::Instant;
use serde_json::Value;
use uuid::Uuid;

use crate::{Error, Tx, all, exec, one};

/// Notice as its page shows it.
#[derive(Clone, Debug)]
pub struct Notice {
    /// Language: `en` or `zh`.
    pub language: String,
    /// Name of the template.
    pub template: String,
    /// Data for the template.
    pub data: Value,
    /// Time at which its user acknowledged it.
    pub acknowledged_at: Option<Instant>,
}

#[derive(sqlx::FromRow)]
struct Row {
    language: String,
    template: String,
    data: Value,
    acknowledged_at: Option<DateTime<Utc>>,
}

/// Returns a notice, or `None` if it does not exist or was deleted.
pub async fn read(tx: &mut Tx, notice: Uuid) -> Result<Option<Notice>, Error> {
    let sql = "SELECT language, template, data, acknowledged_at FROM outbox WHERE notice_id = $1 ORDER BY id LIMIT 1";
    let row = one!(tx, Row, sql, notice)?;
    Ok(row.map(|Row { language, template, data, acknowledged_at }| Notice {
        language,
        template,
        data,
        acknowledged_at,
    }))
}

/// Records that the user has seen a notice, and cancels its rows that were not sent yet. A row that
/// is being sent is ended by its sender if it would have to be retried. A second call changes
/// nothing.
pub async fn acknowledge(tx: &mut Tx, notice: Uuid, now: Instant) -> Result<(), Error> {
    let sql = "UPDATE outbox SET acknowledged_at = $2 WHERE notice_id = $1 AND acknowledged_at IS NULL";
    exec!(tx, sql, notice, now)?;
    exec!(
        tx,
        "UPDATE outbox SET dead_at = $2, claimed_till = NULL, not_sent = $3
         WHERE notice_id = $1 AND delivered_at IS NULL AND dead_at IS NULL
           AND (claimed_till IS NULL OR claimed_till <= $2)",
        notice,
        now,
        <&str>::from(NotSent::Acknowledged)
    )?;
    Ok(())
}

/// Returns the receipts of messages that their provider repeats until they are acknowledged there.
pub async fn repeating(tx: &mut Tx, notice: Uuid) -> Result<Vec<String>, Error> {
    let rows = all!(
        tx,
        (String,),
        "SELECT receipt FROM outbox WHERE notice_id = $1 AND channel_kind = $2 AND delivered_at IS NOT NULL
           AND receipt IS NOT NULL ORDER BY id",
        notice,
        <&str>::from(ChannelKind::Pushover)
    )?;
    Ok(rows.into_iter().map(|(receipt,)| receipt).collect())
}

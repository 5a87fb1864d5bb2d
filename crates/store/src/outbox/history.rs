//! History of a user's notifications, sent and not sent.

use chrono::{DateTime, Utc};
use domain::channel::{ChannelKind, EventKind};
use domain::clock::Instant;
use domain::ids::{ChannelId, OutboxId, TaskId, UserId};
use serde_json::json;
use uuid::Uuid;

use crate::task::parse_stored;
use crate::{Error, Tx, all};

/// Outbox row without its text.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Id of the row; later rows have greater ids.
    pub id: OutboxId,
    /// Event of the message.
    pub event: EventKind,
    /// Name of the template.
    pub template: String,
    /// Channel kind.
    pub kind: ChannelKind,
    /// Channel of a message. `None` for mails, and if the channel was removed.
    pub channel: Option<ChannelId>,
    /// Address of a mail, or label of a channel.
    pub label: String,
    /// Task of the message.
    pub task: Option<TaskId>,
    /// Time at which the message was queued.
    pub created_at: Instant,
    /// Time at which the provider accepted it.
    pub delivered_at: Option<Instant>,
    /// Time at which it was given up.
    pub dead_at: Option<Instant>,
    /// Reason for not sending it: a value of `NotSent` or of
    /// `providers::channels::outcome::Reason`.
    pub not_sent: Option<String>,
    /// Provider's receipt for an accepted message.
    pub receipt: Option<String>,
    /// Time at which its user acknowledged it.
    pub acknowledged_at: Option<Instant>,
    /// Time at which it reached the phone, as reported by the network.
    pub arrived_at: Option<Instant>,
    /// Network's reason for not delivering it.
    pub not_arrived: Option<String>,
}

/// Page of entries.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// Task of the entries; `None` matches all.
    pub task: Option<TaskId>,
    /// Upper limit: only entries before this one.
    pub before: Option<OutboxId>,
    /// Maximum number of entries.
    pub limit: i64,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    event: String,
    template: String,
    channel_kind: String,
    channel_id: Option<Uuid>,
    recipient: String,
    task_id: Option<Uuid>,
    created_at: DateTime<Utc>,
    delivered_at: Option<DateTime<Utc>>,
    dead_at: Option<DateTime<Utc>>,
    not_sent: Option<String>,
    receipt: Option<String>,
    acknowledged_at: Option<DateTime<Utc>>,
    arrived_at: Option<DateTime<Utc>>,
    not_arrived: Option<String>,
}

/// Returns a user's notifications, newest first. Leaves out fallbacks that are still waiting, and
/// events outside [`EventKind::IN_HISTORY`].
pub async fn of_user(tx: &mut Tx, user: UserId, page: Page) -> Result<Vec<Entry>, Error> {
    let sql = tx.pick(
        "SELECT id, event, template, channel_kind, channel_id, recipient, task_id, created_at, delivered_at, dead_at,
           not_sent, receipt, acknowledged_at, arrived_at, not_arrived FROM outbox
         WHERE user_id = $1 AND ($2 IS NULL OR task_id = $2) AND ($3 IS NULL OR id < $3)
           AND NOT (fallback AND delivered_at IS NULL AND dead_at IS NULL) AND event IN (SELECT value FROM json_each($5))
         ORDER BY id DESC LIMIT $4",
        "SELECT id, event, template, channel_kind, channel_id, recipient, task_id, created_at, delivered_at, dead_at,
           not_sent, receipt, acknowledged_at, arrived_at, not_arrived FROM outbox
         WHERE user_id = $1 AND ($2 IS NULL OR task_id = $2) AND ($3 IS NULL OR id < $3)
           AND NOT (fallback AND delivered_at IS NULL AND dead_at IS NULL)
           AND event IN (SELECT jsonb_array_elements_text($5))
         ORDER BY id DESC LIMIT $4",
    );
    let rows = all!(
        tx,
        Row,
        sql,
        user.0,
        page.task.map(|task| task.0),
        page.before.map(|id| id.0),
        page.limit,
        json!(EventKind::IN_HISTORY)
    )?;
    rows.into_iter().map(Entry::try_from).collect()
}

impl TryFrom<Row> for Entry {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: OutboxId(row.id),
            event: parse_stored("outbox.event", &row.event)?,
            template: row.template,
            kind: parse_stored("outbox.channel_kind", &row.channel_kind)?,
            channel: row.channel_id.map(ChannelId),
            label: row.recipient,
            task: row.task_id.map(TaskId),
            created_at: row.created_at,
            delivered_at: row.delivered_at,
            dead_at: row.dead_at,
            not_sent: row.not_sent,
            receipt: row.receipt,
            acknowledged_at: row.acknowledged_at,
            arrived_at: row.arrived_at,
            not_arrived: row.not_arrived,
        })
    }
}

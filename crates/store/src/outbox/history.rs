//! What a user was told, and was not, as they can read it.

use chrono::{DateTime, Utc};
use domain::channel::{ChannelKind, EventKind};
use domain::clock::Instant;
use domain::ids::{ChannelId, OutboxId, TaskId, UserId};
use serde_json::json;
use uuid::Uuid;

use crate::task::word;
use crate::{Error, Tx, all};

/// One row of the outbox, without its words.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its id; later ones have greater ones.
    pub id: OutboxId,
    /// What it is about.
    pub event: EventKind,
    /// The template's name.
    pub template: String,
    /// How it was sent.
    pub kind: ChannelKind,
    /// Over which channel; none for mails, and where it was removed.
    pub channel: Option<ChannelId>,
    /// The address of a mail, the label of a channel.
    pub label: String,
    /// Of which task.
    pub task: Option<TaskId>,
    /// When it was decided.
    pub created_at: Instant,
    /// When it was taken.
    pub delivered_at: Option<Instant>,
    /// When it was given up.
    pub dead_at: Option<Instant>,
    /// Why: a word of `NotSent`, or of `providers::channels::outcome::Reason`.
    pub not_sent: Option<String>,
    /// The provider's word for one that it took.
    pub receipt: Option<String>,
    /// When its user said that they have seen it.
    pub acknowledged_at: Option<Instant>,
    /// When it reached the phone, as far as the network says.
    pub arrived_at: Option<Instant>,
    /// Why it did not, in the network's word.
    pub not_arrived: Option<String>,
}

/// Which entries are read.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// Only those of a task.
    pub task: Option<TaskId>,
    /// Only those before this one.
    pub before: Option<OutboxId>,
    /// The maximum number.
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

/// What a user was told, the newest first. Left out are fallbacks that were not needed yet, and what is nobody's news.
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
        json!(EventKind::TOLD_OF)
    )?;
    rows.into_iter().map(Entry::try_from).collect()
}

impl TryFrom<Row> for Entry {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: OutboxId(row.id),
            event: word("outbox.event", &row.event)?,
            template: row.template,
            kind: word("outbox.channel_kind", &row.channel_kind)?,
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

//! `GET /user/notifications`: what the caller was told, and was not, and why.

use axum::extract::State;
use chrono::{DateTime, Utc};
use domain::channel::{ChannelKind, EventKind};
use domain::ids::{ChannelId, OutboxId, TaskId};
use serde::{Deserialize, Serialize};
use store::outbox::history::{self, Entry, Page};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::words::{NotifiedEvent, NotifiedKind, WhyNotSent, is_why_not_sent};
use crate::AppState;
use crate::auth::Caller;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::ErrorEnvelope;
use crate::http::extract::Query;

/// Entries of one page where nobody says how many, and at most.
const USUAL: i64 = 20;
const MOST: i64 = 100;

/// Which entries are asked for.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Asked {
    /// Only those of a task.
    task_id: Option<Uuid>,
    /// Only those before this one: `next` of the page before.
    before: Option<Uuid>,
    /// How many at most, up to 100.
    limit: Option<i64>,
}

/// What the caller was told, the newest first.
#[derive(Serialize, ToSchema)]
pub struct NotifiedPage {
    entries: Vec<Notified>,
    /// Where the next page begins; null at the end.
    next: Option<Uuid>,
}

/// Something that was to be told over one channel.
#[derive(Serialize, ToSchema)]
pub struct Notified {
    #[schema(value_type = Uuid)]
    id: OutboxId,
    /// What it is about.
    #[schema(value_type = NotifiedEvent)]
    event: EventKind,
    /// Which of the service's texts.
    template: String,
    channel: NotifiedChannel,
    /// Of which task.
    #[schema(value_type = Option<Uuid>)]
    task_id: Option<TaskId>,
    created_at: DateTime<Utc>,
    state: NotifiedState,
    /// When it was taken, or given up.
    at: Option<DateTime<Utc>>,
    /// Why it was not sent.
    #[schema(value_type = Option<WhyNotSent>)]
    why: Option<String>,
    /// The provider's word for it; taken is not: seen.
    receipt: Option<String>,
    /// When its reader said that they have seen it, where that is asked.
    acknowledged_at: Option<DateTime<Utc>>,
    /// When a text message reached the phone, as far as its network says.
    arrived_at: Option<DateTime<Utc>>,
    /// The network's word for why it did not.
    not_arrived: Option<String>,
}

/// Over which channel.
#[derive(Serialize, ToSchema)]
pub struct NotifiedChannel {
    /// None for mail, and for a channel that was removed.
    #[schema(value_type = Option<Uuid>)]
    id: Option<ChannelId>,
    /// Mail, or the channel's kind.
    #[schema(value_type = NotifiedKind)]
    kind: ChannelKind,
    /// What its owner knows it by.
    label: String,
}

/// Where an entry stands.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NotifiedState {
    /// It is still to be sent, or tried again.
    Waiting,
    /// The provider took it.
    Accepted,
    /// It is not sent any more.
    NotSent,
}

/// What the caller was told over mail and channels, and what was not sent and why.
#[utoipa::path(get, path = "/user/notifications", tag = "channels", params(Asked), responses(
    (status = 200, body = Envelope<NotifiedPage>), (status = 400, body = ErrorEnvelope), (status = 401, body = ErrorEnvelope),
    (status = 503, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn list_notifications(
    State(app): State<AppState>,
    caller: Caller,
    Query(asked): Query<Asked>,
) -> Answer<NotifiedPage> {
    let limit = asked.limit.unwrap_or(USUAL).clamp(1, MOST);
    let page = Page { task: asked.task_id.map(TaskId), before: asked.before.map(OutboxId), limit };
    let mut tx = app.db.read().await?;
    let rows = history::of_user(&mut tx, caller.user, page).await?;
    let full = i64::try_from(rows.len()).is_ok_and(|count| count == limit);
    let next = rows.last().filter(|_| full).map(|entry| entry.id.0);
    ok(NotifiedPage { entries: rows.into_iter().map(Notified::from).collect(), next })
}

impl From<Entry> for Notified {
    fn from(entry: Entry) -> Self {
        let state = match (entry.delivered_at, entry.dead_at) {
            (Some(_), _) => NotifiedState::Accepted,
            (None, Some(_)) => NotifiedState::NotSent,
            (None, None) => NotifiedState::Waiting,
        };
        Self {
            id: entry.id,
            event: entry.event,
            template: entry.template,
            channel: NotifiedChannel { id: entry.channel, kind: entry.kind, label: entry.label },
            task_id: entry.task,
            created_at: entry.created_at,
            state,
            at: entry.delivered_at.or(entry.dead_at),
            why: entry.not_sent.filter(|word| is_why_not_sent(word)),
            receipt: entry.receipt,
            acknowledged_at: entry.acknowledged_at,
            arrived_at: entry.arrived_at,
            not_arrived: entry.not_arrived,
        }
    }
}

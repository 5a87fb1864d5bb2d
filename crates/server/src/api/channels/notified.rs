//! Endpoint `GET /user/notifications`: the caller's notifications, including those that were not
//! sent.

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

/// Default and maximum number of entries on a page.
const USUAL: i64 = 20;
const MOST: i64 = 100;

/// Filter and page of the notifications.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct NotificationQuery {
    /// Only notifications of this task.
    task_id: Option<Uuid>,
    /// Only notifications before this one: `next` of the previous page.
    before: Option<Uuid>,
    /// Maximum number of entries, up to 100; 20 by default.
    limit: Option<i64>,
}

/// A page of notifications, newest first.
#[derive(Serialize, ToSchema)]
pub struct NotifiedPage {
    entries: Vec<Notified>,
    /// `before` of the next page; null on the last page.
    next: Option<Uuid>,
}

/// A notification over one channel.
#[derive(Serialize, ToSchema)]
pub struct Notified {
    #[schema(value_type = Uuid)]
    id: OutboxId,
    /// Event of the notification.
    #[schema(value_type = NotifiedEvent)]
    event: EventKind,
    /// Template of its text.
    template: String,
    channel: NotifiedChannel,
    /// Task of the notification; null if it has none.
    #[schema(value_type = Option<Uuid>)]
    task_id: Option<TaskId>,
    created_at: DateTime<Utc>,
    state: NotifiedState,
    /// Time at which the provider accepted the notification, or the server stopped retrying.
    at: Option<DateTime<Utc>>,
    /// Reason for which the notification was not sent.
    #[schema(value_type = Option<WhyNotSent>)]
    why: Option<String>,
    /// The provider's receipt for the accepted message. Acceptance does not mean that the user saw
    /// it.
    receipt: Option<String>,
    /// Time at which the user confirmed the notification, if it requests a confirmation.
    acknowledged_at: Option<DateTime<Utc>>,
    /// Time at which a text message reached the phone, as its network reports.
    arrived_at: Option<DateTime<Utc>>,
    /// The phone network's reason for which the text message did not arrive.
    not_arrived: Option<String>,
}

/// Channel of a notification.
#[derive(Serialize, ToSchema)]
pub struct NotifiedChannel {
    /// Identifier of the channel; null for mail and for a removed channel.
    #[schema(value_type = Option<Uuid>)]
    id: Option<ChannelId>,
    /// Mail, or the kind of the channel.
    #[schema(value_type = NotifiedKind)]
    kind: ChannelKind,
    /// Label that the user knows.
    label: String,
}

/// State of a notification.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NotifiedState {
    /// The notification waits to be sent or retried.
    Waiting,
    /// The provider accepted the notification.
    Accepted,
    /// The notification will not be sent.
    NotSent,
}

/// Returns the caller's notifications by mail and channels, newest first. A notification that was
/// not sent has the reason.
#[utoipa::path(get, path = "/user/notifications", tag = "channels", params(NotificationQuery), responses(
    (status = 200, body = Envelope<NotifiedPage>), (status = 400, body = ErrorEnvelope), (status = 401, body = ErrorEnvelope),
    (status = 503, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn list_notifications(
    State(app): State<AppState>,
    caller: Caller,
    Query(asked): Query<NotificationQuery>,
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

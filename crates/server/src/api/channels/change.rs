//! `PUT|DELETE /user/channels/{id}`, `PUT /user/channels/order`.

use app::channels::{Change, Owned};
use axum::extract::State;
use domain::ids::ChannelId;
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::view::ChannelView;
use super::words::UserEvent;
use crate::AppState;
use crate::auth::Caller;
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Empty, Envelope, ok};
use crate::http::error::ErrorEnvelope;
use crate::http::extract::{Body, IdPath};

/// A change of a channel; what is left out stays.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChannelChange {
    /// What is told over it.
    events: Option<Vec<UserEvent>>,
    /// Whether it is used; true also mends one that needs attention.
    on: Option<bool>,
}

/// An order of channels.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChannelOrder {
    /// First the one that is tried first; what is not named comes last.
    ids: Vec<Uuid>,
}

/// Changes what is told over a channel, and whether it is used.
#[utoipa::path(put, path = "/user/channels/{id}", tag = "channels", request_body = ChannelChange,
    params(("id" = Uuid, Path, description = "The channel")), responses(
    (status = 200, body = Envelope<ChannelView>), (status = 400, body = ErrorEnvelope), (status = 401, body = ErrorEnvelope),
    (status = 404, body = ErrorEnvelope),
    (status = 409, body = ErrorEnvelope, description = "`ILLEGAL_TRANSITION`: it has not been verified yet"),
    (status = 422, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn change_channel(
    State(app): State<AppState>,
    caller: Caller,
    IdPath(id): IdPath<ChannelId>,
    Body { value: input, .. }: Body<ChannelChange>,
) -> Answer<ChannelView> {
    let changed = detached(async move {
        let events = input.events.map(|events| events.into_iter().map(Into::into).collect());
        let change = Change { events, on: input.on };
        let mut tx = app.db.begin().await?;
        let channel = app::channels::change(&mut tx, Owned { user: caller.user, id }, &change).await?;
        tx.commit().await?;
        Ok(channel)
    });
    ok(changed.await?.into())
}

/// Puts the caller's channels in order.
#[utoipa::path(put, path = "/user/channels/order", tag = "channels", request_body = ChannelOrder, responses(
    (status = 200, body = Envelope<Vec<ChannelView>>), (status = 400, body = ErrorEnvelope), (status = 401, body = ErrorEnvelope),
    (status = 404, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn order_channels(
    State(app): State<AppState>,
    caller: Caller,
    Body { value: input, .. }: Body<ChannelOrder>,
) -> Answer<Vec<ChannelView>> {
    let ordered = detached(async move {
        let ids: Vec<ChannelId> =
            input.ids.into_iter().take(store::channel::AT_MOST).map(ChannelId).collect();
        let mut tx = app.db.begin().await?;
        let channels = app::channels::order(&mut tx, caller.user, &ids).await?;
        tx.commit().await?;
        Ok(channels)
    });
    ok(ordered.await?.into_iter().map(ChannelView::from).collect())
}

/// Forgets a channel with the address or key that opens it.
#[utoipa::path(delete, path = "/user/channels/{id}", tag = "channels",
    params(("id" = Uuid, Path, description = "The channel")), responses(
    (status = 200, body = Envelope<Empty>), (status = 401, body = ErrorEnvelope), (status = 404, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn remove_channel(
    State(app): State<AppState>,
    caller: Caller,
    IdPath(id): IdPath<ChannelId>,
) -> Answer<Empty> {
    detached(async move {
        let mut tx = app.db.begin().await?;
        app::channels::remove(&mut tx, caller.user, id).await?;
        Ok(tx.commit().await?)
    })
    .await?;
    ok(Empty {})
}

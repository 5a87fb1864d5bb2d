//! Endpoints `PUT /user/channels/{id}`, `DELETE /user/channels/{id}` and
//! `PUT /user/channels/order`.

use app::channels::{Change, OwnedChannel};
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

/// A change of a channel; absent fields stay as they are.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChannelChange {
    /// Events that are sent over the channel.
    events: Option<Vec<UserEvent>>,
    /// `true` to use the channel, `false` to switch it off. `true` also reactivates a channel that
    /// needs attention.
    on: Option<bool>,
}

/// An order of channels.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChannelOrder {
    /// Identifiers in the order in which the channels are tried; channels that are not listed come
    /// last.
    ids: Vec<Uuid>,
}

/// Changes the events of a channel, and switches it on or off.
#[utoipa::path(put, path = "/user/channels/{id}", tag = "channels", request_body = ChannelChange,
    params(("id" = Uuid, Path, description = "The channel")), responses(
    (status = 200, body = Envelope<ChannelView>), (status = 400, body = ErrorEnvelope), (status = 401, body = ErrorEnvelope),
    (status = 404, body = ErrorEnvelope),
    (status = 409, body = ErrorEnvelope, description = "`ILLEGAL_TRANSITION`: the channel has not been verified yet"),
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
        let channel = app::channels::change(&mut tx, OwnedChannel { user: caller.user, id }, &change).await?;
        tx.commit().await?;
        Ok(channel)
    });
    ok(changed.await?.into())
}

/// Sets the order of the caller's channels.
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
            input.ids.into_iter().take(store::channel::MAX_CHANNELS).map(ChannelId).collect();
        let mut tx = app.db.begin().await?;
        let channels = app::channels::order(&mut tx, caller.user, &ids).await?;
        tx.commit().await?;
        Ok(channels)
    });
    ok(ordered.await?.into_iter().map(ChannelView::from).collect())
}

/// Deletes a channel, with the stored address or key of its target.
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

//! Endpoint `POST /user/channels/link`: adds a channel that the user completes by opening a link at
//! its provider.

use std::time::Duration;

use app::channels::{self, OfferedLink, PROOF_LIFE};
use axum::extract::State;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use domain::channel::ChannelKind;
use providers::channels::linking::LinkError;
use providers::channels::outcome::Reason;
use qrcode::QrCode;
use qrcode::render::svg;
use serde::Deserialize;
use serde_json::json;
use store::channel::Channel;
use utoipa::ToSchema;

use super::context;
use super::send::refused;
use super::view::ChannelView;
use crate::AppState;
use crate::api::auth::guess_limits;
use crate::auth::{Caller, StepUp};
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope, Fields};
use crate::http::extract::{Body, ClientIp};
use crate::http::rate_limit::LimitedAction;

/// A channel to add by a link.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewLink {
    /// Kind of the channel.
    kind: LinkedKind,
    /// Consent to send messages to the named company, in its country.
    consent: bool,
}

/// Kind of a channel that is added by a link.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LinkedKind {
    /// A chat with the operator's bot.
    Telegram,
    /// A follower of the operator's app.
    WxPusher,
}

/// Adds a channel that waits ten minutes until its link is opened. Meanwhile the client should
/// request the list of channels every few seconds.
#[utoipa::path(post, path = "/user/channels/link", tag = "channels", request_body = NewLink, responses(
    (status = 200, body = Envelope<ChannelView>), (status = 400, body = ErrorEnvelope), (status = 401, body = ErrorEnvelope),
    (status = 403, body = ErrorEnvelope, description = "`STEP_UP_REQUIRED`"),
    (status = 409, body = ErrorEnvelope, description = "`CHANNEL_LIMIT`: the caller has the maximum number of channels"),
    (status = 422, body = ErrorEnvelope), (status = 429, body = ErrorEnvelope),
    (status = 502, body = ErrorEnvelope, description = "`CHANNEL_UNREACHABLE`"),
), security(("bearer" = [])))]
pub async fn link_channel(
    State(app): State<AppState>,
    StepUp(caller): StepUp,
    ClientIp(address): ClientIp,
    Body { value: input, .. }: Body<NewLink>,
) -> Answer<ChannelView> {
    if !input.consent {
        return Err(Fields::single("consent", "required"));
    }
    guess_limits::call(&app, LimitedAction::ChannelTest, Some(&caller.user.to_string()), address)?;
    let added = detached(async move {
        match input.kind {
            LinkedKind::Telegram => telegram(&app, caller).await,
            LinkedKind::WxPusher => wxpusher(&app, caller).await,
        }
    });
    ok(added.await?.into())
}

async fn telegram(app: &AppState, caller: Caller) -> Result<Channel, ApiError> {
    let bot = app.settings.channels.telegram_bot.clone();
    let bot = bot.filter(|_| app.channels.offers(ChannelKind::Telegram)).ok_or(Code::ChannelNotOffered)?;
    let token = hex::encode(app.random.bytes::<24>());
    let url = app.channels.telegram_link(&bot, &token).map_err(problem)?;
    let shown = json!({ "url": url, "qr": picture(&url) });
    add(app, caller, OfferedLink { kind: ChannelKind::Telegram, token: &token, shown }).await
}

/// Adds a WxPusher channel. WxPusher creates the code, so the code is requested only if the user
/// may add another channel.
async fn wxpusher(app: &AppState, caller: Caller) -> Result<Channel, ApiError> {
    if !app.channels.offers(ChannelKind::WxPusher) {
        return Err(Code::ChannelNotOffered.into());
    }
    let mut tx = app.db.begin().await?;
    channels::room(&context(app), &mut tx, caller.user).await?;
    tx.commit().await?;
    let valid = Duration::from_secs(PROOF_LIFE.num_seconds().unsigned_abs());
    let extra = hex::encode(app.random.bytes::<16>());
    let code = app.channels.wxpusher_code(&extra, valid).await.map_err(problem)?;
    let shown = json!({ "url": code.url, "qr": code.picture, "code": code.code });
    add(app, caller, OfferedLink { kind: ChannelKind::WxPusher, token: &code.code, shown }).await
}

async fn add(app: &AppState, caller: Caller, link: OfferedLink<'_>) -> Result<Channel, ApiError> {
    let mut tx = app.db.begin().await?;
    let channel = channels::add_with_link(&context(app), &mut tx, caller.user, link).await?;
    tx.commit().await?;
    Ok(channel)
}

fn problem(error: LinkError) -> ApiError {
    match error {
        LinkError::Operator(answer) => refused(Reason::Operator, &answer),
        LinkError::Taken => Code::ChannelUnreachable.into(),
        LinkError::Later { answer, .. } => {
            ApiError::new(Code::ChannelUnreachable).with_data(json!({ "answer": answer }))
        }
    }
}

/// Returns a QR code as a `data:` address.
fn picture(url: &str) -> Option<String> {
    let drawn = QrCode::new(url).ok()?.render::<svg::Color<'_>>().min_dimensions(200, 200).build();
    Some(format!("data:image/svg+xml;base64,{}", BASE64_STANDARD.encode(drawn)))
}

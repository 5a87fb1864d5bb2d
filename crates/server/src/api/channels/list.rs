//! Endpoint `GET /user/channels`.

use axum::extract::State;
use domain::channel::ChannelKind;
use serde::Serialize;
use store::channel::MAX_CHANNELS;
use strum::VariantArray as _;
use utoipa::ToSchema;

use super::setting::SettingView;
use super::view::ChannelView;
use super::words::AddedKind;
use crate::AppState;
use crate::auth::Caller;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope};

/// Notification channels of the caller, and the kinds of channels that this server offers.
#[derive(Serialize, ToSchema)]
pub struct Channels {
    /// Kinds of channels that this server offers.
    #[schema(value_type = Vec<AddedKind>)]
    offered: Vec<ChannelKind>,
    /// Mail, which is always on if the server has a mail server.
    email: MailChannel,
    /// Public key with which a browser subscribes to push messages.
    web_push_key: Option<String>,
    /// Name of the operator's Telegram bot.
    telegram_bot: Option<String>,
    /// Countries whose phone numbers are accepted, as two-letter codes.
    sms_countries: Vec<String>,
    /// Channels in the caller's order.
    channels: Vec<ChannelView>,
    /// Settings that apply to all channels.
    setting: SettingView,
    /// `false` if `setting` has the defaults, because the caller never chose.
    setting_chosen: bool,
    /// Maximum number of channels.
    at_most: usize,
}

/// The mail channel.
#[derive(Serialize, ToSchema)]
pub struct MailChannel {
    /// `true` if this server sends mail.
    on: bool,
    /// Address of the account.
    address: String,
}

/// Returns the caller's notification channels, and the kinds that this server offers.
#[utoipa::path(get, path = "/user/channels", tag = "channels", responses(
    (status = 200, body = Envelope<Channels>), (status = 401, body = ErrorEnvelope), (status = 503, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn list_channels(State(app): State<AppState>, caller: Caller) -> Answer<Channels> {
    let mut tx = app.db.read().await?;
    let user = store::user::get(&mut tx, caller.user).await?.ok_or(ApiError::new(Code::Unauthorized))?;
    let channels = store::channel::list(&mut tx, caller.user).await?;
    let setting = store::channel::setting(&mut tx, caller.user).await?;
    let setting_chosen = store::channel::is_setting_chosen(&mut tx, caller.user).await?;
    let offered = offered(&app);
    let settings = &app.settings.channels;
    let has = |kind: ChannelKind| offered.contains(&kind);
    ok(Channels {
        email: MailChannel { on: app.mail_configured(), address: user.email },
        web_push_key: app.channels.web_push_key(),
        telegram_bot: settings.telegram_bot.clone().filter(|_| has(ChannelKind::Telegram)),
        sms_countries: if has(ChannelKind::Sms) { settings.sms_countries.clone() } else { Vec::new() },
        channels: channels.into_iter().map(ChannelView::from).collect(),
        setting: setting.into(),
        setting_chosen,
        at_most: MAX_CHANNELS,
        offered,
    })
}

fn offered(app: &AppState) -> Vec<ChannelKind> {
    ChannelKind::VARIANTS.iter().copied().filter(|kind| app.channels.offers(*kind)).collect()
}

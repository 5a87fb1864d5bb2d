//! `GET /user/channels`.

use axum::extract::State;
use domain::channel::ChannelKind;
use serde::Serialize;
use store::channel::AT_MOST;
use strum::VariantArray as _;
use utoipa::ToSchema;

use super::setting::SettingView;
use super::view::ChannelView;
use super::words::AddedKind;
use crate::AppState;
use crate::auth::Caller;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope};

/// The ways by which the caller is and can be reached.
#[derive(Serialize, ToSchema)]
pub struct Channels {
    /// What this server can send over.
    #[schema(value_type = Vec<AddedKind>)]
    offered: Vec<ChannelKind>,
    /// Mail, which is always on where there is a mail server.
    email: MailChannel,
    /// The key that browsers subscribe with.
    web_push_key: Option<String>,
    /// The bot's name at Telegram.
    telegram_bot: Option<String>,
    /// Countries whose numbers may be added, as two letters.
    sms_countries: Vec<String>,
    /// In the caller's order.
    channels: Vec<ChannelView>,
    /// What holds for all of them.
    setting: SettingView,
    /// How many the caller may have.
    at_most: usize,
}

/// Mail.
#[derive(Serialize, ToSchema)]
pub struct MailChannel {
    /// Whether this server sends mail.
    on: bool,
    /// The account's address.
    address: String,
}

/// The caller's notification channels, and what this server offers.
#[utoipa::path(get, path = "/user/channels", tag = "channels", responses(
    (status = 200, body = Envelope<Channels>), (status = 401, body = ErrorEnvelope), (status = 503, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn list_channels(State(app): State<AppState>, caller: Caller) -> Answer<Channels> {
    let mut tx = app.db.read().await?;
    let user = store::user::get(&mut tx, caller.user).await?.ok_or(ApiError::new(Code::Unauthorized))?;
    let channels = store::channel::list(&mut tx, caller.user).await?;
    let setting = store::channel::setting(&mut tx, caller.user).await?;
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
        at_most: AT_MOST,
        offered,
    })
}

fn offered(app: &AppState) -> Vec<ChannelKind> {
    ChannelKind::VARIANTS.iter().copied().filter(|kind| app.channels.offers(*kind)).collect()
}

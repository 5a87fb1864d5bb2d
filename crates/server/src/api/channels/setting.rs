//! Endpoint `PUT /user/notifications`: settings that apply to all channels.

use axum::extract::State;
use chrono::NaiveTime;
use chrono_tz::Tz;
use domain::channel::setting::{Digest, QuietHours, Setting};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::AppState;
use crate::auth::Caller;
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{ApiError, ErrorEnvelope, Fields};
use crate::http::extract::Body;

/// Settings that apply to all channels.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NotificationSetting)]
pub struct SettingView {
    /// Start of the quiet hours, `HH:MM` in `zone`; null without quiet hours.
    quiet_from: Option<String>,
    /// End of the quiet hours, `HH:MM` in `zone`.
    quiet_to: Option<String>,
    /// Time zone of the tz database, for example `America/Toronto`.
    zone: String,
    /// `true` to send ask-first questions in quiet hours too.
    questions_at_night: bool,
    /// Frequency of the digest. It is sent in the morning after quiet hours.
    digest: Digest,
}

impl From<Setting> for SettingView {
    fn from(setting: Setting) -> Self {
        let time = |time: NaiveTime| time.format("%H:%M").to_string();
        Self {
            quiet_from: setting.quiet.map(|quiet| time(quiet.from)),
            quiet_to: setting.quiet.map(|quiet| time(quiet.to)),
            zone: setting.zone.name().to_owned(),
            questions_at_night: setting.questions_at_night,
            digest: setting.digest,
        }
    }
}

impl SettingView {
    fn read(&self) -> Result<Setting, ApiError> {
        let mut wrong = Fields::default();
        let mut time = |field: &'static str, text: &Option<String>| {
            let text = text.as_ref()?;
            let read = NaiveTime::parse_from_str(text, "%H:%M").ok();
            if read.is_none() {
                wrong.add(field, "not_a_time");
            }
            read
        };
        let (from, to) = (time("quiet_from", &self.quiet_from), time("quiet_to", &self.quiet_to));
        let zone: Option<Tz> = self.zone.parse().ok();
        if zone.is_none() {
            wrong.add("zone", "unknown");
        }
        if self.quiet_from.is_some() != self.quiet_to.is_some() {
            wrong.add("quiet_to", "needs_both");
        }
        wrong.none()?;
        Ok(Setting {
            quiet: from.zip(to).map(|(from, to)| QuietHours { from, to }),
            zone: zone.unwrap_or(Setting::default().zone),
            questions_at_night: self.questions_at_night,
            digest: self.digest,
        })
    }
}

/// Sets the quiet hours, questions in quiet hours, and the digest.
#[utoipa::path(put, path = "/user/notifications", tag = "channels", request_body = SettingView, responses(
    (status = 200, body = Envelope<SettingView>), (status = 400, body = ErrorEnvelope), (status = 401, body = ErrorEnvelope),
    (status = 422, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn set_notifications(
    State(app): State<AppState>,
    caller: Caller,
    Body { value: input, .. }: Body<SettingView>,
) -> Answer<SettingView> {
    let setting = input.read()?;
    detached(async move {
        let mut tx = app.db.begin().await?;
        app::channels::set_setting(&super::context(&app), &mut tx, caller.user, &setting).await?;
        Ok(tx.commit().await?)
    })
    .await?;
    ok(setting.into())
}

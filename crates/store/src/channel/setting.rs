//! Notification settings that apply to all channels of a user.

use chrono::NaiveTime;
use domain::channel::setting::{QuietHours, Setting};
use domain::clock::Instant;
use domain::ids::UserId;

use crate::task::{parse_stored, time_text};
use crate::{Error, Tx, exec, one, scalar};

#[derive(sqlx::FromRow)]
struct SettingRow {
    quiet_from: Option<String>,
    quiet_to: Option<String>,
    zone: String,
    questions_at_night: bool,
    digest: String,
}

/// Returns a user's settings for all channels, or the defaults if the user has none.
pub async fn setting(tx: &mut Tx, user: UserId) -> Result<Setting, Error> {
    let row = one!(
        tx,
        SettingRow,
        "SELECT quiet_from, quiet_to, zone, questions_at_night, digest FROM notification_setting WHERE user_id = $1",
        user.0
    )?;
    let Some(row) = row else { return Ok(Setting::default()) };
    let time = |text: String| {
        NaiveTime::parse_from_str(&text, "%H:%M").map_err(|_| Error::Corrupt("notification_setting.quiet"))
    };
    let quiet = match row.quiet_from.zip(row.quiet_to) {
        Some((from, to)) => Some(QuietHours { from: time(from)?, to: time(to)? }),
        None => None,
    };
    Ok(Setting {
        quiet,
        zone: parse_stored("notification_setting.zone", &row.zone)?,
        questions_at_night: row.questions_at_night,
        digest: parse_stored("notification_setting.digest", &row.digest)?,
    })
}

/// Returns `true` if the user has chosen the settings, `false` if they are the defaults.
pub async fn is_setting_chosen(tx: &mut Tx, user: UserId) -> Result<bool, Error> {
    let rows = scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM notification_setting WHERE user_id = $1 AND NOT is_default",
        user.0
    )?;
    Ok(rows > 0)
}

/// Stores the settings that a user has chosen for all channels.
pub async fn set_setting(tx: &mut Tx, user: UserId, setting: &Setting, now: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "INSERT INTO notification_setting (user_id, quiet_from, quiet_to, zone, questions_at_night, digest, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (user_id) DO UPDATE SET quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to,
           zone = excluded.zone, questions_at_night = excluded.questions_at_night, digest = excluded.digest,
           updated_at = excluded.updated_at, is_default = FALSE",
        user.0,
        setting.quiet.map(|quiet| time_text(quiet.from)),
        setting.quiet.map(|quiet| time_text(quiet.to)),
        setting.zone.name(),
        setting.questions_at_night,
        <&str>::from(setting.digest),
        now
    )?;
    Ok(())
}

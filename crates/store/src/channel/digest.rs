//! Users who want a digest, and the times of their last digests.

use chrono::{DateTime, Utc};
use domain::channel::setting::Setting;
use domain::clock::Instant;
use domain::ids::UserId;
use uuid::Uuid;

use crate::{Error, Tx, all, exec};

/// User who wants a digest.
#[derive(Clone, Copy, Debug)]
pub struct DigestWanted {
    /// Id of the user.
    pub user: UserId,
    /// Digest frequency and time.
    pub setting: Setting,
    /// Time of the last digest.
    pub last: Option<Instant>,
}

/// Returns all users who want a digest. Users without settings get the default one, if their
/// address is verified and one of their tasks is running.
pub async fn wanted(tx: &mut Tx) -> Result<Vec<DigestWanted>, Error> {
    let rows = all!(
        tx,
        (Uuid, Option<DateTime<Utc>>),
        "SELECT s.user_id, s.digested_at FROM notification_setting s JOIN users u ON u.id = s.user_id
         WHERE s.digest <> 'off' AND (NOT s.is_default OR u.email_verified_at IS NOT NULL) ORDER BY s.user_id"
    )?;
    let mut wanted = Vec::with_capacity(rows.len());
    for (user, last) in rows {
        let user = UserId(user);
        wanted.push(DigestWanted { user, setting: super::setting(tx, user).await?, last });
    }
    let without_settings = all!(
        tx,
        (Uuid,),
        "SELECT id FROM users WHERE email_verified_at IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM notification_setting s WHERE s.user_id = users.id)
           AND EXISTS (SELECT 1 FROM task WHERE task.user_id = users.id AND task.deleted_at IS NULL
             AND task.status IN ('submitted', 'processing', 'active')) ORDER BY id"
    )?;
    let default = |(user,)| DigestWanted { user: UserId(user), setting: Setting::default(), last: None };
    wanted.extend(without_settings.into_iter().map(default));
    Ok(wanted)
}

/// Records that a digest was made. Returns `false` if another was made since, or the user turned
/// digests off. The caller holds the user's lock.
pub async fn made(tx: &mut Tx, wanted: &DigestWanted, now: Instant) -> Result<bool, Error> {
    insert_default(tx, wanted.user, now).await?;
    let sql = tx.pick(
        "UPDATE notification_setting SET digested_at = $3
         WHERE user_id = $1 AND digested_at IS $2 AND digest <> 'off'",
        "UPDATE notification_setting SET digested_at = $3
         WHERE user_id = $1 AND digested_at IS NOT DISTINCT FROM $2 AND digest <> 'off'",
    );
    Ok(exec!(tx, sql, wanted.user.0, wanted.last, now)? == 1)
}

/// Inserts the default settings of a user who has none.
async fn insert_default(tx: &mut Tx, user: UserId, now: Instant) -> Result<(), Error> {
    let Setting { zone, questions_at_night, digest, .. } = Setting::default();
    exec!(
        tx,
        "INSERT INTO notification_setting (user_id, zone, questions_at_night, digest, updated_at, is_default)
         VALUES ($1, $2, $3, $4, $5, TRUE) ON CONFLICT (user_id) DO NOTHING",
        user.0,
        zone.name(),
        questions_at_night,
        <&str>::from(digest),
        now
    )?;
    Ok(())
}

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

/// Returns all users who want a digest.
pub async fn wanted(tx: &mut Tx) -> Result<Vec<DigestWanted>, Error> {
    let rows = all!(
        tx,
        (Uuid, Option<DateTime<Utc>>),
        "SELECT user_id, digested_at FROM notification_setting WHERE digest <> 'off' ORDER BY user_id"
    )?;
    let mut wanted = Vec::with_capacity(rows.len());
    for (user, last) in rows {
        let user = UserId(user);
        wanted.push(DigestWanted { user, setting: super::setting(tx, user).await?, last });
    }
    Ok(wanted)
}

/// Records that a digest was made. Returns `false` if another was made since, or the user turned
/// digests off.
pub async fn made(tx: &mut Tx, wanted: &DigestWanted, now: Instant) -> Result<bool, Error> {
    let sql = tx.pick(
        "UPDATE notification_setting SET digested_at = $3
         WHERE user_id = $1 AND digested_at IS $2 AND digest <> 'off'",
        "UPDATE notification_setting SET digested_at = $3
         WHERE user_id = $1 AND digested_at IS NOT DISTINCT FROM $2 AND digest <> 'off'",
    );
    Ok(exec!(tx, sql, wanted.user.0, wanted.last, now)? == 1)
}

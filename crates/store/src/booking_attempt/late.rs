//! Attempts that seem not to have booked, read again for a week: see [`domain::booking::next_late_reading`].

use chrono::{DateTime, Utc};
use domain::booking::{AttemptState, Observation, next_late_reading};
use domain::clock::Instant;
use domain::country::CountryCode;
use domain::ids::{AttemptId, PortalAccountId, PortalScheduleId};
use serde_json::json;
use uuid::Uuid;

use super::{BookingAttempt, Row, get};
use crate::{Error, Tx, all, exec, one, scalar};

/// When an attempt that is settled as `to` now is read late for the first time.
pub(super) async fn first(
    tx: &mut Tx,
    id: AttemptId,
    to: AttemptState,
    now: Instant,
) -> Result<Option<Instant>, Error> {
    if !matches!(to, AttemptState::Refused | AttemptState::NotBooked | AttemptState::Manual) {
        return Ok(None);
    }
    let sent = get(tx, id).await?.filter(BookingAttempt::was_sent);
    Ok(sent.and_then(|attempt| attempt.t0).and_then(|t0| next_late_reading(t0, now)))
}

/// Attempts whose late reading is due, with their logins, the longest due first. Those whose POST ended before `since`
/// count no more, and are forgotten.
pub async fn due(
    tx: &mut Tx,
    (now, since): (Instant, Instant),
) -> Result<Vec<(AttemptId, PortalAccountId)>, Error> {
    exec!(
        tx,
        "UPDATE intent SET next_read_at = NULL WHERE next_read_at IS NOT NULL AND t0 <= $1
           AND state IN ('refused', 'not_booked', 'manual')",
        since
    )?;
    let rows = all!(
        tx,
        (Uuid, Uuid),
        "SELECT id, portal_account_id FROM intent WHERE next_read_at <= $1
           AND state IN ('refused', 'not_booked', 'manual') ORDER BY next_read_at, id LIMIT 100",
        now
    )?;
    Ok(rows.into_iter().map(|(id, account)| (AttemptId(id), PortalAccountId(account))).collect())
}

/// When the next late reading of all is due.
pub async fn next(tx: &mut Tx) -> Result<Option<Instant>, Error> {
    scalar!(
        tx,
        Option<DateTime<Utc>>,
        "SELECT MIN(next_read_at) FROM intent
         WHERE next_read_at IS NOT NULL AND state IN ('refused', 'not_booked', 'manual')"
    )
}

/// A group's attempts that are read late, the newest first: one poll at its pages answers for all.
pub async fn of_group(
    tx: &mut Tx,
    country: CountryCode,
    group: &PortalScheduleId,
) -> Result<Vec<BookingAttempt>, Error> {
    all!(
        tx,
        Row,
        "SELECT * FROM intent WHERE country = $1 AND portal_schedule_id = $2 AND next_read_at IS NOT NULL
           AND state IN ('refused', 'not_booked', 'manual') ORDER BY t0 DESC",
        country.as_str(),
        group.0.clone()
    )?
    .into_iter()
    .map(BookingAttempt::try_from)
    .collect()
}

/// Records a late reading, if there was one, and when the next one is.
pub async fn read(
    tx: &mut Tx,
    attempt: &BookingAttempt,
    reading: Option<Observation>,
    next: Option<Instant>,
) -> Result<(), Error> {
    let readings: Vec<Observation> = attempt.readings.iter().copied().chain(reading).collect();
    exec!(
        tx,
        "UPDATE intent SET readings = $2, next_read_at = $3
         WHERE id = $1 AND state IN ('refused', 'not_booked', 'manual')",
        attempt.id.0,
        json!({ "readings": readings }),
        next
    )?;
    Ok(())
}

/// Whether a later attempt of the group was confirmed: what its pages show then is not this one's doing.
pub async fn is_overtaken(tx: &mut Tx, attempt: &BookingAttempt) -> Result<bool, Error> {
    let later = one!(
        tx,
        (i64,),
        "SELECT CAST(1 AS BIGINT) FROM intent
         WHERE country = $1 AND portal_schedule_id = $2 AND state = 'confirmed' AND t0 > $3 LIMIT 1",
        attempt.country.as_str(),
        attempt.portal_schedule_id.0.clone(),
        attempt.t0
    )?;
    Ok(later.is_some())
}

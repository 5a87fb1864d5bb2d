//! Late readings, for a week, of attempts that seem not to have booked: see
//! [`domain::booking::next_late_reading`].

use chrono::{DateTime, Utc};
use domain::booking::{AttemptState, Observation, next_late_reading};
use domain::clock::Instant;
use domain::country::CountryCode;
use domain::ids::{AttemptId, PortalAccountId, PortalScheduleId};
use serde_json::json;
use uuid::Uuid;

use super::{BookingAttempt, Row, get};
use crate::{Error, Tx, all, exec, one, scalar};

/// Returns the time of the first late reading of an attempt that is settled as `to` now.
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

/// Returns attempts with a due late reading, longest due first, with their portal accounts. Cancels
/// the late readings of attempts whose POST ended before `since`.
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

/// Returns the time of the next late reading of all attempts.
pub async fn next(tx: &mut Tx) -> Result<Option<Instant>, Error> {
    scalar!(
        tx,
        Option<DateTime<Utc>>,
        "SELECT MIN(next_read_at) FROM intent
         WHERE next_read_at IS NOT NULL AND state IN ('refused', 'not_booked', 'manual')"
    )
}

/// Returns a group's attempts with pending late readings, newest first. One reading of the group's
/// pages serves all of them.
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

/// Records a late reading, if there was one, and the time of the next one.
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

/// Returns `true` if a later attempt of the group was confirmed. This attempt did not cause what
/// the pages show then.
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

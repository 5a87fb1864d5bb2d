//! Adjustment of rows after a clock was set: due times and reference times move with the clock.

use chrono::{DateTime, TimeDelta, Utc};
use domain::clock::Instant;
use serde_json::json;
use uuid::Uuid;

use crate::{Error, Tx, all, exec};

/// Moves the reference times of open bookings by `by`, and clears due times that belong to the old
/// clock.
///
/// `(portal, wall)` are the current times of the clocks. Confirmed bookings still count for `lag`.
pub async fn shift(
    tx: &mut Tx,
    by: TimeDelta,
    (portal, wall): (Instant, Instant),
    lag: TimeDelta,
) -> Result<(), Error> {
    for attempt in crate::booking_attempt::live(tx).await? {
        let readings: Vec<_> = attempt
            .readings
            .into_iter()
            .map(|reading| domain::booking::Observation { at: reading.at + by, ..reading })
            .collect();
        exec!(
            tx,
            "UPDATE intent SET t0 = $2, next_read_at = $3, readings = $4 WHERE id = $1",
            attempt.id.0,
            attempt.t0.map(|at| at + by),
            attempt.next_read_at.map(|at| at + by),
            json!({ "readings": readings })
        )?;
    }
    let late = all!(
        tx,
        (Uuid, DateTime<Utc>, DateTime<Utc>),
        "SELECT id, t0, next_read_at FROM intent
         WHERE next_read_at IS NOT NULL AND state IN ('refused', 'not_booked', 'manual')"
    )?;
    for (id, t0, next) in late {
        exec!(tx, "UPDATE intent SET t0 = $2, next_read_at = $3 WHERE id = $1", id, t0 + by, next + by)?;
    }
    let confirmed = all!(
        tx,
        (Uuid, DateTime<Utc>),
        "SELECT id, t0 FROM intent WHERE state = 'confirmed' AND t0 > $1",
        portal - by - lag
    )?;
    for (id, t0) in confirmed {
        exec!(tx, "UPDATE intent SET t0 = $2 WHERE id = $1", id, t0 + by)?;
    }
    if by < TimeDelta::zero() {
        exec!(tx, "UPDATE task SET next_try_at = NULL WHERE next_try_at > $1", portal - by)?;
        exec!(tx, "UPDATE portal_account SET visited_at = $1 WHERE visited_at > $1", portal)?;
        exec!(tx, "UPDATE calendar SET next_look_at = NULL WHERE next_look_at > $1", portal - by)?;
        exec!(
            tx,
            "UPDATE outbox SET due_at = $1 WHERE due_at > $1 AND delivered_at IS NULL AND dead_at IS NULL",
            wall
        )?;
        exec!(tx, "UPDATE mail_request SET due_at = $1 WHERE due_at > $1 AND resolved_at IS NULL", wall)?;
    }
    Ok(())
}

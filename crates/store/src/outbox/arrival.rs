//! Text messages after their provider took them: what the network reports, and what a day of them costs.

use chrono::{Days, NaiveDate};
use domain::channel::ChannelKind;
use domain::clock::Instant;
use domain::ids::{ChannelId, OutboxId};
use uuid::Uuid;

use crate::{Error, Tx, exec, one, scalar};

/// Days that are kept.
const DAYS_KEPT: u64 = 90;

/// What the network says of a text message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival<'a> {
    /// It is on the phone.
    Arrived,
    /// It never will be, for this reason of the network's.
    Lost(&'a str),
}

/// Keeps what the network reports; returns the channel the first time that it reports this. Reports come twice and in any order:
/// one that arrived stays arrived.
pub async fn report(
    tx: &mut Tx,
    id: OutboxId,
    arrival: Arrival<'_>,
    now: Instant,
) -> Result<Option<ChannelId>, Error> {
    let (arrived, lost) = match arrival {
        Arrival::Arrived => (Some(now), None),
        Arrival::Lost(why) => (None, Some(why.to_owned())),
    };
    let rows = exec!(
        tx,
        "UPDATE outbox SET arrived_at = $2, not_arrived = $3
         WHERE id = $1 AND channel_kind = $4 AND arrived_at IS NULL AND ($2 IS NOT NULL OR not_arrived IS NULL)",
        id.0,
        arrived,
        lost,
        <&str>::from(ChannelKind::Sms)
    )?;
    if rows == 0 {
        return Ok(None);
    }
    let sql = "SELECT channel_id FROM outbox WHERE id = $1";
    Ok(one!(tx, (Option<Uuid>,), sql, id.0)?.and_then(|(channel,)| channel).map(ChannelId))
}

/// A day's ceiling for text messages, in tenths of a cent.
#[derive(Clone, Copy, Debug)]
pub struct Ceiling {
    /// The day, in UTC.
    pub day: NaiveDate,
    /// What all of them may cost.
    pub most: i64,
}

/// Takes what a text message costs out of its day; false where the ceiling is reached, which is counted.
pub async fn spend(tx: &mut Tx, ceiling: Ceiling, cost: i64) -> Result<bool, Error> {
    let Ceiling { day, most } = ceiling;
    let sql = "INSERT INTO sms_day (day, spent, refused) VALUES ($1, 0, 0) ON CONFLICT (day) DO NOTHING";
    if exec!(tx, sql, day)? == 1 {
        exec!(tx, "DELETE FROM sms_day WHERE day < $1", day - Days::new(DAYS_KEPT))?;
    }
    let sql = "UPDATE sms_day SET spent = spent + $2 WHERE day = $1 AND spent + $2 <= $3";
    if exec!(tx, sql, day, cost, most)? == 1 {
        return Ok(true);
    }
    exec!(tx, "UPDATE sms_day SET refused = refused + 1 WHERE day = $1", day)?;
    Ok(false)
}

/// How many text messages the day's ceiling has kept from being sent.
pub async fn refused(tx: &mut Tx, day: NaiveDate) -> Result<i64, Error> {
    scalar!(tx, i64, "SELECT CAST(COALESCE(SUM(refused), 0) AS BIGINT) FROM sms_day WHERE day = $1", day)
}

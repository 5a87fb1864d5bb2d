//! Text messages after their provider accepted them: delivery reports of the network, and the cost
//! per day.

use chrono::{Days, NaiveDate};
use domain::channel::ChannelKind;
use domain::clock::Instant;
use domain::ids::{ChannelId, OutboxId};
use uuid::Uuid;

use crate::{Error, Tx, exec, one, scalar};

/// Number of days whose costs are kept.
const DAYS_KEPT: u64 = 90;

/// Delivery report of the network for a text message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival<'a> {
    /// The message is on the phone.
    Arrived,
    /// The message will not arrive, with the network's reason.
    Lost(&'a str),
}

/// Stores a delivery report. Returns the channel if this report is new. Reports may repeat and come
/// in any order: an arrived message stays arrived.
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

/// Cost limit of a day for text messages, in tenths of a cent.
#[derive(Clone, Copy, Debug)]
pub struct Ceiling {
    /// Date in UTC.
    pub day: NaiveDate,
    /// Maximum total cost of that day.
    pub most: i64,
}

/// Adds the cost of a text message to its day. Returns `false` if it would exceed the limit, and
/// counts the refusal.
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

/// Returns the number of text messages that the day's limit refused.
pub async fn refused(tx: &mut Tx, day: NaiveDate) -> Result<i64, Error> {
    scalar!(tx, i64, "SELECT CAST(COALESCE(SUM(refused), 0) AS BIGINT) FROM sms_day WHERE day = $1", day)
}

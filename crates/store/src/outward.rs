//! Limits of all nodes together on requests to a portal host: pace and places of verifications,
//! their tokens, pauses.

use chrono::{DateTime, TimeDelta, Utc};
use domain::clock::Instant;
use uuid::Uuid;

use crate::{Error, Tx, exec, one, scalar};

/// Host name of a pause that applies to every host.
pub const EVERY_HOST: &str = "*";

/// Pace of verifications over all nodes: a leaky bucket whose state is one instant.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Average interval between two verifications.
    pub every: TimeDelta,
    /// Number that may begin at once after a quiet time.
    pub at_once: i32,
}

/// Pause by an operator.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Pause {
    /// Start of the pause.
    pub at: DateTime<Utc>,
    /// Operator's reason.
    pub why: String,
}

/// State of a host that a node needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Host {
    /// Pause by an operator.
    pub pause: Option<Pause>,
    /// Time before which no request is sent (portal time).
    pub not_before: Option<Instant>,
    /// Number of tokens reserved for verifications on other nodes.
    pub spare: i64,
    /// `true` if a verification on another node waits for tokens.
    pub wanted: bool,
}

/// Pauses a host, or [`EVERY_HOST`]. Returns `false` if it is paused already. Waits for
/// transactions that called [`paused_at_last`], so that every transaction that commits later has
/// seen the pause.
pub async fn pause(tx: &mut Tx, host: &str, now: Instant, why: &str) -> Result<bool, Error> {
    crate::lock::exclusive(tx, PAUSING).await?;
    let rows = exec!(
        tx,
        "INSERT INTO portal_pause (host, at, why) VALUES ($1, $2, $3) ON CONFLICT (host) DO NOTHING",
        host.to_owned(),
        now,
        why.to_owned()
    )?;
    Ok(rows > 0)
}

/// Ends the pause of a host, or all pauses for [`EVERY_HOST`]. Also clears back-offs after failures
/// or at the host's request. Returns the number of ended pauses.
pub async fn resume(tx: &mut Tx, host: &str) -> Result<u64, Error> {
    exec!(
        tx,
        "UPDATE portal_host SET not_before = NULL WHERE host = $1 OR $1 = $2",
        host.to_owned(),
        EVERY_HOST
    )?;
    exec!(tx, "DELETE FROM portal_pause WHERE host = $1 OR $1 = $2", host.to_owned(), EVERY_HOST)
}

/// Returns the pause of a host, its own or the one of every host; the older one if there are both.
pub async fn paused(tx: &mut Tx, host: &str) -> Result<Option<Pause>, Error> {
    one!(
        tx,
        Pause,
        "SELECT at, why FROM portal_pause WHERE host IN ($1, $2) ORDER BY at LIMIT 1",
        host.to_owned(),
        EVERY_HOST
    )
}

/// Returns the pause of a host, for a transaction that commits to sending. No pause is written
/// before that transaction ends.
pub async fn paused_at_last(tx: &mut Tx, host: &str) -> Result<Option<Pause>, Error> {
    crate::lock::shared(tx, PAUSING).await?;
    paused(tx, host).await
}

/// Lock key that [`pause`] holds while it writes.
const PAUSING: Uuid = Uuid::from_u128(0x7061_7573_696e_6700_0000_0000_0000_0001);

/// Returns every pause: the host, its start and its reason.
pub async fn pauses(tx: &mut Tx) -> Result<Vec<(String, Instant, String)>, Error> {
    crate::all!(tx, (String, DateTime<Utc>, String), "SELECT host, at, why FROM portal_pause ORDER BY host")
}

/// Returns the start of the oldest pause, and the end of the host's back-off (portal time). An
/// installation has one host, which [`crate::node`] enforces for every node.
pub async fn waits(tx: &mut Tx) -> Result<(Option<Instant>, Option<Instant>), Error> {
    let row = one!(
        tx,
        (Option<DateTime<Utc>>, Option<DateTime<Utc>>),
        "SELECT (SELECT MIN(at) FROM portal_pause) AS paused_since,
           (SELECT MAX(not_before) FROM portal_host) AS not_before"
    )?;
    row.ok_or(Error::Corrupt("portal_host"))
}

/// Returns the state of a host.
pub async fn host(tx: &mut Tx, host: &str) -> Result<Host, Error> {
    let row = one!(
        tx,
        (i64, bool, Option<DateTime<Utc>>),
        "SELECT spare, wanted, not_before FROM portal_host WHERE host = $1",
        host.to_owned()
    )?;
    let (spare, wanted, not_before) = row.unwrap_or_default();
    Ok(Host { pause: paused(tx, host).await?, not_before, spare, wanted })
}

/// Sets the end of a host's back-off, or clears it with `None`.
pub async fn hold_off(tx: &mut Tx, host: &str, until: Option<Instant>, now: Instant) -> Result<(), Error> {
    ensure(tx, host, now).await?;
    exec!(tx, "UPDATE portal_host SET not_before = $2 WHERE host = $1", host.to_owned(), until)?;
    Ok(())
}

/// Lets a verification begin. Otherwise returns its wait, and the caller must roll back. Concurrent
/// calls for the same host wait for this transaction.
pub async fn begin_verification(
    tx: &mut Tx,
    host: &str,
    pace: Pace,
    now: Instant,
) -> Result<Result<(), TimeDelta>, Error> {
    let before = ensure(tx, host, now).await?;
    let earliest = before - pace.every * (pace.at_once - 1);
    if earliest > now {
        return Ok(Err(earliest - now));
    }
    exec!(
        tx,
        "UPDATE portal_host SET verify_at = $2 WHERE host = $1",
        host.to_owned(),
        before.max(now) + pace.every
    )?;
    Ok(Ok(()))
}

/// Inserts the host's row on first use and locks it until the transaction ends. Returns the time at
/// which a verification may begin.
async fn ensure(tx: &mut Tx, host: &str, now: Instant) -> Result<Instant, Error> {
    // The update changes nothing. It takes the row lock that PostgreSQL needs, in SQL that both
    // databases accept.
    scalar!(
        tx,
        DateTime<Utc>,
        "INSERT INTO portal_host (host, verify_at) VALUES ($1, $2)
         ON CONFLICT (host) DO UPDATE SET host = excluded.host RETURNING verify_at",
        host.to_owned(),
        now
    )
}

/// Acquires one of `places` places until it is released or `until` has passed. Returns `false` if
/// all are taken.
pub async fn take_place(
    tx: &mut Tx,
    host: &str,
    places: i64,
    holder: Uuid,
    (now, until): (Instant, Instant),
) -> Result<bool, Error> {
    exec!(tx, "DELETE FROM verify_place WHERE host = $1 AND until <= $2", host.to_owned(), now)?;
    for place in 0..places {
        let taken = exec!(
            tx,
            "INSERT INTO verify_place (host, place, holder, until) VALUES ($1, $2, $3, $4)
             ON CONFLICT (host, place) DO NOTHING",
            host.to_owned(),
            place,
            holder,
            until
        )?;
        if taken > 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Releases the place of a holder.
pub async fn leave_place(tx: &mut Tx, holder: Uuid) -> Result<(), Error> {
    exec!(tx, "DELETE FROM verify_place WHERE holder = $1", holder)?;
    Ok(())
}

/// Takes tokens that the engine's node reserved. Returns `false` if there are too few.
pub async fn lease(tx: &mut Tx, host: &str, tokens: i64) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "UPDATE portal_host SET spare = spare - $2, wanted = FALSE WHERE host = $1 AND spare >= $2",
        host.to_owned(),
        tokens
    )?;
    Ok(rows > 0)
}

/// Records that a verification waits for tokens.
pub async fn want(tx: &mut Tx, host: &str, now: Instant) -> Result<(), Error> {
    ensure(tx, host, now).await?;
    exec!(tx, "UPDATE portal_host SET wanted = TRUE WHERE host = $1", host.to_owned())?;
    Ok(())
}

/// Reserves tokens, or returns tokens that were taken and not spent.
pub async fn set_aside(tx: &mut Tx, host: &str, tokens: i64) -> Result<(), Error> {
    exec!(tx, "UPDATE portal_host SET spare = spare + $2 WHERE host = $1", host.to_owned(), tokens)?;
    Ok(())
}

/// User, login and address of a verification, each as a keyed hash.
#[derive(Clone, Copy, Debug)]
pub struct VerifyRequest {
    /// Hash of the user.
    pub who: [u8; 32],
    /// Hash of the login name at the portal.
    pub login: [u8; 32],
    /// Hash of the address.
    pub address: [u8; 32],
    /// Hash of the subnet of the address.
    pub subnet: [u8; 32],
}

/// Limits of verifications, over all nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Verifications by one user in an hour.
    pub user_hour: i64,
    /// Different logins verified by one user in a day.
    pub logins_of_user_day: i64,
    /// Verifications from one address in an hour.
    pub address_hour: i64,
    /// Verifications from one subnet (/24, /48) in an hour.
    pub subnet_hour: i64,
}

/// Exceeded limit of a verification, with the wait until another may succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverLimit {
    /// Too many verifications within an hour.
    Hour(TimeDelta),
    /// Too many different logins within a day.
    Logins(TimeDelta),
}

/// Counts a verification before it is made. Otherwise returns the exceeded limit, and the caller
/// must roll back. Concurrent calls are counted one after the other.
pub async fn count_verification(
    tx: &mut Tx,
    id: Uuid,
    asked: &VerifyRequest,
    limits: &Limits,
    now: Instant,
) -> Result<Result<(), OverLimit>, Error> {
    // One at a time over all users: verifications are rare, and the limits of a user, an address
    // and a subnet overlap.
    crate::lock::exclusive(tx, COUNTING).await?;
    let (hour, day) = (TimeDelta::hours(1), TimeDelta::days(1));
    let left = |oldest: Option<DateTime<Utc>>, window: TimeDelta| {
        oldest.map_or(window, |at| (at + window - now).max(TimeDelta::seconds(1)))
    };
    let since = now - hour;
    let counted = [
        (count(tx, OF_USER, asked.who, since).await?, limits.user_hour),
        (count(tx, OF_ADDRESS, asked.address, since).await?, limits.address_hour),
        (count(tx, OF_SUBNET, asked.subnet, since).await?, limits.subnet_hour),
    ];
    let over = counted.into_iter().filter(|((number, _), most)| number >= most);
    if let Some(wait) = over.map(|((_, oldest), _)| left(oldest, hour)).max() {
        return Ok(Err(OverLimit::Hour(wait)));
    }
    let others = one!(
        tx,
        (i64, Option<DateTime<Utc>>),
        "SELECT COUNT(DISTINCT login), MIN(at) FROM verification WHERE who = $1 AND at > $2 AND login <> $3
           AND NOT EXISTS (SELECT 1 FROM verification own WHERE own.who = $1 AND own.at > $2 AND own.login = $3)",
        asked.who.to_vec(),
        now - day,
        asked.login.to_vec()
    )?;
    let (others, oldest) = others.unwrap_or_default();
    if others >= limits.logins_of_user_day {
        return Ok(Err(OverLimit::Logins(left(oldest, day))));
    }
    exec!(
        tx,
        "INSERT INTO verification (id, at, who, login, address, subnet) VALUES ($1, $2, $3, $4, $5, $6)",
        id,
        now,
        asked.who.to_vec(),
        asked.login.to_vec(),
        asked.address.to_vec(),
        asked.subnet.to_vec()
    )?;
    Ok(Ok(()))
}

/// Uncounts a verification that [`count_verification`] counted and that was not made.
pub async fn uncount_verification(tx: &mut Tx, id: Uuid) -> Result<(), Error> {
    exec!(tx, "DELETE FROM verification WHERE id = $1", id)?;
    Ok(())
}

/// Lock key that [`count_verification`] holds while it counts.
const COUNTING: Uuid = Uuid::from_u128(0x7665_7269_6669_6361_7469_6f6e_0000_0001);
const OF_USER: &str = "SELECT COUNT(*), MIN(at) FROM verification WHERE who = $1 AND at > $2";
const OF_ADDRESS: &str = "SELECT COUNT(*), MIN(at) FROM verification WHERE address = $1 AND at > $2";
const OF_SUBNET: &str = "SELECT COUNT(*), MIN(at) FROM verification WHERE subnet = $1 AND at > $2";

async fn count(
    tx: &mut Tx,
    sql: &'static str,
    of: [u8; 32],
    since: Instant,
) -> Result<(i64, Option<DateTime<Utc>>), Error> {
    Ok(one!(tx, (i64, Option<DateTime<Utc>>), sql, of.to_vec(), since)?.unwrap_or_default())
}

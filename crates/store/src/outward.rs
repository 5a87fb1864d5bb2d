//! What all nodes together may send to a portal host: verifications' pace and places, tokens for them, pauses.

use chrono::{DateTime, TimeDelta, Utc};
use domain::clock::Instant;
use uuid::Uuid;

use crate::{Error, Tx, exec, one, scalar};

/// Stands for every host in a pause.
pub const EVERY_HOST: &str = "*";

/// How fast verifications may begin over all nodes: a leaky bucket whose state is one instant.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Between two verifications on average.
    pub every: TimeDelta,
    /// How many may begin at once after a quiet time.
    pub at_once: i32,
}

/// An operator's pause.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Pause {
    /// Since when.
    pub at: DateTime<Utc>,
    /// Why, in the operator's words.
    pub why: String,
}

/// What a node has to know of a host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Host {
    /// The operator's pause.
    pub pause: Option<Pause>,
    /// No request before this (portal time).
    pub not_before: Option<Instant>,
    /// Tokens set aside for verifications on other nodes.
    pub spare: i64,
    /// A verification on another node waits for tokens.
    pub wanted: bool,
}

/// Pauses a host, or [`EVERY_HOST`]; `false` when it is paused already. Waits for transactions that asked
/// [`paused_at_last`]: whatever commits after this one has seen the pause.
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

/// Ends the pause of a host, [`EVERY_HOST`] all pauses; also what a host asked for, or failures, made it wait for. Returns
/// how many pauses ended.
pub async fn resume(tx: &mut Tx, host: &str) -> Result<u64, Error> {
    exec!(
        tx,
        "UPDATE portal_host SET not_before = NULL WHERE host = $1 OR $1 = $2",
        host.to_owned(),
        EVERY_HOST
    )?;
    exec!(tx, "DELETE FROM portal_pause WHERE host = $1 OR $1 = $2", host.to_owned(), EVERY_HOST)
}

/// The pause of a host, its own or everybody's; the older one.
pub async fn paused(tx: &mut Tx, host: &str) -> Result<Option<Pause>, Error> {
    one!(
        tx,
        Pause,
        "SELECT at, why FROM portal_pause WHERE host IN ($1, $2) ORDER BY at LIMIT 1",
        host.to_owned(),
        EVERY_HOST
    )
}

/// The pause of a host, asked by who commits to send something: none is written before this transaction ends.
pub async fn paused_at_last(tx: &mut Tx, host: &str) -> Result<Option<Pause>, Error> {
    crate::lock::shared(tx, PAUSING).await?;
    paused(tx, host).await
}

/// What [`pause`] holds while it writes.
const PAUSING: Uuid = Uuid::from_u128(0x7061_7573_696e_6700_0000_0000_0000_0001);

/// Every pause: the host, since when and why.
pub async fn pauses(tx: &mut Tx) -> Result<Vec<(String, Instant, String)>, Error> {
    crate::all!(tx, (String, DateTime<Utc>, String), "SELECT host, at, why FROM portal_pause ORDER BY host")
}

/// Since when an operator has paused the portal, and until when its host is left alone (portal time). An installation has
/// one host, which [`crate::node`] holds every node to.
pub async fn waits(tx: &mut Tx) -> Result<(Option<Instant>, Option<Instant>), Error> {
    let row = one!(
        tx,
        (Option<DateTime<Utc>>, Option<DateTime<Utc>>),
        "SELECT (SELECT MIN(at) FROM portal_pause) AS paused_since,
           (SELECT MAX(not_before) FROM portal_host) AS not_before"
    )?;
    row.ok_or(Error::Corrupt("portal_host"))
}

/// Everything a node has to know of a host.
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

/// No request to a host before `until`, or none but now on.
pub async fn hold_off(tx: &mut Tx, host: &str, until: Option<Instant>, now: Instant) -> Result<(), Error> {
    ensure(tx, host, now).await?;
    exec!(tx, "UPDATE portal_host SET not_before = $2 WHERE host = $1", host.to_owned(), until)?;
    Ok(())
}

/// Lets a verification begin, or says how long it has to wait; then the caller must roll back. Whoever asks for the same
/// host at once waits for this transaction.
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

/// The host's row, made on first use and locked until the transaction ends; returns when a verification may begin.
async fn ensure(tx: &mut Tx, host: &str, now: Instant) -> Result<Instant, Error> {
    // Changes nothing in a row that is there: it is the lock PostgreSQL needs, in words both databases know.
    scalar!(
        tx,
        DateTime<Utc>,
        "INSERT INTO portal_host (host, verify_at) VALUES ($1, $2)
         ON CONFLICT (host) DO UPDATE SET host = excluded.host RETURNING verify_at",
        host.to_owned(),
        now
    )
}

/// Takes one of `places`, until it is left or `until` has passed; `false` when all are taken.
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

/// Leaves the place a holder has.
pub async fn leave_place(tx: &mut Tx, holder: Uuid) -> Result<(), Error> {
    exec!(tx, "DELETE FROM verify_place WHERE holder = $1", holder)?;
    Ok(())
}

/// Leases tokens the engine's node set aside; `false` when there are not as many.
pub async fn lease(tx: &mut Tx, host: &str, tokens: i64) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "UPDATE portal_host SET spare = spare - $2, wanted = FALSE WHERE host = $1 AND spare >= $2",
        host.to_owned(),
        tokens
    )?;
    Ok(rows > 0)
}

/// Says that a verification waits for tokens to be set aside.
pub async fn want(tx: &mut Tx, host: &str, now: Instant) -> Result<(), Error> {
    ensure(tx, host, now).await?;
    exec!(tx, "UPDATE portal_host SET wanted = TRUE WHERE host = $1", host.to_owned())?;
    Ok(())
}

/// Sets tokens aside, or gives back what was leased and not spent.
pub async fn set_aside(tx: &mut Tx, host: &str, tokens: i64) -> Result<(), Error> {
    exec!(tx, "UPDATE portal_host SET spare = spare + $2 WHERE host = $1", host.to_owned(), tokens)?;
    Ok(())
}

/// Who verifies which login from where, each as a keyed hash.
#[derive(Clone, Copy, Debug)]
pub struct VerifyRequest {
    /// The user.
    pub who: [u8; 32],
    /// The portal's login name.
    pub login: [u8; 32],
    /// The address.
    pub address: [u8; 32],
    /// The neighbourhood of the address.
    pub subnet: [u8; 32],
}

/// How many verifications are allowed, over all nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Of one user in an hour.
    pub user_hour: i64,
    /// Different logins of one user in a day.
    pub logins_of_user_day: i64,
    /// From one address in an hour.
    pub address_hour: i64,
    /// From one neighbourhood (/24, /48) in an hour.
    pub subnet_hour: i64,
}

/// Which limit a verification met, and when it is worth coming back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverLimit {
    /// Too many within an hour.
    Hour(TimeDelta),
    /// Too many different logins within a day.
    Logins(TimeDelta),
}

/// Counts a verification before it is made, or says which limit it meets; then the caller must roll back. Those asked for
/// at once are counted one after the other.
pub async fn count_verification(
    tx: &mut Tx,
    id: Uuid,
    asked: &VerifyRequest,
    limits: &Limits,
    now: Instant,
) -> Result<Result<(), OverLimit>, Error> {
    // One at a time over everybody: they are few, and limits of a user, an address and a subnet overlap.
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

/// Takes back a verification that [`count_verification`] counted and that was not made.
pub async fn uncount_verification(tx: &mut Tx, id: Uuid) -> Result<(), Error> {
    exec!(tx, "DELETE FROM verification WHERE id = $1", id)?;
    Ok(())
}

/// What [`count_verification`] holds while it counts.
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

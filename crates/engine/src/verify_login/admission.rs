//! Admission of verifications. Their number and rate are limited over all nodes, and their requests
//! count in the host's budget.

use std::time::Duration;

use chrono::TimeDelta;
use portal::{Meter, Purpose};
use store::outward::Pace;
use tokio::sync::SemaphorePermit;
use uuid::Uuid;

use crate::error::NotVerified;
use crate::gateway::Gateway;
use crate::gateway::outward::{Allowed, LEASED, PLACES};

/// Rate of verifications: 0.3 a second on average.
const PACE: Pace = Pace { every: TimeDelta::milliseconds(3_334), at_once: 2 };

/// Maximum wait in the queue (wall time) before the verification is refused as busy.
const MAX_WAIT: Duration = Duration::from_secs(20);

/// Interval at which a queued verification tries again (wall time).
const ASK_AGAIN: Duration = Duration::from_millis(250);

/// Time after which a place becomes free by itself, for example because its process ended. It is
/// longer than any verification.
const LASTS: TimeDelta = TimeDelta::minutes(5);

/// An admitted verification. The caller must end it with [`Entered::leave`].
pub(crate) struct Entered<'a> {
    pub meter: Meter,
    holder: Uuid,
    /// `true` if its tokens were leased from the engine's node.
    leased: bool,
    _line: SemaphorePermit<'a>,
}

enum Try {
    In { leased: bool },
    Wait(TimeDelta),
    NoTokens,
}

/// Waits for a place, for the rate limit and for tokens of the host's budget.
///
/// # Errors
/// [`NotVerified::Paused`] or [`NotVerified::Resting`] while the host is paused or backs off;
/// [`NotVerified::Busy`] if the wait is too long.
pub(crate) async fn enter(gateway: &Gateway) -> Result<Entered<'_>, NotVerified> {
    let line = tokio::time::timeout(MAX_WAIT, gateway.outward.line.acquire());
    let Ok(Ok(line)) = line.await else { return Err(NotVerified::Busy) };
    let holder = gateway.records.uuid(gateway.records.wall.now());
    let mut waited = Duration::ZERO;
    loop {
        let wait = match try_in(gateway, holder).await? {
            Try::In { leased } => {
                let prepaid = if leased { LEASED } else { 0 };
                let meter = Meter::prepaid(Purpose::Verification, prepaid);
                return Ok(Entered { meter, holder, leased, _line: line });
            }
            Try::Wait(wait) => {
                let wall = wait.to_std().unwrap_or_default().div_f64(gateway.records.config.speed.max(0.001));
                wall.clamp(Duration::from_millis(5), ASK_AGAIN)
            }
            Try::NoTokens => {
                let mut tx = gateway.records.db.begin().await?;
                store::outward::want(&mut tx, &gateway.client.host(), gateway.records.portal_time.now())
                    .await?;
                tx.commit().await?;
                ASK_AGAIN
            }
        };
        if waited >= MAX_WAIT {
            return Err(NotVerified::Busy);
        }
        waited += wait;
        tokio::time::sleep(wait).await;
    }
}

async fn try_in(gateway: &Gateway, holder: Uuid) -> Result<Try, NotVerified> {
    let (host, wall, now) =
        (gateway.client.host(), gateway.records.wall.now(), gateway.records.portal_time.now());
    let pacer = gateway.client.pacer();
    let mut tx = gateway.records.db.begin().await?;
    let row = store::outward::host(&mut tx, &host).await?;
    if row.pause.is_some() {
        return Err(NotVerified::Paused);
    }
    // A recent failure on this node may not be in the row yet.
    let own = match gateway.outward.allowed(now) {
        Allowed::ReadBacks(until) => Some(until),
        _ => None,
    };
    if let Some(until) = row.not_before.max(own).filter(|until| *until > now) {
        return Err(NotVerified::Resting(until - now));
    }
    if !pacer.is_limited() {
        return Ok(Try::In { leased: false });
    }
    if let Err(wait) = store::outward::begin_verification(&mut tx, &host, PACE, now).await? {
        return Ok(Try::Wait(wait));
    }
    let places = i64::try_from(PLACES).unwrap_or(i64::MAX);
    if !store::outward::take_place(&mut tx, &host, places, holder, (wall, wall + LASTS)).await? {
        return Ok(Try::Wait(TimeDelta::seconds(1)));
    }
    let leased = !gateway.outward.leads();
    if leased && !store::outward::lease(&mut tx, &host, i64::from(LEASED)).await? {
        return Ok(Try::NoTokens);
    }
    tx.commit().await?;
    Ok(Try::In { leased })
}

impl Entered<'_> {
    /// Releases the place, and returns the leased tokens that were not spent.
    pub async fn leave(self, gateway: &Gateway) {
        let unused = self.meter.take_unused();
        let left = async {
            let mut tx = gateway.records.db.begin().await?;
            store::outward::leave_place(&mut tx, self.holder).await?;
            if self.leased {
                store::outward::set_aside(&mut tx, &gateway.client.host(), i64::from(unused)).await?;
            }
            tx.commit().await
        };
        if !gateway.client.pacer().is_limited() {
            return;
        }
        if let Err(error) = left.await {
            tracing::warn!(%error, "failed to release the place of a verification; it expires by itself");
        }
    }
}

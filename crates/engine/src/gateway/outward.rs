//! Permission of this node to send requests to the portal's host. It depends on the host's health
//! and on an operator's pause. All nodes share the end of the back-off and the pause, in the host's
//! row. The portal client holds the tokens that limit the request rate ([`portal::Pacer`]).

use chrono::TimeDelta;
use domain::clock::Instant;
use domain::host_health::{Access, Failure, HostHealth};
use parking_lot::Mutex;
use portal::{PortalError, Recovery};
use store::outward::Pause;
use tokio::sync::Semaphore;

use crate::JobError;
use crate::persist::Records;

/// Interval between reads of the host's row, in wall time. An operator's pause takes effect within
/// this interval plus the duration of a round.
const READ_EVERY: TimeDelta = TimeDelta::seconds(1);

/// Maximum number of concurrent login verifications, over all nodes.
pub(crate) const PLACES: usize = 2;
/// Number of request tokens that a node without the engine's lease reserves for one login
/// verification. They cover the sign-in, groups and receipts pages.
pub(crate) const LEASED: u32 = 12;

/// State of the host, shared by the engine and the login verifications of this process.
pub struct Outward {
    known: Mutex<HostState>,
    /// Queue of this process's login verifications. Each waits here before it requests one of the
    /// places that all nodes share.
    pub(crate) line: Semaphore,
}

#[derive(Default)]
struct HostState {
    health: HostHealth,
    /// End of the back-off in the host's row (`not_before`), as last read or written.
    row: Option<Instant>,
    pause: Option<Pause>,
    read_at: Option<Instant>,
    /// `true` if this node's engine holds the lease.
    leads: bool,
    /// Number of accounts with running tasks; `None` if this node does not lead.
    active: Option<usize>,
}

/// Kinds of requests that may be sent now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Allowed {
    /// All requests.
    All,
    /// One request, to test if the host answers again.
    Probe,
    /// Only read-backs until this time, because the engine backs off from the host.
    ReadBacks(Instant),
    /// Only read-backs: an operator paused the host.
    Paused,
}

impl Default for Outward {
    fn default() -> Self {
        Self { known: Mutex::default(), line: Semaphore::new(PLACES) }
    }
}

impl Outward {
    /// Returns the kinds of requests that may be sent at `now`, by the state that this node knows.
    pub(crate) fn allowed(&self, now: Instant) -> Allowed {
        let known = self.known.lock();
        if known.pause.is_some() {
            return Allowed::Paused;
        }
        match known.health.access(now) {
            Access::Open => Allowed::All,
            Access::Probe => Allowed::Probe,
            Access::Closed(until) => Allowed::ReadBacks(until),
        }
    }

    /// Returns the operator's pause that this node knows, if there is one.
    #[must_use]
    pub fn pause(&self) -> Option<Pause> {
        self.known.lock().pause.clone()
    }

    /// Records an operator's pause that a booking's transaction found before this node read the
    /// host's row again.
    pub(crate) fn met_pause(&self, pause: Pause) {
        self.known.lock().pause = Some(pause);
    }

    /// Records that the host answered a request.
    pub(crate) fn answered(&self, now: Instant) {
        self.known.lock().health.answered(now);
    }

    /// Records a failed request of an account, and may begin a back-off from the host. Ignores an
    /// error that is not a failure of the host.
    pub(crate) fn failed(&self, account: u128, portal_error: &PortalError, now: Instant) {
        let Some((failure, asked)) = failure_of(portal_error) else { return };
        crate::metrics::host_failure(portal_error.code());
        let mut known = self.known.lock();
        let active = known.active.unwrap_or(usize::MAX);
        if let Some(until) = known.health.failed(account, failure, asked, active, now) {
            tracing::warn!(code = portal_error.code(), %until, "backing off from portal host");
        }
    }

    /// Shifts the stored times after the clock was set by `by`.
    pub(crate) fn shift(&self, by: TimeDelta) {
        let mut known = self.known.lock();
        known.health.shift(by);
        known.read_at = None;
    }

    /// Records whether this node's engine leads, and its number of active accounts.
    pub(crate) fn lead(&self, leads: bool, active: usize) {
        let mut known = self.known.lock();
        known.leads = leads;
        known.active = leads.then_some(active);
    }

    /// Returns `true` if this node's engine holds the lease.
    pub(crate) fn leads(&self) -> bool {
        self.known.lock().leads
    }

    /// Copies the pause from the host's row. Adopts the row's end of back-off if another node
    /// changed it. Otherwise returns this node's own end of back-off if the row must be updated. An
    /// inner `None` means that the host needs no back-off.
    fn merge(&self, row: &store::outward::Host, now: Instant) -> Option<Option<Instant>> {
        let mut known = self.known.lock();
        known.pause.clone_from(&row.pause);
        known.read_at = Some(now);
        if row.not_before != known.row {
            known.row = row.not_before;
            known.health.set_until(row.not_before);
            return None;
        }
        let own = known.health.until();
        (own != known.row).then(|| {
            known.row = own;
            own
        })
    }

    /// Synchronizes this node's state with the host's row: adopts another node's back-off, or
    /// writes its own. If this node leads, reserves tokens that another node waits for. Sends no
    /// query within [`READ_EVERY`] of the last read, unless this node's back-off changed.
    pub(crate) async fn sync(&self, records: &Records, client: &portal::Client) -> Result<(), JobError> {
        let now = records.wall.now();
        {
            let known = self.known.lock();
            let fresh = known.read_at.is_some_and(|at| now - at < READ_EVERY && at <= now);
            if fresh && known.health.until() == known.row {
                return Ok(());
            }
        }
        let host = client.host();
        let mut tx = records.db.read().await?;
        let row = store::outward::host(&mut tx, &host).await?;
        tx.commit().await?;
        let unwritten = self.merge(&row, now);
        let wanted = wanted(&row);
        let aside = if self.leads() { client.pacer().hand_out(wanted) } else { 0 };
        if unwritten.is_none() && aside == 0 {
            return Ok(());
        }
        if let Err(error) = crate::persist::host::write(records, unwritten, aside).await {
            client.pacer().give_back(aside);
            if unwritten.is_some() {
                self.known.lock().row = row.not_before;
            }
            return Err(error);
        }
        Ok(())
    }
}

/// Returns the kind of host failure that an error shows, and the delay that the host requested.
/// Returns `None` if the error is no evidence about the host.
pub(crate) fn failure_of(portal_error: &PortalError) -> Option<(Failure, Option<TimeDelta>)> {
    let failure = match (portal_error, portal_error.recovery()) {
        (PortalError::Maintenance { .. }, _) => Failure::Maintenance,
        (_, Recovery::StopAndNotify { .. }) => Failure::Block,
        (_, Recovery::RetryLater { .. }) => Failure::Passing,
        _ => return None,
    };
    let asked = match portal_error.recovery() {
        Recovery::RetryLater { after } | Recovery::StopAndNotify { after } => after,
        _ => None,
    };
    Some((failure, asked.and_then(|asked| TimeDelta::from_std(asked).ok())))
}

/// Returns the number of tokens that another node waits for and that are not reserved yet.
fn wanted(row: &store::outward::Host) -> u32 {
    if row.wanted { LEASED.saturating_sub(u32::try_from(row.spare).unwrap_or(0)) } else { 0 }
}

//! What the engine knows, shared by rounds and jobs, with the signals between them.
//!
//! Bookings go first: what a poll has to tell is written once everybody who tries for a day has sent the POST or given up,
//! and by one after the other. So nothing that can wait has the database's connections, or its writer, meanwhile.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use domain::ids::PortalAccountId;
use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};

use crate::model::state::State;

/// What an engine does, readable while its state is locked.
#[derive(Debug, Default)]
pub(crate) struct Pulse {
    /// Whether it leads, and has loaded what it needs.
    pub leads: AtomicBool,
    /// Rounds that it finished.
    pub finished: AtomicU64,
    pub failures: Mutex<FailedRounds>,
}

/// Rounds that failed one after the other.
#[derive(Debug, Default)]
pub(crate) struct FailedRounds {
    pub in_a_row: u32,
    /// The error of the last one.
    pub last: String,
}

/// The state, and who waits for a change of it.
#[derive(Default)]
pub(crate) struct Memory {
    state: Mutex<State>,
    /// A round is due.
    pub nudge: Notify,
    /// Rows may have changed in ways not known here: the next round reads what changed.
    pub asked: AtomicBool,
    /// Somebody who tried for a day has sent the POST, or given up.
    sent: Notify,
    /// Held by the writer of what people are told.
    notify_lock: tokio::sync::Mutex<()>,
    /// Jobs that wait to be that writer.
    waiting: AtomicUsize,
    /// Rounds and polls since it began.
    pub rounds: AtomicU64,
    /// What the watchdog looks at.
    pub pulse: Pulse,
    pub polls: AtomicU64,
}

impl Memory {
    /// The state, until the guard is dropped.
    pub fn lock(&self) -> parking_lot::MutexGuard<'_, State> {
        self.state.lock()
    }

    /// Something changed: look at the rows again soon.
    pub fn nudge(&self) {
        self.asked.store(true, Ordering::Release);
        self.nudge.notify_one();
    }

    /// Something changed in memory: hand out what is due; no row needs to be read for it.
    pub fn wake(&self) {
        self.nudge.notify_one();
    }
}

/// Nobody waits longer than this to be told (wall time), however many try.
const MAX_WAIT: Duration = Duration::from_secs(3);

impl Memory {
    /// This account's POST leaves now, or none does: what waited for it may be written.
    pub fn end_try(&self, account: PortalAccountId) {
        if self.lock().trying.remove(&account).is_some() {
            self.sent.notify_waiters();
        }
    }

    /// The right to write notifications. Granted in the order of the requests, so that a day that vanishes is not recorded
    /// before its alerts.
    #[allow(clippy::disallowed_methods, reason = "time on this machine, in no rule of the product")]
    pub async fn notify_turn(&self) -> tokio::sync::MutexGuard<'_, ()> {
        let _waiting = Waiting::begin(&self.waiting);
        let until = Instant::now() + MAX_WAIT;
        let turn = self.notify_lock.lock().await;
        let sent = async {
            loop {
                let sent = self.sent.notified();
                tokio::pin!(sent);
                sent.as_mut().enable();
                if self.lock().trying.is_empty() {
                    return;
                }
                sent.await;
            }
        };
        let _ = timeout_at(until, sent).await;
        turn
    }

    /// How many jobs wait for [`Self::notify_turn`]: for other jobs, not for the portal or the database.
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Acquire)
    }
}

/// Counts one that waits, until it is dropped.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn begin(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::AcqRel);
        Self(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

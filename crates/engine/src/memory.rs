//! The engine's in-memory state, shared by rounds and jobs, and the signals between them.
//!
//! Bookings have priority over notifications. A poll's notifications are written after every
//! candidate for a date has sent its booking request or given up. Only one job writes notifications
//! at a time. This keeps the database's connections free for bookings.

mod operations;

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use domain::ids::PortalAccountId;
use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};

use crate::model::state::State;

/// Progress of an engine, readable without locking its state.
#[derive(Debug, Default)]
pub(crate) struct Pulse {
    /// `true` if the engine holds the lease and has loaded its state.
    pub leads: AtomicBool,
    /// Number of finished rounds.
    pub finished: AtomicU64,
    pub failures: Mutex<FailedRounds>,
}

/// Consecutive failed rounds.
#[derive(Debug, Default)]
pub(crate) struct FailedRounds {
    pub in_a_row: u32,
    /// Error of the last failed round.
    pub last: String,
}

/// The engine's state, its lock, and the signals that wake rounds and jobs.
#[derive(Default)]
pub(crate) struct Memory {
    state: Mutex<State>,
    /// Signals that a round is due.
    pub nudge: Notify,
    /// `true` if other code may have changed rows. The next round then reads the changes.
    pub asked: AtomicBool,
    /// Signals that a candidate has sent its booking request or given up.
    sent: Notify,
    /// Held by the job that writes notifications.
    notify_lock: tokio::sync::Mutex<()>,
    /// Number of jobs that wait in [`Self::notify_turn`].
    waiting: AtomicUsize,
    /// Number of rounds since the start.
    pub rounds: AtomicU64,
    /// Activity that the watchdog reads.
    pub pulse: Pulse,
    pub polls: AtomicU64,
}

impl Memory {
    /// Locks the state and changes it. `change` must not call `update` or `read`, because the lock
    /// is not reentrant.
    pub fn update<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.state.lock())
    }

    /// Locks the state and reads it. `query` must not call `update` or `read`, because the lock is
    /// not reentrant.
    pub fn read<T>(&self, query: impl FnOnce(&State) -> T) -> T {
        query(&self.state.lock())
    }

    /// Requests a round that first reads the changed rows.
    pub fn nudge(&self) {
        self.asked.store(true, Ordering::Release);
        self.nudge.notify_one();
    }

    /// Requests a round after a change in memory. The round does not read changed rows for it.
    pub fn wake(&self) {
        self.nudge.notify_one();
    }
}

/// Maximum time that notifications wait for booking requests (wall time).
const MAX_WAIT: Duration = Duration::from_secs(3);

impl Memory {
    /// Records that an account is about to send its booking request, or that it sends none. Wakes
    /// the jobs that wait to write notifications.
    pub fn end_try(&self, account: PortalAccountId) {
        if self.update(|state| state.openings.end_try(account)) {
            self.sent.notify_waiters();
        }
    }

    /// Ends the job that uses an account: ends its try and marks the account as free.
    pub fn end_job(&self, account: PortalAccountId) {
        self.end_try(account);
        self.update(|state| state.accounts.free(account));
    }

    /// Waits for the turn to write notifications, and returns its lock guard. Waits for open tries,
    /// for at most [`MAX_WAIT`]. Turns keep the order of the calls, so a vanished date is not
    /// recorded before its alerts.
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
                if !self.read(|state| state.openings.any_trying()) {
                    return;
                }
                sent.await;
            }
        };
        let _ = timeout_at(until, sent).await;
        turn
    }

    /// Returns the number of jobs that wait for [`Self::notify_turn`]. These jobs wait for other
    /// jobs, not for the portal or the database.
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Acquire)
    }
}

/// Counts one waiting job until it is dropped.
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

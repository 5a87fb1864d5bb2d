//! State of the engine in memory, shared by rounds and jobs, with the signals between them.
//!
//! Bookings go first. The notifications of a poll are written once every candidate for a date has
//! sent the POST or given up. One poll's are written after another's. So work that can wait does
//! not hold the database's connections, or its writer, meanwhile.

mod operations;

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use domain::ids::PortalAccountId;
use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};

use crate::model::state::State;

/// Activity of an engine, readable while its state is locked.
#[derive(Debug, Default)]
pub(crate) struct Pulse {
    /// `true` if the engine leads, and has loaded its state.
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

/// The state, with the signals for its changes.
#[derive(Default)]
pub(crate) struct Memory {
    state: Mutex<State>,
    /// Signals that a round is due.
    pub nudge: Notify,
    /// `true` if rows may have changed in ways unknown in memory: the next round reads the changes.
    pub asked: AtomicBool,
    /// Signals that a candidate for a date has sent the POST, or given up.
    sent: Notify,
    /// Held by the writer of notifications.
    notify_lock: tokio::sync::Mutex<()>,
    /// Number of jobs that wait to be that writer.
    waiting: AtomicUsize,
    /// Number of rounds since the start.
    pub rounds: AtomicU64,
    /// Activity that the watchdog reads.
    pub pulse: Pulse,
    pub polls: AtomicU64,
}

impl Memory {
    /// Changes the state as one step: nothing else reads or changes it meanwhile. `change` must not
    /// call this memory again.
    pub fn update<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.state.lock())
    }

    /// Reads the state as of one moment. `query` must not call this memory again.
    pub fn read<T>(&self, query: impl FnOnce(&State) -> T) -> T {
        query(&self.state.lock())
    }

    /// Signals a change outside memory: the rows are read again soon.
    pub fn nudge(&self) {
        self.asked.store(true, Ordering::Release);
        self.nudge.notify_one();
    }

    /// Signals a change in memory: due work is handed out without reading any row.
    pub fn wake(&self) {
        self.nudge.notify_one();
    }
}

/// Maximum delay of a notification (wall time), however many candidates try.
const MAX_WAIT: Duration = Duration::from_secs(3);

impl Memory {
    /// Records that this account's POST leaves now, or that none does. Notifications that waited
    /// for it may be written.
    pub fn end_try(&self, account: PortalAccountId) {
        if self.update(|state| state.openings.end_try(account)) {
            self.sent.notify_waiters();
        }
    }

    /// Ends the job that uses an account: its try ends, and the account becomes free.
    pub fn end_job(&self, account: PortalAccountId) {
        self.end_try(account);
        self.update(|state| state.accounts.free(account));
    }

    /// Returns the right to write notifications. It is granted in the order of the requests, so
    /// that a date that vanishes is not recorded before its alerts.
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

    /// Returns the number of jobs that wait for [`Self::notify_turn`]. They wait for other jobs,
    /// not for the portal or the database.
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

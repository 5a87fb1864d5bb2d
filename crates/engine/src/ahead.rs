//! Bookings go first: what a poll has to tell is written once everybody who tries for a day has sent the POST or given
//! up, and by one after the other. So nothing that can wait has the database's connections, or its writer, meanwhile.

use std::time::Duration;

use domain::ids::PortalAccountId;
use tokio::sync::MutexGuard;
use tokio::time::{Instant, timeout_at};

use crate::Engine;

/// Nobody waits longer than this to be told (wall time), however many try.
const PATIENCE: Duration = Duration::from_secs(3);

impl Engine {
    /// This account's POST leaves now, or none does: what waited for it may be written.
    pub(crate) fn tries_no_more(&self, account: PortalAccountId) {
        if self.state.lock().trying.remove(&account) {
            self.sent.notify_waiters();
        }
    }

    /// The right to write what people are told. Given in the order in which it is asked for, so that a day that vanishes
    /// is not noted before its alerts are.
    #[allow(clippy::disallowed_methods, reason = "patience on this machine, in no rule of the product")]
    pub(crate) async fn turn_to_tell(&self) -> MutexGuard<'_, ()> {
        let until = Instant::now() + PATIENCE;
        let turn = self.telling.lock().await;
        let sent = async {
            loop {
                let sent = self.sent.notified();
                tokio::pin!(sent);
                sent.as_mut().enable();
                if self.state.lock().trying.is_empty() {
                    return;
                }
                sent.await;
            }
        };
        let _ = timeout_at(until, sent).await;
        turn
    }
}

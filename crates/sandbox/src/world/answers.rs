//! Queue of responses under virtual time. A response is held until its latency has passed, so
//! concurrent requests complete in the order of their latency.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use chrono::{DateTime, Utc};
use tokio::sync::oneshot;

/// Responses that wait for virtual time. Clones share one queue.
///
/// A test driver owns the clock. When nothing else can happen earlier, the driver moves the clock
/// to [`Answers::next`] and calls [`Answers::release`].
#[derive(Clone, Default)]
pub struct Answers(Arc<Mutex<Queue>>);

#[derive(Default)]
struct Queue {
    waiting: BTreeMap<(DateTime<Utc>, u64), oneshot::Sender<()>>,
    asked: u64,
    held: u64,
}

impl Answers {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the driver has released the response due at `at`.
    pub(crate) async fn hold_until(&self, at: DateTime<Utc>) {
        let (go, gone) = oneshot::channel();
        {
            let mut queue = self.queue();
            queue.held += 1;
            let number = queue.held;
            queue.waiting.insert((at, number), go);
        }
        let _ = gone.await;
    }

    pub(crate) fn count(&self) {
        self.queue().asked += 1;
    }

    /// Returns the number of requests received so far.
    #[must_use]
    pub fn asked(&self) -> u64 {
        self.queue().asked
    }

    /// Returns the number of responses that are held while a client waits.
    #[must_use]
    pub fn waiting(&self) -> usize {
        let mut queue = self.queue();
        queue.waiting.retain(|_, go| !go.is_closed());
        queue.waiting.len()
    }

    /// Returns the time at which the next response is due.
    #[must_use]
    pub fn next(&self) -> Option<DateTime<Utc>> {
        let mut queue = self.queue();
        queue.waiting.retain(|_, go| !go.is_closed());
        queue.waiting.keys().next().map(|(at, _)| *at)
    }

    /// Releases the first response that is due at `now`. Returns `false` if none is due.
    pub fn release(&self, now: DateTime<Utc>) -> bool {
        let mut queue = self.queue();
        let Some(first) = queue.waiting.first_entry().filter(|first| first.key().0 <= now) else {
            return false;
        };
        let _ = first.remove().send(());
        true
    }
}

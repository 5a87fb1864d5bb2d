//! Answers held back until virtual time has come, so that what is asked at once is answered in the order of latency.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use chrono::{DateTime, Utc};
use tokio::sync::oneshot;

/// The answers on their way to their clients; clones share one queue.
///
/// Whoever drives virtual time moves its clock to [`Answers::next`] once nothing else can happen before, and lets
/// them go with [`Answers::release`].
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

    /// Resolves when the driver says that it is `at`; a driver that is gone holds nothing back.
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

    /// How many requests have come in so far.
    #[must_use]
    pub fn asked(&self) -> u64 {
        self.queue().asked
    }

    /// How many answers somebody still waits for.
    #[must_use]
    pub fn waiting(&self) -> usize {
        let mut queue = self.queue();
        queue.waiting.retain(|_, go| !go.is_closed());
        queue.waiting.len()
    }

    /// When the next answer is due.
    #[must_use]
    pub fn next(&self) -> Option<DateTime<Utc>> {
        let mut queue = self.queue();
        queue.waiting.retain(|_, go| !go.is_closed());
        queue.waiting.keys().next().map(|(at, _)| *at)
    }

    /// Lets the first answer that is due at `now` go; `false` when there is none.
    pub fn release(&self, now: DateTime<Utc>) -> bool {
        let mut queue = self.queue();
        let Some(first) = queue.waiting.first_entry().filter(|first| first.key().0 <= now) else {
            return false;
        };
        let _ = first.remove().send(());
        true
    }
}

//! Queue for SQLite's only writer: the engine's short urgent transactions first, then all others in
//! order of arrival.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use tokio::sync::oneshot;

/// Urgency of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urgency {
    /// The lease, a booking about to be sent, or the outcome of one.
    First,
    /// Every other transaction.
    Ordinary,
}

/// Queue of transactions that wait for the writer.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue(Arc<Mutex<QueueState>>);

#[derive(Debug, Default)]
struct QueueState {
    busy: bool,
    first: VecDeque<oneshot::Sender<WriterPermit>>,
    ordinary: VecDeque<oneshot::Sender<WriterPermit>>,
}

/// Right to use the writer. Dropping it passes the writer to the next in the queue.
#[derive(Debug)]
pub struct WriterPermit {
    queue: Option<Queue>,
    urgency: Urgency,
    since: Instant,
}

/// Longest time that each urgency held the writer, in microseconds.
static LONGEST: [AtomicU64; 2] = [AtomicU64::new(0), AtomicU64::new(0)];

/// Returns the longest times that the writer was held since the last call: by urgent transactions,
/// and by all others. Used by benchmarks.
#[must_use]
pub fn longest_turns() -> [Duration; 2] {
    [Urgency::First, Urgency::Ordinary]
        .map(|urgency| Duration::from_micros(LONGEST[urgency as usize].swap(0, Ordering::Relaxed)))
}

impl Queue {
    /// Waits for the writer, for at most `max_wait`.
    pub async fn acquire(&self, urgency: Urgency, max_wait: Duration) -> Result<WriterPermit, sqlx::Error> {
        let waiting = {
            let mut line = self.line();
            if !line.busy {
                line.busy = true;
                return Ok(WriterPermit::of(self.clone(), urgency));
            }
            let (give, waiting) = oneshot::channel();
            match urgency {
                Urgency::First => line.first.push_back(give),
                Urgency::Ordinary => line.ordinary.push_back(give),
            }
            waiting
        };
        match tokio::time::timeout(max_wait, waiting).await {
            Ok(Ok(permit)) => Ok(permit),
            _ => Err(sqlx::Error::PoolTimedOut),
        }
    }

    /// Returns `true` if no transaction has the writer and none waits for it.
    pub fn is_idle(&self) -> bool {
        !self.line().busy
    }

    fn line(&self) -> MutexGuard<'_, QueueState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn pass_on(self) {
        loop {
            let (next, urgency) = {
                let mut line = self.line();
                let first = line.first.pop_front().map(|next| (next, Urgency::First));
                let next = first.or_else(|| line.ordinary.pop_front().map(|next| (next, Urgency::Ordinary)));
                line.busy = next.is_some();
                let Some(next) = next else { return };
                next
            };
            // A waiter that gave up returns its permit.
            match next.send(WriterPermit::of(self.clone(), urgency)) {
                Ok(()) => return,
                Err(mut back) => back.queue = None,
            }
        }
    }
}

impl WriterPermit {
    #[allow(clippy::disallowed_methods, reason = "a measure of this machine")]
    fn of(queue: Queue, urgency: Urgency) -> Self {
        Self { queue: Some(queue), urgency, since: Instant::now() }
    }
}

impl Drop for WriterPermit {
    fn drop(&mut self) {
        if let Some(queue) = self.queue.take() {
            let held = u64::try_from(self.since.elapsed().as_micros()).unwrap_or(u64::MAX);
            LONGEST[self.urgency as usize].fetch_max(held, Ordering::Relaxed);
            queue.pass_on();
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    #[tokio::test]
    async fn urgent_waiters_go_first_and_dropped_ones_do_not_block() {
        let queue = Queue::default();
        let held = queue.acquire(Urgency::Ordinary, LONG).await.unwrap();
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut waiting = tokio::task::JoinSet::new();
        for (name, urgency) in [
            ("a", Urgency::Ordinary),
            ("b", Urgency::Ordinary),
            ("lease", Urgency::First),
            ("sending", Urgency::First),
        ] {
            let (queue, order) = (queue.clone(), order.clone());
            waiting.spawn(async move {
                let permit = queue.acquire(urgency, LONG).await.unwrap();
                order.lock().unwrap().push(name);
                drop(permit);
            });
            tokio::task::yield_now().await;
        }
        // A waiter that is dropped does not take the permit with it.
        let mut gone = Box::pin(queue.acquire(Urgency::First, LONG));
        assert!(is_waiting(&mut gone).await);
        drop(gone);
        drop(held);
        while waiting.join_next().await.is_some() {}
        assert_eq!(*order.lock().unwrap(), ["lease", "sending", "a", "b"]);
        assert!(queue.is_idle());
        let held = queue.acquire(Urgency::First, LONG).await.unwrap();
        assert!(
            queue.acquire(Urgency::First, Duration::from_millis(5)).await.is_err(),
            "the waiter does not wait forever"
        );
        drop(held);
        assert!(queue.is_idle());
    }

    /// Polls the future once. Returns `true` if it is pending.
    async fn is_waiting<F: Future + Unpin>(future: &mut F) -> bool {
        std::future::poll_fn(|context| {
            std::task::Poll::Ready(std::pin::Pin::new(&mut *future).poll(context).is_pending())
        })
        .await
    }
}

//! Cache of a single result that is the same for all callers.

use chrono::{DateTime, TimeDelta, Utc};
use domain::clock::Instant;
use parking_lot::Mutex;

/// The last result with its time, and a lock for the caller that computes the next one.
pub struct Cached<T> {
    last: Mutex<Option<(DateTime<Utc>, T)>>,
    making: tokio::sync::Mutex<()>,
}

impl<T> Default for Cached<T> {
    fn default() -> Self {
        Self { last: Mutex::new(None), making: tokio::sync::Mutex::new(()) }
    }
}

impl<T: Clone> Cached<T> {
    /// Returns the last result if it is younger than `life` at `now`. Otherwise one caller computes
    /// a new one while the others wait for it. If it fails, the others compute their own at the
    /// same time, so that no caller waits for several failures during an outage.
    ///
    /// # Errors
    /// Returns the errors of `make`; they are not cached.
    pub async fn get<E>(
        &self,
        now: Instant,
        life: TimeDelta,
        make: impl Future<Output = Result<T, E>>,
    ) -> Result<T, E> {
        if let Some(kept) = self.young(now, life) {
            return Ok(kept);
        }
        let making = self.making.try_lock().ok();
        if making.is_none() {
            drop(self.making.lock().await);
        }
        if let Some(kept) = self.young(now, life) {
            return Ok(kept);
        }
        let made = make.await?;
        *self.last.lock() = Some((now, made.clone()));
        drop(making);
        Ok(made)
    }

    /// Returns the last result if it is younger than `life`. A result from a time after `now`, when
    /// the clock was ahead, is not used: it would stay valid for too long.
    fn young(&self, now: Instant, life: TimeDelta) -> Option<T> {
        let last = self.last.lock();
        let (at, kept) = last.as_ref()?;
        (now - *at < life && *at - now < life).then(|| kept.clone())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use chrono::DateTime;
    use tokio::sync::{Barrier, Notify};

    use super::*;

    #[tokio::test]
    async fn callers_that_waited_for_a_failure_compute_at_the_same_time() {
        let (cached, life) = (Cached::<u32>::default(), TimeDelta::seconds(10));
        let (begun, failing, together) = (Notify::new(), Notify::new(), Barrier::new(2));
        let first = cached.get(DateTime::UNIX_EPOCH, life, async {
            begun.notify_one();
            failing.notified().await;
            Err("down")
        });
        // Both must be computing before either ends.
        let waiting = || {
            cached.get(DateTime::UNIX_EPOCH, life, async {
                together.wait().await;
                Err("down")
            })
        };
        let others = async {
            begun.notified().await;
            let ((), second, third) = tokio::join!(async { failing.notify_one() }, waiting(), waiting());
            (second, third)
        };
        let all = async { tokio::join!(first, others) };
        let (first, (second, third)) =
            tokio::time::timeout(Duration::from_secs(20), all).await.expect("no caller waits for another");
        assert_eq!([first, second, third], [Err("down"); 3]);
    }

    #[tokio::test]
    async fn callers_that_waited_for_a_result_get_it() {
        let (cached, life) = (Cached::<u32>::default(), TimeDelta::seconds(10));
        let (begun, ready) = (Notify::new(), Notify::new());
        let first = cached.get(DateTime::UNIX_EPOCH, life, async {
            begun.notify_one();
            ready.notified().await;
            Ok::<_, ()>(7)
        });
        let second = async {
            begun.notified().await;
            let own = cached.get(DateTime::UNIX_EPOCH, life, async { Ok::<_, ()>(8) });
            let ((), second) = tokio::join!(async { ready.notify_one() }, own);
            second
        };
        assert_eq!(tokio::join!(first, second), (Ok(7), Ok(7)));
    }
}

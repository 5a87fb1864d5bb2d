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
    /// a new one while the others wait for it.
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
        let making = self.making.lock().await;
        if let Some(kept) = self.young(now, life) {
            return Ok(kept);
        }
        let made = make.await?;
        *self.last.lock() = Some((now, made.clone()));
        drop(making);
        Ok(made)
    }

    /// A result from a time after `now` is not used if the clock was far ahead, because it would
    /// stay valid for too long.
    fn young(&self, now: Instant, life: TimeDelta) -> Option<T> {
        let last = self.last.lock();
        let (at, kept) = last.as_ref()?;
        (now - *at < life && *at - now < life).then(|| kept.clone())
    }
}

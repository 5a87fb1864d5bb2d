//! An answer that is everybody's, made once for all who ask within a while.

use chrono::{DateTime, TimeDelta, Utc};
use domain::clock::Instant;
use parking_lot::Mutex;

/// The last answer with when it was made, and who makes the next one.
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
    /// The last answer, if it is younger than `life` at `now`; else a new one, which one caller makes while the others
    /// wait for it.
    ///
    /// # Errors
    /// Those of `make`; nothing is kept then.
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

    /// Not one of a clock that was ahead: it would be everybody's for long.
    fn young(&self, now: Instant, life: TimeDelta) -> Option<T> {
        let last = self.last.lock();
        let (at, kept) = last.as_ref()?;
        (now - *at < life && *at - now < life).then(|| kept.clone())
    }
}

//! Rate limit of one portal host.
//!
//! The transport draws a token for every request, so no caller can bypass the limit.

use crate::{Clock, Meter, Purpose};
use chrono::{DateTime, Utc};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Maximum pause (wall time) between two checks of the balance while a request waits.
const ASK_AGAIN: Duration = Duration::from_millis(100);

/// Limit on the requests to one host.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// Average number of requests per second; infinite means no limit.
    pub per_second: f64,
    /// Size of the token bucket: number of unused tokens that accumulate.
    pub burst: f64,
}

impl Default for Rate {
    fn default() -> Self {
        Self { per_second: 2.0, burst: 10.0 }
    }
}

impl Rate {
    /// No limit, for benchmarks and for tests of other code.
    pub const UNLIMITED: Self = Self { per_second: f64::INFINITY, burst: f64::INFINITY };
}

struct Bucket {
    balance: f64,
    filled_at: Option<DateTime<Utc>>,
}

/// Token bucket of one host, kept in memory and shared by all requests of this process to the host.
pub struct Pacer {
    rate: Rate,
    clock: Clock,
    bucket: Mutex<Bucket>,
    sent: [AtomicU64; Purpose::ALL.len()],
}

impl std::fmt::Debug for Pacer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pacer").field("rate", &self.rate).finish_non_exhaustive()
    }
}

impl Pacer {
    /// Creates a full bucket. The rate is measured on `clock`: the portal's clock in demos and
    /// tests that scale time.
    pub fn new(rate: Rate, clock: Clock) -> Self {
        let bucket = Mutex::new(Bucket { balance: rate.burst, filled_at: None });
        Self { rate, clock, bucket, sent: Default::default() }
    }

    /// Returns `true` if the rate is limited.
    pub const fn is_limited(&self) -> bool {
        self.rate.per_second.is_finite()
    }

    /// Returns the number of tokens available now. It is negative if bookings drew more than were
    /// there.
    pub fn balance(&self) -> f64 {
        self.filled().balance
    }

    /// Returns `true` if the balance permits work for this purpose to begin now.
    pub fn may_begin(&self, purpose: Purpose) -> bool {
        self.balance() >= purpose.floor()
    }

    /// Returns the wait, measured on the bucket's clock, until work for this purpose may begin. The
    /// result assumes that no other work draws tokens.
    pub fn opens_in(&self, purpose: Purpose) -> Duration {
        let missing = (purpose.floor() - self.balance()).max(0.0);
        if missing <= 0.0 {
            return Duration::ZERO;
        }
        Duration::try_from_secs_f64(missing / self.rate.per_second).unwrap_or(Duration::from_secs(3600))
    }

    /// Draws tokens for future requests and returns `true`, or returns `false` if work for this
    /// purpose may not begin. The requests spend the tokens through [`Meter::prepaid`].
    pub fn prepay(&self, purpose: Purpose, requests: u32) -> bool {
        let mut bucket = self.filled();
        let may = bucket.balance >= purpose.floor();
        if may {
            bucket.balance -= f64::from(requests);
        }
        may
    }

    /// Removes up to `most` tokens for a sender outside this process, and returns their number. The
    /// balance does not fall below the floor of [`Purpose::Verification`].
    pub fn hand_out(&self, most: u32) -> u32 {
        let mut bucket = self.filled();
        let spare = (bucket.balance - Purpose::Verification.floor()).clamp(0.0, f64::from(most)).floor();
        bucket.balance -= spare;
        // The clamp above guarantees that the value fits into a `u32`.
        spare as u32
    }

    /// Puts tokens that were drawn and not spent back into the bucket.
    pub fn give_back(&self, requests: u32) {
        if requests > 0 {
            let mut bucket = self.filled();
            bucket.balance = (bucket.balance + f64::from(requests)).min(self.rate.burst);
        }
    }

    /// Returns the number of requests sent for this purpose since the process started.
    pub fn sent(&self, purpose: Purpose) -> u64 {
        self.sent[purpose as usize].load(Relaxed)
    }

    /// Draws the token of a request immediately before it is sent. Waits only for a verification.
    /// Other work checked the balance before it began, so its requests never wait.
    pub(crate) async fn admit(&self, meter: &Meter) {
        let purpose = meter.purpose();
        while !meter.spend_prepaid() {
            let wait = {
                let mut bucket = self.filled();
                if purpose != Purpose::Verification || bucket.balance >= purpose.floor() {
                    bucket.balance -= 1.0;
                    break;
                }
                (purpose.floor() - bucket.balance) / self.rate.per_second
            };
            tokio::time::sleep(Duration::try_from_secs_f64(wait).unwrap_or(ASK_AGAIN).min(ASK_AGAIN)).await;
        }
        self.sent[purpose as usize].fetch_add(1, Relaxed);
    }

    /// Adds the tokens that accrued since the last call, and returns the locked bucket.
    fn filled(&self) -> MutexGuard<'_, Bucket> {
        let mut bucket = self.bucket.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_limited() {
            let now = (self.clock)();
            let passed = bucket.filled_at.map_or(0.0, |at| (now - at).as_seconds_f64().max(0.0));
            bucket.balance = (bucket.balance + passed * self.rate.per_second).min(self.rate.burst);
            bucket.filled_at = Some(now);
        }
        bucket
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::TimeDelta;
    use std::sync::Arc;

    fn pacer(rate: Rate) -> (Arc<Mutex<DateTime<Utc>>>, Pacer) {
        let time = Arc::new(Mutex::new("2026-11-21T10:00:00Z".parse().unwrap()));
        let read = time.clone();
        (time, Pacer::new(rate, Arc::new(move || *read.lock().unwrap())))
    }

    #[test]
    fn polls_stop_before_verifications_and_bookings_never_stop() {
        let (time, pacer) = pacer(Rate::default());
        assert!(Purpose::ALL.iter().all(|p| pacer.may_begin(*p)));
        assert!(pacer.prepay(Purpose::Poll, 9));
        assert!(!pacer.prepay(Purpose::Poll, 1), "one token is left for a verification");
        assert!(pacer.prepay(Purpose::Verification, 1));
        assert!(!pacer.may_begin(Purpose::Verification));
        for _ in 0..30 {
            assert!(pacer.prepay(Purpose::Booking, 1));
        }
        assert!(pacer.prepay(Purpose::ReadBack, 1), "a balance of minus thirty is still allowed");
        assert!(!pacer.may_begin(Purpose::Booking), "a lower balance is not allowed");
        assert_eq!(pacer.opens_in(Purpose::Poll).as_secs_f64(), 16.5);
        *time.lock().unwrap() += TimeDelta::milliseconds(16_500);
        assert!(pacer.may_begin(Purpose::Poll));
        *time.lock().unwrap() += TimeDelta::hours(1);
        assert_eq!(pacer.balance(), 10.0, "no more tokens accumulate");
    }

    #[test]
    fn returned_tokens_never_exceed_the_bucket_size() {
        let (time, pacer) = pacer(Rate::default());
        assert_eq!(pacer.hand_out(12), 9, "the reserve for verifications stays");
        assert_eq!(pacer.hand_out(3), 0);
        *time.lock().unwrap() -= TimeDelta::hours(1);
        assert_eq!(pacer.balance(), 1.0, "a clock set back adds no tokens");
        pacer.give_back(40);
        assert_eq!(pacer.balance(), 10.0);
    }

    #[tokio::test]
    async fn only_verifications_wait_for_a_token() {
        let (time, pacer) = pacer(Rate { per_second: 2.0, burst: 1.0 });
        pacer.admit(&Meter::new(Purpose::Booking)).await;
        pacer.admit(&Meter::new(Purpose::Poll)).await;
        assert_eq!(pacer.balance(), -1.0);
        let (prepaid, waiting) =
            (Meter::prepaid(Purpose::Verification, 1), Meter::new(Purpose::Verification));
        pacer.admit(&prepaid).await;
        let mut admitted = std::pin::pin!(pacer.admit(&waiting));
        assert!(futures_poll(admitted.as_mut()).await, "the request waits");
        *time.lock().unwrap() += TimeDelta::seconds(1);
        admitted.await;
        assert_eq!((pacer.balance(), pacer.sent(Purpose::Verification)), (0.0, 2));
    }

    #[tokio::test]
    async fn bookings_do_not_wait_behind_verifications_and_polls() {
        let (_, pacer) = pacer(Rate::default());
        while pacer.prepay(Purpose::Poll, 1) {}
        let meters: Vec<Meter> = (0..20).map(|_| Meter::new(Purpose::Verification)).collect();
        let mut verifications: Vec<_> = meters.iter().map(|meter| Box::pin(pacer.admit(meter))).collect();
        let mut waiting = 0;
        for verification in &mut verifications {
            waiting += u32::from(futures_poll(verification.as_mut()).await);
        }
        assert_eq!(waiting, 19, "one token was left for the verification");
        // Three bookings with nine requests each. No request waits, even below a balance of zero.
        for _ in 0..27 {
            let booking = Meter::new(Purpose::Booking);
            assert!(!futures_poll(std::pin::pin!(pacer.admit(&booking))).await);
        }
        assert_eq!((pacer.balance(), pacer.sent(Purpose::Booking)), (-27.0, 27));
        assert!(pacer.may_begin(Purpose::Booking) && !pacer.may_begin(Purpose::Poll));
    }

    /// Polls the future once and returns `true` if it is still pending.
    async fn futures_poll(mut future: std::pin::Pin<&mut impl Future<Output = ()>>) -> bool {
        std::future::poll_fn(|cx| std::task::Poll::Ready(future.as_mut().poll(cx).is_pending())).await
    }

    #[test]
    fn without_a_limit_no_request_waits() {
        let (_, pacer) = pacer(Rate::UNLIMITED);
        for _ in 0..1_000 {
            assert!(pacer.prepay(Purpose::Poll, 100));
        }
        pacer.give_back(7);
        assert_eq!(pacer.opens_in(Purpose::Poll), Duration::ZERO);
    }
}

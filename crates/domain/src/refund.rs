//! Refundable part of a balance, and its distribution over the user's payments.

use chrono::TimeDelta;

use crate::clock::Instant;

/// Maximum number of refund requests of a user per day.
pub const A_DAY: usize = 2;

/// A card payment that can be refunded.
#[derive(Clone, Copy, Debug)]
pub struct Paid {
    /// Part of the payment neither refunded nor disputed, in minor units.
    pub unrefunded: i64,
    /// `true` if the payer's bank has taken back a part. Then the bank decides, not the user.
    pub disputed: bool,
    /// Time until which the user may request a refund. Afterwards support must help, since
    /// providers also limit refunds.
    pub until: Instant,
}

impl Paid {
    /// Returns the amount that the payment could take, if the balance still contains all of it.
    #[must_use]
    pub fn open(&self) -> i64 {
        if self.disputed { 0 } else { self.unrefunded.max(0) }
    }
}

/// Splits `amount` over the payments in their order, newest first. A part that no payment can take,
/// or that is too late for them, is not assigned.
#[must_use]
pub fn split(amount: i64, newest_first: &[Paid], now: Instant) -> Vec<i64> {
    let mut rest = amount.max(0);
    let part = |paid: &Paid| {
        let part = if now <= paid.until { paid.open().min(rest) } else { 0 };
        rest -= part;
        part
    };
    newest_first.iter().map(part).collect()
}

/// Returns the time of the next possible refund request after requests at these times. Returns
/// `None` if a request is possible now.
#[must_use]
pub fn again_at(asked: &[Instant], now: Instant) -> Option<Instant> {
    let mut lately: Vec<Instant> =
        asked.iter().map(|at| *at + TimeDelta::days(1)).filter(|end| *end > now).collect();
    lately.sort_unstable();
    (lately.len() >= A_DAY).then(|| lately[lately.len() - A_DAY])
}

#[cfg(test)]
mod tests {
    use super::{Paid, again_at, split};
    use crate::clock::Instant;
    use chrono::TimeDelta;

    fn day(day: i64) -> Instant {
        Instant::from_timestamp(1_795_000_000, 0).unwrap() + TimeDelta::days(day)
    }

    fn paid(unrefunded: i64, at: i64) -> Paid {
        Paid { unrefunded, disputed: false, until: day(at + 180) }
    }

    // spec: 10.10.24
    #[test]
    fn the_newest_payment_is_refunded_first() {
        let payments = [paid(30, 20), paid(0, 15), paid(50, 10), paid(40, 0)];
        let at = |now: i64, amount| split(amount, &payments, day(now));
        assert_eq!(at(21, 30), [30, 0, 0, 0]);
        assert_eq!(at(21, 60), [30, 0, 30, 0]);
        assert_eq!(at(21, 1_000), [30, 0, 50, 40]);
        assert_eq!(at(180, 1_000), [30, 0, 50, 40], "refundable on the last day");
        assert_eq!(at(181, 1_000), [30, 0, 50, 0], "not refundable after the last day");
        assert_eq!(at(21, -5), [0, 0, 0, 0]);
        let disputed = [Paid { disputed: true, ..paid(30, 20) }, paid(5, 10)];
        assert_eq!(split(20, &disputed, day(21)), [0, 5]);
    }

    #[test]
    fn two_refund_requests_a_day_are_allowed() {
        let hour = |n| day(0) + TimeDelta::hours(n);
        assert_eq!(again_at(&[], day(0)), None);
        assert_eq!(again_at(&[hour(0)], hour(1)), None);
        assert_eq!(again_at(&[hour(5), hour(0)], hour(6)), Some(hour(24)));
        assert_eq!(again_at(&[hour(5), hour(0)], hour(24)), None);
        assert_eq!(again_at(&[hour(0), hour(5), hour(6)], hour(7)), Some(hour(29)));
    }
}

//! What the owner of a balance may have refunded, and to which of their payments it goes.

use chrono::TimeDelta;

use crate::clock::Instant;

/// So often within a day one person may ask.
pub const A_DAY: usize = 2;

/// A payment by card that money could go back to.
#[derive(Clone, Copy, Debug)]
pub struct Paid {
    /// What of it has neither gone back nor been taken back; minor units.
    pub unrefunded: i64,
    /// Whether the payer's bank has taken something of it back: then the bank decides, not its owner.
    pub disputed: bool,
    /// Until when its owner may ask; afterwards they ask support, since providers end it too.
    pub until: Instant,
}

impl Paid {
    /// What could go back to it, were all of it still there.
    #[must_use]
    pub fn open(&self) -> i64 {
        if self.disputed { 0 } else { self.unrefunded.max(0) }
    }
}

/// How much of `amount` goes to each of the payments, in their order: the newest first. What none of them can take, or what
/// is too late for them, goes nowhere.
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

/// When one may ask again who asked at these times; none when at once.
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
    fn the_newest_payment_gets_it_first() {
        let payments = [paid(30, 20), paid(0, 15), paid(50, 10), paid(40, 0)];
        let at = |now: i64, amount| split(amount, &payments, day(now));
        assert_eq!(at(21, 30), [30, 0, 0, 0]);
        assert_eq!(at(21, 60), [30, 0, 30, 0]);
        assert_eq!(at(21, 1_000), [30, 0, 50, 40]);
        assert_eq!(at(180, 1_000), [30, 0, 50, 40], "on the last day");
        assert_eq!(at(181, 1_000), [30, 0, 50, 0], "after it");
        assert_eq!(at(21, -5), [0, 0, 0, 0]);
        let disputed = [Paid { disputed: true, ..paid(30, 20) }, paid(5, 10)];
        assert_eq!(split(20, &disputed, day(21)), [0, 5]);
    }

    #[test]
    fn twice_a_day_is_enough() {
        let hour = |n| day(0) + TimeDelta::hours(n);
        assert_eq!(again_at(&[], day(0)), None);
        assert_eq!(again_at(&[hour(0)], hour(1)), None);
        assert_eq!(again_at(&[hour(5), hour(0)], hour(6)), Some(hour(24)));
        assert_eq!(again_at(&[hour(5), hour(0)], hour(24)), None);
        assert_eq!(again_at(&[hour(0), hour(5), hour(6)], hour(7)), Some(hour(29)));
    }
}

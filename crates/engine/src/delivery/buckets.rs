//! Rate limits of each provider and each target. They are the documented limits with a margin.
//!
//! A bucket is stored as one instant, the time at which it is full again (GCRA).

use std::collections::HashMap;
use std::hash::Hash;

use chrono::TimeDelta;
use domain::channel::ChannelKind;
use domain::clock::Instant;
use parking_lot::Mutex;
use store::Random;

/// Number of buckets above which full buckets are removed.
const MANY: usize = 20_000;

/// Size of a burst, and the time after which one more message is allowed.
#[derive(Clone, Copy, Debug)]
struct Rate {
    burst: i32,
    every: TimeDelta,
}

/// Key of a target's bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TargetKey(pub [u8; 16]);

/// Buckets of one process.
#[derive(Debug, Default)]
pub struct Buckets {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    providers: HashMap<ChannelKind, Instant>,
    targets: HashMap<TargetKey, Instant>,
    /// Times until which a target's provider requested a pause.
    held: HashMap<TargetKey, Instant>,
}

/// Returns the rate limit that all users of a provider share, because the product has one bot, app
/// or number there.
fn of_provider(kind: ChannelKind) -> Option<Rate> {
    match kind {
        // 30 a second.
        ChannelKind::Telegram => Some(rate(5, 40)),
        // 2 a second. The margin is needed because messages may arrive closer together than they
        // were sent.
        ChannelKind::WxPusher => Some(rate(1, 700)),
        ChannelKind::Sms => Some(rate(1, 1_100)),
        _ => None,
    }
}

fn of_target(kind: ChannelKind) -> Option<Rate> {
    match kind {
        // One a second.
        ChannelKind::Telegram | ChannelKind::Slack => Some(rate(1, 1_050)),
        ChannelKind::Webhook => Some(rate(5, 1_000)),
        // 20 a minute.
        ChannelKind::WeCom | ChannelKind::DingTalk => Some(rate(5, 4_000)),
        // 100 a minute.
        ChannelKind::Feishu => Some(rate(3, 1_000)),
        // 30 a minute.
        ChannelKind::Discord => Some(rate(2, 2_200)),
        // 200 a day; a faster rate leads to bans.
        ChannelKind::PushPlus => Some(rate(10, 480_000)),
        ChannelKind::ServerChan => Some(rate(5, 15_000)),
        ChannelKind::Ntfy => Some(rate(20, 6_000)),
        ChannelKind::Sms => Some(rate(2, 30_000)),
        _ => None,
    }
}

const fn rate(burst: i32, every_ms: i64) -> Rate {
    Rate { burst, every: TimeDelta::milliseconds(every_ms) }
}

impl Buckets {
    /// Takes one token from both buckets of a message, if both have one.
    ///
    /// # Errors
    /// Returns the time at which the message may be tried again.
    pub fn take(&self, kind: ChannelKind, target: TargetKey, now: Instant) -> Result<(), Instant> {
        let mut inner = self.inner.lock();
        inner.forget_full(now);
        let Inner { providers, targets, held } = &mut *inner;
        if let Some(until) = held.get(&target).copied().filter(|until| *until > now) {
            return Err(until);
        }
        let pair = [
            of_provider(kind).map(|rate| (rate, providers.get(&kind).copied().unwrap_or(now))),
            of_target(kind).map(|rate| (rate, targets.get(&target).copied().unwrap_or(now))),
        ];
        let next = pair.iter().flatten().map(|(rate, full)| rate.next(*full)).max();
        if let Some(next) = next.filter(|next| *next > now) {
            return Err(next);
        }
        if let Some((rate, full)) = pair[0] {
            providers.insert(kind, full.max(now) + rate.every);
        }
        if let Some((rate, full)) = pair[1] {
            targets.insert(target, full.max(now) + rate.every);
        }
        Ok(())
    }

    /// Records that the provider of a target requested a pause until `until`.
    pub fn hold(&self, target: TargetKey, until: Instant) {
        self.inner.lock().held.insert(target, until);
    }

    /// Returns the kinds whose provider bucket is empty, each with the time of its next token.
    pub fn empty(&self, now: Instant) -> Vec<(ChannelKind, Instant)> {
        let inner = self.inner.lock();
        let next =
            inner.providers.iter().filter_map(|(kind, full)| Some((*kind, of_provider(*kind)?.next(*full))));
        next.filter(|(_, next)| *next > now).collect()
    }
}

impl Rate {
    /// Returns the time of the next token of a bucket that is full again at `full`.
    fn next(self, full: Instant) -> Instant {
        full - self.every * (self.burst - 1)
    }
}

impl Inner {
    fn forget_full(&mut self, now: Instant) {
        forget(&mut self.targets, now);
        forget(&mut self.held, now);
    }
}

fn forget<K: Eq + Hash>(buckets: &mut HashMap<K, Instant>, now: Instant) {
    if buckets.len() > MANY {
        buckets.retain(|_, until| *until > now);
    }
}

/// Shortens a pause by a random part of at most a quarter, so that messages that failed together
/// are not retried together.
pub(super) fn jittered(pause: TimeDelta, random: &Random) -> TimeDelta {
    let most = pause.num_milliseconds() / 4;
    let off = random.below(u32::try_from(most).unwrap_or(u32::MAX));
    pause - TimeDelta::milliseconds(i64::from(off))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: i64) -> Instant {
        Instant::UNIX_EPOCH + TimeDelta::milliseconds(millis)
    }

    /// Returns how many of `tries` attempts, one each `every` milliseconds, are let through.
    fn taken(kind: ChannelKind, tries: i64, every: i64) -> i64 {
        let buckets = Buckets::default();
        let one = |n| buckets.take(kind, TargetKey([1; 16]), at(n * every)).is_ok();
        i64::try_from((0..tries).filter(|n| one(*n)).count()).unwrap_or_default()
    }

    #[test]
    fn providers_are_not_sent_to_above_their_rate_limit() {
        let a_minute = |kind| taken(kind, 6_000, 10);
        assert!(a_minute(ChannelKind::WeCom) <= 20, "20 a minute");
        assert!(a_minute(ChannelKind::Telegram) <= 60, "one a second in a chat");
        assert!(a_minute(ChannelKind::WxPusher) <= 120, "2 a second");
        assert!(taken(ChannelKind::PushPlus, 86_400, 1_000) <= 200, "200 a day");
        assert_eq!(a_minute(ChannelKind::WebPush), 6_000, "no limit is known");
    }

    #[test]
    fn all_chats_of_a_bot_share_its_rate_limit() {
        let buckets = Buckets::default();
        let second: Vec<_> = (0..100)
            .map(|n: u8| buckets.take(ChannelKind::Telegram, TargetKey([n; 16]), at(i64::from(n))))
            .collect();
        assert!(second.iter().filter(|taken| taken.is_ok()).count() <= 30);
        assert_eq!(buckets.empty(at(100)).first().map(|(kind, _)| *kind), Some(ChannelKind::Telegram));
        let next = second.iter().find_map(|taken| taken.err());
        assert!(next.is_some_and(|next| next > at(0) && next <= at(140)), "{next:?}");
        assert_eq!(buckets.empty(at(5_000)), []);
    }

    #[test]
    fn a_target_is_not_sent_to_before_its_retry_time() {
        let (buckets, target) = (Buckets::default(), TargetKey([1; 16]));
        buckets.hold(target, at(5_000));
        assert_eq!(buckets.take(ChannelKind::Bark, target, at(0)), Err(at(5_000)));
        assert_eq!(buckets.take(ChannelKind::Bark, TargetKey([2; 16]), at(0)), Ok(()));
        assert_eq!(buckets.take(ChannelKind::Bark, target, at(5_000)), Ok(()));
    }
}

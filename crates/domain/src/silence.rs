//! Silence: no calendar of a task was answered for long, for any reason.

use chrono::TimeDelta;

use crate::clock::Instant;

/// Time without an answered poll after which a task is silent. Its row shows the silence, and its
/// user is notified.
pub const SILENT_AFTER: TimeDelta = TimeDelta::hours(6);

/// Returns the duration of a silence after which the operator is alarmed, for this number of active
/// tasks.
///
/// With few active tasks a single silent one raises the alarm, and it may be the only task of its
/// account. The account polls the cities of such a task in turn, up to three hours apart (promise
/// 29).
#[must_use]
pub const fn alarm_after(active: i64) -> TimeDelta {
    if active <= ALARM_SHARE { TimeDelta::hours(3) } else { TimeDelta::hours(1) }
}

/// Number of active tasks for each silent task at which the operator's alarm begins.
const ALARM_SHARE: i64 = 10;

/// Time after a pause announced by the host within which polls are answered again.
const AFTER_PAUSE: TimeDelta = TimeDelta::hours(1);

/// Returns `true` if a silence that began at `since` must be notified at `now`. `host_until` is the
/// end of a pause announced by the host.
#[must_use]
pub fn is_due(since: Instant, host_until: Option<Instant>, now: Instant) -> bool {
    let announced = host_until.is_some_and(|until| until > now && until - since < SILENT_AFTER + AFTER_PAUSE);
    now - since >= SILENT_AFTER && !announced
}

/// Returns `true` if this number of silent tasks among the active ones alarms the operator.
#[must_use]
pub const fn alarms(silent: i64, active: i64) -> bool {
    silent > 0 && silent * ALARM_SHARE >= active
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silence_notice_waits_only_for_a_pause_that_ends_soon() {
        let hour = |hours: i64| Instant::UNIX_EPOCH + TimeDelta::hours(hours);
        let since = hour(10);
        assert!(!is_due(since, None, hour(15)));
        assert!(is_due(since, None, hour(16)));
        let soon = hour(16) + TimeDelta::minutes(30);
        assert!(!is_due(since, Some(soon), hour(16)));
        assert!(is_due(since, Some(soon), hour(17)), "the pause has ended, and no poll was answered");
        assert!(is_due(since, Some(hour(20)), hour(16)));
    }

    #[test]
    fn a_tenth_of_active_tasks_being_silent_raises_an_alarm() {
        assert!(!alarms(0, 0));
        assert!(!alarms(1, 11));
        assert!(alarms(1, 10));
        assert!(alarms(1, 1));
        assert_eq!(alarm_after(10), TimeDelta::hours(3), "one task is the share");
        assert_eq!(alarm_after(11), TimeDelta::hours(1));
    }
}

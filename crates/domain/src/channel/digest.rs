//! Schedule of digests: in the user's morning, after the quiet hours.

use chrono::{Datelike as _, Days, NaiveDate, NaiveTime, TimeDelta, TimeZone as _, Utc, Weekday};

use super::EventKind;
use super::setting::{Digest, Setting};
use crate::clock::Instant;

/// Begin of the morning in the user's time zone.
const MORNING: NaiveTime = NaiveTime::from_hms_opt(8, 0, 0).expect("a time of day");
/// Time within which a due digest is created. A later one is skipped, because it would arrive at
/// night.
const MADE_WITHIN: TimeDelta = TimeDelta::hours(4);

/// Period that a digest covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// Date on which the digest is sent, in the user's time zone.
    pub day: NaiveDate,
    /// Length of the period before the digest.
    pub span: TimeDelta,
}

impl Setting {
    /// Returns the digest that is due now. `last` is the time of the last digest.
    #[must_use]
    pub fn digest_due(&self, last: Option<Instant>, now: Instant) -> Option<Period> {
        let span = self.digest.every()?;
        let today = now.with_timezone(&self.zone).date_naive();
        // Quiet hours may end on the day after the morning that they delay.
        let days = [Some(today), today.checked_sub_days(Days::new(1))].into_iter().flatten();
        let begun = |day: &NaiveDate| {
            self.digest_morning(*day).is_some_and(|begins| begins <= now && now < begins + MADE_WITHIN)
        };
        let day = days.filter(|day| self.is_digest_day(*day)).find(begun)?;
        // A change of the time zone, or from daily to weekly, must not cause two digests for about
        // the same period.
        let is_new = last.is_none_or(|last| now - last >= span / 2);
        is_new.then_some(Period { day, span })
    }

    fn is_digest_day(&self, day: NaiveDate) -> bool {
        self.digest == Digest::Daily || day.weekday() == Weekday::Mon
    }

    fn digest_morning(&self, day: NaiveDate) -> Option<Instant> {
        let morning = self.zone.from_local_datetime(&day.and_time(MORNING)).earliest()?.with_timezone(&Utc);
        let is_always_quiet = self.quiet.is_some_and(|quiet| quiet.from == quiet.to);
        let end = self.quiet_until(EventKind::Digest, morning).filter(|_| !is_always_quiet);
        Some(end.unwrap_or(morning))
    }
}

#[cfg(test)]
mod tests {
    use super::super::setting::QuietHours;
    use super::*;

    fn setting(digest: Digest, quiet: Option<(u32, u32)>) -> Setting {
        let hour = |hour| NaiveTime::from_hms_opt(hour, 0, 0).unwrap_or_default();
        let quiet = quiet.map(|(from, to)| QuietHours { from: hour(from), to: hour(to) });
        Setting { digest, quiet, ..Setting::default() }
    }

    /// Returns the times at which digests are created in the two weeks from Monday 2027-03-08, if
    /// checked every five minutes. Toronto's clock is set forward on 2027-03-14.
    fn made(setting: &Setting) -> Vec<String> {
        let begin: Instant = "2027-03-08T05:00:00Z".parse().unwrap_or_default();
        let (mut last, mut made) = (None, Vec::new());
        for step in 0..14 * 24 * 12 {
            let now = begin + TimeDelta::minutes(5 * step);
            if setting.digest_due(last, now).is_some() {
                last = Some(now);
                made.push(now.with_timezone(&setting.zone).format("%d %H:%M").to_string());
            }
        }
        made
    }

    #[test]
    fn digests_are_sent_each_morning_or_each_monday() {
        assert!(made(&setting(Digest::Off, None)).is_empty());
        let daily: Vec<_> = (8..22).map(|day| format!("{day:02} 08:00")).collect();
        assert_eq!(made(&setting(Digest::Daily, None)), daily);
        assert_eq!(made(&setting(Digest::Weekly, None)), ["08 08:00", "15 08:00"]);
    }

    #[test]
    fn quiet_hours_delay_the_digest() {
        assert_eq!(made(&setting(Digest::Weekly, Some((22, 7)))), ["08 08:00", "15 08:00"]);
        assert_eq!(made(&setting(Digest::Weekly, Some((22, 10)))), ["08 10:00", "15 10:00"]);
        assert_eq!(
            made(&setting(Digest::Weekly, Some((7, 1)))),
            ["09 01:00", "16 01:00"],
            "a user who sleeps by day"
        );
        assert_eq!(
            made(&setting(Digest::Weekly, Some((9, 9)))),
            ["08 08:00", "15 08:00"],
            "a user who is never to be disturbed"
        );
    }

    #[test]
    fn an_overdue_digest_is_skipped() {
        let daily = setting(Digest::Daily, None);
        let due = |now: &str| daily.digest_due(None, now.parse().unwrap_or_default()).is_some();
        let cases = [("12:59", false), ("13:00", true), ("16:59", true), ("17:00", false)];
        for (time, expected) in cases {
            assert_eq!(due(&format!("2027-03-08T{time}:00Z")), expected, "{time}");
        }
        let monday: Instant = "2027-03-08T13:00:00Z".parse().unwrap_or_default();
        let weekly = Setting { digest: Digest::Weekly, ..daily };
        assert!(
            weekly.digest_due(Some(monday - TimeDelta::days(1)), monday).is_none(),
            "yesterday's digest was daily"
        );
    }
}

//! Notification settings of a user: quiet hours, time zone and digests.

use chrono::{Days, MappedLocalTime, NaiveTime, TimeDelta, TimeZone as _, Utc};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};
use utoipa::ToSchema;

use super::EventKind;
use crate::clock::Instant;

/// Settings of a user for all channels together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Hours in which only urgent notifications are sent.
    pub quiet: Option<QuietHours>,
    /// The user's time zone.
    pub zone: Tz,
    /// `true` if ask-first questions are sent in quiet hours.
    pub questions_at_night: bool,
    /// Frequency of digests.
    pub digest: Digest,
}

/// Hours of the day in the user's time zone. They may span midnight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuietHours {
    /// Begin of the quiet hours.
    pub from: NaiveTime,
    /// End of the quiet hours. If it equals `from`, the whole day is quiet.
    pub to: NaiveTime,
}

/// Frequency of the summaries of a user's searches.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    ToSchema,
    Display,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Digest {
    /// Never.
    Off,
    /// Every day.
    Daily,
    /// Every week.
    Weekly,
}

impl Default for Setting {
    /// Returns the settings of a user who never chose any.
    fn default() -> Self {
        Self { quiet: None, zone: Tz::America__Toronto, questions_at_night: false, digest: Digest::Weekly }
    }
}

impl Setting {
    /// Returns the time until which an event must wait, or `None` if it may be sent now. Urgent
    /// events do not wait, except questions of users who have not allowed them at night.
    #[must_use]
    pub fn quiet_until(&self, event: EventKind, now: Instant) -> Option<Instant> {
        let waits = match event {
            EventKind::AskFirst => !self.questions_at_night,
            EventKind::Opening | EventKind::Digest => true,
            EventKind::Booked
            | EventKind::NeedsYou
            | EventKind::Security
            | EventKind::Verification
            | EventKind::Test
            | EventKind::OperatorAlarm
            | EventKind::Money
            | EventKind::Submitted => false,
        };
        self.quiet.filter(|_| waits)?.until(self.zone, now)
    }
}

impl QuietHours {
    /// Returns the end of the quiet hours around `now`, or `None` outside of them.
    fn until(self, zone: Tz, now: Instant) -> Option<Instant> {
        let local = now.with_timezone(&zone).naive_local();
        let (today, time) = (local.date(), local.time());
        let over_midnight = self.to <= self.from;
        let (quiet, last_day) = if over_midnight {
            let evening = time >= self.from;
            (evening || time < self.to, if evening { today + Days::new(1) } else { today })
        } else {
            (time >= self.from && time < self.to, today)
        };
        if !quiet {
            return None;
        }
        let end = last_day.and_time(self.to);
        let (mut ends, hour) = (zone.from_local_datetime(&end), TimeDelta::hours(1));
        if ends == MappedLocalTime::None {
            // The clock skips this time: use the time an hour later.
            ends = zone.from_local_datetime(&(end + hour));
        }
        // If the clock shows this time twice, the first one may be past.
        let end = ends.earliest().filter(|end| *end > now).or(ends.latest());
        end.map(|end| end.with_timezone(&Utc))
    }
}

impl Digest {
    /// Returns the interval between digests, or `None` if they are off.
    #[must_use]
    pub const fn every(self) -> Option<TimeDelta> {
        match self {
            Self::Off => None,
            Self::Daily => Some(TimeDelta::days(1)),
            Self::Weekly => Some(TimeDelta::days(7)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quiet(from: &str, to: &str) -> Setting {
        let time = |text: &str| NaiveTime::parse_from_str(text, "%H:%M").unwrap_or_default();
        let quiet = Some(QuietHours { from: time(from), to: time(to) });
        Setting { quiet, ..Setting::default() }
    }

    fn at(text: &str) -> Instant {
        text.parse().unwrap_or_default()
    }

    #[test]
    fn quiet_hours_use_the_users_time_zone_and_may_span_midnight() {
        // Toronto is five hours behind UTC in winter and four in summer. On 2027-03-14 the clock
        // skips the hour from 02:00.
        let cases = [
            ("22:00", "07:00", "2027-01-10T02:59:00Z", None),
            ("22:00", "07:00", "2027-01-10T03:00:00Z", Some("2027-01-10T12:00:00Z")),
            ("22:00", "07:00", "2027-01-10T11:59:59Z", Some("2027-01-10T12:00:00Z")),
            ("22:00", "07:00", "2027-01-10T12:00:00Z", None),
            ("13:00", "14:00", "2027-07-10T17:30:00Z", Some("2027-07-10T18:00:00Z")),
            ("13:00", "14:00", "2027-07-10T18:00:00Z", None),
            ("22:00", "02:30", "2027-03-14T05:00:00Z", Some("2027-03-14T07:30:00Z")),
            // On 2026-11-01 the hour from 01:00 is shown twice.
            ("22:00", "01:30", "2026-11-01T05:10:00Z", Some("2026-11-01T05:30:00Z")),
            ("22:00", "01:30", "2026-11-01T06:10:00Z", Some("2026-11-01T06:30:00Z")),
            ("22:00", "01:30", "2026-11-01T06:30:00Z", None),
            ("09:00", "09:00", "2027-01-10T20:00:00Z", Some("2027-01-11T14:00:00Z")),
        ];
        for (from, to, now, end) in cases {
            let until = quiet(from, to).quiet_until(EventKind::Opening, at(now));
            assert_eq!(until, end.map(at), "{from}-{to} at {now}");
        }
    }

    #[test]
    fn only_deferrable_events_wait_for_quiet_hours() {
        let (night, mut setting) = (at("2027-01-10T04:00:00Z"), quiet("22:00", "07:00"));
        let waits = |setting: &Setting| {
            let all = EventKind::VARIANTS.iter().copied();
            all.filter(|kind| setting.quiet_until(*kind, night).is_some()).collect::<Vec<_>>()
        };
        assert_eq!(waits(&setting), [EventKind::AskFirst, EventKind::Opening, EventKind::Digest]);
        setting.questions_at_night = true;
        assert_eq!(waits(&setting), [EventKind::Opening, EventKind::Digest]);
        setting.quiet = None;
        assert_eq!(waits(&setting), []);
    }
}

//! Alarms to the operator: their subjects, when each is reported, and when each ends.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use super::ChannelKind;
use crate::clock::Instant;

/// Interval at which a lasting alarm is reported again.
const REPEATED_EVERY: TimeDelta = TimeDelta::hours(24);
/// Time without the problem after which an alarm ends. A shorter interruption belongs to the same
/// alarm.
const OVER_AFTER: TimeDelta = TimeDelta::minutes(5);
/// Engine absence that becomes an alarm. A restart takes less.
const ENGINE_AWAY: TimeDelta = TimeDelta::minutes(5);
/// Delay at which a poll counts as late. Peak load and a short back-off delay a poll less.
pub const POLL_LATE: TimeDelta = TimeDelta::hours(1);
/// Time within which an urgent message should have been sent.
pub const URGENT_WAITS: TimeDelta = TimeDelta::minutes(5);
/// Period in which abandoned messages are counted.
pub const GIVEN_UP_WITHIN: TimeDelta = TimeDelta::hours(1);
/// Number of abandoned messages that becomes an alarm. A few addresses that never existed are
/// abandoned every day.
const MANY_GIVEN_UP: i64 = 10;

/// A problem of the service as a whole.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    Display,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum AlarmKind {
    /// Tasks are running, and no engine polls for them.
    EngineStopped,
    /// No account can read a page of the portal: a country is stalled.
    PagesChanged,
    /// The ledger is inconsistent: no money moves.
    BooksFrozen,
    /// Mails or messages are not sent.
    DeliveryFailing,
}

/// An alarm as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alarm {
    /// Time since which the problem exists.
    pub began_at: Instant,
    /// Time of the last report; `None` while the problem may still pass by itself.
    pub told_at: Option<Instant>,
    /// Time since which the problem no longer exists.
    pub gone_at: Option<Instant>,
}

/// Current state of what an alarm observes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The problem of the alarm exists.
    Wrong,
    /// The problem does not exist.
    Right,
}

/// Phase of an alarm that is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Display, IntoStaticStr, VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Phase {
    /// The alarm begins.
    Begun,
    /// The alarm lasts.
    Stands,
    /// The alarm has ended.
    Over,
}

/// Result of one check of an alarm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The alarm to store; `None` deletes it.
    pub keep: Option<Alarm>,
    /// The phase to report.
    pub tell: Option<Phase>,
}

impl AlarmKind {
    /// Returns the time that the problem may last before it becomes an alarm.
    #[must_use]
    pub const fn grace(self) -> TimeDelta {
        match self {
            Self::EngineStopped => ENGINE_AWAY,
            Self::PagesChanged | Self::BooksFrozen | Self::DeliveryFailing => TimeDelta::zero(),
        }
    }

    /// Computes the next state of an alarm of this kind from the stored one and the current
    /// condition.
    #[must_use]
    pub fn step(self, known: Option<Alarm>, condition: Condition, now: Instant) -> Step {
        let keep = |alarm| Step { keep: Some(alarm), tell: None };
        let tell = |phase, alarm: Alarm| Step {
            keep: Some(Alarm { told_at: Some(now), ..alarm }),
            tell: Some(phase),
        };
        let nothing = Step { keep: None, tell: None };
        match (condition, known) {
            (Condition::Right, None) => nothing,
            (Condition::Right, Some(Alarm { told_at: None, .. })) => nothing,
            (Condition::Right, Some(alarm)) => match alarm.gone_at {
                Some(gone) if now - gone >= OVER_AFTER => Step { keep: None, tell: Some(Phase::Over) },
                Some(_) => keep(alarm),
                None => keep(Alarm { gone_at: Some(now), ..alarm }),
            },
            (Condition::Wrong, known) => {
                let new = Alarm { began_at: now, told_at: None, gone_at: None };
                let alarm = Alarm { gone_at: None, ..known.unwrap_or(new) };
                match alarm.told_at {
                    None if now - alarm.began_at >= self.grace() => tell(Phase::Begun, alarm),
                    Some(told) if now - told >= REPEATED_EVERY => tell(Phase::Stands, alarm),
                    _ => keep(alarm),
                }
            }
        }
    }
}

impl ChannelKind {
    /// Returns `true` if alarms are sent over the channel. Groups are excluded, and so are text
    /// messages: each costs money and needs a template.
    #[must_use]
    pub const fn takes_alarms(self) -> bool {
        !self.is_group() && !matches!(self, Self::Sms)
    }
}

/// Urgent messages of one kind of channel that have waited too long. Alarms are not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backlog {
    /// The kind of channel.
    pub kind: ChannelKind,
    /// Number of waiting messages.
    pub waiting: i64,
    /// Number of users with waiting messages.
    pub people: i64,
    /// Number of messages due for as long without an attempt.
    pub untried: i64,
}

/// Messages that wait too long, and messages abandoned recently.
#[derive(Clone, Debug, Default)]
pub struct Outgoing {
    /// Backlog by kind of channel.
    pub backlog: Vec<Backlog>,
    /// Number of messages abandoned, or refused for a reason that the operator must fix.
    pub given_up: i64,
}

impl Backlog {
    /// Returns `true` if the service causes the backlog. The provider of a single user may be down
    /// for long; the mail server may not.
    fn is_ours(&self) -> bool {
        self.waiting > 0 && (self.kind == ChannelKind::Email || self.people > 1 || self.untried > 0)
    }
}

impl Outgoing {
    /// Returns the number of messages that wait too long because of the service.
    #[must_use]
    pub fn stuck(&self) -> i64 {
        self.backlog.iter().filter(|one| one.is_ours()).map(|one| one.waiting).sum()
    }

    /// Returns the condition of delivery.
    #[must_use]
    pub fn condition(&self) -> Condition {
        match self.stuck() > 0 || self.given_up >= MANY_GIVEN_UP {
            true => Condition::Wrong,
            false => Condition::Right,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minute(minutes: i64) -> Instant {
        Instant::UNIX_EPOCH + TimeDelta::minutes(minutes)
    }

    /// Returns the phases reported, with their minutes, if the problem exists in the minutes
    /// `wrong`. Checks every minute of three days.
    fn told(kind: AlarmKind, wrong: &[(i64, i64)]) -> Vec<(i64, Phase)> {
        let (mut known, mut told) = (None, Vec::new());
        for at in 0..3 * 24 * 60 {
            let is_wrong = wrong.iter().any(|(from, to)| (*from..*to).contains(&at));
            let condition = if is_wrong { Condition::Wrong } else { Condition::Right };
            let step = kind.step(known, condition, minute(at));
            known = step.keep;
            told.extend(step.tell.map(|phase| (at, phase)));
        }
        told
    }

    #[test]
    fn alarms_notify_at_start_and_end_and_daily_in_between() {
        use Phase::{Begun, Over, Stands};
        let frozen = |wrong: &[_]| told(AlarmKind::BooksFrozen, wrong);
        assert_eq!(frozen(&[]), []);
        assert_eq!(frozen(&[(10, 40)]), [(10, Begun), (45, Over)]);
        assert_eq!(
            frozen(&[(10, 40), (43, 60)]),
            [(10, Begun), (65, Over)],
            "interruptions of a few minutes are one problem"
        );
        let days = [(10, Begun), (1450, Stands), (2890, Stands), (3005, Over)];
        assert_eq!(frozen(&[(10, 3000)]), days, "it is notified again after a day");
        let engine = |wrong: &[_]| told(AlarmKind::EngineStopped, wrong);
        assert_eq!(engine(&[(10, 15), (20, 25)]), [], "a restart");
        assert_eq!(engine(&[(10, 40)]), [(15, Begun), (45, Over)]);
    }

    #[test]
    fn a_backlog_of_one_user_on_a_self_hosted_channel_is_no_alarm() {
        let waits = |kind, people, untried| Backlog { kind, waiting: 3, people, untried };
        let condition =
            |backlog: &[Backlog], given_up| Outgoing { backlog: backlog.to_vec(), given_up }.condition();
        let ntfy = ChannelKind::Ntfy;
        for (backlog, given_up, expected) in [
            (None, 9, Condition::Right),
            (None, 10, Condition::Wrong),
            (Some(waits(ntfy, 1, 0)), 0, Condition::Right),
            (Some(waits(ntfy, 2, 0)), 0, Condition::Wrong),
            (Some(waits(ntfy, 1, 1)), 0, Condition::Wrong),
            (Some(waits(ChannelKind::Email, 1, 0)), 0, Condition::Wrong),
        ] {
            assert_eq!(condition(backlog.as_slice(), given_up), expected, "{backlog:?} {given_up}");
        }
    }
}

//! Alarms to whoever runs the server: what one is about, when it is told, and when it is over.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use super::ChannelKind;
use crate::clock::Instant;

/// What stands is told of again after so long.
const TOLD_AGAIN: TimeDelta = TimeDelta::hours(24);
/// It is over when it was gone for so long: what comes and goes is one alarm.
const OVER_AFTER: TimeDelta = TimeDelta::minutes(5);
/// A restart takes less.
const ENGINE_AWAY: TimeDelta = TimeDelta::minutes(5);
/// A poll that is later than this is not late by the load of its hour, nor by a short rest.
pub const POLL_LATE: TimeDelta = TimeDelta::hours(1);
/// What is urgent should have left after so long.
pub const URGENT_WAITS: TimeDelta = TimeDelta::minutes(5);
/// What was given up is counted for so long.
pub const GIVEN_UP_WITHIN: TimeDelta = TimeDelta::hours(1);
/// A few addresses that never existed are given up every day.
const MANY_GIVEN_UP: i64 = 10;

/// What is wrong with the service as a whole.
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
    /// Tasks run, and no engine checks for them.
    EngineStopped,
    /// Nobody can read a page of the portal any more: a country stands still.
    PagesChanged,
    /// The books do not add up: no money moves.
    BooksFrozen,
    /// Mails or messages do not leave.
    DeliveryFailing,
}

/// One alarm as it is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alarm {
    /// Since when it is so.
    pub began_at: Instant,
    /// When it was last told; none while it may still pass by itself.
    pub told_at: Option<Instant>,
    /// Since when it is no longer so.
    pub gone_at: Option<Instant>,
}

/// How things are now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// As the alarm says.
    Wrong,
    /// In order.
    Right,
}

/// What is told of an alarm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Display, IntoStaticStr, VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Phase {
    /// It begins.
    Begun,
    /// It still stands.
    Stands,
    /// It is over.
    Over,
}

/// What follows from how things are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// What is kept from now on; none forgets it.
    pub keep: Option<Alarm>,
    /// What is told.
    pub tell: Option<Phase>,
}

impl AlarmKind {
    /// How long it may last before it is one.
    #[must_use]
    pub const fn grace(self) -> TimeDelta {
        match self {
            Self::EngineStopped => ENGINE_AWAY,
            Self::PagesChanged | Self::BooksFrozen | Self::DeliveryFailing => TimeDelta::zero(),
        }
    }

    /// What becomes of an alarm of this kind, known or not.
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
                    Some(told) if now - told >= TOLD_AGAIN => tell(Phase::Stands, alarm),
                    _ => keep(alarm),
                }
            }
        }
    }
}

impl ChannelKind {
    /// Whether alarms go there: not to groups, and not where each message costs and needs a template.
    #[must_use]
    pub const fn takes_alarms(self) -> bool {
        !self.is_group() && !matches!(self, Self::Sms)
    }
}

/// What is urgent and has waited for too long, of one kind of channel; alarms themselves are not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backlog {
    /// Of which kind.
    pub kind: ChannelKind,
    /// How many wait.
    pub waiting: i64,
    /// How many people wait for them.
    pub people: i64,
    /// How many of them are due for as long, and nobody has tried them.
    pub untried: i64,
}

/// What waits too long, and what was given up lately.
#[derive(Clone, Debug, Default)]
pub struct Outgoing {
    /// By kind of channel.
    pub backlog: Vec<Backlog>,
    /// Given up, or refused for a reason that is the operator's to mend.
    pub given_up: i64,
}

impl Backlog {
    /// Whether it is the service's: a provider of one person's own may be away for long, the mail server may not.
    fn is_ours(&self) -> bool {
        self.waiting > 0 && (self.kind == ChannelKind::Email || self.people > 1 || self.untried > 0)
    }
}

impl Outgoing {
    /// How many wait that should have left; none where that is nobody's fault here.
    #[must_use]
    pub fn stuck(&self) -> i64 {
        self.backlog.iter().filter(|one| one.is_ours()).map(|one| one.waiting).sum()
    }

    /// Whether delivery fails.
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

    /// What is told when it is wrong in these minutes, looked at each minute of some days.
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
    fn an_alarm_is_told_once_when_it_begins_and_once_when_it_is_over() {
        use Phase::{Begun, Over, Stands};
        let frozen = |wrong: &[_]| told(AlarmKind::BooksFrozen, wrong);
        assert_eq!(frozen(&[]), []);
        assert_eq!(frozen(&[(10, 40)]), [(10, Begun), (45, Over)]);
        assert_eq!(frozen(&[(10, 40), (43, 60)]), [(10, Begun), (65, Over)], "what comes and goes is one");
        let days = [(10, Begun), (1450, Stands), (2890, Stands), (3005, Over)];
        assert_eq!(frozen(&[(10, 3000)]), days, "again after a day");
        let engine = |wrong: &[_]| told(AlarmKind::EngineStopped, wrong);
        assert_eq!(engine(&[(10, 15), (20, 25)]), [], "a restart");
        assert_eq!(engine(&[(10, 40)]), [(15, Begun), (45, Over)]);
    }

    #[test]
    fn one_persons_own_server_is_nobody_elses_alarm() {
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

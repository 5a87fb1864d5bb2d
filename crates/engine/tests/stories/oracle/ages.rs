//! Promise 29: the age of the last answered poll of every calendar that an active task watches.
//!
//! The bound is the larger of three hours and the time in which the calendar's share is three
//! polls. If the rate changes within one age, the oracle adds up the calendar's share of polls.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;

use chrono::{DateTime, TimeDelta, Utc};
use domain::budget::Limits;
use domain::calendar::CalendarKey;
use domain::ids::{PortalAccountId, TaskId};

use super::Span;
use super::exceptions::{Facts, Reason};

/// Lower limit of the bound.
const LEAST: TimeDelta = TimeDelta::hours(3);
/// Share of polls of a calendar within the bound.
const POLLS: f64 = 3.0;
/// Step in which ages are added up. The rest of a step does not count.
const STEP: TimeDelta = TimeDelta::minutes(5);

/// Ages of a story.
#[derive(Debug, Default)]
pub(crate) struct Ages {
    /// Ages above the bound that no exception explains.
    pub broken: Vec<String>,
    /// Hours that tasks watched, each calendar separately.
    pub watched_hours: f64,
    /// Part of them with an age above the bound without any exception.
    pub late_hours: f64,
    /// Exceptions that explain such hours.
    pub reasons: BTreeMap<Reason, f64>,
    /// Longest age, whatever explains it.
    pub longest: TimeDelta,
}

impl Ages {
    /// Returns the hours above the plain bound among all hours watched, in percent.
    pub fn late_percent(&self) -> f64 {
        100.0 * self.late_hours / self.watched_hours.max(f64::MIN_POSITIVE)
    }
}

impl fmt::Display for Ages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (late, watched, share) = (self.late_hours, self.watched_hours, self.late_percent());
        write!(f, "{late:.1} of {watched:.1} calendar hours above the plain bound ({share:.2} %)")?;
        write!(f, ", longest age {:.1} h, broken {}", hours(self.longest), self.broken.len())?;
        for (reason, hours) in &self.reasons {
            write!(f, "\n  {reason:?}: {hours:.1} h")?;
        }
        for broken in &self.broken {
            write!(f, "\n  {broken}")?;
        }
        Ok(())
    }
}

/// Judges every age of the record.
pub(super) fn judge(spans: &[Span], facts: &Facts, limits: &Limits) -> Ages {
    let mut ages = Ages::default();
    let mut judged: HashSet<(&CalendarKey, DateTime<Utc>, DateTime<Utc>)> = HashSet::new();
    for ((task, calendar), begun, ended) in watches(spans) {
        ages.watched_hours += hours(ended - begun);
        for (from, to) in gaps(begun, ended, facts.polls(calendar)) {
            ages.longest = ages.longest.max(to - from);
            if to - from <= LEAST {
                continue;
            }
            let age = Age { calendar, from, to, spans, facts, limits };
            let result = age.add_up();
            ages.late_hours += hours(result.late);
            for reason in result.reasons {
                *ages.reasons.entry(reason).or_default() += hours(result.late);
            }
            // Tasks that watch a calendar from the same instant on share its ages.
            if result.broken > TimeDelta::zero() && judged.insert((calendar, from, to)) {
                let (over, age) = (hours(result.broken), hours(to - from));
                ages.broken.push(format!(
                    "{calendar} of task {task}: {age:.2} h, {from} to {to}: {over:.2} h too old"
                ));
            }
        }
    }
    ages
}

/// Task and a calendar that it watches.
type Watched<'a> = (TaskId, &'a CalendarKey);

/// Returns from when to when each task watched each of its calendars. An edit that leaves a city in
/// does not end that.
fn watches(spans: &[Span]) -> Vec<(Watched<'_>, DateTime<Utc>, DateTime<Utc>)> {
    let mut watches: Vec<(Watched<'_>, DateTime<Utc>, DateTime<Utc>)> = Vec::new();
    let mut last: HashMap<Watched<'_>, usize> = HashMap::new();
    for (span, calendar) in spans.iter().flat_map(|span| span.calendars.iter().map(move |c| (span, c))) {
        let watched = (span.task, calendar);
        match last.get(&watched) {
            Some(index) if watches[*index].2 == span.from => watches[*index].2 = span.to,
            _ => {
                last.insert(watched, watches.len());
                watches.push((watched, span.from, span.to));
            }
        }
    }
    watches
}

/// Returns the times between two answered polls from `begun` to `ended`.
fn gaps(
    begun: DateTime<Utc>,
    ended: DateTime<Utc>,
    polls: &[DateTime<Utc>],
) -> Vec<(DateTime<Utc>, DateTime<Utc>)> {
    let within = polls.iter().copied().filter(|at| begun < *at && *at < ended);
    let marks: Vec<DateTime<Utc>> = std::iter::once(begun).chain(within).chain([ended]).collect();
    marks.windows(2).map(|pair| (pair[0], pair[1])).collect()
}

/// One time without an answered poll.
struct Age<'a> {
    calendar: &'a CalendarKey,
    from: DateTime<Utc>,
    to: DateTime<Utc>,
    spans: &'a [Span],
    facts: &'a Facts,
    limits: &'a Limits,
}

/// Excess of an age over its bound.
struct TooOld {
    /// By the bound without exceptions.
    late: TimeDelta,
    /// By the bound with them.
    broken: TimeDelta,
    /// Exceptions that slowed the clock of this age.
    reasons: BTreeSet<Reason>,
}

/// Age as it grows.
#[derive(Default)]
struct Grown {
    age: TimeDelta,
    polls: f64,
}

impl Grown {
    /// Adds a step in which polls came at `rate` an hour. Returns `true` if the age is above its
    /// bound then.
    fn add(&mut self, rate: f64) -> bool {
        // While no account may poll, the age does not grow.
        if rate > 0.0 {
            self.age += STEP;
            self.polls += rate * hours(STEP);
        }
        self.age > LEAST && self.polls > POLLS
    }
}

impl Age<'_> {
    fn add_up(&self) -> TooOld {
        let (mut plain, mut excused) = (Grown::default(), Grown::default());
        let zero = TimeDelta::zero();
        let mut result = TooOld { late: zero, broken: zero, reasons: BTreeSet::new() };
        let mut at = self.from;
        while at + STEP <= self.to {
            let watched = self.watched(at);
            let reasons = self.facts.host_reasons(at);
            let is_open = reasons.is_empty();
            result.reasons.extend(reasons);
            let (mut plain_rate, mut rate) = (0.0, 0.0);
            for (account, calendars) in &watched {
                plain_rate += self.whole_rate() / *calendars;
                let (share, reasons) = self.facts.rate(*account, self.limits, at);
                result.reasons.extend(reasons);
                rate += if is_open { share / *calendars } else { 0.0 };
            }
            if plain.add(plain_rate) {
                result.late += STEP;
            }
            if excused.add(rate) {
                result.broken += STEP;
            }
            at += STEP;
        }
        if result.late == zero {
            result.reasons.clear();
        }
        result
    }

    /// Returns the polls an hour of an account without any incident.
    fn whole_rate(&self) -> f64 {
        let limits = self.limits;
        let free = limits.polls_per_ten_hours.saturating_sub(limits.polls_reserved);
        f64::from(limits.polls_per_hour).min(f64::from(free) / 10.0)
    }

    /// Returns the accounts that may poll the calendar at an instant, each with the number of
    /// calendars watched through it.
    fn watched(&self, at: DateTime<Utc>) -> Vec<(PortalAccountId, f64)> {
        let mut of: HashMap<PortalAccountId, BTreeSet<&CalendarKey>> = HashMap::new();
        for span in self.spans.iter().filter(|span| span.from <= at && at < span.to) {
            of.entry(span.account).or_default().extend(&span.calendars);
        }
        let may = of.into_iter().filter(|(_, calendars)| calendars.contains(self.calendar));
        may.map(|(account, calendars)| (account, calendars.len() as f64)).collect()
    }
}

fn hours(span: TimeDelta) -> f64 {
    span.num_milliseconds() as f64 / 3_600_000.0
}

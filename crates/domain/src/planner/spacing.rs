//! Which calendars to look at next, through which viewpoint, and why.
//!
//! A simple rule behind the final interface: a calendar is due when its list is older than its spacing,
//! and the rested-most eligible account looks. Facts in, decisions with reasons out.

use chrono::{TimeDelta, Timelike};
use serde::Serialize;

use crate::budget::{Budget, Limits, Spend};
use crate::clock::Instant;

/// An account as the planner sees it.
#[derive(Clone, Debug)]
pub struct AccountFacts<'a> {
    /// Its calls.
    pub budget: &'a Budget,
    /// Whether it is healthy, not cooling, not in the middle of something.
    pub free: bool,
    /// Whether it has a session; else a sign-in comes first.
    pub signed_in: bool,
    /// Not before this (cooling down, locked, back-off).
    pub not_before: Option<Instant>,
}

/// A calendar as the planner sees it.
#[derive(Clone, Debug)]
pub struct CalendarFacts {
    /// The last look that was answered.
    pub last_look: Option<Instant>,
    /// The last try, answered or not.
    pub last_try: Option<Instant>,
    /// Accounts (index into the accounts) whose own wish names the facility.
    pub viewpoints: Vec<usize>,
    /// Wishes it can answer.
    pub wishes: u32,
    /// Whether an empty list proves nothing now (restricted hours of a booked kind).
    pub restricted: bool,
}

/// How the planner paces.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// The freshest a shared list needs to be.
    pub calendar_spacing: TimeDelta,
    /// The least time between two looks of one account.
    pub account_spacing: TimeDelta,
    /// The spacing of exploration in restricted hours.
    pub restricted_spacing: TimeDelta,
    /// The most looks to hand out at once (the host's ceiling).
    pub most: usize,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            calendar_spacing: TimeDelta::minutes(5),
            account_spacing: TimeDelta::minutes(10),
            restricted_spacing: TimeDelta::minutes(60),
            most: 4,
        }
    }
}

/// Why a look was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LookReason {
    /// Nobody has looked there yet.
    First,
    /// The shared list is older than its spacing.
    Stale,
    /// Restricted hours: only to learn whether they still hold.
    Exploration,
}

impl LookReason {
    /// The word in journals and figures.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Stale => "stale",
            Self::Exploration => "exploration",
        }
    }
}

/// One look to make now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedLook {
    /// Index of the calendar.
    pub calendar: usize,
    /// Index of the account.
    pub account: usize,
    /// Why this one.
    pub reason: LookReason,
}

/// The looks to make now, and when to ask again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Now.
    pub looks: Vec<PlannedLook>,
    /// The next instant at which anything can be due.
    pub next_due: Option<Instant>,
}

/// New slots show at five-minute marks, so looks are put this far behind one.
const BEHIND_THE_MARK: TimeDelta = TimeDelta::seconds(4);

/// Plans the looks that are due at `now`.
#[must_use]
pub fn plan(
    accounts: &[AccountFacts<'_>],
    calendars: &[CalendarFacts],
    limits: &Limits,
    pace: &Pace,
    now: Instant,
) -> Plan {
    let mut order: Vec<usize> = (0..calendars.len()).filter(|i| calendars[*i].wishes > 0).collect();
    order.sort_by_key(|i| (calendars[*i].last_try, std::cmp::Reverse(calendars[*i].wishes)));
    let mut used = vec![false; accounts.len()];
    let mut looks = Vec::new();
    let mut next_due: Option<Instant> = None;
    let mut later = |at: Instant| next_due = Some(next_due.map_or(at, |due: Instant| due.min(at)));
    for index in order {
        let calendar = &calendars[index];
        let due = calendar_due(calendar, pace);
        if due.is_some_and(|at| at > now) {
            later(due.unwrap_or(now));
            continue;
        }
        match pick(accounts, calendar, &used, limits, pace, now) {
            Ok(_) if looks.len() >= pace.most => later(now + TimeDelta::seconds(1)),
            Ok(account) => {
                used[account] = true;
                looks.push(PlannedLook { calendar: index, account, reason: reason(calendar) });
            }
            Err(Some(at)) => later(at.max(now + TimeDelta::milliseconds(1))),
            Err(None) => {}
        }
    }
    Plan { looks, next_due }
}

/// When a calendar will be looked at next at the soonest, for the countdown people see.
#[must_use]
pub fn next_look_at(
    accounts: &[AccountFacts<'_>],
    calendar: &CalendarFacts,
    limits: &Limits,
    pace: &Pace,
    now: Instant,
) -> Option<Instant> {
    let due = calendar_due(calendar, pace).unwrap_or(now);
    let ready =
        calendar.viewpoints.iter().filter_map(|i| ready_at(&accounts[*i], limits, pace, now)).min()?;
    Some(ready.max(due))
}

fn reason(calendar: &CalendarFacts) -> LookReason {
    match calendar.last_look {
        _ if calendar.restricted => LookReason::Exploration,
        None => LookReason::First,
        Some(_) => LookReason::Stale,
    }
}

fn calendar_due(calendar: &CalendarFacts, pace: &Pace) -> Option<Instant> {
    let last = calendar.last_try?;
    let spacing = if calendar.restricted { pace.restricted_spacing } else { pace.calendar_spacing };
    Some(align(last + spacing, pace))
}

/// Moves a due instant back to just behind the five-minute mark it follows, when paced that slowly.
fn align(due: Instant, pace: &Pace) -> Instant {
    if pace.calendar_spacing < TimeDelta::minutes(5) {
        return due;
    }
    let past_mark = TimeDelta::seconds(i64::from(due.minute() % 5 * 60 + due.second()));
    let mark = due - past_mark;
    if past_mark >= BEHIND_THE_MARK { mark + BEHIND_THE_MARK } else { due }
}

/// The eligible account that has rested longest; else the first instant one could look.
fn pick(
    accounts: &[AccountFacts<'_>],
    calendar: &CalendarFacts,
    used: &[bool],
    limits: &Limits,
    pace: &Pace,
    now: Instant,
) -> Result<usize, Option<Instant>> {
    let mut best: Option<(Option<Instant>, usize)> = None;
    let mut soonest: Option<Instant> = None;
    for &index in &calendar.viewpoints {
        match ready_at(&accounts[index], limits, pace, now) {
            Some(at) if at <= now && !used[index] => {
                let key = (accounts[index].budget.last_look(), index);
                best = Some(best.map_or(key, |b| b.min(key)));
            }
            Some(at) => {
                let at = if used[index] { now + pace.account_spacing } else { at };
                soonest = Some(soonest.map_or(at, |s: Instant| s.min(at)));
            }
            None => {}
        }
    }
    best.map(|(_, index)| index).ok_or(soonest)
}

/// When the account may look; `None` while it is busy (its job's end asks again).
fn ready_at(account: &AccountFacts<'_>, limits: &Limits, pace: &Pace, now: Instant) -> Option<Instant> {
    if !account.free {
        return None;
    }
    let mut at = account.not_before.unwrap_or(now).max(now);
    if let Some(last) = account.budget.last_look() {
        at = at.max(last + spacing(account.budget, limits, pace, now));
    }
    for (spend, asked) in [(Spend::Look, true), (Spend::SignIn, !account.signed_in)] {
        if let (true, Err(rest)) = (asked, account.budget.check(spend, limits, now)) {
            at = at.max(rest.until);
        }
    }
    Some(at)
}

/// After a first hour of close looks, what is left of the ten hours is spread evenly over them, so that
/// an account never falls silent for hours.
fn spacing(budget: &Budget, limits: &Limits, pace: &Pace, now: Instant) -> TimeDelta {
    let open = limits.looks_per_ten_hours.saturating_sub(limits.looks_reserved);
    let (_, used) = budget.looks(now);
    let Some(oldest) = budget.oldest_look(now).filter(|_| used > limits.looks_per_hour) else {
        return pace.account_spacing;
    };
    let left = i32::try_from(open.saturating_sub(used).max(1)).unwrap_or(i32::MAX);
    ((oldest + TimeDelta::hours(10) - now) / left).max(pace.account_spacing)
}

//! Request budget of one portal account. Bans were reported from 54 calls in 9.5 hours.

use std::collections::VecDeque;

use chrono::{DateTime, TimeDelta};
use serde::{Deserialize, Serialize};

use crate::clock::Instant;
use crate::poll_wait::PollWait;

/// Purpose of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spend {
    /// A days or times request.
    Poll,
    /// The days or times request of a booking, which may use the reserve.
    BookingPoll,
    /// Any other request.
    Other,
    /// Any other request of a booking or its read-back, never refused once the booking has begun.
    Booking,
    /// A sign-in (two requests).
    SignIn,
}

/// Limits of one portal account, as data: lowering them is free, raising them causes a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Polls in any hour.
    #[serde(rename = "looks_per_hour")]
    pub polls_per_hour: u32,
    /// Polls in any ten hours.
    #[serde(rename = "looks_per_ten_hours")]
    pub polls_per_ten_hours: u32,
    /// Part of those polls that only a booking may use.
    #[serde(rename = "looks_reserved")]
    pub polls_reserved: u32,
    /// Requests of all kinds in any ten hours.
    pub requests_per_ten_hours: u32,
    /// Part of those requests that only a booking may use.
    pub requests_reserved: u32,
    /// Sign-ins in any hour.
    pub sign_ins_per_hour: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            polls_per_hour: 6,
            polls_per_ten_hours: 40,
            polls_reserved: 6,
            requests_per_ten_hours: 90,
            // A failed booking takes sign-in 2, preflight and POST 6, and read-back until 240 s 12.
            // The lists of a fingerprint appointment take up to 5 more.
            requests_reserved: 20,
            sign_ins_per_hour: 1,
        }
    }
}

/// Numbers of calls made, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    /// All requests, including the other two kinds.
    pub requests: u32,
    /// Days and times requests.
    pub polls: u32,
    /// Sign-in attempts.
    pub sign_ins: u32,
}

impl Calls {
    /// Adds `more` to the numbers.
    pub const fn add(&mut self, more: Self) {
        self.requests += more.requests;
        self.polls += more.polls;
        self.sign_ins += more.sign_ins;
    }

    /// Subtracts calls that were made from calls that were counted in advance. Returns the calls
    /// made that were not counted yet.
    pub const fn cover(&mut self, made: Self) -> Self {
        const fn one(ahead: &mut u32, made: u32) -> u32 {
            let left = made.saturating_sub(*ahead);
            *ahead = ahead.saturating_sub(made);
            left
        }
        Self {
            requests: one(&mut self.requests, made.requests),
            polls: one(&mut self.polls, made.polls),
            sign_ins: one(&mut self.sign_ins, made.sign_ins),
        }
    }
}

/// Refusal of a request, with the time at which it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rest {
    /// First time at which the request would be allowed if nothing else is spent.
    pub until: Instant,
}

/// Calls of one portal account in the last ten hours, as milliseconds since the epoch, oldest
/// first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    #[serde(rename = "looks")]
    polls: VecDeque<i64>,
    requests: VecDeque<i64>,
    sign_ins: VecDeque<i64>,
    /// Requests of failed verifications by users who hold no accepted password of the account. The
    /// portal counts them; the account's own shares do not.
    #[serde(default, skip_serializing_if = "VecDeque::is_empty")]
    strangers: VecDeque<i64>,
    /// Time of the last soft ban and the share of polls left to the account after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    eased: Option<Eased>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Eased {
    at: i64,
    percent: u8,
}

/// Lowest share of polls after bans, in percent. Each ban halves the share.
const LEAST_PERCENT: u8 = 25;
/// Time without another ban after which the full share is restored.
const RECOVERS: TimeDelta = TimeDelta::hours(72);
const HOUR: TimeDelta = TimeDelta::hours(1);
const TEN_HOURS: TimeDelta = TimeDelta::hours(10);

impl Budget {
    /// Checks that `what` may be spent at `now`.
    ///
    /// # Errors
    /// Returns [`Rest`] with the first time at which it would be allowed.
    pub fn check(&self, what: Spend, limits: &Limits, now: Instant) -> Result<(), Rest> {
        let eased = self.eased(limits, now);
        let limits = &eased;
        let reserve_polls = limits.polls_per_ten_hours.saturating_sub(limits.polls_reserved);
        let reserve_all = limits.requests_per_ten_hours.saturating_sub(limits.requests_reserved);
        let polls = |most| {
            room(&self.polls, TEN_HOURS, most, now).and(room(&self.polls, HOUR, limits.polls_per_hour, now))
        };
        let requests = |most| room(&self.requests, TEN_HOURS, most, now);
        match what {
            Spend::Poll => both(polls(reserve_polls), requests(reserve_all)),
            Spend::BookingPoll => both(
                room(&self.polls, TEN_HOURS, limits.polls_per_ten_hours, now),
                requests(limits.requests_per_ten_hours),
            ),
            Spend::Other => requests(reserve_all),
            Spend::Booking => Ok(()),
            Spend::SignIn => {
                both(room(&self.sign_ins, HOUR, limits.sign_ins_per_hour, now), requests(reserve_all))
            }
        }
    }

    /// Returns the limit that prevents polls now, and the time at which it ends. Of several limits,
    /// returns the last to end.
    #[must_use]
    pub fn poll_limit(&self, limits: &Limits, now: Instant) -> Option<(PollWait, Instant)> {
        let limits = self.eased(limits, now);
        let open_polls = limits.polls_per_ten_hours.saturating_sub(limits.polls_reserved);
        let open_requests = limits.requests_per_ten_hours.saturating_sub(limits.requests_reserved);
        let until = |calls, window, most| room(calls, window, most, now).err().map(|rest| rest.until);
        [
            (PollWait::HourLimit, until(&self.polls, HOUR, limits.polls_per_hour)),
            (PollWait::TenHourLimit, until(&self.polls, TEN_HOURS, open_polls)),
            (PollWait::RequestLimit, until(&self.requests, TEN_HOURS, open_requests)),
        ]
        .into_iter()
        .filter_map(|(wait, until)| Some((wait, until?)))
        .max_by_key(|(_, until)| *until)
    }

    /// Records calls that were made, and removes calls older than ten hours.
    pub fn spend(&mut self, calls: Calls, now: Instant) {
        let at = now.timestamp_millis();
        let counted = [
            (&mut self.requests, calls.requests),
            (&mut self.polls, calls.polls),
            (&mut self.sign_ins, calls.sign_ins),
        ];
        for (list, count) in counted {
            list.extend(std::iter::repeat_n(at, count as usize));
        }
        let horizon = (now - TEN_HOURS).timestamp_millis();
        for calls in [&mut self.polls, &mut self.requests, &mut self.sign_ins] {
            while calls.front().is_some_and(|at| *at < horizon) {
                calls.pop_front();
            }
        }
    }

    /// Records requests of a verification by another user. They count in the total and in no share
    /// of the account.
    pub fn spend_by_non_holder(&mut self, requests: u32, now: Instant) {
        self.strangers.extend(std::iter::repeat_n(now.timestamp_millis(), requests as usize));
        let horizon = (now - TEN_HOURS).timestamp_millis();
        while self.strangers.front().is_some_and(|at| *at < horizon) {
            self.strangers.pop_front();
        }
    }

    /// Moves all stamps by `by` after the clock was set by as much, so that used calls expire after
    /// the same time as before.
    pub fn shift(&mut self, by: TimeDelta) {
        let by = by.num_milliseconds();
        for calls in [&mut self.polls, &mut self.requests, &mut self.sign_ins, &mut self.strangers] {
            calls.iter_mut().for_each(|at| *at = at.saturating_add(by));
        }
        if let Some(eased) = &mut self.eased {
            eased.at = eased.at.saturating_add(by);
        }
    }

    /// Moves calls stamped more than a minute after `now` to `now`, because a clock was ahead.
    /// Returns `true` if there were any.
    pub fn clamp(&mut self, now: Instant) -> bool {
        let (latest, now) = ((now + TimeDelta::minutes(1)).timestamp_millis(), now.timestamp_millis());
        let mut any = false;
        for calls in [&mut self.polls, &mut self.requests, &mut self.sign_ins, &mut self.strangers] {
            let ahead = calls.iter().any(|at| *at > latest);
            if ahead {
                calls.iter_mut().for_each(|at| *at = (*at).min(now));
                any = true;
            }
        }
        any
    }

    /// Halves the account's polls after a soft ban. The share recovers slowly.
    pub fn held_back(&mut self, now: Instant) {
        let percent = (self.percent(now) / 2).max(LEAST_PERCENT);
        self.eased = Some(Eased { at: now.timestamp_millis(), percent });
    }

    /// Returns the share of its polls that the account may use at `now`, in percent. The share is
    /// below 100 only in the three days after a ban.
    #[must_use]
    pub fn percent(&self, now: Instant) -> u8 {
        let Some(Eased { at, percent }) = self.eased else { return 100 };
        let passed = (now.timestamp_millis() - at).clamp(0, RECOVERS.num_milliseconds());
        let back = i64::from(100 - percent.min(100)) * passed / RECOVERS.num_milliseconds();
        percent.saturating_add(u8::try_from(back).unwrap_or(100)).min(100)
    }

    /// Returns the limits with the account's share of polls applied. The part reserved for bookings
    /// is not reduced.
    #[must_use]
    pub fn eased(&self, limits: &Limits, now: Instant) -> Limits {
        let percent = u32::from(self.percent(now));
        let share = |polls: u32| if percent >= 100 { polls } else { (polls * percent / 100).max(1) };
        let open = limits.polls_per_ten_hours.saturating_sub(limits.polls_reserved);
        Limits {
            polls_per_hour: share(limits.polls_per_hour),
            polls_per_ten_hours: share(open) + limits.polls_per_ten_hours.min(limits.polls_reserved),
            ..*limits
        }
    }

    /// Returns the number of polls within the last hour and within the last ten hours.
    #[must_use]
    pub fn polls(&self, now: Instant) -> (u32, u32) {
        (count(&self.polls, HOUR, now), count(&self.polls, TEN_HOURS, now))
    }

    /// Returns the number of requests of all kinds within the last ten hours, including other
    /// users' verifications.
    #[must_use]
    pub fn requests(&self, now: Instant) -> u32 {
        count(&self.requests, TEN_HOURS, now) + count(&self.strangers, TEN_HOURS, now)
    }

    /// Returns the number of sign-ins within the last ten hours.
    #[must_use]
    pub fn sign_ins(&self, now: Instant) -> u32 {
        count(&self.sign_ins, TEN_HOURS, now)
    }

    /// Returns the time of the oldest poll of the last ten hours.
    #[must_use]
    pub fn oldest_poll(&self, now: Instant) -> Option<Instant> {
        oldest(&self.polls, now)
    }

    /// Returns the number of requests of the last ten hours and the time of the oldest. Other
    /// users' verifications are not included.
    #[must_use]
    pub fn own_requests(&self, now: Instant) -> (u32, Option<Instant>) {
        (count(&self.requests, TEN_HOURS, now), oldest(&self.requests, now))
    }

    /// Returns the time of the last poll, if it is still stored.
    #[must_use]
    pub fn last_poll(&self) -> Option<Instant> {
        self.polls.back().and_then(|at| DateTime::from_timestamp_millis(*at))
    }
}

fn both(a: Result<(), Rest>, b: Result<(), Rest>) -> Result<(), Rest> {
    match (a, b) {
        (Err(a), Err(b)) => Err(Rest { until: a.until.max(b.until) }),
        (a, b) => a.and(b),
    }
}

fn oldest(calls: &VecDeque<i64>, now: Instant) -> Option<Instant> {
    let from = (now - TEN_HOURS).timestamp_millis();
    let oldest = calls.iter().find(|at| **at > from)?;
    DateTime::from_timestamp_millis(*oldest)
}

fn count(calls: &VecDeque<i64>, window: TimeDelta, now: Instant) -> u32 {
    let from = (now - window).timestamp_millis();
    let old = calls.partition_point(|at| *at <= from);
    u32::try_from(calls.len() - old).unwrap_or(u32::MAX)
}

fn room(calls: &VecDeque<i64>, window: TimeDelta, most: u32, now: Instant) -> Result<(), Rest> {
    let used = count(calls, window, now);
    if used < most {
        return Ok(());
    }
    let oldest_that_must_leave = calls.len().checked_sub(most.max(1) as usize).and_then(|i| calls.get(i));
    let until = oldest_that_must_leave
        .and_then(|at| DateTime::from_timestamp_millis(*at))
        .map_or(now + window, |at| at + window + TimeDelta::milliseconds(1));
    Err(Rest { until })
}

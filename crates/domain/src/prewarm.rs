//! Prewarming: selection of accounts to sign in ahead, so that a booking needs no sign-in.
//!
//! An account is ready if it is signed in. Forms are not fetched ahead: the limit page is read
//! before each booking, and the portal does not accept a form from before that read.
//!
//! Prewarming costs requests. It is limited to the first-ranked candidates of calendars with
//! activity, within every budget. A session is renewed only when the portal has likely ended it.

use std::collections::BTreeSet;

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use crate::budget::{Budget, Limits, Spend};
use crate::clock::Instant;

/// Number of candidates of each hot calendar that are kept ready. As many may try for one date at
/// once.
pub const PREWARMED_PER_QUEUE: usize = 3;
/// Shortest reported lifetime of a portal session. An older session has likely ended.
pub const SESSION_LIKELY_LIVES: TimeDelta = TimeDelta::minutes(88);
/// Number of requests of a sign-in.
pub const SIGN_IN_COSTS: u32 = 2;
/// Requests of the ten-hour budget that prewarming leaves to the account's polls.
pub const LEFT_TO_POLLS: u32 = 10;
/// New dates per hour from which a calendar is hot.
pub const HOT: f64 = 0.05;

/// A task in a calendar's queue, with the data that decides about prewarming.
#[derive(Clone, Debug)]
pub struct Candidate<'a> {
    /// `true` if a booking for it is possible now, by criteria, attempts and deadline.
    pub can_book: bool,
    /// Number of the account. Several groups of one account share a session.
    pub account: usize,
    /// Request budget of the account.
    pub budget: &'a Budget,
    /// Time before which no request is allowed (cooling, locked, back-off).
    pub not_before: Option<Instant>,
    /// `true` if no job is in progress in the account.
    pub free: bool,
    /// Time of the sign-in, if signed in.
    pub signed_in: Option<Instant>,
}

/// Queue of one calendar.
#[derive(Clone, Debug)]
pub struct Queue {
    /// New dates per hour that its tasks could use.
    pub activity: f64,
    /// Indexes of the candidates in rank order.
    pub candidates: Vec<usize>,
}

/// Reason that an account is or is not signed in ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(tag = "why", rename_all = "snake_case")]
#[schema(as = PrewarmReason)]
pub enum PrewarmReason {
    /// The account is signed out and among the first of a hot calendar's queue.
    SignedOut,
    /// The session is older than the reported session lifetime.
    SessionLikelyOver,
    /// The account is ready.
    Ready,
    /// No booking is possible for it now.
    CanNotBook,
    /// The account backs off.
    Resting {
        /// End of the back-off.
        until: DateTime<Utc>,
    },
    /// A sign-in or its requests would exceed the account's budget.
    Budget {
        /// Time at which the account is checked again.
        until: DateTime<Utc>,
    },
    /// A job is in progress in the account.
    Busy,
}

/// A sign-in to perform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrewarmStep {
    /// Index of the candidate.
    pub candidate: usize,
    /// Reason for the sign-in.
    pub why: PrewarmReason,
}

/// Sign-ins to perform now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PrewarmPlan {
    /// Steps, the hottest calendar's first; at most one for each account.
    pub steps: Vec<PrewarmStep>,
    /// Every candidate that was checked, with the result.
    pub found: Vec<(usize, PrewarmReason)>,
    /// Time at which a ready candidate's session likely ends, or a back-off ends; the earliest.
    pub next_due: Option<Instant>,
}

/// Selects the accounts to sign in now.
///
/// In each hot calendar's queue, the first [`PREWARMED_PER_QUEUE`] candidates that can be ready are
/// kept ready. A candidate that cannot book, backs off or has no budget left passes its place to
/// the next in rank. It regains the place when that ends.
#[must_use]
pub fn prewarm(lines: &[Queue], candidates: &[Candidate<'_>], limits: &Limits, now: Instant) -> PrewarmPlan {
    let mut order: Vec<&Queue> = lines.iter().filter(|line| line.activity >= HOT).collect();
    order.sort_by(|a, b| b.activity.total_cmp(&a.activity));
    let mut prewarm = PrewarmPlan::default();
    let mut stepped = BTreeSet::new();
    for line in order {
        let mut taken = 0;
        for &at in &line.candidates {
            if taken == PREWARMED_PER_QUEUE {
                break;
            }
            let Some(candidate) = candidates.get(at) else { continue };
            let why = readiness(candidate, limits, now);
            prewarm.add(at, why, candidate, now);
            let signs_in = matches!(why, PrewarmReason::SignedOut | PrewarmReason::SessionLikelyOver);
            taken += usize::from(signs_in || matches!(why, PrewarmReason::Ready | PrewarmReason::Busy));
            if signs_in && stepped.insert(candidate.account) {
                prewarm.steps.push(PrewarmStep { candidate: at, why });
            }
        }
    }
    prewarm
}

impl PrewarmPlan {
    fn add(&mut self, candidate: usize, why: PrewarmReason, facts: &Candidate<'_>, now: Instant) {
        self.found.push((candidate, why));
        let due = match why {
            PrewarmReason::Ready => facts.signed_in.map(|since| since + SESSION_LIKELY_LIVES),
            PrewarmReason::Resting { until } | PrewarmReason::Budget { until } => Some(until),
            _ => None,
        };
        if let Some(due) = due.filter(|due| *due > now) {
            self.next_due = Some(self.next_due.map_or(due, |known| known.min(due)));
        }
    }
}

fn readiness(candidate: &Candidate<'_>, limits: &Limits, now: Instant) -> PrewarmReason {
    if !candidate.can_book {
        return PrewarmReason::CanNotBook;
    }
    if let Some(until) = candidate.not_before.filter(|at| *at > now) {
        return PrewarmReason::Resting { until };
    }
    let why = match candidate.signed_in {
        None => PrewarmReason::SignedOut,
        Some(since) if now - since >= SESSION_LIKELY_LIVES => PrewarmReason::SessionLikelyOver,
        Some(_) => return PrewarmReason::Ready,
    };
    if !candidate.free {
        return PrewarmReason::Busy;
    }
    affordable(candidate.budget, limits, now).map_or_else(|until| PrewarmReason::Budget { until }, |()| why)
}

/// Checks that a sign-in leaves the reserve and [`LEFT_TO_POLLS`] untouched.
fn affordable(budget: &Budget, limits: &Limits, now: Instant) -> Result<(), Instant> {
    budget.check(Spend::SignIn, limits, now).map_err(|rest| rest.until)?;
    let open = limits.requests_per_ten_hours.saturating_sub(limits.requests_reserved);
    if budget.requests(now).saturating_add(SIGN_IN_COSTS + LEFT_TO_POLLS) <= open {
        return Ok(());
    }
    Err(now + TimeDelta::minutes(10))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Calls;

    fn now() -> Instant {
        "2026-11-25T01:00:00Z".parse().expect("an instant")
    }

    fn candidate(account: usize, budget: &Budget) -> Candidate<'_> {
        let signed_in = Some(now() - TimeDelta::minutes(10));
        Candidate { can_book: true, account, budget, not_before: None, free: true, signed_in }
    }

    fn line(activity: f64, candidates: impl IntoIterator<Item = usize>) -> Queue {
        Queue { activity, candidates: candidates.into_iter().collect() }
    }

    fn ask(lines: &[Queue], candidates: &[Candidate<'_>]) -> PrewarmPlan {
        prewarm(lines, candidates, &Limits::default(), now())
    }

    #[test]
    fn three_tasks_of_a_hot_calendar_and_none_of_a_cold_one_are_prewarmed() {
        let budget = Budget::default();
        let cold = |account| Candidate { signed_in: None, ..candidate(account, &budget) };
        let candidates: Vec<_> = (0..6).map(cold).collect();
        let steps: Vec<_> = ask(&[line(0.5, 0..6)], &candidates).steps;
        let chosen: Vec<_> = steps.iter().map(|s| (s.candidate, s.why)).collect();
        let signs_in = |at| (at, PrewarmReason::SignedOut);
        assert_eq!(chosen, [signs_in(0), signs_in(1), signs_in(2)]);
        assert_eq!(ask(&[line(0.0, 0..6)], &candidates), PrewarmPlan::default());
    }

    #[test]
    fn accounts_that_cannot_book_now_yield_to_the_next_in_rank() {
        let (fresh, mut spent) = (Budget::default(), Budget::default());
        spent.spend(Calls { requests: 70, polls: 20, sign_ins: 0 }, now() - TimeDelta::hours(2));
        fn out(candidate: Candidate<'_>) -> Candidate<'_> {
            Candidate { signed_in: None, ..candidate }
        }
        let until = now() + TimeDelta::hours(1);
        let candidates = [
            Candidate { can_book: false, ..out(candidate(0, &fresh)) },
            Candidate { not_before: Some(until), ..out(candidate(1, &fresh)) },
            out(candidate(2, &spent)),
            out(candidate(3, &fresh)),
        ];
        let prewarm = ask(&[line(1.0, 0..4)], &candidates);
        assert_eq!(prewarm.steps.iter().map(|s| s.candidate).collect::<Vec<_>>(), [3]);
        let found: Vec<_> = prewarm.found.iter().map(|(_, why)| *why).collect();
        assert_eq!(found[..2], [PrewarmReason::CanNotBook, PrewarmReason::Resting { until }]);
        assert!(matches!(found[2], PrewarmReason::Budget { .. }));
    }

    #[test]
    fn sessions_renew_when_likely_expired_and_a_sign_in_is_allowed() {
        fn aged(minutes: i64, budget: &Budget) -> Candidate<'_> {
            Candidate { signed_in: Some(now() - TimeDelta::minutes(minutes)), ..candidate(0, budget) }
        }
        let mut budget = Budget::default();
        assert_eq!(ask(&[line(1.0, [0])], &[aged(87, &budget)]).steps, []);
        let due = now() + TimeDelta::minutes(1);
        assert_eq!(ask(&[line(1.0, [0])], &[aged(87, &budget)]).next_due, Some(due));
        let renewed = ask(&[line(1.0, [0])], &[aged(88, &budget)]).steps;
        assert_eq!(renewed.first().map(|s| s.why), Some(PrewarmReason::SessionLikelyOver));
        budget.spend(Calls { requests: 2, polls: 0, sign_ins: 1 }, now() - TimeDelta::minutes(59));
        assert_eq!(ask(&[line(1.0, [0])], &[aged(88, &budget)]).steps, [], "one sign-in an hour");
    }

    #[test]
    fn ten_hours_of_prewarming_fit_the_budget_and_spare_polls() {
        let limits = Limits::default();
        let mut budget = Budget::default();
        let (mut signed_in, mut at) = (None, now());
        for _ in 0..600 {
            let candidates = [Candidate { signed_in, ..candidate(0, &budget) }];
            let steps = prewarm(&[line(1.0, [0])], &candidates, &limits, at).steps;
            if !steps.is_empty() {
                budget.spend(Calls { requests: SIGN_IN_COSTS, polls: 0, sign_ins: 1 }, at);
                signed_in = Some(at);
            }
            at += TimeDelta::minutes(1);
        }
        assert!(budget.requests(at) <= 7 * SIGN_IN_COSTS, "{}", budget.requests(at));
        budget.check(Spend::Poll, &limits, at).expect("room for polls");
    }

    #[test]
    fn two_groups_of_one_account_prewarm_one_at_a_time() {
        let budget = Budget::default();
        let candidates = [0, 1].map(|_| Candidate { signed_in: None, ..candidate(7, &budget) });
        assert_eq!(ask(&[line(1.0, [0, 1])], &candidates).steps.len(), 1);
    }
}

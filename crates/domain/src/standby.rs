//! Warm standby: which accounts are kept ready to book, so that a match costs no sign-in.
//!
//! Ready is who is signed in. A form is not fetched ahead: the limit page is read afresh before each booking, and a form
//! from before that visit is worth nothing at the portal.
//!
//! Being ready costs requests, so it is kept to the first in rank of the calendars where something is to be had,
//! within every budget, and a session is renewed only when the portal has likely ended it.

use std::collections::BTreeSet;

use chrono::TimeDelta;
use serde::Serialize;

use crate::budget::{Budget, Limits, Spend};
use crate::clock::Instant;

/// So many of each hot calendar's line are kept ready: as many as may try for one day at once.
pub const SEATS: usize = 3;
/// The shortest life of a portal session that was reported; an older one has likely ended.
pub const SESSION_LIKELY_LIVES: TimeDelta = TimeDelta::minutes(88);
/// What a sign-in costs.
pub const SIGN_IN_COSTS: u32 = 2;
/// Requests of the ten hours that being ready leaves to the account's looks.
pub const LEFT_TO_LOOKS: u32 = 10;
/// New days an hour from which a calendar is hot.
pub const HOT: f64 = 0.05;

/// One automatic wish in a calendar's line, as the rule sees it.
#[derive(Clone, Debug)]
pub struct Seat<'a> {
    /// Whether a booking could be made for it now, by wish, attempts and deadline.
    pub can_book: bool,
    /// The account's number; several groups of one account share a session.
    pub account: usize,
    /// The account's calls.
    pub budget: &'a Budget,
    /// No request before this (cooling, locked, back-off).
    pub not_before: Option<Instant>,
    /// Whether nothing is under way in the account.
    pub free: bool,
    /// Since when it is signed in.
    pub signed_in: Option<Instant>,
}

/// One calendar's line.
#[derive(Clone, Debug)]
pub struct Line {
    /// New days an hour that its wishes could take.
    pub heat: f64,
    /// Who would try, first in rank first: numbers of seats.
    pub seats: Vec<usize>,
}

/// Why an account is signed in ahead, or why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum Why {
    /// It is signed out, and among the first of a hot calendar's line.
    SignedOut,
    /// Its session is older than sessions were reported to live.
    SessionLikelyOver,
    /// It is ready.
    Ready,
    /// Nothing could be booked for it now.
    CanNotBook,
    /// It rests.
    Resting {
        /// Until then.
        until: Instant,
    },
    /// A sign-in or the requests would go over its budget.
    Budget {
        /// The first instant it may be asked about again.
        until: Instant,
    },
    /// A job is under way in it.
    Busy,
}

/// One seat to be signed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Warm {
    /// Which seat.
    pub seat: usize,
    /// Why.
    pub why: Why,
}

/// What is to be done now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standby {
    /// Steps, the hottest calendar's first; at most one for each account.
    pub steps: Vec<Warm>,
    /// Every seat that was asked about, and what was found.
    pub found: Vec<(usize, Why)>,
    /// When a session of a ready seat will likely be over, or a rest ends.
    pub next_due: Option<Instant>,
}

/// Chooses who is made ready now.
///
/// Of each hot calendar's line the first [`SEATS`] that can be ready are kept ready: who can not book, rests or has no
/// budget left gives the seat to the next in rank, and has it back as soon as that is over.
#[must_use]
pub fn standby(lines: &[Line], seats: &[Seat<'_>], limits: &Limits, now: Instant) -> Standby {
    let mut order: Vec<&Line> = lines.iter().filter(|line| line.heat >= HOT).collect();
    order.sort_by(|a, b| b.heat.total_cmp(&a.heat));
    let mut standby = Standby::default();
    let mut stepped = BTreeSet::new();
    for line in order {
        let mut taken = 0;
        for &at in &line.seats {
            if taken == SEATS {
                break;
            }
            let Some(seat) = seats.get(at) else { continue };
            let why = judge(seat, limits, now);
            standby.note(at, why, seat, now);
            let signs_in = matches!(why, Why::SignedOut | Why::SessionLikelyOver);
            taken += usize::from(signs_in || matches!(why, Why::Ready | Why::Busy));
            if signs_in && stepped.insert(seat.account) {
                standby.steps.push(Warm { seat: at, why });
            }
        }
    }
    standby
}

impl Standby {
    fn note(&mut self, seat: usize, why: Why, facts: &Seat<'_>, now: Instant) {
        self.found.push((seat, why));
        let due = match why {
            Why::Ready => facts.signed_in.map(|since| since + SESSION_LIKELY_LIVES),
            Why::Resting { until } | Why::Budget { until } => Some(until),
            _ => None,
        };
        if let Some(due) = due.filter(|due| *due > now) {
            self.next_due = Some(self.next_due.map_or(due, |known| known.min(due)));
        }
    }
}

fn judge(seat: &Seat<'_>, limits: &Limits, now: Instant) -> Why {
    if !seat.can_book {
        return Why::CanNotBook;
    }
    if let Some(until) = seat.not_before.filter(|at| *at > now) {
        return Why::Resting { until };
    }
    let why = match seat.signed_in {
        None => Why::SignedOut,
        Some(since) if now - since >= SESSION_LIKELY_LIVES => Why::SessionLikelyOver,
        Some(_) => return Why::Ready,
    };
    if !seat.free {
        return Why::Busy;
    }
    affordable(seat.budget, limits, now).map_or_else(|until| Why::Budget { until }, |()| why)
}

/// Whether a sign-in leaves the reserve, and something for looks, untouched.
fn affordable(budget: &Budget, limits: &Limits, now: Instant) -> Result<(), Instant> {
    budget.check(Spend::SignIn, limits, now).map_err(|rest| rest.until)?;
    let open = limits.requests_per_ten_hours.saturating_sub(limits.requests_reserved);
    if budget.requests(now).saturating_add(SIGN_IN_COSTS + LEFT_TO_LOOKS) <= open {
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

    fn seat(account: usize, budget: &Budget) -> Seat<'_> {
        let signed_in = Some(now() - TimeDelta::minutes(10));
        Seat { can_book: true, account, budget, not_before: None, free: true, signed_in }
    }

    fn line(heat: f64, seats: impl IntoIterator<Item = usize>) -> Line {
        Line { heat, seats: seats.into_iter().collect() }
    }

    fn ask(lines: &[Line], seats: &[Seat<'_>]) -> Standby {
        standby(lines, seats, &Limits::default(), now())
    }

    #[test]
    fn the_first_three_of_a_hot_calendar_are_made_ready_and_of_a_cold_one_nobody() {
        let budget = Budget::default();
        let cold = |account| Seat { signed_in: None, ..seat(account, &budget) };
        let seats: Vec<_> = (0..6).map(cold).collect();
        let steps: Vec<_> = ask(&[line(0.5, 0..6)], &seats).steps;
        let chosen: Vec<_> = steps.iter().map(|s| (s.seat, s.why)).collect();
        let signs_in = |at| (at, Why::SignedOut);
        assert_eq!(chosen, [signs_in(0), signs_in(1), signs_in(2)]);
        assert_eq!(ask(&[line(0.0, 0..6)], &seats), Standby::default());
    }

    #[test]
    fn who_can_not_book_rests_or_has_nothing_left_gives_the_seat_to_the_next_in_rank() {
        let (fresh, mut spent) = (Budget::default(), Budget::default());
        spent.spend(Calls { requests: 70, looks: 20, sign_ins: 0 }, now() - TimeDelta::hours(2));
        fn out(seat: Seat<'_>) -> Seat<'_> {
            Seat { signed_in: None, ..seat }
        }
        let until = now() + TimeDelta::hours(1);
        let seats = [
            Seat { can_book: false, ..out(seat(0, &fresh)) },
            Seat { not_before: Some(until), ..out(seat(1, &fresh)) },
            out(seat(2, &spent)),
            out(seat(3, &fresh)),
        ];
        let standby = ask(&[line(1.0, 0..4)], &seats);
        assert_eq!(standby.steps.iter().map(|s| s.seat).collect::<Vec<_>>(), [3]);
        let found: Vec<_> = standby.found.iter().map(|(_, why)| *why).collect();
        assert_eq!(found[..2], [Why::CanNotBook, Why::Resting { until }]);
        assert!(matches!(found[2], Why::Budget { .. }));
    }

    #[test]
    fn a_session_is_renewed_only_when_it_is_likely_over_and_a_sign_in_is_allowed() {
        fn aged(minutes: i64, budget: &Budget) -> Seat<'_> {
            Seat { signed_in: Some(now() - TimeDelta::minutes(minutes)), ..seat(0, budget) }
        }
        let mut budget = Budget::default();
        assert_eq!(ask(&[line(1.0, [0])], &[aged(87, &budget)]).steps, []);
        let due = now() + TimeDelta::minutes(1);
        assert_eq!(ask(&[line(1.0, [0])], &[aged(87, &budget)]).next_due, Some(due));
        let renewed = ask(&[line(1.0, [0])], &[aged(88, &budget)]).steps;
        assert_eq!(renewed.first().map(|s| s.why), Some(Why::SessionLikelyOver));
        budget.spend(Calls { requests: 2, looks: 0, sign_ins: 1 }, now() - TimeDelta::minutes(59));
        assert_eq!(ask(&[line(1.0, [0])], &[aged(88, &budget)]).steps, [], "one sign-in an hour");
    }

    #[test]
    fn ten_hours_of_readiness_stay_within_the_budget_and_leave_looks_their_part() {
        let limits = Limits::default();
        let mut budget = Budget::default();
        let (mut signed_in, mut at) = (None, now());
        for _ in 0..600 {
            let seats = [Seat { signed_in, ..seat(0, &budget) }];
            let steps = standby(&[line(1.0, [0])], &seats, &limits, at).steps;
            if !steps.is_empty() {
                budget.spend(Calls { requests: SIGN_IN_COSTS, looks: 0, sign_ins: 1 }, at);
                signed_in = Some(at);
            }
            at += TimeDelta::minutes(1);
        }
        assert!(budget.requests(at) <= 7 * SIGN_IN_COSTS, "{}", budget.requests(at));
        budget.check(Spend::Look, &limits, at).expect("room for looks");
    }

    #[test]
    fn two_groups_of_one_account_are_made_ready_one_after_the_other() {
        let budget = Budget::default();
        let seats = [0, 1].map(|_| Seat { signed_in: None, ..seat(7, &budget) });
        assert_eq!(ask(&[line(1.0, [0, 1])], &seats).steps.len(), 1);
    }
}

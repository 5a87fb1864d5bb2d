use chrono::TimeDelta;
use domain::budget::{Budget, Calls, Limits, Spend};
use proptest::prelude::*;

use crate::at;

const LOOK: Calls = Calls { requests: 1, polls: 1, sign_ins: 0 };

proptest! {
    // spec: 10.3.01
    #[test]
    fn no_window_of_a_budget_is_exceeded(gaps in prop::collection::vec(0i64..1800, 1..300)) {
        let limits = Limits::default();
        let mut budget = Budget::default();
        let mut now = at("2026-11-24T00:00:00Z");
        let mut made: Vec<chrono::DateTime<chrono::Utc>> = Vec::new();
        for gap in gaps {
            now += TimeDelta::seconds(gap);
            if budget.check(Spend::Poll, &limits, now).is_ok() {
                budget.spend(LOOK, now);
                made.push(now);
            }
        }
        for (window, most) in [(TimeDelta::hours(1), 6), (TimeDelta::hours(10), 34)] {
            for start in &made {
                let inside = made.iter().filter(|at| **at >= *start && **at < *start + window).count();
                prop_assert!(inside <= most, "{inside} polls within {window}");
            }
        }
    }
}

#[test]
fn the_reported_wait_is_exactly_long_enough() {
    let limits = Limits::default();
    let mut budget = Budget::default();
    let start = at("2026-11-24T00:00:00Z");
    for minute in 0..6 {
        budget.spend(LOOK, start + TimeDelta::minutes(minute));
    }
    let now = start + TimeDelta::minutes(6);
    let rest = budget.check(Spend::Poll, &limits, now).expect_err("six polls an hour");
    assert!(budget.check(Spend::Poll, &limits, rest.until).is_ok());
    assert!(budget.check(Spend::Poll, &limits, rest.until - TimeDelta::milliseconds(2)).is_err());
}

// spec: 10.3.03
#[test]
fn bookings_use_a_reserve_and_are_never_refused_once_begun() {
    let limits = Limits { polls_per_hour: 100, ..Limits::default() };
    let mut budget = Budget::default();
    let now = at("2026-11-24T00:00:00Z");
    budget.spend(Calls { requests: 34, polls: 34, sign_ins: 0 }, now);
    assert!(budget.check(Spend::Poll, &limits, now).is_err());
    assert!(budget.check(Spend::BookingPoll, &limits, now).is_ok());
    budget.spend(Calls { requests: 100, polls: 6, sign_ins: 0 }, now);
    assert!(budget.check(Spend::BookingPoll, &limits, now).is_err());
    assert!(budget.check(Spend::Booking, &limits, now).is_ok());
}

// spec: 10.3.02
#[test]
fn one_sign_in_an_hour_is_enforced_across_restarts() {
    let limits = Limits::default();
    let mut budget = Budget::default();
    let now = at("2026-11-24T00:00:00Z");
    budget.spend(Calls { requests: 2, polls: 0, sign_ins: 1 }, now);
    let stored = serde_json::to_string(&budget).expect("json");
    let restored: Budget = serde_json::from_str(&stored).expect("json");
    assert!(restored.check(Spend::SignIn, &limits, now + TimeDelta::minutes(59)).is_err());
    assert!(restored.check(Spend::SignIn, &limits, now + TimeDelta::minutes(61)).is_ok());
}

#[test]
fn a_ban_halves_the_account_polls_and_they_recover_slowly() {
    let limits = Limits::default();
    let mut budget = Budget::default();
    let now = at("2026-11-24T00:00:00Z");
    budget.held_back(now);
    assert_eq!(budget.percent(now), 50);
    let eased = budget.eased(&limits, now);
    assert_eq!(
        (eased.polls_per_hour, eased.polls_per_ten_hours),
        (3, 17 + 6),
        "the reserve for bookings stays"
    );
    for minute in 0..3 {
        budget.spend(LOOK, now + TimeDelta::minutes(minute));
    }
    let later = now + TimeDelta::minutes(3);
    assert!(budget.check(Spend::Poll, &limits, later).is_err());
    assert!(budget.check(Spend::BookingPoll, &limits, later).is_ok());
    budget.held_back(later);
    assert_eq!(budget.percent(later), 25);
    assert_eq!(budget.percent(later + TimeDelta::hours(36)), 62);
    assert_eq!(budget.percent(later + TimeDelta::hours(80)), 100);
    let kept: Budget = serde_json::from_value(serde_json::to_value(&budget).expect("written")).expect("read");
    assert_eq!(kept, budget);
    let old = serde_json::json!({ "looks": [], "requests": [], "sign_ins": [] });
    assert_eq!(serde_json::from_value::<Budget>(old).expect("read").percent(now), 100);
}

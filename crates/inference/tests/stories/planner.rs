//! Tests of the planner in worlds so small that the right plan is obvious.

use domain::budget::{Budget, Calls, Limits};
use inference::planner::poll_source::{
    ACCOUNT_SPACING, AccountDoubt, PollSource, affordable, instant, pick, turn_order,
};
use inference::planner::{Allowance, ChoiceReason, Planner};
use inference::rates::{Rates, Shape};

const LOOK: Calls = Calls { requests: 1, polls: 1, sign_ins: 0 };
/// 2026-11-24 00:00 UTC.
const START: f64 = 1_795_478_400.0;

/// Polls one calendar with `accounts` accounts for `hours` hours. Returns time, account and reason
/// of each poll.
fn watch(accounts: usize, hours: f64) -> Vec<(f64, usize, ChoiceReason)> {
    let limits = Limits::default();
    let mut planner = Planner::new(Allowance::full(1.2, 1_000.0), Shape::default(), START);
    let each = affordable(&limits) * accounts as f64;
    let pool = planner.add_pool(Allowance::full(each, 3.0 * accounts as f64));
    let city = planner.add_city(chrono_tz::America::Toronto);
    let calendar = planner.add_calendar(pool, city, Rates::default(), None);
    planner.set_value(calendar, 1.0);
    let mut budgets = vec![Budget::default(); accounts];
    let (mut now, mut polls) = (START, Vec::new());
    while now < START + hours * 3600.0 {
        let day = (now / 86_400.0) as i64;
        let mut through = None;
        let choice = planner.choose(now, &mut |_| {
            let poll_sources = budgets.iter().enumerate().map(|(index, budget)| {
                let turn = turn_order(index as u128, day);
                (
                    index,
                    PollSource {
                        budget,
                        turn,
                        free: true,
                        signed_in: true,
                        standing: AccountDoubt::Sound,
                        not_before: None,
                    },
                )
            });
            let picked = pick(poll_sources, &limits, ACCOUNT_SPACING, instant(now));
            picked
                .map(|index| through = Some(index))
                .map_err(|at| at.map_or(60.0, |at| (at - instant(now)).num_milliseconds() as f64 / 1000.0))
        });
        if let (Some(choice), Some(account)) = (choice, through) {
            budgets[account].spend(LOOK, instant(now));
            planner.spend(choice.calendar);
            planner.answered(choice.calendar, now, Some((0, 0, 0)));
            polls.push((now, account, choice.kind));
        }
        now += planner.seconds_to_poll(now).max(0.25);
    }
    polls
}

#[test]
fn a_lone_account_polls_all_day_within_its_budget() {
    let polls = watch(1, 24.0);
    assert!(polls.len() <= 34 * 3, "{} polls in a day", polls.len());
    assert!(polls.len() >= 34, "{} polls in a day", polls.len());
    let gaps = polls.windows(2).map(|pair| pair[1].0 - pair[0].0);
    assert!(gaps.clone().all(|gap| gap >= 600.0 - 1.0), "two polls came within ten minutes");
    assert!(gaps.fold(0.0, f64::max) <= 2.0 * 3600.0, "no poll came for hours");
}

#[test]
fn the_first_poll_has_the_reason_first() {
    let polls = watch(3, 1.0);
    assert_eq!(polls.first().map(|poll| poll.2), Some(ChoiceReason::First));
    assert!(polls[1..].iter().all(|poll| poll.2 != ChoiceReason::First));
}

// spec: 10.4.01
#[test]
fn sharing_gives_more_polls_in_total_and_fewer_per_account() {
    let (one, twenty) = (watch(1, 20.0), watch(20, 20.0));
    assert!(twenty.len() > 3 * one.len(), "{} polls against {}", twenty.len(), one.len());
    let busiest = (0..20).map(|account| twenty.iter().filter(|poll| poll.1 == account).count()).max();
    assert!(busiest <= Some(68), "an account polled more often than its budget allows: {busiest:?}");
}

/// Polls three cities with one account for two days. The first city shows a new date at every poll
/// and has the highest value. `bound` is the longest permitted gap. Returns the longest gap between
/// two polls of each city.
fn longest_gaps(bound: f64) -> [f64; 3] {
    let limits = Limits::default();
    let mut planner = Planner::new(Allowance::full(1.2, 1_000.0), Shape::default(), START);
    let pool = planner.add_pool(Allowance::full(affordable(&limits), 3.0));
    let city = planner.add_city(chrono_tz::America::Toronto);
    for value in [1.0, 0.01, 0.01] {
        let calendar = planner.add_calendar(pool, city, Rates::default(), None);
        planner.set_value(calendar, value);
        planner.set_bound(calendar, bound);
    }
    let mut budget = Budget::default();
    let (mut now, mut last, mut longest) = (START, [START; 3], [0.0_f64; 3]);
    while now < START + 48.0 * 3600.0 {
        let poll_source = |budget| PollSource {
            budget,
            turn: 0,
            free: true,
            signed_in: true,
            standing: AccountDoubt::Sound,
            not_before: None,
        };
        let choice = planner.choose(now, &mut |_| {
            let picked =
                pick([((), poll_source(&budget))].into_iter(), &limits, ACCOUNT_SPACING, instant(now));
            picked.map_err(|at| at.map_or(60.0, |at| (at - instant(now)).num_milliseconds() as f64 / 1000.0))
        });
        if let Some(choice) = choice {
            budget.spend(LOOK, instant(now));
            planner.spend(choice.calendar);
            let shown = u32::from(choice.calendar == 0);
            planner.answered(choice.calendar, now, Some((shown, 0, 0)));
            let gap = now - std::mem::replace(&mut last[choice.calendar], now);
            longest[choice.calendar] = longest[choice.calendar].max(gap);
        }
        now += planner.seconds_to_poll(now).max(0.25);
    }
    std::array::from_fn(|city| longest[city].max(now - last[city]))
}

#[test]
fn a_city_without_dates_is_polled_within_its_bound() {
    let bound = 3.0 * 3600.0;
    let gaps = longest_gaps(bound);
    assert!(gaps.iter().all(|gap| *gap <= bound), "{gaps:?} seconds without a poll");
    assert!(gaps[0] < 0.5 * gaps[1].min(gaps[2]), "the rich city is polled more often: {gaps:?}");
    let unbound = longest_gaps(f64::INFINITY);
    assert!(unbound.iter().any(|gap| *gap > bound), "without a bound no city waited longer: {unbound:?}");
}

#[test]
fn the_account_order_changes_every_day() {
    let order = |day| (0..50_u128).min_by_key(|account| turn_order(*account, day));
    let firsts: std::collections::BTreeSet<_> = (0..30).map(order).collect();
    assert!(firsts.len() > 12, "{} different accounts in thirty days", firsts.len());
}

#[test]
fn a_calendar_without_demand_is_not_polled() {
    let mut planner = Planner::new(Allowance::full(1.2, 10.0), Shape::default(), START);
    let pool = planner.add_pool(Allowance::full(1.0, 10.0));
    let city = planner.add_city(chrono_tz::UTC);
    let calendar = planner.add_calendar(pool, city, Rates::default(), None);
    planner.set_value(calendar, 0.0);
    assert_eq!(planner.choose(START + 600.0, &mut |_| Ok(())), None);
}

#[test]
fn an_empty_calendar_is_polled_as_often_as_the_budget_allows() {
    let polls = watch(1, 120.0);
    let last_day = polls.iter().filter(|poll| poll.0 >= START + 96.0 * 3600.0).count();
    assert!(
        last_day >= 75,
        "{last_day} polls on the fifth day without a free day, where an account affords 81"
    );
}

/// Checks that days in one calendar raise the estimate for the other calendars of the same city.
/// There are two cities with two kinds of applicants each. The calendars of a city show the same
/// days, for a few hours a week.
#[test]
fn dates_of_one_calendar_raise_the_estimate_for_its_city() {
    let mut planner = Planner::new(Allowance::full(0.2, 200.0), Shape::default(), START);
    let pools: Vec<usize> = (0..2).map(|_| planner.add_pool(Allowance::full(0.1, 100.0))).collect();
    let mut calendars = Vec::new();
    for _ in 0..2 {
        let city = planner.add_city(chrono_tz::America::Toronto);
        for pool in &pools {
            let calendar = planner.add_calendar(*pool, city, Rates::default(), Some(START));
            planner.set_value(calendar, 1.0);
            calendars.push(calendar);
        }
    }
    // The first city releases days for an hour every seven hours. The second city does the same
    // three and a half hours later.
    let busy = |calendar: usize, now: f64| {
        let hour = ((now - START) / 3600.0 + 3.5 * (calendar / 2) as f64).rem_euclid(7.0);
        hour < 1.0
    };
    let mut now = START;
    while now < START + 14.0 * 86_400.0 - 240.0 {
        now += 120.0;
        for calendar in &calendars {
            let seen = u32::from(busy(*calendar, now));
            planner.answered(*calendar, now, Some((seen, seen, seen)));
        }
    }
    // A release begins in the first city. Only the first kind of applicant is polled there and sees
    // the release.
    let start = START + 14.0 * 86_400.0;
    planner.answered(calendars[0], start + 60.0, Some((2, 0, 0)));
    let expected = |calendar: usize| {
        let able = &mut |other: usize| if other == calendar { Ok(()) } else { Err(60.0) };
        planner.clone().choose(start + 300.0, able).map_or(0.0, |choice| choice.expected)
    };
    let (same_city, other_city) = (expected(calendars[1]), expected(calendars[3]));
    assert!(same_city > 2.0 * other_city, "{same_city} days expected there, {other_city} elsewhere");
}

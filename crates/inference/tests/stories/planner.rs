//! The planner in small worlds, where a person can say what it should do.

use domain::budget::{Budget, Calls, Limits};
use inference::planner::poll_source::{
    ACCOUNT_SPACING, AccountDoubt, PollSource, affordable, instant, pick, turn_order,
};
use inference::planner::{Allowance, ChoiceReason, Planner};
use inference::rates::{Rates, Shape};

const LOOK: Calls = Calls { requests: 1, polls: 1, sign_ins: 0 };
/// 2026-11-24 00:00 UTC.
const START: f64 = 1_795_478_400.0;

/// One calendar, looked at through `accounts` accounts for `hours`; returns when, through which and why.
fn watch(accounts: usize, hours: f64) -> Vec<(f64, usize, ChoiceReason)> {
    let limits = Limits::default();
    let mut planner = Planner::new(Allowance::full(1.2, 1_000.0), Shape::default(), START);
    let each = affordable(&limits) * accounts as f64;
    let pool = planner.add_pool(Allowance::full(each, 3.0 * accounts as f64));
    let calendar = planner.add_calendar(pool, chrono_tz::America::Toronto, Rates::default(), None);
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
        now += planner.rest(now).max(0.25);
    }
    polls
}

#[test]
fn a_lone_account_polls_all_day_within_its_calls() {
    let polls = watch(1, 24.0);
    assert!(polls.len() <= 34 * 3, "{} looks in a day", polls.len());
    assert!(polls.len() >= 34, "{} looks in a day", polls.len());
    let gaps = polls.windows(2).map(|pair| pair[1].0 - pair[0].0);
    assert!(gaps.clone().all(|gap| gap >= 600.0 - 1.0), "never twice within ten minutes");
    assert!(gaps.fold(0.0, f64::max) <= 2.0 * 3600.0, "never silent for hours");
}

#[test]
fn the_first_poll_says_that_it_is_the_first() {
    let polls = watch(3, 1.0);
    assert_eq!(polls.first().map(|poll| poll.2), Some(ChoiceReason::First));
    assert!(polls[1..].iter().all(|poll| poll.2 != ChoiceReason::First));
}

// spec: 10.4.01
#[test]
fn a_shared_calendar_is_fresher_and_each_account_polls_less() {
    let (one, twenty) = (watch(1, 20.0), watch(20, 20.0));
    assert!(twenty.len() > 3 * one.len(), "{} looks against {}", twenty.len(), one.len());
    let busiest = (0..20).map(|account| twenty.iter().filter(|poll| poll.1 == account).count()).max();
    assert!(busiest <= Some(68), "nobody looks more often than its calls allow: {busiest:?}");
}

#[test]
fn another_account_goes_first_every_day() {
    let order = |day| (0..50_u128).min_by_key(|account| turn_order(*account, day));
    let firsts: std::collections::BTreeSet<_> = (0..30).map(order).collect();
    assert!(firsts.len() > 12, "{} different accounts in thirty days", firsts.len());
}

#[test]
fn a_calendar_nobody_wants_is_left_alone() {
    let mut planner = Planner::new(Allowance::full(1.2, 10.0), Shape::default(), START);
    let pool = planner.add_pool(Allowance::full(1.0, 10.0));
    let calendar = planner.add_calendar(pool, chrono_tz::UTC, Rates::default(), None);
    planner.set_value(calendar, 0.0);
    assert_eq!(planner.choose(START + 600.0, &mut |_| Ok(())), None);
}

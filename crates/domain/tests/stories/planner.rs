use chrono::TimeDelta;
use domain::budget::{Budget, Calls, Limits};
use domain::planner::{AccountFacts, CalendarFacts, LookReason, Pace, plan};

use crate::at;

const LOOK: Calls = Calls { requests: 1, looks: 1, sign_ins: 0 };

/// Simulates `hours` of one calendar watched through `viewpoints` accounts by `wishes` tasks; answers looks made.
fn looks_in(hours: i64, viewpoints: usize, wishes: u32) -> Vec<chrono::DateTime<chrono::Utc>> {
    let limits = Limits::default();
    let mut budgets = vec![Budget::default(); viewpoints];
    let mut calendar = CalendarFacts {
        last_look: None,
        last_try: None,
        viewpoints: (0..viewpoints).collect(),
        wishes,
        restricted: false,
    };
    let start = at("2026-11-24T00:00:00Z");
    let (mut now, mut looks) = (start, Vec::new());
    while now < start + TimeDelta::hours(hours) {
        let facts: Vec<AccountFacts<'_>> = budgets
            .iter()
            .map(|budget| AccountFacts { budget, free: true, signed_in: true, not_before: None })
            .collect();
        let planned = plan(&facts, std::slice::from_ref(&calendar), &limits, &Pace::default(), now);
        for look in &planned.looks {
            budgets[look.account].spend(LOOK, now);
            calendar.last_try = Some(now);
            calendar.last_look = Some(now);
            looks.push(now);
        }
        now = planned.next_due.unwrap_or(now + TimeDelta::minutes(1)).max(now + TimeDelta::seconds(1));
    }
    looks
}

#[test]
fn fifty_tasks_on_one_calendar_need_no_more_looks_than_one() {
    assert_eq!(looks_in(10, 10, 50), looks_in(10, 10, 1));
}

#[test]
fn one_account_is_never_over_its_budget_and_never_silent_for_an_hour() {
    let looks = looks_in(20, 1, 1);
    for start in &looks {
        let ten_hours = looks.iter().filter(|l| **l >= *start && **l < *start + TimeDelta::hours(10)).count();
        assert!(ten_hours <= 34, "{ten_hours} looks in ten hours");
    }
    for pair in looks.windows(2) {
        assert!(pair[1] - pair[0] <= TimeDelta::hours(1), "silent from {} to {}", pair[0], pair[1]);
    }
}

#[test]
fn more_viewpoints_make_the_list_fresher_at_the_same_load_each() {
    let (one, ten) = (looks_in(10, 1, 1).len(), looks_in(10, 10, 10).len());
    assert!(ten >= 3 * one, "{one} looks alone, {ten} pooled");
    assert!(ten <= 121, "no more than the spacing asks for: {ten}");
}

#[test]
fn a_first_look_is_due_at_once_and_says_why() {
    let budget = Budget::default();
    let facts = [AccountFacts { budget: &budget, free: true, signed_in: true, not_before: None }];
    let calendar =
        CalendarFacts { last_look: None, last_try: None, viewpoints: vec![0], wishes: 1, restricted: false };
    let planned = plan(&facts, &[calendar], &Limits::default(), &Pace::default(), at("2026-11-24T00:00:00Z"));
    assert_eq!(planned.looks.len(), 1);
    assert_eq!(planned.looks[0].reason, LookReason::First);
}

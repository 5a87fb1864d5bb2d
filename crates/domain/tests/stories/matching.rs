use chrono::NaiveDate;
use domain::criteria::{ExcludedDates, Rejection, SearchCriteria};
use domain::dayset::{Window, number};
use domain::ids::{TaskId, uuid_v7};
use domain::matching::{Rank, Seeker, match_days, why_not, windows};

use crate::criteria::criteria;
use crate::{TORONTO, at, day, slot};

#[test]
fn one_poll_serves_all_tasks_in_rank_order() {
    let criteria = criteria();
    let current = slot(TORONTO, "2027-06-15", "08:15");
    let start = at("2026-11-01T00:00:00Z");
    let seekers: Vec<Seeker<'_>> = (0..50_u8)
        .map(|n| {
            let submitted = start + chrono::TimeDelta::minutes(i64::from(50 - n));
            let task = TaskId(uuid_v7(submitted, [n; 10]));
            // The task submitted last has a priority set by an operator. The first task is already
            // paid.
            let priority = i32::from(n == 0);
            let captured = n == 49;
            Seeker {
                task,
                rank: Rank::new(captured, priority, submitted, task),
                criteria: &criteria,
                current: Some(&current),
            }
        })
        .collect();
    let days = [day("2026-12-28"), day("2027-02-09"), day("2027-03-01"), day("2027-05-01")];
    let openings = match_days(TORONTO, &days, &seekers, day("2026-11-24"), &|_, _| false);
    assert_eq!(openings.len(), 1, "all tasks have the same best day");
    assert_eq!(openings[0].date, day("2027-02-09"), "2026-12-28 is excluded");
    assert_eq!(openings[0].candidates.len(), 50);
    assert_eq!(openings[0].candidates[0], seekers[0].task, "priority first");
    assert_eq!(openings[0].candidates[1], seekers[48].task, "then the task that was submitted first");
    assert_eq!(openings[0].candidates[49], seekers[49].task, "paid tasks last");
}

#[test]
fn every_rejected_date_has_a_reason() {
    let criteria = criteria();
    let current = slot(TORONTO, "2027-02-10", "08:15");
    let task = TaskId(uuid_v7(at("2026-11-01T00:00:00Z"), [1; 10]));
    let rank = Rank::new(false, 0, at("2026-11-01T00:00:00Z"), task);
    let seeker = Seeker { task, rank, criteria: &criteria, current: Some(&current) };
    let days = [day("2026-12-28"), day("2027-01-20"), day("2027-02-09")];
    let reasons = why_not(TORONTO, &days, &seeker, day("2026-11-24"));
    let expected = [
        (day("2026-12-28"), Rejection::Excluded),
        (day("2027-02-09"), Rejection::NotEarlierEnough { gained: 1, needed: 7 }),
    ];
    assert_eq!(reasons, expected);
}

#[test]
fn a_skipped_date_gives_way_to_the_next_best() {
    let criteria = criteria();
    let task = TaskId(uuid_v7(at("2026-11-01T00:00:00Z"), [1; 10]));
    let rank = Rank::new(false, 0, at("2026-11-01T00:00:00Z"), task);
    let seeker = Seeker { task, rank, criteria: &criteria, current: None };
    let days = [day("2027-01-20"), day("2027-02-09")];
    let alone = |_, date| date == day("2027-01-20");
    let openings = match_days(TORONTO, &days, &[seeker], day("2026-11-24"), &alone);
    assert_eq!(openings.len(), 1);
    assert_eq!(openings[0].date, day("2027-02-09"));
}

// spec: 10.8.13
/// Checks that windows may begin or end at the first and last representable dates. The engine
/// matches all stored tasks together, so a single task must not cause a panic.
#[test]
fn windows_may_reach_the_ends_of_the_calendar() {
    let (first, last) = (NaiveDate::MIN, NaiveDate::MAX);
    let excluded = |ranges: &[(NaiveDate, NaiveDate)]| ExcludedDates::new(ranges.to_vec());
    let whole = SearchCriteria { start_date: first, end_date: last, ..criteria() };
    for ranges in [
        &[(last, last), (last, last)][..],
        &[(first, first), (last, last)],
        &[(first, day("2026-12-01")), (day("2026-12-03"), last)],
    ] {
        let criteria = SearchCriteria { excluded: excluded(ranges), ..whole.clone() };
        assert_eq!(windows(&criteria, None).len(), 1, "{ranges:?}");
    }
    let nothing = SearchCriteria { excluded: excluded(&[(first, last)]), ..whole.clone() };
    assert_eq!(windows(&nothing, None), [Window::EMPTY]);
    let one = SearchCriteria {
        excluded: excluded(&[(first, day("2026-12-01")), (day("2026-12-03"), last)]),
        ..whole
    };
    let open = number(day("2026-12-02"));
    assert_eq!((windows(&one, None)[0].from, windows(&one, None)[0].until), (open, open));
}

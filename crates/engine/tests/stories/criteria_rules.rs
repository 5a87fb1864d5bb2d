//! Stories of the search criteria, rule by rule, from the user's point of view.

use chrono::{NaiveTime, TimeDelta};
use domain::criteria::{SearchCriteria, TimesOfDay, Weekdays};
use domain::facility::FacilityId;
use domain::task::{Reason, TaskStatus};
use sandbox::world::NewGroup;

use crate::stage::{OTTAWA, Stage, TORONTO, appointment, at, criteria, day, toronto};

const VANCOUVER: u16 = 95;

// spec: 10.1.03
#[tokio::test]
async fn a_first_booking_uses_no_attempt_and_advances_no_days() {
    let stage = Stage::new().await;
    let group = stage.portal_group("sun", NewGroup::default());
    stage.slot(TORONTO, "2027-02-09", "09:15");
    let task = stage.task("sun", toronto()).await;
    stage.run_for(TimeDelta::minutes(5)).await;
    let booked = stage.read(task).await;
    assert_eq!(
        (booked.booked, booked.reschedules_used),
        (Some(appointment(TORONTO, "2027-02-09", "09:15")), 0)
    );
    let mut tx = stage.ctx.db.read().await.expect("tx");
    let successes = store::journal::successes(&mut tx, task).await.expect("successes");
    drop(tx);
    assert_eq!(successes.iter().map(|s| (s.old, s.days_advanced)).collect::<Vec<_>>(), [(None, None)]);
    assert_eq!(stage.sandbox.with_world(|w| w.groups[&group].attempts_left), 3);
    assert_eq!(booked.captured_amount, Some(3800), "the booking is charged all the same");
    stage.assert_tidy().await;
}

// spec: 10.1.04
#[tokio::test]
async fn the_earliest_date_is_preferred_over_the_first_city() {
    let stage = Stage::new().await;
    let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    stage.slot(TORONTO, "2027-03-09", "09:15");
    stage.slot(OTTAWA, "2027-02-09", "09:15");
    stage.task("lin", criteria()).await;
    stage.run_for(TimeDelta::minutes(5)).await;
    assert_eq!(stage.portal_shows(group), Some(at(OTTAWA, "2027-02-09", "09:15")));
}

// spec: 10.1.04
#[tokio::test]
async fn on_the_same_date_the_first_city_is_preferred() {
    for (order, expected) in [([OTTAWA, TORONTO], OTTAWA), ([TORONTO, OTTAWA], TORONTO)] {
        let stage = Stage::new().await;
        let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
        stage.slot(TORONTO, "2027-02-09", "09:15");
        stage.slot(OTTAWA, "2027-02-09", "09:15");
        let cities = order.map(|number| FacilityId::try_from(number).expect("a known city")).to_vec();
        stage.task("lin", SearchCriteria { cities, ..criteria() }).await;
        stage.run_for(TimeDelta::minutes(5)).await;
        assert_eq!(stage.portal_shows(group), Some(at(expected, "2027-02-09", "09:15")));
    }
}

// spec: 10.1.04
#[tokio::test]
async fn the_latest_time_before_noon_or_the_earliest_after_is_booked() {
    for (times, taken) in [(["08:00", "11:45", "12:15"], "11:45"), (["15:00", "12:30", "13:45"], "12:30")] {
        let stage = Stage::new().await;
        let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
        for time in times {
            stage.slot(TORONTO, "2027-02-09", time);
        }
        stage.task("lin", toronto()).await;
        stage.run_for(TimeDelta::minutes(5)).await;
        assert_eq!(stage.portal_shows(group), Some(at(TORONTO, "2027-02-09", taken)));
    }
}

// spec: 10.1.01
#[tokio::test]
async fn a_date_below_the_minimum_improvement_is_not_booked() {
    let stage = Stage::new().await;
    let group = stage.portal_account("lin", Some(at(TORONTO, "2027-05-20", "08:15")));
    // The first date is six days earlier, and seven are required. Then the same date at another
    // hour, and a later one.
    for (date, time) in [("2027-05-14", "09:15"), ("2027-05-20", "07:30"), ("2027-05-28", "09:15")] {
        stage.slot(TORONTO, date, time);
    }
    let task = stage.task("lin", toronto()).await;
    stage.run_for(TimeDelta::hours(2)).await;
    assert_eq!(stage.requests("book"), 0);
    stage.slot(TORONTO, "2027-05-13", "09:15");
    stage.run_for(TimeDelta::hours(1)).await;
    assert_eq!(stage.portal_shows(group), Some(at(TORONTO, "2027-05-13", "09:15")));
    assert_eq!(stage.read(task).await.reschedules_used, 1);
}

// spec: 10.1.02
#[tokio::test]
async fn another_time_on_the_same_date_is_never_booked() {
    let stage = Stage::new().await;
    stage.portal_account("lin", Some(at(TORONTO, "2027-05-20", "13:15")));
    stage.slot(TORONTO, "2027-05-20", "07:30");
    stage.slot(OTTAWA, "2027-05-20", "07:30");
    stage.task("lin", SearchCriteria { min_improvement_days: 1, ..criteria() }).await;
    stage.run_for(TimeDelta::hours(2)).await;
    assert_eq!(stage.requests("book"), 0);
}

// spec: 10.1.07
#[tokio::test]
async fn no_more_reschedules_are_used_than_the_user_allows() {
    let stage = Stage::new().await;
    let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    stage.slot(TORONTO, "2027-05-04", "09:15");
    let task = stage.task("lin", SearchCriteria { max_reschedules: 1, ..toronto() }).await;
    stage.run_for(TimeDelta::minutes(5)).await;
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::hours(2)).await;
    assert_eq!((stage.applied(group), stage.requests("book")), (1, 1));
    let stopped = stage.read(task).await;
    assert_eq!((stopped.status, stopped.reason), (TaskStatus::Stopped, Some(Reason::ReschedulesUsed)));
    stage.assert_tidy().await;
}

// spec: 10.1.06
#[tokio::test]
async fn the_last_attempt_is_used_only_up_to_the_consented_date() {
    let stage = Stage::new().await;
    let last = NewGroup {
        appointment: Some(at(TORONTO, "2027-08-17", "08:15")),
        attempts: Some(1),
        ..NewGroup::default()
    };
    let group = stage.portal_group("lin", last);
    stage.slot(TORONTO, "2027-03-10", "09:15");
    let agreed = SearchCriteria { last_attempt_until: Some(day("2027-03-09")), ..toronto() };
    let task = stage.task("lin", agreed).await;
    stage.run_for(TimeDelta::minutes(30)).await;
    assert_eq!(stage.requests("book"), 0, "a later date than permitted");
    assert!(stage.journal(task).await.contains(&"alerted".to_owned()), "the user is notified instead");
    stage.slot(TORONTO, "2027-03-09", "09:15");
    stage.run_for(TimeDelta::hours(1)).await;
    assert_eq!(stage.portal_shows(group), Some(at(TORONTO, "2027-03-09", "09:15")));
    stage.assert_tidy().await;
}

// spec: 10.1.08
#[tokio::test]
async fn nothing_is_sent_after_the_portals_change_deadline() {
    let stage = Stage::new().await;
    // The portal permits changes until 15:30 four days ahead; it is 19:30 on the 24th.
    let group = stage.portal_account("lin", Some(at(TORONTO, "2026-11-28", "08:15")));
    stage.slot(TORONTO, "2026-11-26", "09:15");
    let soon = SearchCriteria { start_date: day("2026-11-25"), min_improvement_days: 1, ..toronto() };
    let task = stage.task("lin", soon).await;
    stage.run_for(TimeDelta::hours(6)).await;
    assert_eq!((stage.requests("book"), stage.applied(group)), (0, 0));
    assert!(stage.read(task).await.change_deadline.is_some_and(|at| at < stage.clock.now()));
}

// spec: 10.1.08
#[tokio::test]
async fn an_outside_change_is_adopted_and_matched_again() {
    let stage = Stage::new().await;
    let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    let task = stage.task("lin", toronto()).await;
    stage.run_for(TimeDelta::minutes(5)).await;
    stage.sandbox.with_world(|w| {
        w.groups.get_mut(&group).expect("the group").appointment = Some(at(TORONTO, "2027-03-09", "10:00"));
    });
    // The date is better than the stored appointment, and worse than the real one.
    stage.slot(TORONTO, "2027-04-06", "09:15");
    stage.run_for(TimeDelta::hours(2)).await;
    assert_eq!(stage.requests("book"), 0);
    assert_eq!(stage.read(task).await.booked, Some(appointment(TORONTO, "2027-03-09", "10:00")));
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::hours(2)).await;
    assert_eq!(stage.portal_shows(group), Some(at(TORONTO, "2027-02-09", "09:15")));
    stage.assert_tidy().await;
}

// spec: 10.1.10
#[tokio::test]
async fn an_outside_cancellation_stops_the_task_and_notifies() {
    let stage = Stage::new().await;
    let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    let task = stage.task("lin", toronto()).await;
    stage.run_for(TimeDelta::minutes(5)).await;
    stage.sandbox.with_world(|w| {
        let group = w.groups.get_mut(&group).expect("the group");
        group.appointment = None;
        group.status = sandbox::world::accounts::Status::ScheduleAppointment;
    });
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::hours(2)).await;
    assert_eq!(stage.requests("book"), 0);
    let asked = stage.read(task).await;
    assert_eq!((asked.status, asked.reason), (TaskStatus::Stopped, Some(Reason::CancelledOutside)));
    assert_eq!(stage.mails("needs_you").await, 1);
    assert_eq!(stage.balance(asked.user_id).await, (100_000, 0), "the hold is released");
    stage.assert_tidy().await;
}

// spec: 10.1.11
#[tokio::test]
async fn a_passed_appointment_ends_in_error_and_releases_the_hold() {
    let stage = Stage::new().await;
    stage.portal_account("lin", Some(at(TORONTO, "2026-11-26", "08:15")));
    let task = stage.task("lin", toronto()).await;
    stage.run_for(TimeDelta::days(3)).await;
    let over = stage.read(task).await;
    assert_eq!((over.status, over.reason), (TaskStatus::Error, Some(Reason::AppointmentPassed)));
    assert_eq!(stage.balance(over.user_id).await, (100_000, 0));
    assert_eq!(stage.requests("book"), 0);
    stage.assert_tidy().await;
}

// spec: 10.1.09
#[tokio::test]
async fn minimum_days_are_counted_in_the_consulates_time_zone() {
    // 00:30 on the 25th in London is still the 24th in Toronto: the 4th is ten days away, the 3rd
    // is nine.
    for (date, books) in [("2026-12-04", 1), ("2026-12-03", 0)] {
        let stage = Stage::new().await;
        let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
        stage.slot(TORONTO, date, "09:15");
        stage.task("lin", SearchCriteria { minimum_days_from_current: 10, ..toronto() }).await;
        stage.run_for(TimeDelta::minutes(30)).await;
        assert_eq!(stage.applied(group), books, "{date}");
    }
}

// spec: 10.1.09
#[tokio::test]
async fn minimum_days_change_later_in_vancouver_than_in_toronto() {
    let stage = Stage::new().await;
    // 00:30 in Toronto on the 25th; in Vancouver it is 21:30 on the 24th.
    stage.clock.advance(TimeDelta::hours(5));
    let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    stage.slot(TORONTO, "2026-12-04", "09:15");
    stage.slot(VANCOUVER, "2026-12-04", "09:15");
    let cities = vec![FacilityId::TORONTO, FacilityId::VANCOUVER];
    stage.task("lin", SearchCriteria { cities, minimum_days_from_current: 10, ..criteria() }).await;
    stage.run_for(TimeDelta::minutes(30)).await;
    assert_eq!(stage.portal_shows(group), Some(at(VANCOUVER, "2026-12-04", "09:15")));
}

// spec: 10.1.11
#[tokio::test]
async fn the_end_of_the_date_range_stops_the_task_and_releases_the_hold() {
    let stage = Stage::new().await;
    stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    let short = SearchCriteria { start_date: day("2026-11-25"), end_date: day("2026-11-25"), ..toronto() };
    let task = stage.task("lin", short).await;
    // The search continues until the evening of the last day.
    stage.run_for(TimeDelta::hours(28)).await;
    assert!(stage.read(task).await.status.is_running());
    stage.run_for(TimeDelta::hours(2)).await;
    let over = stage.read(task).await;
    assert_eq!((over.status, over.reason), (TaskStatus::Stopped, Some(Reason::RangeOver)));
    assert_eq!(stage.balance(over.user_id).await, (100_000, 0));
    stage.assert_tidy().await;
}

#[tokio::test]
async fn only_requested_weekdays_and_times_are_booked() {
    let stage = Stage::new().await;
    let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    // Tuesdays and Wednesdays, from noon on.
    let criteria = SearchCriteria {
        weekdays: Weekdays::try_from(vec![2, 3]).expect("days of the week"),
        times: TimesOfDay { earliest: NaiveTime::from_hms_opt(12, 0, 0), latest: None },
        ..toronto()
    };
    let task = stage.task("lin", criteria).await;
    stage.run_for(TimeDelta::minutes(5)).await;
    // A Monday, and a Tuesday morning.
    stage.slot(TORONTO, "2027-02-08", "14:15");
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::hours(2)).await;
    assert_eq!((stage.applied(group), stage.requests("book")), (0, 0), "neither is accepted");
    let gone: Vec<_> = stage.lines(task).await.into_iter().filter(|line| line.kind == "slot_gone").collect();
    assert!(
        (1..=5).contains(&gone.len()),
        "the times of a day are requested again only every half hour: {gone:?}"
    );
    assert!(gone.iter().all(|line| line.data["why"] == "time_of_day" && line.data["date"] == "2027-02-09"));
    // Another day in the afternoon is booked at once, and the morning does not block it any more.
    stage.slot(TORONTO, "2027-02-10", "15:45");
    stage.run_for(TimeDelta::hours(1)).await;
    assert_eq!(stage.applied(group), 1);
    let booked = stage.read(task).await.booked.expect("an appointment");
    assert_eq!(booked, appointment(TORONTO, "2027-02-10", "15:45"));
    stage.assert_tidy().await;
}

/// A date without an accepted time stays listed for days. The tries for it must leave the account
/// enough requests to watch its city.
#[tokio::test]
async fn dates_without_accepted_times_do_not_use_up_the_requests() {
    for dates in [1, 10] {
        let stage = Stage::new().await;
        let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
        let times = TimesOfDay { earliest: NaiveTime::from_hms_opt(13, 0, 0), latest: None };
        stage.task("lin", SearchCriteria { times, ..toronto() }).await;
        for week in 0..dates {
            let date = day("2027-02-08") + TimeDelta::weeks(week);
            stage.slot(TORONTO, &date.to_string(), "09:15");
        }
        let mut longest = 0;
        let mut without = 0;
        for _ in 0..72 {
            let before = stage.requests("days");
            stage.run_for(TimeDelta::minutes(10)).await;
            without = if stage.requests("days") > before { 0 } else { without + 10 };
            longest = longest.max(without);
        }
        assert!(longest <= 170, "{dates} dates: {longest} minutes without a poll");
        assert!(stage.requests("days") >= 20, "{} polls", stage.requests("days"));
        stage.assert_tidy().await;
        if dates > 1 {
            continue;
        }
        // A time that fits is still found.
        stage.slot(TORONTO, "2027-02-08", "14:15");
        stage.run_for(TimeDelta::hours(4)).await;
        assert_eq!(stage.applied(group), 1);
    }
}

//! Stories of the choice between several users who want one slot.

use chrono::TimeDelta;
use domain::ids::TaskId;
use sandbox::journal::Effect;
use sandbox::world::NewGroup;
use sandbox::world::faults::FaultKind;

use crate::stage::{Stage, TORONTO, appointment, at, toronto};

/// Submits a task of a user with an appointment in August who accepts an earlier one in Toronto.
/// Returns the portal's group, too.
async fn seeker(stage: &Stage, name: &str) -> (TaskId, u64) {
    // A day that no task wants, so that no list is ever empty.
    stage.slot(TORONTO, "2027-08-30", "09:15");
    let group = stage.portal_account(name, Some(at(TORONTO, "2027-08-17", "08:15")));
    let task = stage.task(name, toronto()).await;
    stage.clock.advance(TimeDelta::seconds(5));
    (task, group)
}

/// Returns `true` if a task's journal reports that another task of higher rank booked the day.
async fn told_of_another(stage: &Stage, task: TaskId) -> bool {
    stage.lines(task).await.iter().any(|line| line.data["why"] == "taken_for_another")
}

// spec: 10.2.15
#[tokio::test]
async fn unserved_tasks_rank_before_served_ones() {
    let stage = Stage::new().await;
    let (served, first_group) = seeker(&stage, "served").await;
    stage.slot(TORONTO, "2027-05-04", "09:15");
    stage.run_for(TimeDelta::minutes(5)).await;
    assert!(stage.read(served).await.captured_at.is_some());
    let (waiting, second_group) = seeker(&stage, "waiting").await;
    stage.run_for(TimeDelta::minutes(5)).await;
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::minutes(30)).await;
    assert_eq!((stage.applied(first_group), stage.applied(second_group)), (1, 1));
    assert_eq!(stage.read(waiting).await.booked, Some(appointment(TORONTO, "2027-02-09", "09:15")));
    stage.assert_tidy().await;
}

// spec: 10.2.15
#[tokio::test]
async fn the_operators_priority_ranks_before_submission_order() {
    let stage = Stage::new().await;
    let (_, first_group) = seeker(&stage, "first").await;
    let (preferred, second_group) = seeker(&stage, "second").await;
    stage.prefer(preferred, 5).await;
    stage.run_for(TimeDelta::minutes(5)).await;
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::minutes(30)).await;
    assert_eq!((stage.applied(first_group), stage.applied(second_group)), (0, 1));
    assert_eq!(stage.requests("book"), 1);
}

// spec: 10.2.16
#[tokio::test]
async fn a_losing_task_sees_that_an_earlier_task_was_served() {
    let stage = Stage::new().await;
    let (_, group) = seeker(&stage, "first").await;
    let (loser, _) = seeker(&stage, "second").await;
    stage.run_for(TimeDelta::minutes(5)).await;
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::minutes(30)).await;
    assert_eq!((stage.applied(group), stage.requests("book")), (1, 1));
    assert!(told_of_another(&stage, loser).await, "{:?}", stage.lines(loser).await);
}

// spec: 10.2.15
#[tokio::test]
async fn tasks_submitted_at_the_same_instant_rank_by_id() {
    let stage = Stage::new().await;
    let mut asked = Vec::new();
    for name in ["ann", "bob", "cai"] {
        let group = stage.portal_account(name, Some(at(TORONTO, "2027-08-17", "08:15")));
        // The clock does not move: all are submitted now.
        asked.push((stage.task(name, toronto()).await, group));
    }
    asked.sort();
    stage.run_for(TimeDelta::minutes(5)).await;
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::minutes(30)).await;
    let applied: Vec<usize> = asked.iter().map(|(_, group)| stage.applied(*group)).collect();
    assert_eq!(applied, [1, 0, 0]);
}

// spec: 10.2.07
#[tokio::test]
async fn two_kinds_of_applicants_never_race_for_the_same_slot() {
    let stage = Stage::new().await;
    let couple = NewGroup {
        applicants: vec!["ANN".to_owned(), "BEN".to_owned()],
        appointment: Some(at(TORONTO, "2027-08-17", "08:15")),
        ..NewGroup::default()
    };
    let couples_group = stage.portal_group("couple", couple);
    stage.task("couple", toronto()).await;
    stage.clock.advance(TimeDelta::seconds(5));
    let (_, single_group) = seeker(&stage, "single").await;
    stage.run_for(TimeDelta::minutes(5)).await;
    stage.latency(300, 900);
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::minutes(40)).await;
    let posts = stage.posts();
    assert_eq!(posts.len(), 1, "two kinds see one slot in two calendars, and only one tries: {posts:?}");
    assert_eq!(stage.applied(couples_group) + stage.applied(single_group), 1);
    stage.assert_tidy().await;
}

// spec: 10.2.17
#[tokio::test]
async fn at_most_three_tasks_book_one_date_in_parallel() {
    let stage = Stage::new().await;
    let mut people = Vec::new();
    for n in 0..6 {
        people.push(seeker(&stage, &format!("p{n}")).await);
    }
    stage.run_for(TimeDelta::minutes(10)).await;
    stage.latency(400, 400);
    for time in ["07:30", "08:00", "08:30", "09:00", "09:30", "10:00"] {
        stage.slot(TORONTO, "2027-02-09", time);
    }
    stage.run_for(TimeDelta::minutes(30)).await;
    let posts = stage.posts();
    let under_way =
        |at| posts.iter().filter(|(t, ..)| *t <= at && at < *t + TimeDelta::milliseconds(400)).count();
    let most = posts.iter().map(|(at, ..)| under_way(*at)).max();
    assert!(most.is_some_and(|most| (2..=3).contains(&most)), "at most {most:?} at once: {posts:?}");
    assert!(posts.iter().all(|(.., effect)| matches!(effect, Effect::Booked { .. })), "{posts:?}");
    for (task, group) in people {
        assert_eq!(stage.applied(group), 1, "{:?}", stage.lines(task).await);
    }
    stage.assert_tidy().await;
}

// spec: 10.2.16
#[tokio::test]
async fn ten_seconds_after_a_failed_post_the_slot_goes_to_the_next_task() {
    let stage = Stage::new().await;
    let (first, first_group) = seeker(&stage, "first").await;
    let (_, second_group) = seeker(&stage, "second").await;
    stage.run_for(TimeDelta::minutes(5)).await;
    stage.fault(FaultKind::RefuseBooking, Some(1));
    stage.slot(TORONTO, "2027-02-09", "09:15");
    let posted = || stage.posts().len();
    stage.run_until(TimeDelta::minutes(30), || posted() > 1).await;
    let posts = stage.posts();
    assert_eq!((posts[0].1, posts[1].1), (first_group, second_group), "{posts:?}");
    let passed = posts[1].0 - posts[0].0;
    assert!((10..=12).contains(&passed.num_seconds()), "passed on after {passed}");
    stage.run_for(TimeDelta::minutes(1)).await;
    assert_eq!(stage.applied(second_group), 1);
    let mut tx = stage.ctx.db.read().await.expect("tx");
    let live = store::booking_attempt::live(&mut tx).await.expect("live");
    drop(tx);
    assert_eq!(
        live.iter().map(|i| i.task_id).collect::<Vec<_>>(),
        [first],
        "only the task that sent a POST waits"
    );
    stage.run_for(TimeDelta::minutes(10)).await;
    stage.assert_tidy().await;
}

// spec: 10.2.17
#[tokio::test]
async fn the_next_task_books_another_time_of_the_same_date() {
    let stage = Stage::new().await;
    let (first, _) = seeker(&stage, "first").await;
    let (second, _) = seeker(&stage, "second").await;
    stage.run_for(TimeDelta::minutes(5)).await;
    stage.latency(200, 200);
    for time in ["11:30", "10:00"] {
        stage.slot(TORONTO, "2027-02-09", time);
    }
    stage.run_for(TimeDelta::minutes(30)).await;
    assert_eq!(stage.read(first).await.booked, Some(appointment(TORONTO, "2027-02-09", "11:30")));
    assert_eq!(stage.read(second).await.booked, Some(appointment(TORONTO, "2027-02-09", "10:00")));
    stage.assert_tidy().await;
}

// spec: 10.3.08
#[tokio::test]
async fn two_empty_time_lists_mark_a_phantom_for_all_tasks() {
    let stage = Stage::new().await;
    for name in ["ann", "bob", "cai", "dan"] {
        seeker(&stage, name).await;
    }
    stage.run_for(TimeDelta::minutes(5)).await;
    stage.sandbox.with_world(|w| {
        let new = crate::stage::new_slot(TORONTO, "2027-02-09", "09:15");
        w.add_slot(sandbox::world::slots::NewSlot { phantom: true, ..new })
    });
    stage.run_for(TimeDelta::minutes(20)).await;
    assert_eq!(stage.requests("times"), 2, "after two empty answers none of the four tries any more");
    assert_eq!(stage.requests("book"), 0);
    stage.assert_tidy().await;
}

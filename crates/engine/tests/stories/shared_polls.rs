use chrono::TimeDelta;

use crate::stage::{Stage, TORONTO, at, criteria};

async fn polls_for(tasks: usize) -> (usize, Vec<i64>) {
    let stage = Stage::new().await;
    let mut ids = Vec::new();
    for n in 0..tasks {
        let name = format!("p{n}");
        stage.portal_account(&name, Some(at(TORONTO, "2027-08-17", "08:15")));
        let mut only_toronto = criteria();
        only_toronto.cities.truncate(1);
        ids.push(stage.task(&name, only_toronto).await);
    }
    // The overall limit of requests paces the warm-ups.
    stage.run_for(TimeDelta::minutes(10)).await;
    let before = stage.requests("days");
    let checks_before = checks(&stage, &ids).await;
    stage.run_for(TimeDelta::minutes(60)).await;
    let polls = stage.requests("days") - before;
    let after = checks(&stage, &ids).await;
    (polls, after.iter().zip(checks_before).map(|(a, b)| a - b).collect())
}

async fn checks(stage: &Stage, ids: &[domain::ids::TaskId]) -> Vec<i64> {
    let mut counts = Vec::new();
    for id in ids {
        counts.push(stage.read(*id).await.checks);
    }
    counts
}

// spec: 10.4.01
#[tokio::test]
async fn fifty_tasks_of_one_calendar_need_no_more_polls_than_ten() {
    let (ten, _) = polls_for(10).await;
    let (fifty, answered) = polls_for(50).await;
    assert!(fifty <= ten + 1, "{ten} polls for ten tasks, {fifty} for fifty");
    for checks in &answered {
        let difference = (i64::try_from(fifty).expect("small") - checks).abs();
        assert!(difference <= 1, "{fifty} polls, but {checks} reached a task");
    }
}

// spec: 10.2.07
#[tokio::test]
async fn two_tasks_never_race_for_a_slot_and_the_first_submitted_books() {
    let stage = Stage::new().await;
    let first_group = stage.portal_account("first", Some(at(TORONTO, "2027-08-17", "08:15")));
    let second_group = stage.portal_account("second", Some(at(TORONTO, "2027-08-17", "08:15")));
    let first = stage.task("first", criteria()).await;
    stage.clock.advance(TimeDelta::seconds(5));
    let second = stage.task("second", criteria()).await;
    stage.run_for(TimeDelta::minutes(2)).await;
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::minutes(30)).await;
    let told = (stage.journal(first).await, stage.journal(second).await);
    assert_eq!(stage.applied(first_group), 1, "{told:?}");
    assert_eq!(stage.applied(second_group), 0);
    assert_eq!(stage.requests("book"), 1, "only one task sent a POST");
    stage.assert_tidy().await;
}

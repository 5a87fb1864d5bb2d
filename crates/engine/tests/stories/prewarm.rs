//! Stories of warm-ups: the first candidate of the queue is ready to book, and warm-ups stay within
//! the budgets.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use sandbox::journal::Entry;
use sandbox::world::faults::{FaultKind, InjectedFault};

use crate::stage::{Stage, TORONTO, appointment, at, toronto};

fn requests(stage: &Stage) -> Vec<Entry> {
    stage.sandbox.with_world(|w| w.journal.after(0).iter().filter(|e| e.kind != "world").cloned().collect())
}

/// Returns the requests from the list that showed the day (excluded) to the POST (included).
fn path(stage: &Stage) -> Vec<(String, DateTime<Utc>)> {
    let all = requests(stage);
    let post = all.iter().position(|e| e.kind == "book").expect("a POST");
    let days = all[..post].iter().rposition(|e| e.kind == "days").expect("a poll precedes the POST");
    all[days + 1..=post].iter().map(|e| (e.kind.clone(), e.world_time)).collect()
}

fn kinds(path: &[(String, DateTime<Utc>)]) -> Vec<&str> {
    let mut kinds: Vec<&str> = path.iter().map(|(kind, _)| kind.as_str()).collect();
    let reads = kinds.len() - 1;
    kinds[..reads].sort_unstable();
    kinds
}

/// Makes two days appear in turn that no task wants: the calendar is hot, and nothing is booked.
async fn warm(stage: &Stage) {
    stage.slot(TORONTO, "2027-08-30", "09:15");
    stage.run_for(TimeDelta::minutes(10)).await;
    stage.slot(TORONTO, "2027-08-31", "09:15");
    stage.run_for(TimeDelta::minutes(20)).await;
}

#[tokio::test]
async fn a_prewarmed_booking_takes_four_round_trips_and_no_sign_in() {
    let stage = Stage::new().await;
    stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    let task = stage.task("lin", toronto()).await;
    warm(&stage).await;
    // The session of the warm-up lasts at least an hour and a half at the portal.
    stage.run_for(TimeDelta::hours(4)).await;
    stage.latency(100, 100);
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::minutes(40)).await;
    assert_eq!(stage.read(task).await.booked, Some(appointment(TORONTO, "2027-02-09", "09:15")));
    let path = path(&stage);
    let order: Vec<_> = path.iter().map(|(kind, _)| kind.as_str()).collect();
    assert_eq!(order[..2], ["appointment", "appointment"], "the limit page, and after it the form: {path:?}");
    assert_eq!(kinds(&path[2..]), ["groups", "instructions", "times", "book"], "{path:?}");
    assert!(
        path[2..5].iter().all(|(_, at)| *at == path[2].1),
        "pages and times are requested at once: {path:?}"
    );
    let gaps: Vec<_> = path.windows(2).map(|w| (w[1].1 - w[0].1).num_milliseconds()).collect();
    assert_eq!(gaps, [100, 100, 0, 0, 100], "each request leaves as soon as the one before is answered");
    let journal = stage.lines(task).await;
    let because: Vec<_> =
        journal.iter().filter(|l| l.kind == "standby").map(|l| l.data["because"]["why"].clone()).collect();
    assert!(because.iter().any(|why| why == "session_likely_over"), "{because:?}");
    stage.assert_tidy().await;
}

#[tokio::test]
async fn a_first_booking_reads_its_form_without_a_limit_page() {
    let stage = Stage::new().await;
    stage.portal_account("lin", None);
    stage.task("lin", toronto()).await;
    stage.run_for(TimeDelta::minutes(10)).await;
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::minutes(40)).await;
    let path = path(&stage);
    assert_eq!(kinds(&path), ["appointment", "groups", "instructions", "times", "book"], "{path:?}");
    assert_eq!(path[0].0, "appointment");
}

#[tokio::test]
async fn poll_to_post_takes_at_most_1500_ms_with_200_ms_answers() {
    let mut took = Vec::new();
    for n in 0..20 {
        let stage = Stage::seeded(engine::Config::default(), 100 + n).await;
        stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
        stage.task("lin", toronto()).await;
        stage.run_for(TimeDelta::minutes(10)).await;
        stage.latency(150, 250);
        stage.slot(TORONTO, "2027-02-09", "09:15");
        stage.run_until(TimeDelta::minutes(40), || stage.requests("book") > 0).await;
        let all = requests(&stage);
        let post = all.iter().position(|e| e.kind == "book").expect("a POST");
        let poll = all[..post].iter().rev().find(|e| e.kind == "days").expect("a poll");
        let answered = poll.world_time + TimeDelta::milliseconds(poll.latency_ms.cast_signed());
        took.push((all[post].world_time - answered).num_milliseconds());
    }
    took.sort_unstable();
    println!(
        "poll to POST: p50 {} ms, worst of {} {} ms",
        took[took.len() / 2],
        took.len(),
        took[took.len() - 1]
    );
    assert!(took.last().is_some_and(|worst| *worst <= 1500), "{took:?}");
}

#[tokio::test]
async fn an_ended_session_costs_one_sign_in_and_the_date_is_booked() {
    let stage = Stage::new().await;
    let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    let task = stage.task("lin", toronto()).await;
    stage.run_for(TimeDelta::minutes(70)).await;
    let signed_in = stage.requests("sign_in");
    let ended = InjectedFault {
        on: Some("times".to_owned()),
        times: Some(1),
        ..InjectedFault::of(FaultKind::SessionEnd)
    };
    stage.sandbox.with_world(|w| w.add_fault(ended));
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::minutes(30)).await;
    assert_eq!(stage.read(task).await.booked, Some(appointment(TORONTO, "2027-02-09", "09:15")));
    assert_eq!((stage.requests("sign_in") - signed_in, stage.applied(group)), (1, 1));
    stage.assert_tidy().await;
}

#[tokio::test]
async fn prewarming_respects_budgets_and_serves_the_first_ranks_only() {
    let stage = Stage::new().await;
    let names = ["ann", "bob", "cai", "dee", "eve"];
    let mut tasks = Vec::new();
    for name in names {
        stage.portal_account(name, Some(at(TORONTO, "2027-08-17", "08:15")));
        tasks.push(stage.task(name, toronto()).await);
        stage.clock.advance(TimeDelta::seconds(5));
    }
    for hour in 0..10 {
        stage.slot(TORONTO, &format!("2027-09-{:02}", hour + 1), "09:15");
        stage.run_for(TimeDelta::hours(1)).await;
    }
    let mut calls: BTreeMap<String, Vec<(DateTime<Utc>, bool)>> = BTreeMap::new();
    for entry in requests(&stage) {
        let signs_in = entry.kind == "sign_in";
        if let Some(account) = entry.account {
            calls.entry(account).or_default().push((entry.world_time, signs_in));
        }
    }
    for (account, calls) in &calls {
        assert!(calls.len() <= 75 + 4, "{account} made {} requests in ten hours", calls.len());
        let signs: Vec<_> = calls.iter().filter(|(_, s)| *s).map(|(at, _)| *at).collect();
        // The first sign-in is the user's own verification, the second is the engine's.
        let close = signs[1..].windows(2).filter(|w| w[1] - w[0] < TimeDelta::hours(1)).count();
        assert_eq!(close, 0, "{account} signed in at {signs:?}");
    }
    let mut stood = Vec::new();
    for task in &tasks {
        stood.push(stage.journal(*task).await.iter().any(|kind| kind == "standby"));
    }
    assert_eq!(stood, [true, true, true, false, false], "three are ready");
}

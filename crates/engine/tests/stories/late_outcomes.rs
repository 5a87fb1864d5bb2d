//! Stories of bookings whose outcome shows late, or behind a change that a user made in a browser.

use chrono::{DateTime, TimeDelta, Utc};
use domain::booking::AttemptState;
use domain::budget::Calls;
use domain::ids::TaskId;
use domain::money::Money;
use domain::task::{Reason, TaskStatus};
use engine::{Engine, on_fail_points};
use sandbox::world::faults::FaultKind;

use crate::stage::{OTTAWA, Stage, TORONTO, appointment, at, toronto};

/// Submits a task whose POST books nothing for now.
async fn sent_in_vain(stage: &Stage) -> (u64, TaskId) {
    let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.fault(FaultKind::LieBooked, Some(1));
    let task = stage.task("lin", toronto()).await;
    (group, task)
}

/// Applies the booking long after the engine stopped waiting. A change that a user makes in a
/// browser looks the same.
fn applied_after_all(stage: &Stage, group: u64) {
    let target = Some(at(TORONTO, "2027-02-09", "09:15"));
    assert!(stage.sandbox.with_world(|w| w.change_by_hand(group, target, Some(0))));
}

async fn states(stage: &Stage, task: TaskId) -> Vec<AttemptState> {
    let mut tx = stage.ctx.db.read().await.expect("tx");
    let attempts = store::booking_attempt::of_task(&mut tx, task).await.expect("intents");
    attempts.iter().rev().map(|i| i.state).collect()
}

// spec: 10.15.04
#[tokio::test]
async fn a_post_applied_after_its_read_back_is_confirmed_and_charged() {
    let stage = Stage::new().await;
    let (group, task) = sent_in_vain(&stage).await;
    stage.run_for(TimeDelta::minutes(8)).await;
    assert_eq!(states(&stage, task).await, [AttemptState::Refused]);
    assert_eq!(stage.read(task).await.reschedules_used, 0);
    stage.sandbox.with_world(|w| w.remove_faults(None));
    applied_after_all(&stage, group);
    // An earlier day shows: its preflight reads the present appointment.
    stage.slot(TORONTO, "2026-12-15", "10:00");
    stage.run_until(TimeDelta::hours(2), || stage.requests("instructions") > 8).await;
    stage.run_for(TimeDelta::minutes(1)).await;
    let journal = stage.lines(task).await;
    let booked = journal.iter().find(|l| l.kind == "booked").expect("the booking is in the journal");
    assert_eq!((&booked.data["days"], &booked.data["charged"]), (&189.into(), &38.0.into()));
    assert!(journal.iter().all(|l| l.kind != "changed_outside"), "{journal:?}");
    assert_eq!(states(&stage, task).await[0], AttemptState::Confirmed);
    let after = stage.read(task).await;
    assert_eq!(after.captured_amount, Some(3800));
    assert!(after.reschedules_used >= 1, "the booking is counted later");
    assert!(stage.mails("booked").await >= 1);
    stage.run_for(TimeDelta::hours(1)).await;
    stage.assert_tidy().await;
}

// spec: 10.15.04
#[tokio::test]
async fn a_late_booking_without_a_hold_is_free() {
    for again in [false, true] {
        let stage = Stage::new().await;
        let (group, task) = sent_in_vain(&stage).await;
        stage.run_until(TimeDelta::minutes(5), || stage.requests("book") == 1).await;
        stage.run_for(TimeDelta::seconds(1)).await;
        left_to_a_person(&stage, task, TimeDelta::hours(73)).await;
        stage.run_for(TimeDelta::minutes(3)).await;
        let manual = stage.read(task).await;
        assert_eq!((manual.status, manual.reason), (TaskStatus::Error, Some(Reason::BookingUnconfirmed)));
        assert_eq!(stage.balance(manual.user_id).await, (100_000, 0), "the hold was released");
        applied_after_all(&stage, group);
        started_again(&stage, task, again).await;
        stage.run_for(TimeDelta::minutes(5)).await;
        let after = stage.read(task).await;
        let charged = if again { 3800 } else { 0 };
        assert_eq!(after.captured_amount, Some(charged), "a new hold: {again}");
        assert_eq!(after.booked, Some(appointment(TORONTO, "2027-02-09", "09:15")));
        assert_eq!(after.reschedules_used, 1, "an unknown outcome stayed counted, once");
        assert_eq!(states(&stage, task).await, [AttemptState::Confirmed]);
        assert_eq!(stage.mails("booked").await, 1);
        stage.assert_tidy().await;
    }
}

/// Simulates a POST that was sent so long `ago`. Its result could never be read, so an operator has
/// to settle it.
async fn left_to_a_person(stage: &Stage, id: TaskId, ago: TimeDelta) {
    let now = stage.ctx.portal_time.now();
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    let open = store::booking_attempt::of_task(&mut tx, id).await.expect("intents").remove(0);
    store::exec!(&mut tx, "UPDATE intent SET t0 = $2 WHERE id = $1", open.id.0, now - ago).expect("t0");
    let unknown = AttemptState::Unknown;
    store::booking_attempt::add_reading(&mut tx, open.id, &[], unknown, now).await.expect("unknown");
    let step = (unknown, AttemptState::Manual);
    assert!(store::booking_attempt::settle(&mut tx, open.id, step, &[], now).await.expect("manual"));
    let step = (TaskStatus::Active, TaskStatus::Error);
    let reason = Some(Reason::BookingUnconfirmed);
    assert!(store::task::set_status(&mut tx, id, step, reason, now).await.expect("error"));
    tx.commit().await.expect("commit");
}

/// Starts the task again as its user, with or without a new hold.
async fn started_again(stage: &Stage, id: TaskId, with_hold: bool) {
    let task = stage.read(id).await;
    let now = stage.ctx.wall.now();
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    if with_hold {
        let source = ("test", stage.ctx.uuid(now));
        let amount = Money::cad(3800);
        let hold = store::ledger::hold(&mut tx, &stage.ctx.random, task.user_id, amount, source, now).await;
        store::task::set_hold(&mut tx, id, Some(hold.expect("hold")), now).await.expect("set");
    }
    let step = (task.status, TaskStatus::Processing);
    assert!(store::task::set_status(&mut tx, id, step, None, now).await.expect("start"));
    tx.commit().await.expect("commit");
}

// spec: 10.15.04
#[tokio::test]
async fn the_same_time_in_another_city_is_not_charged() {
    let stage = Stage::new().await;
    let (group, task) = sent_in_vain(&stage).await;
    stage.run_for(TimeDelta::minutes(8)).await;
    assert_eq!(states(&stage, task).await, [AttemptState::Refused]);
    stage.sandbox.with_world(|w| w.remove_faults(None));
    let elsewhere = at(OTTAWA, "2027-02-09", "09:15");
    assert!(stage.sandbox.with_world(|w| w.change_by_hand(group, Some(elsewhere), Some(0))));
    stage.run_for(TimeDelta::days(2)).await;
    let after = stage.read(task).await;
    let ended = states(&stage, task).await;
    assert!(!ended.contains(&AttemptState::Confirmed), "the page shows no city: {ended:?}");
    assert_eq!((after.captured_amount, stage.mails("booked").await), (None, 0));
    stage.assert_tidy().await;
}

#[tokio::test]
async fn a_manual_booking_after_an_unsent_attempt_is_not_charged() {
    let stage = Stage::new().await;
    let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    let task = stage.task("lin", toronto()).await;
    stage.run_for(TimeDelta::minutes(10)).await;
    stage.slot(TORONTO, "2027-02-09", "09:15");
    let clock = stage.clock.clone();
    on_fail_points(Some(Box::new(move |point| {
        if point == "acting.committed" {
            // The process was stopped: its bytes leave within five seconds, or never.
            clock.advance(TimeDelta::seconds(6));
        }
    })));
    let nothing_sent = || stage.sandbox.with_world(|w| w.journal.after(0).iter().any(|e| e.kind == "times"));
    stage.run_until(TimeDelta::hours(1), nothing_sent).await;
    on_fail_points(None);
    assert_eq!(stage.requests("book"), 0);
    assert_eq!(states(&stage, task).await, [AttemptState::Refused]);
    assert!(stage.journal(task).await.contains(&"nothing_sent".to_owned()));
    // The user finds the same slot, and books it.
    stage.sandbox.with_world(|w| w.slots.clear());
    applied_after_all(&stage, group);
    stage.slot(TORONTO, "2026-12-15", "10:00");
    stage.run_until(TimeDelta::hours(4), || stage.requests("book") == 1).await;
    stage.run_for(TimeDelta::minutes(1)).await;
    let journal = stage.lines(task).await;
    assert!(journal.iter().any(|l| l.kind == "changed_outside"), "{journal:?}");
    let booked: Vec<_> = journal.iter().filter(|l| l.kind == "booked").collect();
    assert_eq!(booked.len(), 1, "only a sent booking is reported as ours: {booked:?}");
    assert_eq!(booked[0].data["from"]["date"], "2027-02-09");
    // One attempt in between met the change, and sent nothing.
    let states = states(&stage, task).await;
    assert_eq!(
        (states.first(), states.last()),
        (Some(&AttemptState::Refused), Some(&AttemptState::Confirmed))
    );
    assert_eq!(states.iter().filter(|state| **state == AttemptState::Confirmed).count(), 1, "{states:?}");
    assert_eq!(stage.mails("booked").await, 1);
    stage.assert_tidy().await;
}

// spec: 10.15.04
#[tokio::test]
async fn a_target_that_appears_after_a_week_is_an_outside_change() {
    let stage = Stage::new().await;
    let (group, task) = sent_in_vain(&stage).await;
    stage.run_for(TimeDelta::minutes(8)).await;
    assert_eq!(states(&stage, task).await, [AttemptState::Refused]);
    stage.sandbox.with_world(|w| w.slots.clear());
    // The days pass, because a clock that is set would move the attempt along.
    stage.run_for(TimeDelta::days(8)).await;
    applied_after_all(&stage, group);
    stage.slot(TORONTO, "2026-12-15", "10:00");
    stage.run_for(TimeDelta::hours(4)).await;
    let journal = stage.journal(task).await;
    assert!(journal.contains(&"changed_outside".to_owned()), "{journal:?}");
    assert_eq!(states(&stage, task).await[0], AttemptState::Refused);
}

// spec: 10.15.04
#[tokio::test]
async fn a_manual_change_after_a_refused_post_does_not_block_the_account() {
    let stage = Stage::new().await;
    let (group, task) = sent_in_vain(&stage).await;
    stage.run_until(TimeDelta::minutes(5), || stage.requests("book") == 1).await;
    stage.run_for(TimeDelta::seconds(100)).await;
    let third = Some(at(TORONTO, "2027-06-01", "08:00"));
    assert!(stage.sandbox.with_world(|w| w.change_by_hand(group, third, Some(0))));
    stage.run_for(TimeDelta::minutes(15)).await;
    assert!(
        matches!(states(&stage, task).await[..], [AttemptState::Refused | AttemptState::NotBooked, ..]),
        "{:?}",
        states(&stage, task).await
    );
    stage.run_for(TimeDelta::hours(3)).await;
    let after = stage.read(task).await;
    assert!(stage.journal(task).await.contains(&"changed_outside".to_owned()));
    assert_eq!(
        after.booked,
        Some(appointment(TORONTO, "2027-02-09", "09:15")),
        "the search continues from there"
    );
    assert_eq!(stage.applied(group), 1);
    stage.assert_tidy().await;
}

/// Runs an attempt that apparently booked nothing. Then its user stops the task, so no list is
/// requested any more.
async fn refused_and_stopped(stage: &Stage) -> (u64, TaskId) {
    let (group, task) = sent_in_vain(stage).await;
    stage.run_for(TimeDelta::minutes(8)).await;
    assert_eq!(states(stage, task).await, [AttemptState::Refused]);
    stage.sandbox.with_world(|w| {
        w.remove_faults(None);
        w.slots.clear();
    });
    let now = stage.ctx.wall.now();
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    let step = (TaskStatus::Active, TaskStatus::Stopped);
    let reason = Some(Reason::ByUser);
    assert!(store::task::set_status(&mut tx, task, step, reason, now).await.expect("stopped"));
    tx.commit().await.expect("commit");
    stage.run_for(TimeDelta::seconds(1)).await;
    (group, task)
}

/// Returns the requests to the portal since then.
fn asked(stage: &Stage, since: DateTime<Utc>) -> Vec<(DateTime<Utc>, String)> {
    stage.sandbox.with_world(|w| {
        let own = w.journal.after(0).iter().filter(|e| e.world_time > since && e.kind != "world");
        own.map(|e| (e.world_time, e.kind.clone())).collect()
    })
}

// spec: 10.2.20
#[tokio::test]
async fn a_late_reading_finds_a_booking_applied_after_the_task_stopped() {
    let stage = Stage::new().await;
    let (group, task) = refused_and_stopped(&stage).await;
    stage.run_for(TimeDelta::minutes(30)).await;
    assert_eq!(states(&stage, task).await, [AttemptState::Refused]);
    applied_after_all(&stage, group);
    stage.run_for(TimeDelta::hours(1)).await;
    assert_eq!(states(&stage, task).await, [AttemptState::Confirmed]);
    let after = stage.read(task).await;
    assert_eq!((after.status, after.reschedules_used), (TaskStatus::Stopped, 1), "its user stopped it");
    assert_eq!(after.booked, Some(appointment(TORONTO, "2027-02-09", "09:15")));
    assert_eq!((after.captured_amount, stage.mails("booked").await), (Some(3800), 1));
    let found = stage.clock.now();
    stage.run_for(TimeDelta::days(8)).await;
    assert_eq!(asked(&stage, found), [], "a found booking is not read again");
    stage.assert_tidy().await;
}

// spec: 10.2.20
#[tokio::test]
async fn eight_late_readings_are_made_within_a_week_and_none_after() {
    let stage = Stage::new().await;
    let (_, task) = refused_and_stopped(&stage).await;
    let stopped = stage.clock.now();
    stage.run_for(TimeDelta::days(10)).await;
    let asked = asked(&stage, stopped);
    let mut readings: Vec<_> = asked.iter().map(|(at, _)| *at).collect();
    readings.dedup_by(|later, earlier| *later - *earlier < TimeDelta::minutes(1));
    assert_eq!(readings.len(), 8, "{asked:?}");
    // A request shows that a session has ended, and a new one is opened once.
    assert!(asked.len() <= 8 * 4, "{asked:?}");
    let read = ["instructions", "sign_in_page", "sign_in"];
    assert!(asked.iter().all(|(_, kind)| read.contains(&kind.as_str())), "{asked:?}");
    assert!(asked.iter().all(|(at, _)| *at - stopped < TimeDelta::days(7)), "{asked:?}");
    assert_eq!(states(&stage, task).await, [AttemptState::Refused]);
    stage.assert_tidy().await;
}

// spec: 10.2.20
#[tokio::test]
async fn a_late_reading_waits_for_its_accounts_budget() {
    let mut stage = Stage::new().await;
    let (_, task) = refused_and_stopped(&stage).await;
    let account = stage.read(task).await.portal_account_id;
    let now = stage.clock.now();
    let spent = Calls { requests: 70, polls: 0, sign_ins: 0 };
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    store::portal_account::change_budget(&mut tx, account, |budget| budget.spend(spent, now))
        .await
        .expect("budget");
    tx.commit().await.expect("commit");
    stage.engine = Engine::new(stage.ctx.clone());
    stage.run_for(TimeDelta::minutes(590)).await;
    assert_eq!(asked(&stage, now), [], "the rest of the budget is for bookings");
    stage.run_for(TimeDelta::minutes(20)).await;
    assert!(!asked(&stage, now).is_empty(), "then the account is read");
}

// spec: 10.2.20
#[tokio::test]
async fn a_manual_attempt_settles_when_its_target_appears() {
    let stage = Stage::new().await;
    let (group, task) = sent_in_vain(&stage).await;
    stage.run_until(TimeDelta::minutes(5), || stage.requests("book") == 1).await;
    stage.run_for(TimeDelta::seconds(1)).await;
    left_to_a_person(&stage, task, TimeDelta::hours(25)).await;
    stage.run_for(TimeDelta::minutes(3)).await;
    assert_eq!(stage.read(task).await.reason, Some(Reason::BookingUnconfirmed));
    stage.sandbox.with_world(|w| w.slots.clear());
    applied_after_all(&stage, group);
    stage.run_for(TimeDelta::hours(24)).await;
    let after = stage.read(task).await;
    assert_eq!(states(&stage, task).await, [AttemptState::Confirmed]);
    assert_eq!(after.captured_amount, Some(3800), "its hold was still open");
    assert_eq!((after.status, after.reason), (TaskStatus::Active, None), "the search continues");
    assert_eq!(after.booked, Some(appointment(TORONTO, "2027-02-09", "09:15")));
    stage.assert_tidy().await;
}

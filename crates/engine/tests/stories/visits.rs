//! Stories of visits: a change from outside is adopted and notified, although no calendar shows a
//! date.

use chrono::{DateTime, TimeDelta, Utc};
use domain::ids::TaskId;
use domain::task::{Reason, TaskStatus};
use sandbox::World;
use sandbox::world::accounts::{Account, Group, Status};
use sandbox::world::faults::FaultKind;
use serde_json::{Value, json};

use crate::stage::{Stage, TORONTO, appointment, at, toronto};

/// Promise 31: a visit within six hours, and the notice within five minutes of it.
const BOUND: TimeDelta = TimeDelta::minutes(6 * 60 + 5);

/// Starts a world without a free date, where only visits can show a change.
async fn quiet_world() -> Stage {
    let stage = Stage::new().await;
    stage.sandbox.with_world(|w| {
        w.config.restricted_hours = false;
        w.config.ban.enabled = false;
    });
    stage
}

/// Adds accounts with an appointment, each with an active task.
async fn accounts(stage: &Stage, names: &[&str]) -> (Vec<u64>, Vec<TaskId>) {
    let (mut groups, mut tasks) = (Vec::new(), Vec::new());
    for name in names {
        groups.push(stage.portal_account(name, Some(at(TORONTO, "2027-06-14", "08:15"))));
        tasks.push(stage.task(name, toronto()).await);
        stage.run_for(TimeDelta::minutes(5)).await;
    }
    (groups, tasks)
}

fn change(stage: &Stage, group: u64, change: impl FnOnce(&mut Group)) {
    stage.sandbox.with_world(|w| change(w.groups.get_mut(&group).expect("a group")));
}

fn account<'a>(world: &'a mut World, name: &str) -> &'a mut Account {
    world.accounts.get_mut(&format!("{name}@example.com")).expect("an account")
}

/// Ends every session of an account: its next request signs in.
fn end_sessions(world: &mut World, name: &str) {
    let username = format!("{name}@example.com");
    world.sessions.retain(|_, session| session.account != username);
}

/// Returns the first notice of any of `kinds` to a task, in minutes after `since`.
async fn told_after(stage: &Stage, task: TaskId, kinds: &[&str], since: DateTime<Utc>) -> Option<i64> {
    let lines = stage.lines(task).await;
    let line = lines.iter().find(|line| line.at >= since && kinds.contains(&line.kind.as_str()))?;
    Some((line.at - since).num_minutes())
}

// spec: 10.2.29
#[tokio::test]
async fn outside_changes_are_shown_and_notified_within_six_hours() {
    let stage = quiet_world().await;
    let names = ["cancelled", "earlier", "later", "removed", "archived", "limit"];
    let (groups, tasks) = accounts(&stage, &names).await;
    stage.run_for(TimeDelta::hours(1)).await;
    let changed = stage.clock.now();
    change(&stage, groups[0], |group| {
        group.appointment = None;
        group.status = Status::ScheduleAppointment;
    });
    change(&stage, groups[1], |group| group.appointment = Some(at(TORONTO, "2027-03-08", "09:00")));
    change(&stage, groups[2], |group| group.appointment = Some(at(TORONTO, "2027-09-13", "09:00")));
    stage.sandbox.with_world(|w| {
        w.accounts.values_mut().for_each(|account| account.schedules.retain(|id| *id != groups[3]));
    });
    change(&stage, groups[4], |group| group.archived = true);
    change(&stage, groups[5], |group| group.attempts_left = 0);
    stage.run_for(BOUND).await;

    let kinds = ["status", "changed_outside"];
    for (name, task) in names.iter().zip(&tasks) {
        let told = told_after(&stage, *task, &kinds, changed).await;
        assert!(told.is_some(), "{name}: {:?}", stage.lines(*task).await);
    }
    let ended = [
        (0, TaskStatus::Stopped, Reason::CancelledOutside),
        (3, TaskStatus::Error, Reason::GroupGone),
        (4, TaskStatus::Error, Reason::GroupGone),
        (5, TaskStatus::Stopped, Reason::ReschedulesUsed),
    ];
    for (number, status, reason) in ended {
        let task = stage.read(tasks[number]).await;
        assert_eq!((task.status, task.reason), (status, Some(reason)), "{}", names[number]);
    }
    for (number, date) in [(1, "2027-03-08"), (2, "2027-09-13")] {
        let task = stage.read(tasks[number]).await;
        assert_eq!(task.booked, Some(appointment(TORONTO, date, "09:00")), "{}", names[number]);
        assert!(task.status.is_running());
    }
    assert_eq!((stage.mails("needs_you").await, stage.mails("changed_outside").await), (4, 2));
    stage.run_for(TimeDelta::hours(12)).await;
    let again = (stage.mails("needs_you").await, stage.mails("changed_outside").await);
    assert_eq!(again, (4, 2), "each change is notified once");
    assert_eq!(stage.requests("book"), 0);
    stage.assert_tidy().await;
}

// spec: 10.2.60
#[tokio::test]
async fn an_appointment_moved_to_a_later_date_is_reported_and_searched_from() {
    let stage = quiet_world().await;
    let group = stage.portal_account("moved", Some(at(TORONTO, "2027-02-08", "08:15")));
    let task = stage.task("moved", toronto()).await;
    stage.run_for(TimeDelta::hours(1)).await;
    change(&stage, group, |group| group.appointment = Some(at(TORONTO, "2027-09-13", "09:00")));
    stage.run_for(BOUND).await;
    let mut tx = stage.ctx.db.read().await.expect("tx");
    let sql = "SELECT data FROM outbox WHERE template = 'changed_outside'";
    let mails = store::all!(&mut tx, (Value,), sql).expect("sql");
    drop(tx);
    let [(mail,)] = &mails[..] else { panic!("one mail: {mails:?}") };
    assert_eq!((&mail["old"]["date"], &mail["new"]["date"]), (&json!("2027-02-08"), &json!("2027-09-13")));
    let criteria = stage.read(task).await.criteria.expect("criteria");
    assert_eq!((&mail["later_by"], &mail["until"]), (&json!(217), &json!(criteria.end_date)));
    // This date is later than the old appointment.
    stage.slot(TORONTO, "2027-04-12", "09:15");
    stage.run_for(TimeDelta::hours(3)).await;
    assert_eq!(stage.portal_shows(group), Some(at(TORONTO, "2027-04-12", "09:15")));
    stage.assert_tidy().await;
}

// spec: 10.2.29
#[tokio::test]
async fn an_empty_groups_page_ends_no_task_while_the_group_exists() {
    let stage = quiet_world().await;
    let (groups, tasks) = accounts(&stage, &["redesigned"]).await;
    stage.run_for(TimeDelta::hours(1)).await;
    let fault = stage.fault(FaultKind::NoApplications, None);
    stage.run_for(TimeDelta::hours(14)).await;
    let task = stage.read(tasks[0]).await;
    assert!(task.status.is_running(), "{:?} {:?}", task.status, task.reason);
    let unread = stage.lines(tasks[0]).await;
    assert!(unread.iter().any(|line| line.data["code"] == "layout_changed"), "{unread:?}");
    stage.sandbox.with_world(|w| w.remove_faults(Some(fault)));
    change(&stage, groups[0], |group| group.appointment = Some(at(TORONTO, "2027-03-08", "09:00")));
    stage.run_for(BOUND).await;
    assert_eq!(stage.read(tasks[0]).await.booked, Some(appointment(TORONTO, "2027-03-08", "09:00")));
}

// spec: 10.2.29
#[tokio::test]
async fn account_problems_are_detected_within_six_hours() {
    let stage = quiet_world().await;
    let names = ["fine", "captcha", "locked", "password"];
    let (_, tasks) = accounts(&stage, &names).await;
    stage.run_for(TimeDelta::hours(1)).await;
    stage.sandbox.with_world(|w| {
        account(w, "captcha").captcha = true;
        account(w, "locked").locked_until = Some(stage.clock.now() + TimeDelta::days(2));
        account(w, "password").password = "Changed-2027".to_owned();
        names[1..].iter().for_each(|name| end_sessions(w, name));
    });
    stage.run_for(BOUND).await;
    let expected =
        [None, Some(Reason::Captcha), Some(Reason::AccountLocked), Some(Reason::CredentialsRejected)];
    for ((name, task), reason) in names.iter().zip(&tasks).zip(expected) {
        assert_eq!(stage.read(*task).await.reason, reason, "{name}");
    }
    assert_eq!(stage.mails("needs_you").await, 3);
}

// spec: 10.2.29
#[tokio::test]
async fn visits_respect_every_limit_and_sign_in_only_when_needed() {
    let stage = quiet_world().await;
    let (_, tasks) = accounts(&stage, &["a", "b", "c"]).await;
    let before = stage.requests("groups");
    stage.run_for(TimeDelta::hours(48)).await;
    let visits = stage.requests("groups") - before;
    // Three accounts, eight spans of six hours; a new session is used at most every two hours.
    assert!((3 * 8..=3 * 24).contains(&visits), "{visits} visits");
    let mut by_account: std::collections::BTreeMap<String, Vec<(DateTime<Utc>, String)>> = Default::default();
    stage.sandbox.with_world(|w| {
        for entry in w.journal.after(0) {
            if let Some(account) = &entry.account {
                by_account.entry(account.clone()).or_default().push((entry.world_time, entry.kind.clone()));
            }
        }
    });
    for (account, requests) in &by_account {
        let of =
            |kind: &str| requests.iter().filter(|(_, k)| k == kind).map(|(at, _)| *at).collect::<Vec<_>>();
        let sign_ins = of("sign_in");
        assert!(
            sign_ins.windows(2).all(|two| two[1] - two[0] >= TimeDelta::hours(1)),
            "{account}: {sign_ins:?}"
        );
        for (number, (at, _)) in requests.iter().enumerate() {
            let within = requests[..=number].iter().filter(|(other, _)| *at - *other < TimeDelta::hours(10));
            assert!(within.count() <= 90, "{account} at {at}");
        }
        let groups = of("groups");
        let longest = groups.windows(2).map(|two| two[1] - two[0]).max().unwrap_or_default();
        assert!(longest <= TimeDelta::hours(6), "{account} was not visited for {longest}");
    }
    for task in tasks {
        assert_eq!(stage.read(task).await.status, TaskStatus::Active);
    }
}

/// Runs engine and world, and notifies of silence as every server does beside its engine.
async fn run_with_notices(stage: &Stage, span: TimeDelta) {
    let ctx = app::Ctx {
        wall: stage.ctx.wall.clone(),
        portal_time: stage.ctx.portal_time.clone(),
        random: stage.ctx.random.clone(),
        billing: stage.ctx.config.billing,
    };
    let end = stage.clock.now() + span;
    while stage.clock.now() < end {
        stage.run_for(TimeDelta::minutes(2).min(end - stage.clock.now())).await;
        let host = stage.ctx.client.host();
        app::silence::notify(&ctx, &stage.ctx.db, &host).await.expect("notices of silence");
    }
}

/// Pauses every request to the portal as an operator does.
async fn pause(stage: &Stage) {
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    let now = stage.ctx.wall.now();
    assert!(store::outward::pause(&mut tx, store::outward::EVERY_HOST, now, "a story").await.expect("pause"));
    tx.commit().await.expect("commit");
}

async fn resume(stage: &Stage) {
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    store::outward::resume(&mut tx, store::outward::EVERY_HOST).await.expect("resume");
    tx.commit().await.expect("commit");
}

async fn silence_mails(stage: &Stage) -> (i64, i64) {
    (stage.mails("silence").await, stage.mails("silence_over").await)
}

// spec: 10.2.31
#[tokio::test]
async fn silence_is_notified_once_and_its_end_once_across_a_restart() {
    let mut stage = quiet_world().await;
    let (_, tasks) = accounts(&stage, &["a", "b"]).await;
    run_with_notices(&stage, TimeDelta::hours(1)).await;
    pause(&stage).await;
    run_with_notices(&stage, TimeDelta::minutes(5 * 60 + 30)).await;
    assert_eq!(silence_mails(&stage).await, (0, 0), "six hours have not passed yet");
    run_with_notices(&stage, TimeDelta::hours(1)).await;
    assert_eq!(silence_mails(&stage).await, (2, 0));
    stage.engine = engine::Engine::new(stage.ctx.clone());
    run_with_notices(&stage, TimeDelta::hours(8)).await;
    assert_eq!(silence_mails(&stage).await, (2, 0), "one notice, whichever node leads");
    resume(&stage).await;
    run_with_notices(&stage, TimeDelta::hours(3)).await;
    assert_eq!(silence_mails(&stage).await, (2, 2));
    for task in tasks {
        let told = stage.lines(task).await;
        assert_eq!(told.iter().filter(|line| line.data["code"] == "silent").count(), 1, "{told:?}");
    }
    run_with_notices(&stage, TimeDelta::hours(12)).await;
    assert_eq!(silence_mails(&stage).await, (2, 2), "no more notices while polls are answered");
}

#[tokio::test]
async fn a_restarted_watch_does_not_end_silence() {
    let stage = quiet_world().await;
    accounts(&stage, &["a"]).await;
    run_with_notices(&stage, TimeDelta::hours(1)).await;
    pause(&stage).await;
    run_with_notices(&stage, TimeDelta::hours(7)).await;
    assert_eq!(silence_mails(&stage).await, (1, 0));
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    let now = stage.clock.now();
    store::exec!(&mut tx, "UPDATE watch SET since = $1 WHERE until IS NULL", now)
        .expect("the watch begins again");
    tx.commit().await.expect("commit");
    run_with_notices(&stage, TimeDelta::hours(1)).await;
    assert_eq!(silence_mails(&stage).await, (1, 0), "no poll was answered");
    resume(&stage).await;
    run_with_notices(&stage, TimeDelta::hours(3)).await;
    assert_eq!(silence_mails(&stage).await, (1, 1));
}

// spec: 10.2.31
#[tokio::test]
async fn a_stopped_engine_causes_a_silence_notice() {
    let stage = quiet_world().await;
    accounts(&stage, &["a"]).await;
    let ctx = app::Ctx {
        wall: stage.ctx.wall.clone(),
        portal_time: stage.ctx.portal_time.clone(),
        random: stage.ctx.random.clone(),
        billing: stage.ctx.config.billing,
    };
    stage.clock.advance(TimeDelta::minutes(6 * 60 + 30));
    app::silence::notify(&ctx, &stage.ctx.db, &stage.ctx.client.host()).await.expect("notices");
    assert_eq!(silence_mails(&stage).await, (1, 0), "no round ran since");
    let mut tx = stage.ctx.db.read().await.expect("tx");
    let late = app::silence::late_tasks(&mut tx, stage.clock.now()).await.expect("a count");
    assert!(late.alarms, "{late:?}");
}

// spec: 10.2.30
#[tokio::test]
async fn an_unreadable_group_card_is_reported_once_with_its_reason() {
    let stage = quiet_world().await;
    let (groups, tasks) = accounts(&stage, &["odd", "fine"]).await;
    stage.fault(FaultKind::OddCard { group: groups[0] }, None);
    stage.run_for(TimeDelta::hours(13)).await;
    let of = |lines: Vec<crate::stage::Line>| {
        lines.iter().filter(|line| line.data["code"] == "account_page_unreadable").count()
    };
    assert_eq!(of(stage.lines(tasks[0]).await), 1, "{:?}", stage.lines(tasks[0]).await);
    assert_eq!(of(stage.lines(tasks[1]).await), 0);
    assert_eq!(stage.mails("needs_you").await, 1);
    stage.run_for(TimeDelta::hours(24)).await;
    assert_eq!(stage.mails("needs_you").await, 1, "one notice an episode");
}

// spec: 10.2.30
#[tokio::test]
async fn an_account_without_times_where_others_book_is_reported() {
    let stage = quiet_world().await;
    // The task of first rank is tried first, and the portal delays its answer.
    let (groups, tasks) = accounts(&stage, &["held", "b", "c"]).await;
    let until = stage.clock.now() + TimeDelta::days(5);
    stage.sandbox.with_world(|w| account(w, "held").banned_until = Some(until));
    for date in ["2027-02-09", "2027-01-12"] {
        stage.slot(TORONTO, date, "09:15");
        stage.run_for(TimeDelta::hours(3)).await;
    }
    assert_eq!(stage.applied(groups[0]), 0);
    assert!(stage.applied(groups[1]) + stage.applied(groups[2]) >= 2);
    let lines = stage.lines(tasks[0]).await;
    let told =
        lines.iter().filter(|line| line.data["code"].as_str().is_some_and(|c| c.starts_with("account_")));
    assert_eq!(told.count(), 1, "{lines:?}");
    assert_eq!(stage.mails("needs_you").await, 1, "no other user is notified");
    stage.assert_tidy().await;
}

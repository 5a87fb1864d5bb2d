//! Stories of isolation: a frozen ledger, a corrupt row, a refused write, a panic and a failed page
//! each stop one thing only, and not forever.

use app::tasks::Cause;
use chrono::TimeDelta;
use domain::booking::AttemptState;
use domain::criteria::{BookingMode, SearchCriteria};
use domain::ids::TaskId;
use domain::task::{Reason, TaskStatus};
use engine::{Engine, on_fail_points};
use sandbox::world::faults::{FaultKind, InjectedFault};
use store::exec;

use crate::ask_first::{DAY, asking, count, just_asked, tap};
use crate::stage::{Stage, TORONTO, appointment, at, criteria, day, toronto};

fn held() -> sandbox::world::accounts::Appointment {
    at(TORONTO, "2027-08-17", "08:15")
}

/// Makes every update of this task fail from now on.
async fn refuse_updates(stage: &Stage, task: TaskId) {
    let id = task.0;
    let statements = if stage.ctx.db.is_postgres() {
        vec![
            format!(
                "CREATE FUNCTION refuse_one() RETURNS trigger LANGUAGE plpgsql AS \
                 'BEGIN IF OLD.id = ''{id}'' THEN RAISE ''refused''; END IF; RETURN NEW; END'"
            ),
            "CREATE TRIGGER refuse_one BEFORE UPDATE ON task FOR EACH ROW EXECUTE FUNCTION refuse_one()"
                .to_owned(),
        ]
    } else {
        vec![format!(
            "CREATE TRIGGER refuse_one BEFORE UPDATE ON task WHEN OLD.id = x'{}' \
             BEGIN SELECT RAISE(ABORT, 'refused'); END",
            id.simple()
        )]
    };
    run(stage, &statements).await;
}

async fn accept_updates(stage: &Stage) {
    let on = if stage.ctx.db.is_postgres() { " ON task" } else { "" };
    run(stage, &[format!("DROP TRIGGER refuse_one{on}")]).await;
}

async fn run(stage: &Stage, statements: &[String]) {
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    for sql in statements {
        exec!(&mut tx, sql.clone().leak()).expect("sql");
    }
    tx.commit().await.expect("commit");
}

/// Pauses a task as its user does.
async fn pause(stage: &Stage, task: TaskId) {
    let ctx = stage.use_cases();
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    let row = store::task::get(&mut tx, task).await.expect("read").expect("a task");
    app::tasks::stop(&ctx, &mut tx, &row, Cause::Paused).await.expect("stop");
    tx.commit().await.expect("commit");
}

/// Starts a paused task again.
async fn start(stage: &Stage, task: TaskId) {
    let row = stage.read(task).await;
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    let step = (row.status, TaskStatus::Processing);
    let now = stage.ctx.wall.now();
    assert!(store::task::set_status(&mut tx, task, step, None, now).await.expect("start"));
    tx.commit().await.expect("commit");
}

/// Task that ended while money was frozen.
struct Ended {
    task: TaskId,
    status: TaskStatus,
    reason: Reason,
}

impl Ended {
    /// Checks that its hold stays as long as money is frozen, and is released afterwards, with one
    /// mail.
    async fn assert_released_later(&self, stage: &Stage) {
        let ended = stage.read(self.task).await;
        assert_eq!((ended.status, ended.reason), (self.status, Some(self.reason)));
        assert_eq!(stage.balance(ended.user_id).await, (96_200, 3_800), "no money moves while frozen");
        stage.thaw().await;
        stage.run_for(TimeDelta::hours(2)).await;
        assert_eq!(stage.balance(ended.user_id).await, (100_000, 0), "{:?}", self.reason);
        assert_eq!(stage.mails("hold_released").await, 1);
        stage.assert_tidy().await;
    }
}

// spec: 10.15.33
#[tokio::test]
async fn a_window_ending_during_a_money_freeze_stops_only_its_task() {
    let stage = Stage::new().await;
    stage.portal_account("lin", Some(held()));
    stage.portal_account("chen", Some(held()));
    let two_days = SearchCriteria { start_date: day("2026-11-25"), end_date: day("2026-11-26"), ..toronto() };
    let over = stage.task("lin", two_days).await;
    let watched = stage.task("chen", toronto()).await;
    stage.run_for(TimeDelta::minutes(5)).await;
    stage.freeze().await;
    stage.run_for(TimeDelta::days(3)).await;
    let looks = stage.requests("days");
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::hours(6)).await;
    assert!(stage.requests("days") > looks, "the other task is watched");
    assert_eq!(stage.read(watched).await.booked, Some(appointment(TORONTO, "2027-02-09", "09:15")));
    Ended { task: over, status: TaskStatus::Stopped, reason: Reason::RangeOver }
        .assert_released_later(&stage)
        .await;
    assert_eq!(stage.read(watched).await.captured_amount, Some(3_800), "paid once the ledger is open");
}

// spec: 10.15.33
#[tokio::test]
async fn a_cancellation_during_a_money_freeze_stops_the_task_quietly() {
    let stage = Stage::new().await;
    let group = stage.portal_account("lin", Some(held()));
    let task = stage.task("lin", toronto()).await;
    stage.run_for(TimeDelta::minutes(5)).await;
    stage.freeze().await;
    stage.sandbox.with_world(|w| {
        let group = w.groups.get_mut(&group).expect("the group");
        group.appointment = None;
        group.status = sandbox::world::accounts::Status::ScheduleAppointment;
    });
    let read = stage.requests("groups");
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::hours(4)).await;
    assert!(stage.requests("groups") - read <= 4, "the page is read a few times, not every minute");
    assert_eq!(stage.mails("needs_you").await, 1);
    Ended { task, status: TaskStatus::Stopped, reason: Reason::CancelledOutside }
        .assert_released_later(&stage)
        .await;
}

/// Runs a notify-only task that notified of a date and was deleted. Its user booked the date by
/// hand.
async fn taken_by_hand(stage: &Stage) -> TaskId {
    let group = stage.portal_account("lin", Some(held()));
    let task = stage.task("lin", SearchCriteria { mode: BookingMode::Notify, ..toronto() }).await;
    stage.run_for(TimeDelta::minutes(5)).await;
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::hours(1)).await;
    assert_eq!(stage.mails("appointment_alert").await, 1);
    let ctx = stage.use_cases();
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    let row = store::task::get(&mut tx, task).await.expect("read").expect("a task");
    assert_eq!(app::tasks::delete(&ctx, &mut tx, &row).await.expect("delete"), 0);
    tx.commit().await.expect("commit");
    let taken = Some(at(TORONTO, "2027-02-09", "09:15"));
    assert!(stage.sandbox.with_world(|w| w.change_by_hand(group, taken, Some(0))));
    task
}

// spec: 10.15.33
#[tokio::test]
async fn a_failed_final_reading_is_repeated_before_the_hold_is_released() {
    let stage = Stage::new().await;
    let task = taken_by_hand(&stage).await;
    let user = stage.read(task).await.user_id;
    let fault = InjectedFault { on: Some("groups".to_owned()), ..InjectedFault::of(FaultKind::BadGateway) };
    let fault = stage.sandbox.with_world(|w| w.add_fault(fault));
    stage.run_for(TimeDelta::hours(76)).await;
    let read = stage.requests("groups");
    assert_eq!(stage.balance(user).await, (96_200, 3_800), "an error page proves nothing");
    assert!(read <= 40, "with growing pauses: {read}");
    stage.sandbox.with_world(|w| w.remove_faults(Some(fault)));
    stage.run_for(TimeDelta::hours(3)).await;
    assert_eq!(stage.balance(user).await, (96_200, 0), "charged for the date it notified of");
    stage.assert_tidy().await;
}

// spec: 10.15.33
#[tokio::test]
async fn a_manual_booking_during_a_money_freeze_is_charged_later() {
    let stage = Stage::new().await;
    let task = taken_by_hand(&stage).await;
    let user = stage.read(task).await.user_id;
    stage.freeze().await;
    stage.run_for(TimeDelta::hours(76)).await;
    assert_eq!(stage.balance(user).await, (96_200, 3_800));
    let read = stage.requests("groups");
    stage.run_for(TimeDelta::hours(12)).await;
    assert_eq!(stage.requests("groups"), read, "the page is read once, however long money is frozen");
    stage.thaw().await;
    stage.run_for(TimeDelta::minutes(5)).await;
    assert_eq!(stage.balance(user).await, (96_200, 0));
    stage.assert_tidy().await;
}

// spec: 10.15.32
#[tokio::test]
async fn a_corrupt_row_stops_only_its_own_task() {
    let mut stage = Stage::new().await;
    stage.portal_account("lin", Some(held()));
    let group = stage.portal_account("chen", Some(held()));
    let corrupt = stage.task("lin", toronto()).await;
    stage.task("chen", toronto()).await;
    stage.run_for(TimeDelta::minutes(5)).await;
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    let broken = serde_json::json!({ "cities": 7 });
    let now = stage.ctx.wall.now();
    let sql = "UPDATE task SET wish = $2, updated_at = $3 WHERE id = $1";
    exec!(&mut tx, sql, corrupt.0, broken, now).expect("a corrupt row");
    tx.commit().await.expect("commit");
    stage.run_for(TimeDelta::minutes(10)).await;
    // A restart reads every row again.
    stage.engine = Engine::new(stage.ctx.clone());
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::hours(2)).await;
    assert_eq!(stage.applied(group), 1);
    assert_eq!(stage.engine.failing_rounds(), None, "a row made a round fail");
}

// spec: 10.15.32
#[tokio::test]
async fn a_task_that_cannot_be_stopped_does_not_block_others() {
    let stage = Stage::new().await;
    let ends = || SearchCriteria { end_date: day("2026-11-26"), ..toronto() };
    let mut tasks = Vec::new();
    for name in ["chen", "lin", "sun"] {
        stage.portal_account(name, Some(held()));
        tasks.push(stage.task(name, ends()).await);
    }
    stage.run_for(TimeDelta::minutes(5)).await;
    refuse_updates(&stage, tasks[0]).await;
    stage.run_for(TimeDelta::days(3)).await;
    for task in &tasks[1..] {
        assert_eq!(stage.read(*task).await.reason, Some(Reason::RangeOver));
    }
    assert!(stage.read(tasks[0]).await.status.is_running());
    accept_updates(&stage).await;
    stage.run_for(TimeDelta::hours(2)).await;
    assert_eq!(stage.read(tasks[0]).await.reason, Some(Reason::RangeOver), "the task then stops as well");
    stage.assert_tidy().await;
}

// spec: 10.15.32
#[tokio::test]
async fn a_booking_whose_lease_write_failed_is_retried() {
    let stage = Stage::new().await;
    let (_, group, raw) = just_asked(&stage).await;
    // Both jobs start in the same round: this one needs a row of its own, the booking does not.
    stage.portal_account("chen", Some(held()));
    let elsewhere =
        criteria().cities.into_iter().filter(|city| *city != domain::facility::FacilityId::TORONTO);
    stage.task("chen", SearchCriteria { cities: elsewhere.collect(), ..toronto() }).await;
    let refuse = if stage.ctx.db.is_postgres() {
        vec![
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''refused''; END'"
                .to_owned(),
            "CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON account_lease FOR EACH ROW \
             EXECUTE FUNCTION refuse()"
                .to_owned(),
        ]
    } else {
        let of = |name: &str, what: &str| {
            format!(
                "CREATE TRIGGER {name} BEFORE {what} ON account_lease BEGIN SELECT RAISE(ABORT, 'refused'); END"
            )
        };
        vec![of("refuse", "INSERT"), of("refuse_update", "UPDATE")]
    };
    run(&stage, &refuse).await;
    assert_eq!(tap(&stage, &raw).await, Ok(()));
    stage.run_for(TimeDelta::seconds(20)).await;
    assert_eq!(stage.applied(group), 0);
    let accept: &[String] = if stage.ctx.db.is_postgres() {
        &["DROP TRIGGER refuse ON account_lease".to_owned()]
    } else {
        &["DROP TRIGGER refuse".to_owned(), "DROP TRIGGER refuse_update".to_owned()]
    };
    run(&stage, accept).await;
    stage.run_for(TimeDelta::seconds(30)).await;
    assert_eq!(stage.applied(group), 1, "while the approval is valid");
    stage.assert_tidy().await;
}

// spec: 10.15.32
#[tokio::test]
async fn a_panicking_job_is_retried_and_frees_its_account() {
    let stage = Stage::new().await;
    let group = stage.portal_account("lin", Some(held()));
    stage.task("lin", toronto()).await;
    stage.run_for(TimeDelta::minutes(5)).await;
    let mut left = 1;
    on_fail_points(Some(Box::new(move |point| {
        if point == "preflight.read" && left > 0 {
            left -= 1;
            panic!("panic planted by this story");
        }
    })));
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::hours(2)).await;
    on_fail_points(None);
    assert_eq!((stage.applied(group), stage.requests("book")), (1, 1));
    stage.assert_tidy().await;
}

// spec: 10.2.27
#[tokio::test]
async fn a_booking_request_of_a_dead_process_is_read_back_at_once() {
    let mut stage = Stage::new().await;
    let group = stage.portal_account("lin", Some(held()));
    let task = stage.task("lin", toronto()).await;
    stage.run_for(TimeDelta::minutes(5)).await;
    let mut left = 1;
    on_fail_points(Some(Box::new(move |point| {
        if point == "post.ended" && left > 0 {
            left -= 1;
            panic!("end of the process, planted by this story");
        }
    })));
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_until(TimeDelta::hours(1), || stage.applied(group) == 1).await;
    on_fail_points(None);
    let died = stage.clock.now();
    stage.engine = Engine::new(stage.ctx.clone());
    stage.run_for(TimeDelta::seconds(3)).await;
    assert_eq!(stage.read(task).await.booked, Some(appointment(TORONTO, "2027-02-09", "09:15")));
    assert!(
        stage.clock.now() - died < TimeDelta::seconds(10),
        "the account is free before the request would have ended"
    );
    stage.assert_tidy().await;
}

// spec: 10.2.27
#[tokio::test]
async fn a_running_task_with_a_manual_attempt_stops_and_sends_nothing() {
    let mut stage = Stage::new().await;
    stage.portal_account("lin", Some(held()));
    stage.fault(FaultKind::LieBooked, Some(1));
    stage.slot(TORONTO, "2027-02-09", "09:15");
    let task = stage.task("lin", toronto()).await;
    stage.run_until(TimeDelta::minutes(5), || stage.requests("book") == 1).await;
    stage.run_for(TimeDelta::seconds(1)).await;
    // Older builds left this state where the second of two transactions was lost.
    let now = stage.ctx.portal_time.now();
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    let open = store::booking_attempt::of_task(&mut tx, task).await.expect("attempts").remove(0);
    let unknown = AttemptState::Unknown;
    store::booking_attempt::add_reading(&mut tx, open.id, &[], unknown, now).await.expect("unknown");
    let step = (unknown, AttemptState::Manual);
    assert!(store::booking_attempt::settle(&mut tx, open.id, step, &[], now).await.expect("manual"));
    tx.commit().await.expect("commit");
    stage.engine = Engine::new(stage.ctx.clone());
    stage.run_for(TimeDelta::minutes(3)).await;
    let stopped = stage.read(task).await;
    assert_eq!((stopped.status, stopped.reason), (TaskStatus::Error, Some(Reason::BookingUnconfirmed)));
    assert_eq!(stage.requests("book"), 1);
}

// spec: 10.1.17
#[tokio::test]
async fn a_resumed_task_sends_a_new_question_for_a_date_still_open() {
    let stage = Stage::new().await;
    let (task, _, _) = just_asked(&stage).await;
    pause(&stage, task).await;
    stage.run_for(TimeDelta::hours(1)).await;
    assert_eq!(count(&stage, task, "asked").await, 1);
    start(&stage, task).await;
    stage.run_for(TimeDelta::hours(1)).await;
    assert_eq!(count(&stage, task, "asked").await, 2, "{DAY} is open, and its user was away");
}

// spec: 10.1.17
#[tokio::test]
async fn an_edited_task_sends_a_new_question() {
    let stage = Stage::new().await;
    let (task, _, _) = just_asked(&stage).await;
    let ctx = stage.use_cases();
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    let row = store::task::get(&mut tx, task).await.expect("read").expect("a task");
    let wider = SearchCriteria { cities: criteria().cities, ..asking() };
    let edit = app::tasks::Edit::Criteria { criteria: wider, mode: None, keeps_fingerprints: false };
    app::tasks::edit(&ctx, &mut tx, &row, None, edit).await.expect("edit");
    tx.commit().await.expect("commit");
    stage.run_for(TimeDelta::hours(2)).await;
    assert_eq!(count(&stage, task, "asked").await, 2);
}

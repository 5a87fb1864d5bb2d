//! Stories of every fault of the portal, one each. The sandbox's journal is the oracle.

use chrono::TimeDelta;
use domain::condition::TaskCondition;
use domain::task::{Reason, TaskStatus};
use engine::verify_login::NotVerified;
use portal::PortalError;
use sandbox::world::NewGroup;
use sandbox::world::faults::FaultKind;

use crate::stage::{Stage, TORONTO, appointment, at, criteria};

async fn booked_lin(stage: &Stage) -> u64 {
    let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    stage.slot(TORONTO, "2027-02-09", "09:15");
    group
}

// spec: 8.2.04
#[tokio::test]
async fn wrong_portal_passwords_are_limited_to_three_tries_an_hour() {
    let stage = Stage::new().await;
    booked_lin(&stage).await;
    let user = stage.user("lin").await;
    for _ in 0..3 {
        let refused = stage.verify_with(user, "lin", "wrong-Pass-1").await;
        assert!(matches!(refused, Err(NotVerified::Portal(PortalError::CredentialsRejected))), "{refused:?}");
    }
    let refused = stage.verify_with(user, "lin", "wrong-Pass-1").await;
    assert!(matches!(refused, Err(NotVerified::TooMany)), "three an hour, over all users");
    assert_eq!(stage.requests("sign_in"), 3);
}

// spec: 8.2.04
#[tokio::test]
async fn a_password_changed_at_the_portal_stops_the_task_after_one_try() {
    let stage = Stage::new().await;
    booked_lin(&stage).await;
    let task = stage.task("lin", criteria()).await;
    stage.sandbox.with_world(|w| {
        w.accounts.get_mut("lin@example.com").expect("lin").password = "Changed-2026".to_owned();
        w.sessions.clear();
    });
    stage.clock.advance(TimeDelta::hours(2));
    let before = stage.requests("sign_in");
    stage.run_for(TimeDelta::hours(5)).await;
    let failed = stage.read(task).await;
    assert_eq!((failed.status, failed.reason), (TaskStatus::Error, Some(Reason::CredentialsRejected)));
    assert_eq!(failed.condition, TaskCondition::CredentialsRejected);
    assert_eq!(stage.requests("sign_in") - before, 1, "a rejected password is never retried");
    assert_eq!(
        stage.balance(failed.user_id).await.1,
        3800,
        "a problem that the user can fix does not release the hold"
    );
    stage.assert_tidy().await;
}

// spec: 8.2.05
#[tokio::test]
async fn a_locked_account_or_a_captcha_stops_the_task_with_its_reason() {
    for (fault, reason) in [
        (FaultKind::Locked { too_many: false }, Reason::AccountLocked),
        (FaultKind::Captcha, Reason::Captcha),
    ] {
        let stage = Stage::new().await;
        booked_lin(&stage).await;
        let task = stage.task("lin", criteria()).await;
        stage.sandbox.with_world(|w| w.sessions.clear());
        stage.clock.advance(TimeDelta::hours(2));
        stage.fault(fault, None);
        stage.run_for(TimeDelta::hours(1)).await;
        let failed = stage.read(task).await;
        assert_eq!((failed.status, failed.reason), (TaskStatus::Error, Some(reason)));
        assert_eq!(stage.requests("book"), 0);
        stage.assert_tidy().await;
    }
}

// spec: 8.2.08
#[tokio::test]
async fn an_account_without_applications_creates_no_tasks() {
    let stage = Stage::new().await;
    booked_lin(&stage).await;
    stage.fault(FaultKind::NoApplications, None);
    let user = stage.user("lin").await;
    assert!(stage.verify(user, "lin").await.expect("verified").is_empty());
}

// spec: 10.3.09
#[tokio::test]
async fn a_removed_group_stops_the_task_and_releases_the_hold() {
    let stage = Stage::new().await;
    let group = booked_lin(&stage).await;
    let task = stage.task("lin", criteria()).await;
    stage.sandbox.with_world(|w| w.groups.remove(&group));
    stage.run_for(TimeDelta::minutes(2)).await;
    assert!(
        stage.read(task).await.status.is_running(),
        "a truncated page looks the same, so it is read again"
    );
    stage.run_for(TimeDelta::minutes(5)).await;
    let gone = stage.read(task).await;
    assert_eq!((gone.status, gone.reason), (TaskStatus::Error, Some(Reason::GroupGone)));
    assert_eq!(stage.balance(gone.user_id).await, (100_000, 0));
    stage.assert_tidy().await;
}

// spec: 10.3.07
#[tokio::test]
async fn a_session_ended_during_a_poll_is_reopened_within_budget() {
    let stage = Stage::new().await;
    stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    let task = stage.task("lin", criteria()).await;
    stage.run_for(TimeDelta::minutes(5)).await;
    stage.sandbox.with_world(|w| w.sessions.clear());
    stage.run_for(TimeDelta::hours(3)).await;
    let before = stage.read(task).await.checks;
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::hours(2)).await;
    assert!(stage.read(task).await.checks > before);
    assert_eq!(stage.read(task).await.booked, Some(appointment(TORONTO, "2027-02-09", "09:15")));
    assert!(stage.requests("sign_in") <= 5, "one sign-in an hour at most");
}

// spec: 1.08
#[tokio::test]
async fn polls_back_off_during_portal_failures_and_then_continue() {
    for fault in [FaultKind::BadGateway, FaultKind::Maintenance { retry_after: Some(600) }, FaultKind::Reset]
    {
        let stage = Stage::new().await;
        let group = booked_lin(&stage).await;
        let task = stage.task("lin", criteria()).await;
        let id = stage.fault(fault.clone(), None);
        stage.run_for(TimeDelta::minutes(20)).await;
        let waiting = stage.read(task).await;
        assert!(waiting.status.is_running(), "a problem of the portal is not the user's: {fault:?}");
        assert!(
            matches!(waiting.condition, TaskCondition::PortalDown | TaskCondition::Overloaded),
            "{:?}",
            waiting.condition
        );
        let asked = stage.sandbox.with_world(|w| w.journal.after(0).len());
        assert!(asked < 40, "{asked} requests to a failing portal");
        stage.sandbox.with_world(|w| w.remove_faults(Some(id)));
        stage.run_for(TimeDelta::hours(2)).await;
        assert_eq!(stage.applied(group), 1, "{fault:?}");
        stage.assert_tidy().await;
    }
}

// spec: 10.3.06
#[tokio::test]
async fn a_changed_layout_is_not_interpreted_and_nothing_is_booked() {
    for fault in [FaultKind::ChangedLayout, FaultKind::ForeignHtml] {
        let stage = Stage::new().await;
        let group = booked_lin(&stage).await;
        let task = stage.task("lin", criteria()).await;
        stage.fault(fault.clone(), None);
        stage.run_for(TimeDelta::hours(3)).await;
        assert_eq!(stage.applied(group), 0);
        let waiting = stage.read(task).await;
        assert_eq!(waiting.condition, TaskCondition::LayoutChanged, "{fault:?}");
        assert_eq!(waiting.booked, Some(appointment(TORONTO, "2027-08-17", "08:15")));
    }
}

// spec: 10.2.05
#[tokio::test]
async fn a_slot_stolen_between_times_and_post_books_nothing_and_charges_nothing() {
    let stage = Stage::new().await;
    let group = booked_lin(&stage).await;
    stage.fault(FaultKind::StealSlot, Some(1));
    let task = stage.task("lin", criteria()).await;
    stage.run_for(TimeDelta::minutes(10)).await;
    assert_eq!(stage.applied(group), 0);
    let watching = stage.read(task).await;
    assert_eq!((watching.captured_at, watching.reschedules_used), (None, 0));
    assert!(stage.journal(task).await.iter().any(|k| k == "not_booked"));
    stage.assert_tidy().await;
}

// spec: 10.2.01
#[tokio::test]
async fn a_false_success_response_is_detected_and_not_charged() {
    let stage = Stage::new().await;
    let group = booked_lin(&stage).await;
    stage.fault(FaultKind::LieBooked, Some(1));
    let task = stage.task("lin", criteria()).await;
    stage.run_for(TimeDelta::minutes(6)).await;
    assert_eq!(stage.applied(group), 0);
    let watching = stage.read(task).await;
    assert_eq!(watching.captured_at, None);
    assert_eq!(watching.booked, Some(appointment(TORONTO, "2027-08-17", "08:15")));
    stage.assert_tidy().await;
}

// spec: 10.2.02
#[tokio::test]
async fn a_false_refusal_response_is_detected_and_charged() {
    let stage = Stage::new().await;
    let group = booked_lin(&stage).await;
    stage.fault(FaultKind::LieRefused, Some(1));
    let task = stage.task("lin", criteria()).await;
    stage.run_for(TimeDelta::minutes(6)).await;
    assert_eq!(stage.applied(group), 1);
    let booked = stage.read(task).await;
    assert_eq!(booked.booked, Some(appointment(TORONTO, "2027-02-09", "09:15")));
    assert_eq!(booked.captured_amount, Some(3800));
    stage.assert_tidy().await;
}

// spec: 10.2.03
#[tokio::test]
async fn a_post_without_response_is_read_back_and_not_repeated() {
    for fault in [FaultKind::CutAfterApply, FaultKind::HalfAnswer] {
        let stage = Stage::new().await;
        let group = booked_lin(&stage).await;
        stage.sandbox.with_world(|w| {
            let mut fault = sandbox::world::faults::InjectedFault::of(fault.clone());
            fault.on = Some("book".to_owned());
            fault.times = Some(1);
            w.add_fault(fault)
        });
        let task = stage.task("lin", criteria()).await;
        stage.run_for(TimeDelta::minutes(6)).await;
        assert_eq!((stage.requests("book"), stage.applied(group)), (1, 1), "{fault:?}");
        assert!(stage.read(task).await.captured_at.is_some());
        stage.assert_tidy().await;
    }
}

// spec: 10.2.04
#[tokio::test]
async fn a_groups_page_lagging_two_minutes_never_causes_a_second_post() {
    let stage = Stage::new().await;
    let group = booked_lin(&stage).await;
    stage.slot(TORONTO, "2027-01-12", "10:00");
    stage.fault(FaultKind::GroupsLag { seconds: 120 }, None);
    let task = stage.task("lin", criteria()).await;
    stage.run_for(TimeDelta::minutes(4)).await;
    assert_eq!((stage.requests("book"), stage.applied(group)), (1, 1));
    assert_eq!(stage.read(task).await.booked, Some(appointment(TORONTO, "2027-01-12", "10:00")));
    stage.assert_tidy().await;
}

// spec: 10.1.07
#[tokio::test]
async fn used_up_attempts_stop_the_task_with_a_reason() {
    let stage = Stage::new().await;
    let spent = NewGroup {
        appointment: Some(at(TORONTO, "2027-08-17", "08:15")),
        attempts: Some(0),
        ..NewGroup::default()
    };
    stage.portal_group("lin", spent);
    stage.slot(TORONTO, "2027-02-09", "09:15");
    let task = stage.task("lin", criteria()).await;
    stage.run_for(TimeDelta::minutes(30)).await;
    let stopped = stage.read(task).await;
    assert_eq!((stopped.status, stopped.reason), (TaskStatus::Stopped, Some(Reason::ReschedulesUsed)));
    assert_eq!(stage.requests("book"), 0);
    stage.assert_tidy().await;
}

// spec: 10.3.04
#[tokio::test]
async fn a_soft_banned_account_cools_down_and_never_books() {
    let stage = Stage::new().await;
    for name in ["lin", "sun"] {
        stage.portal_account(name, Some(at(TORONTO, "2027-08-17", "08:15")));
    }
    // Days that no task wants, so that lists are not empty.
    stage.slot(TORONTO, "2027-08-30", "09:15");
    let mut only_toronto = criteria();
    only_toronto.cities.truncate(1);
    let banned = stage.task("lin", only_toronto.clone()).await;
    stage.task("sun", only_toronto).await;
    stage.run_for(TimeDelta::minutes(2)).await;
    let mut fault = sandbox::world::faults::InjectedFault::of(FaultKind::SoftBan);
    fault.account = Some("lin@example.com".to_owned());
    stage.sandbox.with_world(|w| w.add_fault(fault));
    stage.run_for(TimeDelta::minutes(45)).await;
    let resting = stage.read(banned).await;
    assert_eq!(resting.condition, TaskCondition::CoolingDown);
    let polls = |stage: &Stage| {
        stage.sandbox.with_world(|w| {
            let mine = |e: &&sandbox::journal::Entry| {
                e.kind == "days" && e.account.as_deref() == Some("lin@example.com")
            };
            w.journal.after(0).iter().filter(mine).count()
        })
    };
    let before = polls(&stage);
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::minutes(60)).await;
    assert_eq!(polls(&stage), before, "a cooling account does not poll");
}

// spec: 10.3.05
#[tokio::test]
async fn restricted_hours_are_reported_and_empty_lists_are_not_trusted() {
    let stage = Stage::new().await;
    stage.sandbox.with_world(|w| w.config.restricted_hours = true);
    // 11:00 in Toronto.
    stage.clock.advance(TimeDelta::minutes(15 * 60 + 30));
    let group = booked_lin(&stage).await;
    let task = stage.task("lin", criteria()).await;
    stage.run_for(TimeDelta::minutes(30)).await;
    let told = stage.read(task).await;
    assert_eq!(
        told.condition,
        TaskCondition::RestrictedHours,
        "{:?} {}",
        stage.journal(task).await,
        told.condition_evidence
    );
    // 19:00 in Toronto is eight hours later: then booked accounts see days again.
    stage.run_for(TimeDelta::hours(10)).await;
    assert_eq!(stage.applied(group), 1);
    stage.assert_tidy().await;
}

// spec: 10.3.08
#[tokio::test]
async fn phantom_dates_cause_few_requests_and_no_post() {
    let stage = Stage::new().await;
    booked_lin(&stage).await;
    stage.fault(FaultKind::PhantomDates, None);
    stage.task("lin", criteria()).await;
    stage.run_for(TimeDelta::hours(2)).await;
    assert_eq!(stage.requests("book"), 0);
    assert!(stage.requests("times") <= 8, "{} times requests for a phantom", stage.requests("times"));
    stage.assert_tidy().await;
}

// spec: 10.2.12
#[tokio::test]
async fn a_deleted_task_is_never_booked() {
    let stage = Stage::new().await;
    let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    let task = stage.task("lin", criteria()).await;
    stage.run_for(TimeDelta::minutes(2)).await;
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    store::task::delete(&mut tx, task, stage.ctx.wall.now()).await.expect("delete");
    tx.commit().await.expect("commit");
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::hours(1)).await;
    assert_eq!(stage.applied(group), 0);
    assert_eq!(stage.balance(stage.read(task).await.user_id).await, (100_000, 0), "the hold was released");
    stage.assert_tidy().await;
}

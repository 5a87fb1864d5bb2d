//! Stories of a portal that changes its pages. All accounts stop, one probes at intervals, and all
//! continue once the pages parse again. An overloaded portal's pages stop no account. One odd card
//! or an unusable form stops no other account.

use chrono::TimeDelta;
use domain::condition::TaskCondition;
use domain::criteria::{BookingMode, SearchCriteria};
use domain::ids::TaskId;
use domain::task::{Reason, TaskStatus};
use engine::Engine;
use sandbox::world::NewGroup;
use sandbox::world::faults::{FaultKind, InjectedFault};
use sandbox::world::slots::NewSlot;

use crate::stage::{Stage, TORONTO, appointment, at, day, new_slot, toronto};

/// Submits tasks with a late appointment in Toronto, in the order of the list. The last one is
/// notify-only.
async fn users(stage: &Stage, count: usize) -> (Vec<u64>, Vec<TaskId>) {
    let (mut groups, mut tasks) = (Vec::new(), Vec::new());
    for n in 0..count {
        let name = format!("p{n}");
        groups.push(stage.portal_account(&name, Some(at(TORONTO, "2027-08-17", "08:15"))));
        let mode = if n + 1 == count { BookingMode::Notify } else { BookingMode::Auto };
        tasks.push(stage.task(&name, SearchCriteria { mode, ..toronto() }).await);
        stage.clock.advance(TimeDelta::seconds(5));
    }
    (groups, tasks)
}

/// Makes days that no task wants appear and vanish, so that no list stays the same.
fn bustle(stage: &Stage, hours: i64) {
    for n in 0..hours * 6 {
        let (delay_seconds, lifetime_seconds) = (Some(n * 600), Some(900));
        let new = new_slot(TORONTO, &(day("2027-09-01") + TimeDelta::days(n)).to_string(), "09:15");
        stage.sandbox.with_world(|w| w.add_slot(NewSlot { delay_seconds, lifetime_seconds, ..new }));
    }
}

/// Returns the number of requests to the portal so far.
fn requests(stage: &Stage) -> usize {
    stage.sandbox.with_world(|w| w.journal.after(0).iter().filter(|e| e.kind != "world").count())
}

async fn told(stage: &Stage, tasks: &[TaskId]) -> Vec<TaskCondition> {
    let mut told = Vec::new();
    for task in tasks {
        told.push(stage.read(*task).await.condition);
    }
    told
}

async fn portal_errors(stage: &Stage, task: TaskId) -> usize {
    let lines = stage.lines(task).await;
    lines.iter().filter(|line| line.kind == "trouble" && line.data["code"] == "layout_changed").count()
}

// spec: 10.3.06
#[tokio::test]
async fn a_layout_change_stops_all_accounts_until_one_reads_it_again() {
    let mut stage = Stage::new().await;
    let (groups, tasks) = users(&stage, 8).await;
    bustle(&stage, 14);
    stage.run_for(TimeDelta::minutes(30)).await;
    assert!(told(&stage, &tasks).await.iter().all(|told| *told == TaskCondition::Watching));

    let changed = stage.fault(FaultKind::ChangedLayout, None);
    let begun = requests(&stage);
    stage.run_for(TimeDelta::hours(2)).await;
    let everybody = told(&stage, &tasks).await;
    assert!(everybody.iter().all(|told| *told == TaskCondition::LayoutChanged), "{everybody:?}");
    for task in &tasks {
        assert_eq!(portal_errors(&stage, *task).await, 1, "notified once");
        let evidence = stage.read(*task).await.condition_evidence;
        assert_eq!(evidence["code"], "layout_changed");
        assert!(stage.read(*task).await.next_try_at.is_some_and(|at| at > stage.clock.now()));
    }
    let first = requests(&stage) - begun;
    assert!(first <= 24, "{first} requests in two hours, by two accounts that failed and some probes");

    // A restarted engine knows it: only the next probe sends a request. A slot that shows meanwhile
    // is not tried.
    stage.engine = Engine::new(stage.ctx.clone());
    let next = stage.read(tasks[0]).await.next_try_at.expect("the next probe");
    let before = requests(&stage);
    stage.run_for(next - stage.clock.now() - TimeDelta::seconds(5)).await;
    assert_eq!(requests(&stage), before, "all accounts wait for the probe");
    stage.slot(TORONTO, "2027-02-09", "09:15");
    let before = requests(&stage);
    stage.run_for(TimeDelta::hours(2)).await;
    let again = requests(&stage) - before;
    assert!((2..=24).contains(&again), "{again} requests in two more hours, by probes alone");
    assert_eq!(stage.requests("book"), 0, "a booking was made while pages were unreadable");

    stage.sandbox.with_world(|w| w.remove_faults(Some(changed)));
    // An account that backs off after its own attempts passes its turn to the next in the queue.
    let booked = || groups.iter().map(|group| stage.applied(*group)).sum::<usize>();
    stage.run_until(TimeDelta::minutes(45), || booked() == 1).await;
    assert_eq!(booked(), 1, "one of the queue has it within half an hour and a probe");
    let resumed = requests(&stage);
    stage.run_for(TimeDelta::seconds(60)).await;
    assert!(requests(&stage) - resumed <= 90, "{} requests at once", requests(&stage) - resumed);
    stage.run_for(TimeDelta::hours(3)).await;
    let everybody = told(&stage, &tasks).await;
    let stand = everybody.iter().filter(|told| **told == TaskCondition::LayoutChanged).count();
    assert_eq!(stand, 0, "{everybody:?}");
    stage.slot(TORONTO, "2027-01-12", "10:00");
    stage.run_for(TimeDelta::hours(2)).await;
    assert_eq!(booked(), 2, "the search continues as before");
    stage.assert_tidy().await;
}

// spec: 10.15.10
#[tokio::test]
async fn a_burst_of_overload_across_accounts_stops_no_task() {
    let kinds = [
        FaultKind::BusyPage,
        FaultKind::FormWithoutChoice,
        FaultKind::EmptyList { cut: false },
        FaultKind::EmptyList { cut: true },
        FaultKind::UnknownError,
    ];
    for kind in kinds {
        let stage = Stage::new().await;
        let (groups, tasks) = users(&stage, 6).await;
        bustle(&stage, 8);
        stage.run_for(TimeDelta::minutes(30)).await;
        // The burst comes when days are released.
        let burst = stage.fault(kind.clone(), None);
        stage.slot(TORONTO, "2027-02-09", "09:15");
        stage.run_for(TimeDelta::minutes(4)).await;
        stage.sandbox.with_world(|w| w.remove_faults(Some(burst)));
        let booked = || groups.iter().map(|group| stage.applied(*group)).sum::<usize>();
        stage.run_until(TimeDelta::hours(2), || booked() == 1).await;
        assert_eq!(booked(), 1, "{kind:?}: one of the queue has it after the burst");
        stage.run_for(TimeDelta::hours(2)).await;
        for task in &tasks {
            assert_eq!(
                portal_errors(&stage, *task).await,
                0,
                "{kind:?}: a task was stopped for a changed page"
            );
        }
        let everybody = told(&stage, &tasks).await;
        let stood = everybody.iter().filter(|told| **told == TaskCondition::LayoutChanged).count();
        assert_eq!(stood, 0, "{kind:?}: {everybody:?}");
        stage.assert_tidy().await;
    }
}

// spec: 10.15.10
#[tokio::test]
async fn lasting_overload_responses_count_as_a_changed_layout() {
    for kind in [FaultKind::EmptyList { cut: false }, FaultKind::UnknownError] {
        let stage = Stage::new().await;
        let (groups, tasks) = users(&stage, 5).await;
        bustle(&stage, 4);
        stage.run_for(TimeDelta::minutes(30)).await;
        let changed = stage.fault(kind.clone(), None);
        let begun = requests(&stage);
        stage.run_for(TimeDelta::minutes(20)).await;
        let everybody = told(&stage, &tasks).await;
        assert!(
            everybody.iter().all(|told| *told == TaskCondition::LayoutChanged),
            "{kind:?}: {everybody:?}"
        );
        let asked = requests(&stage) - begun;
        assert!(asked <= 40, "{kind:?}: {asked} requests in twenty minutes");
        stage.sandbox.with_world(|w| w.remove_faults(Some(changed)));
        stage.slot(TORONTO, "2027-02-09", "09:15");
        stage.run_until(TimeDelta::minutes(45), || stage.applied(groups[0]) == 1).await;
        assert_eq!(stage.applied(groups[0]), 1, "{kind:?}: all continue once the page can be read");
    }
}

// spec: 10.15.10
#[tokio::test]
async fn an_unreadable_group_card_affects_only_its_group() {
    let odd: [fn(u64) -> FaultKind; 3] = [
        |group| FaultKind::OddCard { group },
        |group| FaultKind::FingerprintsOnly { group },
        |group| FaultKind::UnknownStatus { group },
    ];
    for odd in odd {
        let stage = Stage::new().await;
        let one = |name: &str| NewGroup {
            applicants: vec![name.to_owned()],
            appointment: Some(at(TORONTO, "2027-08-17", "08:15")),
            ..NewGroup::default()
        };
        let groups = stage.portal_groups("lin", vec![one("LIN ANNA"), one("LIN BO")]);
        let user = stage.user("lin").await;
        let found = stage.verify(user, "lin").await.expect("verified");
        stage.fault(odd(groups[0]), None);
        for task in &found {
            stage.submit(task, toronto()).await;
        }
        stage.run_for(TimeDelta::minutes(20)).await;
        let told = told(&stage, &[found[0].id, found[1].id]).await;
        assert_eq!(told, [TaskCondition::LayoutChanged, TaskCondition::Watching]);
        assert_eq!(portal_errors(&stage, found[0].id).await, 1, "notified once, of its own group");
        let signed_in = stage.requests("sign_in");
        stage.slot(TORONTO, "2027-02-09", "09:15");
        stage.run_for(TimeDelta::hours(1)).await;
        assert_eq!((stage.applied(groups[0]), stage.applied(groups[1])), (0, 1), "the other is booked");
        assert!(stage.requests("sign_in") <= signed_in + 1);
        stage.sandbox.with_world(|w| w.remove_faults(None));
        stage.slot(TORONTO, "2027-02-10", "09:15");
        stage.run_for(TimeDelta::hours(2)).await;
        assert_eq!(stage.applied(groups[0]), 1, "it is booked once its card can be read");
        stage.assert_tidy().await;
    }
}

// spec: 10.15.10
#[tokio::test]
async fn a_form_that_cannot_be_filled_stops_its_task_with_a_reason() {
    for (kind, reason) in [
        (FaultKind::FormAsksAsc, Reason::FormAsksFingerprints),
        (FaultKind::FacilityMissing { facility: u32::from(TORONTO) }, Reason::CityNotOffered),
    ] {
        let stage = Stage::new().await;
        let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
        stage.fault(kind, None);
        let task = stage.task("lin", toronto()).await;
        stage.run_for(TimeDelta::minutes(10)).await;
        stage.slot(TORONTO, "2027-02-09", "09:15");
        stage.run_for(TimeDelta::hours(2)).await;
        let stopped = stage.read(task).await;
        assert_eq!((stopped.status, stopped.reason), (TaskStatus::Error, Some(reason)));
        assert_eq!((stage.applied(group), stage.requests("book")), (0, 0));
        let lines = stage.lines(task).await;
        let said = lines.iter().filter(|line| line.data["reason"] == reason.as_str()).count();
        assert_eq!(
            (said, stage.mails("needs_you").await),
            (1, 1),
            "reported in the journal and by mail, once"
        );
        let asked = requests(&stage);
        stage.slot(TORONTO, "2027-02-10", "09:15");
        stage.run_for(TimeDelta::hours(2)).await;
        assert_eq!(requests(&stage), asked, "the page was requested again without a notice");
        stage.assert_tidy().await;
    }
}

// spec: 10.3.06
#[tokio::test]
async fn unreadable_pages_of_one_account_stop_no_other() {
    let stage = Stage::new().await;
    let (groups, tasks) = users(&stage, 5).await;
    bustle(&stage, 8);
    stage.run_for(TimeDelta::minutes(30)).await;
    let odd = InjectedFault {
        account: Some("p0@example.com".to_owned()),
        ..InjectedFault::of(FaultKind::ChangedLayout)
    };
    stage.sandbox.with_world(|w| w.add_fault(odd));
    stage.run_for(TimeDelta::hours(4)).await;
    let everybody = told(&stage, &tasks).await;
    assert!(everybody[1..].iter().all(|told| *told == TaskCondition::Watching), "{everybody:?}");
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::hours(2)).await;
    assert_eq!((stage.applied(groups[0]), stage.applied(groups[1])), (0, 1), "the next in the queue has it");
}

#[tokio::test]
async fn an_account_paused_before_the_others_resumes_with_them() {
    let stage = Stage::new().await;
    let (groups, tasks) = users(&stage, 5).await;
    bustle(&stage, 8);
    stage.run_for(TimeDelta::minutes(30)).await;
    // One account gets the new pages long before the others: its pause grows to half an hour.
    let odd = InjectedFault {
        account: Some("p0@example.com".to_owned()),
        ..InjectedFault::of(FaultKind::ChangedLayout)
    };
    stage.sandbox.with_world(|w| w.add_fault(odd));
    let account = stage.read(tasks[0]).await.portal_account_id;
    let mut rests = stage.clock.now();
    while rests < stage.clock.now() + TimeDelta::minutes(28) {
        stage.run_for(TimeDelta::minutes(1)).await;
        let mut tx = stage.ctx.db.read().await.expect("tx");
        let row = store::portal_account::get(&mut tx, account).await.expect("row").expect("an account");
        rests = row.not_before.unwrap_or(rests);
    }
    let changed = stage.fault(FaultKind::ChangedLayout, None);
    stage.run_for(TimeDelta::minutes(9)).await;
    let everybody = told(&stage, &tasks).await;
    assert!(everybody.iter().all(|told| *told == TaskCondition::LayoutChanged), "{everybody:?}");
    stage.sandbox.with_world(|w| w.remove_faults(None));
    let _ = changed;
    stage.run_for(TimeDelta::minutes(6)).await;
    assert!(rests > stage.clock.now() + TimeDelta::minutes(10), "its own pause would last longer");
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::minutes(10)).await;
    assert_eq!((stage.applied(groups[0]), stage.applied(groups[1])), (1, 0), "the first in the queue has it");
    stage.assert_tidy().await;
}

// spec: 10.3.06
#[tokio::test]
async fn an_unreadable_form_stops_bookings_but_not_polls() {
    let stage = Stage::new().await;
    let broken =
        InjectedFault { on: Some("appointment".to_owned()), ..InjectedFault::of(FaultKind::ChangedLayout) };
    let broken = stage.sandbox.with_world(|w| w.add_fault(broken));
    let (groups, tasks) = users(&stage, 2).await;
    let only_told = tasks[1];
    stage.run_for(TimeDelta::minutes(10)).await;
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::hours(3)).await;
    assert_eq!(stage.requests("book"), 0);
    assert_eq!(told(&stage, &tasks).await, [TaskCondition::LayoutChanged, TaskCondition::Watching]);
    assert_eq!(stage.mails("appointment_alert").await, 1, "a notify-only task is still notified");
    assert!(stage.journal(only_told).await.iter().any(|kind| kind == "alerted"));
    let walks = stage.requests("appointment");
    assert!(walks <= 24, "{walks} pages on walks to an unreadable form");

    stage.sandbox.with_world(|w| w.remove_faults(Some(broken)));
    stage.run_for(TimeDelta::hours(3)).await;
    assert_eq!(stage.applied(groups[0]), 1);
    assert_eq!(stage.read(tasks[0]).await.booked, Some(appointment(TORONTO, "2027-02-09", "09:15")));
    stage.assert_tidy().await;
}

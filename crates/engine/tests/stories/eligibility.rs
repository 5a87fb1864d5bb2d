//! Stories of the queue: tasks that cannot book do not enter it, so the next one is served at once.
//! The others are stopped, notified or alerted.

use std::cell::RefCell;
use std::rc::Rc;

use chrono::{DateTime, TimeDelta, Utc};
use domain::condition::TaskCondition;
use domain::criteria::{BookingMode, SearchCriteria};
use domain::ids::TaskId;
use domain::task::{Reason, TaskStatus};
use engine::on_fail_points;
use sandbox::world::NewGroup;
use sandbox::world::accounts::Appointment;
use sandbox::world::faults::{FaultKind, InjectedFault};

use crate::stage::{Line, Stage, TORONTO, appointment, at, day, toronto};

/// More tasks than the queue of one day has room for.
const CROWD: usize = 65;

/// Returns an appointment that the portal no longer permits to change. It permits changes until
/// 15:30 four days ahead, and it is 19:30 on the 24th.
fn too_late() -> Appointment {
    at(TORONTO, "2026-11-28", "08:15")
}

fn august() -> Appointment {
    at(TORONTO, "2027-08-17", "08:15")
}

/// Returns criteria that accept any date from tomorrow on that is at least a day earlier.
fn soon() -> SearchCriteria {
    SearchCriteria { start_date: day("2026-11-25"), min_improvement_days: 1, ..toronto() }
}

async fn person(
    stage: &Stage,
    name: &str,
    appointment: Appointment,
    attempts: u32,
    criteria: SearchCriteria,
) -> TaskId {
    let group = NewGroup { appointment: Some(appointment), attempts: Some(attempts), ..NewGroup::default() };
    stage.portal_group(name, group);
    let task = stage.task(name, criteria).await;
    stage.clock.advance(TimeDelta::seconds(1));
    task
}

async fn stopped_by(stage: &Stage, task: TaskId, why: &str) -> Vec<Line> {
    let lines = stage.lines(task).await;
    lines.into_iter().filter(|l| l.kind == "not_booked_because" && l.data["stop"]["why"] == why).collect()
}

async fn alerts(stage: &Stage, task: TaskId) -> usize {
    stage.journal(task).await.iter().filter(|kind| *kind == "alerted").count()
}

// spec: 10.1.14, 10.15.05
#[tokio::test]
async fn many_ineligible_tasks_do_not_block_an_eligible_one() {
    let stage = Stage::new().await;
    let (mut late, mut last, mut spent) = (Vec::new(), Vec::new(), Vec::new());
    for n in 0..CROWD {
        late.push(person(&stage, &format!("late{n}"), too_late(), 3, soon()).await);
        last.push(person(&stage, &format!("last{n}"), august(), 1, soon()).await);
        spent.push(person(&stage, &format!("none{n}"), august(), 0, soon()).await);
        let own = SearchCriteria { max_reschedules: 0, ..soon() };
        spent.push(person(&stage, &format!("own{n}"), august(), 3, own).await);
    }
    let quiet =
        person(&stage, "quiet", august(), 3, SearchCriteria { mode: BookingMode::Notify, ..soon() }).await;
    let able = person(&stage, "able", august(), 3, soon()).await;
    // A day that no task wants, so that the lists are never empty.
    stage.slot(TORONTO, "2027-09-30", "09:15");
    stage.run_for(TimeDelta::hours(2)).await;
    assert_eq!(stage.read(able).await.status, TaskStatus::Active);
    stage.slot(TORONTO, "2026-11-26", "09:15");
    let books = || stage.requests("book") > 0;
    stage.run_until(TimeDelta::hours(1), books).await;

    let (polled, posted) = stage.sandbox.with_world(|w| {
        let post = w.journal.after(0).iter().rposition(|e| e.kind == "book").expect("a POST");
        let days = w.journal.after(0)[..post]
            .iter()
            .rposition(|e| e.kind == "days")
            .expect("a poll precedes the POST");
        (w.journal.after(0)[days].wall_time, w.journal.after(0)[post].wall_time)
    });
    let took = posted.zip(polled).map(|(post, poll)| post - poll).expect("both have wall times");
    println!("from the list to the POST, with {} that cannot book in front: {took}", 2 * CROWD);
    // The bound is generous: an unoptimised build, on a machine that runs many tests at once.
    assert!(took < TimeDelta::seconds(2), "{took} from the list to the POST");
    stage.run_for(TimeDelta::minutes(10)).await;
    assert_eq!(stage.read(able).await.booked, Some(appointment(TORONTO, "2026-11-26", "09:15")));
    assert_eq!(stage.requests("book"), 1);
    assert_eq!(alerts(&stage, quiet).await, 1, "notified at once: no task before it books");
    for task in last {
        assert_eq!(
            (alerts(&stage, task).await, stopped_by(&stage, task, "last_attempt").await.len()),
            (1, 1)
        );
        assert_eq!(stage.read(task).await.status, TaskStatus::Active);
    }
    for task in late {
        let told = stage.read(task).await;
        assert_eq!((told.status, told.condition), (TaskStatus::Active, TaskCondition::DeadlinePassed));
        assert_eq!(alerts(&stage, task).await, 0, "the day is of no use to the task");
        assert_eq!(stopped_by(&stage, task, "deadline_passed").await.len(), 1);
    }
    for task in spent {
        let stopped = stage.read(task).await;
        assert_eq!((stopped.status, stopped.reason), (TaskStatus::Stopped, Some(Reason::ReschedulesUsed)));
        let stops = stage.journal(task).await.iter().filter(|kind| *kind == "status").count();
        assert_eq!(stops, 1, "stopped once");
        let held = if stopped.attempts_left == Some(0) { 0 } else { 3_800 };
        assert_eq!(
            stage.balance(stopped.user_id).await.1,
            held,
            "the portal's limit cannot be raised, the user's own can"
        );
    }
    stage.assert_tidy().await;
}

#[tokio::test]
async fn bookings_precede_notifications_and_one_poll_notifies_each_task() {
    let stage = Stage::new().await;
    let mut last = Vec::new();
    for n in 0..12 {
        last.push(person(&stage, &format!("last{n}"), august(), 1, soon()).await);
    }
    let able = person(&stage, "able", august(), 3, soon()).await;
    stage.slot(TORONTO, "2027-09-30", "09:15");
    stage.run_for(TimeDelta::minutes(30)).await;
    let points = Rc::new(RefCell::new(Vec::new()));
    let passed = points.clone();
    on_fail_points(Some(Box::new(move |point| passed.borrow_mut().push(point.to_owned()))));
    // Others poll while the booking is in progress.
    stage.latency(1_500, 1_500);
    stage.slot(TORONTO, "2026-11-26", "09:15");
    stage.run_until(TimeDelta::hours(1), || stage.requests("book") > 0).await;
    stage.latency(0, 0);
    stage.run_for(TimeDelta::minutes(10)).await;
    on_fail_points(None);
    let points = points.take();
    let first = |wanted: &str| points.iter().position(|point| point == wanted);
    let told = points.iter().filter(|point| *point == "alerts.before_commit").count();
    assert!(first("acting.committed") < first("alerts.before_commit"), "{points:?}");
    assert_eq!(told, 3, "twelve, four at once: {points:?}");
    for task in last {
        assert_eq!(alerts(&stage, task).await, 1);
    }
    assert_eq!(stage.read(able).await.booked, Some(appointment(TORONTO, "2026-11-26", "09:15")));
    stage.assert_tidy().await;
}

// spec: 10.1.06, 10.15.05
#[tokio::test]
async fn a_last_attempt_task_is_alerted_once_per_appearance_of_a_date() {
    let stage = Stage::new().await;
    let last = person(&stage, "last", august(), 1, toronto()).await;
    stage.run_for(TimeDelta::minutes(5)).await;
    let shown = stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::hours(3)).await;
    assert_eq!(alerts(&stage, last).await, 1, "alerted once, however often the day is seen");
    assert_eq!(stopped_by(&stage, last, "last_attempt").await.len(), 1);
    stage.sandbox.with_world(|w| w.remove_slot(shown));
    stage.run_for(TimeDelta::hours(1)).await;
    stage.slot(TORONTO, "2027-02-09", "10:00");
    stage.run_for(TimeDelta::hours(1)).await;
    assert_eq!(alerts(&stage, last).await, 2, "the day had vanished and is listed again");
    assert_eq!(stopped_by(&stage, last, "last_attempt").await.len(), 2);
    assert_eq!((stage.requests("book"), stage.requests("times")), (0, 0));
    stage.assert_tidy().await;
}

// spec: 10.1.06, 10.15.05
#[tokio::test]
async fn consent_given_later_makes_a_task_eligible() {
    let stage = Stage::new().await;
    let last = person(&stage, "last", august(), 1, toronto()).await;
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::hours(1)).await;
    assert_eq!((alerts(&stage, last).await, stage.requests("book")), (1, 0));
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    let criteria = SearchCriteria { last_attempt_until: Some(day("2027-03-01")), ..toronto() };
    store::task::set_criteria(&mut tx, last, &criteria, stage.ctx.wall.now()).await.expect("wish");
    tx.commit().await.expect("commit");
    stage.run_for(TimeDelta::hours(1)).await;
    let task = stage.read(last).await;
    assert_eq!(task.booked, Some(appointment(TORONTO, "2027-02-09", "09:15")));
    // The portal permits no further change, so the task must not seem to search on.
    assert_eq!((task.status, task.reason), (TaskStatus::Stopped, Some(Reason::ReschedulesUsed)));
    stage.assert_tidy().await;
}

// spec: 10.1.08, 10.15.05
#[tokio::test]
async fn a_passed_deadline_is_shown_and_its_calendar_is_not_polled() {
    let stage = Stage::new().await;
    // The deadline is the 25th at 15:30 in Toronto, 20 hours from now.
    let task = person(&stage, "lin", at(TORONTO, "2026-11-29", "08:15"), 3, soon()).await;
    stage.slot(TORONTO, "2027-09-30", "09:15");
    stage.run_for(TimeDelta::hours(19)).await;
    assert_ne!(stage.read(task).await.condition, TaskCondition::DeadlinePassed);
    stage.run_for(TimeDelta::hours(2)).await;
    assert_eq!(stage.read(task).await.condition, TaskCondition::DeadlinePassed);
    let polls = stage.requests("days");
    stage.slot(TORONTO, "2026-11-27", "09:15");
    stage.run_for(TimeDelta::hours(6)).await;
    assert_eq!(stage.requests("days"), polls, "no task wants anything there");
    assert_eq!(stage.requests("book"), 0);
}

// spec: 10.15.05
#[tokio::test]
async fn a_paused_task_past_its_window_or_appointment_releases_its_hold() {
    let stage = Stage::new().await;
    let short = SearchCriteria { start_date: day("2026-11-25"), end_date: day("2026-11-26"), ..toronto() };
    let window = person(&stage, "window", august(), 3, short).await;
    let passed = person(&stage, "passed", at(TORONTO, "2026-11-30", "08:15"), 3, toronto()).await;
    stage.run_for(TimeDelta::minutes(10)).await;
    for task in [window, passed] {
        let mut tx = stage.ctx.db.begin().await.expect("tx");
        let step = (TaskStatus::Active, TaskStatus::Stopped);
        let now = stage.ctx.wall.now();
        assert!(
            store::task::set_status(&mut tx, task, step, Some(Reason::ByUser), now).await.expect("status")
        );
        tx.commit().await.expect("commit");
    }
    stage.run_for(TimeDelta::days(1)).await;
    let user = stage.read(window).await.user_id;
    assert_eq!(stage.balance(user).await.1, 3_800, "a pause does not release the hold");
    stage.run_for(TimeDelta::days(6)).await;
    for (task, status, reason) in [
        (window, TaskStatus::Stopped, Reason::RangeOver),
        (passed, TaskStatus::Error, Reason::AppointmentPassed),
    ] {
        let over = stage.read(task).await;
        assert_eq!((over.status, over.reason), (status, Some(reason)));
        assert_eq!(stage.balance(over.user_id).await, (100_000, 0));
    }
    assert_eq!(stage.mails("needs_you").await, 2, "each user is notified once");
    stage.assert_tidy().await;
}

/// Runs a task of first rank that wants a day that stays listed, and others for which only lists
/// are requested. The first one's requests for `page` get this fault. Returns when it tried the
/// day, and when any account was shown the day.
async fn tries_and_polls(page: &str, kind: FaultKind) -> (Vec<DateTime<Utc>>, Vec<DateTime<Utc>>) {
    let stage = Stage::new().await;
    person(&stage, "first", august(), 3, SearchCriteria { end_date: day("2027-02-28"), ..toronto() }).await;
    for n in 0..12 {
        let later = SearchCriteria { start_date: day("2027-04-01"), ..toronto() };
        person(&stage, &format!("other{n}"), august(), 3, later).await;
    }
    stage.slot(TORONTO, "2027-09-30", "09:15");
    stage.run_for(TimeDelta::minutes(30)).await;
    let account = Some("first@example.com".to_owned());
    let fault = InjectedFault { account, on: Some(page.to_owned()), ..InjectedFault::of(kind) };
    stage.sandbox.with_world(|w| w.add_fault(fault));
    stage.slot(TORONTO, "2027-02-09", "09:15");
    let shown = stage.clock.now();
    stage.run_for(TimeDelta::hours(2)).await;
    assert_eq!(stage.requests("book"), 0);
    stage.assert_tidy().await;
    let at = |kind: &str| {
        stage.sandbox.with_world(|w| {
            let of = w.journal.after(0).iter().filter(|e| e.kind == kind && e.world_time > shown);
            of.map(|e| e.world_time).collect::<Vec<_>>()
        })
    };
    (at("times"), at("days"))
}

/// Returns the time after the first attempt at which the day was seen again without an attempt, and
/// the time until the next attempt.
fn cooled_off((tries, polls): &(Vec<DateTime<Utc>>, Vec<DateTime<Utc>>)) -> (TimeDelta, TimeDelta) {
    let (first, second) =
        (tries[0], *tries.iter().find(|at| **at - tries[0] > TimeDelta::seconds(5)).expect("two"));
    let between = polls
        .iter()
        .filter(|at| **at > first + TimeDelta::seconds(5) && **at < second - TimeDelta::seconds(5));
    let last = between.max().expect("the day was seen in between");
    (*last - first, second - first)
}

// spec: 10.2.22
#[tokio::test]
async fn a_date_tried_without_sending_is_not_retried_for_ten_minutes() {
    let seen = tries_and_polls("instructions", FaultKind::ForeignHtml).await;
    let (again, tried) = cooled_off(&seen);
    println!("seen again after {again}, tried again after {tried}");
    assert!(again > TimeDelta::minutes(4) && tried >= TimeDelta::minutes(10), "{again}, {tried}");
    assert!(tried < TimeDelta::minutes(20), "{tried}");
}

// spec: 10.2.22
#[tokio::test]
async fn a_date_blocked_by_a_portal_error_is_retried_after_two_minutes() {
    let seen = tries_and_polls("times", FaultKind::BadGateway).await;
    let (again, tried) = cooled_off(&seen);
    println!("seen again after {again}, tried again after {tried}");
    assert!(again > TimeDelta::seconds(35), "its account backs off for 30 s only: {again}");
    assert!(tried >= TimeDelta::minutes(2) && tried < TimeDelta::minutes(9), "{tried}");
}

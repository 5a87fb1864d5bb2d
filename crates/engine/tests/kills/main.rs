//! kill -9 at every crash point, then a restart: the database must agree with the sandbox's
//! journal.
//!
//! The engine runs in a child process (this test binary again), so that it can be killed. The
//! sandbox runs in the parent, so that the oracle survives. Portal time runs fast in both.

mod child;
mod rig;

use rig::{Plan, Rig};
use sandbox::world::asc::AppointmentKind;
use sandbox::world::faults::{FaultKind, KillAt};

/// Every place in the engine where a test can kill it.
const CRASH_POINTS: [&str; 11] = [
    "arm.before_commit",
    "armed",
    "preflight.read",
    "acting.before_commit",
    "acting.committed",
    "post.ended",
    "evidence.before_commit",
    "evidence.committed",
    "readback.read",
    "settle.before_commit",
    "settle.committed",
];

/// Runs in the child process only. It does nothing when the suite runs it as a test.
#[test]
fn child_engine() {
    child::run_if_asked();
}

/// Returns how often each kill is repeated; `SOONER_KILL_ROUNDS` requests more.
fn rounds() -> usize {
    std::env::var("SOONER_KILL_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

fn survives(plan: Plan) {
    for _ in 0..rounds() {
        survives_once(plan.clone());
    }
}

fn survives_once(plan: Plan) {
    let (name, books) = (format!("{plan:?}"), plan.pair);
    let report = Rig::run(plan);
    assert!(report.killed, "{name}: the crash point was never reached");
    assert_eq!(report.violations(), Vec::<String>::new(), "broken promises, {name}: {report:?}");
    assert!(report.settled, "{name}: an attempt is still open: {report:?}");
    assert!(!books || report.is_booked(), "{name}: the pair is not booked: {report:?}");
}

macro_rules! crash_tests {
    ($($name:ident: $index:literal),+ $(,)?) => {$(
        #[test]
        fn $name() {
            survives(Plan { crash: Some(CRASH_POINTS[$index]), ..Plan::default() });
        }
    )+};
}

crash_tests! {
    killed_before_the_attempt_is_committed: 0,
    killed_when_prepared: 1,
    killed_after_the_preflight: 2,
    // spec: 10.2.08
    killed_before_sending_is_committed: 3,
    // spec: 10.2.08
    killed_after_sending_before_the_post: 4,
    // spec: 10.2.08
    killed_after_the_post: 5,
    killed_before_the_evidence_is_committed: 6,
    killed_after_the_evidence: 7,
    killed_in_the_read_back: 8,
    // spec: 10.2.08
    killed_before_the_settlement_is_committed: 9,
    killed_after_the_settlement: 10,
}

// spec: 10.2.08
#[test]
fn killed_by_the_portal_when_the_post_was_applied() {
    survives(Plan { portal_kills: Some(KillAt::Applied), ..Plan::default() });
}

// spec: 10.2.08
#[test]
fn killed_by_the_portal_in_the_middle_of_the_answer() {
    survives(Plan { portal_kills: Some(KillAt::HalfAnswered), ..Plan::default() });
}

// spec: 10.2.08
#[test]
fn killed_after_the_post_while_the_groups_page_lags() {
    let lag = FaultKind::GroupsLag { seconds: 120 };
    survives(Plan { crash: Some("post.ended"), fault: Some(lag), ..Plan::default() });
}

// spec: 10.2.08
#[test]
fn killed_between_the_pages_and_the_fingerprint_lists() {
    survives(Plan { crash: Some("preflight.read"), pair: true, ..Plan::default() });
}

// spec: 10.2.08
#[test]
fn killed_before_the_post_of_a_pair() {
    survives(Plan { crash: Some("acting.committed"), pair: true, ..Plan::default() });
}

// spec: 10.2.08
#[test]
fn killed_after_the_post_of_a_pair_while_the_groups_page_shows_half_of_it() {
    let lag = FaultKind::HalfGroupsLag { of: AppointmentKind::Asc, seconds: 120 };
    survives(Plan { crash: Some("post.ended"), fault: Some(lag), pair: true, ..Plan::default() });
}

// spec: 10.2.08
#[test]
fn killed_by_the_portal_in_the_middle_of_the_answer_to_a_pair() {
    survives(Plan { portal_kills: Some(KillAt::HalfAnswered), pair: true, ..Plan::default() });
}

/// Checks a booking that only the lagging groups page shows, without any kill. A read-back that
/// does not wait until the lag has ended loses this booking.
#[test]
fn a_booking_that_only_the_lagging_groups_page_shows_is_settled() {
    let lag = FaultKind::GroupsLag { seconds: 120 };
    let plan = Plan { fault: Some(lag), hide_printed_date: true, ..Plan::default() };
    let report = Rig::run(plan);
    assert_eq!(report.violations(), Vec::<String>::new(), "broken promises: {report:?}");
    assert!(report.settled, "an attempt is still open: {report:?}");
}

/// Stops a process for longer than its lease lasts and than a POST may take to leave. The process
/// then continues at the same point.
fn survives_a_pause(point: &'static str) -> rig::Report {
    let report = Rig::run(Plan { pause: Some(point), ..Plan::default() });
    assert_eq!(report.violations(), Vec::<String>::new(), "broken promises, stopped at {point}: {report:?}");
    assert!(report.settled, "an attempt is still open: {report:?}");
    report
}

// spec: 10.2.24
#[test]
fn stopped_before_the_attempt_is_committed() {
    survives_a_pause("arm.before_commit");
}

// spec: 10.2.24
#[test]
fn stopped_between_the_preflight_and_sending() {
    survives_a_pause("acting.before_commit");
}

// spec: 10.2.24
#[test]
fn stopped_between_the_commit_and_the_post() {
    survives_a_pause("acting.committed");
}

// spec: 10.2.24
#[test]
fn stopped_after_the_post() {
    survives_a_pause("post.ended");
}

// spec: 10.15.18
#[test]
fn a_lock_that_is_never_released_ends_the_process() {
    let (status, exits, settled) = Rig::stuck();
    assert_eq!(status, Some(child::STUCK_STATUS), "the watchdog did not end the process");
    assert_eq!(exits, 1, "exits are counted across restarts");
    assert!(settled, "the next process does the work");
}

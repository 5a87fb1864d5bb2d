//! Checks that every watched city is polled within its bound, and that an assumption of restricted
//! hours hides nothing.

use chrono::{DateTime, TimeDelta, Utc};
use domain::budget::Limits;
use domain::condition::TaskCondition;
use domain::criteria::{ExcludedDates, SearchCriteria};
use domain::facility::FacilityId;
use domain::ids::TaskId;
use domain::poll_bound::LEAST_BOUND;
use domain::task::{Reason, TaskStatus};
use engine::Config;
use sandbox::journal::{Effect, Entry};
use sandbox::world::arrivals::Source;
use sandbox::world::faults::FaultKind;

use crate::stage::{OTTAWA, Stage, TORONTO, at, criteria, day, toronto};

const MONTREAL: u16 = 91;

/// Time from [`crate::stage::START`] until 11:00 in Toronto: hours that the table calls restricted.
const UNTIL_MORNING: TimeDelta = TimeDelta::minutes(15 * 60 + 30);

/// Returns the requests for days in the portal's journal, from `since` on.
fn polls(stage: &Stage, since: DateTime<Utc>) -> Vec<Entry> {
    let is_poll = |entry: &&Entry| entry.kind == "days" && entry.world_time >= since;
    stage.sandbox.with_world(|w| w.journal.after(0).iter().filter(is_poll).cloned().collect())
}

/// Returns `true` if an entry is a list of days, changed or not.
fn is_answered(entry: &Entry) -> bool {
    matches!(entry.status, 200 | 304)
}

/// Returns the longest time in which a city was not shown, from `from` until now.
fn longest_gap(stage: &Stage, city: u16, from: DateTime<Utc>) -> TimeDelta {
    let of_city = |entry: &Entry| entry.path.contains(&format!("/days/{city}.json"));
    let (mut last, mut longest) = (from, TimeDelta::zero());
    let answered = polls(stage, from).into_iter().filter(|entry| is_answered(entry) && of_city(entry));
    for at in answered.map(|entry| entry.world_time).chain([stage.clock.now()]) {
        longest = longest.max(at - last);
        last = at;
    }
    longest
}

/// Runs accounts with sessions of an hour that watch Toronto. The engine attributes its empty list
/// to restricted hours. Returns the first task.
async fn guess(stage: &Stage, names: &[&str]) -> TaskId {
    stage.clock.advance(UNTIL_MORNING);
    let mut first = None;
    for name in names {
        stage.portal_account(name, Some(at(TORONTO, "2027-08-17", "08:15")));
        let task = stage.task(name, toronto()).await;
        stage.run_for(TimeDelta::minutes(5)).await;
        let told = stage.read(task).await;
        assert_eq!(told.condition, TaskCondition::RestrictedHours, "{}", told.condition_evidence);
        first.get_or_insert(task);
    }
    first.expect("an account")
}

// spec: 10.2.19
#[tokio::test]
async fn three_cities_of_one_account_are_each_polled_within_three_hours() {
    for seed in [11, 3, 5] {
        let stage = Stage::seeded(Config::default(), seed).await;
        stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
        // Late dates everywhere. In Montreal dates appear and vanish that no task wants.
        for city in [TORONTO, OTTAWA, MONTREAL] {
            for date in ["2027-08-20", "2027-08-23", "2027-08-24"] {
                stage.slot(city, date, "09:15");
            }
        }
        let unwanted = ExcludedDates::new(vec![(day("2026-12-20"), day("2027-02-20"))]);
        let source = Source {
            pool: "B1/B2".to_owned(),
            facility: MONTREAL.into(),
            mean_gap_seconds: 3_600.0,
            at_marks: 0.0,
            median_life_seconds: 5_400.0,
            life_sigma: 0.5,
            days_ahead: (30, 80),
            burst: 1,
            phantoms: 0.0,
            rivals: 0.0,
        };
        stage.sandbox.with_world(|w| w.add_source(source));
        let cities = [TORONTO, OTTAWA, MONTREAL].map(|city| FacilityId::try_from(city).expect("a city"));
        let wish = SearchCriteria { cities: cities.to_vec(), excluded: unwanted, ..criteria() };
        stage.task("lin", wish).await;
        let from = stage.clock.now();
        stage.run_for(TimeDelta::hours(12)).await;
        for city in [TORONTO, OTTAWA, MONTREAL] {
            let gap = longest_gap(&stage, city, from);
            assert!(gap <= LEAST_BOUND, "seed {seed}: {city} was not shown for {} min", gap.num_minutes());
        }
        stage.assert_tidy().await;
    }
}

// spec: 10.3.05
#[tokio::test]
async fn a_wrong_guess_at_restricted_hours_hides_no_date() {
    let stage = Stage::new().await;
    stage.sandbox.with_world(|w| w.config.session_minutes = (60, 60));
    guess(&stage, &["lin", "sun", "wei"]).await;
    stage.run_for(TimeDelta::minutes(150)).await;
    stage.slot(TORONTO, "2027-02-09", "09:15");
    let booked = || stage.sandbox.with_world(|w| !w.applied.is_empty());
    let published = stage.clock.now();
    stage.run_until(TimeDelta::hours(5), booked).await;
    let took = stage.clock.now() - published;
    assert!(booked() && took <= TimeDelta::minutes(70), "no booking for {} min", took.num_minutes());
    stage.run_for(TimeDelta::minutes(10)).await;
    stage.assert_tidy().await;
}

// spec: 10.3.05
#[tokio::test]
async fn a_401_does_not_use_up_the_probe() {
    let stage = Stage::new().await;
    guess(&stage, &["lin"]).await;
    stage.run_for(TimeDelta::minutes(70)).await;
    stage.sandbox.with_world(|w| w.sessions.clear());
    let from = stage.clock.now();
    stage.run_for(TimeDelta::minutes(70)).await;
    let answers: Vec<(u16, DateTime<Utc>)> =
        polls(&stage, from).iter().map(|entry| (entry.status, entry.world_time)).collect();
    let refused =
        answers.iter().position(|(status, _)| *status == 401).expect("a poll over an ended session");
    let (_, at) = answers[refused];
    let (status, again) = *answers.get(refused + 1).expect("a poll with the new session");
    assert_eq!(status, 200, "{answers:?}");
    assert!(again - at <= TimeDelta::minutes(1), "{answers:?}");
}

// spec: 10.3.05
#[tokio::test]
async fn when_the_hourly_sign_in_is_used_another_account_polls() {
    let stage = Stage::new().await;
    stage.sandbox.with_world(|w| w.config.session_minutes = (240, 240));
    guess(&stage, &["lin", "sun"]).await;
    // One account loses its session twice within an hour, so its second sign-in has to wait.
    let ends = |account: &str| {
        stage.sandbox.with_world(|w| w.sessions.retain(|_, session| session.account != account));
    };
    stage.run_for(TimeDelta::minutes(70)).await;
    let from = stage.clock.now();
    let first = || polls(&stage, from).last().and_then(|entry| entry.account.clone());
    for account in ["lin@example.com", "sun@example.com"] {
        ends(account);
    }
    stage.run_until(TimeDelta::minutes(70), || first().is_some()).await;
    let signed_in = first().expect("a poll");
    let from = stage.clock.now() + TimeDelta::seconds(1);
    ends(&signed_in);
    stage.run_for(TimeDelta::minutes(130)).await;
    let after: Vec<(Option<String>, u16, DateTime<Utc>)> =
        polls(&stage, from).into_iter().map(|e| (e.account, e.status, e.world_time)).collect();
    let longest = longest_gap(&stage, TORONTO, from);
    assert!(longest <= TimeDelta::minutes(75), "{after:?}");
}

// spec: 10.3.05
#[tokio::test]
async fn a_probe_with_a_host_failure_is_not_repeated_by_other_accounts() {
    let stage = Stage::new().await;
    guess(&stage, &["lin", "sun", "wei"]).await;
    stage.fault(FaultKind::BadGateway, Some(1));
    let from = stage.clock.now();
    let failed = |entry: &Entry| entry.status == 502;
    stage.run_until(TimeDelta::minutes(70), || polls(&stage, from).iter().any(failed)).await;
    let at = polls(&stage, from).into_iter().find(failed).expect("a failed probe").world_time;
    stage.run_for(TimeDelta::minutes(5) - TimeDelta::seconds(10)).await;
    let others = stage.sandbox.with_world(|w| {
        let after = |entry: &&Entry| entry.world_time > at && entry.kind != "world";
        w.journal
            .after(0)
            .iter()
            .filter(after)
            .map(|e| (e.kind.clone(), e.effect.clone()))
            .collect::<Vec<_>>()
    });
    assert!(others.is_empty(), "{others:?}");
    stage.run_for(TimeDelta::minutes(10)).await;
    assert!(polls(&stage, at).iter().any(is_answered), "a later poll replaces the failed probe");
}

// spec: 10.3.05
#[tokio::test]
async fn two_hours_without_an_answered_probe_end_restricted_hours() {
    let stage = Stage::new().await;
    let task = guess(&stage, &["lin"]).await;
    stage.run_for(TimeDelta::minutes(61)).await;
    // No probe is answered: the account loses its session, and the sign-in page fails.
    stage.sandbox.with_world(|w| w.sessions.clear());
    let from = stage.clock.now();
    stage.fault(FaultKind::BadGateway, None);
    stage.run_for(TimeDelta::minutes(125)).await;
    let told = stage.read(task).await;
    assert_ne!(told.condition, TaskCondition::RestrictedHours, "{}", told.condition_evidence);
    stage.sandbox.with_world(|w| w.remove_faults(None));
    let fixed = stage.clock.now();
    let is_seen = || polls(&stage, fixed).iter().any(is_answered);
    stage.run_until(TimeDelta::hours(3), is_seen).await;
    let after = stage.clock.now() - fixed;
    // The longest wait of a host that failed is half an hour.
    assert!(is_seen() && after <= TimeDelta::minutes(31), "seen again after {} min", after.num_minutes());
    assert!(longest_gap(&stage, TORONTO, from) <= LEAST_BOUND);
}

// spec: 10.3.05
#[tokio::test]
async fn dates_listed_on_three_mornings_end_restricted_hours() {
    let stage = Stage::new().await;
    guess(&stage, &["lin"]).await;
    let shown = |stage: &Stage| {
        let shows = |e: &&Entry| matches!(e.effect, Effect::Looked { days: 1.., .. });
        stage.sandbox.with_world(|w| w.journal.after(0).iter().filter(shows).count())
    };
    // A date that no task wants is listed for an hour of three mornings.
    for _ in 0..3 {
        let before = shown(&stage);
        let slot = stage.slot(TORONTO, "2027-08-20", "09:15");
        stage.run_until(TimeDelta::hours(3), || shown(&stage) > before).await;
        assert!(shown(&stage) > before, "the date was not seen");
        stage.sandbox.with_world(|w| w.remove_slot(slot));
        stage.run_for(TimeDelta::hours(24)).await;
    }
    let from = stage.clock.now();
    stage.run_for(TimeDelta::hours(3)).await;
    let made = polls(&stage, from).len();
    assert!(made >= 8, "{made} polls in three hours of the day");
}

/// The number of tasks of the city is the same before and after.
#[tokio::test]
async fn a_task_that_replaces_another_is_polled_at_once() {
    let pace = inference::planner::Pace {
        account_spacing: TimeDelta::seconds(10),
        least_bound: TimeDelta::seconds(10),
        ..inference::planner::Pace::default()
    };
    let limits = Limits {
        polls_per_hour: 1_000,
        polls_per_ten_hours: 10_000,
        requests_per_ten_hours: 10_000,
        ..Limits::default()
    };
    let stage = Stage::with(Config { pace, limits, ..Config::default() }).await;
    stage.slot(TORONTO, "2027-07-30", "09:15");
    let mut tasks = Vec::new();
    for name in ["lin", "chen"] {
        stage.portal_account(name, Some(at(TORONTO, "2027-08-17", "08:15")));
        tasks.push(stage.task(name, toronto()).await);
        stage.run_for(TimeDelta::minutes(1)).await;
    }
    let [lin, chen] = tasks[..] else { panic!("two tasks") };
    let now = stage.ctx.wall.now();
    let pause = (TaskStatus::Active, TaskStatus::Stopped);
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    assert!(store::task::set_status(&mut tx, chen, pause, Some(Reason::ByUser), now).await.expect("paused"));
    tx.commit().await.expect("commit");
    stage.engine.nudge();
    stage.run_for(TimeDelta::minutes(1)).await;
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    store::task::delete(&mut tx, lin, stage.ctx.wall.now()).await.expect("deleted");
    let start = (TaskStatus::Stopped, TaskStatus::Active);
    let now = stage.ctx.wall.now();
    assert!(store::task::set_status(&mut tx, chen, start, None, now).await.expect("started"));
    tx.commit().await.expect("commit");
    stage.engine.nudge();
    let since = stage.clock.now();
    stage.run_for(TimeDelta::minutes(3)).await;
    let polls = polls(&stage, since).len();
    assert!(polls >= 10, "{polls} polls in three minutes");
}

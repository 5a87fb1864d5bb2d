use chrono::{DateTime, TimeDelta, Utc};
use domain::budget::{Budget, Calls, Limits};
use domain::condition::TaskCondition;
use domain::silence::SILENT_AFTER;
use domain::task::TaskStatus;
use domain::task::watch::{
    Installation, NextPoll, PollWait, Watch, WatchFacts, WatchedCalendar, account_wait, watch,
};

use crate::at;

fn now() -> DateTime<Utc> {
    at("2026-11-26T12:03:00Z")
}

fn minutes(minutes: i64) -> TimeDelta {
    TimeDelta::minutes(minutes)
}

fn calendar(answered: i64, next: Option<(i64, Option<PollWait>)>) -> WatchedCalendar {
    WatchedCalendar {
        last_answer_at: Some(now() - minutes(answered)),
        next: next.map(|(ahead, wait)| NextPoll { at: now() + minutes(ahead), wait }),
    }
}

fn facts(condition: TaskCondition, calendars: &[WatchedCalendar]) -> WatchFacts<'_> {
    WatchFacts {
        status: TaskStatus::Active,
        condition,
        condition_since: now() - minutes(500),
        next_try_at: None,
        watched_since: Some(now() - minutes(2_000)),
        calendars,
        account: None,
        installation: Installation { engine_runs: true, paused_since: None, host_not_before: None },
    }
}

fn row(condition: TaskCondition, calendars: &[WatchedCalendar]) -> Watch {
    watch(&facts(condition, calendars), now())
}

// spec: 10.2.32
#[test]
fn a_row_shows_the_earliest_future_plan_of_its_cities() {
    let watched =
        row(TaskCondition::Watching, &[calendar(5, Some((20, None))), calendar(40, Some((7, None)))]);
    assert_eq!((watched.condition, watched.reason), (TaskCondition::Watching, None));
    assert_eq!(watched.next_poll_at, Some(now() + minutes(7)));
    assert_eq!(watched.last_answer_at, Some(now() - minutes(5)));
    let due = row(TaskCondition::Watching, &[calendar(5, Some((20, None))), calendar(40, Some((-12, None)))]);
    assert_eq!((due.next_poll_at, due.next_try_at), (None, None), "an overdue time is not shown");
}

#[test]
fn a_reached_hour_limit_is_shown_with_its_end() {
    let used = [calendar(12, Some((34, Some(PollWait::HourLimit))))];
    let rest = row(TaskCondition::Watching, &used);
    assert_eq!((rest.condition, rest.reason), (TaskCondition::BudgetRest, Some(PollWait::HourLimit)));
    assert_eq!(rest.next_poll_at, Some(now() + minutes(34)));
    let over = row(TaskCondition::BudgetRest, &[calendar(12, Some((9, None)))]);
    assert_eq!(over.condition, TaskCondition::Watching, "an old limit is not shown any more");
}

#[test]
fn an_operator_or_host_pause_overrides_every_plan() {
    let calendars = [calendar(5, Some((10, None)))];
    let mut paused = facts(TaskCondition::Watching, &calendars);
    paused.installation.paused_since = Some(now() - minutes(3));
    let paused = watch(&paused, now());
    assert_eq!((paused.condition, paused.since), (TaskCondition::OperatorPause, now() - minutes(3)));
    assert_eq!((paused.next_poll_at, paused.reason), (None, Some(PollWait::OperatorPause)));
    let mut backing_off = facts(TaskCondition::Watching, &calendars);
    backing_off.installation.host_not_before = Some(now() + minutes(30));
    let backing_off = watch(&backing_off, now());
    assert_eq!(backing_off.condition, TaskCondition::HostBackOff);
    assert_eq!(backing_off.next_poll_at, Some(now() + minutes(30)));
    let mut away = facts(TaskCondition::Watching, &calendars);
    away.installation.engine_runs = false;
    let away = watch(&away, now());
    assert_eq!((away.next_poll_at, away.reason), (None, Some(PollWait::EngineAway)));
}

#[test]
fn a_more_specific_condition_shows_its_own_wait() {
    let calendars = [calendar(5, Some((10, Some(PollWait::HourLimit))))];
    let mut cooling = facts(TaskCondition::CoolingDown, &calendars);
    cooling.next_try_at = Some(now() + minutes(180));
    let cooling = watch(&cooling, now());
    assert_eq!(cooling.condition, TaskCondition::CoolingDown);
    assert_eq!(cooling.next_try_at, Some(now() + minutes(180)));
    assert_eq!(cooling.next_poll_at, Some(now() + minutes(10)), "other accounts poll the shared list");
    let mut past = facts(TaskCondition::CoolingDown, &calendars);
    past.next_try_at = Some(now() - minutes(1));
    assert_eq!(watch(&past, now()).next_try_at, Some(now() + minutes(10)));
}

// spec: 10.2.31
#[test]
fn six_hours_without_an_answer_show_silence() {
    let silent_for =
        |answered: i64| [calendar(answered, Some((5, None))), calendar(answered + 90, Some((8, None)))];
    let hours = SILENT_AFTER.num_minutes();
    for said in [TaskCondition::Watching, TaskCondition::Booked, TaskCondition::PortalDown] {
        let just_before = row(said, &silent_for(hours - 1));
        assert_eq!(just_before.condition, said);
        let silent = row(said, &silent_for(hours));
        assert_eq!((silent.condition, silent.since), (TaskCondition::Silent, now() - SILENT_AFTER));
    }
    let booking = row(TaskCondition::BookingUnconfirmed, &silent_for(hours));
    assert_eq!(booking.condition, TaskCondition::BookingUnconfirmed, "a sent booking has precedence");
    // A watch that has just begun does not take over the time since its calendars were last polled.
    let calendars = silent_for(hours * 3);
    let mut fresh = facts(TaskCondition::Watching, &calendars);
    fresh.watched_since = Some(now() - minutes(10));
    assert_eq!(watch(&fresh, now()).condition, TaskCondition::Watching);
    let mut stopped = facts(TaskCondition::Paused, &calendars);
    stopped.status = TaskStatus::Stopped;
    assert_eq!(watch(&stopped, now()).condition, TaskCondition::Paused);
}

#[test]
fn a_task_before_its_first_poll_shows_its_accounts_wait() {
    let limits = Limits::default();
    let mut budget = Budget::default();
    for ago in [50, 40, 30, 20, 10, 5] {
        budget.spend(Calls { requests: 1, polls: 1, sign_ins: 0 }, now() - minutes(ago));
    }
    let wait = account_wait(&budget, None, &limits, now()).expect("six polls an hour");
    assert_eq!(wait.wait, Some(PollWait::HourLimit));
    assert_eq!(wait.at, now() + minutes(10) + TimeDelta::milliseconds(1));
    let mut first = facts(TaskCondition::WaitingFirstPoll, &[]);
    (first.status, first.watched_since, first.account) = (TaskStatus::Processing, None, Some(wait));
    let row = watch(&first, now());
    assert_eq!((row.condition, row.next_poll_at), (TaskCondition::BudgetRest, Some(wait.at)));
    let rest = account_wait(&budget, Some(now() + minutes(45)), &limits, now())
        .expect("the account is cooling down");
    assert_eq!(
        (rest.wait, rest.at),
        (Some(PollWait::AccountRest), now() + minutes(45)),
        "the later time decides"
    );
    assert!(account_wait(&Budget::default(), None, &limits, now()).is_none());
}

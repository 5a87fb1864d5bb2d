//! Stories of calendars whose accounts are shown different lists: such a calendar is split, and
//! later shared again.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use domain::criteria::{BookingMode, SearchCriteria};
use domain::ids::TaskId;
use engine::Engine;
use inference::agreement::Agreement;
use sandbox::journal::{Effect, Entry};
use sandbox::world::faults::{FaultKind, InjectedFault};
use sandbox::world::slots::NewSlot;

use crate::stage::{Stage, TORONTO, at, day, new_slot, toronto};

/// Submits one notify-only task and some automatic ones. All have a late appointment in Toronto.
async fn household(stage: &Stage, eager: usize) -> Vec<TaskId> {
    let mut tasks = Vec::new();
    for n in 0..=eager {
        let name = format!("p{n}");
        stage.portal_account(&name, Some(at(TORONTO, "2027-05-25", "08:15")));
        let mode = if n == 0 { BookingMode::Notify } else { BookingMode::Auto };
        let told = SearchCriteria { mode, ..toronto() };
        tasks.push(stage.task(&name, told).await);
        stage.clock.advance(TimeDelta::seconds(5));
    }
    tasks
}

/// Adds a slot on every third day from January on, which stays until it is booked.
fn many_days(stage: &Stage, days: i64) {
    for n in 0..days {
        stage.slot(TORONTO, &(day("2027-01-04") + TimeDelta::days(3 * n)).to_string(), "09:15");
    }
}

/// Shows each account of the automatic tasks only a few of the days, and different ones.
fn own_lists(stage: &Stage, eager: usize, hides_percent: u64) {
    for n in 1..=eager {
        let fault = InjectedFault::of(FaultKind::OwnList { hides_percent });
        let account = Some(format!("p{n}@example.com"));
        stage.sandbox.with_world(|w| w.add_fault(InjectedFault { account, ..fault }));
    }
}

/// Returns the stored agreement of each calendar.
async fn kept(stage: &Stage) -> Vec<Agreement> {
    let mut tx = stage.ctx.db.read().await.expect("tx");
    let rows = store::learned::agreements(&mut tx).await.expect("rows");
    rows.into_iter().map(|(_, data)| serde_json::from_value(data).expect("an agreement")).collect()
}

async fn is_split(stage: &Stage) -> bool {
    kept(stage).await.iter().any(|known| known.split_since().is_some())
}

/// Runs until a calendar is split, for `most` hours at most. Returns `true` if it was.
async fn run_until_split(stage: &Stage, most: i64) -> bool {
    for _ in 0..2 * most {
        if is_split(stage).await {
            return true;
        }
        stage.run_for(TimeDelta::minutes(30)).await;
    }
    is_split(stage).await
}

/// Returns the days whose times an account requested since then, and how many times there were.
fn tried(stage: &Stage, since: DateTime<Utc>) -> Vec<(String, String, usize)> {
    let of = |e: &Entry| match &e.effect {
        Effect::Timed { date, times, .. } if e.world_time > since => {
            Some((e.account.clone().unwrap_or_default(), date.clone(), *times))
        }
        _ => None,
    };
    stage.sandbox.with_world(|w| w.journal.after(0).iter().filter_map(of).collect())
}

// spec: 10.4.02
#[tokio::test]
async fn accounts_with_different_lists_split_and_book_only_their_own() {
    let mut stage = Stage::new().await;
    many_days(&stage, 40);
    let tasks = household(&stage, 6).await;
    own_lists(&stage, 6, 80);
    assert!(run_until_split(&stage, 16).await, "the calendar was not split: {:?}", kept(&stage).await);
    let in_vain = tried(&stage, stage.clock.now() - TimeDelta::hours(24));
    let in_vain = in_vain.iter().filter(|(.., times)| *times == 0).count();
    assert!(in_vain >= 6, "the split needs failed attempts: only {in_vain}");
    for task in &tasks {
        let told = stage.lines(*task).await;
        let told: Vec<_> = told.iter().filter(|line| line.kind == "lists_differ").collect();
        assert_eq!(told.len(), 1, "a task is notified once that each account uses its own list");
        assert_eq!(told[0].data["facility"], "Toronto");
    }

    // The split survives a restart.
    stage.engine = Engine::new(stage.ctx.clone());
    let parted = stage.clock.now();
    let checks = checks(&stage, &tasks).await;
    stage.run_for(TimeDelta::hours(12)).await;
    let after = tried(&stage, parted);
    assert!(after.iter().all(|(.., times)| *times > 0), "a task tried a day that only others saw: {after:?}");
    let polled = polls_by_account(&stage, parted);
    assert_eq!(polled.len(), 7, "every account polls for itself: {polled:?}");
    let now = self::checks(&stage, &tasks).await;
    let answered: Vec<i64> = now.iter().zip(checks).map(|(now, before)| now - before).collect();
    let own: Vec<i64> = polled.values().map(|n| i64::try_from(*n).expect("small")).collect();
    assert_eq!(answered, own, "a poll answers only the task of its own account");
    stage.assert_tidy().await;
}

async fn checks(stage: &Stage, tasks: &[TaskId]) -> Vec<i64> {
    let mut counts = Vec::new();
    for task in tasks {
        counts.push(stage.read(*task).await.checks);
    }
    counts
}

fn polls_by_account(stage: &Stage, since: DateTime<Utc>) -> BTreeMap<String, usize> {
    let mut polls = BTreeMap::new();
    stage.sandbox.with_world(|w| {
        let polled = |e: &&Entry| e.kind == "days" && e.status < 400 && e.world_time > since;
        for entry in w.journal.after(0).iter().filter(polled) {
            *polls.entry(entry.account.clone().unwrap_or_default()).or_insert(0) += 1;
        }
    });
    polls
}

// spec: 10.4.02
#[tokio::test]
async fn a_split_calendar_is_shared_again_once_its_lists_agree() {
    let stage = Stage::new().await;
    many_days(&stage, 40);
    let tasks = household(&stage, 6).await;
    own_lists(&stage, 6, 80);
    assert!(run_until_split(&stage, 16).await);
    // No day is left that a task may book, and nothing distinguishes the lists any more.
    stage.sandbox.with_world(|w| {
        w.remove_faults(None);
        w.slots.clear();
    });
    stage.run_for(TimeDelta::hours(25)).await;
    assert!(!is_split(&stage).await, "sharing is tried again a day later");
    let told = stage.lines(tasks[1]).await;
    assert!(told.iter().any(|line| line.kind == "lists_shared_again"), "{told:?}");
    // One poll answers all tasks again.
    let before = checks(&stage, &tasks).await;
    stage.run_for(TimeDelta::hours(2)).await;
    let after = checks(&stage, &tasks).await;
    let answered: Vec<i64> = after.iter().zip(before).map(|(a, b)| a - b).collect();
    let most = answered.iter().max().expect("tasks");
    assert!(*most > 2 && answered.iter().all(|n| (most - n).abs() <= 1), "{answered:?}");
    many_days(&stage, 12);
    stage.run_for(TimeDelta::hours(10)).await;
    assert!(!is_split(&stage).await, "lists that agree stay shared");
    stage.assert_tidy().await;
}

// spec: 10.4.02
#[tokio::test]
async fn a_failed_sharing_trial_splits_again_after_fewer_failures() {
    let stage = Stage::new().await;
    many_days(&stage, 40);
    let tasks = household(&stage, 6).await;
    own_lists(&stage, 6, 80);
    assert!(run_until_split(&stage, 16).await);
    stage.run_for(TimeDelta::hours(46)).await;
    let told = stage.lines(tasks[0]).await;
    let turns = told.iter().filter(|line| line.kind.starts_with("lists_")).map(|line| line.kind.as_str());
    let turns: Vec<&str> = turns.collect();
    assert_eq!(turns[..3], ["lists_differ", "lists_shared_again", "lists_differ"], "{turns:?}");
    stage.assert_tidy().await;
}

// spec: 10.4.02
#[tokio::test]
async fn stolen_slots_and_phantom_dates_do_not_split_a_calendar() {
    let stage = Stage::new().await;
    household(&stage, 5).await;
    let steals = InjectedFault { probability: Some(0.3), ..InjectedFault::of(FaultKind::StealSlot) };
    stage.sandbox.with_world(|w| w.add_fault(steals));
    // The same days are listed for a quarter of an hour, again and again. Every other one has no
    // times at all.
    let days: Vec<NaiveDate> = (0..12).map(|n| day("2027-01-04") + TimeDelta::days(9 * n)).collect();
    for round in 0..60_i64 {
        for (n, date) in days.iter().enumerate() {
            let delay = round * 2_400 + i64::try_from(n).expect("small") * 190;
            let slot = NewSlot {
                delay_seconds: Some(delay),
                lifetime_seconds: Some(900),
                phantom: n % 2 == 0,
                ..new_slot(TORONTO, &date.to_string(), "09:15")
            };
            stage.sandbox.with_world(|w| w.add_slot(slot));
        }
    }
    for _ in 0..80 {
        stage.run_for(TimeDelta::minutes(30)).await;
        assert!(!is_split(&stage).await, "the calendar was split: {:?}", kept(&stage).await);
    }
    let known = kept(&stage).await;
    let in_vain = tried(&stage, stage.clock.now() - TimeDelta::hours(48));
    let in_vain = in_vain.iter().filter(|(.., times)| *times == 0).count();
    assert!(in_vain >= 10, "only {in_vain} failed attempts: the story proves nothing");
    assert!(known.iter().any(|a| a.tries() >= 3.0 && a.mean() > 0.6), "{known:?}");
    stage.assert_tidy().await;
}

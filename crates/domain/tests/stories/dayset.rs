use std::cmp::Ordering;

use chrono::{NaiveDate, TimeDelta};
use domain::appointment::Slot;
use domain::criteria::{ExcludedDates, SearchCriteria, Weekdays};
use domain::dayset::DaySet;
use domain::ids::{TaskId, uuid_v7};
use domain::matching::{DayCandidates, Matching, Rank, Seeker, match_days, windows};
use proptest::prelude::*;

use crate::{OTTAWA, TORONTO, at, day, slot};

/// Small task, of which the test generates thousands.
#[derive(Clone, Debug)]
struct Asker {
    rank: Rank,
    id: TaskId,
    criteria: SearchCriteria,
    booked: Option<Slot>,
}

fn later(days: u16) -> NaiveDate {
    day("2026-11-24") + TimeDelta::days(i64::from(days))
}

fn asker() -> impl Strategy<Value = Asker> {
    let dates = (0_u16..300, 0_u16..200, proptest::collection::vec((0_u16..400, 0_u16..20), 0..3));
    let rules = (prop_oneof![Just(0_u16), 0_u16..60], 1_u16..30, proptest::option::of(0_u16..500));
    let weekdays = prop_oneof![3 => Just(Vec::new()), 1 => proptest::collection::vec(1_u8..=7, 1..5)];
    let rules = (rules, weekdays);
    let place = (any::<bool>(), -1_i32..2, 0_i64..5_000, any::<u8>());
    (dates, rules, place).prop_map(
        |((from, length, excluded), ((notice, improvement, booked), weekdays), place)| {
            let (captured, priority, asked, salt) = place;
            let submitted = at("2026-11-01T00:00:00Z") + TimeDelta::seconds(asked);
            let id = TaskId(uuid_v7(submitted, [salt; 10]));
            let excluded =
                excluded.iter().map(|(from, length)| (later(*from), later(from + length))).collect();
            let criteria = SearchCriteria {
                cities: vec![OTTAWA, TORONTO],
                start_date: later(from),
                end_date: later(from + length),
                excluded: ExcludedDates::new(excluded),
                weekdays: Weekdays::try_from(weekdays).expect("days of the week"),
                times: Default::default(),
                minimum_days_from_current: notice,
                min_improvement_days: improvement,
                max_reschedules: 2,
                last_attempt_until: None,
                fingerprints: None,
                mode: domain::criteria::BookingMode::Auto,
            };
            let booked =
                booked.map(|days| Slot { date: later(days), ..slot(TORONTO, "2027-06-15", "08:15") });
            Asker { rank: Rank::new(captured, priority, submitted, id), id, criteria, booked }
        },
    )
}

/// Change of a task after it was inserted into the index.
#[derive(Clone, Copy, Debug)]
enum Fate {
    Stays,
    Leaves,
    Edited(u16),
}

fn fate() -> impl Strategy<Value = Fate> {
    prop_oneof![3 => Just(Fate::Stays), 1 => Just(Fate::Leaves), 1 => (0_u16..60).prop_map(Fate::Edited)]
}

fn seeker(asker: &Asker) -> Seeker<'_> {
    Seeker { task: asker.id, rank: asker.rank, criteria: &asker.criteria, current: asker.booked.as_ref() }
}

fn enter(set: &mut DaySet, askers: &[Asker], key: usize) {
    let order = |a: u32, b: u32| askers[a as usize].rank.cmp(&askers[b as usize].rank);
    let asker = &askers[key];
    set.insert(u32::try_from(key).expect("small"), &windows(&asker.criteria, asker.booked.as_ref()), &order);
}

/// Matches each day separately, as the engine does.
fn matched(
    set: &DaySet,
    askers: &[Asker],
    days: &[NaiveDate],
    today: NaiveDate,
    is_skipped: &dyn Fn(TaskId, NaiveDate) -> bool,
) -> Vec<DayCandidates> {
    let mut apart: Vec<u32> = set.keys().collect();
    apart.dedup();
    apart.retain(|key| days.iter().any(|d| is_skipped(askers[*key as usize].id, *d)));
    let seeker = |key: u32| askers.get(key as usize).map(seeker);
    let matching = Matching { set, facility: TORONTO, days, today, seeker, apart, is_skipped };
    let candidates = |at| matching.candidates(at).map(|key| askers[key as usize].id).collect::<Vec<_>>();
    let openings = (0..days.len()).map(|at| DayCandidates {
        facility: TORONTO,
        date: days[at],
        candidates: candidates(at),
    });
    openings.filter(|opening| !opening.candidates.is_empty()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn a_day_set_matches_like_checking_each_task_in_turn(
        lives in proptest::collection::vec((asker(), fate()), 1..1_500),
        listed in proptest::collection::btree_set(0_u16..500, 1..12),
        (shy, turned) in (0_u8..4, 0_u16..40),
    ) {
        let mut lives = lives;
        let mut seen = std::collections::HashSet::new();
        lives.retain(|(asker, _)| seen.insert(asker.id));
        let mut askers: Vec<Asker> = lives.iter().map(|(asker, _)| asker.clone()).collect();
        let mut set = DaySet::default();
        set.set_today(domain::dayset::number(later(0)));
        for key in 0..askers.len() {
            enter(&mut set, &askers, key);
        }
        let mut here = vec![true; askers.len()];
        for (key, (_, fate)) in lives.iter().enumerate() {
            if matches!(fate, Fate::Stays) {
                continue;
            }
            let order = |a: u32, b: u32| -> Ordering { askers[a as usize].rank.cmp(&askers[b as usize].rank) };
            set.remove(u32::try_from(key).expect("small"), &order);
            here[key] = false;
            if let Fate::Edited(days) = fate {
                askers[key].criteria.end_date += TimeDelta::days(i64::from(*days));
                enter(&mut set, &askers, key);
                here[key] = true;
            }
        }
        let today = later(turned);
        set.set_today(domain::dayset::number(today));
        let days: Vec<NaiveDate> = listed.into_iter().map(later).collect();
        // One task in nine excludes some of the days.
        let is_skipped = |task: TaskId, day: NaiveDate| {
            let bytes = task.0.as_bytes();
            bytes[15] % 9 == shy && days.iter().position(|d| *d == day).is_some_and(|at| at % 2 == usize::from(shy % 2))
        };
        let seekers: Vec<Seeker<'_>> =
            askers.iter().zip(&here).filter(|(_, here)| **here).map(|(asker, _)| seeker(asker)).collect();
        let expected = match_days(TORONTO, &days, &seekers, today, &is_skipped);
        prop_assert_eq!(matched(&set, &askers, &days, today, &is_skipped), expected);
    }
}

//! Who gets a slot: tasks in rank order against the days of one poll.

use std::cmp::Reverse;

use chrono::NaiveDate;

use crate::appointment::Slot;
use crate::clock::Instant;
use crate::criteria::{Rejection, SearchCriteria, Weekdays};
use crate::dayset::{DaySet, Window, number};
use crate::facility::FacilityId;
use crate::ids::TaskId;

/// The allocation order: not yet captured first, then the operator's priority, then who asked first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank {
    captured: bool,
    priority: Reverse<i32>,
    submitted_at: Instant,
    id: TaskId,
}

impl Rank {
    /// The rank of a task; smaller is served first.
    #[must_use]
    pub const fn new(captured: bool, priority: i32, submitted_at: Instant, id: TaskId) -> Self {
        Self { captured, priority: Reverse(priority), submitted_at, id }
    }
}

/// One task as matching sees it.
#[derive(Clone, Debug)]
pub struct Seeker<'a> {
    /// The task.
    pub task: TaskId,
    /// Its place in the allocation order.
    pub rank: Rank,
    /// What it accepts.
    pub criteria: &'a SearchCriteria,
    /// The appointment it holds.
    pub current: Option<&'a Slot>,
}

/// A day some tasks accept, with who may try for it, first in rank first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DayCandidates {
    /// Where.
    pub facility: FacilityId,
    /// When.
    pub date: NaiveDate,
    /// Tasks that want the day above any other of this poll, in rank order.
    pub candidates: Vec<TaskId>,
}

/// Matches the days of one poll against every seeker of that calendar.
///
/// Each seeker asks for its best acceptable day only (all days are of one facility, so the earliest);
/// openings come out earliest first, candidates in rank order. `left_alone` names days a task must not try for now: the
/// next best day takes their place.
#[must_use]
pub fn match_days(
    facility: FacilityId,
    days: &[NaiveDate],
    seekers: &[Seeker<'_>],
    today: NaiveDate,
    left_alone: &dyn Fn(TaskId, NaiveDate) -> bool,
) -> Vec<DayCandidates> {
    let mut ranked: Vec<&Seeker<'_>> = seekers.iter().collect();
    ranked.sort_unstable_by_key(|s| s.rank);
    let mut openings: Vec<DayCandidates> = Vec::new();
    for seeker in ranked {
        let Some(date) = best_day(facility, days, seeker, today, left_alone) else {
            continue;
        };
        match openings.binary_search_by_key(&date, |h| h.date) {
            Ok(at) => openings[at].candidates.push(seeker.task),
            Err(at) => openings.insert(at, DayCandidates { facility, date, candidates: vec![seeker.task] }),
        }
    }
    openings
}

fn best_day(
    facility: FacilityId,
    days: &[NaiveDate],
    seeker: &Seeker<'_>,
    today: NaiveDate,
    left_alone: &dyn Fn(TaskId, NaiveDate) -> bool,
) -> Option<NaiveDate> {
    let latest = seeker.criteria.latest_useful(seeker.current);
    let from = days.partition_point(|d| *d < seeker.criteria.start_date);
    days[from..].iter().copied().take_while(|d| *d <= latest).find(|d| {
        seeker.criteria.evaluate(facility, *d, seeker.current, today).is_ok() && !left_alone(seeker.task, *d)
    })
}

/// The days from `from` to `until` that fall on the weekdays, as ranges without a gap.
fn runs(weekdays: Weekdays, from: NaiveDate, until: NaiveDate) -> Vec<(NaiveDate, NaiveDate)> {
    if weekdays.is_all() {
        return if from <= until { vec![(from, until)] } else { Vec::new() };
    }
    let mut runs: Vec<(NaiveDate, NaiveDate)> = Vec::new();
    let (from, until) = (from.max(crate::dayset::first()), until.min(crate::dayset::last()));
    for day in from.iter_days().take_while(|day| *day <= until).filter(|day| weekdays.contains(*day)) {
        match runs.last_mut() {
            Some(last) if last.1.succ_opt() == Some(day) => last.1 = day,
            _ => runs.push((day, day)),
        }
    }
    runs
}

/// The windows of days a seeker accepts at a city of its criteria; never none.
#[must_use]
pub fn windows(criteria: &SearchCriteria, current: Option<&Slot>) -> Vec<Window> {
    let until = criteria.latest_useful(current);
    let notice = i16::try_from(criteria.minimum_days_from_current).unwrap_or(i16::MAX);
    let mut windows = Vec::with_capacity(1);
    let mut add = |from: Option<NaiveDate>, until: Option<NaiveDate>| {
        let (Some(from), Some(until)) = (from, until) else { return };
        for (from, until) in runs(criteria.weekdays, from, until) {
            windows.push(Window { from: number(from), until: number(until), notice });
        }
    };
    // None from behind the last day there is, and before the first.
    let mut from = Some(criteria.start_date);
    for (first, last) in criteria.excluded.ranges() {
        add(from, first.pred_opt().map(|before| until.min(before)));
        from = from.zip(last.succ_opt()).map(|(from, after)| from.max(after));
    }
    add(from, Some(until));
    if windows.is_empty() {
        windows.push(Window::EMPTY);
    }
    windows
}

/// The days of one poll, matched against tasks in rank order without looking at each.
///
/// Returns what [`match_days`] answers, day by day and candidate by candidate, as far as it is asked.
pub struct Matching<'a, S> {
    /// The calendar's tasks, turned to `today`.
    pub set: &'a DaySet,
    /// Where.
    pub facility: FacilityId,
    /// The list, sorted.
    pub days: &'a [NaiveDate],
    /// Today there.
    pub today: NaiveDate,
    /// A task by its key.
    pub seeker: S,
    /// Tasks with days they leave alone here, first in rank first.
    pub apart: Vec<u32>,
    /// Days a task must not try for now; only those of `apart` have any.
    pub left_alone: &'a dyn Fn(TaskId, NaiveDate) -> bool,
}

impl<'a, S: Fn(u32) -> Option<Seeker<'a>>> Matching<'a, S> {
    /// Keys of the tasks that want the list's day number `at` above any other of it, first in rank first.
    pub fn candidates(&self, at: usize) -> impl Iterator<Item = u32> {
        let day = self.days[at];
        let after = at.checked_sub(1).map(|before| number(self.days[before]));
        let wants = move |key: &u32| {
            let best = (self.seeker)(*key)
                .and_then(|s| best_day(self.facility, self.days, &s, self.today, self.left_alone));
            best == Some(day)
        };
        let regular =
            self.set.candidates(number(day), after).filter(|key| !self.apart.contains(key)).filter(wants);
        let (mut regular, mut apart) =
            (regular.peekable(), self.apart.iter().copied().filter(wants).peekable());
        let rank = move |key: Option<&u32>| key.and_then(|key| (self.seeker)(*key)).map(|s| s.rank);
        std::iter::from_fn(move || match (rank(regular.peek()), rank(apart.peek())) {
            (Some(one), Some(other)) if other < one => apart.next(),
            (Some(_), _) => regular.next(),
            (None, _) => apart.next(),
        })
    }
}

/// Why each day of a poll was not taken by one seeker; accepted days are left out.
#[must_use]
pub fn why_not(
    facility: FacilityId,
    days: &[NaiveDate],
    seeker: &Seeker<'_>,
    today: NaiveDate,
) -> Vec<(NaiveDate, Rejection)> {
    days.iter()
        .filter_map(|d| Some((*d, seeker.criteria.evaluate(facility, *d, seeker.current, today).err()?)))
        .collect()
}

//! Allocation of slots: matches the dates of one poll against tasks in rank order.

use std::cmp::Reverse;

use chrono::NaiveDate;

use crate::appointment::Slot;
use crate::clock::Instant;
use crate::criteria::{Rejection, SearchCriteria, Weekdays};
use crate::dayset::{DaySet, Window, number};
use crate::facility::FacilityId;
use crate::ids::TaskId;

/// Rank in the allocation order: not yet captured first, then the operator's priority, then the
/// time of submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank {
    captured: bool,
    priority: Reverse<i32>,
    submitted_at: Instant,
    id: TaskId,
}

impl Rank {
    /// Creates the rank of a task. The smallest rank is served first.
    #[must_use]
    pub const fn new(captured: bool, priority: i32, submitted_at: Instant, id: TaskId) -> Self {
        Self { captured, priority: Reverse(priority), submitted_at, id }
    }
}

/// A task with the data that matching needs.
#[derive(Clone, Debug)]
pub struct Seeker<'a> {
    /// The task.
    pub task: TaskId,
    /// Rank in the allocation order.
    pub rank: Rank,
    /// Criteria of the task.
    pub criteria: &'a SearchCriteria,
    /// The appointment that the task holds.
    pub current: Option<&'a Slot>,
}

/// A date that some tasks accept, with its candidates in rank order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DayCandidates {
    /// The facility.
    pub facility: FacilityId,
    /// The date.
    pub date: NaiveDate,
    /// Tasks that prefer the date to any other of this poll, in rank order.
    pub candidates: Vec<TaskId>,
}

/// Matches the dates of one poll against every seeker of that calendar.
///
/// Each seeker is a candidate for its best acceptable date only. All dates are of one facility, so
/// that is the earliest. Results are sorted by date, candidates by rank. `is_skipped` returns
/// `true` for dates that a task must not try now; its next best date is used instead.
#[must_use]
pub fn match_days(
    facility: FacilityId,
    days: &[NaiveDate],
    seekers: &[Seeker<'_>],
    today: NaiveDate,
    is_skipped: &dyn Fn(TaskId, NaiveDate) -> bool,
) -> Vec<DayCandidates> {
    let mut ranked: Vec<&Seeker<'_>> = seekers.iter().collect();
    ranked.sort_unstable_by_key(|s| s.rank);
    let mut openings: Vec<DayCandidates> = Vec::new();
    for seeker in ranked {
        let Some(date) = best_day(facility, days, seeker, today, is_skipped) else {
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
    is_skipped: &dyn Fn(TaskId, NaiveDate) -> bool,
) -> Option<NaiveDate> {
    let latest = seeker.criteria.latest_useful(seeker.current);
    let from = days.partition_point(|d| *d < seeker.criteria.start_date);
    days[from..].iter().copied().take_while(|d| *d <= latest).find(|d| {
        seeker.criteria.evaluate(facility, *d, seeker.current, today).is_ok() && !is_skipped(seeker.task, *d)
    })
}

/// Returns the dates from `from` to `until` that fall on the weekdays, as contiguous ranges.
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

/// Returns the windows of dates that a seeker accepts at a city of its criteria. Returns at least
/// one window.
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
    // `None` means after the last or before the first representable date.
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

/// Matches the dates of one poll against tasks in rank order without evaluating each task.
///
/// Yields the result of [`match_days`] lazily, by date and candidate.
pub struct Matching<'a, S> {
    /// The calendar's tasks, with [`DaySet::set_today`] called for `today`.
    pub set: &'a DaySet,
    /// The facility.
    pub facility: FacilityId,
    /// The listed dates, sorted.
    pub days: &'a [NaiveDate],
    /// Today's date at the facility.
    pub today: NaiveDate,
    /// Function that returns a task by its key.
    pub seeker: S,
    /// Tasks with dates in `is_skipped`, in rank order.
    pub apart: Vec<u32>,
    /// Function that returns `true` for dates that a task must not try now. Only tasks in `apart`
    /// have such dates.
    pub is_skipped: &'a dyn Fn(TaskId, NaiveDate) -> bool,
}

impl<'a, S: Fn(u32) -> Option<Seeker<'a>>> Matching<'a, S> {
    /// Returns the keys of the tasks that prefer date number `at` of the list to any other, in rank
    /// order.
    pub fn candidates(&self, at: usize) -> impl Iterator<Item = u32> {
        let day = self.days[at];
        let after = at.checked_sub(1).map(|before| number(self.days[before]));
        let wants = move |key: &u32| {
            let best = (self.seeker)(*key)
                .and_then(|s| best_day(self.facility, self.days, &s, self.today, self.is_skipped));
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

/// Returns the reason why a seeker rejects each date of a poll. Accepted dates are omitted.
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

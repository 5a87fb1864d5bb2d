//! Poll statistics by calendar and hour, until the next batch writes them.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::{DurationRound as _, NaiveDate, TimeDelta};
use domain::calendar::CalendarKey;
use domain::clock::Instant;
use store::seen::Hour;

use crate::model::task_index::TaskIndex;

/// Unwritten polls, by calendar and hour.
pub(super) type Hours = BTreeMap<(CalendarKey, Instant), Hour>;

/// Result of one poll.
pub(crate) enum PollResult {
    /// A list for every task of the calendar: its earliest date, and the number of dates that
    /// appeared.
    Shared(Option<NaiveDate>, usize),
    /// A list for the polling account alone, or one that is not trusted.
    Alone(Option<NaiveDate>),
    /// No answer.
    Failure,
    /// An answer, with its duration; the list is counted separately.
    Answer(Duration),
}

fn earlier(one: Option<NaiveDate>, other: Option<NaiveDate>) -> Option<NaiveDate> {
    [one, other].into_iter().flatten().min()
}

impl TaskIndex {
    /// Adds the result of a poll to the statistics of its hour.
    pub fn note_hour(&mut self, key: &CalendarKey, came: &PollResult, now: Instant) {
        let hour = now.duration_trunc(TimeDelta::hours(1)).unwrap_or(now);
        let row = self.hours.entry((key.clone(), hour)).or_insert_with(|| empty(key.clone(), hour));
        match came {
            PollResult::Shared(earliest, appeared) => {
                row.polls += 1;
                row.slots += i64::try_from(*appeared).unwrap_or_default();
                row.earliest = earlier(row.earliest, *earliest);
            }
            PollResult::Alone(earliest) => {
                row.alone += 1;
                row.earliest = earlier(row.earliest, *earliest);
            }
            PollResult::Failure => row.failures += 1,
            PollResult::Answer(took) => row.took_ms += i64::try_from(took.as_millis()).unwrap_or_default(),
        }
        self.polled = true;
    }

    /// Takes the unwritten hours, and marks them as written. The hours of one calendar are in
    /// order. Each has in `ahead` the number of polls in the hours before it.
    pub fn take_hours(&mut self) -> Vec<Hour> {
        let mut hours: Vec<Hour> = std::mem::take(&mut self.hours).into_values().collect();
        for at in 1..hours.len() {
            if hours[at].key == hours[at - 1].key {
                hours[at].ahead = hours[at - 1].ahead + hours[at - 1].polls;
            }
        }
        hours
    }

    /// Puts back hours whose write failed.
    pub fn restore_hours(&mut self, hours: Vec<Hour>) {
        for old in hours {
            let row = self
                .hours
                .entry((old.key.clone(), old.hour))
                .or_insert_with(|| empty(old.key.clone(), old.hour));
            row.polls += old.polls;
            row.alone += old.alone;
            row.failures += old.failures;
            row.slots += old.slots;
            row.took_ms += old.took_ms;
            row.earliest = earlier(row.earliest, old.earliest);
            self.polled = true;
        }
    }
}

const fn empty(key: CalendarKey, hour: Instant) -> Hour {
    Hour { key, hour, ahead: 0, polls: 0, alone: 0, failures: 0, slots: 0, took_ms: 0, earliest: None }
}

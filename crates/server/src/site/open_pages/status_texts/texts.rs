//! Building blocks of status texts: times, time spans, numbers and shares. The name of a text
//! includes its form, e.g. `_one` or `_many`.
//!
//! `web/src/features/status/texts.ts` implements the same forms for the live page.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use chrono_tz::America::Toronto;
use serde::Serialize;

use crate::api::status::hours::HourState;

/// Minimum number of polls for a meaningful share.
const ENOUGH_POLLS: i64 = 20;
/// Text of a fact without a value.
const YES: &str = "1";
/// Character that prevents a line break at its position.
const WORD_JOINER: &str = "\u{2060}";

/// Texts by name. A fact that does not apply is absent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Texts(pub(super) BTreeMap<String, String>);

impl Texts {
    /// Sets the text of a name.
    pub(super) fn set(&mut self, name: &str, text: impl Into<String>) {
        self.0.insert(name.to_owned(), text.into());
    }

    /// Sets a fact without a value.
    pub(super) fn yes(&mut self, name: &str) {
        self.set(name, YES);
    }

    /// Sets a time in Toronto: its date, and its time of day in the 12-hour form. The date is
    /// omitted if it equals the date of `beside`.
    pub(super) fn moment(&mut self, name: &str, at: DateTime<Utc>, beside: Option<DateTime<Utc>>) {
        if beside.is_none_or(|beside| date(beside) != date(at)) {
            self.set(&format!("{name}_date"), date(at));
        }
        let local = at.with_timezone(&Toronto);
        let half = local.format("%P").to_string();
        self.set(&format!("{name}_{half}"), local.format("%-I:%M").to_string());
    }

    /// Sets a time span in its largest suitable unit (days only from two days on): `name_hour` for
    /// one hour, `name_hours` for several.
    pub(super) fn span(&mut self, name: &str, span: TimeDelta) {
        let (unit, count) = match span.max(TimeDelta::zero()) {
            s if s < TimeDelta::minutes(1) => ("second", s.num_seconds()),
            s if s < TimeDelta::hours(1) => ("minute", s.num_minutes()),
            s if s < TimeDelta::days(2) => ("hour", s.num_hours()),
            s => ("day", s.num_days()),
        };
        let plural = if count == 1 { "" } else { "s" };
        self.set(&format!("{name}_{unit}{plural}"), count.to_string());
    }

    /// Sets a number as `name_one` or `name_many`.
    pub(super) fn number(&mut self, name: &str, number: i64) {
        let form = if number == 1 { "one" } else { "many" };
        self.set(&format!("{name}_{form}"), counted(number));
    }

    /// Sets the share of answered polls. Each pair has the numbers of answered and unanswered
    /// polls. With few polls it sets their number instead.
    pub(super) fn share(&mut self, name: &str, spans: impl Iterator<Item = (i64, i64)>) {
        let (answers, failures) = spans.fold((0, 0), |(a, f), (polls, failures)| (a + polls, f + failures));
        let polls = answers + failures;
        if polls == 0 {
            self.yes(&format!("{name}_none"));
        } else if polls >= ENOUGH_POLLS {
            self.set(&format!("{name}_share"), percent(answers, polls));
            self.set(&format!("{name}_of"), counted(polls));
        } else {
            self.yes(&format!("{name}_few"));
            self.number(&format!("{name}_looks"), polls);
            if failures == 0 {
                self.yes(&format!("{name}_all"));
            } else {
                self.set(&format!("{name}_answers"), counted(answers));
            }
        }
    }

    /// Sets the summary of a chart: how many of its bars are slow or down.
    pub(super) fn sum(&mut self, name: &str, states: impl Iterator<Item = HourState>) {
        let states: Vec<_> = states.collect();
        let many = |state| states.iter().filter(|one| **one == state).count();
        let (down, slow) = (many(HourState::Down), many(HourState::Slow));
        for (state, count) in [("down", down), ("slow", slow)] {
            if count > 0 {
                self.number(&format!("{name}_{state}"), i64::try_from(count).unwrap_or(i64::MAX));
            }
        }
        match (down, slow) {
            (0, 0) if many(HourState::Ok) > 0 => self.yes(&format!("{name}_fine")),
            (0, 0) => self.yes(&format!("{name}_none")),
            (1.., 1..) => self.yes(&format!("{name}_both")),
            _ => (),
        }
    }
}

/// Returns a date in Toronto with word joiners, so that it does not break across lines.
pub(super) fn date(at: DateTime<Utc>) -> String {
    at.with_timezone(&Toronto).format("%Y-%m-%d").to_string().replace('-', &format!("-{WORD_JOINER}"))
}

/// Formats milliseconds as seconds with one decimal, rounded half up.
pub(super) fn seconds(milliseconds: i64) -> String {
    let tenths = (milliseconds + 50) / 100;
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// Formats a share in percent, rounded down, so that only a complete share is shown as 100.
fn percent(part: i64, whole: i64) -> String {
    match part * 1_000 / whole {
        1_000 => "100".to_owned(),
        0 => "0".to_owned(),
        tenths => format!("{}.{}", tenths / 10, tenths % 10),
    }
}

/// Formats a count with thousands separators: `1,234`.
pub fn counted(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut out = if number < 0 { "-".to_owned() } else { String::new() };
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn counts_have_thousands_separators() {
        let written = [0, 7, 999, 1_000, 38_412, 1_234_567, -1_000].map(counted);
        assert_eq!(written, ["0", "7", "999", "1,000", "38,412", "1,234,567", "-1,000"]);
    }
}

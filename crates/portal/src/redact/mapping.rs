//! Replacements used in one report. Equal numbers and times get equal replacements, and the
//! distance between two dates is preserved.

use crate::structure::{is_known_part, is_sign};
use chrono::{Duration, NaiveDate, NaiveTime};
use std::collections::{BTreeSet, HashMap};

/// Replacement of a word that is not on a list of known words.
pub(super) const WORD: &str = "xxx";

/// Replacements chosen so far in one report.
pub(super) struct Mapping {
    shift: Duration,
    /// Secret numbers. A random replacement must not equal one of them.
    taken: BTreeSet<String>,
    numbers: HashMap<String, String>,
    used: HashMap<usize, u64>,
    times: HashMap<NaiveTime, u32>,
    tokens: HashMap<String, usize>,
}

impl Mapping {
    pub fn new(shift_days: i32, taken: BTreeSet<String>) -> Self {
        Self {
            shift: Duration::days(shift_days.into()),
            taken,
            numbers: HashMap::new(),
            used: HashMap::new(),
            times: HashMap::new(),
            tokens: HashMap::new(),
        }
    }

    /// Replaces a run of digits by other digits of the same length. A single digit is kept.
    pub fn number(&mut self, digits: &str) -> String {
        /// The portal has no longer numbers. A longer run of digits is replaced like a word.
        const LONGEST: usize = 18;
        if digits.len() < 2 {
            return digits.to_owned();
        }
        if digits.len() > LONGEST {
            return WORD.to_owned();
        }
        if let Some(known) = self.numbers.get(digits) {
            return known.clone();
        }
        let first = 10_u64.pow(digits.len() as u32 - 1);
        let used = self.used.entry(digits.len()).or_default();
        let found = loop {
            let candidate = (first + *used % (9 * first)).to_string();
            *used += 1;
            if candidate != digits && !self.taken.contains(&candidate) {
                break candidate;
            }
        };
        self.numbers.insert(digits.to_owned(), found.clone());
        found
    }

    /// Moves a date by the report's secret number of days.
    pub fn date(&self, date: NaiveDate) -> Option<NaiveDate> {
        date.checked_add_signed(self.shift)
    }

    /// Returns the replacement of a time of day.
    pub fn time(&mut self, time: NaiveTime) -> NaiveTime {
        let next = self.times.len() as u32;
        let at = *self.times.entry(time).or_insert(next);
        let minutes = (8 * 60 + at * 5) % (24 * 60);
        NaiveTime::from_hms_opt(minutes / 60, minutes % 60, 0).unwrap_or_default()
    }

    /// Replaces a class, id or field name unless it is known.
    pub fn token(&mut self, token: &str) -> String {
        let next = self.tokens.len() + 1;
        format!("k{}", self.tokens.entry(token.to_owned()).or_insert(next))
    }

    /// Replaces the numbers in a class, id or field name. Replaces the whole name if one of its
    /// other parts is unknown.
    pub fn known_token(&mut self, token: &str) -> String {
        let mut out = String::new();
        let mut rest = token;
        while let Some(c) = rest.chars().next() {
            if is_sign(c) {
                out.push(c);
                rest = &rest[c.len_utf8()..];
                continue;
            }
            let end = rest.find(is_sign).unwrap_or(rest.len());
            let (part, after) = rest.split_at(end);
            if part.bytes().all(|byte| byte.is_ascii_digit()) {
                out.push_str(&self.number(part));
            } else if is_known_part(part) {
                out.push_str(part);
            } else {
                return self.token(token);
            }
            rest = after;
        }
        out
    }
}
